/**
 * Sessions of packages and visits that nobody comes to: what paid for a visit goes back with a cancellation that is free, and for one that was missed or
 * cancelled late a session may be taken at the counter. Never beside a fee or a deposit that is kept: one thing is what it costs.
 */
import type { Sale } from '@soigne/contract/sales'
import type { SettledBySession } from '@soigne/contract/vouchers'
import { minuteOf } from '@soigne/contract/time'
import { dayOf } from '@soigne/scheduling/wall-clock'
import type { EventKind, EventOf } from '#/event-kinds.ts'
import { type Requester, keyOf } from '#/features/booking/service.ts'
import { endFee, feeOfVisit, lockFee, withdrawFee } from '#/features/fees/service.ts'
import { issueDocument, moveMoney } from '#/features/ledger/service.ts'
import { besideOf } from '#/features/payments/service.ts'
import { linesOfSale, paymentsOfSale, readSale, type VisitToPay, visitToPay } from '#/features/sales/service.ts'
import { changeInstitute, changeWithin } from '#/features/unit-of-work/service.ts'
import {
  type AppointmentRow,
  findVisit,
  isCancelledFree,
  isSessionLost,
  sessionsForWire,
  sessionsOfVisit,
} from '#/features/visits/service.ts'
import { lockPackagesOf, packagesOfClient } from '#/features/vouchers/service.ts'
import { type InstituteScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import type { SpineEvent } from '#/platform/events.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { refuse } from '#/platform/refuse.ts'
import { translate } from '#/texts/translate.ts'
import { creditedLines } from './crediting.ts'
import { linesFor } from './lines.ts'
import { lockInvoice, markVisitPaid } from './store.ts'
import { settle } from './taking.ts'

const system = systemScope('give sessions back')
type TakeScope = InstituteScope<'sales.take'>

/** Cancelled free of charge: the sessions that paid for it go back by a credit note of their lines, once. */
async function bringBack(
  context: AppContext,
  transaction: Db,
  event: EventOf<'visit.cancelled'> | EventOf<'visit.settled'>,
): Promise<void> {
  const { instituteId, subjectId: id } = event
  if (instituteId === null || id === null) return
  // What may still be taken back keeps its sessions until it may not, which is an event of its own.
  if (event.kind === 'visit.cancelled' && event.payload.toldLater && !event.payload.undoes) return
  if (!(await sessionsOfVisit(transaction, system, { instituteId, visitId: id })).some(({ isBack }) => !isBack)) return
  const scope = system.institute(instituteId)
  await changeWithin(context, transaction, { instituteId, by: system }, async (unit) => {
    const visit = await findVisit(unit.db, scope, { id, lock: true })
    const invoice = visit && isCancelledFree(visit) ? await lockInvoice(unit, id) : null
    if (!invoice) return unit.nothingChanged()
    const { customerId, client } = invoice
    const movement = await moveMoney(unit, system.actor, { id, appointmentId: id, customerId })
    const packages = await lockPackagesOf(movement)
    if (packages.used.length === 0) return unit.nothingChanged()
    const stored = await linesOfSale(unit.db, scope, { instituteId, id })
    const { lines } = creditedLines(
      packages.used.map((_id) => ({ _id })),
      stored,
    )
    const { locale } = await besideOf(unit.db, system, { instituteId, saleId: id })
    const reason = translate(locale ?? 'en', 'mails', 'visitCancelled')
    const note = await issueDocument(movement, { kind: 'credit_note', corrects: invoice.id, reason, client, lines })
    for (const lineId of packages.used) await packages.undo(lineId)
    unit.record('sale.refunded', id, { documentId: note.id, amount: 0, currency: movement.sale.currency })
  })
}

/** The session that pays for it, before or after, is what it costs: a fee that was not charged yet ends. */
async function spareFee(context: AppContext, transaction: Db, { instituteId, subjectId: id }: SpineEvent): Promise<void> {
  if (instituteId === null || id === null) return
  if (!(await sessionsOfVisit(transaction, system, { instituteId, visitId: id })).some(({ isBack }) => !isBack)) return
  await changeWithin(context, transaction, { instituteId, by: system }, async (unit) => {
    const seen = await feeOfVisit(unit.db, system, { instituteId, visitId: id })
    const fee = seen && (await lockFee(unit, seen.id))
    if (!fee || fee.calledOff || !['due', 'charging', 'asked', 'unpaid'].includes(fee.state)) return unit.nothingChanged()
    if (fee.kind === 'no_show') await withdrawFee(unit, id, system.actor)
    else if (fee.state === 'due') await endFee(unit, fee, 'withdrawn')
    else unit.nothingChanged()
  })
}

export const visitSessionReactions: AfterCommit<AppContext, EventKind>[] = [
  {
    name: 'sessions of cancelled visits',
    kinds: ['visit.cancelled', 'visit.settled'],
    react: (context, transaction, event) => bringBack(context, transaction, event as EventOf<'visit.cancelled'> | EventOf<'visit.settled'>),
  },
  {
    name: 'fees beside sessions',
    kinds: ['fee.made', 'sale.taken'],
    react: spareFee,
  },
]

interface Lost {
  visit: AppointmentRow
  toPay: VisitToPay
}
/** A visit that a session may be taken for: missed or cancelled late, with nothing taken for it before, no invoice and no fee. */
async function lostVisit(db: Db, scope: TakeScope, id: string): Promise<Lost | null> {
  const { instituteId } = scope
  const visit = await findVisit(db, system.institute(instituteId), { id })
  if (!visit || visit.life === 'held') throw refuse('not_found')
  const toPay = await visitToPay(db, scope, { instituteId, id })
  if (!toPay || !isSessionLost(visit) || visit.customerId === null) return null
  const fee = await feeOfVisit(db, scope, { visitId: id, instituteId })
  if (fee && fee.state !== 'waived' && fee.state !== 'given_back') return null
  const isTouched =
    (await linesOfSale(db, scope, { instituteId, id })).length > 0 || (await paymentsOfSale(db, scope, { instituteId, id })).length > 0
  return isTouched ? null : { visit, toPay }
}

/** Places of services that a package pays for, as many as it has sessions. */
const coveredBy = ({ serviceIds, left }: { serviceIds: readonly string[]; left: number }, { segments }: VisitToPay): number[] =>
  segments.flatMap(({ position, serviceId }) => (serviceIds.includes(serviceId) ? [position] : [])).slice(0, left)

/** @throws not_found for a visit of another institute */
export async function sessionsOf({ database, clock }: AppContext, scope: TakeScope, id: string): Promise<SettledBySession> {
  const { db } = database
  const lost = await lostVisit(db, scope, id)
  const visit = lost?.visit ?? (await findVisit(db, system.institute(scope.instituteId), { id }))
  const used = await sessionsOfVisit(db, scope, { instituteId: scope.instituteId, visitId: id })
  const packages = lost ? await packagesOfClient(db, scope, lost.visit.customerId ?? '') : []
  return {
    sessions: visit ? sessionsForWire(used, visit) : [],
    offers: packages.flatMap((one) => {
      const count = lost && one.validUntil >= dayOf(one.timeZone, minuteOf(clock.now())) ? coveredBy(one, lost.toPay).length : 0
      return count === 0 ? [] : [{ _id: one.id, name: one.name, count, left: one.left }]
    }),
  }
}

/** @throws not_found, wrong_state, bad_input for a package of somebody else or of other services, more_than_left, voucher_expired */
export async function takeSessionForVisit(
  context: AppContext,
  who: Requester<TakeScope>,
  id: string,
  { clientPackageId }: { clientPackageId: string },
): Promise<Sale> {
  const { scope, locale } = who
  const { instituteId } = scope
  const key = keyOf(who, { call: 'takeSessionForVisit', id, clientPackageId })
  return changeInstitute(context, { instituteId, by: scope, key }, async (unit) => {
    await findVisit(unit.db, system.institute(instituteId), { id, lock: true })
    const lost = await lostVisit(unit.db, scope, id)
    if (!lost) throw refuse('wrong_state')
    const { visit, toPay } = lost
    const held = (await packagesOfClient(unit.db, scope, visit.customerId ?? '')).find((one) => one.id === clientPackageId)
    if (!held) throw refuse('not_found')
    if (held.left === 0) throw refuse('more_than_left', { left: 0 })
    const covered = coveredBy(held, toPay)
    if (covered.length === 0) throw refuse('wrong_state')
    const movement = await moveMoney(unit, scope.actor, { id, appointmentId: id, customerId: visit.customerId })
    const asked = covered.map((segment) => ({ segment, fromPackage: clientPackageId, quantity: 1 }))
    const lines = await linesFor(unit, { lines: asked, visit: toPay, seller: movement.seller })
    await settle(movement, { lines: asked, tips: [], payments: [] }, lines, visit.customerName)
    if (visit.life === 'booked') await markVisitPaid(unit, id)
    return readSale(unit.db, scope, id, locale)
  })
}

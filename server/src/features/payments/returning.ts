/** What becomes of money that was paid online for a visit that is cancelled, and of money that came too late. */
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Instant } from '@soigne/contract/time'
import { creditAll, giveBack, keep, keepNoMore, type Movement, moveMoney } from '#/features/ledger/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import {
  type AppointmentRow,
  type DiaryReaderScope,
  findVisit,
  lateFeeAt,
  mayCancel,
  mostLate,
  type Party,
  sessionsOfVisit,
} from '#/features/visits/service.ts'
import { type Actor, systemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { addJob } from '#/platform/jobs.ts'
import { refuse } from '#/platform/refuse.ts'
import { translate } from '#/texts/translate.ts'
import { besideOf, insertRefund, markRefunded, type NewRefund, onlineMoney, type OnlineMoney } from './refund-store.ts'

/** Whoever cancels a visit, all that was paid for it is looked at. */
const system = systemScope('give back what was paid')

type Cancelled = Pick<
  AppointmentRow,
  'id' | 'instituteId' | 'customerId' | 'terms' | 'depositAmount' | 'payment' | 'currency' | 'fees' | 'totalAmount' | 'sessionsWorth'
>

/** The deposit, or the fee where that is more; with sessions that are gone never more than the price. */
const atLeastDeposit = (paid: number, visit: Cancelled, fee: number): number =>
  Math.min(paid, mostLate(visit), Math.max(visit.depositAmount ?? 0, fee))

/** Of what was paid, what goes back and what is kept: the deposit or the fee, whichever is more, when its client cancels after the free window. */
function sharesOf(paid: number, visit: Cancelled, by: Party, now: Instant) {
  const kept = by !== 'client' || mayCancel(visit.terms, now) ? 0 : atLeastDeposit(paid, visit, lateFeeAt(visit, now))
  return { refunded: paid - kept, kept }
}

/** What the institute has of a visit and does not give back; what a fee is more than that is charged. */
const chargedOf = (held: number, visit: Cancelled, by: Party, now: Instant): number =>
  by === 'client' ? Math.max(0, lateFeeAt(visit, now) - held) : 0

/**
 * What was paid for a visit and is still the institute's: `online` goes back by itself; `atSalon` is all of it where some was taken at the counter or is kept,
 * and is settled there. What was paid online and given back in cash goes back no second time.
 */
async function heldOf(db: Db, sale: { instituteId: string; saleId: string }) {
  const { counter, kept, locale } = await besideOf(db, system, sale)
  const parts = await onlineMoney(db, system, sale)
  const all = parts.reduce((sum, { left }) => sum + left, 0) + counter
  const isAtSalon = counter > 0 || kept > 0
  return { online: isAtSalon ? 0 : Math.max(0, all), atSalon: isAtSalon ? all : 0, parts, locale }
}

/** Of so much that is sent back, the last payment first, what a bank has taken already: its refund is refused. */
function atBankOf(parts: readonly OnlineMoney[], amount: number): number {
  let [rest, atBank] = [amount, 0]
  for (const { left, isAtBank } of parts) {
    const part = Math.min(rest, left)
    rest -= part
    if (isAtBank) atBank += part
  }
  return atBank
}

/** What a cancellation by its client would do with the money of a visit now; `atBank` is part of `refunded`. */
export async function ifCancelledNow(
  db: Db,
  visit: Cancelled,
  now: Instant,
): Promise<{ refunded: number; kept: number; charged: number; atSalon: number; atBank: number }> {
  const { online, atSalon, parts } = await heldOf(db, { instituteId: visit.instituteId, saleId: visit.id })
  const shares = sharesOf(online, visit, 'client', now)
  const charged = chargedOf(atSalon > 0 ? atSalon : shares.kept, visit, 'client', now)
  return { ...shares, charged, atSalon, atBank: atBankOf(parts, shares.refunded) }
}

/** What becomes of what was paid for a visit when its institute cancels it. @throws not_found */
export async function ifInstituteCancels(db: Db, scope: DiaryReaderScope, id: string): Promise<Answer<Calls['visitCancellation']>> {
  const visit = await findVisit(db, scope, { id })
  if (!visit || visit.life === 'held') throw refuse('not_found')
  const { instituteId, currency, sessionsWorth } = visit
  const isPaid = visit.life === 'booked' && (visit.payment === 'deposit_paid' || visit.payment === 'paid')
  const { online, atSalon, parts } = isPaid ? await heldOf(db, { instituteId, saleId: id }) : { online: 0, atSalon: 0, parts: [] }
  const atBank = atBankOf(parts, online)
  const used = isPaid && sessionsWorth !== null ? await sessionsOfVisit(db, scope, { instituteId, visitId: id }) : []
  return {
    refunded: { amount: online - atBank, currency },
    ...(atBank > 0 && { atBank: { amount: atBank, currency } }),
    ...(atSalon > 0 && { atSalon: { amount: atSalon, currency } }),
    sessions: used.reduce((sum, { count, isBack }) => (isBack ? sum : sum + count), 0),
  }
}

/** What was paid online for a visit that is not paid in full, and can go back by itself: what was taken at the counter as well is settled there. */
export async function depositLeft(db: Db, visit: Cancelled): Promise<number> {
  return visit.payment === 'deposit_paid' ? (await heldOf(db, { instituteId: visit.instituteId, saleId: visit.id })).online : 0
}

/** The refund is sent once this is committed. */
async function send(unit: Unit, refund: NewRefund): Promise<void> {
  const refundId = await insertRefund(unit, refund)
  const { amount, currency, reason } = refund
  unit.record('refund.made', refund.visitId, { refundId, amount, currency, reason })
  await addJob(unit.db, 'send_refunds', {}, { key: 'send_refunds' })
}

/** Money that came for a time that had gone to somebody else never was the institute's. */
export const refundLate = (unit: Unit, refund: Omit<NewRefund, 'reason'>): Promise<void> =>
  send(unit, { ...refund, reason: 'late_payment' })
/** A fee that is charged no more, or not at all. */
export const refundWaived = (unit: Unit, refund: Omit<NewRefund, 'reason'>): Promise<void> =>
  send(unit, { ...refund, reason: 'fee_waived' })

/** So much goes back to where it came from, the last payment first. */
async function sendBack(
  movement: Movement,
  amount: number,
  more: { reason: NewRefund['reason']; documentId?: string; method?: string },
): Promise<void> {
  const { unit, sale } = movement
  const { reason, documentId, method } = more
  let rest = amount
  for (const { checkoutId, method: used, left } of await onlineMoney(unit.db, system, { instituteId: unit.instituteId, saleId: sale.id })) {
    const part = Math.min(rest, method === undefined || method === used ? left : 0)
    if (part === 0) continue
    rest -= part
    await giveBack(movement, { method: used, amount: part, checkoutId, ...(documentId !== undefined && { documentId }) })
    await send(unit, { checkoutId, visitId: sale.appointmentId ?? sale.id, amount: part, currency: sale.currency, reason })
  }
  if (rest > 0) throw refuse('more_than_left', { left: amount - rest })
}

/** By a credit note, the way it was paid. @throws more_than_left */
export const refundForNote = (movement: Movement, { method, amount, documentId }: { method: string; amount: number; documentId: string }) =>
  sendBack(movement, amount, { reason: 'credit_note', documentId, method })

const movementOf = (unit: Unit, actor: Actor, { id, customerId }: Cancelled): Promise<Movement> =>
  moveMoney(unit, actor, { id, appointmentId: id, customerId })

/**
 * A visit was cancelled: everything goes back, or the deposit or the fee is kept where its client was late. What was taken at the counter as well is given back
 * there, by a credit note. Answers what its client is charged besides.
 */
export async function returnMoney(unit: Unit, actor: Actor, visit: Cancelled, by: Party): Promise<number> {
  if (visit.payment !== 'deposit_paid' && visit.payment !== 'paid') return chargedOf(0, visit, by, unit.now)
  const { online, atSalon, locale } = await heldOf(unit.db, { instituteId: unit.instituteId, saleId: visit.id })
  if (online === 0) return chargedOf(atSalon, visit, by, unit.now)
  const { refunded, kept } = sharesOf(online, visit, by, unit.now)
  const movement = await movementOf(unit, actor, visit)
  await creditAll(movement, translate(locale ?? 'en', 'mails', 'visitCancelled'))
  if (refunded > 0) await sendBack(movement, refunded, { reason: by === 'client' ? 'cancelled_by_client' : 'cancelled_by_institute' })
  if (kept > 0) await keep(movement, kept)
  else await markRefunded(unit, visit.id)
  return chargedOf(kept, visit, by, unit.now)
}

/** A service of it was let go: its share of the deposit goes back. */
export async function returnShare(unit: Unit, actor: Actor, visit: Cancelled, share: number): Promise<void> {
  if (share === 0) return
  const left = await depositLeft(unit.db, visit)
  const movement = await movementOf(unit, actor, visit)
  await sendBack(movement, share, { reason: 'service_removed' })
  if (left === share) await markRefunded(unit, visit.id)
}

/**
 * Its client did not come: of a deposit stays what stays when they cancel late, the whole of it or the fee, whichever is more. What was invoiced or taken at the
 * counter is given back, or not, by a credit note. Answers what is kept by this.
 */
export async function keepMissed(unit: Unit, actor: Actor, visit: Cancelled): Promise<number> {
  const left = await depositLeft(unit.db, visit)
  const amount = atLeastDeposit(left, visit, Math.min(visit.fees?.noShow ?? 0, visit.totalAmount))
  if (amount > 0) await keep(await movementOf(unit, actor, visit), amount)
  return amount
}

/** They came after all. */
export async function keepMissedNoMore(unit: Unit, actor: Actor, visit: Cancelled): Promise<void> {
  const { kept } = await besideOf(unit.db, system, { instituteId: unit.instituteId, saleId: visit.id })
  if (kept > 0) await keepNoMore(await movementOf(unit, actor, visit))
}

/** The same of a visit that is known by its id. */
export async function returnMoneyOf(unit: Unit, actor: Actor, id: string, by: Party): Promise<void> {
  const visit = await findVisit(unit.db, system.institute(unit.instituteId), { id })
  if (visit) await returnMoney(unit, actor, visit, by)
}

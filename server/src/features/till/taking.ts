/** Money is taken at the counter: lines become an invoice, what was given its payments, and the visit is Paid, all in one transaction. */
import { randomUUIDv7 } from 'node:crypto'
import type { Sale } from '@soigne/contract/sales'
import { type Requester, keyOf } from '#/features/booking/service.ts'
import {
  type DocumentLine,
  issueDocument,
  keepNoMore,
  type Movement,
  moveMoney,
  standingOfSale,
  sumOf,
  takeMoney,
  takeTip,
} from '#/features/ledger/service.ts'
import { readSale, visitToPay } from '#/features/sales/service.ts'
import { lockNamedCards, payWithGiftCard, sellGiftCard, sellPackage, takeSession } from '#/features/vouchers/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import { partyOf, stateOf, stepFrom } from '#/features/visits/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { type Asked, linesFor } from './lines.ts'
import { takeFromShelf } from './product-store.ts'
import { clientName, lockVisit, markVisitPaid, membersById } from './store.ts'

type TakeScope = InstituteScope<'sales.take'>
type Who = Requester<TakeScope>

/** Everybody who gets a tip is of the team. @throws not_found */
async function checkTips(unit: Unit, tips: Asked['tips']): Promise<void> {
  const ids = [...new Set(tips.map(({ staffId }) => staffId))]
  if (ids.length > 0 && (await membersById(unit, ids)).length < ids.length) throw refuse('not_found')
}

/** What was given, one after the other. A gift card buys no other. @throws bad_input, voucher_expired, more_than_left */
async function takeAll(movement: Movement, payments: Asked['payments'], lines: readonly DocumentLine[]): Promise<void> {
  await lockNamedCards(
    movement.unit,
    payments.flatMap(({ giftCardId }) => giftCardId ?? []),
  )
  const byCard = sumOf(payments.filter(({ method }) => method === 'gift_card'))
  const cards = sumOf(lines.filter(({ kind }) => kind === 'gift_card'))
  if (byCard > 0 && byCard > sumOf(payments) - cards) throw refuseField('payments', 'invalid')
  for (const [place, { method, amount, giftCardId }] of payments.entries()) {
    if ((method === 'gift_card') !== (giftCardId !== undefined)) throw refuseField(`payments.${place}.giftCardId`, 'invalid')
    if (giftCardId === undefined) await takeMoney(movement, { kind: 'payment', method, amount })
    else await payWithGiftCard(movement, { giftCardId, amount })
  }
}

/** @throws amount_differs unless what was paid before and now is exactly the whole, till_closed */
export async function settle(
  movement: Movement,
  asked: Asked,
  lines: Awaited<ReturnType<typeof linesFor>>,
  client: string | null,
): Promise<number> {
  const { unit } = movement
  const { paid, isTillClosed } = await standingOfSale(movement)
  const whole = sumOf(lines) + sumOf(asked.tips)
  const now = sumOf(asked.payments)
  if (paid + now !== whole) throw refuse('amount_differs', { due: whole - paid, total: sumOf(lines) })
  if (isTillClosed && asked.payments.length > 0) throw refuse('till_closed', { day: movement.day })
  // Whoever was missed pays for the visit: what was kept of them is a part of that.
  await keepNoMore(movement)
  await takeAll(movement, asked.payments, lines)
  for (const { staffId: memberId, amount } of asked.tips) await takeTip(movement, { memberId, amount })
  const { lineIds } = await issueDocument(movement, { kind: 'invoice', corrects: null, reason: null, client, lines })
  for (const [place, { kind, productId, serviceId, quantity, amount, vat, sells, clientPackageId }] of lines.entries()) {
    if (productId !== null) await takeFromShelf(unit, productId, quantity)
    const id = lineIds[place] ?? ''
    if (kind === 'gift_card') await sellGiftCard(movement, { id, amount })
    if (sells) await sellPackage(movement, sells, { id, amount, vat })
    if (clientPackageId !== undefined) await takeSession(movement, { clientPackageId, lineId: id, serviceId, place })
  }
  const { currency } = movement.sale
  unit.record('sale.taken', movement.sale.id, { amount: now, currency })
  return now
}

/** @throws wrong_state for a visit that is paid, cancelled or only held */
export async function takeForVisit(context: AppContext, who: Who, id: string, asked: Asked): Promise<Sale> {
  const { scope, locale } = who
  const key = keyOf(who, { call: 'takeForVisit', id, ...asked })
  return changeInstitute(context, { instituteId: scope.instituteId, by: scope, key }, async (unit) => {
    const row = await lockVisit(unit, id)
    const visit = row && (await visitToPay(unit.db, scope, { instituteId: scope.instituteId, id }))
    if (!row || !visit || row.life === 'held') throw refuse('not_found')
    if (!stepFrom('pay', stateOf(row), partyOf(scope.actor))) throw refuse('wrong_state')
    await checkTips(unit, asked.tips)
    const movement = await moveMoney(unit, scope.actor, { id, appointmentId: id, customerId: row.customerId })
    const lines = await linesFor(unit, { lines: asked.lines, discount: asked.discount, visit, seller: movement.seller })
    await settle(movement, asked, lines, row.client)
    await markVisitPaid(unit, id)
    return readSale(unit.db, scope, id, locale)
  })
}

/** What is sold without a visit is paid and invoiced at once. */
export async function sellOverCounter(context: AppContext, who: Who, asked: Asked & { customerId?: string | undefined }): Promise<Sale> {
  const { scope, locale } = who
  const key = keyOf(who, { call: 'sellOverCounter', ...asked })
  return changeInstitute(context, { instituteId: scope.instituteId, by: scope, key }, async (unit) => {
    const { customerId = null } = asked
    const client = customerId === null ? null : await clientName(unit, customerId)
    if (customerId !== null && client === null) throw refuse('not_found')
    await checkTips(unit, asked.tips)
    const id = randomUUIDv7()
    const movement = await moveMoney(unit, scope.actor, { id, appointmentId: null, customerId })
    const lines = await linesFor(unit, { lines: asked.lines, discount: asked.discount, visit: null, seller: movement.seller })
    await settle(movement, asked, lines, client || null)
    return readSale(unit.db, scope, id, locale)
  })
}

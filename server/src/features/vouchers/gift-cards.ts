/** Gift cards: sold with a code, used in parts as a way of paying, and what comes back goes onto them again. Each moves under its own lock. */
import { randomUUIDv7 } from 'node:crypto'
import type { GiftCard, VoucherState } from '@soigne/contract/vouchers'
import { minuteOf } from '@soigne/contract/time'
import type { Locale } from '@soigne/contract/wire'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { giveBack, type Movement, takeMoney } from '#/features/ledger/service.ts'
import { printGiftCard } from '#/features/invoice-print/service.ts'
import { instituteOf } from '#/features/sales/service.ts'
import { changeInstitute, type Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { codeFrom, endingOf, groupedCode, newCode } from './code.ts'
import {
  cardsUsedBy,
  findGiftCard,
  giftCardsOf,
  giftCardYears,
  giverOf,
  insertCardMove,
  insertGiftCard,
  isClient,
  lockCardsSoldBy,
  lockGiftCards,
  setGiftCardYears,
  type StoredCard,
  yearsOf,
} from './gift-card-store.ts'

type TakeScope = InstituteScope<'sales.take'>

export const stateOf = ({ left, validUntil }: { left: number; validUntil: string }, today: string): VoucherState => {
  if (validUntil < today) return 'expired'
  return left > 0 ? 'valid' : 'used'
}

const forWire = (card: StoredCard, today: string): GiftCard => ({
  _id: card.id,
  ending: endingOf(card.code),
  amount: { amount: card.amount, currency: card.currency },
  left: { amount: card.left, currency: card.currency },
  validUntil: card.validUntil,
  state: stateOf(card, today),
  client: card.customerId === null ? null : { _id: card.customerId, name: card.client ?? '' },
  saleId: card.saleId,
})

interface Asked {
  code: string
  customer?: string | undefined
}
/** @throws not_found for a client of another institute */
export async function findGiftCards(context: AppContext, scope: TakeScope, asked: Asked): Promise<{ items: GiftCard[] }> {
  const { db } = context.database
  const institute = await instituteOf(db, scope)
  if (!institute) throw refuse('not_found')
  const { code, customer: customerId = null } = asked
  if (customerId !== null && !(await isClient(db, scope, customerId))) throw refuse('not_found')
  const today = dayOf(institute.timeZone, minuteOf(context.clock.now()))
  const cards = await giftCardsOf(db, scope, { code: codeFrom(code), customerId })
  return { items: cards.map((card) => forWire(card, today)) }
}

/** The card itself, for whoever gets it. @throws not_found */
export async function giftCardPdf(context: AppContext, scope: TakeScope, id: string, locale: Locale): Promise<Uint8Array> {
  const { db } = context.database
  const card = await findGiftCard(db, scope, id)
  if (!card) throw refuse('not_found')
  return printGiftCard({
    locale,
    seller: await giverOf(db, scope),
    code: groupedCode(card.code),
    amount: card.amount,
    currency: card.currency,
    validUntil: card.validUntil,
  })
}

export const readGiftCardRule = async ({ database: { db } }: AppContext, scope: TakeScope): Promise<{ years: number }> => ({
  years: await giftCardYears(db, scope),
})

export const changeGiftCardRule = (
  context: AppContext,
  scope: InstituteScope<'institute.change'>,
  { years }: { years: number },
): Promise<{ years: number }> =>
  changeInstitute(context, { instituteId: scope.instituteId, by: scope }, async (unit) => {
    await setGiftCardYears(unit, years)
    unit.record('institute.changed', null, { what: 'gift cards' })
    return { years }
  })

/** A card for a line that was invoiced. */
export async function sellGiftCard({ unit, sale, day }: Movement, line: { id: string; amount: number }): Promise<void> {
  const id = randomUUIDv7()
  const years = await yearsOf(unit)
  const validUntil = Temporal.PlainDate.from(day).add({ years }).toString()
  await insertGiftCard(unit, { id, saleId: sale.id, lineId: line.id, code: newCode(), currency: sale.currency, validUntil })
  await insertCardMove(unit, { giftCardId: id, kind: 'sold', amount: line.amount, saleId: sale.id })
}

/** All of them at once, in one order. @throws not_found */
export async function lockNamedCards(unit: Unit, ids: readonly string[]): Promise<void> {
  const wanted = [...new Set(ids)]
  if (wanted.length > 0 && (await lockGiftCards(unit, wanted)).length < wanted.length) throw refuse('not_found')
}

/** @throws not_found, voucher_expired, more_than_left */
export async function payWithGiftCard(movement: Movement, { giftCardId, amount }: { giftCardId: string; amount: number }): Promise<void> {
  const { unit, sale, day } = movement
  const [card] = await lockGiftCards(unit, [giftCardId])
  if (!card) throw refuse('not_found')
  if (card.validUntil < day) throw refuse('voucher_expired', { validUntil: card.validUntil })
  if (card.left < amount) throw refuse('more_than_left', { left: card.left })
  await insertCardMove(unit, { giftCardId, kind: 'used', amount: -amount, saleId: sale.id })
  await takeMoney(movement, { kind: 'payment', method: 'gift_card', amount })
}

/** What a sale was paid with gift cards goes back onto those that are still good, up to an amount. Answers what is left to give back another way. */
export async function returnToGiftCards(
  movement: Movement,
  { amount, documentId }: { amount: number; documentId: string },
): Promise<number> {
  const { unit, sale, day } = movement
  let rest = amount
  for (const { id, used, validUntil } of await cardsUsedBy(unit, sale.id)) {
    const part = Math.min(rest, validUntil < day ? 0 : used)
    if (part === 0) continue
    rest -= part
    await insertCardMove(unit, { giftCardId: id, kind: 'returned', amount: part, saleId: sale.id })
    await giveBack(movement, { method: 'gift_card', amount: part, documentId })
  }
  return rest
}

/** Locks the cards of a sale before its lines are read; what is taken back of one by a credit note is no longer on it. */
export async function lockSoldCards({ unit, sale }: Movement): Promise<(back: { lineId: string; amount: number }) => Promise<void>> {
  const cards = await lockCardsSoldBy(unit, sale.id)
  return async ({ lineId, amount }) => {
    const card = cards.find((one) => one.lineId === lineId)
    if (card) await insertCardMove(unit, { giftCardId: card.id, kind: 'taken_back', amount: -amount, saleId: sale.id })
  }
}

/**
 * The money of an institute, written in the transaction that moves it: payments, invoices and credit notes with numbers that have no gap, and the double entry
 * of both. Nothing of it is ever changed; what was wrong is taken back by a credit note.
 */
import { randomUUIDv7 } from 'node:crypto'
import type { SaleMethod } from '@soigne/contract/sales'
import { minuteOf } from '@soigne/contract/time'
import { dayOf } from '@soigne/scheduling/wall-clock'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { Actor } from '#/platform/access.ts'
import { instantText } from '#/platform/instants.ts'
import { feePaid, invoiced, kept, paid, paidBack, type Posting, tipped } from './postings.ts'
import { noDocument, sealOf, type SealedLine } from './sealing.ts'
import { invoiceLeft } from './crediting-store.ts'
import {
  endOfChain,
  insertFeePayment,
  insertKept,
  keptOf,
  insertDocument,
  insertPayment,
  insertTip,
  type NewSale,
  nextNumber,
  postEntry,
  type Seller,
  sellerOf,
  standingOf,
  touchSale,
} from './store.ts'

export { partOf, percentOf, sumOf, usualVat, vatWithin } from './reckoning.ts'
export { cardExpired, disputed, invoiced, packageExpired, packageUsed, paid, paidBack, tipped } from './postings.ts'
export { numberText, type SealedLine } from './sealing.ts'
export type { NewSale, Seller } from './store.ts'
export { booksOfVisits } from './books-of-visits.ts'
export type { OnlineRefund } from './book-rows.ts'
export type { KeptVisit, TakenOnline } from './happenings.ts'
export { isSealed, verifyLedgers } from './verifying.ts'
export { documentsAfter, type StoredDocument } from './verifying-store.ts'

/** A sale whose money is being moved. */
export interface Movement {
  unit: Unit
  actor: Actor
  seller: Seller
  /** The day at the institute. */
  day: string
  sale: NewSale
}

/** Begins to move money of a sale, and makes the sale where there is none. */
export async function moveMoney(unit: Unit, actor: Actor, sale: Omit<NewSale, 'currency'>): Promise<Movement> {
  const seller = await sellerOf(unit)
  const whole = { ...sale, currency: seller.currency }
  await touchSale(unit, whole)
  return { unit, actor, seller, day: dayOf(seller.timeZone, minuteOf(unit.now)), sale: whole }
}

/** What came for the sale so far less what went back, and whether the till of this day is closed. */
export const standingOfSale = ({ unit, sale, day }: Movement) => standingOf(unit, sale.id, day)

export interface Money {
  kind: 'deposit' | 'payment'
  method: SaleMethod
  amount: number
  checkoutId?: string
  reference?: string
}
/** Money came. */
export async function takeMoney({ unit, actor, sale, day }: Movement, money: Money): Promise<void> {
  const { currency } = sale
  await insertPayment(unit, { ...money, saleId: sale.id, currency, day, actor })
  await postEntry(unit, { saleId: sale.id, currency, postings: paid(money.method, money.amount) })
}

/** Money goes back: for a credit note, or before there was an invoice. */
export async function giveBack(
  { unit, actor, sale, day }: Movement,
  money: { method: SaleMethod; amount: number; documentId?: string; checkoutId?: string },
): Promise<void> {
  const { currency } = sale
  await insertPayment(unit, { ...money, kind: 'refund', saleId: sale.id, currency, day, actor })
  await postEntry(unit, { saleId: sale.id, currency, postings: paidBack(money.method, money.amount) })
}

/** The deposit of a visit that was cancelled late or missed stays with the institute. */
export async function keep({ unit, sale, day }: Movement, amount: number): Promise<void> {
  const { id: saleId, currency } = sale
  await insertKept(unit, { saleId, amount, currency, day })
  await postEntry(unit, { saleId, currency, postings: kept(amount) })
}

/** What was kept of a sale, if anything, is paid beforehand again: its client came after all, it is paid for, or all of it goes back. */
export async function keepNoMore(movement: Movement): Promise<void> {
  const amount = await keptOf(movement.unit, movement.sale.id)
  if (amount > 0) await keep(movement, -amount)
}

/** A fee was charged; below zero it goes back. */
export async function takeFee(
  { unit, actor, sale, day }: Movement,
  money: { feeId: string; checkoutId: string; amount: number },
): Promise<void> {
  const { id: saleId, currency } = sale
  await insertFeePayment(unit, { ...money, saleId, currency, day, actor })
  await postEntry(unit, { saleId, currency, postings: feePaid(money.amount) })
}

export async function takeTip({ unit, sale, day }: Movement, { memberId, amount }: { memberId: string; amount: number }): Promise<void> {
  await insertTip(unit, { saleId: sale.id, memberId, amount, day })
  await postEntry(unit, { saleId: sale.id, currency: sale.currency, postings: tipped(amount) })
}

export type DocumentLine = Omit<SealedLine, 'position'>
interface Asked {
  kind: 'invoice' | 'credit_note'
  corrects: string | null
  reason: string | null
  client: string | null
  lines: readonly DocumentLine[]
}

/** What of a document is owed until it is used. */
export const owedIn = (lines: readonly Pick<DocumentLine, 'kind' | 'amount' | 'vat'>[]): { giftCards: number; packages: number } => ({
  giftCards: lines.reduce((sum, { kind, amount }) => (kind === 'gift_card' ? sum + amount : sum), 0),
  packages: lines.reduce((sum, { kind, amount, vat }) => (kind === 'package' ? sum + amount - vat : sum), 0),
})

interface IssuedDocument {
  id: string
  total: number
  /** Of the lines, in their order. */
  lineIds: readonly string[]
}
/** Issues a document under the next number of its kind and year, sealed on the one before; it is posted with it. */
export async function issueDocument({ unit, actor, seller, day, sale }: Movement, asked: Asked): Promise<IssuedDocument> {
  const id = randomUUIDv7()
  const year = Number(day.slice(0, 4))
  const number = await nextNumber(unit, asked.kind, year)
  const last = await endOfChain(unit)
  const lines = asked.lines.map((line, position) => ({ ...line, position, id: randomUUIDv7() }))
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  const vat = lines.reduce((sum, line) => sum + line.vat, 0)
  const { name, legalName, vatNumber, address } = seller
  const document = {
    id,
    saleId: sale.id,
    kind: asked.kind,
    year,
    number,
    corrects: asked.corrects,
    issuedAt: instantText(unit.now),
    day,
    currency: sale.currency,
    total,
    vat,
    parties: { seller: { name, legalName, vatNumber, address }, client: asked.client },
    reason: asked.reason,
    actor,
    position: (last?.position ?? 0) + 1,
    lines,
  }
  const previousHash = last?.hash ?? noDocument
  await insertDocument(unit, { ...document, previousHash, hash: sealOf(document, previousHash) }, lines)
  await postEntry(unit, { saleId: sale.id, currency: sale.currency, postings: invoiced({ total, vat, ...owedIn(lines) }) })
  unit.record('document.issued', id, { saleId: sale.id, amount: total, currency: sale.currency })
  return { id, total, lineIds: lines.map((line) => line.id) }
}

/** An entry of its own, of what a sale sold before. */
export const postFor = (unit: Unit, saleId: string, currency: string, postings: readonly Posting[]): Promise<void> =>
  postEntry(unit, { saleId, currency, postings })

/** Takes back all that is left of the invoice of a sale, where there is one: it was cancelled. */
export async function creditAll(movement: Movement, reason: string): Promise<void> {
  const invoice = await invoiceLeft(movement.unit, movement.sale.id)
  if (!invoice) return
  const { id: corrects, client, lines } = invoice
  const left = lines.flatMap(({ id, amount, vat, ...line }) =>
    amount === 0 ? [] : [{ ...line, amount: -amount, vat: -vat, corrects: id }],
  )
  if (left.length > 0) await issueDocument(movement, { kind: 'credit_note', corrects, reason, client, lines: left })
}

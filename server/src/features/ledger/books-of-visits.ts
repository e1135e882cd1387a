/**
 * The books of visits that were kept before anybody looked, as rows: what the till would have written at the end of each, and checkouts and cancellations of those
 * that were paid online. The same visits give the same books. A test compares them with what the product writes: `demo-online.test.ts`.
 */
import { minuteOf } from '@soigne/contract/time'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { instantText } from '#/platform/instants.ts'
import { steadyId } from '#/platform/steady-id.ts'
import {
  actorOf,
  addDocument,
  type Books,
  type BooksAsked,
  documentId,
  emptyBooks,
  hex,
  type OnlineRefund,
  sealedAfter,
} from './book-rows.ts'
import { allHappenings, counterMethodOf, type Happening, isPaidOnline, tipOf, totalOf, unitOf } from './happenings.ts'
import { invoiced, kept, paid, paidBack, type Posting, tipped } from './postings.ts'
import { sumOf } from './reckoning.ts'

export type BookTable = readonly [table: string, rows: readonly object[]]

/** A step of a visit's money within the books. */
interface Step {
  books: Books
  asked: BooksAsked
  happening: Happening
  /** Minor units in a whole one of the currency. */
  unit: number
  /** What all rows of it say. */
  row: { institute_id: string; sale_id: string; currency: string; at: string; day: string }
}

function post({ books, row: { institute_id, sale_id, currency, at } }: Step, what: string, postings: readonly Posting[]): void {
  const entry = steadyId(`${sale_id} ${what}`)
  for (const { account, amount } of postings) books.ledger.push({ institute_id, entry, sale_id, at, account, amount, currency })
}

interface Money {
  kind: 'deposit' | 'payment' | 'refund'
  method: 'cash' | 'terminal' | 'card' | 'paypal' | 'klarna'
  amount: number
  document_id?: string | null
  checkout_id?: string | null
  reference?: string | null
}
function addPayment(step: Step, name: string, { document_id = null, checkout_id = null, reference = null, ...money }: Money): void {
  const { books, happening, row } = step
  const of = { ...money, ...row, actor: actorOf(happening), document_id, checkout_id, reference }
  books.payments.push({ id: steadyId(`${row.sale_id} ${name}`), ...of })
  post(step, name, money.kind === 'refund' ? paidBack(money.method, money.amount) : paid(money.method, money.amount))
}

/** A document, with its entry. */
function issue(step: Step): { id: string; total: number } {
  const { books, asked, happening, row } = step
  const document = sealedAfter(books, asked, happening, row.day)
  addDocument(books, row.institute_id, document)
  post(step, `${document.kind} document`, invoiced(document))
  return { id: documentId(row.sale_id, document.kind), total: document.total }
}

/** What is left to pay, and a tip. */
function takeAtCounter(step: Step): void {
  const { books, happening, row, unit } = step
  const { visit } = happening
  const tip = tipOf(visit, unit)
  const amount = totalOf(visit) - sumOf(visit.online ?? []) + tip
  if (amount > 0) addPayment(step, 'invoice payment', { kind: 'payment', method: counterMethodOf(visit), amount })
  const member_id = visit.lines[0]?.memberId
  if (tip > 0 && member_id !== undefined) {
    const { institute_id, sale_id, day } = row
    books.tips.push({ id: steadyId(`${sale_id} tip`), institute_id, sale_id, member_id, amount: tip, day })
    post(step, 'tip', tipped(tip))
  }
  issue(step)
}

function takeOnline(step: Step, { checkoutId, reference, method, amount, isWhole }: Extract<Happening, { kind: 'online' }>['taken']): void {
  const kind = isWhole ? 'payment' : 'deposit'
  addPayment(step, `online ${checkoutId}`, { kind, method, amount, checkout_id: checkoutId, reference })
  if (isWhole) issue(step)
}

/** Money goes back to where it came from, the last payment first. */
function sendBack(step: Step, amount: number, reason: OnlineRefund['reason'], document_id: string | null = null): void {
  const { books, happening, row } = step
  let rest = amount
  for (const { checkoutId, method, amount: taken } of (happening.visit.online ?? []).toReversed()) {
    const part = Math.min(rest, taken)
    if (part === 0) continue
    rest -= part
    addPayment(step, `back ${checkoutId}`, { kind: 'refund', method, amount: part, document_id, checkout_id: checkoutId })
    const id = steadyId(`${row.sale_id} refund ${checkoutId}`)
    books.refunds.push({ id, saleId: row.sale_id, checkoutId, method, amount: part, reason, at: happening.at })
  }
}

/** A service was given back; how it was paid, its money goes back. */
function takeBack(step: Step): void {
  const { visit } = step.happening
  const { id, total } = issue(step)
  if (isPaidOnline(visit)) sendBack(step, -total, 'credit_note', id)
  else addPayment(step, 'credit_note payment', { kind: 'refund', method: counterMethodOf(visit), amount: -total, document_id: id })
}

/** A visit was cancelled: an invoice is taken back, and money goes back or stays. */
function cancel(step: Step, { by, kept: amount }: Extract<Happening, { kind: 'cancelled' }>): void {
  const { books, happening, row } = step
  const { visit } = happening
  if (isPaidOnline(visit)) issue(step)
  const refunded = sumOf(visit.online ?? []) - amount
  if (refunded > 0) sendBack(step, refunded, by === 'client' ? 'cancelled_by_client' : 'cancelled_by_institute')
  if (amount === 0) return
  books.kept.push({ id: steadyId(`${row.sale_id} kept`), ...row, amount })
  post(step, 'kept', kept(amount))
}

function addHappening(books: Books, asked: BooksAsked, happening: Happening, unit: number): void {
  const { instituteId: institute_id, currency, timeZone } = asked
  const { id, customerId: customer_id } = happening.visit
  const at = instantText(happening.at)
  const row = { institute_id, sale_id: id, currency, at, day: dayOf(timeZone, minuteOf(happening.at)) }
  books.sales.set(id, { id, institute_id, appointment_id: id, customer_id, currency, sold_at: at })
  const step = { books, asked, happening, unit, row }
  if (happening.kind === 'counter') takeAtCounter(step)
  else if (happening.kind === 'online') takeOnline(step, happening.taken)
  else if (happening.kind === 'taken_back') takeBack(step)
  else cancel(step, happening)
}

/** All rows of an institute, table by table, what is pointed at first; and what its provider was asked to give back. */
export function booksOfVisits(asked: BooksAsked): { tables: BookTable[]; refunds: OnlineRefund[] } {
  const { instituteId: institute_id } = asked
  const books = emptyBooks()
  const unit = unitOf(asked.currency)
  for (const happening of allHappenings(asked.visits, asked.now)) addHappening(books, asked, happening, unit)
  const series = [...books.last].map(([key, last]) => {
    const [kind, year] = key.split(' ')
    return { institute_id, kind, year: Number(year), last }
  })
  const position = books.documents.length
  const tables: BookTable[] = [
    ['sales', [...books.sales.values()]],
    ['document_series', series],
    ['document_chains', position > 0 ? [{ institute_id, position, hash: hex(books.hash) }] : []],
    ['documents', books.documents],
    ['document_lines', books.lines],
    ['payments', books.payments],
    ['tips', books.tips],
    ['kept_deposits', books.kept],
    ['ledger_lines', books.ledger],
  ]
  return { tables, refunds: books.refunds }
}

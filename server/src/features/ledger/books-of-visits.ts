/** The books of visits that were kept before anybody looked: what the till would have written at the end of each, as rows. The same visits give the same books. */
import { createHash } from 'node:crypto'
import { dayMs, minuteOf } from '@soigne/contract/time'
import { dayOf } from '@soigne/scheduling/wall-clock'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { invoiced, paid, paidBack, type Posting, tipped } from './postings.ts'
import { usualVat, vatWithin } from './reckoning.ts'
import { noDocument, sealOf, type SealedDocument, type SealedLine } from './sealing.ts'

export interface KeptVisit {
  id: string
  customerId: string | null
  client: string | null
  /** ISO; when it was paid. */
  endedAt: string
  lines: readonly { serviceId: string; name: unknown; memberId: string; memberName: string; amount: number }[]
}
export interface BooksAsked {
  instituteId: string
  timeZone: string
  currency: string
  countryCode: string
  seller: { name: string; legalName: string | null; vatNumber: string | null; address: string }
  visits: readonly KeptVisit[]
  /** Nothing happens after it. */
  now: number
}
export type BookTable = readonly [table: string, rows: readonly object[]]

const actor = { kind: 'system', job: 'demo' }
const digest = (text: string): Buffer => createHash('sha256').update(text).digest()
/** The id of what belongs to something: always the same. */
function idOf(text: string): string {
  const bytes = digest(text).subarray(0, 16)
  bytes[6] = (bytes.readUInt8(6) & 0x0f) | 0x80
  bytes[8] = (bytes.readUInt8(8) & 0x3f) | 0x80
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5')
}

interface Happening {
  visit: KeptVisit
  kind: 'invoice' | 'credit_note'
  at: number
}
/** One visit in 25 has its last service given back the day after. */
const isTakenBack = ({ id, lines }: KeptVisit): boolean => digest(`${id} back`).readUInt8(0) % 25 === 0 && (lines.at(-1)?.amount ?? 0) > 0
const methodOf = ({ id }: KeptVisit): 'cash' | 'terminal' => (digest(`${id} method`).readUInt8(0) % 3 === 0 ? 'cash' : 'terminal')
/** About a twentieth for one in six, in whole units of the currency. */
function tipOf({ id, lines }: KeptVisit, unit: number): number {
  const total = lines.reduce((sum, { amount }) => sum + amount, 0)
  return digest(`${id} tip`).readUInt8(0) % 6 === 0 ? Math.floor(total / 20 / unit) * unit : 0
}

function happeningsOf({ visits, now }: BooksAsked): Happening[] {
  return visits
    .flatMap((visit) => {
      const at = parseInstant(visit.endedAt)
      const back: Happening[] = isTakenBack(visit) ? [{ visit, kind: 'credit_note', at: at + dayMs }] : []
      return [{ visit, kind: 'invoice' as const, at }, ...back]
    })
    .filter(({ at }) => at <= now)
    .toSorted((a, b) => a.at - b.at || (a.visit.id < b.visit.id ? -1 : 1))
}

function linesOf({ visit, kind }: Happening, rate: number): SealedLine[] {
  const all = visit.lines.map(({ serviceId, name, memberId, memberName, amount }, position) => ({
    position,
    kind: 'service' as const,
    name,
    serviceId,
    productId: null,
    memberId,
    memberName,
    quantity: 1,
    amount,
    vatBasisPoints: rate,
    vat: vatWithin(amount, rate),
    corrects: null,
  }))
  if (kind === 'invoice') return all
  return all.slice(-1).map((line) => ({
    ...line,
    position: 0,
    amount: -line.amount,
    vat: -line.vat,
    corrects: idOf(`${visit.id} invoice line ${line.position}`),
  }))
}

const bytes = (one: Buffer): string => `\\x${one.toString('hex')}`
const lineRow = (line: SealedLine, { id, institute_id, of }: { id: string; institute_id: string; of: string }): object => ({
  id: idOf(`${of} line ${line.position}`),
  document_id: id,
  institute_id,
  position: line.position,
  kind: line.kind,
  name: line.name,
  service_id: line.serviceId,
  product_id: line.productId,
  member_id: line.memberId,
  member_name: line.memberName,
  quantity: line.quantity,
  amount: line.amount,
  vat_basis_points: line.vatBasisPoints,
  vat: line.vat,
  corrects: line.corrects,
})

interface Books {
  sales: Map<string, object>
  documents: object[]
  lines: object[]
  payments: object[]
  tips: object[]
  ledger: object[]
  /** The last number of each kind and year. */
  last: Map<string, number>
  hash: Buffer
}

/** The document of a happening, under the next number and sealed on the one before. */
function sealedAfter(books: Books, asked: BooksAsked, happening: Happening, day: string): SealedDocument {
  const { visit, kind } = happening
  const year = Number(day.slice(0, 4))
  const number = (books.last.get(`${kind} ${year}`) ?? 0) + 1
  books.last.set(`${kind} ${year}`, number)
  const lines = linesOf(happening, usualVat(asked.countryCode))
  const isInvoice = kind === 'invoice'
  return {
    saleId: visit.id,
    kind,
    year,
    number,
    corrects: isInvoice ? null : idOf(`${visit.id} invoice`),
    issuedAt: instantText(happening.at),
    day,
    currency: asked.currency,
    total: lines.reduce((sum, { amount }) => sum + amount, 0),
    vat: lines.reduce((sum, line) => sum + line.vat, 0),
    parties: { seller: asked.seller, client: visit.client },
    reason: isInvoice ? null : asked.countryCode === 'GB' ? 'Goodwill' : 'Geste commercial',
    actor,
    position: books.documents.length + 1,
    lines,
  }
}

function addDocument(books: Books, institute_id: string, document: SealedDocument): void {
  const { saleId, kind, year, number, corrects, issuedAt, day, currency, total, vat, parties, reason, position } = document
  const [id, previous] = [idOf(`${saleId} ${kind}`), books.hash]
  books.hash = sealOf(document, previous)
  books.documents.push({
    id,
    institute_id,
    sale_id: saleId,
    kind,
    year,
    number,
    corrects,
    issued_at: issuedAt,
    day,
    currency,
    total,
    vat,
    parties,
    reason,
    actor,
    position,
    previous_hash: bytes(previous),
    hash: bytes(books.hash),
  })
  for (const line of document.lines) books.lines.push(lineRow(line, { id, institute_id, of: `${saleId} ${kind}` }))
}

/** What was given or given back for a document, with the tip beside it, and the entries of all three. */
function addMoney(books: Books, { instituteId: institute_id }: BooksAsked, visit: KeptVisit, document: SealedDocument): void {
  const { saleId: sale_id, kind, issuedAt: at, day, currency, total, vat } = document
  const post = (what: string, postings: readonly Posting[]): void => {
    const entry = idOf(`${sale_id} ${kind} ${what}`)
    for (const { account, amount } of postings) books.ledger.push({ institute_id, entry, sale_id, at, account, amount, currency })
  }
  const isInvoice = kind === 'invoice'
  const digits = new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  const tip = isInvoice ? tipOf(visit, 10 ** digits) : 0
  const [method, amount] = [methodOf(visit), Math.abs(total) + tip]
  if (amount > 0) {
    const document_id = isInvoice ? null : idOf(`${sale_id} ${kind}`)
    const of = { institute_id, sale_id, kind: isInvoice ? 'payment' : 'refund', method, amount, currency, at, day, actor, document_id }
    books.payments.push({ id: idOf(`${sale_id} ${kind} payment`), ...of })
    post('payment', isInvoice ? paid(method, amount) : paidBack(method, amount))
  }
  const member_id = visit.lines[0]?.memberId
  if (tip > 0 && member_id !== undefined) {
    books.tips.push({ id: idOf(`${sale_id} tip`), institute_id, sale_id, member_id, amount: tip, day })
    post('tip', tipped(tip))
  }
  post('document', invoiced({ total, vat }))
}

/** All rows of an institute, table by table, what is pointed at first. */
export function booksOfVisits(asked: BooksAsked): BookTable[] {
  const { instituteId: institute_id, timeZone, currency } = asked
  const books: Books = { sales: new Map(), documents: [], lines: [], payments: [], tips: [], ledger: [], last: new Map(), hash: noDocument }
  for (const happening of happeningsOf(asked)) {
    const { id, customerId: customer_id } = happening.visit
    const document = sealedAfter(books, asked, happening, dayOf(timeZone, minuteOf(happening.at)))
    books.sales.set(id, { id, institute_id, appointment_id: id, customer_id, currency, sold_at: document.issuedAt })
    addDocument(books, institute_id, document)
    addMoney(books, asked, happening.visit, document)
  }
  const series = [...books.last].map(([key, last]) => {
    const [kind, year] = key.split(' ')
    return { institute_id, kind, year: Number(year), last }
  })
  const position = books.documents.length
  return [
    ['sales', [...books.sales.values()]],
    ['document_series', series],
    ['document_chains', position > 0 ? [{ institute_id, position, hash: bytes(books.hash) }] : []],
    ['documents', books.documents],
    ['document_lines', books.lines],
    ['payments', books.payments],
    ['tips', books.tips],
    ['ledger_lines', books.ledger],
  ]
}

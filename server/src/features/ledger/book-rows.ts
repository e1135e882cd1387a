/** Documents of visits that were kept before, and the rows they are stored as. */
import type { PaymentMethod } from '@soigne/contract/wire'
import { instantText } from '#/platform/instants.ts'
import { steadyId } from '#/platform/steady-id.ts'
import type { Happening, KeptVisit } from './happenings.ts'
import { usualVat, vatWithin } from './reckoning.ts'
import { noDocument, sealOf, type SealedDocument, type SealedLine } from './sealing.ts'

export interface BooksAsked {
  instituteId: string
  timeZone: string
  currency: string
  countryCode: string
  seller: { name: string; legalName: string | null; vatNumber: string | null; address: string }
  /** Why a credit note says that it is there. */
  reasons: { goodwill: string; cancelled: string }
  visits: readonly KeptVisit[]
  /** Nothing happens after it. */
  now: number
}
type Kind = SealedDocument['kind']

/** Money a provider is asked to give back. */
export interface OnlineRefund {
  id: string
  saleId: string
  checkoutId: string
  method: PaymentMethod
  amount: number
  reason: 'cancelled_by_client' | 'cancelled_by_institute' | 'credit_note'
  at: number
}

export interface Books {
  sales: Map<string, object>
  documents: object[]
  lines: object[]
  payments: object[]
  tips: object[]
  kept: object[]
  ledger: object[]
  refunds: OnlineRefund[]
  /** The last number of each kind and year. */
  last: Map<string, number>
  hash: Buffer
}
export const emptyBooks = (): Books => ({
  sales: new Map(),
  documents: [],
  lines: [],
  payments: [],
  tips: [],
  kept: [],
  ledger: [],
  refunds: [],
  last: new Map(),
  hash: noDocument,
})

/** What was paid online is taken by those who settle checkouts; who else it was, nobody knows. */
export const actorOf = ({ kind }: Happening): object => ({ kind: 'system', job: kind === 'online' ? 'settle checkouts' : 'demo' })

export const documentId = (saleId: string, kind: Kind): string => steadyId(`${saleId} ${kind}`)

function invoiceLines({ lines }: KeptVisit, rate: number): SealedLine[] {
  return lines.map(({ serviceId, name, memberId, memberName, amount }, position) => ({
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
}

/** What of an invoice is taken back: its last line, or all that cost something. */
function creditedLines(visit: KeptVisit, rate: number, isAll: boolean): SealedLine[] {
  const lines = invoiceLines(visit, rate)
  return (isAll ? lines.filter(({ amount }) => amount !== 0) : lines.slice(-1)).map((line, position) => ({
    ...line,
    position,
    amount: -line.amount,
    vat: -line.vat,
    corrects: steadyId(`${visit.id} invoice line ${line.position}`),
  }))
}

/** The document of a happening, under the next number and sealed on the one before. */
export function sealedAfter(books: Books, asked: BooksAsked, happening: Happening, day: string): SealedDocument {
  const { visit, kind: how, at } = happening
  const kind = how === 'taken_back' || how === 'cancelled' ? 'credit_note' : 'invoice'
  const year = Number(day.slice(0, 4))
  const number = (books.last.get(`${kind} ${year}`) ?? 0) + 1
  books.last.set(`${kind} ${year}`, number)
  const rate = usualVat(asked.countryCode)
  const lines = kind === 'invoice' ? invoiceLines(visit, rate) : creditedLines(visit, rate, how === 'cancelled')
  return {
    saleId: visit.id,
    kind,
    year,
    number,
    corrects: kind === 'invoice' ? null : documentId(visit.id, 'invoice'),
    issuedAt: instantText(at),
    day,
    currency: asked.currency,
    total: lines.reduce((sum, { amount }) => sum + amount, 0),
    vat: lines.reduce((sum, line) => sum + line.vat, 0),
    parties: { seller: asked.seller, client: visit.client },
    reason: kind === 'invoice' ? null : asked.reasons[how === 'cancelled' ? 'cancelled' : 'goodwill'],
    actor: actorOf(happening),
    position: books.documents.length + 1,
    lines,
  }
}

export const hex = (bytes: Buffer): string => `\\x${bytes.toString('hex')}`
const lineRow = (line: SealedLine, { id, institute_id, of }: { id: string; institute_id: string; of: string }): object => ({
  id: steadyId(`${of} line ${line.position}`),
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

export function addDocument(books: Books, institute_id: string, document: SealedDocument): void {
  const { saleId, kind, year, number, corrects, issuedAt, day, currency, total, vat, parties, reason, actor, position } = document
  const [id, previous] = [documentId(saleId, kind), books.hash]
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
    previous_hash: hex(previous),
    hash: hex(books.hash),
  })
  for (const line of document.lines) books.lines.push(lineRow(line, { id, institute_id, of: `${saleId} ${kind}` }))
}

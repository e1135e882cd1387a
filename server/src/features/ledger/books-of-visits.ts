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

/** All rows of an institute, table by table, what is pointed at first. */
export function booksOfVisits(asked: BooksAsked): BookTable[] {
  const { instituteId: institute_id, timeZone, currency } = asked
  const rate = usualVat(asked.countryCode)
  const unit = 10 ** (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2)
  const rows = {
    sales: new Map<string, object>(),
    documents: [] as object[],
    lines: [] as object[],
    payments: [] as object[],
    tips: [] as object[],
  }
  const ledger: object[] = []
  const last = new Map<string, number>()
  let hash: Buffer = noDocument
  let place = 0
  for (const happening of happeningsOf(asked)) {
    const { visit, kind, at: moment } = happening
    const [sale_id, at, day] = [visit.id, instantText(moment), dayOf(timeZone, minuteOf(moment))]
    const post = (what: string, postings: readonly Posting[]): void => {
      const entry = idOf(`${sale_id} ${kind} ${what}`)
      for (const { account, amount } of postings) ledger.push({ institute_id, entry, sale_id, at, account, amount, currency })
    }
    const year = Number(day.slice(0, 4))
    const number = (last.get(`${kind} ${year}`) ?? 0) + 1
    last.set(`${kind} ${year}`, number)
    const lines = linesOf(happening, rate)
    const total = lines.reduce((sum, { amount }) => sum + amount, 0)
    const vat = lines.reduce((sum, line) => sum + line.vat, 0)
    const isInvoice = kind === 'invoice'
    const id = idOf(`${sale_id} ${kind}`)
    const document: SealedDocument = {
      saleId: sale_id,
      kind,
      year,
      number,
      corrects: isInvoice ? null : idOf(`${sale_id} invoice`),
      issuedAt: at,
      day,
      currency,
      total,
      vat,
      parties: { seller: asked.seller, client: visit.client },
      reason: isInvoice ? null : asked.countryCode === 'GB' ? 'Goodwill' : 'Geste commercial',
      actor,
      position: ++place,
      lines,
    }
    const previous_hash = hash
    hash = sealOf(document, previous_hash)
    rows.sales.set(sale_id, { id: sale_id, institute_id, appointment_id: sale_id, customer_id: visit.customerId, currency, sold_at: at })
    const { corrects, reason, parties } = document
    const ofDocument = {
      id,
      institute_id,
      sale_id,
      kind,
      year,
      number,
      corrects,
      issued_at: at,
      day,
      currency,
      total,
      vat,
      parties,
      reason,
      actor,
    }
    rows.documents.push({ ...ofDocument, position: place, previous_hash: bytes(previous_hash), hash: bytes(hash) })
    for (const line of lines) rows.lines.push(lineRow(line, { id, institute_id, of: `${sale_id} ${kind}` }))
    const method = methodOf(visit)
    const tip = isInvoice ? tipOf(visit, unit) : 0
    const money = Math.abs(total) + tip
    const payment = {
      institute_id,
      sale_id,
      kind: isInvoice ? 'payment' : 'refund',
      method,
      amount: money,
      currency,
      at,
      day,
      actor,
      document_id: isInvoice ? null : id,
    }
    if (money > 0) {
      rows.payments.push({ id: idOf(`${sale_id} ${kind} payment`), ...payment })
      post('payment', isInvoice ? paid(method, money) : paidBack(method, money))
    }
    const member_id = visit.lines[0]?.memberId
    if (tip > 0 && member_id !== undefined) {
      rows.tips.push({ id: idOf(`${sale_id} tip`), institute_id, sale_id, member_id, amount: tip, day })
      post('tip', tipped(tip))
    }
    post('document', invoiced({ total, vat }))
  }
  const series = [...last].map(([key, many]) => {
    const [kind, year] = key.split(' ')
    return { institute_id, kind, year: Number(year), last: many }
  })
  return [
    ['sales', [...rows.sales.values()]],
    ['document_series', series],
    ['document_chains', place > 0 ? [{ institute_id, position: place, hash: bytes(hash) }] : []],
    ['documents', rows.documents],
    ['document_lines', rows.lines],
    ['payments', rows.payments],
    ['tips', rows.tips],
    ['ledger_lines', ledger],
  ]
}

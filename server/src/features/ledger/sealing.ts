/** What a document is sealed by: the hash of everything it says and of the document before, so that none can be changed, taken out or put between. */
import { createHash } from 'node:crypto'
import type { LineKind } from '@soigne/contract/sales'

export interface SealedLine {
  position: number
  kind: LineKind
  name: unknown
  serviceId: string | null
  productId: string | null
  memberId: string | null
  memberName: string | null
  quantity: number
  amount: number
  vatBasisPoints: number
  vat: number
  corrects: string | null
}

export interface SealedDocument {
  saleId: string
  kind: 'invoice' | 'credit_note'
  year: number
  number: number
  corrects: string | null
  /** ISO with milliseconds. */
  issuedAt: string
  day: string
  currency: string
  total: number
  vat: number
  parties: unknown
  reason: string | null
  actor: unknown
  position: number
  lines: readonly SealedLine[]
}

/** The same text for the same content, in whatever order its fields come. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (value === null || typeof value !== 'object') return JSON.stringify(value)
  const fields = Object.entries(value).filter(([, one]) => one !== undefined)
  return `{${fields
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, one]) => `${JSON.stringify(key)}:${canonical(one)}`)
    .join(',')}}`
}

/** What the first document of an institute seals. */
export const noDocument = Buffer.alloc(32)

/** Fields are named one by one: what a row has besides is no part of it. */
export function sealOf(document: SealedDocument, previous: Uint8Array): Buffer {
  const { saleId, kind, year, number, corrects, issuedAt, day, currency, total, vat, parties, reason, actor, position } = document
  const lines = document.lines
    .toSorted((a, b) => a.position - b.position)
    .map((line) => [
      line.position,
      line.kind,
      line.name,
      line.serviceId,
      line.productId,
      line.memberId,
      line.memberName,
      line.quantity,
      line.amount,
      line.vatBasisPoints,
      line.vat,
      line.corrects,
    ])
  const said = { saleId, kind, year, number, corrects, issuedAt, day, currency, total, vat, parties, reason, actor, position, lines }
  return createHash('sha256').update(previous).update(canonical(said)).digest()
}

/** As it is printed: F-2026-0412, of a credit note A-2026-0031. */
export const numberText = ({ kind, year, number }: { kind: 'invoice' | 'credit_note'; year: number; number: number }): string =>
  `${kind === 'invoice' ? 'F' : 'A'}-${year}-${String(number).padStart(4, '0')}`

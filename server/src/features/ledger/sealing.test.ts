/** A seal is of everything a document says, of nothing else, and of the document before. */
import { describe, expect, it } from 'vitest'
import { noDocument, numberText, sealOf, type SealedDocument, type SealedLine } from './sealing.ts'

const line: SealedLine = {
  position: 0,
  kind: 'service',
  name: { en: 'Cut', fr: 'Coupe' },
  serviceId: 'service',
  productId: null,
  memberId: 'nora',
  memberName: 'Nora',
  quantity: 1,
  amount: 4200,
  vatBasisPoints: 2000,
  vat: 700,
  corrects: null,
}
const second: SealedLine = { ...line, position: 1, kind: 'product', serviceId: null, productId: 'oil', amount: 1250, vat: 208 }
const document: SealedDocument = {
  saleId: 'sale',
  kind: 'invoice',
  year: 2026,
  number: 412,
  corrects: null,
  issuedAt: '2026-12-05T08:00:00.000Z',
  day: '2026-12-05',
  currency: 'EUR',
  total: 5450,
  vat: 908,
  parties: { seller: { name: 'Atelier Nacre', vatNumber: null }, client: 'Camille' },
  reason: null,
  actor: { kind: 'user', id: 'somebody' },
  position: 7,
  lines: [line, second],
}
const seal = (one: SealedDocument, previous: Uint8Array = noDocument): string => sealOf(one, previous).toString('hex')
const whole = seal(document)
/** Something else of the same kind. */
function other(value: unknown): unknown {
  if (typeof value === 'number') return value + 1
  if (typeof value === 'string') return `${value} `
  if (value === null) return 'something'
  return { ...(value as object), more: 1 }
}
function turned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(turned)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.entries(value)
      .toReversed()
      .map(([key, one]) => [key, turned(one)]),
  )
}

describe('a seal', () => {
  it('is the same in whatever order fields and lines come', () => {
    expect(seal(turned(document) as SealedDocument)).toBe(whole)
    expect(seal({ ...document, lines: [second, line] })).toBe(whole)
  })

  it('is not of what a row has besides, nor of a field that is there without a value', () => {
    const more = { ...document, id: 'row', hash: 'x', lines: [{ ...line, id: 'row', refunded: 5 }, second] }
    expect(seal(more)).toBe(whole)
    const parties = { ...(document.parties as object), phone: undefined }
    expect(seal({ ...document, parties })).toBe(whole)
    // A value of nothing is said, unlike none.
    expect(seal({ ...document, parties: { ...parties, phone: null } })).not.toBe(whole)
  })

  it.each(Object.keys(document).filter((key) => key !== 'lines') as (keyof SealedDocument)[])('shows a change of %s', (key) => {
    expect(seal({ ...document, [key]: other(document[key]) })).not.toBe(whole)
  })

  it.each(Object.keys(line) as (keyof SealedLine)[])('shows a change of %s in a line', (key) => {
    // Ahead of the other one, which a place more would stand beside.
    const changed = { ...line, [key]: key === 'position' ? 9 : other(line[key]) }
    expect(seal({ ...document, lines: [changed, second] })).not.toBe(whole)
  })

  it('shows a line that is missing, doubled, or whose amount moved to the next', () => {
    const moved = [
      { ...line, amount: 4100 },
      { ...second, amount: 1350 },
    ]
    const seals = [[line], [], [line, second, second], moved].map((lines) => seal({ ...document, lines }))
    expect(new Set([whole, ...seals]).size).toBe(5)
  })

  it('shows a change deep within, and a text that was a number', () => {
    const of = (parties: unknown): string => seal({ ...document, parties })
    const seals = [
      of({ a: { b: [1, 2] } }),
      of({ a: { b: [2, 1] } }),
      of({ a: { b: ['1', 2] } }),
      of({ a: { b: { 0: 1, 1: 2 } } }),
      of({ a: 1 }),
    ]
    expect(new Set(seals).size).toBe(5)
  })

  it('is of every bit of the one before', () => {
    const seals = Array.from({ length: 256 }, (_, bit) => {
      const previous = Buffer.from(noDocument)
      previous[bit >> 3] = 1 << (bit & 7)
      return seal(document, previous)
    })
    expect(new Set([whole, ...seals]).size).toBe(257)
  })
})

describe('the number of a document', () => {
  it.each([
    ['invoice', 2026, 1, 'F-2026-0001'],
    ['credit_note', 2026, 31, 'A-2026-0031'],
    ['invoice', 2027, 9999, 'F-2027-9999'],
    ['invoice', 2027, 10_000, 'F-2027-10000'],
    ['credit_note', 2027, 1_234_567, 'A-2027-1234567'],
  ] as const)('of %s %i, %i is %s', (kind, year, number, text) => {
    expect(numberText({ kind, year, number })).toBe(text)
  })
})

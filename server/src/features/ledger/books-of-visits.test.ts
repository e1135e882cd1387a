/** The books of visits that were kept before: whole from the first number to the last seal, and always the same. */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { BooksAsked } from './book-rows.ts'
import { booksOfVisits } from './books-of-visits.ts'
import type { KeptVisit } from './happenings.ts'
import { vatWithin } from './reckoning.ts'
import { noDocument, sealOf, type SealedDocument, type SealedLine } from './sealing.ts'

type Row = Record<string, unknown>
type Books = Record<string, Row[]>
const visit = (place: number, endedAt: string, amounts: number[] = [4200]): KeptVisit => ({
  id: `00000000-0000-4000-8000-${String(place).padStart(12, '0')}`,
  customerId: null,
  client: place % 3 === 0 ? null : `Client ${place}`,
  endedAt,
  lines: amounts.map((amount) => ({
    serviceId: 'service',
    name: { en: 'Cut' },
    memberId: `member ${place % 2}`,
    memberName: 'Nora',
    amount,
  })),
})
const hourly = (many: number, from: string, amounts?: (place: number) => number[]): KeptVisit[] =>
  Array.from({ length: many }, (_, place) => visit(place, new Date(Date.parse(from) + place * 3_600_000).toISOString(), amounts?.(place)))
const asked = (visits: readonly KeptVisit[], over: Partial<BooksAsked> = {}): BooksAsked => ({
  instituteId: 'institute',
  timeZone: 'Europe/Paris',
  currency: 'EUR',
  countryCode: 'FR',
  seller: { name: 'Atelier', legalName: null, vatNumber: null, address: 'Lyon' },
  reasons: { goodwill: 'Goodwill', cancelled: 'Visit cancelled' },
  visits,
  now: Date.parse('2027-06-01T00:00:00Z'),
  ...over,
})
const booksOf = (visits: readonly KeptVisit[], over: Partial<BooksAsked> = {}): Books =>
  Object.fromEntries(booksOfVisits(asked(visits, over)).tables.map(([table, rows]) => [table, rows as Row[]]))
const rowsOf = (books: Books, table: string): Row[] => books[table] ?? []
const sum = (rows: readonly Row[], key = 'amount'): number => rows.reduce((all, row) => all + Number(row[key]), 0)
const of = (rows: readonly Row[], key: string, value: unknown): Row[] => rows.filter((row) => row[key] === value)
const numbersOf = (books: Books, kind: string): string[] =>
  of(rowsOf(books, 'documents'), 'kind', kind).map(({ year, number }) => `${String(year)}/${String(number)}`)

/** What was sealed, from the rows alone: as whoever looks for a change reads them. */
function sealed(books: Books, row: Row): SealedDocument {
  const lines = of(rowsOf(books, 'document_lines'), 'document_id', row['id']).map((line) => ({
    ...line,
    serviceId: line['service_id'],
    productId: line['product_id'],
    memberId: line['member_id'],
    memberName: line['member_name'],
    vatBasisPoints: line['vat_basis_points'],
  }))
  return {
    ...row,
    saleId: row['sale_id'],
    issuedAt: row['issued_at'],
    lines: lines as unknown as SealedLine[],
  } as unknown as SealedDocument
}

describe('books of visits', () => {
  const many = hourly(400, '2026-03-02T08:00:00Z', (place) => [3000 + place * 7, ...(place % 3 === 0 ? [1999] : [])])
  const books = booksOf(many)

  it('are the same for the same visits, in whatever order those come, and need no id from anywhere', () => {
    expect(booksOf(many.toReversed())).toEqual(books)
    const ids = ['documents', 'document_lines', 'payments', 'tips'].flatMap((table) => rowsOf(books, table).map(({ id }) => id))
    expect(new Set(ids).size).toBe(ids.length)
    for (const id of ids) expect(id).toMatch(/^[\da-f]{8}-[\da-f]{4}-8[\da-f]{3}-[89ab][\da-f]{3}-[\da-f]{12}$/)
  })

  it('have an invoice for each, and credit notes for some, a day later, of the last line alone', () => {
    const documents = rowsOf(books, 'documents')
    const notes = of(documents, 'kind', 'credit_note')
    expect(numbersOf(books, 'invoice')).toEqual(many.map((_, place) => `2026/${place + 1}`))
    expect(notes.length).toBeGreaterThan(4)
    expect(numbersOf(books, 'credit_note')).toEqual(notes.map((_, place) => `2026/${place + 1}`))
    for (const note of notes) {
      const [invoice] = of(documents, 'id', note['corrects'])
      expect(invoice).toMatchObject({ kind: 'invoice', sale_id: note['sale_id'] })
      expect(Date.parse(String(note['issued_at'])) - Date.parse(String(invoice?.['issued_at']))).toBe(86_400_000)
      const [line, ...more] = of(rowsOf(books, 'document_lines'), 'document_id', note['id'])
      const [corrected] = of(rowsOf(books, 'document_lines'), 'id', line?.['corrects'])
      expect([more.length, corrected?.['document_id']]).toEqual([0, invoice?.['id']])
      expect([line?.['amount'], line?.['vat']]).toEqual([-Number(corrected?.['amount']), -Number(corrected?.['vat'])])
      expect(of(rowsOf(books, 'payments'), 'document_id', note['id'])).toMatchObject([{ kind: 'refund', amount: -Number(note['total']) }])
    }
  })

  it('are a chain of seals from nothing to the end, and every document is the sum of its lines', () => {
    let last: Uint8Array = noDocument
    for (const [place, row] of rowsOf(books, 'documents').entries()) {
      const lines = of(rowsOf(books, 'document_lines'), 'document_id', row['id'])
      expect([row['position'], row['total'], row['vat']]).toEqual([place + 1, sum(lines), sum(lines, 'vat')])
      expect(row['previous_hash']).toBe(`\\x${Buffer.from(last).toString('hex')}`)
      last = sealOf(sealed(books, row), last)
      expect(row['hash']).toBe(`\\x${Buffer.from(last).toString('hex')}`)
    }
    expect(rowsOf(books, 'document_chains')).toMatchObject([
      { position: rowsOf(books, 'documents').length, hash: `\\x${Buffer.from(last).toString('hex')}` },
    ])
  })

  it('come to what was paid, invoiced and tipped on every account, with no entry and no sale that is not even', () => {
    const [ledger, payments, documents, tips] = ['ledger_lines', 'payments', 'documents', 'tips'].map((table) => rowsOf(books, table))
    if (!ledger || !payments || !documents || !tips) throw new Error('no books')
    const came = (rows: readonly Row[]): number => sum(of(rows, 'kind', 'payment')) - sum(of(rows, 'kind', 'refund'))
    const on = (account: string): number => sum(of(ledger, 'account', account))
    expect(tips.length).toBeGreaterThan(10)
    expect([on('cash'), on('terminal'), on('prepayments')]).toEqual([
      came(of(payments, 'method', 'cash')),
      came(of(payments, 'method', 'terminal')),
      0,
    ])
    expect([on('tips'), on('vat'), on('revenue')]).toEqual([
      -sum(tips),
      -sum(documents, 'vat'),
      sum(documents, 'vat') - sum(documents, 'total'),
    ])
    const by = (rows: readonly Row[], key: string): number[] =>
      [...Map.groupBy(rows, (row) => row[key]).values()].map((group) => sum(group)).filter((one) => one !== 0)
    expect(by(ledger, 'entry')).toEqual([])
    expect(by(of(ledger, 'account', 'prepayments'), 'sale_id')).toEqual([])
    for (const { amount } of tips) expect(Number(amount) % 100).toBe(0)
  })

  it('tell of nothing that is still to come, and of what was there as before', () => {
    const now = Date.parse(many[200]?.endedAt ?? '')
    const until = booksOf(many, { now })
    const documents = rowsOf(until, 'documents')
    expect(of(documents, 'kind', 'invoice')).toHaveLength(201)
    expect(documents).toEqual(rowsOf(books, 'documents').slice(0, documents.length))
    for (const table of ['documents', 'payments', 'ledger_lines'])
      for (const row of rowsOf(until, table)) expect(Date.parse(String(row['at'] ?? row['issued_at']))).toBeLessThanOrEqual(now)
    expect(Object.values(booksOf([])).flat()).toEqual([])
    expect(Object.values(booksOf(many, { now: 0 })).flat()).toEqual([])
  })
})

describe('years of books', () => {
  const eve = hourly(4, '2026-12-31T21:30:00Z')

  it.each([
    ['Europe/Paris', ['2026/1', '2026/2', '2027/1', '2027/2'], ['2026-12-31', '2027-01-01']],
    ['Europe/London', ['2026/1', '2026/2', '2026/3', '2027/1'], ['2026-12-31', '2027-01-01']],
    ['Asia/Dubai', ['2027/1', '2027/2', '2027/3', '2027/4'], ['2027-01-01']],
    ['America/Montreal', ['2026/1', '2026/2', '2026/3', '2026/4'], ['2026-12-31']],
  ])('begin at the midnight of %s, with the first number, and the chain goes on', (timeZone, numbers, days) => {
    const books = booksOf(eve, { timeZone })
    const invoices = of(rowsOf(books, 'documents'), 'kind', 'invoice')
    expect(numbersOf(books, 'invoice')).toEqual(numbers)
    expect([...new Set(invoices.map(({ day }) => day))]).toEqual(days)
    const series = of(rowsOf(books, 'document_series'), 'kind', 'invoice')
    expect(sum(series, 'last')).toBe(4)
    expect(series.map(({ year, last }) => `${String(year)}/${String(last)}`)).toEqual(
      [...new Set(invoices.map(({ year }) => year))].map((year) => numbers.findLast((one) => one.startsWith(String(year)))),
    )
  })
})

describe('currencies and countries', () => {
  it('in dinars of Tunis a tip is of whole dinars, a thousand minor units, and the VAT that of the country', () => {
    const visits = hourly(120, '2026-03-02T08:00:00Z', (place) => [71_500 + place])
    const books = booksOf(visits, { timeZone: 'Africa/Tunis', currency: 'TND', countryCode: 'TN' })
    const tips = rowsOf(books, 'tips')
    expect(tips.length).toBeGreaterThan(3)
    expect(new Set(tips.map(({ amount }) => amount))).toEqual(new Set([3000]))
    for (const { amount, vat, vat_basis_points } of rowsOf(books, 'document_lines'))
      expect([vat_basis_points, Number(vat) + 0]).toEqual([1900, vatWithin(Number(amount), 1900) + 0])
    expect(
      new Set(['documents', 'payments', 'sales', 'ledger_lines'].flatMap((one) => rowsOf(books, one).map((row) => row['currency']))),
    ).toEqual(new Set(['TND']))
  })

  it('a visit that was free has its invoice and neither money nor entries', () => {
    const books = booksOf(hourly(60, '2026-03-02T08:00:00Z', () => [0]))
    expect(numbersOf(books, 'invoice')).toHaveLength(60)
    for (const table of ['payments', 'tips', 'ledger_lines']) expect(rowsOf(books, table)).toEqual([])
    expect(numbersOf(books, 'credit_note')).toEqual([])
  })

  it('of any visits hold: numbers without gap, entries of nothing, prepayments of nothing', () => {
    const some = fc.array(fc.record({ minutes: fc.nat(600_000), amounts: fc.array(fc.nat(200_000), { minLength: 1, maxLength: 4 }) }), {
      maxLength: 25,
    })
    fc.assert(
      fc.property(some, (drawn) => {
        const from = Date.parse('2026-02-01T00:00:00Z')
        const visits = drawn.map(({ minutes, amounts }, place) => visit(place, new Date(from + minutes * 60_000).toISOString(), amounts))
        const books = booksOf(visits, { now: Date.parse('2030-01-01T00:00:00Z') })
        for (const [key, rows] of Map.groupBy(rowsOf(books, 'documents'), ({ kind, year }) => `${String(kind)} ${String(year)}`))
          expect(
            rows.map(({ number }) => number),
            key,
          ).toEqual(rows.map((_, place) => place + 1))
        expect(sum(rowsOf(books, 'ledger_lines'))).toBe(0)
        expect(sum(of(rowsOf(books, 'ledger_lines'), 'account', 'prepayments'))).toBe(0)
      }),
      { numRuns: 40 },
    )
  })
})

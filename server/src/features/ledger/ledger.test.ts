/** The books: numbers without a gap, seals that show every change, and sums that the database itself refuses when they do not add up. */
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { systemScope } from '#/platform/access.ts'
import { tableRights } from '#/table-rights.ts'
import { type MadeInstitute, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import {
  invoiced,
  issueDocument,
  moveMoney,
  paid,
  paidBack,
  partOf,
  percentOf,
  takeMoney,
  tipped,
  verifyLedgers,
  vatWithin,
} from './service.ts'

const system = systemScope('tests of the ledger')
let t: TestApp
let institute: MadeInstitute
const app = () => t.context.database.db
beforeAll(async () => {
  t = await openTestApp({ at: '2026-12-31T22:30:00Z' })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set('2026-12-31T22:30:00Z')
  institute = await makeInstitute(t.db, { ownerId: (await makeUser(t.db, { role: 'isPro' })).id })
})

const lineOf = (amount: number) => ({
  kind: 'service' as const,
  name: { en: 'Cut' },
  serviceId: institute.services[0] ?? null,
  productId: null,
  memberId: institute.members[0] ?? null,
  memberName: 'Nora',
  quantity: 1,
  amount,
  vatBasisPoints: 2000,
  vat: vatWithin(amount, 2000),
  corrects: null,
})
/** Sells something and breaks off where that is asked. */
const sell = (amount: number, { breaksOff = false } = {}): Promise<void> =>
  changeInstitute(t.context, { instituteId: institute.id, by: system }, async (unit) => {
    const movement = await moveMoney(unit, system.actor, { id: randomUUID(), appointmentId: null, customerId: null })
    await takeMoney(movement, { kind: 'payment', method: 'cash', amount })
    await issueDocument(movement, { kind: 'invoice', corrects: null, reason: null, client: null, lines: [lineOf(amount)] })
    if (breaksOff) throw new Error('broken off')
    unit.record('sale.taken', movement.sale.id, { amount, currency: 'EUR' })
  })
const numbers = async (): Promise<string[]> =>
  (
    await sql<{
      text: string
    }>`select year || '/' || number as text from documents where institute_id = ${institute.id} order by position`.execute(t.db)
  ).rows.map(({ text }) => text)

describe('numbers of documents', () => {
  it('run from one without gap or double while 60 are issued at once and every third is rolled back', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 60 }, (_, place) => sell(100 + place, { breaksOff: place % 3 === 0 })))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(40)
    expect(await numbers()).toEqual(Array.from({ length: 40 }, (_, place) => `2026/${place + 1}`))
    expect(await verifyLedgers(t.db)).toMatchObject({ faults: [] })
  })

  it('begin anew with the year of the institute, which in Paris begins an hour before that of UTC', async () => {
    await sell(100)
    t.clock.set('2026-12-31T23:00:00Z')
    await sell(100)
    expect(await numbers()).toEqual(['2026/1', '2027/1'])
  })
})

describe('a verification of the books', () => {
  it.each([
    ['an amount that was changed', sql`update documents set total = total + 1, vat = vat where number = 2`],
    ['a name that was changed', sql`update document_lines set name = '{"en":"Colour"}'`],
    ['a document that was taken out', sql`delete from document_lines where document_id in (select id from documents where number = 3)`],
    ['a payment nobody posted', sql`update payments set amount = amount + 1`],
    ['a line of the ledger that was changed', sql`update ledger_lines set amount = amount * 2 where account = 'revenue'`],
    ['a number that was lost', sql`update document_series set last = last + 1`],
  ])('sees %s', async (_what, change) => {
    for (const amount of [1200, 3600, 4200]) await sell(amount)
    expect((await verifyLedgers(t.db)).faults).toEqual([])
    const other = await makeInstitute(t.db, { ownerId: (await makeUser(t.db, { role: 'isPro' })).id })
    await change.execute(t.db)
    const { faults } = await verifyLedgers(t.db)
    expect(faults.length).toBeGreaterThan(0)
    expect(faults.every(({ institute: slug }) => slug !== other.slug)).toBe(true)
    await sql`truncate disputes, gift_card_moves, gift_cards, client_package_moves, client_packages, ledger_lines, kept_deposits, fee_payments, tips, payments, document_lines, documents, document_chains, document_series, sales`.execute(
      t.db,
    )
  })
})

describe('the database', () => {
  it('refuses an entry that does not add up, a document that is not its lines, and any change by the product', async () => {
    await sell(1200)
    const { rows } = await sql<{
      id: string
      document: string
    }>`select s.id, d.id as document from sales s join documents d on d.sale_id = s.id where s.institute_id = ${institute.id}`.execute(t.db)
    const [{ id, document } = { id: '', document: '' }] = rows
    const entry = sql`insert into ledger_lines (institute_id, entry, sale_id, at, account, amount, currency) values (${institute.id}, ${randomUUID()}, ${id}, now(), 'cash', 100, 'EUR')`
    await expect(entry.execute(app())).rejects.toThrow('does not add up')
    const line = sql`insert into document_lines (document_id, institute_id, position, kind, name, quantity, amount, vat_basis_points, vat)
      values (${document}, ${institute.id}, 7, 'product', '"Soap"', 1, 100, 2000, 17)`
    await expect(line.execute(app())).rejects.toThrow('are not its total')
    for (const table of tableRights.immutable)
      for (const change of [sql`delete from ${sql.table(table)}`, sql`update ${sql.table(table)} set institute_id = institute_id`])
        await expect(change.execute(app())).rejects.toThrow('permission denied')
  })
})

describe('sums', () => {
  it('of any sale add up: lines are the total, entries are nothing, and parts that go back are the whole', () => {
    const amount = fc.integer({ min: 1, max: 10_000_000 })
    fc.assert(
      fc.property(
        fc.array(fc.record({ amount, rate: fc.constantFrom(0, 550, 810, 1000, 1900, 2000, 2100) }), { minLength: 1, maxLength: 12 }),
        fc.integer({ min: 1, max: 100 }),
        amount,
        (sold, percent, tip) => {
          const lines = sold.map((one) => ({ amount: one.amount, vat: vatWithin(one.amount, one.rate) }))
          const services = lines.reduce((sum, one) => sum + one.amount, 0)
          const discount = -percentOf(services, percent)
          const all = [...lines, { amount: discount, vat: vatWithin(discount, 2000) }]
          const total = all.reduce((sum, one) => sum + one.amount, 0)
          const vat = all.reduce((sum, one) => sum + one.vat, 0)
          expect(total).toBeGreaterThanOrEqual(0)
          for (const postings of [invoiced({ total, vat }), paid('card', total + tip), paidBack('cash', total), tipped(tip)])
            expect(postings.reduce((sum, one) => sum + one.amount, 0)).toBe(0)
          for (const line of lines) {
            expect(Math.abs(line.vat)).toBeLessThanOrEqual(Math.abs(line.amount))
            const first = Math.ceil(line.amount / 3)
            const one = partOf(line, { amount: 0, vat: 0 }, first)
            const rest = line.amount - first
            if (rest > 0) expect(one + partOf(line, { amount: first, vat: one }, rest)).toBe(line.vat)
          }
        },
      ),
    )
  })
})

/** Packages of sessions: sold to a client who is known, used visit by visit, undone, given back, gone at the end of their last day, and never twice. */
import type { Sale } from '@soigne/contract/sales'
import type { ClientPackage, OwnPackage, ServicePackage } from '@soigne/contract/vouchers'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import { bookVisit, refused, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const base = '/api/v1/secure/mysalon'
let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
let anna: string
beforeAll(async () => {
  t = await openTestApp({ at: '2026-12-05T08:00:00Z' })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set('2026-12-05T08:00:00Z')
  owner = await makeUser(t.db, { role: 'isPro' })
  const services = [
    { name: 'Cut', active: 40, price: 4200 },
    { name: 'Colour', active: 40, price: 9000 },
  ]
  institute = await makeInstitute(t.db, { ownerId: owner.id, services })
  anna = await client('Anna')
})
afterEach(async () => {
  expect((await verifyLedgers(t.db)).faults).toEqual([])
})

const ask = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: object): Promise<TestAnswer> =>
  t.inject(method, base + path, { token: owner.token, ...(body && { body }) })
async function told<T>(answer: Promise<TestAnswer>, status = 201): Promise<T> {
  const { status: got, text, body } = await answer
  if (got !== status) throw new Error(`${got} ${text}`)
  return body as T
}
const client = async (firstName: string): Promise<string> =>
  (await told<{ _id: string }>(ask('POST', '/customers', { firstName, email: `${firstName}-${crypto.randomUUID()}@test.test` })))._id
const cash = (amount: number) => ({ method: 'cash', amount })
const define = (more: object = {}): Promise<ServicePackage> => {
  const body = { name: 'Five cuts', sessions: 5, months: 6, price: 17_333, serviceIds: institute.services.slice(0, 1), ...more }
  return told<ServicePackage>(ask('POST', '/packages', body))
}
const sell = (lines: object[], payments: object[], customerId: string | undefined = anna) =>
  ask('POST', '/sales', { lines, payments, ...(customerId && { customerId }) })
const held = async (of = anna): Promise<ClientPackage[]> =>
  (await told<{ items: ClientPackage[] }>(ask('GET', `/customers/${of}/packages`), 200)).items
async function sold(more: object = {}): Promise<{ sale: Sale; id: string }> {
  const made = await define(more)
  const sale = await told<Sale>(sell([{ packageId: made._id }], [cash(made.price.amount)]))
  return { sale, id: (await held()).find(({ saleId }) => saleId === sale._id)?._id ?? '' }
}
const use = (id: string, more: object = {}, of: string | undefined = anna) =>
  sell([{ serviceId: institute.services[0], fromPackage: id, ...more }], [], of)
const left = async (id: string): Promise<number> => (await held()).find(({ _id }) => _id === id)?.left ?? -1
const accounts = async (): Promise<Record<string, number>> => {
  const { rows } = await sql<{ account: string; amount: string }>`select account, sum(amount) as amount from ledger_lines
    where institute_id = ${institute.id} group by 1 having sum(amount) <> 0`.execute(t.db)
  return Object.fromEntries(rows.map(({ account, amount }) => [account, Number(amount)]))
}
const back = (sale: Sale, body: object = {}) =>
  ask('POST', `/sales/${sale._id}/credit-notes`, { lines: [{ _id: sale.lines[0]?._id }], reason: 'Not as agreed', method: 'cash', ...body })

describe('a package', () => {
  it('is defined with services of the menu, sold until it is archived, and used up afterwards', async () => {
    const made = await define()
    expect(made).toMatchObject({ sessions: 5, months: 6, price: { amount: 17_333 }, services: [{ name: 'Cut' }] })
    const bad = { name: 'x', sessions: 5, months: 6, price: 100 }
    expect(refused(await ask('POST', '/packages', { ...bad, serviceIds: [made._id] }))).toEqual([404, 'not_found'])
    for (const wrong of [{ sessions: 1 }, { months: 0 }, { price: 0 }, { serviceIds: [] }])
      expect(refused(await ask('POST', '/packages', { ...bad, serviceIds: institute.services, ...wrong }))).toEqual([400, 'bad_input'])
    await told(sell([{ packageId: made._id }], [cash(17_333)]))
    expect(await told(ask('DELETE', `/packages/${made._id}`), 200)).toEqual({ items: [] })
    expect(refused(await sell([{ packageId: made._id }], [cash(17_333)]))).toEqual([404, 'not_found'])
    const [mine] = await held()
    expect(mine).toMatchObject({ name: 'Five cuts', sessions: 5, left: 5, validUntil: '2027-06-05', state: 'valid' })
    await told(use(mine?._id ?? ''))
    expect(await left(mine?._id ?? '')).toBe(4)
  })

  it('has its VAT when it is sold to somebody who is known; what is left of it is owed, and earned session by session', async () => {
    const { sale, id } = await sold()
    expect(sale).toMatchObject({ total: { amount: 17_333 }, vat: { amount: 2889 } })
    expect(sale.lines).toMatchObject([{ kind: 'package', name: 'Five cuts, 5 sessions', vatBasisPoints: 2000 }])
    expect(await accounts()).toEqual({ cash: 17_333, vat: -2889, packages: -14_444 })
    const first = await told<Sale>(use(id))
    expect(first).toMatchObject({ total: { amount: 0 }, vat: { amount: 0 }, payments: [] })
    expect(first.lines).toMatchObject([{ name: 'Cut, from the package Five cuts', amount: 0, fromPackage: true }])
    expect(await accounts()).toEqual({ cash: 17_333, vat: -2889, packages: -11_555, revenue: -2889 })
    for (const _ of [2, 3, 4, 5]) await told(use(id))
    expect(refused(await use(id))).toEqual([409, 'more_than_left'])
    expect(await accounts()).toEqual({ cash: 17_333, vat: -2889, revenue: -14_444 })
    expect(await held()).toMatchObject([{ left: 0, state: 'used' }])
    expect(refused(await sell([{ packageId: (await define())._id }], [cash(17_333)], ''))).toEqual([400, 'bad_input'])
  })

  it('pays for a visit of its client beside what else is sold, and for nobody else, nothing else and no other service', async () => {
    const { id } = await sold()
    const services = [0, 1].map((one) => ({ serviceId: institute.services[one], staffId: institute.members[0] }))
    const visit = await told<{ _id: string }>(
      ask('POST', '/appointments', { services, startsAt: wall('2026-12-05T14:00'), customerId: anna }),
    )
    const till = (lines: object[], amount: number) => ask('POST', `/appointments/${visit._id}/till`, { lines, payments: [cash(amount)] })
    expect(refused(await till([{ segment: 0 }, { segment: 1, fromPackage: id }], 4200))).toEqual([400, 'bad_input'])
    const sale = await told<Sale>(till([{ segment: 0, fromPackage: id }, { segment: 1 }], 9000))
    expect(sale).toMatchObject({ status: 'completed', total: { amount: 9000 }, vat: { amount: 1500 } })
    const bruno = await client('Bruno')
    expect(refused(await use(id, {}, bruno))).toEqual([400, 'bad_input'])
    expect(refused(await use(id, {}, ''))).toEqual([400, 'bad_input'])
    expect(refused(await use(id, { amount: 100 }))).toEqual([400, 'bad_input'])
    expect(refused(await sell([{ giftCard: true, amount: 100, fromPackage: id }], [cash(100)]))).toEqual([400, 'bad_input'])
    expect(await left(id)).toBe(4)
  })

  it('never pays for more than it has, however many tills use it at once', async () => {
    const { id } = await sold({ sessions: 2 })
    const answers = await Promise.all(Array.from({ length: 7 }, () => use(id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 201, 409, 409, 409, 409, 409])
    expect(await left(id)).toBe(0)
    const move = sql`insert into client_package_moves (institute_id, client_package_id, kind, sessions, amount, vat, sale_id, at)
      select institute_id, id, 'given_back', -1, 0, 0, sale_id, now() from client_packages where id = ${id}`
    await expect(move.execute(t.db)).rejects.toThrow(/other sessions/)
  })

  it('has a session back when the sale that used it is taken back, once', async () => {
    const { id } = await sold()
    const before = await accounts()
    const visit = await told<Sale>(use(id))
    const note = await told<Sale>(back(visit))
    expect(note.documents[1]).toMatchObject({ kind: 'credit_note', total: 0 })
    expect(note).toMatchObject({ can: { refund: false }, payments: [], sealed: true })
    expect([await left(id), await accounts()]).toEqual([5, before])
    expect(refused(await back(visit))).toEqual([409, 'more_than_left'])
    expect(await left(id)).toBe(5)
  })

  it('is given back for what was not used, whole, with its part of the VAT', async () => {
    const { sale, id } = await sold()
    await told(use(id))
    const used = await told<Sale>(use(id))
    const part = await back(sale, { lines: [{ _id: sale.lines[0]?._id, amount: 100 }] })
    expect(refused(part)).toEqual([409, 'more_than_left'])
    const note = await told<Sale>(back(sale))
    expect(note).toMatchObject({ refunded: { amount: 10_399 }, can: { refund: false } })
    expect(note.lines).toMatchObject([{ refunded: 10_399, spent: 6934 }])
    expect(refused(await use(id))).toEqual([409, 'more_than_left'])
    // One that was used goes back after all: it can be given back too.
    await told(back(used))
    expect(await left(id)).toBe(1)
    await told(back(sale))
    expect(await accounts()).toEqual({ cash: 3467, vat: -578, revenue: -2889 })
  })

  it('ends after its last day, once, and its VAT stays', async () => {
    const { id } = await sold({ months: 1 })
    await told(use(id))
    t.clock.set('2027-01-05T22:00:00Z')
    await t.jobs['end_vouchers']?.({})
    expect(await left(id)).toBe(4)
    t.clock.set('2027-01-06T08:00:00Z')
    expect(refused(await use(id))).toEqual([409, 'voucher_expired'])
    await Promise.all([t.jobs['end_vouchers']?.({}), t.jobs['end_vouchers']?.({})])
    expect(await held()).toMatchObject([{ left: 0, state: 'expired' }])
    expect(await accounts()).toEqual({ cash: 17_333, vat: -2889, revenue: -2889, expired: -11_555 })
  })

  it('is read by its client alone, and stays without the person when their account goes', async () => {
    const salma = await makeUser(t.db, { firstName: 'Salma' })
    await bookVisit(t, salma, institute, { startsAt: '2026-12-05T13:00:00Z' })
    const { rows } = await sql<{ id: string }>`select id from customers where user_id = ${salma.id}`.execute(t.db)
    const theirs = rows[0]?.id ?? ''
    await told(sell([{ packageId: (await define())._id }], [cash(17_333)], theirs))
    const own = (user: MadeUser) => t.inject('GET', '/api/v1/secure/client/packages', { token: user.token })
    const { items } = (await own(salma)).body as unknown as { items: OwnPackage[] }
    expect(items).toMatchObject([{ name: 'Five cuts', left: 5, validUntil: '2027-06-05', services: [{ name: 'Cut' }] }])
    expect((await own(await makeUser(t.db))).body).toEqual({ items: [] })
    await sql`update customers set user_id = null, first_name = '–', last_name = '', email = null where id = ${theirs}`.execute(t.db)
    expect((await own(salma)).body).toEqual({ items: [] })
    expect(await held(theirs)).toMatchObject([{ left: 5 }])
  })
})

/** What the counter takes and what it does not, sale by sale without a visit where that is enough, and what happens when two want the same. */
import type { Product } from '@soigne/contract/products'
import { mostAmount, mostPayments, type Sale, type TillDay } from '@soigne/contract/sales'
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { moveMoney, takeMoney, verifyLedgers } from '#/features/ledger/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { systemScope } from '#/platform/access.ts'
import { detailsOf, refused, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const day = '2026-12-05'
const base = '/api/v1/secure/mysalon'
let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: `${day}T08:00:00Z` })
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  const services = [
    { name: 'Cut', active: 40, price: 4200 },
    { name: 'Advice', active: 40, price: 0 },
    { name: 'Bridal', active: 40, onRequest: true },
  ]
  institute = await makeInstitute(t.db, { ownerId: owner.id, services })
})
afterEach(async () => {
  expect((await verifyLedgers(t.db)).faults).toEqual([])
})

const nora = (): string => institute.members[0] ?? ''
const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, user = owner): Promise<TestAnswer> =>
  t.inject(method, base + path, { token: user.token, ...(body && { body }) })
async function told<T>(answer: Promise<TestAnswer>, status = 201): Promise<T> {
  const { status: got, text, body } = await answer
  if (got !== status) throw new Error(`${got} ${text}`)
  return body as T
}
const cash = (amount: number) => ({ method: 'cash', amount })
const cut = (more: object = {}) => ({ serviceId: institute.services[0], ...more })
const sell = (body: object, user = owner): Promise<TestAnswer> => ask('POST', '/sales', body, user)
const addProduct = (body: object = {}): Promise<Product> =>
  told<Product>(ask('POST', '/products', { name: 'Shampoo', price: 1850, stock: 1, ...body }))
const visit = async (service = 0): Promise<string> => {
  const services = [{ serviceId: institute.services[service], staffId: nora() }]
  const body = { services, startsAt: wall(`${day}T14:00`), customer: { firstName: 'Anna' } }
  return (await told<{ _id: string }>(ask('POST', '/appointments', body)))._id
}
const take = (id: string, body: object): Promise<TestAnswer> => ask('POST', `/appointments/${id}/till`, body)
const many = async (table: 'documents' | 'payments' | 'sales' | 'ledger_lines'): Promise<number> =>
  (await sql`select from ${sql.table(table)} where institute_id = ${institute.id}`.execute(t.db)).rows.length

describe('what is said at the counter', () => {
  it('is refused where it makes no sense, field by field, and nothing is written', async () => {
    const product = await addProduct()
    const paid = { payments: [cash(4200)] }
    const bad: [why: string, body: object][] = [
      ['nothing is sold', { lines: [], ...paid }],
      ['no lines', paid],
      ['a line of nothing', { lines: [{}], ...paid }],
      ['two things in a line', { lines: [cut({ productId: product._id })], ...paid }],
      ['a service of a visit without one', { lines: [{ segment: 0 }], ...paid }],
      ['none of a product', { lines: [{ productId: product._id, quantity: 0 }], payments: [] }],
      ['less than none', { lines: [{ productId: product._id, quantity: -1 }], payments: [] }],
      ['half of one', { lines: [{ productId: product._id, quantity: 0.5 }], payments: [cash(925)] }],
      ['a hundred', { lines: [{ productId: product._id, quantity: 100 }], payments: [cash(185_000)] }],
      ['a price below zero', { lines: [cut({ amount: -1 })], payments: [] }],
      ['a price beyond all', { lines: [cut({ amount: mostAmount + 1 })], payments: [cash(mostAmount)] }],
      ['no percent', { lines: [cut()], discount: { percent: 0 }, ...paid }],
      ['more than all', { lines: [cut()], discount: { percent: 101 }, payments: [] }],
      ['a discount of nothing', { lines: [cut()], discount: { amount: 0 }, ...paid }],
      ['a discount beyond services', { lines: [cut(), { productId: product._id }], discount: { amount: 4201 }, payments: [cash(1849)] }],
      ['a payment of nothing', { lines: [cut()], payments: [cash(4200), cash(0)] }],
      ['a payment below zero', { lines: [cut()], payments: [cash(4300), cash(-100)] }],
      ['a way of paying that a counter has not', { lines: [cut()], payments: [{ method: 'card', amount: 4200 }] }],
      ['more payments than allowed', { lines: [cut()], payments: Array.from({ length: mostPayments + 1 }, () => cash(600)) }],
      ['no payments at all', { lines: [cut()] }],
      ['a tip of nothing', { lines: [cut()], tips: [{ staffId: nora(), amount: 0 }], ...paid }],
      ['a service without a price', { lines: [{ serviceId: institute.services[2] }], payments: [] }],
      ['a text for a number', { lines: [cut({ amount: '4200' })], ...paid }],
    ]
    for (const [why, body] of bad) {
      const answer = await sell(body)
      expect([why, ...refused(answer)]).toEqual([why, 400, 'bad_input'])
      expect(Object.keys(detailsOf(answer)['fields'] ?? {}), why).not.toEqual([])
    }
    for (const line of [{ productId: randomUUID() }, { serviceId: randomUUID() }, cut({ staffId: randomUUID() })])
      expect(refused(await sell({ lines: [line], payments: [cash(4200)] }))).toEqual([404, 'not_found'])
    expect(refused(await sell({ lines: [cut()], customerId: randomUUID(), payments: [cash(4200)] }))).toEqual([404, 'not_found'])
    expect([await many('sales'), await many('documents'), await many('payments'), await many('ledger_lines')]).toEqual([0, 0, 0, 0])
    expect((await told<{ items: Product[] }>(ask('GET', '/products'), 200)).items).toMatchObject([{ stock: 1 }])
  })

  it('has its price on request said, another price agreed, and everything given away without a payment', async () => {
    const bridal = await told<Sale>(sell({ lines: [{ serviceId: institute.services[2], amount: 15_000 }], payments: [cash(15_000)] }))
    expect(bridal).toMatchObject({ number: 'F-2026-0001', total: { amount: 15_000 }, vat: { amount: 2500 } })
    const agreed = await told<Sale>(sell({ lines: [cut({ amount: 3999 })], payments: [cash(3999)] }))
    expect(agreed.lines).toMatchObject([{ amount: 3999, vat: 667 }])
    const given = await told<Sale>(sell({ lines: [cut()], discount: { percent: 100 }, payments: [] }))
    expect(given).toMatchObject({ total: { amount: 0 }, vat: { amount: 0 }, number: 'F-2026-0003', payments: [], sealed: true })
    const id = await visit(1)
    expect(await told<Sale>(take(id, { lines: [{ segment: 0 }], payments: [] }))).toMatchObject({ status: 'completed', due: { amount: 0 } })
    expect(await many('payments')).toBe(2)
  })
})

describe('a deposit', () => {
  it('is taken off what is due, stands on the invoice’s sale, and does not count as taken at the counter', async () => {
    const id = await visit()
    const system = systemScope('tests of deposits')
    await changeInstitute(t.context, { instituteId: institute.id, by: system }, async (unit) => {
      const movement = await moveMoney(unit, system.actor, { id, appointmentId: id, customerId: null })
      await takeMoney(movement, { kind: 'deposit', method: 'card', amount: 1500 })
      unit.record('sale.taken', id, { amount: 1500, currency: 'EUR' })
    })
    expect(await told<Sale>(ask('GET', `/appointments/${id}/till`), 200)).toMatchObject({ due: { amount: 2700 }, number: null })
    const whole = await take(id, { lines: [{ segment: 0 }], payments: [cash(4200)] })
    expect([refused(whole), detailsOf(whole)]).toMatchObject([[409, 'amount_differs'], { due: 2700, total: 4200 }])
    const sale = await told<Sale>(take(id, { lines: [{ segment: 0 }], payments: [cash(2700)] }))
    expect(sale).toMatchObject({ total: { amount: 4200 }, paid: { amount: 4200 }, due: { amount: 0 }, methods: ['card', 'cash'] })
    expect(await told<TillDay>(ask('GET', '/sales/till'), 200)).toMatchObject({ cash: 2700, online: 1500, invoiced: 4200 })
  })
})

describe('two at once', () => {
  it('take one visit once: the other is told that it is paid, and no second invoice has a number', async () => {
    const id = await visit()
    const answers = await Promise.all(
      ['cash', 'terminal', 'cash'].map((method) => take(id, { lines: [{ segment: 0 }], payments: [{ method, amount: 4200 }] })),
    )
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    for (const answer of answers.filter(({ status }) => status === 409)) expect(refused(answer)[1]).toBe('wrong_state')
    expect([await many('documents'), await many('payments')]).toEqual([1, 1])
  })

  it('give back no more than was paid, whichever parts they want', async () => {
    const sale = await told<Sale>(sell({ lines: [cut()], payments: [cash(4200)] }))
    const back = (amount: number) =>
      ask('POST', `/sales/${sale._id}/credit-notes`, { lines: [{ _id: sale.lines[0]?._id, amount }], reason: 'Goodwill', method: 'cash' })
    const answers = await Promise.all([2500, 2501, 2502, 2503].map(back))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
    const [gone] = answers.filter(({ status }) => status === 201).map(({ body }) => (body as unknown as Sale).refunded.amount)
    const left = 4200 - (gone ?? 0)
    const more = await back(left + 1)
    expect([refused(more), detailsOf(more)]).toMatchObject([[409, 'more_than_left'], { left }])
    expect(await told<Sale>(back(left))).toMatchObject({ refunded: { amount: 4200 }, paid: { amount: 0 }, can: { refund: false } })
  })

  it('close a day once, with what went back on it taken off what should be in the till', async () => {
    const sale = await told<Sale>(sell({ lines: [cut()], payments: [cash(4200)] }))
    const back = (amount: number, method: string) =>
      ask('POST', `/sales/${sale._id}/credit-notes`, { lines: [{ _id: sale.lines[0]?._id, amount }], reason: 'Goodwill', method })
    await told(back(1200, 'cash'))
    expect(await told<TillDay>(ask('GET', '/sales/till'), 200)).toMatchObject({ cash: 3000, invoiced: 4200, credited: 1200, invoices: 1 })
    expect(refused(await ask('POST', '/sales/till', { day: '2026-12-06', float: 0, counted: 0 }))).toEqual([409, 'wrong_state'])
    const close = () => ask('POST', '/sales/till', { day, float: 10_000, counted: 13_000 })
    const answers = await Promise.all([close(), close(), close()])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    expect(refused(await back(100, 'cash'))).toEqual([409, 'till_closed'])
    // Nothing of it was paid online.
    expect(refused(await back(100, 'card'))).toEqual([409, 'more_than_left'])
    expect(await told<TillDay>(ask('GET', '/sales/till'), 200)).toMatchObject({ cash: 3000, closing: { counted: 13_000, difference: 0 } })
  })
})

describe('products', () => {
  it('keep name, price and VAT on documents when they change or go, and may be fewer than none on the shelf', async () => {
    const product = await addProduct({ vatBasisPoints: 550 })
    const lines = [{ productId: product._id, quantity: 3 }]
    const sale = await told<Sale>(sell({ lines, payments: [cash(5550)] }))
    const stocks = async () => (await told<{ items: Product[] }>(ask('GET', '/products'), 200)).items.map(({ stock }) => stock)
    expect(await stocks()).toEqual([-2])
    await told(ask('PUT', `/products/${product._id}`, { name: 'Conditioner', price: 2000 }), 200)
    expect(await stocks()).toEqual([null])
    const read = async () => (await told<Sale>(ask('GET', `/sales/${sale._id}`), 200)).lines
    const then = [{ name: 'Shampoo', quantity: 3, amount: 5550, vat: 289, vatBasisPoints: 550 }]
    expect(await read()).toMatchObject(then)
    await told(ask('DELETE', `/products/${product._id}`), 200)
    expect(await read()).toMatchObject(then)
    expect(refused(await sell({ lines, payments: [cash(6000)] }))).toEqual([404, 'not_found'])
    expect(refused(await ask('PUT', `/products/${product._id}`, { name: 'Again', price: 1 }))).toEqual([404, 'not_found'])
    expect(refused(await ask('DELETE', `/products/${product._id}`))).toEqual([404, 'not_found'])
  })

  it('are sold by whoever is at reception, and changed by those who may change the menu', async () => {
    const product = await addProduct()
    const reception = await makePerson(t.db, institute.id, 'reception')
    await told(sell({ lines: [{ productId: product._id }], payments: [cash(1850)] }, reception))
    const body = { name: 'Shampoo', price: 1 }
    expect(refused(await ask('POST', '/products', body, reception))).toEqual([403, 'forbidden'])
    expect(refused(await ask('PUT', `/products/${product._id}`, body, reception))).toEqual([403, 'forbidden'])
    expect(refused(await ask('DELETE', `/products/${product._id}`, undefined, reception))).toEqual([403, 'forbidden'])
  })
})

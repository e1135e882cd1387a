/** Money at the counter: what is taken, invoiced, given back and counted, to the cent. */
import type { Sale, TillDay } from '@soigne/contract/sales'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import { detailsOf, refused, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const day = '2026-12-05'
const now = `${day}T08:00:00Z`
const base = '/api/v1/secure/mysalon'

let t: TestApp
let owner: MadeUser
let reception: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  owner = await makeUser(t.db, { role: 'isPro' })
  const services = [
    { name: 'Root colour', active: 30, idle: 40, after: 30, price: 6800 },
    { name: 'Blow-dry', active: 40, price: 3000 },
    { name: 'Cut', active: 40, price: 4200 },
  ]
  institute = await makeInstitute(t.db, { ownerId: owner.id, services })
  reception = await makePerson(t.db, institute.id, 'reception')
})

const [nora, karim] = [() => institute.members[0] ?? '', () => institute.members[1] ?? '']
const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, user = owner, key?: string): Promise<TestAnswer> =>
  t.inject(method, base + path, { token: user.token, ...(body && { body }), ...(key && { headers: { 'idempotency-key': key } }) })
async function told<T>(answer: Promise<TestAnswer>, status = 201): Promise<T> {
  const { status: got, text, body } = await answer
  if (got !== status) throw new Error(`${got} ${text}`)
  return body as T
}
const visit = async (services: [number, string][], time: string, customer: object | undefined = { firstName: 'Anna' }): Promise<string> =>
  (
    await told<{ _id: string }>(
      ask('POST', '/appointments', {
        services: services.map(([one, staffId]) => ({ serviceId: institute.services[one], staffId })),
        startsAt: wall(`${day}T${time}`),
        ...(customer && { customer }),
      }),
    )
  )._id
const take = (id: string, body: object, user = owner, key?: string): Promise<TestAnswer> =>
  ask('POST', `/appointments/${id}/till`, body, user, key)
const cash = (amount: number) => ({ method: 'cash', amount })
const terminal = (amount: number) => ({ method: 'terminal', amount })
const booksHold = async (): Promise<void> => {
  expect((await verifyLedgers(t.db)).faults).toEqual([])
}

describe('a visit is paid at the counter [P-10] [E-10]', () => {
  it('has services, a product, a discount on services, tips by member and two ways of paying, to the cent', async () => {
    const id = await visit(
      [
        [0, nora()],
        [1, karim()],
      ],
      '14:00',
    )
    const shampoo = await told<{ _id: string }>(ask('POST', '/products', { name: 'Shampoo', price: 1850, stock: 4 }))
    const before = await told<Sale>(ask('GET', `/appointments/${id}/till`, undefined, reception), 200)
    expect(before).toMatchObject({
      status: 'pending',
      due: { amount: 9800 },
      number: null,
      sealed: null,
      can: { take: true, refund: false },
    })
    const sale = await told<Sale>(
      take(
        id,
        {
          lines: [{ segment: 0 }, { segment: 1 }, { productId: shampoo._id }],
          discount: { percent: 10, reason: 'Regular' },
          tips: [
            { staffId: nora(), amount: 500 },
            { staffId: karim(), amount: 300 },
          ],
          payments: [cash(5000), terminal(6470)],
        },
        reception,
      ),
    )
    expect(sale).toMatchObject({
      number: 'F-2026-0001',
      status: 'completed',
      total: { amount: 10_670 },
      vat: { amount: 1778 },
      paid: { amount: 10_670 },
      due: { amount: 0 },
      sealed: true,
      client: { name: 'Anna' },
      methods: ['cash', 'terminal'],
      can: { take: false, refund: false },
    })
    expect(sale.lines.map(({ amount, vat }) => [amount, vat])).toEqual([
      [6800, 1133],
      [3000, 500],
      [1850, 308],
      [-980, -163],
    ])
    expect(sale.tips).toMatchObject([{ staffId: nora(), amount: 500 }, { amount: 300 }])
    const products = await told<{ items: { stock: number }[] }>(ask('GET', '/products'), 200)
    expect(products.items).toMatchObject([{ stock: 3 }])
    const shown = await told<{ status: string }>(ask('GET', `/diary/visits/${id}`), 200).catch(() => null)
    if (shown) expect(JSON.stringify(shown)).toContain('completed')
    await booksHold()
  })

  it('is refused to the cent where the sums differ, twice, when cancelled and over a price on request, and nothing is written', async () => {
    const id = await visit([[2, nora()]], '14:00')
    const lines = [{ segment: 0 }]
    const wrong = await take(id, { lines, payments: [cash(4100)] })
    expect(refused(wrong)).toEqual([409, 'amount_differs'])
    expect(detailsOf(wrong)).toMatchObject({ due: 4200, total: 4200 })
    expect(refused(await take(id, { lines: [{ segment: 0 }, { segment: 0 }], payments: [cash(8400)] }))).toEqual([400, 'bad_input'])
    expect(refused(await take(id, { lines, tips: [{ staffId: institute.services[0] ?? '', amount: 1 }], payments: [cash(4201)] }))[0]).toBe(
      404,
    )
    const { rows } =
      await sql`select from documents where institute_id = ${institute.id} union all select from payments where institute_id = ${institute.id}
      union all select from ledger_lines where institute_id = ${institute.id} union all select from document_series where institute_id = ${institute.id}`.execute(
        t.db,
      )
    expect(rows).toHaveLength(0)
    await told(take(id, { lines, payments: [cash(4200)] }))
    expect(refused(await take(id, { lines, payments: [cash(4200)] }))).toEqual([409, 'wrong_state'])
    const other = await visit([[2, karim()]], '14:00')
    await told(ask('PUT', `/appointments/${other}/cancel`, {}), 200)
    expect(refused(await take(other, { lines, payments: [cash(4200)] }))).toEqual([409, 'wrong_state'])
    await booksHold()
  })

  it('is taken once for one key, however often it is sent at a time', async () => {
    const id = await visit([[2, nora()]], '14:00')
    const body = { lines: [{ segment: 0 }], payments: [terminal(4200)] }
    const answers = await Promise.all(Array.from({ length: 6 }, () => take(id, body, owner, 'one-key-of-the-till')))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(answers.map(({ body: said }) => said)).toEqual(answers.map(() => answers[0]?.body))
    expect(answers[0]?.body).toMatchObject({ number: 'F-2026-0001', paid: { amount: 4200 }, status: 'completed' })
    // Whoever sends it again after the answer was lost reads the same, even when money went back meanwhile.
    const { lines } = await told<Sale>(ask('GET', `/sales/${id}`), 200)
    await told(ask('POST', `/sales/${id}/credit-notes`, { lines: [{ _id: lines[0]?._id }], reason: 'Not as agreed', method: 'terminal' }))
    const again = await take(id, body, owner, 'one-key-of-the-till')
    expect([again.status, again.body]).toEqual([201, answers[0]?.body])
    const { rows } = await sql<{ kind: string }>`select kind from payments where sale_id = ${id} order by at, kind`.execute(t.db)
    expect(rows.map(({ kind }) => kind)).toEqual(['payment', 'refund'])
  })
})

describe('money goes back by a credit note', () => {
  it('takes a line back with its part of the VAT and the discount, its product to the shelf, and never more than is left', async () => {
    const shampoo = await told<{ _id: string }>(ask('POST', '/products', { name: 'Shampoo', price: 1850, stock: 4 }))
    const id = await visit(
      [
        [0, nora()],
        [1, karim()],
      ],
      '14:00',
    )
    const lines = [{ segment: 0 }, { segment: 1 }, { productId: shampoo._id }]
    const paid = await told<Sale>(take(id, { lines, discount: { amount: 980 }, payments: [terminal(10_670)] }))
    const lineOf = (place: number) => paid.lines[place]?._id ?? ''
    const back = (body: object, user = owner) =>
      ask('POST', `/sales/${id}/credit-notes`, { reason: 'Not as agreed', method: 'terminal', ...body }, user)
    expect(refused(await back({ lines: [{ _id: lineOf(2) }] }, reception))).toEqual([403, 'forbidden'])
    const first = await told<Sale>(back({ lines: [{ _id: lineOf(2) }] }))
    expect(first.documents[1]).toMatchObject({ number: 'A-2026-0001', total: -1850, vat: -308, reason: 'Not as agreed' })
    expect(first).toMatchObject({
      total: { amount: 10_670 },
      paid: { amount: 8820 },
      refunded: { amount: 1850 },
      sealed: true,
      status: 'completed',
    })
    expect((await told<{ items: object[] }>(ask('GET', '/products'), 200)).items).toMatchObject([{ stock: 4 }])
    expect(refused(await back({ lines: [{ _id: lineOf(2) }] }))).toEqual([409, 'more_than_left'])
    // A part of the colour, then all that is left of both services: the discount goes back with them.
    const part = await told<Sale>(back({ lines: [{ _id: lineOf(0), amount: 1000 }] }))
    expect(part.documents[2]?.total).toBe(-900)
    const rest = await told<Sale>(back({ lines: [{ _id: lineOf(0) }, { _id: lineOf(1) }] }))
    expect(rest).toMatchObject({ refunded: { amount: 10_670 }, paid: { amount: 0 }, can: { refund: false } })
    expect(rest.documents.reduce((sum, { vat }) => sum + vat, 0)).toBe(0)
    await booksHold()
  })
})

describe('a credit note that is sent more than once [P-10]', () => {
  it('is one note and one refund for one key, at once and later, and its answer is the same each time', async () => {
    const shampoo = await told<{ _id: string }>(ask('POST', '/products', { name: 'Shampoo', price: 1850, stock: 4 }))
    const id = await visit(
      [
        [0, nora()],
        [1, karim()],
      ],
      '14:00',
    )
    const lines = [{ segment: 0 }, { segment: 1 }, { productId: shampoo._id }]
    const paid = await told<Sale>(take(id, { lines, discount: { amount: 980 }, payments: [terminal(10_670)] }))
    const body = { lines: [{ _id: paid.lines[2]?._id }], reason: 'Shampoo back', method: 'terminal' }
    const back = (asked: object, key: string) => ask('POST', `/sales/${id}/credit-notes`, asked, owner, key)
    const answers = await Promise.all([back(body, 'one-key-of-a-note'), back(body, 'one-key-of-a-note')])
    // Meanwhile something else of the sale goes back: what was answered stays what it was.
    await told(back({ ...body, lines: [{ _id: paid.lines[0]?._id, amount: 1000 }] }, 'another-note'))
    t.clock.set('2026-12-05T09:30:00Z')
    answers.push(await back(body, 'one-key-of-a-note'))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
    expect(answers.map(({ body: said }) => said)).toEqual(answers.map(() => answers[0]?.body))
    const [said] = answers.map((answer) => answer.body as unknown as Sale)
    expect(said?.documents.map(({ total, vat }) => [total, vat])).toEqual([
      [10_670, 1778],
      [-1850, -308],
    ])
    expect(said).toMatchObject({ total: { amount: 10_670 }, paid: { amount: 8820 }, refunded: { amount: 1850 }, sealed: true })
    const { rows } = await sql<{
      amount: number
    }>`select amount from payments where sale_id = ${id} and kind = 'refund' order by at, id`.execute(t.db)
    expect(rows.map(({ amount }) => Number(amount)).toSorted((a, b) => b - a)).toEqual([1850, 900])
    expect((await told<{ items: object[] }>(ask('GET', '/products'), 200)).items).toMatchObject([{ stock: 4 }])
    // Another wish under a key that was used is refused.
    expect(refused(await back({ ...body, reason: 'Something else' }, 'one-key-of-a-note'))[0]).toBe(409)
    await booksHold()
  })
})

describe('the till of a day [K-03]', () => {
  it('has what was taken, is closed once with the difference explained, and stays as it is', async () => {
    await told(ask('POST', '/sales', { lines: [{ serviceId: institute.services[2], staffId: nora() }], payments: [cash(4200)] }, reception))
    const id = await visit([[1, karim()]], '14:00', undefined)
    await told(take(id, { lines: [{ segment: 0 }], tips: [{ staffId: karim(), amount: 200 }], payments: [terminal(3200)] }))
    const open = await told<TillDay>(ask('GET', '/sales/till', undefined, reception), 200)
    expect(open).toMatchObject({
      day,
      cash: 4200,
      terminal: 3200,
      online: 0,
      tips: 200,
      invoices: 2,
      invoiced: 7200,
      vat: 1200,
      closing: null,
    })
    const close = (body: object) => ask('POST', '/sales/till', { day, float: 15_000, ...body }, reception)
    const differs = await close({ counted: 19_100 })
    expect(refused(differs)).toEqual([422, 'reason_needed'])
    expect(detailsOf(differs)).toMatchObject({ difference: -100 })
    const closed = await told<TillDay>(close({ counted: 19_100, reason: 'A coin fell behind the desk' }))
    expect(closed.closing).toMatchObject({ float: 15_000, counted: 19_100, difference: -100 })
    expect(refused(await close({ counted: 19_200 }))).toEqual([409, 'till_closed'])
    const late = await visit([[2, nora()]], '14:00')
    expect(refused(await take(late, { lines: [{ segment: 0 }], payments: [cash(4200)] }))).toEqual([409, 'till_closed'])
    t.clock.set('2026-12-06T09:00:00Z')
    await told(take(late, { lines: [{ segment: 0 }], payments: [cash(4200)] }))
    await booksHold()
  })
})

/** The list of sales and what a period comes to, the file of an accountant, and what clients read of it. */
import type { Dashboard } from '@soigne/contract/dashboard'
import type { Sale } from '@soigne/contract/sales'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, refused, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const today = '2026-12-05'
const base = '/api/v1/secure/mysalon'

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: `${today}T08:00:00Z` })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(`${today}T08:00:00Z`)
  owner = await makeUser(t.db, { role: 'isPro' })
  const services = [
    { name: 'Cut', active: 40, price: 4200 },
    { name: 'Manicure', active: 40, price: 3801 },
  ]
  institute = await makeInstitute(t.db, { ownerId: owner.id, services })
})

interface Listed {
  items: Sale[]
  total: number
  totals: Record<string, never> & {
    taken: { amount: number }
    before: { amount: number } | null
    due: { amount: number }
    payments: number
  }
}
const [nora, karim] = [() => institute.members[0] ?? '', () => institute.members[1] ?? '']
const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object, user = owner): Promise<TestAnswer> =>
  t.inject(method, base + path, { token: user.token, ...(body && { body }) })
async function told<T>(answer: Promise<TestAnswer>, status = 201): Promise<T> {
  const { status: got, text, body } = await answer
  if (got !== status) throw new Error(`${got} ${text}`)
  return body as T
}
const visit = async (service: number, staffId: string, startsAt: string, firstName = 'Anna'): Promise<string> => {
  const services = [{ serviceId: institute.services[service], staffId }]
  return (await told<{ _id: string }>(ask('POST', '/appointments', { services, startsAt, customer: { firstName } })))._id
}
const take = (id: string, amount: number, method = 'cash') =>
  told<Sale>(ask('POST', `/appointments/${id}/till`, { lines: [{ segment: 0 }], payments: [{ method, amount }] }))
const list = (query = '') => told<Listed>(ask('GET', `/sales?${query}`), 200)
const idsOf = async (query: string): Promise<string[]> => (await list(query)).items.map(({ _id }) => _id)

describe('sales of a period [P-10] [K-03]', () => {
  it('has what was paid and what is to come, by each of the six periods, and compares with the week before until the same hour', async () => {
    t.clock.set('2026-11-28T08:00:00Z')
    const before = await visit(0, nora(), wall('2026-11-28T12:00'))
    t.clock.set('2026-11-28T12:00:00Z')
    await take(before, 4200)
    t.clock.set('2026-12-04T08:00:00Z')
    const yesterday = await visit(1, karim(), wall('2026-12-04T10:00'))
    await take(yesterday, 3801, 'terminal')
    t.clock.set(`${today}T08:00:00Z`)
    const [paid, open, gone] = [
      await visit(0, nora(), wall(`${today}T10:00`)),
      await visit(1, karim(), wall(`${today}T11:00`)),
      await visit(0, karim(), wall(`${today}T15:00`)),
    ]
    await take(paid, 4200)
    await told(ask('PUT', `/appointments/${gone}/cancel`, {}), 200)
    const day = await list()
    expect(day.items.map(({ _id, status }) => [_id, status])).toEqual([
      [gone, 'cancelled'],
      [open, 'pending'],
      [paid, 'completed'],
    ])
    expect(day.totals).toMatchObject({
      taken: { amount: 4200 },
      payments: 1,
      due: { amount: 3801 },
      cancelled: { amount: 4200, visits: 1 },
      methods: [{ method: 'cash', amount: 4200 }],
      // Last Saturday nothing was paid before noon.
      before: { amount: 0 },
    })
    t.clock.set(`${today}T13:00:00Z`)
    expect((await list()).totals.before).toMatchObject({ amount: 4200 })
    expect(await idsOf('period=yesterday')).toEqual([yesterday])
    expect((await list('period=last7days')).total).toBe(4)
    expect((await list('period=thisMonth')).totals.taken.amount).toBe(8001)
    expect((await list('period=lastMonth')).totals).toMatchObject({ taken: { amount: 4200 }, before: { amount: 0 } })
    expect((await list('period=allTime')).totals).toMatchObject({ taken: { amount: 12_201 }, before: null })
  })

  it('is narrowed by status, way of paying, member and words, and comes in pages [K-01] [E-10] [E-11]', async () => {
    const [cut, nails] = [await visit(0, nora(), wall(`${today}T10:00`), 'Hélène'), await visit(1, karim(), wall(`${today}T11:00`), 'Paul')]
    await take(cut, 4200, 'terminal')
    expect(await idsOf('status=completed')).toEqual([cut])
    expect(await idsOf('status=pending')).toEqual([nails])
    expect(await idsOf('method=terminal')).toEqual([cut])
    expect(await idsOf('method=card')).toEqual([])
    expect(await idsOf(`staff=${karim()}`)).toEqual([nails])
    expect(await idsOf('what=helene')).toEqual([cut])
    expect(await idsOf('what=manic')).toEqual([nails])
    expect(await idsOf('what=f-2026-0001')).toEqual([cut])
    expect(await idsOf('what=nobody%25')).toEqual([])
    const other = await makeInstitute(t.db, { ownerId: (await makeUser(t.db, { role: 'isPro' })).id })
    expect(refused(await ask('GET', `/sales?staff=${other.members[0]}`))).toEqual([404, 'not_found'])
    for (const [place, hour] of [9, 10, 11, 12, 13, 14, 15, 16, 17].entries())
      await visit(0, place % 2 === 0 ? nora() : karim(), wall(`2026-12-07T${String(hour).padStart(2, '0')}:00`))
    t.clock.set('2026-12-07T08:00:00Z')
    const week = await list('period=last7days&pageSize=10&page=2')
    expect([week.items.length, week.total]).toEqual([1, 11])
    expect(refused(await ask('GET', '/sales?pageSize=11'))).toEqual([400, 'bad_input'])
  })

  it('are those that are over and not paid in full, which the first page counts for who sees money', async () => {
    const toDo = async (user = owner) => (await told<Dashboard>(ask('GET', '/dashboard', undefined, user), 200)).toDo.unpaid
    const [paid, due, missed] = [
      await visit(0, nora(), wall(`${today}T09:00`)),
      await visit(0, nora(), wall(`${today}T10:00`), 'Paul'),
      await visit(0, nora(), wall(`${today}T11:00`), 'Rémi'),
    ]
    const coming = await visit(1, karim(), wall(`${today}T17:00`), 'Léa')
    t.clock.set(`${today}T12:00:00Z`)
    await sql`update appointments set attendance = 'no_show' where id = ${missed}`.execute(t.db)
    // Where no money was ever taken, nobody misses it.
    expect([await toDo(), await idsOf('due=true')]).toEqual([0, [due, paid]])
    await take(paid, 4200)
    expect([await toDo(), await idsOf('due=true')]).toEqual([1, [due]])
    await sql`update appointments set attendance = 'done' where id = ${coming}`.execute(t.db)
    expect([await toDo(), await idsOf('due=true'), await idsOf('due=true&period=yesterday')]).toEqual([2, [coming, due], []])
    expect((await ask('GET', '/sales?due=perhaps')).status).toBe(400)
  })

  it('are counted by the first page for a week, and for today alone at the desk, which takes money and sees no sums', async () => {
    t.clock.set('2026-12-04T08:00:00Z')
    await visit(0, nora(), wall('2026-12-04T10:00'))
    t.clock.set(`${today}T08:00:00Z`)
    const paid = await visit(0, nora(), wall(`${today}T10:00`))
    await visit(1, karim(), wall(`${today}T11:00`), 'Paul')
    await visit(1, karim(), wall(`${today}T17:00`), 'Léa')
    t.clock.set(`${today}T12:00:00Z`)
    await take(paid, 4200)
    const answers = await Promise.all(
      (['manager', 'reception', 'staff'] as const).map(async (level) =>
        ask('GET', '/dashboard', undefined, await makePerson(t.db, institute.id, level)),
      ),
    )
    const seen = [await ask('GET', '/dashboard'), ...answers].map(({ status, body }) => {
      const { toDo, revenue } = body as Partial<Dashboard>
      return [status, toDo?.unpaid ?? null, revenue?.week.amount ?? null]
    })
    // Staff have the first page of their own visits, without any of it.
    expect(seen).toEqual([
      [200, 2, 12_201],
      [200, 2, 12_201],
      [200, 1, null],
      [403, null, null],
    ])
  })

  it('is a file for an accountant: rows that add up to the cent, and no cell is a formula', async () => {
    const first = await take(await visit(1, nora(), wall(`${today}T10:00`), '=cmd()'), 3801)
    await take(await visit(1, karim(), wall(`${today}T11:00`)), 3801, 'terminal')
    const back = { lines: [{ _id: first.lines[0]?._id, amount: 1000 }], reason: 'One nail lifted', method: 'cash' }
    await told(ask('POST', `/sales/${first._id}/credit-notes`, back))
    const { text, headers } = await ask('GET', '/sales/export.csv?period=today')
    expect(String(headers['content-type'])).toContain('text/csv')
    const [, ...rows] = text.trim().split('\r\n')
    const cells = rows.map((row) => row.slice(1, -1).split('","'))
    expect(cells.map(([number]) => number)).toEqual(['F-2026-0001', 'F-2026-0002', 'A-2026-0001'])
    expect(cells[0]?.[3]).toBe("'=cmd()")
    const sum = (place: number): number => Math.round(cells.reduce((all, row) => all + Number(row[place]?.replace("'", '')) * 100, 0))
    expect([sum(7), sum(9), sum(10)]).toEqual([6602 - 1101, 1101, 6602])
  })

  it('is for those who may read sales, and not even there for anybody else', async () => {
    const { _id } = await take(await visit(0, nora(), wall(`${today}T10:00`)), 4200)
    const reception = await makePerson(t.db, institute.id, 'reception')
    expect(refused(await ask('GET', '/sales', undefined, reception))).toEqual([403, 'forbidden'])
    const stranger = await makeUser(t.db, { role: 'isPro' })
    await makeInstitute(t.db, { ownerId: stranger.id })
    expect(refused(await ask('GET', `/sales/${_id}`, undefined, stranger))).toEqual([404, 'not_found'])
    expect(refused(await ask('GET', `/sales/${_id}/invoice.pdf`, undefined, stranger))).toEqual([404, 'not_found'])
  })
})

describe('what a client reads of a visit', () => {
  it('has what was paid, given back and is left, and the invoice; of nobody else', async () => {
    const client = await makeUser(t.db)
    const { _id } = await bookVisit(t, client, institute, { startsAt: wall(`${today}T14:00`) })
    const own = (path: string, user = client) => t.inject('GET', `/api/v1/secure/appointments/${_id}/${path}`, { token: user.token })
    expect((await own('payments')).body).toMatchObject({ total: { amount: 4200 }, due: { amount: 4200 }, payments: [], documents: [] })
    expect(refused(await own('invoice.pdf'))).toEqual([404, 'not_found'])
    await take(_id, 4200)
    expect((await own('payments')).body).toMatchObject({
      due: { amount: 0 },
      payments: [{ method: 'cash', amount: 4200, kind: 'payment' }],
      documents: [{ number: 'F-2026-0001', total: 4200 }],
    })
    const pdf = await own('invoice.pdf')
    expect([pdf.status, pdf.text.slice(0, 5)]).toEqual([200, '%PDF-'])
    expect(refused(await own('payments', await makeUser(t.db)))).toEqual([404, 'not_found'])
    const visits = await t.inject('GET', `/api/v1/secure/appointments/${_id}`, { token: client.token })
    expect(visits.body).toMatchObject({ status: 'completed' })
  })
})

/** Money of visits that come again: each keeps its own, and what letting go of those that follow gives back is said before. */
import type { Appointment } from '@soigne/contract/appointments'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { sql } from 'kysely'
import { afterEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, later, readVisit, refused, tryCancel, visitsPath, wall } from '#/testing/booking.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, isBalanced, lastCheckout, paidVisit, tells } from '#/testing/paid-visits.ts'
import type { TestAnswer, TestApp } from '#/testing/test-app.ts'

const now = '2027-03-12T11:00:00Z'
const first = wall('2027-03-16T10:00')
const price = 3500
let t: TestApp
let institute: MadeInstitute
let client: MadeUser
eachWithInstitute(
  { at: now, institute: { members: 2, cancelWindow: 1440, rescheduleWindow: 120, horizon: 200 } },
  (world) => ({ t, institute, client } = world),
)
afterEach(async () => {
  await t.drainJobs()
  await isBalanced(t)
})

const weeks = ['2027-03-23', '2027-03-30'].map((day) => wall(`${day}T10:00`))
async function repeated(id: string): Promise<string[]> {
  const answer = await t.inject('POST', `${visitsPath}/${id}/series`, { token: client.token, body: { everyWeeks: 1, startsAt: weeks } })
  expect(answer.status, answer.text).toBe(200)
  return (answer.body as unknown as Answer<Calls['makeSeries']>).made.map(({ _id }) => _id)
}
const read = async (id: string): Promise<Answer<Calls['series']>> =>
  (await t.inject('GET', `${visitsPath}/${id}/series`, { token: client.token })).body as unknown as Answer<Calls['series']>
const cancelFrom = (id: string): Promise<TestAnswer> => t.inject('PUT', `${visitsPath}/${id}/series/cancel`, { token: client.token })
async function pay(id: string): Promise<void> {
  const answer = await t.inject('POST', `${visitsPath}/${id}/payments`, { token: client.token, body: {} })
  expect(answer.status, answer.text).toBe(201)
  await tells(t, await lastCheckout(t, id), 'paid')
  expect((await readVisit(t, client, id)).status).toBe('completed')
}
const refundsOf = async (ids: readonly string[]) =>
  (
    await sql<{
      id: string
      amount: number
    }>`select appointment_id as id, amount from refunds where appointment_id = any(${ids}::uuid[]) order by made_at, amount`.execute(t.db)
  ).rows
const keptOf = async (ids: readonly string[]) =>
  (
    await sql<{ id: string; amount: number }>`select sale_id as id, amount from kept_deposits where sale_id = any(${ids}::uuid[])`.execute(
      t.db,
    )
  ).rows
const letter = async (kind: string): Promise<string> => (await t.mails(client.email)).find((mail) => mail.kind === kind)?.text ?? ''
const euros = (amount: number) => ({ amount, currency: 'EUR' })
const book = (): Promise<Appointment> => bookVisit(t, client, institute, { startsAt: first, lines: [[0, 0]] })

describe('a series of which some was paid', () => {
  it('is let go for what was said before, each by what was paid of it, and its letter says the sum', async () => {
    await asksFor(t, institute, 'none')
    const { _id: id } = await book()
    const [second = '', third = ''] = await repeated(id)
    for (const one of [id, third]) await pay(one)
    expect((await read(second)).rest).toEqual({ count: 2, startsAt: weeks[0], late: 0, refunded: euros(price), sessions: 0 })
    expect((await read(id)).rest).toEqual({ count: 3, startsAt: first, late: 0, refunded: euros(2 * price), sessions: 0 })
    expect((await cancelFrom(id)).status).toBe(200)
    await t.drainJobs()
    expect(await refundsOf([id, second, third])).toEqual([
      { id, amount: price },
      { id: third, amount: price },
    ])
    expect(await letter('series_cancelled')).toContain('€70 goes back to you the way you paid.')
    expect((await read(id)).rest).toEqual({ count: 0, startsAt: null, late: 0, refunded: euros(0), sessions: 0 })
  })

  it('with a session and with cash: what goes back and what is settled at the salon is said before, and in its letter', async () => {
    const owner = await makeUser(t.db, { role: 'isPro' })
    institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, cancelWindow: 1440, horizon: 200 })
    const desk = (path: string, body: object) => t.inject('POST', `/api/v1/secure/mysalon${path}`, { token: owner.token, body })
    const { _id: id } = await book()
    const [second = '', third = ''] = await repeated(id)
    const { rows } = await sql<{ id: string }>`select customer_id as id from appointments where id = ${id}`.execute(t.db)
    const fields = { name: 'Three', sessions: 3, months: 6, price: 9000, serviceIds: institute.services.slice(0, 1) }
    const { body: sold } = await desk('/packages', fields)
    const lines = [{ packageId: sold['_id'] }]
    await desk('/sales', { lines, payments: [{ method: 'cash', amount: 9000 }], customerId: rows[0]?.id })
    const held = (await sql<{ id: string }>`select id from client_packages where institute_id = ${institute.id}`.execute(t.db)).rows[0]?.id
    for (const [one, body] of [
      [second, { lines: [{ segment: 0, fromPackage: held }], payments: [] }],
      [third, { lines: [{ segment: 0 }], payments: [{ method: 'cash', amount: price }] }],
    ] as const)
      expect((await desk(`/appointments/${one}/till`, body)).status).toBe(201)
    const rest = { count: 3, startsAt: first, late: 0, refunded: euros(0), atSalon: euros(price), sessions: 1 }
    expect((await read(id)).rest).toEqual(rest)
    expect((await cancelFrom(id)).status).toBe(200)
    await t.drainJobs()
    const told = await letter('series_cancelled')
    expect(told).toContain('The €35 you paid is settled at the salon')
    expect(told).toContain('The session is back on Three.')
    const left = await sql`select sum(sessions)::int as left from client_package_moves where client_package_id = ${held}`.execute(t.db)
    expect(left.rows).toEqual([{ left: 3 }])
  })

  it('keeps the deposit of a visit with that visit: late it stays in the series, and is left by itself', async () => {
    await asksFor(t, institute, 'fixed', 1500)
    const id = await paidVisit(t, client, institute, { startsAt: first, lines: [[0, 0]] })
    await asksFor(t, institute, 'none')
    const [second = '', third = ''] = await repeated(id)
    await pay(second)
    t.clock.set(later(first, -600))
    // It may be left for its deposit, by itself alone.
    expect(await readVisit(t, client, id)).toMatchObject({ canCancel: true })
    expect((await read(id)).rest).toEqual({ count: 2, startsAt: weeks[0], late: 1, refunded: euros(price), sessions: 0 })
    const answer = await cancelFrom(id)
    const told = answer.body as unknown as Answer<Calls['cancelSeries']>
    expect([told.cancelled.map(({ _id }) => _id), told.kept.map(({ _id }) => _id)]).toEqual([[second, third], [id]])
    expect([await refundsOf([id, second, third]), await keptOf([id])]).toEqual([[{ id: second, amount: price }], []])
    await cancelled(t, client, id)
    expect([await refundsOf([id]), await keptOf([id])]).toEqual([[], [{ id, amount: 1500 }]])
  })

  it('let go twice at once, or with one of its visits, gives back once', async () => {
    await asksFor(t, institute, 'none')
    const { _id: id } = await book()
    const [second = '', third = ''] = await repeated(id)
    for (const one of [id, second, third]) await pay(one)
    const answers = await Promise.all([cancelFrom(id), tryCancel(t, client, second), cancelFrom(id)])
    expect(answers.some(({ status }) => status === 200)).toBe(true)
    expect((await refundsOf([id, second, third])).map(({ amount }) => amount)).toEqual([price, price, price])
  })
})

describe('a visit that is paid for first', () => {
  it.each([
    ['its service', () => sql`update services set deposit_kind = 'fixed', deposit_amount = 900 where institute_id = ${institute.id}`],
    ['its client', () => sql`update customers set pays_first = 'all' where institute_id = ${institute.id}`],
  ])('is not repeated where %s needs the deposit, and says why', async (_who, rule) => {
    await asksFor(t, institute, 'none')
    const { _id: id } = await book()
    await rule().execute(t.db)
    const answer = await t.inject('GET', `${visitsPath}/${id}/series/plan?everyWeeks=1&times=3`, { token: client.token })
    expect(refused(answer)).toEqual([422, 'deposit_needed'])
    expect(answer.body['message']).toBe('These visits need a payment when they are booked, so book them one at a time.')
  })
})

describe('whom the institute books no more', () => {
  it('may always let go of what follows', async () => {
    await asksFor(t, institute, 'none')
    const { _id: id } = await book()
    const [second = ''] = await repeated(id)
    await sql`update customers set blocked_at = now() where institute_id = ${institute.id}`.execute(t.db)
    expect((await cancelFrom(second)).status).toBe(200)
    expect(refused(await cancelFrom(second))).toEqual([409, 'wrong_state'])
    expect(refused(await t.inject('PUT', `${visitsPath}/${id}/series/cancel`, { token: (await makeUser(t.db)).token }))).toEqual([
      404,
      'not_found',
    ])
  })
})

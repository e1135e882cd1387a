/** One service of a visit is let go while the others stay. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, later, readVisit, refused, tryHold, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, charges, isBalanced, paidVisit } from '#/testing/paid-visits.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
const own = '/api/v1/secure/appointments'
const salons = '/api/v1/secure/mysalon/appointments'

let t: TestApp
let owner: MadeUser
let client: MadeUser
let salon: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  owner = await makeUser(t.db, { role: 'isPro' })
  client = await makeUser(t.db)
  salon = await makeInstitute(t.db, {
    ownerId: owner.id,
    members: 2,
    cancelWindow: 1440,
    rescheduleWindow: 120,
    services: [
      { name: 'Gel manicure', active: 60, price: 3800 },
      { name: 'Hand massage', active: 20, price: 1400 },
      { name: 'Polish', active: 20, price: 1000 },
    ],
  })
})

type Lines = [number, number][]
const manicureAndMassage: Lines = [
  [0, 0],
  [1, 0],
]
const of = (place: number, segment = place) => ({ segment, serviceId: salon.services[place] ?? '' })
const remove = (id: string, service: object, { token } = client, at = own): Promise<TestAnswer> =>
  t.inject('PUT', `${at}/${id}/removal`, { token, body: service })
async function look(id: string, service: { segment: number; serviceId: string }, { token } = client, at = own): Promise<TestAnswer> {
  return t.inject('GET', `${at}/${id}/removal?segment=${service.segment}&serviceId=${service.serviceId}`, { token })
}
const isFree = async (startsAt: string, lines: Lines): Promise<boolean> =>
  (await tryHold(t, await makeUser(t.db), salon, { startsAt, lines })).status === 201
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await t.drainJobs()
  await isBalanced(t)
}
async function returned(id: string): Promise<unknown[]> {
  const { rows } = await sql`select amount, reason, state from refunds where appointment_id = ${id} order by made_at`.execute(t.db)
  return rows
}

describe('a service of a visit', () => {
  it('is let go by its client: the others stay, its share of the deposit goes back, both sides are told', async () => {
    await asksFor(t, salon, 'fixed', 1500)
    const id = await paidVisit(t, client, salon, { startsAt: ten, lines: manicureAndMassage })
    const seen = await readVisit(t, client, id)
    expect([seen.total.amount, seen.canRemoveService]).toEqual([5200, true])
    // 14.00 of 52.00 of 15.00 are 4.04.
    const plan = await look(id, of(1))
    expect(plan.body).toEqual({
      startsAt: ten,
      endsAt: later(ten, 60),
      total: { amount: 3800, currency: 'EUR' },
      refunded: { amount: 404, currency: 'EUR' },
    })
    expect((await readVisit(t, client, id)).segments).toHaveLength(2)
    const { status, body, text } = await remove(id, of(1))
    expect(status, text).toBe(200)
    expect(body).toMatchObject({ status: 'deposit_paid', startsAt: ten, endsAt: later(ten, 60), total: { amount: 3800 } })
    expect(body['canRemoveService']).toBeUndefined()
    await settled()
    expect(await returned(id)).toEqual([{ amount: 404, reason: 'service_removed', state: 'done' }])
    expect(await isFree(later(ten, 60), [[1, 0]])).toBe(true)
    const [letter] = (await t.mails(client.email)).filter(({ kind }) => kind === 'visit_shortened')
    expect(letter?.text).toMatch(/Hand massage is no longer part of your visit\.[^]*€4\.04 goes back to you[^]*Gel manicure/)
    expect((await t.mails(owner.email)).map(({ kind }) => kind)).toContain('institute_visit_shortened')
    // What is left of the deposit follows the terms as ever.
    await cancelled(t, client, id)
    await settled()
    expect(await returned(id)).toEqual([
      { amount: 404, reason: 'service_removed', state: 'done' },
      { amount: 1096, reason: 'cancelled_by_client', state: 'done' },
    ])
  })

  it('that came first leaves a visit that begins later; one in the middle draws the last nearer', async () => {
    const first = await bookVisit(t, client, salon, { startsAt: ten, lines: manicureAndMassage })
    expect((await remove(first._id, of(0))).body).toMatchObject({
      startsAt: later(ten, 60),
      endsAt: later(ten, 80),
      total: { amount: 1400 },
    })
    expect(await isFree(ten, [[0, 0]])).toBe(true)
    const three: Lines = [
      [0, 1],
      [1, 1],
      [2, 1],
    ]
    const middle = await bookVisit(t, client, salon, { startsAt: ten, lines: three })
    const { body } = await remove(middle._id, of(1))
    expect(
      (body['segments'] as unknown as { serviceName: string; startsAt: string }[]).map((one) => [one.serviceName, one.startsAt]),
    ).toEqual([
      ['Gel manicure', ten],
      ['Polish', later(ten, 60)],
    ])
    // And once more, of the places as they are now.
    expect((await remove(middle._id, of(2, 1))).body).toMatchObject({ endsAt: later(ten, 60), total: { amount: 3800 } })
    expect(refused(await remove(middle._id, of(0)))).toEqual([409, 'wrong_state'])
  })

  it('keeps its deposit and its fees in proportion, to the minor unit, however many go', async () => {
    await asksFor(t, salon, 'percent', 30)
    await charges(t, salon, { late: { percent: 50 } })
    await asksFor(t, salon, 'percent', 30)
    const id = await paidVisit(t, client, salon, {
      startsAt: ten,
      lines: [
        [0, 0],
        [1, 0],
        [2, 0],
      ],
    })
    const sums = async (): Promise<unknown> =>
      (
        await sql`select a.total_amount as total, a.deposit_amount as deposit, f.late_amount as late from appointments a join fee_terms f on f.appointment_id = a.id where a.id = ${id}`.execute(
          t.db,
        )
      ).rows[0]
    expect(await sums()).toEqual({ total: 6200, deposit: 1860, late: 3100 })
    await remove(id, of(2))
    expect(await sums()).toEqual({ total: 5200, deposit: 1560, late: 2600 })
    await remove(id, of(1))
    expect(await sums()).toEqual({ total: 3800, deposit: 1140, late: 1900 })
    await settled()
    expect(await returned(id)).toMatchObject([{ amount: 300 }, { amount: 420 }])
  })

  it('is kept after the free window, at the last of a visit, when all is paid, and where another is meant', async () => {
    await asksFor(t, salon, 'fixed', 1500)
    const whole = await paidVisit(t, client, salon, { startsAt: ten, lines: manicureAndMassage, pay: 'all' })
    expect((await readVisit(t, client, whole)).canRemoveService).toBeUndefined()
    expect(refused(await remove(whole, of(1)))).toEqual([409, 'wrong_state'])
    const id = await paidVisit(t, client, salon, {
      startsAt: ten,
      lines: [
        [0, 1],
        [1, 1],
      ],
    })
    expect(refused(await remove(id, of(0, 1)))).toEqual([404, 'not_found'])
    expect(refused(await remove(id, of(1), await makeUser(t.db)))).toEqual([404, 'not_found'])
    t.clock.set(wall('2026-11-23T10:01'))
    expect((await readVisit(t, client, id)).canRemoveService).toBeUndefined()
    expect(refused(await look(id, of(1)))).toEqual([422, 'too_late'])
    expect(refused(await remove(id, of(1)))).toEqual([422, 'too_late'])
    expect(await returned(id)).toEqual([])
    await isBalanced(t)
  })

  it('is taken out by the institute until the visit begins, with the share back; an older screen is told', async () => {
    await asksFor(t, salon, 'fixed', 1500)
    const id = await paidVisit(t, client, salon, { startsAt: ten, lines: manicureAndMassage })
    t.clock.set(wall('2026-11-24T09:30'))
    const { version } = (await t.inject('GET', `${salons}/${id}`, { token: owner.token })).body as unknown as { version: number }
    expect((await look(id, of(1), owner, salons)).body['refunded']).toEqual({ amount: 404, currency: 'EUR' })
    const done = await remove(id, { ...of(1), version }, owner, salons)
    expect(done.status, done.text).toBe(200)
    expect(done.body).toMatchObject({ endsAt: later(ten, 60), total: { amount: 3800 } })
    expect(refused(await remove(id, { ...of(0), version }, owner, salons))).toEqual([409, 'changed_meanwhile'])
    await settled()
    expect(await returned(id)).toEqual([{ amount: 404, reason: 'service_removed', state: 'done' }])
    t.clock.set(later(ten, 1))
    expect(refused(await remove(id, of(0), owner, salons))).toEqual([409, 'wrong_state'])
  })

  it('sent twice under one key is let go once', async () => {
    const { _id: id } = await bookVisit(t, client, salon, { startsAt: ten, lines: manicureAndMassage })
    const twice = () =>
      t.inject('PUT', `${own}/${id}/removal`, { token: client.token, body: of(0), headers: { 'idempotency-key': 'remove-once' } })
    const [one, other] = await Promise.all([twice(), twice()])
    expect([one.status, other.status, other.text]).toEqual([200, 200, one.text])
    expect((await readVisit(t, client, id)).segments.map(({ serviceName }) => serviceName)).toEqual(['Hand massage'])
  })
})

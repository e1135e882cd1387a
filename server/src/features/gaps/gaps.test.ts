/** Gaps over HTTP: what is shown, who is offered one, what is refused, and the sum of what the gap rule kept. */
import { instituteHeader } from '@soigne/contract/access'
import type { Gaps } from '@soigne/contract/gaps'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, moved, overlaps, refused, tryHold, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
/** Friday, noon in Paris. */
const start = '2026-11-20T11:00:00Z'
const saturday = '2026-11-21'
const on = (time: string): string => wall(`${saturday}T${time}`)
beforeAll(async () => {
  t = await openTestApp({ at: start })
})
afterAll(() => t.close())
let owner: MadeUser
let client: MadeUser
let institute: MadeInstitute
beforeEach(async () => {
  t.clock.set(start)
  client = await makeUser(t.db)
  institute = await made()
})

const path = '/api/v1/secure/mysalon/gaps'
/** One chair from nine to six on a grid of twenty minutes. */
async function made(more: Parameters<typeof makeInstitute>[1] = {}): Promise<MadeInstitute> {
  owner = await makeUser(t.db, { role: 'isPro' })
  return makeInstitute(t.db, {
    ownerId: owner.id,
    members: 1,
    grid: 20,
    services: [
      { name: 'Cut', active: 40 },
      { name: 'Colour', active: 120 },
    ],
    ...more,
  })
}
const read = async (user = owner): Promise<Gaps> => {
  const { status, body, text } = await t.inject('GET', path, { token: user.token })
  if (status !== 200) throw new Error(text)
  return body as unknown as Gaps
}
const book = (time: string, line: [number] = [0], user = client) => bookVisit(t, user, institute, { startsAt: on(time), lines: [line] })
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await t.drainJobs()
}
const join = async (user: MadeUser, more: object = {}): Promise<string> => {
  const { status, body, text } = await t.inject('POST', '/api/v1/secure/waiting', {
    token: user.token,
    body: { instituteId: institute.id, services: [{ serviceId: institute.services[0] }], fromDay: saturday, toDay: saturday, ...more },
  })
  if (status !== 201) throw new Error(text)
  t.clock.set(t.clock.now() + 1000)
  return String(body['_id'])
}
const offer = (from: string, to: string, user = owner, more: object = {}) =>
  t.inject('POST', `${path}/offers`, {
    token: user.token,
    body: { staffId: institute.members[0], startsAt: on(from), endsAt: on(to), ...more },
  })
const heldFor = async (user: MadeUser): Promise<string | null> => {
  const { body } = await t.inject('GET', '/api/v1/secure/waiting', { token: user.token })
  return (body['items'] as unknown as { offer: { startsAt: string } | null }[])[0]?.offer?.startsAt ?? null
}
/** Ten to twelve is free between two visits. */
const withGap = async () => {
  await book('09:20')
  await book('12:00')
}

describe('gaps', () => {
  it('are told with what fits, and who waits for that, by a short name', async () => {
    await withGap()
    await join(await makeUser(t.db, { firstName: 'Rosa' }))
    await join(await makeUser(t.db, { firstName: 'Lou' }), { part: 'evening' })
    const { items, isNight, more, kept } = await read()
    expect(items).toEqual([
      {
        member: expect.objectContaining({ _id: institute.members[0] }),
        startsAt: on('10:00'),
        endsAt: on('12:00'),
        services: ['Colour', 'Cut'],
        moreServices: 0,
        waiting: [{ name: 'Rosa B.', services: ['Cut'] }],
        moreWaiting: 0,
      },
    ])
    expect([isNight, more, kept]).toEqual([false, 0, null])
    expect(await heldFor(client)).toBe(null)
  })

  it('are told first where somebody waits for them', async () => {
    await withGap()
    await book('15:00')
    await join(await makeUser(t.db, { firstName: 'Rosa' }), { part: 'afternoon' })
    const { items } = await read()
    expect(items.map(({ startsAt, waiting }) => [startsAt, waiting.length])).toEqual([
      [on('12:40'), 1],
      [on('10:00'), 0],
    ])
  })

  it('are none where nothing fits, nor before the first and after the last, nor of what is not published', async () => {
    await book('09:20')
    expect((await read()).items).toEqual([])
    await book('10:20')
    expect((await read()).items).toEqual([])
    await book('11:40')
    expect((await read()).items).toMatchObject([{ startsAt: on('11:00'), services: ['Cut'], waiting: [] }])
    await sql`update institutes set state = 'suspended' where id = ${institute.id}`.execute(t.db)
    expect((await read()).items).toEqual([])
  })

  it('are of one institute alone', async () => {
    await withGap()
    const other = await makeUser(t.db, { role: 'isPro' })
    await makeInstitute(t.db, { ownerId: other.id })
    expect((await read(other)).items).toEqual([])
    expect((await t.inject('GET', path, { token: other.token, headers: { [instituteHeader]: institute.id } })).status).toBe(404)
    const staff = await makePerson(t.db, institute.id, 'staff')
    expect((await t.inject('GET', path, { token: staff.token })).status).toBe(403)
  })
})

describe('a gap that is offered', () => {
  it('is held for the first who fits and for the next in what is left, and taken it is a visit', async () => {
    await withGap()
    const [rosa, lou, mia] = [await makeUser(t.db, { firstName: 'Rosa' }), await makeUser(t.db), await makeUser(t.db)]
    const entry = await join(rosa)
    await join(lou)
    await join(mia, { services: [{ serviceId: institute.services[1] }] })
    const { status, body } = await offer('10:00', '12:00')
    expect(status).toBe(200)
    expect(body['offers']).toMatchObject([{ name: 'Rosa B.', startsAt: on('10:00') }, { startsAt: on('10:40') }])
    expect([await heldFor(rosa), await heldFor(lou), await heldFor(mia)]).toEqual([on('10:00'), on('10:40'), null])
    await settle()
    expect((await t.mails(rosa.email)).map(({ kind }) => kind)).toContain('waiting_offer')
    expect(refused(await tryHold(t, client, institute, { startsAt: on('10:00') }))).toEqual([409, 'slot_taken'])
    const taken = await t.inject('PUT', `/api/v1/secure/waiting/${entry}/accept`, { token: rosa.token })
    expect(taken.status).toBe(200)
    expect(await overlaps(t.db)).toBe(0)
  })

  it('goes on to the next when it is let pass', async () => {
    await withGap()
    const [first, second] = [await makeUser(t.db), await makeUser(t.db)]
    const entry = await join(first, { services: [{ serviceId: institute.services[1] }] })
    await join(second, { services: [{ serviceId: institute.services[1] }] })
    await offer('10:00', '12:00')
    expect([await heldFor(first), await heldFor(second)]).toEqual([on('10:00'), null])
    await t.inject('PUT', `/api/v1/secure/waiting/${entry}/decline`, { token: first.token })
    await settle()
    expect([await heldFor(first), await heldFor(second)]).toEqual([null, on('10:00')])
  })

  it('is of its member: somebody who wants a colleague is passed over, and whom another had is not asked', async () => {
    institute = await made({ members: 2 })
    const [ana, bea] = institute.members
    for (const time of ['09:20', '12:00']) await bookVisit(t, client, institute, { startsAt: on(time), lines: [[0, 0]] })
    const [wantsBea, anybody] = [await makeUser(t.db), await makeUser(t.db)]
    await join(wantsBea, { services: [{ serviceId: institute.services[0], staffId: bea }] })
    await join(anybody)
    expect((await read()).items).toMatchObject([{ member: { _id: ana }, waiting: [{}] }])
    expect((await offer('10:00', '12:00')).status).toBe(200)
    expect([await heldFor(wantsBea), await heldFor(anybody)]).toEqual([null, on('10:00')])
    const { rows } = await sql<{ member: string; cart: object[] }>`select s.member_id as member, a.cart from appointments a
      join segments s on s.appointment_id = a.id where a.user_id = ${anybody.id}`.execute(t.db)
    // What they wished for stays: anybody.
    expect(rows).toEqual([{ member: ana, cart: [{ serviceId: institute.services[0] }] }])
  })

  it('keeps apart from what a person does elsewhere', async () => {
    await withGap()
    const elsewhere = await makeInstitute(t.db)
    const busy = await makeUser(t.db)
    await bookVisit(t, busy, elsewhere, { startsAt: on('10:00'), lines: [[1]] })
    await join(busy)
    const { body } = await offer('10:00', '12:00')
    expect(body['offers']).toMatchObject([{ startsAt: on('11:00') }])
  })

  it('is refused clearly: taken meanwhile, nobody fits, night, or no gap at all', async () => {
    await withGap()
    expect(refused(await offer('10:00', '12:00'))).toEqual([409, 'nobody_waits'])
    await join(await makeUser(t.db))
    expect(refused(await offer('09:20', '10:00'))).toEqual([409, 'gap_taken'])
    expect(refused(await offer('14:00', '15:00'))).toEqual([409, 'gap_taken'])
    expect(refused(await offer('12:00', '10:00'))).toEqual([400, 'bad_input'])
    expect(refused(await offer('10:00', '12:00', owner, { staffId: institute.services[0] }))).toEqual([404, 'not_found'])
    await book('11:20')
    expect(refused(await offer('10:00', '12:00'))).toEqual([409, 'gap_taken'])
    t.clock.set(wall('2026-11-20T22:30'))
    expect((await read()).isNight).toBe(true)
    expect(refused(await offer('10:00', '11:20'))).toEqual([409, 'quiet_hours'])
    t.clock.set(on('10:05'))
    expect((await read()).items).toMatchObject([{ startsAt: on('10:05'), services: ['Cut'], waiting: [{}] }])
    expect((await offer('10:00', '11:20')).body['offers']).toMatchObject([{ startsAt: on('10:40') }])
  })

  it('pressed twice at once is offered once', async () => {
    await withGap()
    const user = await makeUser(t.db)
    await join(user)
    const answers = await Promise.all([offer('10:00', '12:00'), offer('10:00', '12:00'), offer('10:00', '12:00')])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409, 409])
    expect(await overlaps(t.db)).toBe(0)
  })
})

describe('what the gap rule kept', () => {
  beforeEach(async () => {
    institute = await made({ gapPolicy: 'hide' })
  })
  const kept = async () => (await read()).kept

  it('is counted for each start that a client chose, after the booking, as the average of all starts of that day', async () => {
    for (const time of ['09:00', '11:40']) await book(time)
    await settle()
    const before = await kept()
    // From 9:40 to 11:40 five starts, from 12:20 to six sixteen: on each side two of them leave 20 minutes.
    await book('10:20')
    expect(await kept()).toEqual(before)
    await settle()
    const { rows } = await sql<{ starts: number; stranded: number }>`select h.starts, h.stranded_minutes as stranded from hidden_starts h
      join appointments a on a.id = h.appointment_id where a.starts_at = ${on('10:20')} and h.institute_id = ${institute.id}`.execute(t.db)
    expect(rows).toHaveLength(1)
    const { starts = 1, stranded = 0 } = rows[0] ?? {}
    expect([starts, stranded]).toEqual([21, 80])
    const { rows: all } = await sql<{ sum: number }>`select sum(stranded_minutes::float8 / starts) as sum from hidden_starts
      where institute_id = ${institute.id}`.execute(t.db)
    expect(await kept()).toEqual({ minutes: Math.round(all[0]?.sum ?? 0), bookings: (before?.bookings ?? 0) + 1 })
    await settle()
    expect((await kept())?.bookings).toBe((before?.bookings ?? 0) + 1)
  })

  it('counts neither what the institute books, nor offers, nor what was cancelled, and begins anew on Monday', async () => {
    await book('12:00')
    await settle()
    const one = await kept()
    expect(one?.bookings).toBe(1)
    const phone = await t.inject('POST', '/api/v1/secure/mysalon/appointments', {
      token: owner.token,
      headers: { 'idempotency-key': 'by-phone' },
      body: {
        services: [{ serviceId: institute.services[0], staffId: institute.members[0] }],
        startsAt: on('10:20'),
        customer: { firstName: 'Zoé' },
      },
    })
    expect(phone.status, phone.text).toBe(201)
    await settle()
    expect(await kept()).toEqual(one)
    const visit = await book('14:00')
    await settle()
    expect((await kept())?.bookings).toBe(2)
    await moved(t, client, visit._id, on('15:00'))
    await settle()
    expect((await kept())?.bookings).toBe(2)
    await cancelled(t, client, visit._id)
    expect(await kept()).toEqual(one)
    t.clock.set(wall('2026-11-23T09:00'))
    expect(await kept()).toEqual({ minutes: 0, bookings: 0 })
  })

  it('is not told where starts are not hidden, and nothing is written there', async () => {
    institute = await made({ gapPolicy: 'rank' })
    await withGap()
    await book('10:40')
    await settle()
    expect(await kept()).toBe(null)
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from hidden_starts where institute_id = ${institute.id}`.execute(
      t.db,
    )
    expect(rows[0]?.n).toBe(0)
  })
})

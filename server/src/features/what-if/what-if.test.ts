/** Searches as they are kept, and the last eight weeks asked again under other rules, over HTTP. */
import { instituteHeader } from '@soigne/contract/access'
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import type { WhatIf } from '@soigne/contract/what-if'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { searchLog } from '#/features/time-searches/service.ts'
import { bookVisit, cancelled, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
/** Friday, noon in Paris. */
const start = '2026-11-20T11:00:00Z'
const [friday, saturday] = ['2026-11-20', '2026-11-21']
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
  owner = await makeUser(t.db, { role: 'isPro' })
  // One chair, nine to six, Monday to Saturday.
  const services = [{ name: 'Cut', active: 40 }]
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, grid: 20, notice: 60, horizon: 30, services })
})

const search = (query: string, token?: string) =>
  t.inject('GET', `/api/v1/client/institutes/${institute.id}/availability?service=${institute.services[0]}&${query}`, {
    ...(token !== undefined && { token }),
  })
const kept = async () => {
  await searchLog(t.context).flush()
  const { rows } = await sql<object>`select * from time_searches where institute_id = ${institute.id} order by id`.execute(t.db)
  return rows
}
const settings = async () =>
  (await t.inject('GET', '/api/v1/secure/mysalon/institute', { token: owner.token })).body as unknown as InstituteSettings
const ask = (body: object, user = owner, headers = {}) =>
  t.inject('POST', '/api/v1/secure/mysalon/what-if', { token: user.token, body, headers })
const whatIf = async (change: Partial<InstituteSettings['rules']> = {}, more: object = {}): Promise<WhatIf> => {
  await searchLog(t.context).flush()
  const { status, body, text } = await ask({ rules: { ...(await settings()).rules, ...change }, ...more })
  if (status !== 200) throw new Error(text)
  return body as unknown as WhatIf
}
const reasonsOf = ({ reasons }: { reasons: { reason: string; count: number }[] }) =>
  Object.fromEntries(reasons.map(({ reason, count }) => [reason, count]))
const book = (day: string, time: string) => bookVisit(t, client, institute, { startsAt: wall(`${day}T${time}`) })

describe('what people look for', () => {
  it('is kept with what was asked and found, and with nothing of who asked', async () => {
    await search(`from=${saturday}&days=2&staff=${institute.members[0]}`, client.token)
    await search('from=2027-02-01&days=1')
    const rows = await kept()
    expect(rows).toEqual([
      expect.objectContaining({ cart: [{ serviceId: institute.services[0], staffId: institute.members[0] }], days: 2, found: 26 }),
      expect.objectContaining({ cart: [{ serviceId: institute.services[0] }], days: 1, found: 0 }),
    ])
    expect(rows.map((row) => Object.keys(row).toSorted())).toEqual(
      Array(2).fill(['asked_at', 'cart', 'days', 'found', 'from_day', 'id', 'institute_id']),
    )
    expect(JSON.stringify(rows)).not.toContain(client.id)
  })

  it('counts the same question once in half an hour, and nothing that is refused', async () => {
    for (let n = 0; n < 3; n++) await search(`from=${saturday}&days=1`)
    expect(await kept()).toHaveLength(1)
    t.clock.set(t.clock.now() + 31 * 60_000)
    await search(`from=${saturday}&days=1`)
    expect(await kept()).toHaveLength(2)
    const nobody = '019b0000-0000-7000-8000-000000000000'
    expect((await search(`from=${saturday}&days=1&staff=${nobody}`)).status).toBe(404)
    expect(await kept()).toHaveLength(2)
  })

  it('is kept 300 times an hour of one institute, whatever is asked', async () => {
    const log = searchLog(t.context)
    const now = t.clock.now()
    const note = (n: number, at: number) =>
      log.note({ instituteId: institute.id, askedAt: start, cart: [{ serviceId: `${n}` }], fromDay: saturday, days: 1, found: 0 }, at)
    for (let n = 0; n < 310; n++) note(n, now)
    expect(await kept()).toHaveLength(300)
    note(310, now + 3_600_000)
    expect(await kept()).toHaveLength(301)
  })

  it('is forgotten after 60 days', async () => {
    await search(`from=${saturday}&days=1`)
    expect(await kept()).toHaveLength(1)
    t.clock.set(Date.parse(start) + 59 * 86_400_000)
    await t.jobs['tidy_time_searches']?.({})
    expect(await kept()).toHaveLength(1)
    t.clock.set(Date.parse(start) + 61 * 86_400_000)
    await t.jobs['tidy_time_searches']?.({})
    expect(await kept()).toHaveLength(0)
  })

  it('is answered where it cannot be written', async () => {
    await sql`alter table time_searches rename to time_searches_away`.execute(t.db)
    try {
      expect((await search(`from=${saturday}&days=1`)).status).toBe(200)
      await searchLog(t.context).flush()
    } finally {
      await sql`alter table time_searches_away rename to time_searches`.execute(t.db)
    }
    expect((await search(`from=${saturday}&days=3`)).status).toBe(200)
    expect(await kept()).toHaveLength(1)
  })
})

describe('what if', () => {
  it('loses bookings to each rule, with the reason, and none to the rules as they are', async () => {
    await book(friday, '14:00')
    await book(saturday, '10:20')
    await cancelled(t, client, (await book('2026-12-10', '11:00'))._id)
    const none = await whatIf()
    expect(none.bookings).toEqual({ total: 3, replayed: 3, counted: 3, lost: { count: 0, reasons: [], examples: [] } })
    expect((await whatIf({ noticeMinutes: 180 })).bookings.lost).toEqual({
      count: 1,
      reasons: [{ reason: 'notice', count: 1 }],
      examples: [{ askedAt: expect.any(String), startsAt: wall(`${friday}T14:00`), services: ['Cut'], reason: 'notice' }],
    })
    expect(reasonsOf((await whatIf({ horizonDays: 10 })).bookings.lost)).toEqual({ horizon: 1 })
    expect(reasonsOf((await whatIf({ gridMinutes: 60 })).bookings.lost)).toEqual({ grid: 1 })
    const { openingHours } = await settings()
    const closed = openingHours.map((one) => (one.weekday === 'Saturday' ? { ...one, ranges: [] } : one))
    expect(reasonsOf((await whatIf({}, { openingHours: closed })).bookings.lost)).toEqual({ hours: 1 })
    expect((await settings()).openingHours).toEqual(openingHours)
  })

  it('counts no booking of the institute itself, and a start taken meanwhile as it was when it was chosen', async () => {
    await book(saturday, '10:00')
    t.clock.set(Date.parse(start) + 60_000)
    await book(saturday, '10:40')
    await sql`update appointments set made_by = 'institute' where institute_id = ${institute.id} and starts_at = ${wall(`${saturday}T10:40`)}`.execute(
      t.db,
    )
    const { bookings } = await whatIf({ gridMinutes: 30 })
    expect([bookings.total, bookings.counted, bookings.lost.count]).toEqual([1, 1, 0])
  })

  it('wins searches that found nothing, and loses those that would find nothing', async () => {
    t.clock.set(Date.parse('2026-11-20T15:40:00Z'))
    await search(`from=${friday}&days=1`)
    await search('from=2026-12-24&days=1')
    await search('from=2027-02-01&days=1')
    await search(`from=${saturday}&days=1`)
    const asIs = await whatIf()
    expect(asIs.searches).toMatchObject({ total: 4, counted: 4, foundNothing: 3, won: { count: 0 }, lost: { count: 0 } })
    const open = await whatIf({ noticeMinutes: 0, horizonDays: 60 })
    expect(reasonsOf(open.searches.won)).toEqual({ notice: 1, horizon: 1 })
    expect(open.searches.won.examples[0]).toMatchObject({ startsAt: wall(`${friday}T16:40`), services: ['Cut'] })
    const strict = await whatIf({ noticeMinutes: 2880 })
    expect(reasonsOf(strict.searches.lost)).toEqual({ notice: 1 })
    expect(strict.searches.won.count).toBe(0)
  })

  it('is asked on the diary of then: what was booked later does not take away what was found', async () => {
    await search(`from=${saturday}&days=1`)
    t.clock.set(Date.parse(start) + 3_600_000)
    for (let at = 0; at < 13; at++)
      await book(saturday, `${String(9 + Math.floor((at * 40) / 60)).padStart(2, '0')}:${at % 3 === 0 ? '00' : at % 3 === 1 ? '40' : '20'}`)
    expect((await whatIf()).searches).toMatchObject({ counted: 1, foundNothing: 0 })
  })

  it('looks back on eight weeks, and at one institute alone', async () => {
    await search(`from=${saturday}&days=1`)
    await book(saturday, '10:00')
    t.clock.set(Date.parse(start) + 57 * 86_400_000)
    const { bookings, searches } = await whatIf()
    expect([bookings.total, searches.total]).toEqual([0, 0])
    t.clock.set(start)
    const other = await makeUser(t.db, { role: 'isPro' })
    await makeInstitute(t.db, { ownerId: other.id })
    expect(((await ask({}, other)).body as unknown as WhatIf).bookings.total).toBe(0)
    expect((await ask({}, other, { [instituteHeader]: institute.id })).status).toBe(404)
    expect((await ask({}, await makePerson(t.db, institute.id, 'staff'))).status).toBe(403)
  })
})

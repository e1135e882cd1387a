/** The first page of the dashboard over HTTP: what it counts, for whom, and until when. */
import type { Dashboard, Figures } from '@soigne/contract/dashboard'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { union } from './occupancy.ts'
import { daysOfPeriod } from './service.ts'

let t: TestApp
let owner: MadeUser
let client: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp()
  client = await makeUser(t.db, { firstName: 'Camille' })
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, {
    ownerId: owner.id,
    services: [
      { name: 'Cut', active: 40, price: 4200 },
      { name: 'Colour', active: 30, idle: 40, after: 30, bufferAfter: 10, price: 6800 },
    ],
  })
})

const path = '/api/v1/secure/mysalon/dashboard'
const read = async (user = owner): Promise<Dashboard> => (await t.inject('GET', path, { token: user.token })).body as unknown as Dashboard
const figures = async (period: string, user = owner): Promise<Figures> =>
  (await t.inject('GET', `${path}/figures?period=${period}`, { token: user.token })).body as unknown as Figures
const book = (text: string, line: [number, number] = [0, 0]) => bookVisit(t, client, institute, { startsAt: wall(text), lines: [line] })
/** A visit as it would be had it been booked that much earlier. */
async function setBack(id: string, days: number, minutes = 0): Promise<void> {
  await sql`update segments set starts_at = starts_at - make_interval(days => ${days}, mins => ${minutes}), ends_at = ends_at - make_interval(days => ${days}, mins => ${minutes}) where appointment_id = ${id}`.execute(
    t.db,
  )
  await sql`update appointments set starts_at = starts_at - make_interval(days => ${days}, mins => ${minutes}), ends_at = ends_at - make_interval(days => ${days}, mins => ${minutes}) where id = ${id}`.execute(
    t.db,
  )
}
const mark = (id: string, attendance: string) => sql`update appointments set attendance = ${attendance} where id = ${id}`.execute(t.db)

describe('today', () => {
  it('counts minutes at work once, without idle parts and no-shows, over the minutes of shifts', async () => {
    const colour = await book('2026-11-20T13:00', [1, 0])
    await book('2026-11-20T13:40', [0, 1])
    const missed = await book('2026-11-20T16:00', [0, 0])
    await mark(missed._id, 'no_show')
    const day = await read()
    expect(day.day).toBe('2026-11-20')
    expect(day.visits.map(({ _id }) => _id)[0]).toBe(colour._id)
    expect(day.noShows).toBe(1)
    const [first, second] = day.occupancy.members
    expect([first?.busyMinutes, second?.busyMinutes]).toEqual([60, 40])
    expect(first?.busy).toHaveLength(2)
    expect(first?.shiftMinutes).toBe(second?.shiftMinutes)
    expect(day.occupancy.busyMinutes).toBe(100)
    expect(
      union([
        { from: 0, to: 40 },
        { from: 20, to: 60 },
      ]),
    ).toEqual([{ from: 0, to: 60 }])
  })

  it('a member who is away has no shift, and neither has anybody on a closed day', async () => {
    await sql`insert into absences (institute_id, member_id, kind, from_day, to_day) values (${institute.id}, ${institute.members[0]}, 'sick_leave', '2026-11-20', '2026-11-20')`.execute(
      t.db,
    )
    expect((await read()).occupancy.members.map(({ shiftMinutes }) => shiftMinutes > 0)).toEqual([false, true])
    await sql`insert into closures (institute_id, from_day, to_day) values (${institute.id}, '2026-11-20', '2026-11-20')`.execute(t.db)
    expect((await read()).occupancy.shiftMinutes).toBe(0)
  })
})

describe('money', () => {
  it('of this week is compared with the week before until the same hour, by visits that are done', async () => {
    // Today is a Friday, noon. Two of last Friday: one before noon, one after.
    const morning = await book('2026-11-20T13:00', [0, 0])
    await setBack(morning._id, 7, 180)
    const evening = await book('2026-11-20T15:00', [0, 0])
    await setBack(evening._id, 7)
    const now = await book('2026-11-20T16:00', [1, 1])
    await setBack(now._id, 1)
    await book('2026-11-20T17:00', [0, 0])
    const { revenue } = await read()
    expect(revenue?.week).toEqual({ amount: 6800, currency: 'EUR' })
    expect(revenue?.weekBefore.amount).toBe(4200)
    expect(revenue?.days).toHaveLength(28)
    expect(revenue?.days.at(-2)).toEqual({ day: '2026-11-19', amount: 6800 })
    expect(revenue?.days.at(-8)).toEqual({ day: '2026-11-13', amount: 8400 })
    expect((await figures('allTime')).revenue?.amount).toBe(15_200)
  })

  it('is compared until the same reading of the clock on the day on which clocks change', async () => {
    const sunday = await book('2026-11-20T13:00', [0, 0])
    // To ten on Sunday 21 March: done by itself at 11:40.
    await setBack(sunday._id, -121, 180)
    const noon = t.clock.now()
    t.clock.set('2027-03-28T10:00:00Z')
    expect((await read()).revenue?.weekBefore.amount).toBe(4200)
    t.clock.set('2027-03-28T09:39:00Z')
    expect((await read()).revenue?.weekBefore.amount).toBe(0)
    t.clock.set(noon)
  })

  it('is for those who may see it, and reviews for those who answer them', async () => {
    const reception = await makePerson(t.db, institute.id, 'reception')
    const day = await read(reception)
    expect([day.revenue, day.toDo.unansweredReviews, day.toDo.unreadChats]).toEqual([null, null, 0])
    expect((await figures('today', reception)).revenue).toBe(null)
    expect((await t.inject('GET', path)).status).toBe(401)
    expect((await t.inject('GET', path, { token: client.token })).status).toBe(403)
    expect((await t.inject('GET', `${path}/figures?period=ever`, { token: owner.token })).status).toBe(400)
  })
})

describe('figures', () => {
  it('[K-03] count the visits of a period by hour of the zone, and the services done most', async () => {
    const done = await book('2026-11-20T14:20', [0, 0])
    await setBack(done._id, 1)
    const missed = await book('2026-11-20T15:00', [0, 0])
    await setBack(missed._id, 1)
    await mark(missed._id, 'no_show')
    const found = await figures('yesterday')
    expect(found).toMatchObject({ fromDay: '2026-11-19', visits: 2, noShows: 1, cancelled: 0, revenue: { amount: 4200, currency: 'EUR' } })
    expect(found.hours).toEqual([
      { weekday: 4, hour: 14, visits: 1 },
      { weekday: 4, hour: 15, visits: 1 },
    ])
    expect(found.services).toEqual([{ _id: institute.services[0], name: 'Cut', visits: 1, revenue: { amount: 4200, currency: 'EUR' } }])
    expect((await figures('today')).visits).toBe(0)
  })

  it('[K-03] know the days of each period', () => {
    const of = (period: Parameters<typeof daysOfPeriod>[0]) => Object.values(daysOfPeriod(period, '2026-03-01', '2024-05-06'))
    expect(of('today')).toEqual(['2026-03-01', '2026-03-01'])
    expect(of('yesterday')).toEqual(['2026-02-28', '2026-02-28'])
    expect(of('last7days')).toEqual(['2026-02-23', '2026-03-01'])
    expect(of('thisMonth')).toEqual(['2026-03-01', '2026-03-01'])
    expect(of('lastMonth')).toEqual(['2026-02-01', '2026-02-28'])
    expect(of('allTime')).toEqual(['2024-05-06', '2026-03-01'])
  })
})

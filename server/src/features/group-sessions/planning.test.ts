/** Classes of a whole term: looked at before they are made, and made together or not at all. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemScope } from '#/platform/access.ts'
import { bookVisit, later, wall } from '#/testing/booking.ts'
import { diaryOf, eventsOf, refusalOf, startsOffered, summaryIsTrue } from '#/testing/diary.ts'
import { type MadeInstitute, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { blockTime, setLeave } from '#/features/diary-entries/service.ts'
import { moveSession, openSession, openSessions, type PlanAsked, planSessions, sessionsOfDays } from './service.ts'

let t: TestApp
let studio: MadeInstitute
const tuesday = wall('2026-11-24T17:30')
const weeks = (n: number, from = tuesday): string => later(from, n * 7 * 24 * 60)

beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  studio = await makeInstitute(t.db, {
    members: 2,
    services: [
      { name: 'Yoga', active: 60, capacity: 3, bufferAfter: 10, resourceType: 'room' },
      { name: 'Massage', active: 60 },
    ],
    resources: [
      { type: 'room', name: 'Studio' },
      { type: 'room', name: 'Loft' },
    ],
  })
})

const ana = (): string => studio.members[0] ?? ''
const plan = (more: Partial<PlanAsked> = {}) =>
  planSessions(t.context, diaryOf(studio), 'en', {
    serviceId: studio.services[0] ?? '',
    memberId: ana(),
    startsAt: tuesday,
    everyWeeks: 1,
    times: 4,
    ...more,
  })
const conflicts = async (more: Partial<PlanAsked> = {}) => (await plan(more)).items.map(({ conflict }) => conflict)
const openAll = (startsAt: string[]) =>
  openSessions(
    t.context,
    { scope: diaryOf(studio), locale: 'en', idempotencyKey: null },
    { serviceId: studio.services[0] ?? '', memberId: ana(), startsAt },
  )

describe('classes that come again', () => {
  it('stand at the same wall hour each week, through a change of the clocks', async () => {
    const found = await plan({ startsAt: wall('2027-03-23T18:30'), times: 2 })
    expect(found.items.map(({ startsAt }) => startsAt)).toEqual([wall('2027-03-23T18:30'), wall('2027-03-30T18:30')])
    expect(found.rooms.map(({ name }) => name)).toEqual(['Studio', 'Loft'])
  })

  it('say of each date what is in its way, and change nothing', async () => {
    const client = await makeUser(t.db)
    await bookVisit(t, client, studio, { startsAt: later(weeks(0), -30), lines: [[1, 0]] })
    await setLeave(t.context, diaryOf(studio), { memberId: ana(), kind: 'on_holiday', fromDay: '2026-12-01', toDay: '2026-12-01' })
    await sql`insert into closures (institute_id, from_day, to_day) values (${studio.id}, '2026-12-08', '2026-12-08')`.execute(t.db)
    const before = (await eventsOf(t.db, studio)).length
    expect(await conflicts()).toEqual([
      'Something else is in the diary at this time.',
      'The chosen person is away.',
      'The institute is closed that day.',
      null,
    ])
    expect((await eventsOf(t.db, studio)).length).toBe(before)
    // Her visit is hers alone: her colleague can.
    expect((await conflicts({ memberId: studio.members[1] ?? '' }))[0]).toBeNull()
  })

  it('are not in the way of themselves, and other things are, in the member’s time and in the room', async () => {
    const [studioRoom, loft] = studio.resources
    const own = await openSession(t.context, diaryOf(studio), {
      serviceId: studio.services[0] ?? '',
      memberId: ana(),
      startsAt: tuesday,
      ...(loft && { resourceId: loft }),
    })
    const there = { startsAt: later(tuesday, 20), times: 1 }
    expect(await conflicts(there)).toEqual(['Something else is in the diary at this time.'])
    expect(await conflicts({ ...there, sessionId: own.id })).toEqual([null])
    expect(await conflicts({ ...there, memberId: studio.members[1] ?? '', resourceId: loft })).toEqual([
      'No room or machine is free at that time.',
    ])
    expect(await conflicts({ ...there, sessionId: own.id, resourceId: loft })).toEqual([null])
    // Moved by a little it keeps its room, though another one is free.
    const moved = await moveSession(t.context, diaryOf(studio), own.id, { startsAt: later(tuesday, 20) })
    expect([moved.resourceId, studioRoom === loft]).toEqual([loft, false])
  })
})

describe('making them', () => {
  it('puts all of them into the diary, each with its seats', async () => {
    const made = await openAll([weeks(0), weeks(1), weeks(3)])
    expect(made.map(({ startsAt, capacity, booked }) => [startsAt, capacity, booked])).toEqual([0, 1, 3].map((n) => [weeks(n), 3, 0]))
    expect(await startsOffered(t, studio, '2026-12-01')).toEqual([weeks(1)])
    expect((await eventsOf(t.db, studio)).map(({ kind }) => kind)).toEqual(['session.opened', 'session.opened', 'session.opened'])
    await summaryIsTrue(t, studio)
  })

  it('makes none where one does not fit, and says what is in the way', async () => {
    const { id } = await blockTime(t.context, diaryOf(studio), {
      subject: { kind: 'member', id: ana() },
      startsAt: weeks(1),
      endsAt: later(weeks(1), 30),
    })
    const refusal = await refusalOf(openAll([weeks(0), weeks(1)]))
    expect([refusal.code, refusal.details]).toMatchObject(['time_taken', { taken: [{ kind: 'blocked', id }] }])
    expect((await refusalOf(openAll([weeks(0), later(weeks(0), 30)]))).code).toBe('time_taken')
    const listed = await sessionsOfDays(t.context, systemScope('test').institute(studio.id), { from: '2026-11-24', days: 28 })
    expect(listed).toEqual([])
  })

  it('makes them once, however often the same request comes', async () => {
    const { token } = await makePerson(t.db, studio.id, 'reception')
    const body = { serviceId: studio.services[0], staffId: ana(), startsAt: [weeks(0), weeks(1)], capacity: 5 }
    const send = () => t.inject('POST', '/api/v1/secure/mysalon/sessions/series', { token, body, headers: { 'idempotency-key': 'term-1' } })
    const [first, again] = [await send(), await send()]
    expect([first.status, again.status]).toEqual([201, 201])
    expect(again.body).toEqual(first.body)
    expect(await sessionsOfDays(t.context, systemScope('test').institute(studio.id), { from: '2026-11-24', days: 28 })).toMatchObject([
      { capacity: 5 },
      { capacity: 5 },
    ])
  })
})

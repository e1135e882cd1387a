import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { systemScope } from '#/platform/access.ts'
import { bookVisit, hold, later, readVisit, refused, tryConfirm, tryHold, wall } from '#/testing/booking.ts'
import { diaryOf, eventsOf, refusalOf, startsOffered, summaryIsTrue, wallOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { blockTime, setLeave } from '#/features/diary-entries/service.ts'
import { cancelSession, moveSession, openSession, resizeSession, type SessionAsked, sessionsOfDays } from './service.ts'

let t: TestApp
let studio: MadeInstitute
let client: MadeUser
const day = '2026-11-24'
const six = wall(`${day}T18:30`)

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
    resources: [{ type: 'room', name: 'Studio' }],
  })
  client = await makeUser(t.db)
})

const ana = (): string => studio.members[0] ?? ''
const open = (startsAt = six, more: Partial<SessionAsked> = {}) =>
  openSession(t.context, diaryOf(studio), { serviceId: studio.services[0] ?? '', memberId: ana(), startsAt, ...more })
const listed = (days: { from: string; days: number }) => sessionsOfDays(t.context, systemScope('test').institute(studio.id), days)
const kinds = async (): Promise<string[]> => (await eventsOf(t.db, studio)).map(({ kind }) => kind)
const lettersOf = async ({ email }: MadeUser): Promise<string[]> => (await t.mails(email)).map(({ kind }) => kind)

describe('a session in the diary', () => {
  it('takes its member and its room with the buffers of its service, once, and is offered at its own time alone', async () => {
    expect(await startsOffered(t, studio, day)).toEqual([])
    const session = await open()
    expect(session).toMatchObject({
      startsAt: six,
      endsAt: later(six, 60),
      capacity: 3,
      booked: 0,
      held: 0,
      resourceId: studio.resources[0],
    })
    for (const subject of [ana(), studio.resources[0] ?? ''])
      expect(await wallOf(t.db, subject)).toEqual([['session', six, later(six, 70)]])
    // After closing time: somebody put it there.
    expect(await startsOffered(t, studio, day)).toEqual([six])
    await summaryIsTrue(t, studio)
    expect(await listed({ from: '2026-11-25', days: 7 })).toEqual([])
    expect(await listed({ from: day, days: 1 })).toEqual([session])
    expect(await eventsOf(t.db, studio)).toMatchObject([
      { kind: 'session.opened', subjectId: session.id, payload: { startsAt: six, capacity: 3 } },
    ])
  })

  it('says how many seats are left wherever its times are asked for', async () => {
    await open()
    await bookVisit(t, client, studio, { startsAt: six })
    const base = `/api/v1/client/institutes/${studio.id}/availability`
    const days = await t.inject('GET', `${base}?service=${studio.services[0]}&from=${day}&days=1`)
    const next = await t.inject('GET', `${base}/next?service=${studio.services[0]}`)
    const time = { startsAt: six, endsAt: later(six, 60), seatsLeft: 2 }
    expect(days.body['days']).toEqual([{ day, times: [time], taken: [] }])
    expect(next.body['times']).toEqual([time])
    const { services } = (await t.inject('GET', `/api/v1/client/institutes/${studio.slug}`)).body as unknown as { services: object[] }
    expect(services).toMatchObject([{ name: 'Yoga', capacity: 3 }, { name: 'Massage' }])
  })

  it('keeps other visits of its member away, and is refused over them', async () => {
    const ten = wall(`${day}T10:00`)
    const visit = await bookVisit(t, client, studio, { startsAt: ten, lines: [[1, 0]] })
    const over = await refusalOf(open(later(ten, 30)))
    expect([over.code, over.details]).toMatchObject(['time_taken', { taken: [{ kind: 'visit', id: visit._id }] }])
    await open(later(ten, 60))
    expect(refused(await tryHold(t, client, studio, { startsAt: later(ten, 120), lines: [[1, 0]] }))).toEqual([409, 'slot_taken'])
    expect((await tryHold(t, client, studio, { startsAt: later(ten, 120), lines: [[1, 1]] })).status).toBe(201)
    const lunch = blockTime(t.context, diaryOf(studio), {
      subject: { kind: 'member', id: ana() },
      startsAt: later(ten, 60),
      endsAt: later(ten, 90),
    })
    expect((await refusalOf(lunch)).details).toMatchObject({ taken: [{ kind: 'session' }] })
    expect((await refusalOf(open(later(ten, 60), { memberId: studio.members[1] ?? '' }))).details).toEqual({ reason: 'no_resource' })
  })

  it('is refused on leave, on a closed day, in the past, of a service that is not for groups, and of what is somebody else’s', async () => {
    const other = await makeInstitute(t.db, { services: [{ capacity: 3 }] })
    await setLeave(t.context, diaryOf(studio), { memberId: ana(), kind: 'on_holiday', fromDay: '2026-12-01', toDay: '2026-12-02' })
    await sql`insert into closures (institute_id, from_day, to_day) values (${studio.id}, '2026-12-08', '2026-12-08')`.execute(t.db)
    const of = async (startsAt: string, more: Partial<SessionAsked> = {}) => {
      const { code, details } = await refusalOf(open(startsAt, more))
      return [code, (details as { reason?: string }).reason]
    }
    expect(await of(wall('2026-12-02T18:00'))).toEqual(['not_offered', 'on_leave'])
    expect(await of(wall('2026-12-08T18:00'))).toEqual(['not_offered', 'closed'])
    expect(await of(later(new Date(t.clock.now() - (t.clock.now() % 60_000)).toISOString(), -10))).toEqual(['not_offered', 'past'])
    expect(await of(six, { serviceId: studio.services[1] ?? '' })).toEqual(['bad_input', undefined])
    for (const more of [
      { serviceId: other.services[0] ?? '' },
      { memberId: other.members[0] ?? '' },
      { resourceId: other.resources[0] ?? other.id },
    ])
      expect((await of(six, more))[0]).toBe('not_found')
    const { id: mine } = await open()
    for (const work of [
      (id: string) => moveSession(t.context, diaryOf(other), id, { startsAt: later(six, 60) }),
      (id: string) => resizeSession(t.context, diaryOf(other), id, 9),
      (id: string) => cancelSession(t.context, diaryOf(other), id, null),
    ])
      expect((await refusalOf(work(mine))).code).toBe('not_found')
  })
})

describe('a session that changes', () => {
  it('moves with everybody who booked, tells them, and lets go of seats that are only held', async () => {
    const session = await open()
    const visit = await bookVisit(t, client, studio, { startsAt: six })
    const undecided = await makeUser(t.db)
    const held = await hold(t, undecided, studio, { startsAt: six })
    const moved = await moveSession(t.context, diaryOf(studio), session.id, { startsAt: later(six, 30), memberId: studio.members[1] ?? '' })
    expect(moved).toMatchObject({ startsAt: later(six, 30), memberId: studio.members[1], booked: 1, held: 0 })
    expect(await readVisit(t, client, visit._id)).toMatchObject({
      startsAt: later(six, 30),
      endsAt: later(six, 90),
      segments: [{ startsAt: later(six, 30), staffId: studio.members[1] }],
    })
    expect(refused(await tryConfirm(t, undecided, held._id))).toEqual([409, 'hold_expired'])
    expect(await wallOf(t.db, ana())).toEqual([])
    expect(await startsOffered(t, studio, day)).toEqual([later(six, 30)])
    expect((await kinds()).slice(-3).toSorted()).toEqual(['session.moved', 'visit.moved', 'visit.released'])
    await summaryIsTrue(t, studio)
    expect(await lettersOf(client)).toContain('visit_moved')
    // Not over itself: a little later is no obstacle.
    await moveSession(t.context, diaryOf(studio), session.id, { startsAt: later(six, 40) })
    const lunch = { subject: { kind: 'member' as const, id: ana() }, startsAt: later(six, 20), endsAt: later(six, 50) }
    await blockTime(t.context, diaryOf(studio), lunch)
    const back = moveSession(t.context, diaryOf(studio), session.id, { startsAt: six, memberId: ana() })
    expect(await refusalOf(back)).toMatchObject({ code: 'time_taken', details: { taken: [{ kind: 'blocked' }] } })
    expect(await startsOffered(t, studio, day)).toEqual([later(six, 40)])
  })

  it('gets more seats or fewer, never fewer than are taken, whatever numbers they have', async () => {
    const session = await open()
    const [first] = [await hold(t, client, studio, { startsAt: six })]
    const others = [await makeUser(t.db), await makeUser(t.db)]
    for (const one of others) await bookVisit(t, one, studio, { startsAt: six })
    expect(await startsOffered(t, studio, day)).toEqual([])
    await t.inject('DELETE', `/api/v1/secure/appointments/holds/${first._id}`, { token: client.token })
    const tooSmall = await refusalOf(resizeSession(t.context, diaryOf(studio), session.id, 1))
    expect([tooSmall.code, tooSmall.details]).toEqual(['seats_taken', { taken: 2 }])
    // Seats 2 and 3 are taken and become 1 and 2.
    expect(await resizeSession(t.context, diaryOf(studio), session.id, 2)).toMatchObject({ capacity: 2, booked: 2 })
    expect(refused(await tryHold(t, client, studio, { startsAt: six }))).toEqual([409, 'slot_taken'])
    await summaryIsTrue(t, studio)
    await resizeSession(t.context, diaryOf(studio), session.id, 4)
    await bookVisit(t, client, studio, { startsAt: six })
    await summaryIsTrue(t, studio)
    expect(await listed({ from: day, days: 1 })).toMatchObject([{ capacity: 4, booked: 3, held: 0 }])
  })

  it('is cancelled with every visit in it, whose clients are told, and gives its time back', async () => {
    const session = await open()
    const visit = await bookVisit(t, client, studio, { startsAt: six })
    const undecided = await makeUser(t.db)
    const held = await hold(t, undecided, studio, { startsAt: six })
    await cancelSession(t.context, diaryOf(studio), session.id, 'The teacher is ill')
    expect(await readVisit(t, client, visit._id)).toMatchObject({ status: 'cancelled' })
    expect(refused(await tryConfirm(t, undecided, held._id))).toEqual([409, 'hold_expired'])
    expect([await startsOffered(t, studio, day), await wallOf(t.db, ana()), await wallOf(t.db, studio.resources[0] ?? '')]).toEqual([
      [],
      [],
      [],
    ])
    expect((await kinds()).slice(-3).toSorted()).toEqual(['session.closed', 'visit.cancelled', 'visit.released'])
    await summaryIsTrue(t, studio)
    const letter = (await t.mails(client.email)).find(({ kind }) => kind === 'visit_cancelled')
    expect(letter?.text).toContain('The reason: The teacher is ill')
    expect((await refusalOf(cancelSession(t.context, diaryOf(studio), session.id, null))).code).toBe('not_found')
  })

  it('stays as it is once it has begun', async () => {
    const session = await open()
    t.clock.set(later(six, 1))
    for (const work of [
      () => moveSession(t.context, diaryOf(studio), session.id, { startsAt: later(six, 600) }),
      () => resizeSession(t.context, diaryOf(studio), session.id, 9),
      () => cancelSession(t.context, diaryOf(studio), session.id, null),
    ])
      expect((await refusalOf(work())).code).toBe('wrong_state')
  })
})

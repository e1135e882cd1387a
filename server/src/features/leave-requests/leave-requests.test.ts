/** Days off that somebody of the team asks for, what it would hit, and the answer. */
import { instituteHeader } from '@soigne/contract/access'
import type { OpenLeaveRequest, OwnLeaveRequest } from '@soigne/contract/leave-requests'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, readVisit, wall } from '#/testing/booking.ts'
import { eventsOf, summaryIsTrue } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const start = '2026-11-20T11:00:00Z'
let t: TestApp
let owner: MadeUser
let manager: MadeUser
let staff: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: start })
})
afterAll(() => t.close())

/** Who signs in as a member of the team. */
async function linked(level: 'staff' | 'reception' | 'manager', member: number): Promise<MadeUser> {
  const user = await makePerson(t.db, institute.id, level)
  await sql`update institute_people set member_id = ${institute.members[member]} where user_id = ${user.id}`.execute(t.db)
  return user
}
beforeEach(async () => {
  t.clock.set(start)
  owner = await makeUser(t.db, { role: 'isPro', firstName: 'Odile' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 2 })
  manager = await makePerson(t.db, institute.id, 'manager')
  staff = await linked('staff', 0)
})

const base = '/api/v1/secure/mysalon/leave-requests'
const send = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', at: string, user: MadeUser, body?: object): Promise<TestAnswer> =>
  t.inject(method, base + at, { token: user.token, headers: { [instituteHeader]: institute.id }, ...(body && { body }) })
const days = { kind: 'on_holiday', fromDay: '2026-11-24', toDay: '2026-11-26' }
const ask = (more: object = {}, user = staff): Promise<TestAnswer> => send('POST', '', user, { ...days, ...more })
const askedId = async (more: object = {}, user = staff): Promise<string> => String((await ask(more, user)).body['_id'])
const answer = (id: string, user: MadeUser, body: object): Promise<TestAnswer> => send('PUT', `/${id}`, user, body)
const agreed = { answer: 'agreed' }
const declined = { answer: 'declined', reason: 'Two are away already.' }
const own = async (user = staff): Promise<OwnLeaveRequest[]> =>
  (await send('GET', '/mine', user)).body['items'] as unknown as OwnLeaveRequest[]
const open = async (user = owner): Promise<OpenLeaveRequest[]> =>
  (await send('GET', '', user)).body['items'] as unknown as OpenLeaveRequest[]
const bell = async (user: MadeUser, language = 'en'): Promise<[string, string, string][]> => {
  await t.drainJobs()
  const { body } = await t.inject('GET', '/api/v1/secure/notifications', { token: user.token, headers: { 'accept-language': language } })
  return (body['items'] as unknown as { title: string; message: string; path: string }[]).map((one) => [one.title, one.message, one.path])
}
const absences = async (): Promise<unknown[]> =>
  (await sql`select kind, from_day::text, to_day::text, note from absences where institute_id = ${institute.id}`.execute(t.db)).rows
const toDo = async (user: MadeUser): Promise<unknown> =>
  (
    (await t.inject('GET', '/api/v1/secure/mysalon/dashboard', { token: user.token })).body['toDo'] as unknown as {
      leaveRequests: number | null
    }
  ).leaveRequests

describe('asking for days off', () => {
  it('is seen by who asked, and with the visits it would hit by who may answer; nothing changes until then', async () => {
    const client = await makeUser(t.db)
    const visit = await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T15:00'), lines: [[0, 0]] })
    const id = await askedId({ note: 'Wedding' })
    expect(await own()).toEqual([
      { _id: id, ...days, note: 'Wedding', state: 'asked', reason: null, answeredBy: null, askedAt: '2026-11-20T11:00:00.000Z' },
    ])
    expect(await open()).toMatchObject([
      { _id: id, ...days, staffId: institute.members[0], appointments: [{ _id: visit._id, kind: 'visit' }] },
    ])
    const reception = await linked('reception', 1)
    expect([await toDo(owner), await toDo(manager), await toDo(reception)]).toEqual([1, 1, null])
    expect([await absences(), (await own(reception)).length, (await send('GET', '', staff)).status]).toEqual([[], 0, 403])
    const told = ['Nour asks for time off: Tue 24 Nov to Thu 26 Nov'.replace('Nour', await nameOf(0)), 'Holiday', '/mysalon/staff#requests']
    await t.drainJobs()
    const rung = async (user: MadeUser) => (await bell(user)).filter(([, , path]) => path.includes('staff'))
    expect([await rung(owner), await rung(manager), await rung(reception), await rung(staff)]).toEqual([[told], [told], [], []])
  })

  it('is refused for past days, days asked for or off already, and whoever is no member', async () => {
    const fields = async (more: object) => ((await ask(more)).body['details'] as { fields?: object } | undefined)?.fields
    expect(await fields({ fromDay: '2026-11-19' })).toEqual({ fromDay: 'This day has passed.' })
    expect(await fields({ toDay: '2026-11-23' })).toHaveProperty('toDay')
    expect(await fields({ toDay: '2028-01-01' })).toHaveProperty('toDay')
    expect(await fields({ fromDay: '2029-01-01', toDay: '2029-01-01' })).toHaveProperty('fromDay')
    const id = await askedId()
    const overlap = { fromDay: '2026-11-26', toDay: '2026-11-28' }
    expect((await ask(overlap)).body['code']).toBe('leave_overlaps')
    expect((await ask({ ...days }, await linked('reception', 1))).status).toBe(201)
    await answer(id, owner, declined)
    expect((await ask(overlap)).status).toBe(201)
    await sql`insert into absences (institute_id, member_id, kind, from_day, to_day)
      values (${institute.id}, ${institute.members[0]}, 'other', '2026-12-01', '2026-12-02')`.execute(t.db)
    expect((await ask({ fromDay: '2026-12-02', toDay: '2026-12-03' })).body['code']).toBe('leave_overlaps')
    expect((await ask({}, manager)).body['code']).toBe('no_member')
    // The wall behind the look: two that are written at once.
    await expect(
      sql`insert into leave_requests (institute_id, member_id, kind, from_day, to_day, asked_at)
        values (${institute.id}, ${institute.members[0]}, 'other', '2026-11-28', '2026-11-30', now())`.execute(t.db),
    ).rejects.toMatchObject({ constraint: 'leave_requests_apart' })
  })

  it('is taken back by who asked, and by nobody else, until it is answered', async () => {
    const id = await askedId()
    const other = await linked('reception', 1)
    expect((await send('DELETE', `/${id}`, other)).status).toBe(404)
    expect((await send('DELETE', `/${id}`, manager)).status).toBe(404)
    expect((await send('DELETE', `/${id}`, staff)).body['message']).toBe('Taken back.')
    expect([await own(), await open(), (await answer(id, owner, agreed)).status]).toEqual([[], [], 404])
    const second = await askedId()
    await answer(second, owner, declined)
    expect((await send('DELETE', `/${second}`, staff)).body).toMatchObject({ code: 'request_answered', details: { by: 'Odile' } })
  })

  it('lapses with its last day, and waits for nobody then', async () => {
    await askedId()
    t.clock.set('2026-11-27T11:00:00Z')
    expect([(await own())[0]?.state, await open(), await toDo(owner)]).toEqual(['lapsed', [], 0])
  })
})

describe('the answer', () => {
  it('yes marks the member away as the team’s page does; visits stay and wait for a decision', async () => {
    const client = await makeUser(t.db)
    const visit = await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T15:00'), lines: [[0, 0]] })
    const id = await askedId({ note: 'Wedding' })
    expect((await answer(id, manager, agreed)).body).toMatchObject({ appointments: [{ _id: visit._id }] })
    expect(await absences()).toEqual([{ kind: 'on_holiday', from_day: '2026-11-24', to_day: '2026-11-26', note: 'Wedding' }])
    expect((await readVisit(t, client, visit._id)).status).toBe('pending')
    expect(await own()).toMatchObject([{ state: 'agreed', answeredBy: 'Nour', reason: null }])
    expect([await open(), await toDo(owner)]).toEqual([[], 0])
    expect((await bell(staff)).map(([title, , path]) => [title, path])).toContainEqual([
      'Time off agreed: Tue 24 Nov to Thu 26 Nov',
      '/mysalon#time-off',
    ])
    expect((await bell(staff, 'ar')).flat().join(' ')).toContain('قُبل طلب الغياب')
    const events = (await eventsOf(t.db, institute)).map(({ kind }) => kind)
    expect(events).toEqual(expect.arrayContaining(['leave.asked', 'leave.set', 'leave.answered']))
    await summaryIsTrue(t, institute)
  })

  it('no takes a reason, which the member reads', async () => {
    const id = await askedId({ toDay: days.fromDay })
    expect((await answer(id, owner, { answer: 'declined', reason: ' ' })).status).toBe(400)
    expect((await answer(id, owner, declined)).body).toEqual({ appointments: [] })
    expect([await own(), await absences()]).toMatchObject([[{ state: 'declined', reason: declined.reason, answeredBy: 'Odile' }], []])
    expect((await bell(staff, 'fr'))[0]).toEqual(['Absence refusée : mar. 24 nov.', declined.reason, '/mysalon#time-off'])
  })

  it('is given once: of two at the same time the first counts, and the second reads who it was', async () => {
    const id = await askedId()
    const both = await Promise.all([answer(id, owner, agreed), answer(id, manager, declined)])
    const [first, second] = both.toSorted((a, b) => a.status - b.status)
    expect([first?.status, second?.status, second?.body['code']]).toEqual([200, 409, 'request_answered'])
    const isAgreed = first === both[0]
    expect(second?.body).toMatchObject({ details: { by: isAgreed ? 'Odile' : 'Nour', state: isAgreed ? 'agreed' : 'declined' } })
    expect((await answer(id, manager, agreed)).status).toBe(409)
    expect((await absences()).length).toBe(isAgreed ? 1 : 0)
  })

  it('is no business of another institute', async () => {
    const id = await askedId()
    const neighbour = await makeUser(t.db, { role: 'isPro' })
    await makeInstitute(t.db, { ownerId: neighbour.id })
    const answered = await t.inject('PUT', `${base}/${id}`, { token: neighbour.token, body: agreed })
    expect([answered.status, (await own())[0]?.state]).toEqual([404, 'asked'])
  })
})

async function nameOf(member: number): Promise<string> {
  const { rows } = await sql<{ name: string }>`select name from team_members where id = ${institute.members[member]}`.execute(t.db)
  return rows[0]?.name ?? ''
}

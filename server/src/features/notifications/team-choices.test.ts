/** Who of an institute is told of what: chosen in its settings, for each login, by bell and by mail. */
import { instituteHeader } from '@soigne/contract/access'
import type { TeamNotifications } from '@soigne/contract/notifications'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, wall } from '#/testing/booking.ts'
import { eventsOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
let owner: MadeUser
let manager: MadeUser
let staff: MadeUser
let client: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z' })
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  client = await makeUser(t.db)
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 2 })
  manager = await makePerson(t.db, institute.id, 'manager')
  staff = await makePerson(t.db, institute.id, 'staff')
  await sql`update institute_people set member_id = ${institute.members[0]} where user_id = ${staff.id}`.execute(t.db)
})

const path = '/api/v1/secure/mysalon/institute'
const put = (body: object, user = owner): Promise<TestAnswer> =>
  t.inject('PUT', path, { token: user.token, headers: { [instituteHeader]: institute.id }, body })
const set = (user: MadeUser, kind: string, channel: string, isOn: boolean, by = owner): Promise<TestAnswer> =>
  put({ notifications: [{ userId: user.id, choices: [{ kind, channel, isOn }] }] }, by)
const read = async (): Promise<TeamNotifications> =>
  (await t.inject('GET', path, { token: manager.token })).body['notifications'] as unknown as TeamNotifications
const offOrOn = async (user: MadeUser, isOn: boolean): Promise<string[]> =>
  ((await read()).find(({ userId }) => userId === user.id)?.choices ?? [])
    .filter((one) => one.isOn === isOn)
    .map(({ kind, channel }) => `${kind} ${channel}`)
const titles = async ({ token }: MadeUser): Promise<string[]> => {
  await t.drainJobs()
  const { body } = await t.inject('GET', '/api/v1/secure/notifications', { token })
  return (body['items'] as unknown as { title: string }[]).map(({ title }) => title.split(':')[0] ?? '')
}
const letters = async ({ email }: MadeUser): Promise<string[]> => {
  await t.drainJobs()
  return (await t.mails(email)).map(({ kind }) => kind).filter((kind) => kind.startsWith('team_'))
}
const book = (time: string, member = 0) => bookVisit(t, client, institute, { startsAt: wall(time), lines: [[0, member]] })

describe('what the people of an institute are told', () => {
  it('is everything in the bell, and letters of messages alone, until somebody chooses; each level has what concerns it', async () => {
    expect((await read()).map(({ level, choices }) => [level, choices.length])).toEqual([
      ['owner', 11],
      ['manager', 11],
      ['staff', 6],
    ])
    expect(await offOrOn(manager, true)).toEqual([
      'booked bell',
      'moved bell',
      'cancelled bell',
      'messages mail',
      'reviews bell',
      'leave bell',
    ])
    expect(await offOrOn(staff, false)).toEqual(['booked mail', 'moved mail', 'cancelled mail'])
  })

  it('is chosen for each login; once more changes nothing, and of nobody else', async () => {
    expect((await set(manager, 'booked', 'bell', false)).status).toBe(200)
    expect((await set(manager, 'booked', 'bell', false, manager)).status).toBe(200)
    expect([await offOrOn(manager, false), await offOrOn(staff, false)]).toEqual([
      expect.arrayContaining(['booked bell']),
      expect.not.arrayContaining(['booked bell']),
    ])
    const told = (await eventsOf(t.db, institute)).filter(({ kind }) => kind === 'institute.changed')
    expect(told.map(({ payload }) => payload)).toEqual([{ what: 'notifications' }])
    await set(manager, 'booked', 'bell', true)
    expect(await offOrOn(manager, false)).not.toContain('booked bell')
  })

  it('is refused for strangers, for what is not theirs to be told, and by who may not set anything', async () => {
    const [neighbour, stranger] = [await makeUser(t.db, { role: 'isPro' }), await makeUser(t.db)]
    await makeInstitute(t.db, { ownerId: neighbour.id })
    for (const user of [neighbour, stranger]) expect((await set(user, 'booked', 'bell', false)).status).toBe(404)
    expect((await set(staff, 'leave', 'bell', true)).body['details']).toEqual({
      fields: { 'notifications.0.choices.0': 'Choose one of the options.' },
    })
    expect((await set(owner, 'messages', 'bell', true)).status).toBe(400)
    expect((await set(owner, 'booked', 'bell', false, staff)).status).toBe(403)
  })

  it('rings for those who want it, and writes to those who want that, staff of their own visits', async () => {
    await set(manager, 'booked', 'bell', false)
    await set(manager, 'cancelled', 'mail', true)
    await set(staff, 'booked', 'mail', true)
    const visit = await book('2026-11-24T15:00')
    await book('2026-11-24T16:00', 1)
    expect([await titles(owner), await titles(manager), await titles(staff)]).toEqual([['New booking', 'New booking'], [], ['New booking']])
    expect([await letters(owner), await letters(manager), await letters(staff)]).toEqual([[], [], ['team_came']])
    await cancelled(t, client, visit._id)
    expect([await titles(manager), await letters(manager), await letters(staff)]).toEqual([['Cancelled'], ['team_went'], ['team_came']])
    const [letter] = await t.mails(manager.email)
    expect([letter?.subject, letter?.text]).toEqual([
      expect.stringContaining('Cancelled: Tue 24 Nov at 15:00'),
      expect.stringContaining('chooses in its settings who gets these emails'),
    ])
  })

  it('is of time off who may answer it; whoever leaves takes their choices along', async () => {
    await set(owner, 'leave', 'mail', true)
    await set(manager, 'leave', 'bell', false)
    const days = { kind: 'other', fromDay: '2026-11-24', toDay: '2026-11-24' }
    await t.inject('POST', '/api/v1/secure/mysalon/leave-requests', { token: staff.token, body: days })
    expect([(await titles(owner)).length, await titles(manager), await letters(owner)]).toEqual([1, [], ['team_leave_asked']])
    await sql`delete from institute_people where user_id = ${manager.id}`.execute(t.db)
    const { rows } = await sql`select from team_notification_choices where user_id = ${manager.id}`.execute(t.db)
    expect(rows).toEqual([])
  })

  it('a letter goes once to an address that is written to of its visits anyway', async () => {
    await set(owner, 'booked', 'mail', true)
    await book('2026-11-25T15:00')
    expect(await letters(owner)).toEqual([])
    await sql`update institutes set email = 'desk@salon.test' where id = ${institute.id}`.execute(t.db)
    await book('2026-11-25T16:00')
    expect(await letters(owner)).toEqual(['team_came'])
  })
})

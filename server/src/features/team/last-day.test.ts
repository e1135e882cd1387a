/** Whoever leaves works until their last day: the login ends when that day does, on the clock of the institute, and screens with it. */
import { instituteHeader } from '@soigne/contract/access'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, refused, wall } from '#/testing/booking.ts'
import { eventsOf, makeColumnOwner } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openScreens, type Screens } from '#/testing/screens.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const noon = wall('2026-12-29T12:00')
let t: TestApp
let screens: Screens
let owner: MadeUser
let institute: MadeInstitute
let phone: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: noon })
  screens = await openScreens(t)
})
afterAll(async () => {
  await screens.close()
  await t.close()
})
beforeEach(async () => {
  t.clock.set(noon)
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 2 })
  phone = await makeColumnOwner(t.db, institute, karim())
})

const karim = (): string => institute.members[0] ?? ''
const ask = (method: 'GET' | 'DELETE', path: string, { token }: MadeUser): Promise<TestAnswer> =>
  t.inject(method, `/api/v1/secure/mysalon/${path}`, { token, headers: { [instituteHeader]: institute.id } })
const leave = (query: string, user = owner): Promise<TestAnswer> => ask('DELETE', `staff/${karim()}${query}`, user)
const diary = async (): Promise<number> => (await ask('GET', 'diary?from=2026-12-31&days=1', phone)).status
const midnight = async (at: string): Promise<void> => {
  t.clock.set(at)
  await t.jobs['end_members']?.({})
}

describe('[P-08] a login of somebody who leaves', () => {
  it('stays until the end of the last day; then the open phone is out, and what it asks is refused', async () => {
    const screen = await screens.of(phone)
    expect((await leave('?lastDay=2026-12-31')).status).toBe(200)
    expect(await diary()).toBe(200)
    // The phone hears what changes in the calendar, as before.
    await bookVisit(t, await makeUser(t.db), institute, { startsAt: wall('2026-12-31T10:00'), lines: [[0, 0]] })
    await expect.poll(() => screen.of('diaryChanged').length).toBeGreaterThan(0)
    await midnight(wall('2026-12-31T23:59'))
    expect([await diary(), screen.socket.connected]).toEqual([200, true])
    await midnight(wall('2027-01-01T00:00'))
    expect(await diary()).toBe(404)
    await expect.poll(() => screen.socket.connected).toBe(false)
    // Whoever connects again hears nothing of this institute.
    const again = await screens.of(phone)
    const desk = await screens.of(owner)
    await bookVisit(t, await makeUser(t.db), institute, { startsAt: wall('2027-01-02T10:00'), lines: [[0, 1]] })
    await expect.poll(() => desk.of('diaryChanged').length).toBeGreaterThan(0)
    expect((await again.ask('join', { chatId: institute.id })).code).toBe('not_found')
    expect(again.of('diaryChanged')).toEqual([])
    const ended = (await eventsOf(t.db, institute)).filter(({ kind }) => kind === 'person.removed')
    expect(ended).toMatchObject([{ payload: { userId: phone.id, level: 'staff' } }])
  })

  it('ends by the clock of the institute, not of anybody else', async () => {
    await sql`update institutes set time_zone = 'America/Los_Angeles' where id = ${institute.id}`.execute(t.db)
    await leave('?lastDay=2026-12-31')
    await midnight(wall('2026-12-31T23:59', 'America/Los_Angeles'))
    expect(await diary()).toBe(200)
    await midnight(wall('2027-01-01T00:00', 'America/Los_Angeles'))
    expect(await diary()).toBe(404)
  })

  it.each(['', '?lastDay=2026-12-29'])('ends at once without a later day (%s), on an open phone too', async (query) => {
    const screen = await screens.of(phone)
    expect((await leave(query)).status).toBe(200)
    expect(await diary()).toBe(404)
    await expect.poll(() => screen.socket.connected).toBe(false)
  })

  it('ends earlier when the last day is brought forward', async () => {
    await leave('?lastDay=2026-12-31')
    await leave('?lastDay=2026-12-29')
    expect(await diary()).toBe(404)
  })

  it('of a manager is the owner’s to end, also on a day ahead; that of the owner stays', async () => {
    const other = await makePerson(t.db, institute.id, 'manager')
    await sql`update institute_people set level = 'manager' where user_id = ${phone.id}`.execute(t.db)
    expect(refused(await leave('?lastDay=2026-12-31', other))).toEqual([403, 'forbidden'])
    expect((await leave('?lastDay=2026-12-31')).status).toBe(200)
    await midnight(wall('2027-01-01T00:00'))
    expect(await diary()).toBe(404)
    const { members } = institute
    await sql`update institute_people set member_id = ${members[1]} where user_id = ${owner.id}`.execute(t.db)
    await ask('DELETE', `staff/${members[1]}?lastDay=2027-01-02`, owner)
    await midnight(wall('2027-01-03T00:00'))
    expect((await ask('GET', 'staff', owner)).body).toMatchObject({ items: [] })
  })
})

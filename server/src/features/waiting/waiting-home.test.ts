/** Waiting for a visit at home: where it would be, the way there and back, and who is told. docs/decisions/090. */
import type { WaitingEntry } from '@soigne/contract/waiting'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, detailsOf, overlaps, readVisit, refused, wall } from '#/testing/booking.ts'
import { makeColumnOwner, wallOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { ownDataOf } from '#/testing/zip-files.ts'

let t: TestApp
/** Friday, noon in Paris. */
const start = '2026-11-20T11:00:00Z'
beforeAll(async () => {
  t = await openTestApp({ at: start })
  await sql`insert into places (geoname_id, name, country_code, lat, lon, population, time_zone, search) values
    (2968254, 'Villeurbanne', 'FR', 45.76601, 4.8795, 131445, 'Europe/Paris', '|villeurbanne|'),
    (2970777, 'Vienne', 'FR', 45.52569, 4.87484, 31555, 'Europe/Paris', '|vienne|') on conflict do nothing`.execute(t.db)
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(start))

const path = '/api/v1/secure/waiting'
const day = '2026-11-24'
const at = (time: string): string => wall(`${day}T${time}`)
const home = { line: '8 rue des Acacias', postalCode: '69100', city: 'Villeurbanne' }
const [henna, cut, fringe] = [0, 1, 2]

/** One person, in from 9:30 to 11:30: a visit at home of an hour has all of it, with the way there and back. */
const oneMorning = (more: Parameters<typeof makeInstitute>[1] = {}) =>
  makeInstitute(t.db, {
    homeRadiusKm: 12,
    members: 1,
    grid: 30,
    opensAt: 570,
    closesAt: 690,
    services: [
      { name: 'Henna', active: 60, venue: 'home' },
      { name: 'Cut', active: 60, venue: 'either' },
      { name: 'Fringe', active: 30 },
    ],
    ...more,
  })
const tryJoin = (user: { token: string }, institute: MadeInstitute, service: number, more: object = { home }) =>
  t.inject('POST', path, {
    token: user.token,
    body: { instituteId: institute.id, services: [{ serviceId: institute.services[service] }], fromDay: day, toDay: day, ...more },
  })
async function join(...asked: Parameters<typeof tryJoin>): Promise<WaitingEntry> {
  const { status, body, text } = await tryJoin(...asked)
  if (status !== 201) throw new Error(`${status} ${text}`)
  return body as unknown as WaitingEntry
}
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await t.drainJobs()
  await t.jobs['offer_waiting']?.({})
  await t.drainJobs()
}
async function entries(user: { token: string }): Promise<WaitingEntry[]> {
  return (await t.inject('GET', path, { token: user.token })).body['items'] as unknown as WaitingEntry[]
}
const offered = async (user: { token: string }): Promise<string | null> => (await entries(user))[0]?.offer?.startsAt ?? null
const accept = (user: { token: string }, { _id }: WaitingEntry) => t.inject('PUT', `${path}/${_id}/accept`, { token: user.token })
const keptHomes = async (user: MadeUser): Promise<unknown[]> => {
  const { rows } = await sql<{ home: unknown }>`select home from waiting_entries where user_id = ${user.id}`.execute(t.db)
  return rows.map((row) => row.home)
}

describe('waiting for a visit at home', () => {
  it('asks where that is, as far as the institute goes, and for what is done there', async () => {
    const institute = await oneMorning()
    const user = await makeUser(t.db)
    const missing = await tryJoin(user, institute, henna, {})
    expect([missing.status, Object.keys(detailsOf(missing).fields ?? {})]).toEqual([400, ['home']])
    const far = await tryJoin(user, institute, henna, { home: { ...home, postalCode: '', city: 'Vienne' } })
    expect([refused(far), detailsOf(far)]).toEqual([[422, 'outside_radius'], { km: 27, radiusKm: 12 }])
    expect(refused(await tryJoin(user, institute, fringe))).toEqual([422, 'not_at_home'])
    const entry = await join(user, institute, henna)
    expect(entry).toMatchObject({ atHome: true, home })
    expect((await join(user, institute, cut, {})).atHome).toBeUndefined()
    // The same again from another door is one entry, with the new one.
    const moved = await join(user, institute, henna, { home: { ...home, line: '9 rue des Acacias' } })
    expect([moved._id, moved.home?.line]).toEqual([entry._id, '9 rue des Acacias'])
    expect((await ownDataOf(t, user)).text).toContain('9 rue des Acacias, 69100, Villeurbanne')
  })

  it('holds the time with the way there and back, tells who waits alone where, and books it there by one tap', async () => {
    const institute = await oneMorning()
    const performer = await makeColumnOwner(t.db, institute, institute.members[0]!)
    const [holder, user] = [await makeUser(t.db), await makeUser(t.db)]
    const visit = await bookVisit(t, holder, institute, { startsAt: at('10:00'), lines: [[henna]], home: { ...home, line: '1 rue Neuve' } })
    const entry = await join(user, institute, henna)
    await cancelled(t, holder, visit._id)
    await settled()
    expect(await offered(user)).toBe(at('10:00'))
    expect(await wallOf(t.db, institute.members[0]!)).toEqual([['visit', at('09:30'), at('11:30')]])
    const letter = (await t.mails(user.email)).find(({ kind }) => kind === 'waiting_offer')
    expect(letter?.text).toMatch(/Where: At your home\n +8 rue des Acacias\n +69100 Villeurbanne/)
    const drawn = async (id: string) =>
      (await t.inject('GET', `/api/v1/secure/mysalon/appointments/${id}`, { token: performer.token })).body as unknown as { home?: object }
    const { rows } = await sql<{ id: string }>`select id from appointments where user_id = ${user.id}`.execute(t.db)
    expect((await drawn(rows[0]!.id)).home).toBeUndefined()

    const taken = await accept(user, entry)
    expect([taken.status, taken.body['atHome']]).toEqual([200, true])
    await settled()
    expect((await readVisit(t, user, rows[0]!.id)).home).toEqual(home)
    expect((await drawn(rows[0]!.id)).home).toEqual(home)
    expect((await t.mails(performer.email)).some(({ text }) => text.includes('8 rue des Acacias'))).toBe(true)
    expect(await keptHomes(user)).toEqual([null])
    expect(await overlaps(t.db)).toBe(0)
  })

  it('is offered no time that is too short for the way, which the next at the salon is offered', async () => {
    const institute = await oneMorning({ opensAt: 600, closesAt: 660 })
    // Nobody is back by eleven, when something else begins.
    await sql`insert into occupations (institute_id, kind, source_id, subject_kind, subject_id, during) values
      (${institute.id}, 'blocked', ${institute.id}, 'member', ${institute.members[0]}, tstzrange(${at('11:00')}, ${at('12:00')}))`.execute(
      t.db,
    )
    const [holder, atHome, atSalon] = [await makeUser(t.db), await makeUser(t.db), await makeUser(t.db)]
    const visit = await bookVisit(t, holder, institute, { startsAt: at('10:00'), lines: [[cut]] })
    await join(atHome, institute, cut)
    t.clock.set(t.clock.now() + 1000)
    await join(atSalon, institute, cut, {})
    await cancelled(t, holder, visit._id)
    await settled()
    expect([await offered(atHome), await offered(atSalon)]).toEqual([null, at('10:00')])
  })

  it('frees its way, too: who waits at the salon is offered what fits into it', async () => {
    const institute = await oneMorning()
    const [holder, user] = [await makeUser(t.db), await makeUser(t.db)]
    const visit = await bookVisit(t, holder, institute, { startsAt: at('10:00'), lines: [[henna]], home })
    await join(user, institute, fringe, { hours: { from: '09:30', to: '10:00' } })
    await cancelled(t, holder, visit._id)
    await settled()
    expect(await offered(user)).toBe(at('09:30'))
  })

  it('passes over who lives too far by now, or where nobody comes to homes any more', async () => {
    const institute = await oneMorning()
    const [holder, user] = [await makeUser(t.db), await makeUser(t.db)]
    await join(user, institute, cut)
    for (const change of [sql`at_home_radius_km = 1`, sql`at_home = false`]) {
      const visit = await bookVisit(t, holder, institute, { startsAt: at('10:00'), lines: [[cut]] })
      await sql`update institutes set ${change} where id = ${institute.id}`.execute(t.db)
      await cancelled(t, holder, visit._id)
      await settled()
      expect(await offered(user)).toBe(null)
      await sql`update institutes set at_home = true, at_home_radius_km = 12 where id = ${institute.id}`.execute(t.db)
    }
    const visit = await bookVisit(t, holder, institute, { startsAt: at('10:00'), lines: [[cut]] })
    await cancelled(t, holder, visit._id)
    await settled()
    expect(await offered(user)).toBe(at('10:00'))
  })

  it('for an earlier time than a visit has no address of its own: the visit stays where it is', async () => {
    const institute = await oneMorning()
    const [holder, user] = [await makeUser(t.db), await makeUser(t.db)]
    const theirs = await bookVisit(t, holder, institute, {
      startsAt: at('10:00'),
      lines: [[henna]],
      home: { ...home, line: '1 rue Neuve' },
    })
    const own = await bookVisit(t, user, institute, { startsAt: wall('2026-11-25T10:00'), lines: [[henna]], home })
    const entry = await join(user, institute, henna, { visitId: own._id })
    expect([entry.atHome, entry.home, await keptHomes(user)]).toEqual([true, undefined, [null]])
    await cancelled(t, holder, theirs._id)
    await settled()
    expect((await accept(user, entry)).status).toBe(200)
    expect(await readVisit(t, user, own._id)).toMatchObject({ startsAt: at('10:00'), atHome: true, home })
    expect(await wallOf(t.db, institute.members[0]!)).toEqual([['visit', at('09:30'), at('11:30')]])
  })

  it('is forgotten with the wish: by who leaves, and when its days are over', async () => {
    const institute = await oneMorning()
    const user = await makeUser(t.db)
    const left = await join(user, institute, henna)
    await t.inject('DELETE', `${path}/${left._id}`, { token: user.token })
    expect(await keptHomes(user)).toEqual([null])
    await join(user, institute, henna)
    t.clock.set('2026-11-24T22:30:00Z')
    await t.jobs['offer_waiting']?.({})
    expect(await keptHomes(user)).toEqual([null, expect.objectContaining(home)])
    t.clock.set('2026-11-24T23:00:00Z')
    await t.jobs['offer_waiting']?.({})
    expect(await keptHomes(user)).toEqual([null, null])
  })
})

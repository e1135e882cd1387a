/** Visits at home: where they may be, what they keep free, and who is told where they are. docs/decisions/090. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, detailsOf, hold, later, moved, overlaps, readVisit, refused, tryHold, wall } from '#/testing/booking.ts'
import { refreshInstitutes } from '#/features/summary/service.ts'
import { makeColumnOwner, settle, startsOffered, summaryIsTrue, wallOf } from '#/testing/diary.ts'
import { makeInstitute, makePerson, makeUser, type MadeInstitute, type MadeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { ownDataOf } from '#/testing/zip-files.ts'

let t: TestApp
let salon: MadeInstitute
let owner: MadeUser
let performer: MadeUser
let client: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z', settings: { LIMIT_HOLDS: '50' } })
  owner = await makeUser(t.db, { role: 'isPro', firstName: 'Salma' })
  salon = await makeInstitute(t.db, {
    ownerId: owner.id,
    homeRadiusKm: 12,
    members: 2,
    grid: 30,
    resources: [{ type: 'chair', name: 'Chair' }],
    services: [
      { name: 'Cut', active: 60, venue: 'either', resourceType: 'chair', performedBy: [0] },
      { name: 'Wax', active: 30 },
      { name: 'Henna', active: 60, venue: 'home', performedBy: [0, 1] },
    ],
  })
  performer = await makeColumnOwner(t.db, salon, salon.members[0]!)
  client = await makeUser(t.db, { firstName: 'Inès' })
  // Those of Lyon are given; one more town of the same name as one near it.
  await sql`insert into places (geoname_id, name, country_code, lat, lon, population, time_zone, search) values
    (2968254, 'Villeurbanne', 'FR', 45.76601, 4.8795, 131445, 'Europe/Paris', '|villeurbanne|'),
    (2970777, 'Vienne', 'FR', 45.52569, 4.87484, 31555, 'Europe/Paris', '|vienne|'),
    (2761369, 'Vienna', 'AT', 48.20849, 16.37208, 1691468, 'Europe/Vienna', '|vienna|vienne|wien|') on conflict do nothing`.execute(t.db)
})
afterAll(() => t.close())

const home = { line: '8 rue des Acacias', postalCode: '69100', city: 'Villeurbanne' }
const day = '2026-11-24'
const at = (time: string): string => wall(`${day}T${time}`)
const mine = (): Promise<MadeUser> => makeUser(t.db)

async function starts(query: string): Promise<string[]> {
  const answer = await t.inject('GET', `/api/v1/client/institutes/${salon.id}/availability?from=${day}&days=1&${query}`)
  expect(answer.status).toBe(200)
  const days = answer.body['days'] as unknown as { times: { startsAt: string }[] }[]
  return days.flatMap(({ times }) => times.map(({ startsAt }) => startsAt))
}

interface Drawn {
  home?: object
  atHome?: { city: string | null }
  segments: { bufferBeforeMinutes: number; resourceId: string | null }[]
}
const drawn = async (who: MadeUser, id: string): Promise<{ status: number; body: Drawn; text: string }> => {
  const { status, body, text } = await t.inject('GET', `/api/v1/secure/mysalon/appointments/${id}`, { token: who.token })
  return { status, body: body as unknown as Drawn, text }
}

describe('a visit at home', () => {
  it('keeps the way there and back free, also between two homes, and takes no chair', async () => {
    const [first, second, third] = await Promise.all([mine(), mine(), mine()])
    const cut = `service=${salon.services[0]}`
    // The chair is taken all day by somebody else: the salon has no time, a home has.
    await sql`insert into occupations (institute_id, kind, source_id, subject_kind, subject_id, during)
      values (${salon.id}, 'blocked', ${salon.id}, 'resource', ${salon.resources[0]}, tstzrange(${at('08:00')}, ${at('13:30')}))`.execute(
      t.db,
    )
    await refreshInstitutes(t.db, [salon.id], t.clock.now())
    expect(await starts(cut)).not.toContain(at('10:00'))
    expect(await starts(`${cut}&atHome=true`)).toContain(at('10:00'))
    const visit = await bookVisit(t, first, salon, { startsAt: at('10:00'), home })
    expect(visit).toMatchObject({ atHome: true })
    expect(await wallOf(t.db, salon.members[0]!)).toEqual([['visit', at('09:30'), at('11:30')]])
    const offered = await starts(`${cut}&atHome=true`)
    // Back at 11:30, away again until 12:00: the next home begins there, and the salon at 11:30 if it had a chair.
    expect(offered.filter((start) => start < at('12:30'))).toEqual([at('12:00')])
    expect(refused(await tryHold(t, second, salon, { startsAt: at('11:30'), home }))).toEqual([409, 'slot_taken'])
    await hold(t, second, salon, { startsAt: at('12:00'), home })
    // Home until 13:00, back at 13:30.
    expect(refused(await tryHold(t, third, salon, { startsAt: at('13:00') }))[1]).toBe('slot_taken')
    expect(await starts(cut)).toContain(at('13:30'))
    await hold(t, third, salon, { startsAt: at('13:30') })
    expect(await overlaps(t.db)).toBe(0)
    await summaryIsTrue(t, salon)
  })

  it('is held once where two want the same member, wherever they live', async () => {
    const people = await Promise.all(Array.from({ length: 6 }, mine))
    const answers = await Promise.all(
      people.map((one, n) => tryHold(t, one, salon, { startsAt: at(n % 2 ? '16:00' : '16:30'), lines: [[0, 0]], ...(n < 3 && { home }) })),
    )
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1)
    expect(await overlaps(t.db)).toBe(0)
  })

  it('is within the radius, at a place that is known, and with services that are done there', async () => {
    const asked = { startsAt: wall('2026-11-25T10:00') }
    const who = await mine()
    const far = await tryHold(t, who, salon, { ...asked, home: { ...home, postalCode: '', city: 'Vienne' } })
    expect(refused(far)).toEqual([422, 'outside_radius'])
    // The Vienne of the Isère, not the one of Austria.
    expect(detailsOf(far)).toEqual({ km: 27, radiusKm: 12 })
    expect(far.body['message']).toBe('This address is 27 km away. The institute comes as far as 12 km.')
    const nowhere = await tryHold(t, who, salon, { ...asked, home: { line: '1', city: 'Qwrtzk' } })
    expect(detailsOf(nowhere).fields).toEqual({ 'home.city': 'We don’t know this place. Choose one from the list.' })
    expect(refused(await tryHold(t, who, salon, { ...asked, home: { ...home, lat: 45.5, lon: 4.87 } }))).toEqual([422, 'outside_radius'])
    const salonOnly = await tryHold(t, who, salon, { ...asked, lines: [[0], [1]], home })
    expect([salonOnly.body['code'], salonOnly.body['details']]).toEqual(['not_at_home', { serviceId: salon.services[1] }])
    expect(detailsOf(await tryHold(t, who, salon, { ...asked, lines: [[2]] })).fields).toEqual({ home: 'Please fill this in.' })
    await sql`update institutes set at_home = false where id = ${salon.id}`.execute(t.db)
    expect(refused(await tryHold(t, who, salon, { ...asked, home }))).toEqual([422, 'not_at_home'])
    await sql`update institutes set at_home = true where id = ${salon.id}`.execute(t.db)
    const { rows } =
      await sql`select from home_addresses h join appointments a on a.id = h.appointment_id where a.user_id = ${who.id}`.execute(t.db)
    expect(rows).toEqual([])
  })

  it('of a service that is done nowhere else has the way in all times, and in the index', async () => {
    const other = await makeInstitute(t.db, {
      homeRadiusKm: 12,
      members: 1,
      services: [{ name: 'Henna', active: 60, venue: 'home' }],
    })
    await refreshInstitutes(t.db, [other.id], t.clock.now())
    await hold(t, await mine(), other, { startsAt: at('12:00'), home })
    const offered = await startsOffered(t, other, day)
    // 30 minutes before, the same after, and those of the visit asked for.
    expect(offered.filter((start) => start > at('09:59') && start < at('14:20'))).toEqual([at('10:00'), at('14:00')])
    await summaryIsTrue(t, other)
    // A longer way takes more of the day, as soon as it is set.
    await sql`update institutes set home_travel_minutes = 60 where id = ${other.id}`.execute(t.db)
    expect((await startsOffered(t, other, day)).filter((start) => start < at('12:00'))).toEqual([at('09:00'), at('09:20')])
  })
})

describe('what the institute says', () => {
  it('is how long the way takes, and of each service where it is done', async () => {
    const boss = await makeUser(t.db, { role: 'isPro' })
    const other = await makeInstitute(t.db, { ownerId: boss.id, members: 1 })
    const call = (method: 'GET' | 'PUT', path: string, body?: object) =>
      t.inject(method, `/api/v1/secure/mysalon/${path}`, { token: boss.token, ...(body && { body }) })
    const menu = (await call('GET', 'services')).body as unknown as { comesHome: boolean; items: Record<string, unknown>[] }
    const [cut = {}] = menu.items
    const send = (part: object) => call('PUT', `services/${other.services[0]}`, { ...cut, ...part })
    expect([menu.comesHome, refused(await send({ venue: 'home' }))]).toEqual([false, [422, 'not_at_home']])
    const { profile } = (await call('GET', 'institute')).body as unknown as { profile: object }
    const set = (part: object) => call('PUT', 'institute', { profile: { ...profile, ...part } })
    expect(refused(await set({ homeTravelMinutes: 7 }))[0]).toBe(400)
    await set({ atHome: true, atHomeRadiusKm: 5, homeTravelMinutes: 45 })
    // A client that knows nothing of the way leaves it as it is.
    await set({ atHome: true, atHomeRadiusKm: 5, homeTravelMinutes: undefined })
    expect(refused(await send({ venue: 'home', capacity: 4 }))[0]).toBe(400)
    expect((await send({ venue: 'home' })).body).toMatchObject({ venue: 'home' })
    const visit = await bookVisit(t, await mine(), other, { startsAt: at('12:00'), home: { ...home, lat: 45.77, lon: 4.84 } })
    expect(visit.atHome).toBe(true)
    expect(await wallOf(t.db, other.members[0]!)).toEqual([['visit', at('11:15'), at('13:25')]])
    const page = (await t.inject('GET', `/api/v1/client/institutes/${other.slug}`)).body
    expect(page).toMatchObject({ atHome: true, atHomeRadiusKm: 5, services: [{ venue: 'home' }, {}] })
  })
})

describe('the address', () => {
  it('is told to its client and to who performs the visit, and to nobody else', async () => {
    const salonMail = (await sql<{ email: string }>`select email from users where id = ${owner.id}`.execute(t.db)).rows[0]!.email
    const colleague = await makeColumnOwner(t.db, salon, salon.members[1]!)
    const manager = await makePerson(t.db, salon.id, 'manager')
    const startsAt = wall('2026-11-26T10:00')
    const visit = await bookVisit(t, client, salon, { startsAt, lines: [[2, 0]], home })
    expect(JSON.stringify(visit)).not.toContain('Acacias')
    expect((await readVisit(t, client, visit._id)).home).toEqual(home)
    expect((await t.inject('GET', `/api/v1/secure/appointments/${visit._id}`, { token: (await mine()).token })).status).toBe(404)
    expect((await drawn(performer, visit._id)).body).toMatchObject({
      home,
      atHome: { city: 'Villeurbanne' },
      segments: [{ bufferBeforeMinutes: 30 }],
    })
    expect((await drawn(colleague, visit._id)).status).toBe(404)
    for (const who of [owner, manager]) {
      const { body, text } = await drawn(who, visit._id)
      expect([body.atHome, body.home]).toEqual([{ city: 'Villeurbanne' }, undefined])
      expect(text).not.toContain('Acacias')
    }
    const read = await Promise.all(
      [`diary?from=2026-11-26`, 'appointments'].flatMap((path) =>
        [owner, performer].map(({ token }) => t.inject('GET', `/api/v1/secure/mysalon/${path}`, { token })),
      ),
    )
    for (const { status, text } of read) expect([status, text.includes('Acacias')]).toEqual([200, false])
    const file = await t.inject('GET', `/api/v1/secure/appointments/${visit._id}/calendar.ics`, { token: client.token })
    expect(file.text).toContain('LOCATION:At your home')
    expect(file.text).not.toContain('Acacias')
    const texts = async (to: string) => (await t.mails(to)).map(({ text }) => text)
    expect((await texts(client.email))[0]).toContain('8 rue des Acacias')
    expect((await texts(salonMail)).at(-1)).toContain('At the client’s home, Villeurbanne')
    expect((await texts(salonMail)).join()).not.toContain('Acacias')
    const [toPerformer] = await t.mails(performer.email)
    expect(toPerformer?.text).toContain(`/mysalon/appointments/calendar?day=2026-11-26&visit=${visit._id}`)
    expect(toPerformer?.subject).toBe('Visit at home: Thu 26 Nov at 10:00, Inès Benali')
    expect(toPerformer?.text).toMatch(/Where: 8 rue des Acacias\n +69100 Villeurbanne/)
    expect(await texts(colleague.email)).toEqual([])

    // Given to the colleague, whose visit it is now: the one before reads it no more.
    await moved(t, client, visit._id, startsAt, salon.members[1])
    expect((await drawn(colleague, visit._id)).body.home).toEqual(home)
    expect((await drawn(performer, visit._id)).status).toBe(404)
    expect((await texts(colleague.email)).at(-1)).toContain('8 rue des Acacias')
    expect(await wallOf(t.db, salon.members[1]!)).toEqual([['visit', later(startsAt, -30), later(startsAt, 90)]])

    // Where she has no login any more, whoever changes the calendar goes or sends somebody.
    await sql`delete from institute_people where user_id = ${colleague.id}`.execute(t.db)
    expect((await drawn(manager, visit._id)).body.home).toEqual(home)
    await cancelled(t, client, visit._id)
    expect((await drawn(manager, visit._id)).body.home).toBeUndefined()
    await settle(t)
  })

  it('is forgotten by the institute the day after, and kept for its client and their export', async () => {
    const who = await mine()
    const visit = await bookVisit(t, who, salon, { startsAt: wall('2026-11-27T10:00'), lines: [[2, 0]], home })
    const held = await hold(t, who, salon, { startsAt: wall('2026-11-28T10:00'), lines: [[2, 0]], home })
    expect(held).toMatchObject({ atHome: true })
    expect((await drawn(performer, held._id)).body.home).toBeUndefined()
    t.clock.set('2026-11-28T10:05:00Z')
    expect((await drawn(performer, visit._id)).body.home).toBeUndefined()
    expect((await readVisit(t, who, visit._id)).home).toEqual(home)
    expect((await ownDataOf(t, who)).text).toContain('8 rue des Acacias, 69100, Villeurbanne')
  })

  it('goes with a visit that is repeated', async () => {
    const who = await mine()
    const first = await bookVisit(t, who, salon, { startsAt: wall('2026-12-08T10:00'), lines: [[2, 0]], home })
    const again = wall('2026-12-15T10:00')
    const made = await t.inject('POST', `/api/v1/secure/appointments/${first._id}/series`, {
      token: who.token,
      body: { everyWeeks: 1, startsAt: [again] },
    })
    const [next] = (made.body as unknown as { made: { _id: string }[] }).made
    expect(await readVisit(t, who, next!._id)).toMatchObject({ atHome: true, home, startsAt: again })
  })
})

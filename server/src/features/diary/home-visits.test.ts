/** Visits at home that the institute books for who phones. docs/decisions/090. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { detailsOf, overlaps, refused, wall } from '#/testing/booking.ts'
import { makeColumnOwner, settle, summaryIsTrue, wallOf } from '#/testing/diary.ts'
import { makeInstitute, makePerson, makeUser, type MadeInstitute, type MadeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const now = '2026-12-05T07:00:00Z'
const day = '2026-12-07'
const at = (time: string): string => wall(`${day}T${time}`)
const base = '/api/v1/secure/mysalon'
const home = { line: '8 rue des Acacias', postalCode: '69100', city: 'Villeurbanne' }
const customer = { firstName: 'Inès', lastName: 'Benali', phone: '06 12 34 56 78' }

let t: TestApp
let owner: MadeUser
let reception: MadeUser
let performer: MadeUser
let salon: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: now })
  await sql`insert into places (geoname_id, name, country_code, lat, lon, population, time_zone, search) values
    (2968254, 'Villeurbanne', 'FR', 45.76601, 4.8795, 131445, 'Europe/Paris', '|villeurbanne|'),
    (2970777, 'Vienne', 'FR', 45.52569, 4.87484, 31555, 'Europe/Paris', '|vienne|') on conflict do nothing`.execute(t.db)
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  owner = await makeUser(t.db, { role: 'isPro' })
  salon = await makeInstitute(t.db, {
    ownerId: owner.id,
    homeRadiusKm: 12,
    members: 2,
    grid: 30,
    services: [
      { name: 'Cut', active: 60, venue: 'either' },
      { name: 'Wax', active: 30 },
    ],
  })
  reception = await makePerson(t.db, salon.id, 'reception')
  performer = await makeColumnOwner(t.db, salon, salon.members[0]!)
})

const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object, user = reception, key?: string): Promise<TestAnswer> =>
  t.inject(method, base + path, { token: user.token, ...(body && { body }), ...(key && { headers: { 'idempotency-key': key } }) })
const line = (service: number) => ({ serviceId: salon.services[service], staffId: salon.members[0] })
const book = (time: string, more: object = {}, key?: string): Promise<TestAnswer> =>
  ask('POST', '/appointments', { services: [line(0)], startsAt: at(time), customer, home, ...more }, reception, key)
const timesOf = async (more: string): Promise<string[]> => {
  const answer = await ask('GET', `/diary/times?service=${salon.services[0]}&staff=${salon.members[0]}&from=${day}${more}`)
  const days = answer.body['days'] as unknown as { times: { startsAt: string }[] }[]
  return days.flatMap(({ times }) => times.map(({ startsAt }) => startsAt))
}
const why = (time: string, more = '') =>
  ask('GET', `/diary/why?service=${salon.services[0]}&staff=${salon.members[0]}&startsAt=${at(time)}${more}`)

it('keep the way free, and are told to who goes there alone [E-12]', async () => {
  const visit = await book('10:00')
  expect([visit.status, visit.body['atHome']]).toEqual([201, { city: 'Villeurbanne' }])
  expect(visit.text).not.toContain('Acacias')
  expect(await wallOf(t.db, salon.members[0]!)).toEqual([['visit', at('09:30'), at('11:30')]])
  const id = visit.body['_id']
  expect((await ask('GET', `/appointments/${id}`, undefined, performer)).body['home']).toEqual(home)
  for (const who of [owner, reception]) expect((await ask('GET', `/appointments/${id}`, undefined, who)).text).not.toContain('Acacias')
  await settle(t)
  const [toPerformer] = await t.mails(performer.email)
  expect(toPerformer?.text).toMatch(/Where: 8 rue des Acacias\n +69100 Villeurbanne/)
  expect(await overlaps(t.db)).toBe(0)
  await summaryIsTrue(t, salon)
})

it('have times of their own, and a reason where they have none', async () => {
  await ask('POST', '/appointments', { services: [line(0)], startsAt: at('10:00'), customer })
  const [there, here] = [await timesOf('&atHome=true'), await timesOf('')]
  // Back at 11 from the chair beside; away half an hour before and after.
  expect([here.includes(at('11:00')), there.includes(at('11:00')), there.includes(at('11:30'))]).toEqual([true, false, true])
  expect((await why('11:00')).body['isFree']).toBe(true)
  const { body } = await why('11:00', '&atHome=true')
  expect(body).toMatchObject({ isFree: false, refusedBy: [{ reason: 'buffer' }], next: { startsAt: at('11:30') } })
  expect(refused(await book('11:00'))).toEqual([409, 'slot_taken'])
  expect((await book('11:30')).status).toBe(201)
})

it('may be further away than clients are told, at a place that is known, for what is done there', async () => {
  expect((await book('10:00', { home: { line: '2 quai du Rhône', city: 'Vienne' } })).body['atHome']).toEqual({ city: 'Vienne' })
  const nowhere = await book('14:00', { home: { line: '1', city: 'Qwrtzk' } })
  expect(detailsOf(nowhere).fields).toEqual({ 'home.city': 'We don’t know this place. Choose one from the list.' })
  expect(refused(await book('14:00', { services: [line(1)] }))).toEqual([422, 'not_at_home'])
  expect(refused(await ask('GET', `/diary/times?service=${salon.services[1]}&from=${day}&atHome=true`))).toEqual([422, 'not_at_home'])
  const { rows } = await sql`select from home_addresses where institute_id = ${salon.id}`.execute(t.db)
  expect(rows).toHaveLength(1)
})

it('are forgotten the day after where no account has the address, and not before, also when they were moved', async () => {
  const [first, second] = [await book('10:00'), await book('13:00')]
  const later = wall('2026-12-09T10:00')
  expect((await ask('PUT', `/appointments/${second.body['_id']}/move`, { startsAt: later })).status).toBe(200)
  const kept = async (now: string) => {
    t.clock.set(now)
    await t.jobs['tidy_home_addresses']?.({})
    const { rows } = await sql<{
      id: string
    }>`select appointment_id as id from home_addresses where institute_id = ${salon.id} order by 1`.execute(t.db)
    return rows.map(({ id }) => id)
  }
  const [one, two] = [first.body['_id'], second.body['_id']]
  expect(await kept(wall('2026-12-08T10:59'))).toEqual([one, two].toSorted())
  expect(await kept(wall('2026-12-08T11:00'))).toEqual([two])
  expect(await kept(wall('2026-12-10T11:00'))).toEqual([])
})

it('are one for one key, over others with a reason, and are read by nobody once they are taken back', async () => {
  const [first, again] = [await book('10:00', {}, 'k'), await book('10:00', {}, 'k')]
  expect([first.status, again.body['_id']]).toEqual([201, first.body['_id']])
  const over = await book('10:30', { overbook: { reason: 'Bride' } })
  expect(refused(over)).toEqual([403, 'forbidden'])
  const byOwner = await ask(
    'POST',
    '/appointments',
    { services: [line(0)], startsAt: at('10:30'), customer, home, overbook: { reason: 'Bride' } },
    owner,
  )
  expect([byOwner.status, byOwner.body['atHome']]).toEqual([201, { city: 'Villeurbanne' }])
  expect((await ask('PUT', `/appointments/${first.body['_id']}/undo`)).status).toBe(200)
  const [gone, there] = await Promise.all(
    [first, byOwner].map(({ body }) => ask('GET', `/appointments/${body['_id']}`, undefined, performer)),
  )
  expect([gone?.body['home'], there?.body['home']]).toEqual([undefined, home])
  await settle(t)
})

/** The address of a visit at home is put right after it was booked. docs/decisions/116. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import {
  bookVisit,
  cancelled,
  detailsOf,
  hold,
  later,
  overlaps,
  readVisit,
  refused,
  somebodyWaits,
  tryMove,
  wall,
} from '#/testing/booking.ts'
import { eventsOf, makeColumnOwner, settle, summaryIsTrue, wallOf } from '#/testing/diary.ts'
import { makeInstitute, makePerson, makeUser, type MadeInstitute, type MadeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const now = '2026-12-05T07:00:00Z'
const ten = wall('2026-12-07T10:00')
const own = '/api/v1/secure/appointments'
const desk = '/api/v1/secure/mysalon/appointments'
const home = { line: '8 rue des Acacias', postalCode: '69100', city: 'Villeurbanne' }
const right = { ...home, line: '18 rue des Acacias' }

let t: TestApp
let owner: MadeUser
let reception: MadeUser
let performer: MadeUser
let client: MadeUser
let salon: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: now, settings: { LIMIT_HOLDS: '50' } })
  await sql`insert into places (geoname_id, name, country_code, lat, lon, population, time_zone, search) values
    (2968254, 'Villeurbanne', 'FR', 45.76601, 4.8795, 131445, 'Europe/Paris', '|villeurbanne|'),
    (2970777, 'Vienne', 'FR', 45.52569, 4.87484, 31555, 'Europe/Paris', '|vienne|') on conflict do nothing`.execute(t.db)
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  owner = await makeUser(t.db, { role: 'isPro', firstName: 'Salma' })
  client = await makeUser(t.db, { firstName: 'Inès' })
  salon = await makeInstitute(t.db, {
    ownerId: owner.id,
    homeRadiusKm: 12,
    members: 2,
    grid: 30,
    services: [{ name: 'Cut', active: 60, venue: 'either' }],
  })
  reception = await makePerson(t.db, salon.id, 'reception')
  performer = await makeColumnOwner(t.db, salon, salon.members[0]!)
})

const booked = async (startsAt = ten, where: object = home) =>
  (await bookVisit(t, client, salon, { startsAt, lines: [[0, 0]], home: where }))._id
const phoned = (where: object = home, startsAt = ten) =>
  t.inject('POST', desk, {
    token: reception.token,
    body: {
      services: [{ serviceId: salon.services[0], staffId: salon.members[0] }],
      startsAt,
      customer: { firstName: 'Zoé', phone: '06 12 34 56 78' },
      home: where,
    },
  })
const correct = (id: string, where: object, { token } = client, more: { at?: string; key?: string; version?: number } = {}) =>
  t.inject('PUT', `${more.at ?? own}/${id}/home`, {
    token,
    body: { home: where, ...(more.version !== undefined && { version: more.version }) },
    ...(more.key !== undefined && { headers: { 'idempotency-key': more.key } }),
  })
const atDesk = (id: string, where: object, who = reception, more: { key?: string; version?: number } = {}): Promise<TestAnswer> =>
  correct(id, where, who, { at: desk, ...more })
const drawn = (id: string, { token }: MadeUser) => t.inject('GET', `${desk}/${id}`, { token })
const lettersTo = async ({ email }: MadeUser, kind: string) => (await t.mails(email)).filter((one) => one.kind === kind)
const changes = async () => (await eventsOf(t.db, salon)).filter(({ kind }) => kind === 'visit.readdressed')

describe('the address of a visit at home', () => {
  it('is put right by its client: who goes there reads it, nobody else does, and the time stays [F-26]', async () => {
    const id = await booked()
    await t.drainJobs()
    expect(await readVisit(t, client, id)).toMatchObject({ home, canCorrectHome: true })
    const before = await wallOf(t.db, salon.members[0]!)
    const { status, text } = await correct(id, right)
    expect(status, text).toBe(200)
    expect(text).not.toContain('Acacias')
    expect((await readVisit(t, client, id)).home).toEqual(right)
    expect((await drawn(id, performer)).body['home']).toEqual(right)
    for (const who of [owner, reception]) expect((await drawn(id, who)).text).not.toContain('Acacias')
    expect(await wallOf(t.db, salon.members[0]!)).toEqual(before)
    await t.drainJobs()
    const [toClient] = await lettersTo(client, 'visit_readdressed')
    expect(toClient?.text).toMatch(/has been corrected\.[^]*18 rue des Acacias/)
    const [toPerformer] = await lettersTo(performer, 'home_visit_readdressed')
    expect(toPerformer?.subject).toBe('New address for a visit at home: Mon 7 Dec at 10:00, Inès Benali')
    expect(toPerformer?.text).toMatch(/Where: 18 rue des Acacias\n +69100 Villeurbanne/)
    const [toSalon] = await lettersTo(owner, 'institute_visit_readdressed')
    expect(toSalon?.text).toContain('At the client’s home, Villeurbanne')
    const said = [toSalon, ...(await eventsOf(t.db, salon))]
    expect(JSON.stringify(said)).not.toContain('Acacias')
    const bells = await t.inject('GET', '/api/v1/secure/notifications', { token: owner.token })
    expect(bells.text).toContain('New address: Mon 7 Dec at 10:00')
    expect(bells.text).not.toContain('Acacias')
    await summaryIsTrue(t, salon)
  })

  it('is written anew by reception, who learns neither the old one nor whether it was the same', async () => {
    const id = await booked()
    await t.drainJobs()
    // Trying out the address that is there already counts as a change like any other.
    const answers = [await atDesk(id, home), await atDesk(id, right)]
    for (const { status, text } of answers) expect([status, text.includes('Acacias')]).toEqual([200, false])
    const versions = answers.map(({ body }) => Number(body['version']))
    expect(versions[1]).toBe((versions[0] ?? 0) + 1)
    expect(await changes()).toHaveLength(2)
    const seen = await drawn(id, reception)
    expect(seen.text).not.toContain('Acacias')
    expect((seen.body['history'] as unknown as { kind: string }[])[0]?.kind).toBe('visit.readdressed')
    expect((await drawn(id, performer)).body['home']).toEqual(right)
    await t.drainJobs()
    expect((await lettersTo(client, 'visit_readdressed')).at(-1)?.text).toContain('18 rue des Acacias')
    // Who reads it knows that nothing is another.
    expect((await atDesk(id, right, performer)).status).toBe(200)
    expect((await correct(id, right)).status).toBe(200)
    expect(await changes()).toHaveLength(2)
  })

  it('is told with the booking where nobody was told of that yet', async () => {
    const made = await phoned()
    const id = String(made.body['_id'])
    expect((await atDesk(id, right)).status).toBe(200)
    await settle(t)
    const letters = (await t.mails(performer.email)).map(({ kind, text }) => [kind, /\d+ rue des Acacias/.exec(text)?.[0]])
    expect(letters).toEqual([['home_visit_booked', '18 rue des Acacias']])
    // Later it is told by itself; it is still forgotten the day after, since no account has it.
    expect((await atDesk(id, { ...right, line: '20 rue des Acacias' })).status).toBe(200)
    await t.drainJobs()
    expect((await lettersTo(performer, 'home_visit_readdressed')).map(({ text }) => text)).toEqual([
      expect.stringContaining('20 rue des Acacias'),
    ])
    t.clock.set(later(ten, 60 + 24 * 60))
    await t.jobs['tidy_home_addresses']?.({})
    const { rows } = await sql`select from home_addresses where appointment_id = ${id}`.execute(t.db)
    expect(rows).toEqual([])
  })
})

describe('another address', () => {
  it('is at a place that is known, and for clients within the radius or no further than before', async () => {
    const id = await booked()
    const vienne = { line: '2 quai du Rhône', city: 'Vienne' }
    const far = await correct(id, vienne)
    expect([...refused(far), detailsOf(far)]).toEqual([422, 'outside_radius', { km: 27, radiusKm: 12 }])
    const nowhere = await correct(id, { line: '1', city: 'Qwrtzk' })
    expect(detailsOf(nowhere).fields).toEqual({ 'home.city': 'We don’t know this place. Choose one from the list.' })
    expect(refused(await correct(id, { line: ' ', city: 'Villeurbanne' }))[0]).toBe(400)
    expect(detailsOf(await atDesk(id, { line: '1', city: 'Qwrtzk' })).fields).toHaveProperty(['home.city'])
    expect((await readVisit(t, client, id)).home).toEqual(home)
    expect(await changes()).toEqual([])
    // The radius binds no institute; where it went so far, its client may say which door.
    expect((await atDesk(id, vienne)).body['atHome']).toEqual({ city: 'Vienne' })
    expect((await correct(id, { ...vienne, line: '4 quai du Rhône' })).status).toBe(200)
    // An institute that goes to nobody new still goes where it said it would.
    await sql`update institutes set at_home = false where id = ${salon.id}`.execute(t.db)
    expect((await correct(id, right)).status).toBe(200)
    expect(refused(await correct(id, vienne))).toEqual([422, 'outside_radius'])
  })

  it('fits beside visits that follow at once: the way is as long as it was, also where it is longer for new ones', async () => {
    const id = await booked()
    const next = await booked(wall('2026-12-07T12:00'))
    const before = await wallOf(t.db, salon.members[0]!)
    await sql`update institutes set home_travel_minutes = 90 where id = ${salon.id}`.execute(t.db)
    expect((await correct(id, right)).status).toBe(200)
    expect((await atDesk(next, { line: '2 quai du Rhône', city: 'Vienne' })).status).toBe(200)
    expect(await wallOf(t.db, salon.members[0]!)).toEqual(before)
    expect(await overlaps(t.db)).toBe(0)
  })

  it('comes too late once somebody is on the way; the institute may until the visit is over', async () => {
    await sql`update institutes set phone = '+33 4 78 00 00 00' where id = ${salon.id}`.execute(t.db)
    const id = await booked()
    t.clock.set(later(ten, -31))
    expect((await correct(id, right)).status).toBe(200)
    t.clock.set(later(ten, -30))
    const late = await correct(id, home)
    expect([...refused(late), detailsOf(late).phone]).toEqual([422, 'too_late', '+33 4 78 00 00 00'])
    expect((await readVisit(t, client, id)).canCorrectHome).toBeUndefined()
    t.clock.set(later(ten, 5))
    expect(refused(await correct(id, home))).toEqual([409, 'wrong_state'])
    expect((await atDesk(id, { ...home, line: '9 rue des Acacias' })).status).toBe(200)
    t.clock.set(later(ten, 60))
    expect(refused(await atDesk(id, home))).toEqual([409, 'wrong_state'])
  })

  it('is of no visit that is cancelled, held or in the salon, nor of anybody else’s', async () => {
    const inSalon = (await bookVisit(t, client, salon, { startsAt: ten, lines: [[0, 1]] }))._id
    const held = (await hold(t, client, salon, { startsAt: wall('2026-12-07T14:00'), home }))._id
    const id = await booked(wall('2026-12-08T10:00'))
    const colleague = await makeColumnOwner(t.db, salon, salon.members[1]!)
    const stranger = await makeUser(t.db)
    const elsewhere = await makeUser(t.db, { role: 'isPro' })
    await makeInstitute(t.db, { ownerId: elsewhere.id })
    expect((await correct(id, right, stranger)).status).toBe(404)
    for (const who of [colleague, elsewhere]) expect((await atDesk(id, right, who)).status).toBe(404)
    expect((await correct(held, right)).status).toBe(404)
    expect((await readVisit(t, client, inSalon)).canCorrectHome).toBeUndefined()
    await cancelled(t, client, id)
    for (const one of [inSalon, id]) {
      expect(refused(await correct(one, right))).toEqual([409, 'wrong_state'])
      expect(refused(await atDesk(one, right))).toEqual([409, 'wrong_state'])
    }
    // Two go there: who sees one column alone reads where, and changes nothing for the other.
    const lines: [number, number][] = [
      [0, 0],
      [0, 1],
    ]
    const shared = (await bookVisit(t, client, salon, { startsAt: wall('2026-12-09T10:00'), lines, home }))._id
    expect(refused(await atDesk(shared, right, performer))).toEqual([403, 'forbidden'])
    const { rows } = await sql`select from home_addresses where appointment_id = ${inSalon}`.execute(t.db)
    expect([rows, await changes()]).toEqual([[], []])
  })
})

describe('at the same moment', () => {
  it('one key is one change, and another address under it none', async () => {
    const id = await booked()
    const same = await Promise.all([correct(id, right, client, { key: 'k' }), correct(id, right, client, { key: 'k' })])
    expect(same.map(({ status }) => status)).toEqual([200, 200])
    expect(refused(await correct(id, home, client, { key: 'k' }))[1]).toBe('idempotency_conflict')
    expect(await changes()).toHaveLength(1)
    const { rows } = await sql<{ body: string }>`select body::text as body from idempotency_keys where user_id = ${client.id}`.execute(t.db)
    expect(JSON.stringify(rows)).not.toContain('Acacias')
  })

  it('a move and an address both hold, whoever is first; who saw an older visit is told who was faster', async () => {
    const id = await booked()
    const two = wall('2026-12-07T14:00')
    const version = Number((await drawn(id, reception)).body['version'])
    // Both wait for the diary.
    const lock = t.db.transaction().execute(async (transaction) => {
      await sql`select from diary_versions where institute_id = ${salon.id} for update`.execute(transaction)
      const asked = [correct(id, right), tryMove(t, client, id, two)]
      await somebodyWaits(t, 2)
      return asked
    })
    const answers = await Promise.all(await lock)
    expect(answers.map(({ status, text }) => [status, status === 200 ? '' : text])).toEqual([
      [200, ''],
      [200, ''],
    ])
    expect(await readVisit(t, client, id)).toMatchObject({ startsAt: two, home: right })
    const older = await atDesk(id, home, reception, { version })
    expect(refused(older)).toEqual([409, 'changed_meanwhile'])
    expect((await readVisit(t, client, id)).home).toEqual(right)
  })

  it('of one that is let go meanwhile nothing is changed', async () => {
    const id = await booked()
    await Promise.all([correct(id, right), t.inject('PUT', `${own}/${id}/cancel`, { token: client.token })])
    await t.drainJobs()
    expect((await readVisit(t, client, id)).status).toBe('cancelled')
    expect((await drawn(id, performer)).body['home']).toBeUndefined()
    expect((await eventsOf(t.db, salon)).at(-1)?.kind).toBe('visit.cancelled')
  })
})

/** Holding and confirming take a session that is remembered from a request before, and do and tell nothing for one that is open no more. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, hold, later, tryConfirm, tryHold, visitsPath, wall } from '#/testing/booking.ts'
import { diaryOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { openSession } from '#/features/group-sessions/service.ts'

const ten = wall('2026-11-24T10:00')
const three = wall('2026-11-24T15:00')

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z', settings: { LIMIT_HOLDS: '20', LIMIT_HOLDS_UNCONFIRMED: '20' } })
})
afterAll(() => t.close())
beforeEach(async () => {
  institute = await makeInstitute(t.db, { members: 1 })
  client = await makeUser(t.db)
  // From here on it is remembered.
  await hold(t, client, institute, { startsAt: three })
})

/** As another process does it. */
const close = ({ id }: MadeUser): Promise<unknown> => sql`delete from sessions where user_id = ${id}`.execute(t.db)
async function livesOf({ id }: MadeUser): Promise<string[]> {
  const { rows } = await sql<{ life: string }>`select life from appointments where user_id = ${id} order by starts_at`.execute(t.db)
  return rows.map(({ life }) => life)
}

it('holding and confirming are one statement each, which proves the session as well', async () => {
  const other = await makeInstitute(t.db)
  await bookVisit(t, client, other, { startsAt: ten })
  const { statements } = t.context.database
  const before = statements()
  const { _id } = await hold(t, client, other, { startsAt: later(ten, 60) })
  expect((await tryConfirm(t, client, _id)).status).toBe(201)
  expect(statements() - before).toBe(2)
})

describe('once it is closed', () => {
  it('nothing is held', async () => {
    await close(client)
    expect((await tryHold(t, client, institute, { startsAt: ten })).status).toBe(401)
    expect(await livesOf(client)).toEqual(['held'])
  })

  it('nothing is confirmed', async () => {
    const { _id } = await hold(t, client, institute, { startsAt: ten })
    await close(client)
    expect((await tryConfirm(t, client, _id)).status).toBe(401)
    expect(await livesOf(client)).toEqual(['held', 'held'])
  })

  it.each([
    ['why not', 409, { startsAt: ten }],
    ['what was answered under the key', 201, { startsAt: later(ten, 60), key: 'k' }],
    ['what was wrong with the request', 400, { startsAt: 'soon' }],
  ] as const)('it is not told %s', async (_what, before, request) => {
    await bookVisit(t, await makeUser(t.db), institute, { startsAt: ten })
    await hold(t, client, institute, { startsAt: later(ten, 60), key: 'k' })
    expect((await tryHold(t, client, institute, request)).status).toBe(before)
    await close(client)
    expect((await tryHold(t, client, institute, request)).body).toMatchObject({ code: 'unauthorized' })
  })

  it('it is not told that there is no such hold', async () => {
    await close(client)
    expect((await tryConfirm(t, client, client.id)).body).toMatchObject({ code: 'unauthorized' })
  })

  it('a hold that is in the way stays', async () => {
    await close(client)
    expect((await tryHold(t, client, institute, { startsAt: later(three, 20) })).status).toBe(401)
    expect(await livesOf(client)).toEqual(['held'])
  })

  it('no birthday is kept', async () => {
    await close(client)
    expect((await tryHold(t, client, institute, { startsAt: ten, birthday: '1990-02-03' })).status).toBe(401)
    const { rows } = await sql`select birthday from users where id = ${client.id}`.execute(t.db)
    expect(rows).toEqual([{ birthday: null }])
  })

  it('no seat of a group is taken', async () => {
    const services = [{ name: 'Yoga', active: 60, capacity: 3 }]
    const studio = await makeInstitute(t.db, { members: 1, services })
    const [serviceId = '', memberId = ''] = [studio.services[0], studio.members[0]]
    await openSession(t.context, diaryOf(studio), { serviceId, memberId, startsAt: ten })
    await close(client)
    expect((await tryHold(t, client, studio, { startsAt: ten })).status).toBe(401)
    expect(await livesOf(client)).toEqual(['held'])
  })

  it('nothing is paid', async () => {
    const { _id } = await hold(t, client, institute, { startsAt: ten })
    await close(client)
    const answer = await t.inject('POST', visitsPath, { token: client.token, body: { holdId: _id, pay: 'all' } })
    expect(answer.body).toMatchObject({ code: 'unauthorized' })
    const { rows } = await sql`select payment from appointments where id = ${_id}`.execute(t.db)
    expect(rows).toEqual([{ payment: 'none' }])
  })

  it('those who asked in the same moment have what they asked for', async () => {
    const wide = await makeInstitute(t.db, { members: 6 })
    const people = [client]
    for (let n = 1; n < 6; n++) people.push(await makeUser(t.db))
    const startsAt = wall('2026-11-25T10:00')
    // Another institute each, then all at one: in a batch of several, and within the holds of one.
    for (const [n, one] of people.entries()) await hold(t, one, wide, { startsAt: later(startsAt, 60), lines: [[0, n]] })
    await close(people[3]!)
    const answers = await Promise.all(people.map((one, n) => tryHold(t, one, wide, { startsAt, lines: [[0, n]] })))
    expect(answers.map(({ status }) => status)).toEqual([201, 201, 201, 401, 201, 201])
    const confirmed = await Promise.all(
      people.map((one, n) => tryConfirm(t, one, ((answers[n]?.body ?? {}) as { _id?: string })._id ?? client.id)),
    )
    expect(confirmed.map(({ status }) => status)).toEqual([201, 201, 201, 401, 201, 201])
  })
})

it('a session that ended by itself is proven by nothing', async () => {
  await sql`update sessions set expires_at = ${new Date(t.clock.now() + 30_000)} where user_id = ${client.id}`.execute(t.db)
  expect((await tryHold(t, client, institute, { startsAt: ten })).status).toBe(201)
  t.clock.advance(31_000)
  expect((await tryHold(t, client, institute, { startsAt: later(ten, 60) })).status).toBe(401)
})

it('who has to confirm their email again does so first', async () => {
  const { _id } = await hold(t, client, institute, { startsAt: ten })
  await sql`update users set email_verified_at = null where id = ${client.id}`.execute(t.db)
  expect((await tryConfirm(t, client, _id)).body).toMatchObject({ code: 'email_unverified' })
  expect(await livesOf(client)).toEqual(['held', 'held'])
})

it('who has not confirmed their email is never remembered, and holds as before', async () => {
  const fresh = await makeUser(t.db, { verified: false })
  expect((await tryHold(t, fresh, institute, { startsAt: ten })).status).toBe(201)
  expect((await tryHold(t, fresh, await makeInstitute(t.db), { startsAt: ten })).status).toBe(201)
})

it('its use is noted once a minute as that of any other', async () => {
  await sql`update sessions set last_seen_at = ${new Date(t.clock.now())} where user_id = ${client.id}`.execute(t.db)
  t.clock.advance(61_000)
  await hold(t, client, institute, { startsAt: ten })
  const { rows } = await sql<{ at: string }>`select last_seen_at as at from sessions where user_id = ${client.id}`.execute(t.db)
  expect(rows).toEqual([{ at: new Date(t.clock.now()).toISOString() }])
})

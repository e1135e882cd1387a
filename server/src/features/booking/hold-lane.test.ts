/** Those who ask together are planned together. Nobody may hear more of it than being answered: not a refusal for what a neighbour did not get in the end. */
import { sql } from 'kysely'
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Hold } from '@soigne/contract/appointments'
import {
  bookVisit,
  cancelled,
  hold,
  holdBody,
  holdsPath,
  later,
  overlaps,
  refused,
  somebodyWaits,
  tryConfirm,
  tryHold,
  wall,
} from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'
import { systemScope } from '#/platform/access.ts'
import { holdInLane } from './hold-lane.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
const eleven = wall('2026-11-24T11:00')

let t: TestApp
let other: TestApp
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: now, settings: { LIMIT_HOLDS: '2' } })
  other = await openTestApp({ at: now, settings: { LIMIT_HOLDS: '2' }, databaseUrl: t.databaseUrl })
})
afterAll(async () => {
  await other.close()
  await t.close()
})
const at = (instant: string): void => {
  t.clock.set(instant)
  other.clock.set(instant)
}
beforeEach(async () => {
  at(now)
  institute = await makeInstitute(t.db, { members: 1 })
})

const people = (count: number): Promise<MadeUser[]> => Promise.all(Array.from({ length: count }, () => makeUser(t.db)))
const asked = (user: MadeUser, startsAt: string, key: string | null = null): Parameters<typeof holdInLane>[1] => ({
  request: { instituteId: institute.id, cart: [{ serviceId: institute.services[0] ?? '' }], startsAt: Date.parse(startsAt) },
  scope: systemScope('test').user(user.id),
  locale: 'en',
  key,
  fingerprint: key && 'ab'.repeat(32),
})

/** What is asked while the lane is busy with somebody who waits for the diary: all of it is in the next batch, in this order. */
async function together<T>(ask: () => Promise<T>[]): Promise<PromiseSettledResult<T>[]> {
  const [first] = await people(1)
  const writer: pg.PoolClient = await t.ownerPool.connect()
  await writer.query('begin')
  await writer.query('select from diary_versions where institute_id = $1 for update', [institute.id])
  const busy = holdInLane(t.context, asked(first as MadeUser, wall('2026-11-25T16:00')))
  await somebodyWaits(t)
  // Looked after at once: one of them may be refused before the one that keeps the lane busy has its answer.
  const answers = Promise.allSettled(ask())
  await writer.query('commit')
  writer.release()
  await busy
  return answers
}

const codeOf = (one: PromiseSettledResult<unknown>): string =>
  one.status === 'fulfilled' ? 'held' : String((one.reason as { code?: unknown }).code)

describe('those who are planned together', () => {
  it('are not refused for a time that a neighbour did not get', async () => {
    const [full, next, third] = (await people(3)) as [MadeUser, MadeUser, MadeUser]
    const elsewhere = await makeInstitute(t.db, {})
    for (const startsAt of [ten, eleven]) await hold(t, full, elsewhere, { startsAt })
    const answers = await together(() => [full, next, third].map((user) => holdInLane(t.context, asked(user, ten))))
    expect(answers.map(codeOf)).toEqual(['too_many_holds', 'held', 'slot_taken'])
  })

  it('get theirs when one of them has too many holds', async () => {
    const [full, ...others] = (await people(4)) as [MadeUser, ...MadeUser[]]
    const elsewhere = await makeInstitute(t.db, {})
    for (const startsAt of [ten, eleven]) await hold(t, full, elsewhere, { startsAt })
    const answers = await together(() => [
      ...others.slice(0, 1).map((user) => holdInLane(t.context, asked(user, ten))),
      holdInLane(t.context, asked(full, wall('2026-11-24T12:00'))),
      ...others.slice(1).map((user, n) => holdInLane(t.context, asked(user, later(wall('2026-11-24T13:00'), 60 * n)))),
    ])
    expect(answers.map(codeOf)).toEqual(['held', 'too_many_holds', 'held', 'held'])
  })

  it('stand behind fifteen with too many holds, and the last one has the time', async () => {
    const many = await people(15)
    const elsewhere = await makeInstitute(t.db, { members: 15 })
    for (const user of many) for (const startsAt of [ten, eleven]) await hold(t, user, elsewhere, { startsAt })
    const [last] = await people(1)
    const answers = await together(() => [...many, last as MadeUser].map((user) => holdInLane(t.context, asked(user, ten))))
    expect(answers.map(codeOf)).toEqual([...many.map(() => 'too_many_holds'), 'held'])
  })

  it('are one when they repeat one another under a key', async () => {
    const [client] = (await people(1)) as [MadeUser]
    institute = await makeInstitute(t.db, { members: 3 })
    const answers = await together(() => Array.from({ length: 8 }, () => holdInLane(t.context, asked(client, ten, 'again'))))
    const ids = answers.map((one) => (one.status === 'fulfilled' ? one.value._id : one.reason))
    expect(new Set(ids).size).toBe(1)
    expect(await rowsOf(client)).toEqual(['held'])
  })

  it('are never forgotten, whenever they ask between the answer to one and the end of a batch', async () => {
    for (let turns = 0; turns < 30; turns++) {
      const [one, two] = (await people(2)) as [MadeUser, MadeUser]
      const day = 1 + (turns % 5)
      const startsAt = later(wall('2026-12-07T09:00'), 1440 * day + 60 * Math.floor(turns / 5))
      await holdInLane(t.context, asked(one, startsAt))
      for (let turn = 0; turn < turns; turn++) await Promise.resolve()
      await expect(holdInLane(t.context, asked(two, startsAt))).rejects.toMatchObject({ code: 'slot_taken' })
    }
  })
})

describe('a diary that somebody else has changed', () => {
  it('does not refuse a time whose hold has run out unseen', async () => {
    const [first, second, third] = (await people(3)) as [MadeUser, MadeUser, MadeUser]
    const booked = await bookVisit(t, first, institute, { startsAt: ten })
    at(later(now, 11))
    expect(refused(await tryHold(t, third, institute, { startsAt: ten }))).toEqual([409, 'slot_taken'])
    // What is remembered now knows of no hold.
    await cancelled(other, first, booked._id)
    await hold(other, second, institute, { startsAt: ten })
    at(later(now, 21))
    await hold(t, third, institute, { startsAt: ten })
  })

  it('asks what a service has begun to ask of its clients', async () => {
    const [client] = (await people(1)) as [MadeUser]
    expect((await tryHold(t, client, institute, { startsAt: eleven })).status).toBe(201)
    await sql`insert into service_prerequisites (service_id, institute_id, required_service_id, min_hours, max_months) values (${institute.services[0]}, ${institute.id}, ${institute.services[1]}, 48, 6)`.execute(
      t.db,
    )
    expect(refused(await tryHold(t, client, institute, { startsAt: ten }))).toEqual([422, 'prerequisite_missing'])
  })
})

const byTurns = (count: number, ask: (app: TestApp) => Promise<TestAnswer>): Promise<TestAnswer[]> =>
  Promise.all(Array.from({ length: count }, (_, n) => ask(n % 2 ? other : t)))
const rowsOf = async (user: MadeUser): Promise<string[]> =>
  (await sql<{ status: string }>`select status from appointments where user_id = ${user.id}`.execute(t.db)).rows.map(({ status }) => status)

describe('a key', () => {
  it('sent twenty times at once through two processes makes one hold and one visit, and all have the same answer', async () => {
    for (let round = 0; round < 5; round++) {
      const [client] = (await people(1)) as [MadeUser]
      const roomy = await makeInstitute(t.db, { members: 3 })
      const holds = await byTurns(20, (app) => tryHold(app, client, roomy, { startsAt: ten, key: `hold-${round}` }))
      expect(holds.map(({ status }) => status)).toEqual(holds.map(() => 201))
      expect(new Set(holds.map(({ text }) => text)).size).toBe(1)
      expect(await rowsOf(client)).toEqual(['held'])
      const visits = await byTurns(20, (app) => tryConfirm(app, client, String(holds[0]?.body['_id']), { key: `visit-${round}` }))
      expect(visits.map(({ status }) => status)).toEqual(visits.map(() => 201))
      expect(new Set(visits.map(({ text }) => text)).size).toBe(1)
      expect(await rowsOf(client)).toEqual(['pending'])
    }
  })

  it('of a hold is no key for another time, nor for a confirmation, whoever asks first', async () => {
    const [client] = (await people(1)) as [MadeUser]
    const held = await hold(t, client, institute, { startsAt: ten, key: 'one' })
    for (const app of [t, other]) {
      expect(refused(await tryHold(app, client, institute, { startsAt: eleven, key: 'one' }))).toEqual([409, 'idempotency_conflict'])
      expect(refused(await tryConfirm(app, client, held._id, { key: 'one' }))).toEqual([409, 'idempotency_conflict'])
    }
    expect((await tryConfirm(t, client, held._id, { key: 'two' })).status).toBe(201)
    for (const app of [t, other])
      expect(refused(await tryHold(app, client, institute, { startsAt: eleven, key: 'two' }))).toEqual([409, 'idempotency_conflict'])
    expect(await rowsOf(client)).toEqual(['pending'])
  })

  it('for two different times at once makes one of them', async () => {
    for (let round = 0; round < 5; round++) {
      const [client] = (await people(1)) as [MadeUser]
      const roomy = await makeInstitute(t.db, { members: 3 })
      const send = (app: TestApp, n: number): Promise<TestAnswer> =>
        app.inject('POST', holdsPath, {
          token: client.token,
          body: holdBody(roomy, { startsAt: n % 4 < 2 ? ten : eleven }),
          headers: { 'idempotency-key': 'same' },
        })
      const answers = await Promise.all(Array.from({ length: 8 }, (_, n) => send(n % 2 ? other : t, n)))
      const held = answers.filter(({ status }) => status === 201)
      expect(held).toHaveLength(4)
      expect(new Set(held.map(({ text }) => text)).size).toBe(1)
      expect(answers.filter(({ status }) => status !== 201).map(refused)).toEqual(held.map(() => [409, 'idempotency_conflict']))
      expect(await rowsOf(client)).toEqual(['held'])
    }
  })

  it('may be sent again after its time was taken back, and is answered as before', async () => {
    const [client, next] = (await people(2)) as [MadeUser, MadeUser]
    const held: Hold = await hold(t, client, institute, { startsAt: ten, key: 'kept' })
    await t.inject('DELETE', `${holdsPath}/${held._id}`, { token: client.token })
    await hold(other, next, institute, { startsAt: ten })
    for (const app of [t, other]) expect((await tryHold(app, client, institute, { startsAt: ten, key: 'kept' })).body).toEqual(held)
    expect(await overlaps(t.db)).toBe(0)
  })
})

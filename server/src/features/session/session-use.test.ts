// What is noted of sessions in use, where many come back to life in the same moment.
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MadeUser, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const mePath = '/api/v1/secure/client/profile/me'

let t: TestApp
let people: MadeUser[]
beforeAll(async () => {
  t = await openTestApp({ at: '2026-03-01T10:00:00Z' })
  people = []
  for (let n = 0; n < 12; n++) people.push(await makeUser(t.db))
  await sql`update sessions set last_seen_at = ${new Date(t.clock.now())}`.execute(t.db)
})
afterAll(() => t.close())

const askAll = async (who: readonly MadeUser[]): Promise<number[]> =>
  (await Promise.all(who.map(({ token }) => t.inject('GET', mePath, { token })))).map(({ status }) => status)
const seenAt = async ({ id }: MadeUser): Promise<string | undefined> =>
  (await sql<{ at: string }>`select last_seen_at as at from sessions where user_id = ${id}`.execute(t.db)).rows[0]?.at

it('what is noted of many is written together', async () => {
  t.clock.advance(120_000)
  expect(await askAll(people)).toEqual(people.map(() => 200))
  const { rows } = await sql<{ xid: string; sessions: number }>`select xmin::text as xid, count(*)::int as sessions from sessions
    where last_seen_at = ${new Date(t.clock.now())} group by xmin::text`.execute(t.db)
  expect(rows.reduce((sum, { sessions }) => sum + sessions, 0)).toBe(12)
  expect(rows.length).toBeLessThan(12)
})

it('nobody waits for a session that another is writing to', async () => {
  t.clock.advance(120_000)
  const [busy, ...others] = people as [MadeUser, ...MadeUser[]]
  const before = await seenAt(busy)
  const writer = await t.ownerPool.connect()
  await writer.query('begin')
  await writer.query('select from sessions where user_id = $1 for update', [busy.id])
  expect(await askAll(people)).toEqual(people.map(() => 200))
  await writer.query('rollback')
  writer.release()
  expect(await seenAt(busy)).toBe(before)
  for (const one of others) expect(await seenAt(one)).toBe(new Date(t.clock.now()).toISOString())
  // The next request notes it.
  expect(await askAll([busy])).toEqual([200])
  expect(await seenAt(busy)).toBe(new Date(t.clock.now()).toISOString())
})

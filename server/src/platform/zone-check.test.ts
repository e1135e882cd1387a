/** What the start says of zones: where Postgres's tables and Node's differ, however short the difference lasts. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { makeInstitute } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { compareZones } from './zone-check.ts'

const now = Date.parse('2026-11-20T11:00:00Z') as Parameters<typeof compareZones>[1]
let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z' })
  for (const timeZone of ['Europe/Paris', 'Asia/Kathmandu']) await makeInstitute(t.db, { timeZone })
})
afterAll(async () => t.close())

/** What Postgres has, so that the test says the same whichever tables are installed; the others are moved from there. */
async function offsetsInPostgres(zone: string): Promise<(at: number) => number> {
  const { rows } = await sql<{ at: number; offset: number }>`
    select s as at, extract(epoch from (to_timestamp(s) at time zone ${zone}) - (to_timestamp(s) at time zone 'UTC'))::int as offset
    from generate_series(${now / 1000}::int8, ${now / 1000 + 400 * 86_400}::int8, 604800) s`.execute(t.db)
  const known = new Map(rows.map(({ at, offset }) => [Number(at), offset]))
  return (at) => known.get(at / 1000) ?? Number.NaN
}

test('zones on which both agree are not named', async () => {
  const paris = await offsetsInPostgres('Europe/Paris')
  const kathmandu = await offsetsInPostgres('Asia/Kathmandu')
  const agreeing = (zone: string, at: number): number => (zone === 'Europe/Paris' ? paris(at) : kathmandu(at))
  expect(await compareZones(t.context.database.db, now, agreeing)).toEqual([])
})

test('a clock that is put back for one month alone is seen, neither today nor in half a year', async () => {
  const paris = await offsetsInPostgres('Europe/Paris')
  const kathmandu = await offsetsInPostgres('Asia/Kathmandu')
  const [from, to] = [Date.parse('2027-02-08T00:00:00Z'), Date.parse('2027-03-08T00:00:00Z')]
  const ofNode = (zone: string, at: number): number =>
    zone === 'Europe/Paris' ? paris(at) - (at > from && at < to ? 3600 : 0) : kathmandu(at)
  expect(await compareZones(t.context.database.db, now, ofNode)).toEqual(['Europe/Paris'])
})

test('a zone that Postgres has no table for is named', async () => {
  await sql`insert into zones_in_use values ('Europe/Atlantis')`.execute(t.db)
  const paris = await offsetsInPostgres('Europe/Paris')
  const kathmandu = await offsetsInPostgres('Asia/Kathmandu')
  const ofNode = (zone: string, at: number): number => (zone === 'Europe/Paris' ? paris(at) : zone === 'Asia/Kathmandu' ? kathmandu(at) : 0)
  expect(await compareZones(t.context.database.db, now, ofNode)).toEqual(['Europe/Atlantis'])
})

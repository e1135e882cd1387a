import { reseedDemo, seedDemo } from '@soigne/demo/showcase/seed-demo'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { type OpenDatabase, openDatabase } from '#/platform/database.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { cloneTemplate } from '#/testing/test-database.ts'
import { demoHost as host } from './demo-host.ts'

const now = Date.parse('2026-11-20T11:00:00Z')

let database: OpenDatabase
let drop: () => Promise<void>

beforeAll(async () => {
  const clone = await cloneTemplate(inject('databaseServer'))
  drop = () => clone.drop()
  database = openDatabase(clone.url, { size: 2, onError: () => {} })
})

afterAll(async () => {
  await database.close()
  await drop()
})

async function count(table: string): Promise<number> {
  const found = await sql<{ count: number }>`select count(*) from ${sql.id(table)}`.execute(database.db)
  return found.rows[0]?.count ?? 0
}

describe('seeding the demo', () => {
  it('fills an empty database in a shape that every constraint accepts; places of open data do not count as somebody', async () => {
    await makeInstitute(database.db, { slug: 'of-open-data', claimed: false })
    const counts = await seedDemo(database.pool, { host, now })
    expect(counts?.institutes).toBeGreaterThanOrEqual(60)
    expect(counts?.appointments).toBeGreaterThan(5000)
    expect(await count('appointments')).toBe(counts?.appointments)
    expect(await count('places')).toBe(0)
    const unverified = await sql<{ email: string }>`select email from users where email_verified_at is null`.execute(database.db)
    expect(unverified.rows).toEqual([{ email: 'new@soigne.test' }])
  })

  it('brings eight weeks of searches of every institute, of which some found nothing, and bookings made online', async () => {
    const { rows } = await sql<{ searches: number; nothing: number; days: number; online: number; ahead: number }>`
      select count(*) as searches, count(*) filter (where found = 0) as nothing, extract(day from ${new Date(now)} - min(asked_at))::int as days,
        count(*) filter (where asked_at > ${new Date(now)}) as ahead,
        (select count(*) from appointments a where a.institute_id = s.institute_id and a.made_by = 'client') as online
      from time_searches s group by institute_id`.execute(database.db)
    expect(rows.length).toBeGreaterThanOrEqual(60)
    for (const { searches, nothing, days, online, ahead } of rows) {
      expect(searches).toBeGreaterThanOrEqual(30)
      expect(searches - nothing).toBeGreaterThan(0)
      expect(nothing).toBeGreaterThan(0)
      expect(days).toBeGreaterThanOrEqual(40)
      expect(online).toBeGreaterThan(0)
      expect(ahead).toBe(0)
    }
  })

  it('does nothing when somebody has been here before', async () => {
    expect(await seedDemo(database.pool, { host, now })).toBeNull()
  })

  it('making it again moves it to the new day and leaves other people’s things alone', async () => {
    const mine = await makeInstitute(database.db, { slug: 'not-of-the-demo' })
    const me = await makeUser(database.db, { email: 'me@example.test' })
    const later = now + 9 * 24 * 3_600_000
    const counts = await reseedDemo(database.pool, { host, now: later })
    expect(await count('appointments')).toBe(counts.appointments)
    const kept = await sql<{
      id: string
    }>`select id from institutes where slug = 'not-of-the-demo' union all select id from users where email = 'me@example.test'`.execute(
      database.db,
    )
    expect(kept.rows).toEqual([{ id: mine.id }, { id: me.id }])
    const last = await sql<{ last: string }>`select max(starts_at) as last from appointments`.execute(database.db)
    expect(Date.parse(last.rows[0]?.last ?? '')).toBeGreaterThan(later + 20 * 24 * 3_600_000)
  })
})

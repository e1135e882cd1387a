import { type CrowdCounts, type CrowdRequest, seedCrowd } from '@soigne/demo/crowd/seed-crowd'
import { instituteTables } from '@soigne/demo/storage/bulk'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loadPlaces } from '#/features/places/service.ts'
import { verifySummary } from '#/features/summary/service.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { demoHost as host } from './demo-host.ts'

const size = 120
let app: TestApp
let counts: CrowdCounts
let now: number
let mine: { id: string }

beforeAll(async () => {
  app = await openTestApp()
  now = app.clock.now()
  await loadPlaces(app.db)
  mine = await makeInstitute(app.db, { slug: 'not-of-the-crowd' })
  counts = await crowdOf({ institutes: size, now, threads: 2 })
}, 180_000)
afterAll(() => app.close())

const crowdOf = (request: Omit<CrowdRequest, 'host'>): Promise<CrowdCounts> => seedCrowd(app.ownerPool, { host, ...request })

async function numbers(text: string): Promise<Record<string, number>> {
  const { rows } = await sql<Record<string, number>>`${sql.raw(text)}`.execute(app.db)
  return rows[0] ?? {}
}

const crowd = `(select id from institutes where slug <> 'not-of-the-crowd')`

/** Everything that keeps the tables right and fast. */
async function constraints(): Promise<string[]> {
  const { rows } = await sql<{ text: string }>`
    select conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) || ' ' || convalidated as text from pg_constraint
    union all select indexdef from pg_indexes where schemaname = 'public' order by 1`.execute(app.db)
  return rows.map(({ text }) => text)
}

describe('a crowd of institutes', () => {
  it('has as many as were asked for, each with a menu, a team and hours', async () => {
    expect(counts.institutes).toBe(size)
    const found = await numbers(`select
      (select count(*) from institutes) as institutes, (select count(*) from services where institute_id in ${crowd}) as services, (select count(*) from appointments) as appointments,
      (select count(*) from ${crowd} i where not exists (select from services s where s.institute_id = i.id)) as "withoutMenu",
      (select count(*) from ${crowd} i where not exists (select from team_members m join member_services p on p.member_id = m.id join rotas r on r.member_id = m.id where m.institute_id = i.id)) as "withoutTeam",
      (select count(*) from ${crowd} i where not exists (select from opening_hours o where o.institute_id = i.id)) as "withoutHours",
      (select count(*) from places) as places`)
    expect(found).toMatchObject({ institutes: size + 1, services: counts.services, appointments: counts.appointments })
    expect(found).toMatchObject({ withoutMenu: 0, withoutTeam: 0, withoutHours: 0 })
    expect(found['places']).toBeGreaterThan(100_000)
  })

  it('has some institutes with no visit, some with very many, and about twenty on average', async () => {
    const found = await numbers(`select avg(visits)::float8 as mean, min(visits) as least, max(visits) as most from
      (select count(a.id) as visits from ${crowd} i left join appointments a on a.institute_id = i.id group by i.id) as counted`)
    expect(found['mean']).toBeGreaterThan(12)
    expect(found['mean']).toBeLessThan(30)
    expect(found['least']).toBe(0)
    expect(found['most']).toBeGreaterThan(60)
  })

  it('gives no member and no resource two visits at once', async () => {
    const found = await numbers(`select count(*) as pairs from occupations a join occupations b
      on a.subject_id = b.subject_id and a.id < b.id and a.during && b.during`)
    expect(found['pairs']).toBe(0)
  })

  it('leaves every table it fills tidied and counted', async () => {
    const { rows } = await sql<{ table: string }>`select relname as "table" from pg_stat_user_tables
      where relname = any(${[...instituteTables]}::text[]) and (vacuum_count = 0 or analyze_count = 0)`.execute(app.db)
    expect(rows).toEqual([])
  })

  it('puts no two institutes at one point and has a zone for each', async () => {
    const found =
      await numbers(`select count(distinct (lat, lon)) as points, count(distinct slug) as slugs, count(distinct time_zone) as zones,
      count(distinct currency) as currencies from institutes where id in ${crowd}`)
    expect(found).toMatchObject({ points: size, slugs: size })
    expect(found['zones']).toBeGreaterThan(30)
    expect(found['currencies']).toBeGreaterThan(25)
  })

  it('has as large a share of its institutes in the twenty largest cities as these have of the people', async () => {
    const found =
      await numbers(`with largest as (select name, country_code, population from places where name not like '%(%' order by population desc limit 20)
      select (select sum(population)::float8 from largest) / (select sum(population) from places where name not like '%(%') as people,
        (select count(*)::float8 from institutes i join largest l on l.name = i.city and l.country_code = i.country_code where i.id in ${crowd}) / ${size} as institutes`)
    expect(found['people']).toBeGreaterThan(0.05)
    expect(Math.abs((found['institutes'] ?? 0) - (found['people'] ?? 0))).toBeLessThan(0.04)
  })

  it('brings the summary of free time with it, true and without marks', async () => {
    const report = await verifySummary(app.db, now)
    expect(report.wrong.filter(({ instituteId }) => instituteId !== mine.id)).toEqual([])
    const found = await numbers(`select (select count(*) from free_time_marks where institute_id in ${crowd}) as marks,
      (select count(*) from free_time where institute_id in ${crowd}) as summaries, (select count(*) from vocabulary) as words`)
    expect(found).toMatchObject({ marks: 0, summaries: size })
    expect(found['words']).toBeGreaterThan(300)
  })

  it('shows each of them on its page and offers times that are free', async () => {
    const { rows } = await sql<{ slug: string; id: string; service: string }>`
      select i.slug, i.id, (select s.id from services s join member_services m on m.service_id = s.id where s.institute_id = i.id order by s.position limit 1) as service
      from institutes i where i.slug <> 'not-of-the-crowd' order by md5(i.slug) limit 25`.execute(app.db)
    let withTimes = 0
    for (const { slug, id, service } of rows) {
      const page = await app.inject('GET', `/api/v1/client/institutes/${slug}`)
      expect(page.status, `${slug} ${page.text}`).toBe(200)
      const times = await app.inject('GET', `/api/v1/client/institutes/${id}/availability?service=${service}&from=2026-11-21&days=7`)
      expect(times.status, `${slug} ${times.text}`).toBe(200)
      if (times.text.includes('startsAt')) withTimes++
    }
    expect(withTimes).toBeGreaterThan(15)
  })

  it('is found nearest where it stands', async () => {
    const { rows } = await sql<{ lat: number; lon: number; slug: string }>`
      select lat, lon, slug from institutes where id in ${sql.raw(crowd)} order by slug limit 5`.execute(app.db)
    for (const { lat, lon, slug } of rows) {
      const found = await app.inject('GET', `/api/v1/client/institutes?lat=${lat}&lon=${lon}&radiusKm=5&sort=nearest`)
      expect(found.status, found.text).toBe(200)
      expect(found.text).toContain(`"slug":"${slug}"`)
    }
  })
})

describe('making a crowd again', () => {
  const digest = `select md5(string_agg(i.id || i.slug || i.lat || i.words::text, '|' order by i.id)) as institutes,
    (select md5(string_agg(o.id::text || o.during::text, '|' order by o.id)) from occupations o) as occupations,
    (select md5(string_agg(f.institute_id || f.near::text || f.far::text, '|' order by f.institute_id)) from free_time f where f.institute_id in ${crowd}) as "freeTime"
    from institutes i where i.id in ${crowd}`

  it('on the same day with the same number makes the same one instead of the first, with the constraints dropped or not', async () => {
    const first = await numbers(digest)
    const before = await constraints()
    const again = await crowdOf({ institutes: size, now: now + 3_600_000, threads: 1, manyInstitutes: 1 })
    expect(again).toMatchObject({ institutes: size, removed: size, appointments: counts.appointments, rows: counts.rows })
    expect(await numbers(digest)).toEqual(first)
    expect(await constraints()).toEqual(before)
  })

  it('with another number makes another one', async () => {
    const first = await numbers(digest)
    await crowdOf({ institutes: size, seedNumber: 2, now, threads: 1 })
    expect(await numbers(digest)).not.toEqual(first)
  })

  it('changes nothing when it fails in the middle, and leaves every constraint in place', async () => {
    const first = await numbers(digest)
    const before = await constraints()
    await sql`create function refuse_late() returns trigger language plpgsql as $$ begin raise exception 'the disk is full'; end $$`.execute(
      app.db,
    )
    await sql`create trigger refuse_late after insert on free_time for each statement execute function refuse_late()`.execute(app.db)
    await expect(crowdOf({ institutes: 20, now, threads: 1, manyInstitutes: 1 })).rejects.toThrow('the disk is full')
    await sql`drop function refuse_late cascade`.execute(app.db)
    expect(await numbers(digest)).toEqual(first)
    expect(await constraints()).toEqual(before)
  })

  it('gives no visit a reference that somebody has', async () => {
    const person = await makeUser(app.db)
    const { rows } = await sql<{
      id: string
      reference: string
    }>`select id, reference from appointments where status = 'pending' order by id limit 1`.execute(app.db)
    const taken = rows[0]?.reference ?? ''
    await crowdOf({ institutes: 0, now })
    await sql`insert into appointments (institute_id, user_id, reference, status, starts_at, ends_at, time_zone, cart, total_amount, currency, terms, expires_at, first_starts_at)
      values (${mine.id}, ${person.id}, ${taken}, 'held', now(), now() + interval '1 hour', 'Europe/Paris', '[]', 0, 'EUR', '{}', now(), now())`.execute(
      app.db,
    )
    await crowdOf({ institutes: size, seedNumber: 2, now, threads: 1 })
    const found = await sql<{ institute_id: string }>`select institute_id from appointments where reference = ${taken}`.execute(app.db)
    expect(found.rows).toEqual([{ institute_id: mine.id }])
  })

  it('with none takes it away and leaves what people made', async () => {
    const gone = await crowdOf({ institutes: 0, now })
    expect(gone).toMatchObject({ institutes: 0, rows: 0, removed: size })
    const found =
      await numbers(`select (select count(*) from institutes) as institutes, (select count(*) from services where institute_id in ${crowd}) as services,
      (select count(*) from occupations) as occupations, (select count(*) from customers) as customers, (select count(*) from free_time where institute_id in ${crowd}) as summaries`)
    expect(found).toEqual({ institutes: 1, services: 0, occupations: 0, customers: 0, summaries: 0 })
  })

  it.each([-1, 0.5, 1e9])('refuses a crowd of %d', async (institutes) => {
    await expect(crowdOf({ institutes, now })).rejects.toThrow('a crowd has')
  })
})

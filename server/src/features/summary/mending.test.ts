/** Summaries that are behind: who mends them, who waits, and what is answered meanwhile. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { dayMs } from '@soigne/contract/time'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { tryHold, wall } from '#/testing/booking.ts'
import { type MadeInstitute, makeInstitute, makeUser } from '#/testing/factories.ts'
import { buildApp } from '#/app.ts'
import { startServerProcess } from '#/testing/server-process.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { catchUp, openMending } from './mending.ts'
import { rebuildSummary, verifySummary } from './service.ts'

let t: TestApp
let institutes: MadeInstitute[]
const day = '2026-11-26'
const anyDay = '/api/v1/client/institutes?lat=48.85&lon=2.35&pageSize=20'
const searchPath = `${anyDay}&day=${day}`
beforeAll(async () => {
  t = await openTestApp()
  institutes = await Promise.all(
    Array.from({ length: 16 }, (_, n) => makeInstitute(t.db, { lat: 48.85, lon: 2.35, name: `Institute ${n}` })),
  )
  await rebuildSummary(t.db, t.clock.now())
})
afterAll(() => t.close())

const search = () => t.inject('GET', searchPath)
const marked = async (): Promise<number> =>
  (await sql<{ n: number }>`select count(distinct institute_id)::int as n from free_time_marks`.execute(t.db)).rows[0]?.n ?? -1
const closeAll = (institute: MadeInstitute[], from = day) =>
  sql`insert into closures (institute_id, from_day, to_day) select id, ${from}, ${from} from unnest(${institute.map(({ id }) => id)}::uuid[]) as id`.execute(
    t.db,
  )
const openAgain = () => sql`delete from closures`.execute(t.db)
const settled = () =>
  vi.waitFor(
    async () => {
      await catchUp(t.db, t.clock.now())
      expect(await marked()).toBe(0)
    },
    { timeout: 60_000 },
  )
/** Another process is at the mending, and does not come to an end. */
async function whileMendingElsewhere<T>(work: () => Promise<T>): Promise<T> {
  const other = await t.ownerPool.connect()
  // As long as the server needs to start, on a busy machine too.
  await other.query('begin; set local idle_in_transaction_session_timeout = 0; select pg_advisory_xact_lock(727004)')
  try {
    return await work()
  } finally {
    await other.query('commit')
    other.release()
  }
}

describe('the job', () => {
  it('is done by one of the processes that try at once', async () => {
    await closeAll(institutes)
    const done = await Promise.all([1, 2, 3].map(() => catchUp(t.db, t.clock.now())))
    expect(done.reduce((sum, n) => sum + n)).toBe(16)
    expect(await verifySummary(t.db, t.clock.now())).toMatchObject({ marked: 0, wrong: [] })
    await openAgain()
    await catchUp(t.db, t.clock.now())
  })

  it('keeps nobody behind one that cannot be summarised, and names it', async () => {
    const odd = await makeInstitute(t.db)
    await catchUp(t.db, t.clock.now())
    await sql`update institutes set time_zone = 'Nowhere/Land' where id = ${odd.id}`.execute(t.db)
    await closeAll(institutes)
    await expect(catchUp(t.db, t.clock.now())).rejects.toThrow(odd.id)
    expect(await marked()).toBe(1)
    await sql`update institutes set time_zone = 'Europe/Paris' where id = ${odd.id}`.execute(t.db)
    await openAgain()
    expect(await catchUp(t.db, t.clock.now())).toBe(17)
  })
})

describe('an institute that is summarised while it is booked', () => {
  it('is held for with the index, also by who remembers it without one', async () => {
    const client = await makeUser(t.db)
    const young = await makeInstitute(t.db, { members: 1, services: [{ active: 60 }] })
    for (const startsAt of [wall('2026-11-27T09:00'), wall('2026-11-27T11:00')]) {
      expect((await tryHold(t, client, young, { startsAt, lines: [[0, 0]] })).status).toBe(201)
      await catchUp(t.db, t.clock.now())
      expect(await verifySummary(t.db, t.clock.now())).toMatchObject({ marked: 0, wrong: [] })
    }
  })

  it('also where another release has made other classes of it since it was remembered', async () => {
    const client = await makeUser(t.db)
    const shared = await makeInstitute(t.db, { members: 2, services: [{ active: 60 }] })
    await catchUp(t.db, t.clock.now())
    const path = `/api/v1/client/institutes/${shared.id}/availability?from=2026-11-27&days=1&service=${shared.services[0] ?? ''}&staff=any`
    expect((await t.inject('GET', path)).status).toBe(200)
    await sql`update free_time set classes = 'of another release' where institute_id = ${shared.id}`.execute(t.db)
    // Another member is free at the same time: in the classes that are remembered nothing changes.
    expect((await tryHold(t, client, shared, { startsAt: wall('2026-11-27T09:00'), lines: [[0, 0]] })).status).toBe(201)
    expect(await verifySummary(t.db, t.clock.now())).toMatchObject({ marked: 0, wrong: [] })
  })

  it('also where what is remembered began on an earlier day', async () => {
    const [client, now] = [await makeUser(t.db), t.clock.now()]
    const quiet = await makeInstitute(t.db, { members: 1, services: [{ active: 60 }] })
    await catchUp(t.db, now)
    t.clock.set(now + 6 * dayMs)
    const path = `/api/v1/client/institutes/${quiet.id}/availability?from=2026-11-27&days=1&service=${quiet.services[0] ?? ''}&staff=any`
    expect((await t.inject('GET', path)).status).toBe(200)
    await catchUp(t.db, t.clock.now())
    expect((await tryHold(t, client, quiet, { startsAt: wall('2026-12-07T09:00'), lines: [[0, 0]] })).status).toBe(201)
    expect(await verifySummary(t.db, t.clock.now())).toMatchObject({ marked: 0, wrong: [] })
    t.clock.set(now)
  })
})

describe('searches that meet what was changed past us', () => {
  const twentyAtOnce = async (): Promise<{ totals: number[]; statements: number }> => {
    const { statements } = t.context.database
    const before = statements()
    const answers = await Promise.all(Array.from({ length: 20 }, search))
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 20 }, () => 200))
    return { totals: answers.map(({ body }) => Number(body['total'])), statements: statements() - before }
  }

  it('share one mending: 16 marked and 20 searches at once cost little more than the searches', async () => {
    const usual = await twentyAtOnce()
    expect(usual.totals).toEqual(Array.from({ length: 20 }, () => 16))
    await closeAll(institutes.slice(0, 15))
    const { totals, statements } = await twentyAtOnce()
    expect(totals).toEqual(Array.from({ length: 20 }, () => 1))
    expect(await marked()).toBe(0)
    // It was 200 more for each search when each of them mended.
    expect(statements - usual.statements).toBeLessThanOrEqual(60)
    await openAgain()
    expect((await search()).body['total']).toBe(16)
  })

  it('wait no longer than a while for another process, and answer from the diaries what is still behind', async () => {
    await closeAll(institutes.slice(0, 10))
    const hasty = { ...t.context, patienceMs: 100 }
    await whileMendingElsewhere(async () => {
      await openMending(hasty).settled()
      const app = await buildApp(hasty)
      expect((await app.app.inject(searchPath)).json()).toMatchObject({ total: 6 })
      expect(await marked()).toBe(10)
      await app.app.close()
    })
    await openAgain()
    expect((await search()).body['total']).toBe(16)
    await settled()
  })

  it('do not wait where so much is behind that waiting would not help', async () => {
    await sql`insert into institutes (slug, name, categories, city, country_code, lat, lon, time_zone, currency)
      select 'draft-' || n, 'Draft', '{hair}', 'Nice', 'FR', 43.7, 7.3, 'Europe/Paris', 'EUR' from generate_series(1, 120) n`.execute(t.db)
    await whileMendingElsewhere(() => openMending({ ...t.context, patienceMs: 3_600_000 }).settled())
    await settled()
  })

  it('wait no longer than it takes', async () => {
    await closeAll(institutes.slice(0, 3))
    await openMending({ ...t.context, patienceMs: 3_600_000 }).settled()
    expect(await marked()).toBe(0)
    await openAgain()
    await settled()
  })
})

it('a process with 200 institutes behind listens before they are mended, and mends them while it serves', async () => {
  const dataDir = mkdtempSync(join(tmpdir(), 'soigne-mending-'))
  await sql`insert into places (geoname_id, name, country_code, lat, lon, population, time_zone, search) values (1, 'Nice', 'FR', 43.7, 7.3, 1, 'Europe/Paris', '|nice|')`.execute(
    t.db,
  )
  await sql`insert into institutes (slug, name, categories, city, country_code, lat, lon, time_zone, currency)
    select 'late-' || n, 'Late', '{hair}', 'Nice', 'FR', 43.7, 7.3, 'Europe/Paris', 'EUR' from generate_series(1, 200) n`.execute(t.db)
  expect(await marked()).toBe(200)
  const { connectionString } = t.ownerPool.options
  const server = await whileMendingElsewhere(async () => {
    const started = await startServerProcess({ DATABASE_URL: connectionString ?? '', DATA_DIR: dataDir }, { isWhole: true })
    expect((await fetch(`${started.url}/ready`)).status).toBe(200)
    expect((await fetch(`${started.url}${anyDay}`)).status).toBe(200)
    expect(await marked()).toBe(200)
    return started
  })
  // What the first job left to the other is made up for by a search or the next job.
  await vi.waitFor(
    async () => {
      await fetch(`${server.url}${anyDay}`)
      expect(await marked()).toBe(0)
    },
    { timeout: 60_000, interval: 100 },
  )
  await server.stop()
  rmSync(dataDir, { recursive: true, force: true })
})

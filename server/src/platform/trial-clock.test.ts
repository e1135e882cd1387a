/** The clock of a trial: one for all processes on a database, forward only, remembered. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildApp } from '#/app.ts'
import { holdBody, holdsPath, visitsPath } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { type ServerProcess, startServerProcess } from '#/testing/server-process.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { openLimit } from './limits.ts'
import { openTrialClock, productNow, type TrialClock } from './trial-clock.ts'

const minute = 60_000
const dataDir = mkdtempSync(join(tmpdir(), 'soigne-clock-'))
let t: TestApp
const running: ServerProcess[] = []
const clocks: TrialClock[] = []
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(async () => {
  await t.close()
  rmSync(dataDir, { recursive: true, force: true })
})
beforeEach(async () => {
  await sql`delete from trial_clock`.execute(t.db)
})
afterEach(async () => {
  await Promise.all([...running.splice(0).map((server) => server.stop()), ...clocks.splice(0).map((clock) => clock.close())])
})

const start = async (): Promise<ServerProcess> => {
  const server = await startServerProcess({ DATABASE_URL: t.ownerPool.options.connectionString ?? '', DATA_DIR: dataDir })
  running.push(server)
  return server
}
const follow = async (): Promise<TrialClock> => {
  const clock = openTrialClock(t.context.database, t.context.log)
  clocks.push(clock)
  await clock.follow()
  return clock
}
const clockOf = async ({ url }: ServerProcess): Promise<number> => {
  const response = await fetch(`${url}/dev/clock`)
  return Date.parse(((await response.json()) as { now: string }).now)
}
const forward = async ({ url }: ServerProcess, body: unknown): Promise<{ status: number; now: number }> => {
  const response = await fetch(`${url}/dev/clock`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: response.status, now: Date.parse(((await response.json()) as { now?: string }).now ?? '') }
}

describe('the clock of a trial', () => {
  it('moved on one process is moved on the other, and on one that starts later', async () => {
    const [one, two] = await Promise.all([start(), start()])
    const before = Date.now()
    const moved = await forward(one, { forwardMinutes: 90 })
    expect(moved.status).toBe(200)
    expect(moved.now).toBeGreaterThanOrEqual(before + 90 * minute)
    await vi.waitFor(async () => expect(await clockOf(two)).toBeGreaterThanOrEqual(moved.now), { timeout: 60_000, interval: 5 })
    await one.stop()
    expect(await clockOf(await start())).toBeGreaterThanOrEqual(moved.now)
    const to = new Date(moved.now + 30 * 86_400_000).toISOString()
    expect((await forward(two, { to })).now).toBeGreaterThanOrEqual(Date.parse(to))
    expect(await productNow(t.db)).toBeGreaterThanOrEqual(Date.parse(to))
  })

  it('ends a hold of another process: its time is free again, and nobody can confirm it', async () => {
    const [one, two] = await Promise.all([start(), start()])
    const institute = await makeInstitute(t.db, { timeZone: 'Africa/Abidjan', members: 1 })
    const [first, second] = await Promise.all([makeUser(t.db), makeUser(t.db)])
    const day = new Date(Date.now() + 21 * 86_400_000)
    day.setUTCDate(day.getUTCDate() + ((1 - day.getUTCDay() + 7) % 7))
    const startsAt = `${day.toISOString().slice(0, 10)}T10:00:00.000Z`
    const post = async (server: ServerProcess, path: string, token: string, body: unknown): Promise<{ status: number; _id: string }> => {
      const response = await fetch(`${server.url}${path}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      return { ...((await response.json()) as { _id: string }), status: response.status }
    }
    const held = await post(one, holdsPath, first.token, holdBody(institute, { startsAt }))
    expect(held.status).toBe(201)
    expect((await post(two, holdsPath, second.token, holdBody(institute, { startsAt }))).status).toBe(409)
    const { now } = await forward(two, { forwardMinutes: 11 })
    expect((await post(two, holdsPath, second.token, holdBody(institute, { startsAt }))).status).toBe(201)
    await vi.waitFor(async () => expect(await clockOf(one)).toBeGreaterThanOrEqual(now), { timeout: 60_000, interval: 5 })
    expect((await post(one, visitsPath, first.token, { holdId: held._id })).status).toBe(409)
  })

  it('goes forward only, and takes nothing else', async () => {
    const server = await start()
    const hour = new Date(Date.now() + 60 * minute).toISOString()
    expect((await forward(server, { to: hour })).status).toBe(200)
    for (const body of [
      { to: new Date().toISOString() },
      { forwardMinutes: -5 },
      { forwardMinutes: 0 },
      { forwardMinutes: 1e12 },
      { to: '9999-01-01T00:00:00Z' },
      { to: 'tomorrow' },
      { to: hour, forwardMinutes: 5 },
      {},
      [],
      null,
    ])
      expect([body, (await forward(server, body)).status]).toEqual([body, 400])
    expect(Math.abs((await clockOf(server)) - Date.parse(hour))).toBeLessThan(20 * minute)
  })
})

describe('a clock that follows', () => {
  it('comes back after its connection was cut, and has heard what was said meanwhile', async () => {
    const clock = await follow()
    const cut = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'soigne-clock-%'`.execute(
        t.db,
      )
    for (const by of [10, 20, 30]) {
      const other = openTrialClock(t.context.database, t.context.log)
      await cut()
      await other.forward({ byMs: by * minute })
      await vi.waitFor(() => expect(clock.aheadMs()).toBe(other.aheadMs()), { timeout: 60_000, interval: 5 })
    }
    expect(clock.aheadMs()).toBe(60 * minute)
  })

  it('adds up moves made at once by many', async () => {
    const all = await Promise.all([follow(), follow(), follow()])
    await Promise.all(all.flatMap((clock) => [1, 2, 3].map(() => clock.forward({ byMs: minute }))))
    await vi.waitFor(() => expect(all.map((clock) => clock.aheadMs())).toEqual([9 * minute, 9 * minute, 9 * minute]), { timeout: 60_000 })
  })

  it('brings the end of budgets nearer', async () => {
    const clock = await follow()
    const limit = openLimit(t.ownerPool, 'of the clock', 1, 600)
    await limit.take('somebody')
    await clock.forward({ byMs: 5 * minute })
    await expect(limit.take('somebody')).rejects.toMatchObject({ code: 'too_many_requests' })
    await clock.forward({ byMs: 6 * minute })
    await limit.take('somebody')
  })

  it('begins the work that has become due, and says the time to browsers', async () => {
    const clock = await follow()
    const built = await buildApp({ ...t.context, clock, trialClock: clock })
    await sql`delete from graphile_worker._private_jobs`.execute(t.db)
    const answer = await built.app.inject({ method: 'POST', url: '/dev/clock', payload: { forwardMinutes: 1440 } })
    expect(answer.statusCode).toBe(200)
    expect(Math.abs(Date.parse(String(answer.headers.date)) - Date.now() - 1440 * minute)).toBeLessThan(20 * minute)
    const { rows } = await sql<{ name: string }>`select task_identifier as name from graphile_worker.jobs`.execute(t.db)
    expect(rows.map(({ name }) => name)).toEqual(expect.arrayContaining(['tidy_bookings', 'tidy_sessions', 'catch_up']))
    await built.app.close()
  })
})

it('in production there is no clock to be moved or asked', async () => {
  const settings = { ...t.context.settings, mode: 'production' as const }
  const built = await buildApp({ ...t.context, settings })
  expect((await built.app.inject('/dev/clock')).statusCode).toBe(404)
  expect((await built.app.inject({ method: 'POST', url: '/dev/clock', payload: { forwardMinutes: 5 } })).statusCode).toBe(404)
  await built.app.close()
})

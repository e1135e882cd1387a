/**
 * An upgrade while the site serves: the release before goes on reading and booking while a process of this one migrates, starts beside it
 * and takes over. Nobody is refused, nobody waits a second for a lock, and every visit is there.
 * `npm run trust -- upgrade` does the same with 100,000 institutes (UPGRADE_INSTITUTES).
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { describe, expect, inject, it, onTestFailed, onTestFinished, vi } from 'vitest'
import { verifySummary } from './features/summary/service.ts'
import { migrateJobs } from './platform/jobs.ts'
import { openLog } from './platform/log.ts'
import { migrate } from './platform/migrations.ts'
import { makeUser } from './testing/factories.ts'
import { type ReleaseBefore, unpackRelease } from './testing/release-before.ts'
import { type ServerProcess, startServerProcess } from './testing/server-process.ts'
import { beginTraffic } from './testing/site-traffic.ts'
import { openDatabase } from './platform/database.ts'

/** Those whose databases there are: the first that went out, and the last. UPGRADE_FROM names one. */
const releases = process.env['UPGRADE_FROM']?.split(',') ?? ['8290eb4']
const institutes = Number(process.env['UPGRADE_INSTITUTES'] ?? 300)
const isLarge = institutes > 10_000

/** A database as the release before has made it. */
async function databaseOf(before: ReleaseBefore, dataDir: string): Promise<{ url: string; drop(): Promise<void> }> {
  const server = inject('databaseServer')
  const admin = new pg.Client({ connectionString: server.replace(/\/[^/?]*(\?|$)/, '/postgres$1') })
  await admin.connect()
  const name = `upgrade_${process.pid}_${Date.now()}`
  await admin.query(`create database ${name}`)
  const url = server.replace(/\/[^/?]*(\?|$)/, `/${name}$1`)
  const { pool, close } = openDatabase(url, { size: 2, onError: () => {} })
  await migrate(pool, join(before.directory, 'server/migrations'))
  await migrateJobs(pool, openLog('error'))
  // Reading the whole gazetteer is no part of what is tried.
  await pool.query(
    `insert into places (geoname_id, name, country_code, lat, lon, population, time_zone, search) values (1, 'Nice', 'FR', 43.7, 7.3, 1, 'Europe/Paris', '|nice|')`,
  )
  await close()
  await before.run('scripts/seed.ts', ['--institutes', String(institutes)], { DATABASE_URL: url, DATA_DIR: dataDir })
  return {
    url,
    async drop() {
      await admin.query(`drop database ${name} with (force)`)
      await admin.end()
    },
  }
}

/**
 * The longest that anybody has waited for a table, in milliseconds, looked at twenty times a second; and the longest that a look took, which is what the machine
 * keeps everybody waiting at times.
 */
function watchLocks(pool: pg.Pool): { longest(): number; slowestLook(): number; stop(): void } {
  let longest = 0
  let slowestLook = 0
  let asked = performance.now()
  const look = (): void => {
    const began = asked
    asked = performance.now()
    void pool
      .query<{ ms: number }>(
        `select coalesce(max(extract(epoch from clock_timestamp() - waitstart) * 1000), 0)::float8 as ms from pg_locks
         where not granted and locktype = 'relation' and database = (select oid from pg_database where datname = current_database())`,
      )
      .then(
        ({ rows }) => {
          longest = Math.max(longest, rows[0]?.ms ?? 0)
          slowestLook = Math.max(slowestLook, performance.now() - began)
        },
        () => {},
      )
  }
  const timer = setInterval(look, 50)
  return { longest: () => longest, slowestLook: () => slowestLook, stop: () => clearInterval(timer) }
}

describe.each(releases)('the release %s', (commit) => {
  it('serves on while this one takes its place', { timeout: isLarge ? 3_600_000 : 900_000 }, async ({ skip }) => {
    const before = unpackRelease(commit)
    if (!before) return skip('it is not in the history of this clone')
    const dataDir = mkdtempSync(join(tmpdir(), 'soigne-upgrade-'))
    onTestFinished(() => {
      before.remove()
      rmSync(dataDir, { recursive: true, force: true })
    })
    let step = 'it makes its database'
    const running: ServerProcess[] = []
    onTestFailed(() => void process.stderr.write([`while ${step}`, ...running.map((server) => server.log().slice(-2000))].join('\n')))
    const made = await databaseOf(before, dataDir)
    const database = openDatabase(made.url, { size: 6, onError: () => {} })
    const bookers = await Promise.all(Array.from({ length: 4 }, () => makeUser(database.db)))
    const { rows: places } = await database.pool.query<{ id: string; slug: string; serviceId: string }>(
      `select i.id, i.slug, s.service_id as "serviceId" from institutes i join lateral (select service_id from bookable_services b where b.institute_id = i.id and b.price_amount is not null
         order by position limit 1) s on true where i.state = 'published' and i.claimed order by i.id limit 200`,
    )
    const locks = watchLocks(database.pool)
    const settings = { DATABASE_URL: made.url, DATA_DIR: dataDir, LIMIT_HOLDS: '1000' }
    const start = async (options: Parameters<typeof startServerProcess>[1]): Promise<ServerProcess> => {
      const server = await startServerProcess(settings, options)
      running.push(server)
      return server
    }
    try {
      step = 'it starts and serves alone'
      const old = await start({ program: join(before.directory, 'server/src/testing/server-process.ts') })
      const traffic = beginTraffic([old.url], { readers: 2, bookers, places })
      const someMore = async (more: number): Promise<void> => {
        const until = traffic.booked.length + more
        const isEnough = (): boolean => traffic.failed.length > 0 || traffic.booked.length >= until
        await vi.waitFor(() => expect(isEnough(), `${traffic.booked.length} booked, asked ${traffic.asked}`).toBe(true), {
          timeout: 300_000,
          interval: 20,
        })
        expect(traffic.failed.slice(0, 5), running.map((server) => server.log().slice(-2000)).join('\n')).toEqual([])
      }
      await someMore(5)
      step = 'the new one migrates and starts'
      const beganAt = performance.now()
      const fresh = await start({ isWhole: true })
      const startedMs = performance.now() - beganAt
      step = 'both serve'
      traffic.servers = [old.url, fresh.url]
      await someMore(10)
      // As a balancer does: nobody is sent there any more, then it ends.
      traffic.servers = [fresh.url]
      await someMore(2)
      step = 'the old one ends'
      await old.stop()
      step = 'the new one serves alone'
      await someMore(10)
      step = 'the traffic ends'
      await traffic.stop()
      step = 'what stands is read'
      expect(traffic.failed).toEqual([])
      // What was booked before the migration gets its life and payment from a fill, in the background.
      await vi.waitFor(
        async () => {
          const { rows } = await database.pool.query('select from appointments where life is null limit 1')
          expect(rows).toHaveLength(0)
        },
        // Hundreds of thousands of them take minutes.
        { timeout: isLarge ? 1_800_000 : 60_000, interval: 100 },
      )
      // Where even a look takes long, everybody waits for the machine and not for a lock.
      expect(locks.longest()).toBeLessThanOrEqual(1000 + 5 * locks.slowestLook())
      // New columns of what the release before has written are filled by a job.
      await vi.waitFor(
        async () => {
          const { rows } = await database.pool.query<{ id: string }>(
            `select a.id from appointments a where a.status = 'pending' and a.life = 'booked' and a.payment = 'none' and a.id = any($1) and exists (select from occupations o where o.appointment_id = a.id and o.expires_at is null)
               and not exists (select from idempotency_keys k where k.user_id = a.user_id and k.status is null)`,
            [traffic.booked],
          )
          expect(rows.map(({ id }) => id).toSorted()).toEqual(traffic.booked.toSorted())
        },
        { timeout: 60_000, interval: 100 },
      )
      // Those of the new release are written by a reaction, after the commit.
      await vi.waitFor(
        async () => {
          const letters = await database.pool.query<{ n: number }>(
            'select count(m.id)::int as n from appointments a left join mails m on m.appointment_id = a.id and m.recipient = any($2) where a.id = any($1) group by a.id',
            [traffic.booked, bookers.map(({ email }) => email)],
          )
          expect(letters.rows.map(({ n }) => n)).toEqual(traffic.booked.map(() => 1))
        },
        { timeout: 60_000, interval: 100 },
      )
      // So is what the index of free time knows of services.
      if (!isLarge)
        await vi.waitFor(
          async () => {
            const { rows } = await database.pool.query(
              'select institute_id from free_time_marks union all select institute_id from bookable_services where lead is null limit 1',
            )
            expect(rows).toHaveLength(0)
          },
          { timeout: 120_000, interval: 250 },
        )
      if (!isLarge) expect((await verifySummary(database.db, Date.now())).wrong).toEqual([])
      const figures = {
        from: commit,
        institutes,
        asked: traffic.asked,
        booked: traffic.booked.length,
        'new process listens after ms': Math.round(startedMs),
        'longest wait for a table ms': Math.round(locks.longest()),
        'slowest answer ms': Math.round(traffic.slowest),
      }
      if (process.env['UPGRADE_FIGURES']) writeFileSync(resolve(process.env['UPGRADE_FIGURES']), JSON.stringify(figures))
    } finally {
      locks.stop()
      await Promise.all(running.map((server) => server.kill()))
      await database.close()
      await made.drop()
    }
  })
})

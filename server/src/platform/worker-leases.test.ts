/** Two processes that do jobs on one database: a long job is done once, that of a dead process by the other. */
import type pg from 'pg'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { type JobProcess, startJobProcess } from '#/testing/job-process.ts'
import { withLongerLimits } from '#/testing/longer-limits.ts'
import { cloneTemplate } from '#/testing/test-database.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { addJob, startJobs } from './jobs.ts'
import { openLog } from './log.ts'
import { freeJobsOfTheDead } from './worker-leases.ts'

let clone: Awaited<ReturnType<typeof cloneTemplate>>
let database: OpenDatabase
const running: JobProcess[] = []
const query = <Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]> =>
  database.pool.query<Row>(text, values).then(({ rows }) => rows)

beforeAll(async () => {
  clone = await cloneTemplate(inject('databaseServer'))
  database = openDatabase(clone.url, { size: 4, onError: () => {} })
  await query('create table job_runs (pid int not null, at timestamptz not null default clock_timestamp()); create table job_ends ()')
})
afterAll(async () => {
  await database.close()
  await clone.drop()
})
const startAnew = async (): Promise<void> => {
  await Promise.all(running.splice(0).map((one) => one.kill()))
  await query('truncate job_runs, job_ends, worker_leases; delete from graphile_worker._private_jobs')
}
beforeEach(startAnew)
afterAll(startAnew)
/** A process that gets no turn for longer than its lease is as good as dead, rightly: a machine that stands still says nothing about the others. */
const withLeases = (leasesMs: [number, ...number[]], course: (leaseMs: number) => Promise<void>): Promise<void> =>
  withLongerLimits(leasesMs, async (leaseMs) => {
    await startAnew()
    await course(leaseMs)
  })

const start = async (leaseMs: number): Promise<JobProcess> => {
  const started = await startJobProcess(clone.url, leaseMs)
  running.push(started)
  return started
}
const runs = (): Promise<{ pid: number; at: string }[]> => query('select pid, at from job_runs order by at')
const waitFor = (look: () => Promise<void>): Promise<void> => vi.waitFor(look, { timeout: 60_000, interval: 20 })
const jobsLeft = async (): Promise<number> => (await query('select from graphile_worker.jobs')).length
const letItEnd = (): Promise<unknown> => query('insert into job_ends default values')

describe('a job', () => {
  it('may last longer than a lease and is done once, though another process looks for the dead all the while', async () => {
    await withLeases([5000, 12_000, 25_000], async (leaseMs) => {
      await start(leaseMs)
      await start(leaseMs)
      await addJob(database.db, 'long', {})
      await waitFor(async () => expect(await runs()).toHaveLength(1))
      // Every lease has been renewed again and again, so the other has looked at least as often.
      const leases = () =>
        query<{ worker: string; until: number }>(
          `select worker_id as worker, date_part('epoch', leased_until) * 1000 as until from worker_leases`,
        )
      let first = new Map<string, number>()
      await waitFor(async () => {
        first = new Map((await leases()).map(({ worker, until }) => [worker, until]))
        expect(first.size).toBe(2)
      })
      await waitFor(async () => {
        const now = await leases()
        expect(now.map(({ worker, until }) => until - (first.get(worker) ?? 0) > 1.5 * leaseMs)).toEqual([true, true])
      })
      await letItEnd()
      await waitFor(async () => expect(await jobsLeft()).toBe(0))
      expect(await runs()).toHaveLength(1)
    })
  })

  it('that a killed process had begun is done by another, once the lease has run out', async () => {
    await withLeases([1500, 10_000, 30_000], async (leaseMs) => {
      const one = await start(leaseMs)
      await addJob(database.db, 'long', {})
      await waitFor(async () => expect(await runs()).not.toHaveLength(0))
      const other = await start(leaseMs)
      await one.kill()
      await waitFor(async () => expect((await runs()).length).toBeGreaterThan(1))
      await letItEnd()
      await waitFor(async () => expect(await jobsLeft()).toBe(0))
      expect(await runs()).toMatchObject([{ pid: one.pid }, { pid: other.pid }])
      expect(await query('select process from worker_leases')).toHaveLength(1)
    })
  })

  it('of a process that was frozen is done by another; the frozen one says so when it goes on', async () => {
    await withLeases([1000, 10_000, 30_000], async (leaseMs) => {
      const one = await start(leaseMs)
      await addJob(database.db, 'long', {})
      await waitFor(async () => expect(await runs()).not.toHaveLength(0))
      const other = await start(leaseMs)
      one.pause()
      await waitFor(async () => expect((await runs()).length).toBeGreaterThan(1))
      expect(await runs()).toMatchObject([{ pid: one.pid }, { pid: other.pid }])
      one.goOn()
      await waitFor(async () => expect(one.log()).toContain('silent for longer than its lease'))
    })
  })
})

describe('a lease', () => {
  it('is given back in good order, and the job with it', async () => {
    const log = openLog('silent')
    const runner = await startJobs(database, {}, log, { knows: '0009_x.sql' })
    await waitFor(async () => expect(await query('select knows from worker_leases')).toEqual([{ knows: '0009_x.sql' }]))
    await runner.stop()
    expect(await query('select from worker_leases')).toEqual([])
  })

  it('is there before the first job is taken', async () => {
    let leased: unknown[] = []
    await addJob(database.db, 'look', {})
    const look = async (): Promise<void> => {
      leased = await query('select j.locked_by from graphile_worker.jobs j join worker_leases l on l.worker_id = j.locked_by')
    }
    const runner = await startJobs(database, { look }, openLog('silent'))
    await waitFor(async () => expect(leased).toHaveLength(1))
    await runner.stop()
  })

  it('that nobody has ever had is missed only after the longest job of the releases before', async () => {
    const lock = (ago: string) =>
      query(`update graphile_worker._private_jobs set locked_at = now() - $1::interval, locked_by = 'pool-of-before'`, [ago])
    await addJob(database.db, 'note', {})
    await lock('9 minutes')
    expect(await freeJobsOfTheDead(database.db)).toBe(0)
    await lock('11 minutes')
    expect(await freeJobsOfTheDead(database.db)).toBe(1)
    expect(await query('select from graphile_worker.jobs where locked_by is null')).toHaveLength(1)
  })

  it('is not taken from somebody who renews it at that moment', async () => {
    await query(`insert into worker_leases values ('w', 'p', '', clock_timestamp() - interval '1 second')`)
    const renewing = await database.pool.connect()
    await renewing.query(`begin; update worker_leases set leased_until = clock_timestamp() + interval '1 hour'`)
    const looking = freeJobsOfTheDead(database.db)
    const waiting = `select from pg_locks l join pg_stat_activity a using (pid) where not l.granted and a.datname = current_database()`
    await vi.waitFor(async () => expect(await query(waiting)).not.toHaveLength(0), { timeout: 60_000, interval: 5 })
    await renewing.query('commit')
    renewing.release()
    expect(await looking).toBe(0)
    expect(await query('select from worker_leases')).toHaveLength(1)
  })
})

describe('a job that was given to a worker whose database went away before it heard of it', () => {
  it('is given back and done, by that same worker too, while the process lives', async () => {
    await withLeases([1500, 10_000, 30_000], async (leaseMs) => {
      await start(leaseMs)
      const worker = (): Promise<{ id: string }[]> => query<{ id: string }>('select worker_id as id from worker_leases')
      await waitFor(async () => expect(await worker()).toHaveLength(1))
      const [{ id } = { id: '' }] = await worker()
      const client = await database.pool.connect()
      try {
        await client.query('begin')
        await client.query(`select graphile_worker.add_job('long', '{}'::json)`)
        // As the database has it after the answer was lost: the worker's, and nobody does it.
        await client.query(
          `update graphile_worker._private_jobs set locked_by = $1, locked_at = now() - interval '1 minute', attempts = 1`,
          [id],
        )
        await client.query('commit')
      } finally {
        client.release()
      }
      await waitFor(async () => expect(await runs()).toHaveLength(1))
      await letItEnd()
      await waitFor(async () => expect(await jobsLeft()).toBe(0))
      expect(await runs()).toHaveLength(1)
    })
  })
})

/**
 * Who is alive of those who do jobs. A worker has a lease before it takes its first job and renews it however long a job lasts; the jobs
 * of one whose lease ran out are done by others. All times are the database's, so machines need not agree about them.
 */
import { hostname } from 'node:os'
import type pg from 'pg'
import type { Log } from './log.ts'

export interface LeaseOptions {
  /** How long a worker may be silent. */
  leaseMs?: number
  /** The newest migration that the code of this process knows. */
  knows?: string
}

const usualLeaseMs = 30_000
/** Releases before there were leases ran no job longer than two minutes. */
const longestWithoutLease = '10 minutes'

async function renew(pool: pg.Pool, workerId: string, { leaseMs = usualLeaseMs, knows = '' }: LeaseOptions): Promise<boolean> {
  const { rows } = await pool.query<{ isNew: boolean }>(
    `insert into worker_leases as l (worker_id, process, knows, leased_until) values ($1, $2, $3, clock_timestamp() + $4 * interval '1 ms')
     on conflict (worker_id) do update set leased_until = excluded.leased_until returning xmax = 0 as "isNew"`,
    [workerId, `${hostname()}:${process.pid}`, knows, leaseMs],
  )
  return rows[0]?.isNew === true
}

/** Gives the jobs of dead workers to the living; how many workers were dead. */
export async function freeJobsOfTheDead(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ dead: number }>(
    `with silent as (delete from worker_leases where leased_until < clock_timestamp() returning worker_id),
       unknown as (select distinct j.locked_by as worker_id from graphile_worker.jobs j
         where j.locked_at < clock_timestamp() - $1::interval and not exists (select from worker_leases l where l.worker_id = j.locked_by)),
       dead as (select array_agg(worker_id) as ids from (select worker_id from silent union select worker_id from unknown) d)
     select cardinality(ids)::int as dead, graphile_worker.force_unlock_workers(ids) from dead where ids is not null`,
    [longestWithoutLease],
  )
  return rows[0]?.dead ?? 0
}

export interface Leases {
  plugin: GraphileConfig.Plugin
  /** No worker of ours works any more. */
  end(): Promise<void>
}

/** Keeps the leases of the workers of this process, and looks for those of others that ran out. */
export function keepLeases(pool: pg.Pool, log: Log, options: LeaseOptions): Leases {
  const ours = new Set<string>()
  const everyMs = (options.leaseMs ?? usualLeaseMs) / 3
  const look = async (): Promise<void> => {
    for (const workerId of ours)
      if (await renew(pool, workerId, options))
        log.error({ workerId }, 'this process was silent for longer than its lease: others may have done its jobs too')
    const dead = await freeJobsOfTheDead(pool)
    if (dead > 0) log.warn({ dead }, 'jobs of a process that is no more are done by others')
  }
  let looking: Promise<void> = Promise.resolve()
  const timer = setInterval(() => {
    // The database is away: there is a next time.
    looking = looking.then(look).catch(() => {})
  }, everyMs)
  timer.unref()
  return {
    plugin: {
      name: 'WorkerLeases',
      version: '1.0.0',
      worker: {
        hooks: {
          async startWorker(_context, { worker }) {
            const workerId = worker.workerPool.id
            if (ours.has(workerId)) return
            await renew(pool, workerId, options)
            ours.add(workerId)
          },
        },
      },
    },
    async end() {
      clearInterval(timer)
      await looking
      await pool.query('delete from worker_leases where worker_id = any($1)', [[...ours]])
    },
  }
}

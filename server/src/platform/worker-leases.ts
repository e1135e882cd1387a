/**
 * Who is alive of those who do jobs. A worker has a lease before it takes its first job and renews it however long a job lasts; the jobs
 * of one whose lease ran out are done by others. All times are the database's, so machines need not agree about them.
 */
import { hostname } from 'node:os'
import { sql } from 'kysely'
import type { Db } from './database.ts'
import type { Log } from './log.ts'
import { c, known, orNull, statement } from './statement.ts'

export interface LeaseOptions {
  /** How long a worker may be silent. */
  leaseMs?: number
  /** The newest migration that the code of this process knows. */
  knows?: string
}

const usualLeaseMs = 30_000
/** So often it is waited for an idle moment. */
const mostLooks = 3
/** Releases before there were leases ran no job longer than two minutes. */
const longestWithoutLease = '10 minutes'

interface Lease {
  workerId: string
  process: string
  knows: string
  leaseMs: number
}
const take = statement(
  { name: 'workerLeases.take', row: { isNew: known(c.bool) }, tries: [{ workerId: 'a', process: 'a', knows: '', leaseMs: 1 }] },
  ({ workerId, process, knows, leaseMs }: Lease) =>
    sql`insert into worker_leases as l (worker_id, process, knows, leased_until) values (${workerId}, ${process}, ${knows}, clock_timestamp() + ${leaseMs} * interval '1 ms')
     on conflict (worker_id) do update set leased_until = excluded.leased_until returning xmax = 0 as "isNew"`,
)
async function renew(db: Db, workerId: string, { leaseMs = usualLeaseMs, knows = '' }: LeaseOptions): Promise<boolean> {
  const lease = await take.one(db, { workerId, process: `${hostname()}:${process.pid}`, knows, leaseMs })
  return lease?.isNew === true
}

const free = statement(
  { name: 'workerLeases.freeJobsOfTheDead', row: { dead: known(c.int), force_unlock_workers: orNull(known(c.void)) } },
  () => sql`with silent as (delete from worker_leases where leased_until < clock_timestamp() returning worker_id),
       unknown as (select distinct j.locked_by as worker_id from graphile_worker.jobs j
         where j.locked_at < clock_timestamp() - ${longestWithoutLease}::interval and not exists (select from worker_leases l where l.worker_id = j.locked_by)),
       dead as (select array_agg(worker_id) as ids from (select worker_id from silent union select worker_id from unknown) d)
     select cardinality(ids)::int as dead, graphile_worker.force_unlock_workers(ids) from dead where ids is not null`,
)
/** Gives the jobs of dead workers to the living; how many workers were dead. */
export const freeJobsOfTheDead = async (db: Db): Promise<number> => (await free.one(db))?.dead ?? 0

interface Lost {
  workerId: string
  /** Jobs that it does. */
  running: readonly string[]
  leaseMs: number
}
const lost = statement(
  { name: 'workerLeases.lost', row: { id: known(c.count) }, tries: [{ workerId: 'a', running: ['1'], leaseMs: 1 }] },
  ({ workerId, running, leaseMs }: Lost) =>
    sql`select id from graphile_worker.jobs where locked_by = ${workerId} and locked_at < clock_timestamp() - ${leaseMs} * interval '1 ms'
      and id <> all(${running}::bigint[]) limit 1`,
)
const giveBack = statement(
  { name: 'workerLeases.giveBack', row: { force_unlock_workers: orNull(known(c.void)) }, tries: ['a'] },
  (workerId: string) => sql`select graphile_worker.force_unlock_workers(array[${workerId}])`,
)

const end = statement(
  { name: 'workerLeases.end', row: {}, tries: [[]] },
  (workerIds: readonly string[]) => sql`delete from worker_leases where worker_id = any(${workerIds}::text[])`,
)

export interface Leases {
  plugin: GraphileConfig.Plugin
  /** No worker of ours works any more. */
  end(): Promise<void>
}

/** Keeps the leases of the workers of this process, and looks for those of others that ran out. */
export function keepLeases(db: Db, log: Log, options: LeaseOptions): Leases {
  const ours = new Set<string>()
  const running = new Set<string>()
  let looksWithLost = 0
  /**
   * A job that the database gave us and whose answer was lost with the connection: we have it and do not do it, and nobody else may. All of ours are given back;
   * preferably while none is done, as those would be done twice.
   */
  const giveBackLost = async (): Promise<void> => {
    let isLost = false
    for (const workerId of ours)
      if (await lost.one(db, { workerId, running: [...running], leaseMs: everyMs })) {
        isLost = true
        if (running.size > 0 && looksWithLost < mostLooks) continue
        log.warn({ workerId }, 'jobs whose answer was lost with the database are done again')
        await giveBack.all(db, workerId)
      }
    looksWithLost = isLost ? looksWithLost + 1 : 0
  }
  const everyMs = (options.leaseMs ?? usualLeaseMs) / 3
  const look = async (): Promise<void> => {
    for (const workerId of ours)
      if (await renew(db, workerId, options))
        log.error({ workerId }, 'this process was silent for longer than its lease: others may have done its jobs too')
    const dead = await freeJobsOfTheDead(db)
    if (dead > 0) log.warn({ dead }, 'jobs of a process that is no more are done by others')
    await giveBackLost()
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
          async startWorker({ events }, { worker }) {
            const workerId = worker.workerPool.id
            if (ours.has(workerId)) return
            events.on('job:start', ({ job }) => void running.add(String(job.id)))
            events.on('job:complete', ({ job }) => void running.delete(String(job.id)))
            await renew(db, workerId, options)
            ours.add(workerId)
          },
        },
      },
    },
    async end() {
      clearInterval(timer)
      await looking
      await end.run(db, [...ours])
    },
  }
}

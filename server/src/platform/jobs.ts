/** Work done after a commit: a job is added in the transaction of the fact and runs soon after, in any process. */
import { Logger, run, type Runner, runMigrations, runOnce, type TaskList } from 'graphile-worker'
import { sql } from 'kysely'
import type pg from 'pg'
import type { Db, OpenDatabase } from './database.ts'
import type { Log } from './log.ts'
import { c, known, statement } from './statement.ts'
import { keepLeases, type LeaseOptions } from './worker-leases.ts'

/** A job by name; `payload` is data only. Throwing makes it run again later, at most `attempts` times. */
export type Jobs = Record<string, (payload: unknown) => Promise<void>>

interface NewJob {
  name: string
  payload: object
  key?: string
  /** Jobs of one queue run one after the other. */
  queue?: string
  runAt?: Date
  /** Not before so many milliseconds have passed. */
  afterMs?: number
  attempts?: number
}
const add = statement(
  {
    name: 'jobs.add',
    row: { id: known(c.count) },
    tries: [{ name: 'a', payload: {}, key: 'k', runAt: new Date(0), afterMs: 1, attempts: 1 }],
  },
  ({ name, payload, key, runAt, afterMs, attempts }: Omit<NewJob, 'queue'>) =>
    sql`select id from graphile_worker.add_job(${name}, ${JSON.stringify(payload)}::json, run_at := coalesce(${runAt?.toISOString() ?? null}::timestamptz, now() + ${afterMs ?? null}::float8 * interval '1 millisecond'), max_attempts := ${attempts ?? 12}, job_key := ${key ?? null})`,
)
/** Adds a job inside the caller's transaction. The same `key` replaces a job that has not run yet. */
export async function addJob(
  db: Db,
  name: string,
  payload: object,
  options: Pick<NewJob, 'key' | 'runAt' | 'afterMs' | 'attempts'> = {},
): Promise<void> {
  await add.all(db, { name, payload, ...options })
}

export type QueuedJob = Pick<NewJob, 'name' | 'payload' | 'key' | 'queue'>
const addQueued = statement(
  { name: 'jobs.addQueued', row: {}, tries: [{ jobs: [], before: 0 }] },
  ({
    jobs,
    before,
  }: {
    jobs: readonly QueuedJob[]
    before: number
  }) => sql`select from graphile_worker.add_jobs(array(select (name, payload, queue, now() - interval '1 second' + (${before} + n) * interval '1 microsecond', 12, key, 0, null)::graphile_worker.job_spec
    from rows from (json_to_recordset(${JSON.stringify(jobs)}::json) as (name text, payload json, key text, queue text)) with ordinality as j(name, payload, key, queue, n) order by n))`,
)
/** Adds many jobs at once: one notice for all of them. Those of a queue run one after the other, in this order, after the `before` jobs that this transaction added already. */
export async function addJobs(db: Db, jobs: readonly QueuedJob[], before = 0): Promise<void> {
  if (jobs.length > 0) await addQueued.all(db, { jobs, before })
}

const tasksOf = (jobs: Jobs): TaskList =>
  Object.fromEntries(Object.entries(jobs).map(([name, work]) => [name, (payload: unknown) => work(payload)]))

const quiet = (log: Log) =>
  new Logger(() => (level, message) => {
    if (level === 'error' || level === 'warning') log[level === 'error' ? 'error' : 'warn']({ part: 'jobs' }, message)
  })

export const migrateJobs = (pool: pg.Pool, log: Log): Promise<void> => runMigrations({ pgPool: pool, logger: quiet(log) })

export interface WorkOptions extends LeaseOptions {
  /** Lines that name periodic jobs. */
  crontab?: string
}

/** Starts working, four jobs at a time. */
export async function startJobs(
  { pool, db }: Pick<OpenDatabase, 'pool' | 'db'>,
  jobs: Jobs,
  log: Log,
  options: WorkOptions = {},
): Promise<{ stop(): Promise<void> }> {
  const leases = keepLeases(db, log, options)
  const runner: Runner = await run({
    pgPool: pool,
    taskList: tasksOf(jobs),
    crontab: options.crontab ?? '',
    concurrency: 4,
    pollInterval: 2000,
    noHandleSignals: true,
    logger: quiet(log),
    preset: { plugins: [leases.plugin] },
  })
  // A runner that ends by itself would leave mail unsent while the process looks well.
  runner.promise.catch((error: unknown) => log.error({ err: error }, 'the job runner stopped'))
  return {
    async stop() {
      await runner.stop()
      await leases.end()
    },
  }
}

const someDue = statement(
  { name: 'jobs.someDue', row: { due: known(c.bool) }, tries: [[]] },
  (
    names: readonly string[],
  ) => sql`select exists (select from graphile_worker.jobs j left join graphile_worker._private_job_queues q using (queue_name)
    where j.task_identifier = any(${names}::text[]) and j.run_at <= now() and j.locked_at is null and j.attempts < j.max_attempts
      and (q.locked_by is null or q.locked_by like 'otpool-%')) as due`,
)
/** Runs everything that is due and returns: for tests. A run ends early where a queue is not yet free of the job before. */
export async function drainJobs({ pool, db }: Pick<OpenDatabase, 'pool' | 'db'>, jobs: Jobs, log: Log): Promise<void> {
  do await runOnce({ pgPool: pool, taskList: tasksOf(jobs), noHandleSignals: true, logger: quiet(log) })
  while ((await someDue.one(db, Object.keys(jobs)))?.due)
}

/**
 * Changes the schema of a site that serves meanwhile. A lock that somebody else has is given up after a moment and asked for again,
 * because everybody who comes later waits behind whoever waits for it.
 */
import { createHash, randomInt } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { sqlState } from './database.ts'
import { concurrentStatements, isOfBefore, kindOf, type MigrationKind, migrationNumber, statementsOf } from './migration-files.ts'

export interface MigrateOptions {
  /** After so many milliseconds without its locks a file fails. */
  giveUpAfterMs?: number
  /** Told what was put off, and why. */
  onPutOff?(name: string, why: string): void
}

interface MigrationFile {
  name: string
  digest: string
  text: string
  kind: MigrationKind
}

const migrationLock = 727001
const firstLockTimeoutMs = 100
const lockTimeoutMs = 700
/** A statement of an expand or a contract file that takes longer holds locks that the site needs. */
const statementTimeoutMs = 10_000
const busy = new Set(['55P03', '40P01'])

const jitter = (ms: number): number => ms / 2 + randomInt(Math.ceil(ms))

function readFiles(directory: string): MigrationFile[] {
  return readdirSync(directory)
    .filter((file) => file.endsWith('.sql'))
    .sort()
    .map((name) => {
      const text = readFileSync(join(directory, name), 'utf8')
      return { name, text, digest: createHash('sha256').update(text).digest('hex'), kind: kindOf(name, text) }
    })
}

/** The newest migration that the code of this process knows. */
export const newestMigration = (directory: string): string => readFiles(directory).at(-1)?.name ?? ''

/** Runs `work` with a short lock time-out, again and again while others have the locks. */
async function withShortLocks(client: pg.PoolClient, giveUpAfterMs: number, work: () => Promise<void>): Promise<void> {
  const giveUpAt = performance.now() + giveUpAfterMs
  for (let timeout = firstLockTimeoutMs; ; timeout = Math.min(lockTimeoutMs, timeout * 1.5)) {
    try {
      await client.query(`set lock_timeout = ${Math.round(Math.min(lockTimeoutMs, jitter(timeout)))}`)
      return await work()
    } catch (error) {
      if (!busy.has(sqlState(error) ?? '')) throw error
      if (performance.now() > giveUpAt) throw new Error('others kept its locks; the site serves on as before', { cause: error })
      await sleep(jitter(timeout))
    }
  }
}

const note = (client: pg.PoolClient, { name, digest }: MigrationFile): Promise<unknown> =>
  client.query('insert into migrations (name, digest) values ($1, $2)', [name, digest])

/** All of it or nothing: where nobody serves. */
async function runAtOnce(client: pg.PoolClient, file: MigrationFile): Promise<void> {
  await client.query('begin; set local statement_timeout = 0')
  try {
    await client.query(file.text)
    await note(client, file)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback')
    throw error
  }
}

/**
 * Each statement in a transaction of its own, which also notes that it is done: locks are held for one statement, and never while another
 * table is waited for. A run that was broken off goes on with the next statement.
 */
async function runInSteps(client: pg.PoolClient, file: MigrationFile, giveUpAfterMs: number): Promise<void> {
  const { name, digest } = file
  const { rows } = await client.query<{ digest: string; done: number }>('select digest, done from migration_steps where name = $1', [name])
  if (rows[0] && rows[0].digest !== digest)
    throw new Error('it has changed since a part of it ran; finish it as it was, and add a new file')
  await client.query(`set statement_timeout = ${statementTimeoutMs}`)
  const statements = statementsOf(file.text)
  for (let at = rows[0]?.done ?? 0; at <= statements.length; at++)
    await withShortLocks(client, giveUpAfterMs, async () => {
      const statement = statements[at]
      await client.query('begin')
      try {
        if (statement === undefined) {
          await note(client, file)
          await client.query('delete from migration_steps where name = $1', [name])
        } else {
          await client.query(statement)
          await client.query(
            'insert into migration_steps (name, digest, done) values ($1, $2, $3) on conflict (name) do update set done = excluded.done',
            [name, digest, at + 1],
          )
        }
        await client.query('commit')
      } catch (error) {
        await client.query('rollback')
        throw error
      }
    })
}

/** What a run that was broken off has left of an index: nothing, the whole, or a part that serves nobody and costs every write. */
async function leftOver(client: pg.PoolClient, index: string): Promise<'nothing' | 'whole' | 'part'> {
  const { rows } = await client.query<{ valid: boolean }>(
    'select i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid where c.relname = $1 and pg_table_is_visible(c.oid)',
    [index.toLowerCase()],
  )
  return rows[0] ? (rows[0].valid ? 'whole' : 'part') : 'nothing'
}

async function runConcurrently(client: pg.PoolClient, file: MigrationFile, giveUpAfterMs: number): Promise<void> {
  await client.query('set statement_timeout = 0')
  for (const { text, isPatient, makes } of concurrentStatements(file.name, file.text)) {
    const run = async (): Promise<void> => {
      const left = makes ? await leftOver(client, makes) : 'nothing'
      if (left === 'whole') return
      if (isPatient) await client.query('set lock_timeout = 0')
      if (left === 'part') await client.query(`drop index concurrently ${makes}`)
      await client.query(text)
    }
    await withShortLocks(client, giveUpAfterMs, run)
  }
  await note(client, file)
}

/** Why a contract cannot run yet; null when it can. */
async function tooEarly(client: pg.PoolClient, after: string, before: ReadonlySet<string>): Promise<string | null> {
  if (![...before].some((name) => migrationNumber(name) === after))
    return `${after} came with this very start: processes of the release before may still be there`
  const tables = await client.query<{ leases: boolean; fills: boolean }>(
    `select to_regclass('worker_leases') is not null as leases, to_regclass('migration_fills') is not null as fills`,
  )
  if (tables.rows[0]?.leases) {
    const old = await client.query<{ process: string }>(
      'select process from worker_leases where leased_until > clock_timestamp() and knows < $1 limit 1',
      [after],
    )
    if (old.rows[0]) return `${old.rows[0].process} still works with the schema before ${after}`
  }
  if (tables.rows[0]?.fills) {
    const filling = await client.query<{ name: string }>(
      'select name from migration_fills where done_at is null and left(name, 4) <= $1 limit 1',
      [after],
    )
    if (filling.rows[0]) return `${filling.rows[0].name} is still being filled`
  }
  return null
}

async function applyAll(client: pg.PoolClient, directory: string, options: MigrateOptions): Promise<string[]> {
  const { rows } = await client.query<{ name: string; digest: string }>('select name, digest from migrations')
  const done = new Map(rows.map((row) => [row.name, row.digest]))
  // A database that nobody has served from yet has nobody to wait for.
  const before = new Set(done.keys())
  const isNew = before.size === 0
  const applied: string[] = []
  for (const file of readFiles(directory)) {
    const known = done.get(file.name)
    if (known === file.digest) continue
    if (known !== undefined) throw new Error(`migration ${file.name} has changed since it ran; migrations go forward only: add a new file`)
    if (file.kind.kind === 'contract' && !isNew) {
      const why = await tooEarly(client, file.kind.after, before)
      if (why !== null) {
        options.onPutOff?.(file.name, why)
        continue
      }
    }
    const run = file.kind.kind === 'concurrent' ? runConcurrently : isNew || isOfBefore(file.name) ? runAtOnce : runInSteps
    await run(client, file, options.giveUpAfterMs ?? 300_000).catch((error: unknown) => {
      throw new Error(`migration ${file.name} failed: ${(error as Error).message}`, { cause: error })
    })
    applied.push(file.name)
  }
  return applied
}

/** Applies the numbered SQL files that have not run yet, one process at a time; the names of those it ran. */
export async function migrate(pool: pg.Pool, directory: string, options: MigrateOptions = {}): Promise<string[]> {
  const client = await pool.connect()
  try {
    // Where two wait for each other the migration is told so first, and gives way; not every role may set this.
    await client.query("set deadlock_timeout = '20ms'").catch(() => {})
    // Asked for again and again: an index made concurrently would wait for a statement that waits for the lock.
    while (!(await client.query<{ got: boolean }>(`select pg_try_advisory_lock(${migrationLock}) as got`)).rows[0]?.got)
      await sleep(jitter(50))
    await client.query(
      `create table if not exists migrations (name text primary key, digest text not null, applied_at timestamptz not null default now());
       create table if not exists migration_steps (name text primary key, digest text not null, done integer not null)`,
    )
    return await applyAll(client, directory, options)
  } finally {
    // Also after a failure: a connection that went back with the lock would keep everybody else waiting.
    await client.query('reset deadlock_timeout').catch(() => {})
    await client.query(`select pg_advisory_unlock(${migrationLock}); reset statement_timeout; reset lock_timeout`).then(
      () => client.release(),
      (error: Error) => client.release(error),
    )
  }
}

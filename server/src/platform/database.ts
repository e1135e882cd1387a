/** Connections and transactions. Stores write SQL with the builder and with statements; everything else calls stores. */
import { setTimeout as sleep } from 'node:timers/promises'
import { Kysely, PostgresDialect, type PostgresPool, sql, type Transaction } from 'kysely'
import pg from 'pg'
import { processorsForWork } from './processors.ts'
import { answerMs, lookMs, type Silence, watchSilence } from './silence.ts'
import { isStalePlan, markPrepared, preparingPool } from './prepared.ts'
import { openWall } from './institute-wall.ts'
import { c, known, statement } from './statement.ts'
import type { Tables } from './tables.ts'

export type Database = Kysely<Tables>
/** Either the pool or a running transaction. */
export type Db = Kysely<Tables> | Transaction<Tables>

// int8 and numeric come as text by default; our counts and averages fit a double.
pg.types.setTypeParser(20, Number)
pg.types.setTypeParser(1700, Number)
// Calendar dates stay text: a Date object would drag a zone in.
pg.types.setTypeParser(1082, (value) => value)
// Instants as ISO text with milliseconds, UTC.
pg.types.setTypeParser(1184, (value) => new Date(value).toISOString())

/** Some connections, in two ways of sending. */
interface Handles {
  db: Database
  /** The same connections, but statements are planned once for each: for short ones that are sent again and again and whose plan does not depend on their values. */
  prepared: Database
}
export interface OpenDatabase extends Handles {
  /** Where it is. */
  url: string
  /** Connections of those who only look: what they take, nobody who books waits for. */
  reading: Handles
  /** A few connections for searches alone, with a short time for each statement. */
  searching: Handles
  /** Connections of jobs, as who may also forget what is too old. */
  working: Handles & { pool: pg.Pool }
  /** The same connections for who acts for one institute: its rows alone are there. */
  within(instituteId: string): Handles
  /** Two connections more that no request can take: what must hear of events is heard however busy the others are. */
  apart: Database
  pool: pg.Pool
  /** Work for somebody who waits. @throws unavailable while the database says nothing */
  guard: Silence['guard']
  /** Number of SQL statements sent so far by this process, for benches and /metrics. */
  statements(): number
  close(): Promise<void>
}

/** How long somebody waits for a connection. */
const connectionMs = 5000
/** How long a statement of a request may take. */
const statementMs = 15_000
/** The same for who only reads, and for a search. */
const readingMs = 5000
const searchingMs = 4000
/** The same for those who hear of events, who also wait no longer for a network that has gone silent: it closes nothing, and TCP gives up after many minutes. */
const apartMs = 5000

/** Connections of jobs, beside those of requests. */
const mostWorking = 8

let leastMs = 0
/** Tests depend on no quiet machine: from now on who asks for a connection or sends a statement is given so long at least. */
export const giveTime = (ms: number): void => void (leastMs = ms)

const there = statement({ name: 'database.there', row: { one: known(c.int) } }, () => sql`select 1 as one`)
/** Whether a question is answered in time; that a connection is refused is an answer. */
async function answersWithin(db: Db, ms: number): Promise<boolean> {
  const asked = there.all(db).then(
    () => true,
    (error: Error) => !/timeout/i.test(error.message),
  )
  const late = new Promise<false>((done) => {
    // What has arrived meanwhile is read first: a process that was busy takes nobody for silent.
    setTimeout(() => setImmediate(() => setImmediate(done, false)), ms).unref()
  })
  return Promise.race([asked, late])
}

function openPool(url: string, { size, longestMs, onError }: { size: number; longestMs: number; onError(error: Error): void }): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: size,
    connectionTimeoutMillis: Math.max(leastMs, connectionMs),
    idleTimeoutMillis: 30_000,
    statement_timeout: longestMs,
    idle_in_transaction_session_timeout: 30_000,
    application_name: `soigne-${process.pid}`,
    // Compiling a statement costs more than any of ours takes.
    options: '-c jit=off',
  })
  pool.on('error', onError)
  // A checked-out client without a handler ends the process when Postgres goes away.
  pool.on('connect', (client) => void client.on('error', onError))
  return pool
}

/** @param options.readMs how long a statement of who only looks may take at most, a search among them; as long as usual when absent; `answerMs`: what is silent for longer counts as away; `workerUrl`: the same database as whoever does jobs reaches it */
export function openDatabase(
  url: string,
  options: { size: number; onError(error: Error): void; readMs?: number; answerMs?: number; workerUrl?: string },
): OpenDatabase {
  let statements = 0
  const pending = new Set<() => void>()
  const connect = (size: number, longestMs: number, as = url): pg.Pool => openPool(as, { size, longestMs, onError: options.onError })
  const count = (): void => void statements++
  const handleOf = (pool: PostgresPool, sent = count): Database => new Kysely<Tables>({ dialect: new PostgresDialect({ pool }), log: sent })
  const handle = (pool: pg.Pool, answerMs?: number, sent = count): Database => handleOf(preparingPool(pool, pending, answerMs), sent)
  const bothWays = (db: Database): Handles => ({ db, prepared: db.withPlugin(markPrepared) })
  const pool = connect(options.size, Math.max(leastMs, statementMs))
  // One for both handles on it: what a connection has planned goes under one name.
  const mainPool = preparingPool(pool, pending)
  const db = handleOf(mainPool)
  const reading = handle(connect(Math.max(1, Math.ceil(options.size / 2)), options.readMs ?? Math.max(leastMs, readingMs)))
  // One more: a search that ends its time may still hold its connection.
  const searching = handle(connect(processorsForWork + 1, options.readMs ?? Math.max(leastMs, searchingMs)))
  const apart = handle(connect(2, apartMs), apartMs)
  // Jobs and what they follow: four at a time, each with a transaction and something to read beside it.
  const workingPool =
    options.workerUrl === undefined ? pool : connect(Math.min(options.size, mostWorking), Math.max(leastMs, statementMs), options.workerUrl)
  const working = workingPool === pool ? db : handle(workingPool)
  // Ended once the question is late, so that the next is asked on another connection. It is no statement of ours: nobody asked for it.
  const asking = handle(connect(1, apartMs), (options.answerMs ?? answerMs) + lookMs, () => {})
  const silence = watchSilence(
    (ms) => answersWithin(asking, ms),
    () => {
      options.onError(new Error('the database says nothing'))
      // Behind a network that has forgotten them they would wait for ever.
      for (const end of pending) end()
    },
    options.answerMs ?? answerMs,
  )
  return {
    ...bothWays(db),
    url,
    reading: bothWays(reading),
    searching: bothWays(searching),
    working: { ...bothWays(working), pool: workingPool },
    within: openWall(mainPool, count),
    apart,
    pool,
    guard: silence.guard,
    statements: () => statements,
    async close() {
      silence.close()
      await Promise.all([asking, db, reading, searching, apart, ...(working === db ? [] : [working])].map((one) => one.destroy()))
    },
  }
}

/** A context with other connections; whatever else changes in it changes here too. */
function withConnections<C extends { database: OpenDatabase }>(context: C, database: OpenDatabase): C {
  const other = {} as C
  for (const key of Object.keys(context) as (keyof C)[])
    Object.defineProperty(other, key, { enumerable: true, configurable: true, get: () => context[key] })
  return Object.defineProperty(other, 'database', { enumerable: true, configurable: true, writable: true, value: database })
}

/** The same context for who only looks: with connections of their own. */
export const onlyReading = <C extends { database: OpenDatabase }>(context: C): C =>
  withConnections(context, { ...context.database, ...context.database.reading })
/** The same context for jobs: with connections of who does them. */
export const forWork = <C extends { database: OpenDatabase }>(context: C): C =>
  withConnections(context, { ...context.database, ...context.database.working })
/** The same context for who acts for one institute. */
export function withinInstitute<C extends { database: OpenDatabase }>(context: C, { instituteId }: { instituteId: string }): C {
  const within = context.database.within(instituteId)
  return withConnections(context, { ...context.database, ...within, reading: within, searching: within })
}
/** The same context for a search. */
export const searching = <C extends { database: OpenDatabase }>(context: C): C =>
  withConnections(context, { ...context.database, ...context.database.searching })

/** SQLSTATE of an error from the database, if it is one. */
export function sqlState(error: unknown): string | null {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : null
}

/** The constraint an error names. */
export const brokenConstraint = (error: unknown): string | null => (error as { constraint?: string } | null)?.constraint ?? null

const retriable = new Set(['40P01', '40001'])

const mayGoWellNextTime = (error: unknown): boolean => retriable.has(sqlState(error) ?? '') || isStalePlan(error)

/** Runs the work in one transaction; deadlocks, serialization failures and plans out of date are retried at most three times with jitter. */
export async function inTransaction<T>(db: Db, work: (transaction: Transaction<Tables>) => Promise<T>): Promise<T> {
  for (let attempt = 0; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt >= 3 || !mayGoWellNextTime(error)) throw error
      await sleep(5 + (crypto.getRandomValues(new Uint8Array(1))[0]! / 4) * (attempt + 1))
    }
  }
}

/** Reads several things as they are at one moment. */
export const inSnapshot = <T>(db: Db, read: (moment: Db) => Promise<T>): Promise<T> =>
  db.isTransaction ? read(db) : db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read)

const unhurried = statement({ name: 'database.unhurried', row: {} }, () => sql`set statement_timeout = 0`)
const hurried = statement({ name: 'database.hurried', row: {} }, () => sql`reset statement_timeout`)
const lock = statement(
  { name: 'database.lock', row: { pg_advisory_lock: known(c.void) }, tries: [1] },
  (key: number) => sql`select pg_advisory_lock(${key})`,
)
const unlock = statement(
  { name: 'database.unlock', row: { pg_advisory_unlock: known(c.bool) }, tries: [1] },
  (key: number) => sql`select pg_advisory_unlock(${key})`,
)
/** One process at a time does the work of a key; the others wait as long as that takes, and the work may take long too. */
export async function withAdvisoryLock<T>(db: Database, key: number, work: (connection: Db) => Promise<T>): Promise<T> {
  return db.connection().execute(async (connection) => {
    await unhurried.run(connection)
    await lock.all(connection, key)
    try {
      return await work(connection)
    } finally {
      await unlock.all(connection, key)
      await hurried.run(connection)
    }
  })
}

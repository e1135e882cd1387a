/**
 * The clock of a trial: the machine's, moved forward by what the database says. Every process on the database hears of a move at once,
 * and a restart remembers it. Budgets, which a library counts by the machine's clock, are brought nearer by the same step.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { Clock } from './clock.ts'
import { type Database, inTransaction, type OpenDatabase } from './database.ts'
import type { Log } from './log.ts'
import { c, known, statement } from './statement.ts'

export interface TrialClock extends Clock {
  /** How far it is ahead of the machine's, in milliseconds. */
  aheadMs(): number
  /** Moves every process to an instant, or by so much; false when that would be backward. */
  forward(by: { to: number } | { byMs: number }): Promise<boolean>
  /** Begins to hear of moves; the table has to be there. */
  follow(): Promise<void>
  close(): Promise<void>
}

const channel = 'trial_clock'
const connectAgainMs = 100

const ahead = statement({ name: 'trialClock.ahead', row: { aheadMs: c.count } }, () => sql`select ahead_ms as "aheadMs" from trial_clock`)
/** What the database says; the lock makes moves follow each other. */
const aheadLocked = statement(
  { name: 'trialClock.aheadLocked', row: { aheadMs: c.count } },
  () =>
    sql`insert into trial_clock (ahead_ms) values (0) on conflict (one) do update set ahead_ms = trial_clock.ahead_ms returning ahead_ms as "aheadMs"`,
)
const move = statement(
  { name: 'trialClock.move', row: { told: known(c.text) }, tries: [{ aheadMs: 1, byMs: 1 }] },
  ({ aheadMs, byMs }: { aheadMs: number; byMs: number }) => sql`
    with moved as (update trial_clock set ahead_ms = ${aheadMs}), nearer as (update rate_limits set expire = expire - ${byMs}::bigint)
    select pg_notify(${channel}, ${String(aheadMs)})::text as told`,
)

/** The present of the product, for a command that ends. */
export const productNow = async (db: Database): Promise<number> => Date.now() + ((await ahead.one(db))?.aheadMs ?? 0)

/** Hears what is said in the channel; comes back by itself when the database does. */
class Listener {
  #client: pg.Client | null = null
  #isClosed = false
  readonly #config: pg.ClientConfig
  readonly #hear: (aheadMs: number) => void
  readonly #log: Log

  constructor(config: pg.ClientConfig, hear: (aheadMs: number) => void, log: Log) {
    this.#config = config
    this.#hear = hear
    this.#log = log
  }

  async connect(): Promise<void> {
    const client = new pg.Client({ ...this.#config, keepAlive: true })
    client.on('error', (error) => this.#log.warn({ err: error.message }, 'the clock of the trial lost its connection'))
    client.on('notification', ({ payload }) => this.#hear(Number(payload)))
    await client.connect()
    this.#client = client
    await client.query(`listen ${channel}`)
    // What was said while nobody listened.
    const { rows } = await client.query<{ ahead: number }>('select ahead_ms as ahead from trial_clock')
    this.#hear(rows[0]?.ahead ?? 0)
    client.once('end', () => void this.#comeBack())
  }

  async #comeBack(): Promise<void> {
    while (!this.#isClosed) {
      await sleep(connectAgainMs)
      try {
        return await this.connect()
      } catch {
        // The database is away: there is a next time.
        await this.#client?.end().catch(() => {})
      }
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true
    await this.#client?.end().catch(() => {})
  }
}

export function openTrialClock({ db, pool }: OpenDatabase, log: Log): TrialClock {
  let aheadMs = 0
  // Forward only, also when news overtake each other.
  const hear = (heard: number): void => void (aheadMs = Math.max(aheadMs, heard))
  const { connectionString } = pool.options
  const listener = new Listener(
    { ...(connectionString !== undefined && { connectionString }), application_name: `soigne-clock-${process.pid}` },
    hear,
    log,
  )
  return {
    now: () => Date.now() + aheadMs,
    aheadMs: () => aheadMs,
    async forward(by) {
      const target = await inTransaction(db, async (transaction) => {
        const from = (await aheadLocked.one(transaction))?.aheadMs ?? 0
        const to = 'to' in by ? by.to - Date.now() : from + by.byMs
        if (to < from) return null
        await move.one(transaction, { aheadMs: Math.ceil(to), byMs: Math.ceil(to) - from })
        return Math.ceil(to)
      })
      if (target === null) return false
      hear(target)
      return true
    },
    follow: () => listener.connect(),
    close: () => listener.close(),
  }
}

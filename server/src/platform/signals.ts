/**
 * Words between processes that nobody misses when they are lost, such as that somebody is typing. They go by NOTIFY, which takes a lock of the whole
 * database at commit: nothing that a person waits for is sent this way, and events are not (`events.ts`).
 */
import { Kysely, PostgresDialect, sql } from 'kysely'
import pg from 'pg'
import type { Database } from './database.ts'
import type { Log } from './log.ts'
import { c, known, statement } from './statement.ts'
import type { Tables } from './tables.ts'

/** Postgres takes 8,000 bytes. */
const longest = 2000
const againMs = 1000

const listening = statement({ name: 'signals.listen', row: {} }, () => sql`listen soigne_signals`)
const notify = statement(
  { name: 'signals.notify', row: { sent: known(c.void) }, tries: ['{}'] },
  (text: string) => sql`select pg_notify('soigne_signals', ${text}) as sent`,
)

export interface Signals {
  /** To every process, this one too. */
  send(signal: unknown): void
  stop(): Promise<void>
}

/** @param url of the database; a connection of its own listens, and comes back when it was lost */
export function openSignals({ db, url, log }: { db: Database; url: string; log: Log }, hear: (signal: unknown) => void): Signals {
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const pool = new pg.Pool({
    connectionString: url,
    max: 1,
    idleTimeoutMillis: 0,
    application_name: `soigne-signals-${process.pid}`,
    keepAlive: true,
  })
  const own = new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) })
  const listen = async (): Promise<void> => {
    try {
      await listening.all(own)
    } catch {
      again()
    }
  }
  const again = (): void => {
    clearTimeout(timer)
    if (!isStopped) timer = setTimeout(() => void listen(), againMs)
  }
  pool.on('error', again)
  pool.on('connect', (client) => {
    client.on('error', again)
    client.on('notification', ({ payload }) => {
      try {
        hear(JSON.parse(payload ?? ''))
      } catch (error) {
        log.warn({ err: error }, 'a signal was not understood')
      }
    })
  })
  void listen()
  return {
    send(signal) {
      const text = JSON.stringify(signal)
      if (text.length <= longest) void notify.all(db, text).catch(() => {})
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      await own.destroy()
    },
  }
}

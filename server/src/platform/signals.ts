/**
 * Words between processes that nobody misses when they are lost, such as that somebody is typing. They go by NOTIFY, which takes a lock of the whole
 * database at commit: nothing that a person waits for is sent this way, and events are not (`events.ts`).
 */
import { sql } from 'kysely'
import pg from 'pg'
import type { Database } from './database.ts'
import type { Log } from './log.ts'
import { c, known, statement } from './statement.ts'

const channel = 'soigne_signals'
/** Postgres takes 8,000 bytes. */
const longest = 2000
const againMs = 1000

const notify = statement(
  { name: 'signals.notify', row: { sent: known(c.void) }, tries: ['{}'] },
  (text: string) => sql`select pg_notify(${channel}, ${text}) as sent`,
)

export interface Signals {
  /** To every process, this one too. */
  send(signal: unknown): void
  stop(): Promise<void>
}

/** @param url of the database; a connection of its own listens, and comes back when it was lost */
export function openSignals({ db, url, log }: { db: Database; url: string; log: Log }, hear: (signal: unknown) => void): Signals {
  let client: pg.Client | null = null
  let timer: NodeJS.Timeout | undefined
  let isStopped = false
  const again = (): void => {
    client?.removeAllListeners()
    // What it still has to say concerns nobody.
    client?.on('error', () => {})
    client = null
    if (!isStopped) timer = setTimeout(() => void listen(), againMs)
  }
  const listen = async (): Promise<void> => {
    const next = new pg.Client({ connectionString: url, application_name: `soigne-signals-${process.pid}`, keepAlive: true })
    client = next
    next.on('error', again)
    next.on('end', again)
    next.on('notification', ({ payload }) => {
      try {
        hear(JSON.parse(payload ?? ''))
      } catch (error) {
        log.warn({ err: error }, 'a signal was not understood')
      }
    })
    try {
      await next.connect()
      await next.query(`listen ${channel}`)
    } catch {
      again()
    }
  }
  void listen()
  return {
    send(signal) {
      const text = JSON.stringify(signal)
      if (text.length > longest) return
      void notify.all(db, text).catch(() => {})
    },
    async stop() {
      isStopped = true
      clearTimeout(timer)
      const last = client
      again()
      await last?.end().catch(() => {})
    },
  }
}

/** A few connections as the owner of the schema: for migrations, rights, and filling an empty database. */
import { minuteMs } from '@soigne/contract/time'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { Database } from './database.ts'
import type { Tables } from './tables.ts'

export interface Owner {
  pool: pg.Pool
  db: Database
  /** Once or twice. */
  close(): Promise<void>
}

export function openOwner(url: string, onError: (error: Error) => void): Owner {
  const pool = new pg.Pool({ connectionString: url, max: 3, connectionTimeoutMillis: minuteMs, application_name: `soigne-${process.pid}` })
  pool.on('error', onError)
  pool.on('connect', (client) => void client.on('error', onError))
  return {
    pool,
    db: new Kysely<Tables>({ dialect: new PostgresDialect({ pool }) }),
    close: async () => void (pool.ended || (await pool.end())),
  }
}

/** A few connections as the owner of the schema: for migrations, rights, and filling an empty database. */
import pg from 'pg'

export function openOwner(url: string, onError: (error: Error) => void): pg.Pool {
  const pool = new pg.Pool({ connectionString: url, max: 3, connectionTimeoutMillis: 60_000, application_name: `soigne-${process.pid}` })
  pool.on('error', onError)
  pool.on('connect', (client) => void client.on('error', onError))
  return pool
}

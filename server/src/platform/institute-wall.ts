/**
 * The second wall between institutes. What somebody does for an institute runs on connections that PostgreSQL shows the rows of that institute alone
 * (row security, `roles.ts`): a statement that forgot to ask for the institute finds nothing of another one, and can write nothing into it.
 */
import { Kysely, type PostgresPool, PostgresDialect } from 'kysely'
import { LRUCache } from 'lru-cache'
import { markPrepared } from './prepared.ts'
import { instituteRole } from './roles.ts'
import type { Tables } from './tables.ts'
import type { Database } from './database.ts'

const enter = `select set_config('role', '${instituteRole}', false), set_config('soigne.institute', $1, false)`
const leave = `select set_config('role', 'none', false), set_config('soigne.institute', '', false)`

/** The connections of a pool, each as somebody of the institute while it is used. One that cannot be given back as it came is closed. */
const within = (pool: PostgresPool, instituteId: string): PostgresPool => ({
  options: pool.options,
  async connect() {
    const client = await pool.connect()
    try {
      await client.query(enter, [instituteId])
    } catch (error) {
      client.release(true)
      throw error
    }
    return {
      query: client.query.bind(client),
      release(destroy) {
        if (destroy) return client.release(true)
        client.query(leave, []).then(
          () => client.release(),
          () => client.release(true),
        )
      },
    }
  },
  end: async () => {},
})

export interface Walled {
  db: Database
  /** The same connections, but statements are planned once for each. */
  prepared: Database
}

/** How many institutes a process remembers handles of; making one costs little. */
const mostRemembered = 2000

/** Handles on a pool for one institute at a time. */
export function openWall(pool: PostgresPool, sent: () => void): (instituteId: string) => Walled {
  const known = new LRUCache<string, Walled>({ max: mostRemembered })
  return (instituteId) => {
    const found = known.get(instituteId)
    if (found) return found
    const db = new Kysely<Tables>({ dialect: new PostgresDialect({ pool: within(pool, instituteId) }), log: sent })
    const walled = { db, prepared: db.withPlugin(markPrepared) }
    known.set(instituteId, walled)
    return walled
  }
}

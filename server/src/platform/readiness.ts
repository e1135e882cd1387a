/** /ready: whether this process can do what it is for, which is to keep what somebody books. */
import { hostname } from 'node:os'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import type { AppContext } from './app-context.ts'
import type { Db } from './database.ts'
import { refuse } from './refuse.ts'
import { c, known, statement } from './statement.ts'

/** A database that keeps nothing, or lets wait for it, is away. */
const patienceMs = 2500
/** Whoever asks often is told what was found last. */
const freshMs = 500
/** With less than this a booking may find no room to be written. */
const leastRoom = 64 * 1024 ** 2

const write = statement(
  { name: 'readiness.write', row: { process: known(c.text) }, tries: ['a'] },
  (process: string) => sql`insert into readiness (process, at) values (${process}, clock_timestamp())
    on conflict (process) do update set at = excluded.at returning process`,
)
const forget = statement(
  { name: 'readiness.forgetOld', row: {} },
  () => sql`delete from readiness where at < clock_timestamp() - interval '1 day'`,
)
/** Rows of processes that are no more. */
export const forgetOldReadiness = (db: Db): Promise<number> => forget.run(db)

/** Looks whether something can be written. @throws when it cannot, or not in time */
export function readinessOf({ database, roomLeft }: Pick<AppContext, 'database' | 'roomLeft'>): () => Promise<void> {
  const process_ = `${hostname()}:${process.pid}`
  const look = async (): Promise<void> => {
    if ((await roomLeft()) < leastRoom) throw Object.assign(new Error('the disk of the database is full'), { code: '53100' })
    await write.one(database.db, process_)
  }
  const inTime = async (): Promise<void> => {
    const isDone = await Promise.race([look().then(() => true), sleep(patienceMs, false, { ref: false })])
    if (!isDone) throw refuse('unavailable', undefined, { retryAfter: 2 })
  }
  let looking: Promise<void> | null = null
  let foundAt = Number.NEGATIVE_INFINITY
  return () => {
    if (performance.now() - foundAt < freshMs) return Promise.resolve()
    looking ??= inTime()
      .then(() => void (foundAt = performance.now()))
      .finally(() => (looking = null))
    return looking
  }
}

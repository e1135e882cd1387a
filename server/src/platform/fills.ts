/**
 * Gives rows that were there before the values of new columns, in the background: a few thousand rows a commit, with the place it has
 * come to kept beside them, so that it may be broken off at any time and by any process.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, type Db, inTransaction } from './database.ts'

export interface Fill {
  /** Begins with the number of its migration: `0012_names_folded`. */
  name: string
  /** Rows of one commit; 2,000 unless told otherwise. */
  rowsAtOnce?: number
  /** Fills the next rows after a key, in the order of the keys; null when there are none. Bookings wait for what it locks. */
  fill(transaction: Db, after: string | null, rows: number): Promise<{ cursor: string; rows: number } | null>
}

/** The site comes first. */
const pauseMs = 20

/** Says what has to be filled, before anybody asks whether it has been. */
export async function noteFills(db: Db, fills: readonly Fill[]): Promise<void> {
  if (fills.length === 0) return
  await sql`insert into migration_fills (name) select unnest(${fills.map(({ name }) => name)}::text[]) on conflict do nothing`.execute(db)
}

/** One commit of a fill; 'elsewhere' when another process is at it. */
const step = (db: Database, { name, rowsAtOnce = 2000, fill }: Fill): Promise<'more' | 'done' | 'elsewhere'> =>
  inTransaction(db, async (transaction) => {
    const { rows } = await sql<{ cursor: string | null; isDone: boolean }>`
      select cursor, done_at is not null as "isDone" from migration_fills where name = ${name} for update skip locked`.execute(transaction)
    const at = rows[0]
    if (!at) return 'elsewhere'
    if (at.isDone) return 'done'
    const filled = await fill(transaction, at.cursor, rowsAtOnce)
    if (!filled) await sql`update migration_fills set done_at = clock_timestamp() where name = ${name}`.execute(transaction)
    else
      await sql`update migration_fills set cursor = ${filled.cursor}, rows_done = rows_done + ${filled.rows} where name = ${name}`.execute(
        transaction,
      )
    return filled ? 'more' : 'done'
  })

/** Fills until all is done, or another process is seen to do it. */
export async function runFills(db: Database, fills: readonly Fill[]): Promise<void> {
  await noteFills(db, fills)
  for (const fill of fills) while ((await step(db, fill)) === 'more') await sleep(pauseMs)
}

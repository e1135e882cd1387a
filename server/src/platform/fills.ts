/**
 * Gives rows that were there before the values of new columns, in the background: a few thousand rows a commit, with the place it has
 * come to kept beside them, so that it may be broken off at any time and by any process.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, type Db, inTransaction } from './database.ts'
import { c, known, orNull, statement } from './statement.ts'

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
  await db
    .insertInto('migration_fills')
    .values(fills.map(({ name }) => ({ name })))
    .onConflict((conflict) => conflict.doNothing())
    .execute()
}

const place = statement(
  { name: 'fills.place', row: { cursor: orNull(c.text), isDone: known(c.bool) }, tries: ['0001_a'] },
  (name: string) => sql`select cursor, done_at is not null as "isDone" from migration_fills where name = ${name} for update skip locked`,
)
const advance = statement(
  { name: 'fills.advance', row: {}, tries: [{ name: '0001_a', cursor: 'a', rows: 1 }] },
  ({ name, cursor, rows }: { name: string; cursor: string; rows: number }) =>
    sql`update migration_fills set cursor = ${cursor}, rows_done = rows_done + ${rows} where name = ${name}`,
)
const finish = statement(
  { name: 'fills.finish', row: {}, tries: ['0001_a'] },
  (name: string) => sql`update migration_fills set done_at = clock_timestamp() where name = ${name}`,
)

/** One commit of a fill; 'elsewhere' when another process is at it. */
const step = (db: Database, { name, rowsAtOnce = 2000, fill }: Fill): Promise<'more' | 'done' | 'elsewhere'> =>
  inTransaction(db, async (transaction) => {
    const at = await place.one(transaction, name)
    if (!at) return 'elsewhere'
    if (at.isDone) return 'done'
    const filled = await fill(transaction, at.cursor, rowsAtOnce)
    await (filled ? advance.run(transaction, { name, ...filled }) : finish.run(transaction, name))
    return filled ? 'more' : 'done'
  })

/** Fills until all is done, or another process is seen to do it. */
export async function runFills(db: Database, fills: readonly Fill[]): Promise<void> {
  await noteFills(db, fills)
  for (const fill of fills) while ((await step(db, fill)) === 'more') await sleep(pauseMs)
}

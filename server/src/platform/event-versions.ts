/** From which reading of the database on an event is seen for sure: the least number of a transaction that may still run must have passed the event's. */
import { sql } from 'kysely'
import type { Db } from './database.ts'
import { c, known, statement } from './statement.ts'

const versions = statement(
  { name: 'events.versions', row: { id: c.count, version: known(c.count) }, tries: [[1]] },
  (ids: readonly number[]) => sql`select id, xid::text::bigint + 1 as version from events where id = any(${ids}::bigint[])`,
)
/** By the event's id. */
export async function versionsOfEvents(db: Db, ids: readonly number[]): Promise<Map<number, number>> {
  return new Map((await versions.all(db, ids)).map(({ id, version }) => [id, version]))
}

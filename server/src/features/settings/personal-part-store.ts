/** One section of what the product holds about a person: its name in their file, and what is read for it. */
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#/platform/database.ts'
import { c, known, someId, statement } from '#/platform/statement.ts'

export interface Part {
  name: string
  read(db: Db, userId: string): Promise<unknown[]>
}
/** What is not told says why. */
export type Place = Part | { why: string }

export function part(name: string, ask: (userId: string) => RawBuilder<unknown>): Part {
  const rows = statement(
    { name: `settings.export.${name}`, row: { rows: known(c.json<unknown[]>()) }, tries: [someId] },
    // By a name that none of its columns has: the column would be told instead of the row.
    (userId: string) => sql`select coalesce(json_agg(row_of_part), '[]'::json) as rows from (${ask(userId)}) row_of_part`,
  )
  return { name, read: async (db, userId) => (await rows.one(db, userId))?.rows ?? [] }
}

/** Where a file of theirs lies beside the texts; null where it is nobody's, another's, or gone. */
export const placeOfFile = (file: string): RawBuilder<string | null> =>
  sql`case when ${sql.ref(`${file}.state`)} = 'used' then 'files/' || ${sql.ref(`${file}.id`)} || substring(${sql.ref(`${file}.key`)} from '\\.[a-z0-9]+$') end`

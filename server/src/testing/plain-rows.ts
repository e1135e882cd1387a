/** Rows of an institute's money without what differs from one visit to the next, so that those of two institutes can be compared. */
import { sql } from 'kysely'
import type { Db } from '#/platform/database.ts'

/** Of the demo nobody has an account, and no page can be opened again. */
const without: ReadonlySet<string> = new Set(['id', 'user_id', 'url'])
const moment = /^\d{4}-\d\d-\d\dT\d\d:/
/** Words of closed lists, currencies, days, and how payouts are called. */
const word = /^(?:[a-z0-9_-]{1,20}|[A-Z]{3})$/

/** Of names, addresses and moments only that they are there. */
function plain(column: string, value: unknown): unknown {
  if (value === null || typeof value === 'number' || typeof value === 'boolean') return value
  if (column === 'actor') return (value as { job?: string }).job === 'settle checkouts' ? value : 'somebody'
  if (typeof value === 'object') return Array.isArray(value) ? 'list' : Object.keys(value).toSorted()
  const text = String(value)
  if (moment.test(text)) return 'moment'
  return word.test(text) ? text : 'text'
}

/** All rows of a table that are an institute's, in one order whatever their names are. */
export async function plainRows(db: Db, table: string, instituteId: string): Promise<unknown[]> {
  const mine =
    table === 'sandbox_pages'
      ? sql`institute = ${instituteId}`
      : table === 'sandbox_refunds'
        ? sql`page_id in (select id from sandbox_pages where institute = ${instituteId})`
        : sql`institute_id = ${instituteId}`
  const { rows } = await sql<{ row: Record<string, unknown> }>`select to_jsonb(x) as row from ${sql.id(table)} x where ${mine}`.execute(db)
  return rows
    .map(({ row }) => Object.entries(row).flatMap(([column, value]) => (without.has(column) ? [] : [[column, plain(column, value)]])))
    .map((columns) => JSON.stringify(Object.fromEntries(columns)))
    .toSorted()
    .map((text) => JSON.parse(text) as unknown)
}

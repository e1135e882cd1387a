import { sql } from 'kysely'
import type { Db } from '#/platform/database.ts'

/** Rows go in as JSON, this many in one statement. */
const rowsPerStatement = 8000

/** Inserts rows whose keys are the columns of the table. */
export async function insertRows<Row extends object>(db: Db, table: string, rows: readonly Row[]): Promise<void> {
  const first = rows[0]
  if (!first) return
  const columns = sql.join(Object.keys(first).map((column) => sql.id(column)))
  for (let at = 0; at < rows.length; at += rowsPerStatement) {
    await sql`insert into ${sql.id(table)} (${columns})
      select ${columns} from json_populate_recordset(null::${sql.id(table)}, ${JSON.stringify(rows.slice(at, at + rowsPerStatement))}::json)`.execute(
      db,
    )
  }
}

/** Whether anybody has made anything here yet; places taken from open data are nobody's. */
export async function isEmpty(db: Db): Promise<boolean> {
  const found = await sql<{
    used: boolean
  }>`select exists (select from institutes where claimed) or exists (select from users) as used`.execute(db)
  return !found.rows[0]?.used
}

/** The planner's figures, so that the first searches are as fast as later ones. */
export async function refreshStatistics(db: Db, tables: readonly string[]): Promise<void> {
  await sql`analyze ${sql.join(tables.map((table) => sql.id(table)))}`.execute(db)
}

/** Removes the demo's institutes with their visits, and its accounts; nothing that people made elsewhere. */
export async function removeInstitutesAndAccounts(db: Db, slugs: readonly string[], emails: readonly string[]): Promise<void> {
  await sql`delete from appointments where institute_id in (select id from institutes where slug = any(${slugs}::text[]))`.execute(db)
  await sql`delete from customers where institute_id in (select id from institutes where slug = any(${slugs}::text[]))`.execute(db)
  await sql`delete from institutes where slug = any(${slugs}::text[])`.execute(db)
  await sql`delete from users where email = any(${emails}::citext[])`.execute(db)
}

import { sql } from 'kysely'
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'

/** Where somebody works: what they own first, then what they came to first. */
export async function institutesOf(db: Db, scope: SelfScope): Promise<{ instituteId: string; level: string }[]> {
  const { rows } = await sql<{ instituteId: string; level: string }>`select institute_id as "instituteId", level from institute_people
    where user_id = ${scope.userId} order by level <> 'owner', created_at, institute_id`.execute(db)
  return rows
}

export async function isOperator(db: Db, scope: SelfScope): Promise<boolean> {
  const { rows } = await sql`select from operators where user_id = ${scope.userId}`.execute(db)
  return rows.length > 0
}

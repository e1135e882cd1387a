import { sql } from 'kysely'
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, type RowOf, someId, statement } from '#/platform/statement.ts'

const place = { instituteId: c.uuid, level: c.text }
const places = statement(
  { name: 'people.institutesOf', row: place, tries: [someId] },
  (userId: string) => sql`select institute_id as "instituteId", level from institute_people
    where user_id = ${userId} order by level <> 'owner', created_at, institute_id`,
)
/** Where somebody works: what they own first, then what they came to first. */
export const institutesOf = (db: Db, scope: SelfScope): Promise<RowOf<typeof place>[]> => places.all(db, scope.userId)

export const isOperator = async (db: Db, scope: SelfScope): Promise<boolean> =>
  (await db.selectFrom('operators').select('user_id').where('user_id', '=', scope.userId).executeTakeFirst()) !== undefined

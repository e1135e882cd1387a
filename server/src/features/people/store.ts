import { sql } from 'kysely'
import type { SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { isAmong } from '#/platform/prepared.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const place = { userId: c.uuid, instituteId: c.uuid, level: c.text, memberId: orNull(c.uuid) }
const places = statement(
  { name: 'people.institutesOf', row: place, tries: [[someId], [someId, someId]] },
  (
    userIds: readonly string[],
  ) => sql`select user_id as "userId", institute_id as "instituteId", level, member_id as "memberId" from institute_people
    where ${isAmong(sql`user_id`, userIds)} order by level <> 'owner', created_at, institute_id`,
)
export type Place = RowOf<typeof place>
/** Where some people work, each in their order: what they own first, then what they came to first. */
export async function institutesOf(db: Db, scopes: readonly SelfScope[]): Promise<Place[][]> {
  const found = Map.groupBy(await places.all(db, [...new Set(scopes.map(({ userId }) => userId))]), ({ userId }) => userId)
  return scopes.map(({ userId }) => found.get(userId) ?? [])
}

export const isOperator = async (db: Db, scope: SelfScope): Promise<boolean> =>
  (await db.selectFrom('operators').select('user_id').where('user_id', '=', scope.userId).executeTakeFirst()) !== undefined

const take = statement(
  { name: 'people.takeOperator', row: { userId: c.uuid }, tries: ['a@b.test'] },
  (email: string) => sql`insert into operators (user_id) select id from users where email = ${email} and email_verified_at is not null
    on conflict do nothing returning user_id as "userId"`,
)
/** Whoever has become one; null when nobody has. */
export const takeOperator = async (db: Db, _scope: SystemScope, email: string): Promise<string | null> =>
  (await take.one(db, email))?.userId ?? null

const remove = statement(
  { name: 'people.removeOperator', row: { userId: c.uuid }, tries: ['a@b.test'] },
  (email: string) =>
    sql`delete from operators o using users u where u.id = o.user_id and u.email = ${email} returning o.user_id as "userId"`,
)
/** Whoever was one; null when nobody was. */
export const removeOperator = async (db: Db, _scope: SystemScope, email: string): Promise<string | null> =>
  (await remove.one(db, email))?.userId ?? null

const list = statement(
  { name: 'people.listOperators', row: { email: known(c.text) } },
  () => sql`select u.email::text as email from operators o join users u on u.id = o.user_id order by o.created_at, u.id`,
)
export const listOperators = (db: Db, _scope: SystemScope): Promise<{ email: string }[]> => list.all(db)

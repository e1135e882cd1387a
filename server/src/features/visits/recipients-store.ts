/** Who is told of a visit. */
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const person = {
  id: c.uuid,
  email: c.text,
  firstName: c.text,
  lastName: c.text,
  phone: orNull(c.text),
  locale: c.oneOf(locales),
  birthday: orNull(c.day),
}
export type Person = RowOf<typeof person>

const personColumns = sql`u.id, u.email, u.first_name as "firstName", u.last_name as "lastName", u.phone, u.locale, u.birthday`

export interface Recipients {
  person: Person
  /** Where the institute reads its mail, and in which language. */
  institute: { email: string; locale: Person['locale'] } | null
}

const recipients = statement(
  {
    name: 'visits.recipients',
    row: { ...person, instituteId: c.uuid, instituteEmail: orNull(c.text), ownerLocale: orNull(c.oneOf(locales)) },
    tries: [{ userIds: [someId], instituteIds: [someId] }],
  },
  ({
    userIds,
    instituteIds,
  }: {
    userIds: readonly string[]
    instituteIds: readonly string[]
  }) => sql`select ${personColumns}, i.id as "instituteId",
      coalesce(i.email, o.email::text) as "instituteEmail", o.locale as "ownerLocale"
    from unnest(${userIds}::uuid[], ${instituteIds}::uuid[]) as told(user_id, institute_id)
      join users u on u.id = told.user_id join institutes i on i.id = told.institute_id left join users o on o.id = i.owner_id`,
)
/** Who is told of a visit of each of these people at the institute of the scope in the same place; without those who are gone. */
export async function recipientsOf(
  db: Db,
  scopes: readonly InstituteScope<'customers.read'>[],
  userIds: readonly string[],
): Promise<(userId: string, instituteId: string) => Recipients | null> {
  const key = (userId: string, instituteId: string): string => `${userId} ${instituteId}`
  const found = new Map<string, Recipients>()
  const rows = await recipients.all(db, { userIds, instituteIds: scopes.map(({ instituteId }) => instituteId) })
  for (const { instituteId, instituteEmail, ownerLocale, ...one } of rows)
    found.set(key(one.id, instituteId), {
      person: one,
      institute: instituteEmail ? { email: instituteEmail, locale: ownerLocale ?? 'en' } : null,
    })
  return (userId, instituteId) => found.get(key(userId, instituteId)) ?? null
}

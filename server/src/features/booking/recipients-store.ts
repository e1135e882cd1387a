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
    name: 'booking.recipients',
    row: { ...person, instituteEmail: orNull(c.text), ownerLocale: orNull(c.oneOf(locales)) },
    tries: [{ userId: someId, instituteId: someId }],
  },
  ({ userId, instituteId }: { userId: string; instituteId: string }) => sql`select ${personColumns},
      coalesce(i.email, o.email::text) as "instituteEmail", o.locale as "ownerLocale"
    from users u left join institutes i on i.id = ${instituteId} left join users o on o.id = i.owner_id where u.id = ${userId}`,
)
export async function recipientsOf(db: Db, scope: InstituteScope<'customers.read'>, userId: string): Promise<Recipients | null> {
  const found = await recipients.one(db, { userId, instituteId: scope.instituteId })
  if (!found) return null
  const { instituteEmail, ownerLocale, ...told } = found
  return { person: told, institute: instituteEmail ? { email: instituteEmail, locale: ownerLocale ?? 'en' } : null }
}

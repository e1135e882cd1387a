/** Who is told of a visit. */
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

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
    row: {
      ...person,
      instituteId: c.uuid,
      instituteEmail: orNull(c.text),
      ownerLocale: orNull(c.oneOf(locales)),
      bornOn: orNull(c.day),
      guardianEmail: orNull(c.text),
      guardianLocale: orNull(known(c.oneOf(locales))),
    },
    tries: [{ userIds: [someId], instituteIds: [someId] }],
  },
  ({
    userIds,
    instituteIds,
  }: {
    userIds: readonly string[]
    instituteIds: readonly string[]
  }) => sql`select ${personColumns}, i.id as "instituteId",
      coalesce(i.email, o.email::text) as "instituteEmail", o.locale as "ownerLocale",
      coalesce(k.birthday, u.birthday) as "bornOn", g.email::text as "guardianEmail", coalesce(g.locale, gu.locale) as "guardianLocale"
    from unnest(${userIds}::uuid[], ${instituteIds}::uuid[]) as told(user_id, institute_id)
      join users u on u.id = told.user_id join institutes i on i.id = told.institute_id left join users o on o.id = i.owner_id
      left join customers k on k.institute_id = i.id and k.user_id = u.id left join customer_relations r on r.customer_id = k.id and r.kind = 'guardian'
      left join customers g on g.id = r.related_id and g.merged_into is null left join users gu on gu.id = g.user_id`,
)
/** Who reads what a minor would be written. */
interface MinorsReader {
  bornOn: string
  email: string
  locale: Person['locale']
}
const fullAge = 18
/** The age that counts is that of the visit's day, where the visit is. */
function isMinorOn(bornOn: string, { startsAt, timeZone }: { startsAt: string; timeZone: string }): boolean {
  const day = Temporal.Instant.from(startsAt).toZonedDateTimeISO(timeZone).toPlainDate()
  return Temporal.PlainDate.compare(Temporal.PlainDate.from(bornOn).add({ years: fullAge }), day) > 0
}
/** Who is told of a visit of each of these people at the institute of the scope in the same place; without those who are gone. Of a visit of a minor, the guardian whom the institute knows. */
export async function recipientsOf(
  db: Db,
  scopes: readonly InstituteScope<'customers.read'>[],
  userIds: readonly string[],
): Promise<(userId: string, instituteId: string, visit?: { startsAt: string; timeZone: string }) => Recipients | null> {
  const key = (userId: string, instituteId: string): string => `${userId} ${instituteId}`
  const found = new Map<string, Recipients & { ofMinor: MinorsReader | null }>()
  const rows = await recipients.all(db, { userIds, instituteIds: scopes.map(({ instituteId }) => instituteId) })
  for (const { instituteId, instituteEmail, ownerLocale, bornOn, guardianEmail, guardianLocale, ...one } of rows)
    found.set(key(one.id, instituteId), {
      person: one,
      institute: instituteEmail ? { email: instituteEmail, locale: ownerLocale ?? 'en' } : null,
      ofMinor: bornOn && guardianEmail ? { bornOn, email: guardianEmail, locale: guardianLocale ?? one.locale } : null,
    })
  return (userId, instituteId, visit) => {
    const one = found.get(key(userId, instituteId))
    if (!one) return null
    const { ofMinor, ...told } = one
    return ofMinor && visit && isMinorOn(ofMinor.bornOn, visit)
      ? { ...told, person: { ...told.person, email: ofMinor.email, locale: ofMinor.locale } }
      : told
  }
}

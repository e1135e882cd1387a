/** What a person is and where they are signed in, as it is stored. */
import { locales, type Locale } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const profile = {
  email: known(c.text),
  firstName: c.text,
  lastName: c.text,
  phone: known(c.text),
  locale: c.oneOf(locales),
  hasPassword: known(c.bool),
  hasProvider: known(c.bool),
}
const find = statement(
  { name: 'settings.profile', row: profile, tries: [someId] },
  (
    userId: string,
  ) => sql`select email::text as email, first_name as "firstName", last_name as "lastName", coalesce(phone, '') as phone, locale,
      password_hash is not null as "hasPassword", exists (select from identities d where d.user_id = users.id) as "hasProvider"
    from users where id = ${userId}`,
)
export const findOwnProfile = (db: Db, scope: SelfScope): Promise<RowOf<typeof profile> | null> => find.one(db, scope.userId)

/** What is not named stays; an empty phone takes it away. */
export interface ProfileChange {
  firstName?: string | undefined
  lastName?: string | undefined
  phone?: string | undefined
  locale?: Locale | undefined
}
const change = statement(
  { name: 'settings.changeProfile', row: {}, tries: [{ userId: someId, firstName: 'A', phone: '', locale: 'en' }] },
  ({ userId, firstName, lastName, phone, locale }: ProfileChange & { userId: string }) => sql`update users set
      first_name = coalesce(${firstName ?? null}, first_name), last_name = coalesce(${lastName ?? null}, last_name),
      phone = case when ${phone ?? null}::text is null then phone else nullif(${phone ?? null}, '') end,
      locale = coalesce(${locale ?? null}, locale)
    where id = ${userId}`,
)
export const changeProfile = (db: Db, scope: SelfScope, given: ProfileChange): Promise<number> =>
  change.run(db, { userId: scope.userId, ...given })

const session = { id: c.uuid, userAgent: orNull(c.text), createdAt: c.instant, lastSeenAt: c.instant }
const list = statement(
  { name: 'settings.sessions', row: session, tries: [{ userId: someId, now: new Date(0) }] },
  ({
    userId,
    now,
  }: {
    userId: string
    now: Date
  }) => sql`select id, user_agent as "userAgent", created_at as "createdAt", last_seen_at as "lastSeenAt"
    from sessions where user_id = ${userId} and expires_at > ${now} order by last_seen_at desc, id desc`,
)
/** Those that are open, the last used first. */
export const listSessions = (db: Db, scope: SelfScope, now: Date): Promise<RowOf<typeof session>[]> =>
  list.all(db, { userId: scope.userId, now })

const end = statement(
  { name: 'settings.endSession', row: {}, tries: [{ userId: someId, id: someId }] },
  ({ userId, id }: { userId: string; id: string }) => sql`delete from sessions where id = ${id} and user_id = ${userId}`,
)
/** False when it is not theirs. */
export const deleteSessionOf = async (db: Db, scope: SelfScope, id: string): Promise<boolean> =>
  (await end.run(db, { userId: scope.userId, id })) > 0

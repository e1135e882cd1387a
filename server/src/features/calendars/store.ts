/** Whose calendar is open to us, and the secret addresses of visits. */
import { type Locale, locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const connection = {
  account: orNull(c.text),
  refreshToken: c.text,
  calendarId: orNull(c.text),
  state: c.oneOf(['connected', 'broken']),
  syncedAt: orNull(c.instant),
  locale: c.oneOf(locales),
}
export type Connection = RowOf<typeof connection>

const find = statement(
  { name: 'calendars.connection', row: connection, tries: [someId] },
  (
    userId: string,
  ) => sql`select k.account, k.refresh_token as "refreshToken", k.calendar_id as "calendarId", k.state, k.synced_at as "syncedAt", u.locale
    from calendar_connections k join users u on u.id = k.user_id where k.user_id = ${userId}`,
)
export const findConnection = (db: Db, scope: SelfScope): Promise<Connection | null> => find.one(db, scope.userId)

interface NewConnection {
  account: string | null
  refreshToken: string
  now: Date
}
/** What has to be known to leave an account: what opens it, and what was made there. */
export interface Left {
  account: string | null
  refreshToken: string
  calendarId: string | null
}
const save = statement(
  {
    name: 'calendars.connect',
    row: { isOther: known(c.bool), account: orNull(c.text), refreshToken: orNull(c.text), calendarId: orNull(c.text) },
    tries: [{ userId: someId, account: 'a', refreshToken: 'r', now: new Date(0) }],
  },
  ({ userId, account, refreshToken, now }: NewConnection & { userId: string }) =>
    // The same account goes on with the calendar it has; another one gets its own.
    sql`insert into calendar_connections as k (user_id, account, refresh_token, state, connected_at) values (${userId}, ${account}, ${refreshToken}, 'connected', ${now})
      on conflict (user_id) do update set account = excluded.account, refresh_token = excluded.refresh_token, state = 'connected', connected_at = excluded.connected_at,
        calendar_id = case when k.account is not distinct from excluded.account then k.calendar_id end,
        synced_at = case when k.account is not distinct from excluded.account then k.synced_at end
      returning old.account is distinct from new.account as "isOther", old.account, old.refresh_token as "refreshToken", old.calendar_id as "calendarId"`,
)
/** Gives the connection to another account that it took the place of. */
export async function saveConnection(db: Db, scope: SelfScope, made: NewConnection): Promise<Left | null> {
  const before = await save.one(db, { userId: scope.userId, ...made })
  if (!before?.isOther || before.refreshToken === null) return null
  const { account, refreshToken, calendarId } = before
  return { account, refreshToken, calendarId }
}

const remove = statement(
  { name: 'calendars.disconnect', row: { account: orNull(c.text), refreshToken: c.text, calendarId: orNull(c.text) }, tries: [someId] },
  (userId: string) =>
    sql`delete from calendar_connections where user_id = ${userId} returning account, refresh_token as "refreshToken", calendar_id as "calendarId"`,
)
export const deleteConnection = (db: Db, scope: SelfScope): Promise<Left | null> => remove.one(db, scope.userId)

const isUsed = statement(
  { name: 'calendars.isAccountUsed', row: { isUsed: known(c.bool) }, tries: ['a'] },
  (account: string) => sql`select exists (select from calendar_connections where account = ${account} and state = 'connected') as "isUsed"`,
)
/** Whether somebody has this account connected. */
export const isAccountUsed = async (db: Db, _scope: SystemScope, account: string): Promise<boolean> =>
  (await isUsed.one(db, account))?.isUsed ?? false

interface Kept {
  calendarId: string
  instead: string | null
  /** Of the account it was made at. */
  refreshToken: string
}
const keepCalendar = statement(
  { name: 'calendars.keepCalendar', row: {}, tries: [{ userId: someId, calendarId: 'a', instead: null, refreshToken: 'r' }] },
  ({ userId, calendarId, instead, refreshToken }: Kept & { userId: string }) =>
    sql`update calendar_connections set calendar_id = ${calendarId}
      where user_id = ${userId} and refresh_token = ${refreshToken} and calendar_id is not distinct from ${instead}`,
)
/** False when another process was first, or the account was connected anew meanwhile. */
export const keepCalendarId = async (db: Db, scope: SelfScope, kept: Kept): Promise<boolean> =>
  (await keepCalendar.run(db, { userId: scope.userId, ...kept })) > 0

interface Synced {
  refreshToken: string
  now: Date
}
const noteSynced = statement(
  { name: 'calendars.synced', row: {}, tries: [{ userId: someId, refreshToken: 'r', now: new Date(0) }] },
  ({ userId, refreshToken, now }: Synced & { userId: string }) =>
    sql`update calendar_connections set synced_at = greatest(synced_at, ${now}::timestamptz) where user_id = ${userId} and refresh_token = ${refreshToken}`,
)
export async function markSynced(db: Db, scope: SelfScope, synced: Synced): Promise<void> {
  await noteSynced.run(db, { userId: scope.userId, ...synced })
}

const noteBroken = statement(
  { name: 'calendars.broken', row: {}, tries: [{ userId: someId, refreshToken: 'r' }] },
  ({ userId, refreshToken }: { userId: string; refreshToken: string }) =>
    sql`update calendar_connections set state = 'broken' where user_id = ${userId} and refresh_token = ${refreshToken} and state = 'connected'`,
)
/** False when it was broken already, or connected anew meanwhile. */
export const markBroken = async (db: Db, scope: SelfScope, refreshToken: string): Promise<boolean> =>
  (await noteBroken.run(db, { userId: scope.userId, refreshToken })) > 0

const connectedVisits = statement(
  { name: 'calendars.connectedVisits', row: { appointmentId: c.uuid, userId: c.uuid }, tries: [[someId]] },
  (ids: readonly string[]) => sql`select a.id as "appointmentId", k.user_id as "userId" from appointments a
    join calendar_connections k on k.user_id = a.user_id and k.state = 'connected' where a.id = any(${ids}::uuid[]) order by a.id`,
)
export interface VisitOfUser {
  appointmentId: string
  userId: string
}
/** Those of these visits whose people have a calendar connected. */
export const visitsToPush = (db: Db, _scope: SystemScope, ids: readonly string[]): Promise<VisitOfUser[]> => connectedVisits.all(db, ids)

const coming = statement(
  { name: 'calendars.coming', row: { appointmentId: c.uuid }, tries: [{ userId: someId, now: new Date(0) }] },
  ({ userId, now }: { userId: string; now: Date }) =>
    sql`select id as "appointmentId" from appointments where user_id = ${userId} and ends_at > ${now} and life = 'booked' order by starts_at, id limit 500`,
)
export const comingVisits = (db: Db, scope: SelfScope, now: Date): Promise<{ appointmentId: string }[]> =>
  coming.all(db, { userId: scope.userId, now })

const feedOf = statement(
  { name: 'calendars.feed', row: { createdAt: c.instant }, tries: [someId] },
  (userId: string) => sql`select created_at as "createdAt" from calendar_feeds where user_id = ${userId}`,
)
export const findFeed = (db: Db, scope: SelfScope): Promise<{ createdAt: string } | null> => feedOf.one(db, scope.userId)

const makeFeed = statement(
  { name: 'calendars.makeFeed', row: {}, tries: [{ userId: someId, tokenHash: Buffer.alloc(32), now: new Date(0) }] },
  ({ userId, tokenHash, now }: { userId: string; tokenHash: Buffer; now: Date }) =>
    sql`insert into calendar_feeds (user_id, token_hash, created_at) values (${userId}, ${tokenHash}, ${now})
      on conflict (user_id) do update set token_hash = excluded.token_hash, created_at = excluded.created_at`,
)
export async function replaceFeed(db: Db, scope: SelfScope, made: { tokenHash: Buffer; now: Date }): Promise<void> {
  await makeFeed.run(db, { userId: scope.userId, ...made })
}

const endFeed = statement(
  { name: 'calendars.endFeed', row: {}, tries: [someId] },
  (userId: string) => sql`delete from calendar_feeds where user_id = ${userId}`,
)
export async function deleteFeed(db: Db, scope: SelfScope): Promise<void> {
  await endFeed.run(db, scope.userId)
}

const reader = statement(
  { name: 'calendars.reader', row: { userId: c.uuid, locale: c.oneOf(locales) }, tries: [Buffer.alloc(32)] },
  (tokenHash: Buffer) =>
    sql`select u.id as "userId", u.locale from calendar_feeds f join users u on u.id = f.user_id where f.token_hash = ${tokenHash}`,
)
/** Whose visits stand behind a secret address. */
export const readerOf = (db: Db, _scope: SystemScope, tokenHash: Buffer): Promise<{ userId: string; locale: Locale } | null> =>
  reader.one(db, tokenHash)

const person = statement(
  { name: 'calendars.person', row: { email: known(c.text), firstName: c.text, locale: c.oneOf(locales) }, tries: [someId] },
  (userId: string) => sql`select email::text as email, first_name as "firstName", locale from users where id = ${userId}`,
)
/** Who is told. */
export async function personOf(db: Db, scope: SelfScope): Promise<{ email: string; firstName: string; locale: Locale }> {
  const found = await person.one(db, scope.userId)
  if (!found) throw new Error('nobody has this calendar')
  return found
}

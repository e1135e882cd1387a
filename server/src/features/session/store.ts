import { type Locale, locales, type Role, role } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { SelfScope, SystemScope } from '#/platform/access.ts'
import { brokenConstraint, type Db } from '#/platform/database.ts'
import { asLongAsAny } from '#/platform/prepared.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

export const account = {
  id: c.uuid,
  email: known(c.text),
  passwordHash: orNull(c.text),
  role: c.oneOf(role.options),
  firstName: c.text,
  locale: c.oneOf(locales),
  isEmailVerified: known(c.bool),
  hasGoogleCalendarAccess: known(c.bool),
}
export type Account = RowOf<typeof account>
export interface NewAccount {
  email: string
  /** null: they sign in at a provider. */
  passwordHash: string | null
  /** Confirmed already, by a provider. */
  emailVerifiedAt?: Date
  role: Role
  firstName: string
  lastName: string
  phone: string | null
  locale: Locale
  now: Date
}
const sessionRow = { sessionId: c.uuid, userId: c.uuid, emailVerified: known(c.bool), lastSeenAt: c.instant }
export type SessionRow = RowOf<typeof sessionRow>

const profile = {
  id: c.uuid,
  email: known(c.text),
  role: c.oneOf(role.options),
  firstName: c.text,
  lastName: c.text,
  imageKey: orNull(c.text),
  isEmailVerified: known(c.bool),
  isConnectedGoogle: known(c.bool),
  hasGoogleCalendarAccess: known(c.bool),
  instituteId: orNull(c.uuid),
  instituteSlug: orNull(c.text),
  instituteName: orNull(c.text),
}
export type ProfileRow = RowOf<typeof profile>

/** The id of the new account; null when the email has one. */
export async function insertAccount(db: Db, _scope: SystemScope, account: NewAccount): Promise<string | null> {
  try {
    const made = await db
      .insertInto('users')
      .values({
        email: account.email,
        password_hash: account.passwordHash,
        email_verified_at: account.emailVerifiedAt ?? null,
        role: account.role,
        first_name: account.firstName,
        last_name: account.lastName,
        phone: account.phone,
        locale: account.locale,
        terms_accepted_at: account.now,
        created_at: account.now,
      })
      .returning('id')
      .executeTakeFirst()
    return made?.id ?? null
  } catch (error) {
    if (brokenConstraint(error) === 'users_email_key') return null
    throw error
  }
}

const hasCalendar = sql`exists (select from calendar_connections k where k.user_id = u.id and k.state = 'connected') as "hasGoogleCalendarAccess"`
export const accountColumns = sql`u.id, u.email::text as email, u.password_hash as "passwordHash", u.role, u.first_name as "firstName", u.locale,
  u.email_verified_at is not null as "isEmailVerified", ${hasCalendar}`
const byEmail = statement(
  { name: 'session.accountByEmail', row: account, tries: ['a@soigne.test'] },
  (email: string) => sql`select ${accountColumns} from users u where u.email = ${email}`,
)
export const findAccountByEmail = (db: Db, _scope: SystemScope, email: string): Promise<Account | null> => byEmail.one(db, email)

const ownerRow = { email: known(c.text), firstName: c.text, locale: c.oneOf(locales), hasPasskeys: known(c.bool) }
const setPassword = statement(
  { name: 'session.setPassword', row: ownerRow, tries: [{ userId: someId, passwordHash: 'h' }] },
  ({ userId, passwordHash }: { userId: string; passwordHash: string }) => sql`update users set password_hash = ${passwordHash}
    where id = ${userId} returning email::text as email, first_name as "firstName", locale,
      exists (select from passkeys p where p.user_id = users.id) as "hasPasskeys"`,
)
/** Gives whose it is, as they are written to; null when the account has gone meanwhile. */
export const updatePassword = (db: Db, scope: SelfScope, passwordHash: string): Promise<RowOf<typeof ownerRow> | null> =>
  setPassword.one(db, { userId: scope.userId, passwordHash })

interface NewSession {
  passwordHash: string
  tokenHash: Buffer
  userAgent: string | null
  now: Date
  expiresAt: Date
}
const open = statement(
  {
    name: 'session.open',
    row: {},
    tries: [{ userId: someId, passwordHash: 'h', tokenHash: Buffer.alloc(32), userAgent: 'a', now: new Date(0), expiresAt: new Date(1) }],
  },
  ({
    userId,
    passwordHash,
    tokenHash,
    userAgent,
    now,
    expiresAt,
  }: NewSession & { userId: string }) => sql`insert into sessions (user_id, token_hash, user_agent, created_at, last_seen_at, expires_at)
    select id, ${tokenHash}, ${userAgent}, ${now}, ${now}, ${expiresAt}
    from users where id = ${userId} and password_hash = ${passwordHash} for share`,
)
/** Opens a session while the account still has the password that was checked; false when it was changed meanwhile. */
export const insertSession = async (db: Db, scope: SelfScope, session: NewSession): Promise<boolean> =>
  (await open.run(db, { ...session, userId: scope.userId })) > 0

type RecognisedSession = Omit<NewSession, 'passwordHash'>
const openFor = statement(
  {
    name: 'session.openFor',
    row: {},
    tries: [{ userId: someId, tokenHash: Buffer.alloc(32), userAgent: 'a', now: new Date(0), expiresAt: new Date(1) }],
  },
  ({ userId, tokenHash, userAgent, now, expiresAt }: RecognisedSession & { userId: string }) => sql`
    insert into sessions (user_id, token_hash, user_agent, created_at, last_seen_at, expires_at)
    select id, ${tokenHash}, ${userAgent}, ${now}, ${now}, ${expiresAt} from users where id = ${userId} for share`,
)
/** Opens a session of an account that was recognised by something else than its password; false when the account is gone. */
export const insertSessionFor = async (db: Db, scope: SelfScope, session: RecognisedSession): Promise<boolean> =>
  (await openFor.run(db, { ...session, userId: scope.userId })) > 0

interface Tokens {
  tokenHashes: readonly Buffer[]
  now: Date
}
const foundSession = { ...sessionRow, tokenHash: c.bytes }
const sessions = sql`s.token_hash as "tokenHash", s.id as "sessionId", u.id as "userId", u.email_verified_at is not null as "emailVerified",
  s.last_seen_at as "lastSeenAt" from sessions s join users u on u.id = s.user_id`
const find = statement(
  {
    name: 'session.find',
    row: foundSession,
    tries: [
      { tokenHashes: [Buffer.alloc(32)], now: new Date(0) },
      { tokenHashes: [Buffer.alloc(32), Buffer.alloc(32)], now: new Date(0) },
    ],
  },
  ({ tokenHashes, now }: Tokens) =>
    sql`select ${sessions} where s.token_hash ${tokenHashes.length === 1 ? sql`= ${tokenHashes[0]}` : sql`= any(${asLongAsAny(tokenHashes)}::bytea[])`} and s.expires_at > ${now}`,
)
/** The sessions that some tokens open. */
export const findSessions = (db: Db, _scope: SystemScope, tokens: Tokens): Promise<RowOf<typeof foundSession>[]> => find.all(db, tokens)

export interface SessionUse {
  sessionId: string
  now: Date
  /** What a session in use lasts to. */
  expiresAt: Date
  userAgent: string | null
}
interface Touches {
  uses: readonly SessionUse[]
  /** Of a session that was noted since, nothing is written. */
  seenBefore: Date
  /** However much it is used, a session ends so long after it was opened. */
  longestMs: number
}
const touch = statement(
  {
    name: 'session.touch',
    row: {},
    tries: [
      {
        uses: [{ sessionId: someId, now: new Date(0), expiresAt: new Date(1), userAgent: 'a' }],
        seenBefore: new Date(0),
        longestMs: 1,
      },
    ],
  },
  ({ uses, seenBefore, longestMs }: Touches) => sql`
    with used as (
      select distinct on (id) * from unnest(
        ${uses.map(({ sessionId }) => sessionId)}::uuid[], ${uses.map(({ now }) => now)}::timestamptz[],
        ${uses.map(({ expiresAt }) => expiresAt)}::timestamptz[], ${uses.map(({ userAgent }) => userAgent)}::text[]
      ) u(id, seen_at, expires_at, user_agent) order by id, seen_at desc
    ),
    free as (
      select s.id from sessions s where s.id in (select id from used) and s.last_seen_at < ${seenBefore} order by s.id for update skip locked
    )
    update sessions s set last_seen_at = u.seen_at,
      expires_at = greatest(s.expires_at, least(u.expires_at, s.created_at + ${longestMs} * interval '1 ms')),
      user_agent = coalesce(u.user_agent, s.user_agent)
    from used u join free f on f.id = u.id where s.id = u.id`,
)
/** Notes that sessions were used; one that another is writing to is noted by that one. A session never gets shorter. */
export async function touchSessions(db: Db, _scope: SystemScope, touches: Touches): Promise<void> {
  await touch.run(db, touches)
}

const surplus = statement(
  { name: 'session.endSurplus', row: {}, tries: [{ userId: someId, most: 1 }] },
  ({ userId, most }: { userId: string; most: number }) => sql`delete from sessions where id in (
    select id from sessions where user_id = ${userId} order by last_seen_at desc, id desc offset ${most})`,
)
/** Ends those used longest ago of an account that has too many. */
export const endSurplusSessions = (db: Db, scope: SelfScope, most: number): Promise<number> =>
  surplus.run(db, { userId: scope.userId, most })

/** Ends the session the request came with. */
export async function deleteSession(db: Db, scope: SelfScope): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', scope.sessionId).where('user_id', '=', scope.userId).execute()
}

const endOthers = statement(
  { name: 'session.endOthers', row: {}, tries: [{ userId: someId, sessionId: someId }] },
  ({ userId, sessionId }: { userId: string; sessionId: string | null }) =>
    sql`delete from sessions where user_id = ${userId} and id is distinct from ${sessionId}::uuid`,
)
/** Ends every session but the one the request came with; how many. */
export const deleteOtherSessions = (db: Db, scope: SelfScope): Promise<number> =>
  endOthers.run(db, { userId: scope.userId, sessionId: scope.sessionId })

export async function deleteSessions(db: Db, scope: SelfScope): Promise<void> {
  await db.deleteFrom('sessions').where('user_id', '=', scope.userId).execute()
}

const readProfile = statement(
  { name: 'session.profile', row: profile, tries: [someId] },
  (
    userId: string,
  ) => sql`select u.id, u.email::text as email, u.role, u.first_name as "firstName", u.last_name as "lastName", u.image_key as "imageKey",
      u.email_verified_at is not null as "isEmailVerified", (exists (select from identities d where d.user_id = u.id) or exists (select from calendar_connections k where k.user_id = u.id)) as "isConnectedGoogle",
      ${hasCalendar},
      i.id as "instituteId", i.slug as "instituteSlug", i.name as "instituteName"
    from users u left join institutes i on i.id = (select institute_id from institute_people where user_id = u.id order by level <> 'owner', created_at, institute_id limit 1) where u.id = ${userId}`,
)
/** The account with the institute it works for. */
export const findProfile = (db: Db, scope: SelfScope): Promise<ProfileRow | null> => readProfile.one(db, scope.userId)

const replaceImage = statement(
  { name: 'session.replaceImageKey', row: { previous: orNull(c.text) }, tries: [{ userId: someId, imageKey: 'a' }] },
  ({ userId, imageKey }: { userId: string; imageKey: string }) =>
    sql`update users set image_key = ${imageKey} where id = ${userId} returning old.image_key as previous`,
)
/** Puts a picture in the place of another, whose key comes back: of two at once each gives back the one it replaced. */
export const replaceImageKey = (db: Db, scope: SelfScope, imageKey: string): Promise<{ previous: string | null } | null> =>
  replaceImage.one(db, { userId: scope.userId, imageKey })

const ended = statement(
  { name: 'session.ended', row: { id: known(c.uuid) }, tries: [{ ids: [someId], now: new Date(0) }] },
  ({ ids, now }: { ids: readonly string[]; now: Date }) => sql`select asked.id from unnest(${ids}::uuid[]) as asked (id)
    where not exists (select from sessions s where s.id = asked.id and s.expires_at > ${now})`,
)
/** Of these, those that there are no more. */
export const findEnded = async (db: Db, _scope: SystemScope, asked: { ids: readonly string[]; now: Date }): Promise<string[]> =>
  (await ended.all(db, asked)).map(({ id }) => id)

/** Sessions that have run out. */
export async function forgetOldSessions(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('sessions').where('expires_at', '<', now.toISOString()).execute()
}

interface Unconfirmed {
  before: Date
  /** Addresses like this stay. */
  spared: string
}
const forgetUnconfirmed = statement(
  { name: 'session.forgetUnconfirmed', row: {}, tries: [{ before: new Date(0), spared: '' }] },
  ({ before, spared }: Unconfirmed) => sql`delete from users where id in (
    select u.id from users u where u.email_verified_at is null and u.created_at < ${before} and u.email::text not like ${spared}
      and not exists (select from institutes i where i.owner_id = u.id) and not exists (select from customers c where c.user_id = u.id)
      and not exists (select from institute_people p where p.user_id = u.id)
      and not exists (select from appointments a where a.user_id = u.id and a.status <> 'held') limit 500)`,
)
/** Accounts that were never confirmed and never used, with their sessions; whoever has an email may register anew. */
export const forgetUnconfirmedAccounts = (db: Db, _scope: SystemScope, which: Unconfirmed): Promise<number> =>
  forgetUnconfirmed.run(db, which)

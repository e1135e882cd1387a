import type { Locale, Role } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { SelfScope, SystemScope } from '#/platform/access.ts'
import { brokenConstraint, type Db } from '#/platform/database.ts'
import { statement } from '#/platform/statement.ts'

export interface Account {
  id: string
  email: string
  passwordHash: string | null
  role: Role
  firstName: string
  locale: Locale
}
export interface NewAccount {
  email: string
  passwordHash: string
  role: Role
  firstName: string
  lastName: string
  phone: string | null
  locale: Locale
  now: Date
}
export interface SessionRow {
  sessionId: string
  userId: string
  emailVerified: boolean
  lastSeenAt: string
}
export interface ProfileRow {
  id: string
  email: string
  role: Role
  firstName: string
  lastName: string
  imageKey: string | null
  isEmailVerified: boolean
  isConnectedGoogle: boolean
  instituteId: string | null
  instituteSlug: string | null
  instituteName: string | null
}

/** The id of the new account; null when the email has one. */
export async function insertAccount(db: Db, _scope: SystemScope, account: NewAccount): Promise<string | null> {
  try {
    const { rows } = await sql<{
      id: string
    }>`insert into users (email, password_hash, role, first_name, last_name, phone, locale, terms_accepted_at, created_at)
      values (${account.email}, ${account.passwordHash}, ${account.role}, ${account.firstName}, ${account.lastName}, ${account.phone}, ${account.locale}, ${account.now}, ${account.now}) returning id`.execute(
      db,
    )
    return rows[0]?.id ?? null
  } catch (error) {
    if (brokenConstraint(error) === 'users_email_key') return null
    throw error
  }
}

export async function findAccountByEmail(db: Db, _scope: SystemScope, email: string): Promise<Account | null> {
  const { rows } =
    await sql<Account>`select id, email::text as email, password_hash as "passwordHash", role, first_name as "firstName", locale from users where email = ${email}`.execute(
      db,
    )
  return rows[0] ?? null
}

export async function updatePassword(db: Db, scope: SelfScope, passwordHash: string): Promise<void> {
  await sql`update users set password_hash = ${passwordHash} where id = ${scope.userId}`.execute(db)
}

/** Opens a session while the account still has the password that was checked; false when it was changed meanwhile. */
export async function insertSession(
  db: Db,
  scope: SelfScope,
  session: { passwordHash: string; tokenHash: Buffer; userAgent: string | null; now: Date; expiresAt: Date },
): Promise<boolean> {
  const made = await sql`insert into sessions (user_id, token_hash, user_agent, created_at, last_seen_at, expires_at)
    select id, ${session.tokenHash}, ${session.userAgent}, ${session.now}, ${session.now}, ${session.expiresAt}
    from users where id = ${scope.userId} and password_hash = ${session.passwordHash} for share`.execute(db)
  return (made.numAffectedRows ?? 0n) > 0n
}

export async function findSession(db: Db, _scope: SystemScope, params: { tokenHash: Buffer; now: Date }): Promise<SessionRow | null> {
  const { rows } =
    await sql<SessionRow>`select s.id as "sessionId", u.id as "userId", u.email_verified_at is not null as "emailVerified", s.last_seen_at as "lastSeenAt"
    from sessions s join users u on u.id = s.user_id where s.token_hash = ${params.tokenHash} and s.expires_at > ${params.now}`.execute(db)
  return rows[0] ?? null
}

/** Notes that a session was used; of many at once the first writes. A session never gets shorter. */
export async function touchSession(
  db: Db,
  _scope: SystemScope,
  touch: { sessionId: string; now: Date; seenBefore: Date; expiresAt: Date; userAgent: string | null },
): Promise<void> {
  await sql`update sessions set last_seen_at = ${touch.now}, expires_at = greatest(expires_at, ${touch.expiresAt}::timestamptz), user_agent = coalesce(${touch.userAgent}, user_agent)
    where id = ${touch.sessionId} and last_seen_at < ${touch.seenBefore}`.execute(db)
}

/** Ends the session the request came with. */
export async function deleteSession(db: Db, scope: SelfScope): Promise<void> {
  await sql`delete from sessions where id = ${scope.sessionId} and user_id = ${scope.userId}`.execute(db)
}

export async function deleteSessions(db: Db, scope: SelfScope): Promise<void> {
  await sql`delete from sessions where user_id = ${scope.userId}`.execute(db)
}

/** The account with the institute it works for. */
export async function findProfile(db: Db, scope: SelfScope): Promise<ProfileRow | null> {
  const { rows } =
    await sql<ProfileRow>`select u.id, u.email::text as email, u.role, u.first_name as "firstName", u.last_name as "lastName", u.image_key as "imageKey",
      u.email_verified_at is not null as "isEmailVerified", u.google_subject is not null as "isConnectedGoogle",
      i.id as "instituteId", i.slug as "instituteSlug", i.name as "instituteName"
    from users u left join institutes i on i.id = (select institute_id from institute_people where user_id = u.id order by level <> 'owner', created_at, institute_id limit 1) where u.id = ${scope.userId}`.execute(
      db,
    )
  return rows[0] ?? null
}

/** Puts a picture in the place of another, whose key comes back: of two at once each gives back the one it replaced. */
export async function replaceImageKey(db: Db, scope: SelfScope, imageKey: string): Promise<{ previous: string | null } | null> {
  const { rows } = await sql<{
    previous: string | null
  }>`update users set image_key = ${imageKey} where id = ${scope.userId} returning old.image_key as previous`.execute(db)
  return rows[0] ?? null
}

const forgetOldSessionsStatement = statement(
  { name: 'session.forgetOld', row: {}, tries: [{ now: new Date(0) }] },
  ({ now }: { now: Date }) => sql`delete from sessions where expires_at < ${now}`,
)
/** Sessions that have run out. */
export const forgetOldSessions = (db: Db, now: Date): Promise<number> => forgetOldSessionsStatement.run(db, { now })

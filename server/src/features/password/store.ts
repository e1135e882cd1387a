import { sql } from 'kysely'
import type { Db } from '#/platform/database.ts'

export interface LiveLink {
  userId: string
  email: string
}

export async function insertReset(db: Db, reset: { tokenHash: Buffer; userId: string; expiresAt: Date }): Promise<void> {
  await sql`insert into password_resets (token_hash, user_id, expires_at) values (${reset.tokenHash}, ${reset.userId}, ${reset.expiresAt})`.execute(
    db,
  )
}

/** The account of a link that is neither used nor too old. */
export async function findLiveLink(db: Db, tokenHash: Buffer, now: Date): Promise<LiveLink | null> {
  const { rows } =
    await sql<LiveLink>`select u.id as "userId", u.email::text as email from password_resets r join users u on u.id = r.user_id
    where r.token_hash = ${tokenHash} and r.used_at is null and r.expires_at > ${now}`.execute(db)
  return rows[0] ?? null
}

/** Uses the link up; false when somebody was faster. */
export async function takeLink(db: Db, tokenHash: Buffer, now: Date): Promise<boolean> {
  const used =
    await sql`update password_resets set used_at = ${now} where token_hash = ${tokenHash} and used_at is null and expires_at > ${now}`.execute(
      db,
    )
  return (used.numAffectedRows ?? 0n) > 0n
}

/** Ends the other links of an account. */
export async function endOtherLinks(db: Db, userId: string, now: Date): Promise<void> {
  await sql`update password_resets set used_at = ${now} where user_id = ${userId} and used_at is null`.execute(db)
}

/** Links nobody can use any more. */
export async function deleteOldLinks(db: Db, userId: string, before: Date): Promise<void> {
  await sql`delete from password_resets where user_id = ${userId} and expires_at < ${before}`.execute(db)
}

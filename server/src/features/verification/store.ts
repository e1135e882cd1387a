import { sql } from 'kysely'
import type { Locale } from '@soigne/contract/wire'
import type { Db } from '#/platform/database.ts'

export interface Addressee {
  id: string
  email: string
  firstName: string
  locale: Locale
  verified: boolean
}

/** The account, locked until the transaction ends, so that its codes change one after the other. */
export async function lockAddressee(db: Db, userId: string): Promise<Addressee | null> {
  const { rows } =
    await sql<Addressee>`select id, email::text as email, first_name as "firstName", locale, email_verified_at is not null as verified
    from users where id = ${userId} for no key update`.execute(db)
  return rows[0] ?? null
}

/** Puts a new code in the place of the old one. */
export async function putCode(
  db: Db,
  code: { userId: string; hash: Buffer; expiresAt: Date; tries: number; resendAfter: Date | null },
): Promise<void> {
  await sql`insert into email_codes (user_id, code_hash, expires_at, tries_left, resend_after)
    values (${code.userId}, ${code.hash}, ${code.expiresAt}, ${code.tries}, ${code.resendAfter})
    on conflict (user_id) do update set code_hash = excluded.code_hash, expires_at = excluded.expires_at, tries_left = excluded.tries_left, resend_after = excluded.resend_after`.execute(
    db,
  )
}

/** Uses one try of the live code; null when there is none or no try is left. */
export async function takeTry(db: Db, userId: string, now: Date): Promise<{ hash: Buffer; triesLeft: number } | null> {
  const { rows } = await sql<{ hash: Buffer; triesLeft: number }>`update email_codes set tries_left = tries_left - 1
    where user_id = ${userId} and tries_left > 0 and expires_at > ${now}
    returning code_hash as hash, tries_left as "triesLeft"`.execute(db)
  return rows[0] ?? null
}

/** When a new code may be asked for; null when nothing stands in the way. */
export async function findResendAfter(db: Db, userId: string): Promise<string | null> {
  const { rows } = await sql<{
    resendAfter: string | null
  }>`select resend_after as "resendAfter" from email_codes where user_id = ${userId}`.execute(db)
  return rows[0]?.resendAfter ?? null
}

export async function markVerified(db: Db, userId: string, now: Date): Promise<void> {
  await sql`update users set email_verified_at = ${now} where id = ${userId} and email_verified_at is null`.execute(db)
  await sql`delete from email_codes where user_id = ${userId}`.execute(db)
}

/** Counts one within a window that begins with the first; refused counts change nothing and tell when the window ends (ms). */
export async function takeOne(
  db: Db,
  budget: { key: string; most: number; windowMs: number },
  now: number,
): Promise<{ taken: true } | { taken: false; freeAt: number }> {
  const taken = await sql`insert into rate_limits as budget (key, points, expire) values (${budget.key}, 1, ${now + budget.windowMs})
    on conflict (key) do update set
      points = case when budget.expire <= ${now} then 1 else budget.points + 1 end,
      expire = case when budget.expire <= ${now} then excluded.expire else budget.expire end
    where budget.expire <= ${now} or budget.points < ${budget.most}`.execute(db)
  if (taken.numAffectedRows) return { taken: true }
  const { rows } = await sql<{ expire: number }>`select expire from rate_limits where key = ${budget.key}`.execute(db)
  return { taken: false, freeAt: rows[0]?.expire ?? now + budget.windowMs }
}

import { sql } from 'kysely'
import { locales } from '@soigne/contract/wire'
import type { Instant } from '@soigne/contract/time'
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, type RowOf, someId, statement } from '#/platform/statement.ts'

const addressee = {
  id: c.uuid,
  email: known(c.text),
  firstName: c.text,
  locale: c.oneOf(locales),
  verified: known(c.bool),
}
export type Addressee = RowOf<typeof addressee>

const lock = statement(
  { name: 'verification.lockAddressee', row: addressee, tries: [someId] },
  (userId: string) => sql`select id, email::text as email, first_name as "firstName", locale, email_verified_at is not null as verified
    from users where id = ${userId} for no key update`,
)

/** The account, locked until the transaction ends, so that its codes change one after the other. */
export const lockAddressee = (db: Db, scope: SelfScope): Promise<Addressee | null> => lock.one(db, scope.userId)

/** Puts a new code in the place of the old one. */
export async function putCode(
  db: Db,
  scope: SelfScope,
  code: { hash: Buffer; expiresAt: Date; tries: number; resendAfter: Date | null },
): Promise<void> {
  const made = { code_hash: code.hash, expires_at: code.expiresAt, tries_left: code.tries, resend_after: code.resendAfter }
  await db
    .insertInto('email_codes')
    .values({ user_id: scope.userId, ...made })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(made))
    .execute()
}

const take = statement(
  { name: 'verification.takeTry', row: { hash: c.bytes, triesLeft: c.int }, tries: [{ userId: someId, now: new Date(0) }] },
  ({ userId, now }: { userId: string; now: Date }) => sql`update email_codes set tries_left = tries_left - 1
    where user_id = ${userId} and tries_left > 0 and expires_at > ${now}
    returning code_hash as hash, tries_left as "triesLeft"`,
)
/** Uses one try of the live code; null when there is none or no try is left. */
export const takeTry = (db: Db, scope: SelfScope, now: Date): Promise<{ hash: Buffer; triesLeft: number } | null> =>
  take.one(db, { userId: scope.userId, now })

/** When a new code may be asked for; null when nothing stands in the way. */
export async function findResendAfter(db: Db, scope: SelfScope): Promise<string | null> {
  const code = await db.selectFrom('email_codes').select('resend_after').where('user_id', '=', scope.userId).executeTakeFirst()
  return code?.resend_after ?? null
}

export async function markVerified(db: Db, scope: SelfScope, now: Date): Promise<void> {
  await db
    .updateTable('users')
    .set({ email_verified_at: now })
    .where('id', '=', scope.userId)
    .where('email_verified_at', 'is', null)
    .execute()
  await db.deleteFrom('email_codes').where('user_id', '=', scope.userId).execute()
}

interface Budget {
  key: string
  most: number
  windowMs: number
}
const takePoint = statement(
  { name: 'verification.takePoint', row: {}, tries: [{ key: 'k', most: 1, windowMs: 1, now: 0 }] },
  ({
    key,
    most,
    windowMs,
    now,
  }: Budget & { now: Instant }) => sql`insert into rate_limits as budget (key, points, expire) values (${key}, 1, ${now + windowMs})
    on conflict (key) do update set
      points = case when budget.expire <= ${now} then 1 else budget.points + 1 end,
      expire = case when budget.expire <= ${now} then excluded.expire else budget.expire end
    where budget.expire <= ${now} or budget.points < ${most}`,
)
/** Counts one within a window that begins with the first; refused counts change nothing and tell when the window ends (ms). */
export async function takeOne(db: Db, budget: Budget, now: Instant): Promise<{ taken: true } | { taken: false; freeAt: number }> {
  if (await takePoint.run(db, { ...budget, now })) return { taken: true }
  const limit = await db.selectFrom('rate_limits').select('expire').where('key', '=', budget.key).executeTakeFirst()
  return { taken: false, freeAt: limit?.expire ?? now + budget.windowMs }
}

import { sql } from 'kysely'
import type { SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, type RowOf, statement } from '#/platform/statement.ts'

export async function insertReset(db: Db, scope: SelfScope, reset: { tokenHash: Buffer; expiresAt: Date }): Promise<void> {
  await db
    .insertInto('password_resets')
    .values({ token_hash: reset.tokenHash, user_id: scope.userId, expires_at: reset.expiresAt })
    .execute()
}

const liveLink = { userId: c.uuid, email: known(c.text), isEmailConfirmed: known(c.bool) }
const findLink = statement(
  { name: 'password.findLiveLink', row: liveLink, tries: [{ tokenHash: Buffer.alloc(32), now: new Date(0) }] },
  ({
    tokenHash,
    now,
  }: {
    tokenHash: Buffer
    now: Date
  }) => sql`select u.id as "userId", u.email::text as email, u.email_verified_at is not null as "isEmailConfirmed" from password_resets r join users u on u.id = r.user_id
    where r.token_hash = ${tokenHash} and r.used_at is null and r.expires_at > ${now}`,
)
/** The account of a link that is neither used nor too old. */
export const findLiveLink = (
  db: Db,
  _scope: SystemScope,
  params: { tokenHash: Buffer; now: Date },
): Promise<RowOf<typeof liveLink> | null> => findLink.one(db, params)

/** Uses the link up; false when somebody was faster. */
export async function takeLink(db: Db, scope: SelfScope, { tokenHash, now }: { tokenHash: Buffer; now: Date }): Promise<boolean> {
  const used = await db
    .updateTable('password_resets')
    .set({ used_at: now })
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', scope.userId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', now.toISOString())
    .executeTakeFirst()
  return used.numUpdatedRows > 0n
}

/** Ends the other links of an account. */
export async function endOtherLinks(db: Db, scope: SelfScope, now: Date): Promise<void> {
  await db.updateTable('password_resets').set({ used_at: now }).where('user_id', '=', scope.userId).where('used_at', 'is', null).execute()
}

/** Links nobody can use any more. */
export async function deleteOldLinks(db: Db, scope: SelfScope, before: Date): Promise<void> {
  await db.deleteFrom('password_resets').where('user_id', '=', scope.userId).where('expires_at', '<', before.toISOString()).execute()
}

/** Links that ran out before. */
export async function forgetOldLinks(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('password_resets').where('expires_at', '<', before.toISOString()).execute()
}

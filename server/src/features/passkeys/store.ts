import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

interface NewChallenge {
  hash: Buffer
  /** Whose passkey is added; null: somebody signs in, nobody knows who. */
  userId: string | null
  now: Date
  expiresAt: Date
}
const ask = statement(
  { name: 'passkeys.ask', row: {}, tries: [{ hash: Buffer.alloc(32), userId: someId, now: new Date(0), expiresAt: new Date(1) }] },
  ({ hash, userId, now, expiresAt }: NewChallenge) => sql`with old as (
      delete from passkey_challenges where challenge_hash in
        (select challenge_hash from passkey_challenges where expires_at < ${now} order by expires_at limit 100 for update skip locked))
    insert into passkey_challenges (challenge_hash, user_id, expires_at) values (${hash}, ${userId}, ${expiresAt})`,
)
/** Keeps what a browser is asked to sign, and forgets what was asked too long ago. */
export async function insertChallenge(db: Db, _scope: SystemScope, challenge: NewChallenge): Promise<void> {
  await ask.run(db, challenge)
}

interface Asked {
  hash: Buffer
  userId: string | null
  now: Date
}
const take = statement(
  { name: 'passkeys.takeChallenge', row: {}, tries: [{ hash: Buffer.alloc(32), userId: someId, now: new Date(0) }] },
  ({ hash, userId, now }: Asked) => sql`delete from passkey_challenges
    where challenge_hash = ${hash} and user_id is not distinct from ${userId}::uuid and expires_at > ${now}`,
)
/** Uses it up; false when it was never asked, asked of somebody else, too long ago, or answered before. */
export const takeChallenge = async (db: Db, _scope: SystemScope, asked: Asked): Promise<boolean> => (await take.run(db, asked)) > 0

const owner = {
  email: known(c.text),
  firstName: c.text,
  lastName: c.text,
  locale: c.oneOf(locales),
  hasPassword: known(c.bool),
}
const lock = statement(
  { name: 'passkeys.owner', row: owner, tries: [someId] },
  (
    userId: string,
  ) => sql`select email::text as email, first_name as "firstName", last_name as "lastName", locale, password_hash is not null as "hasPassword"
    from users where id = ${userId} for no key update`,
)
export type Owner = RowOf<typeof owner>
/** Whose passkeys they are. Of two who add one at once, one waits. */
export const lockOwner = (db: Db, scope: SelfScope): Promise<Owner | null> => lock.one(db, scope.userId)

const listed = {
  id: c.uuid,
  credentialId: c.bytes,
  name: c.text,
  madeAt: c.instant,
  lastUsedAt: orNull(c.instant),
}
const list = statement(
  { name: 'passkeys.list', row: listed, tries: [someId] },
  (userId: string) => sql`select id, credential_id as "credentialId", name, created_at as "madeAt", last_used_at as "lastUsedAt"
    from passkeys where user_id = ${userId} order by created_at desc, id desc`,
)
export const listPasskeys = (db: Db, scope: SelfScope): Promise<RowOf<typeof listed>[]> => list.all(db, scope.userId)

interface NewPasskey {
  credentialId: Buffer
  publicKey: Buffer
  signCount: number
  name: string
  now: Date
}
const insert = statement(
  {
    name: 'passkeys.insert',
    row: {},
    tries: [{ userId: someId, credentialId: Buffer.alloc(16), publicKey: Buffer.alloc(16), signCount: 0, name: 'a', now: new Date(0) }],
  },
  ({ userId, credentialId, publicKey, signCount, name, now }: NewPasskey & { userId: string }) => sql`
    insert into passkeys (user_id, credential_id, public_key, sign_count, name, created_at)
    values (${userId}, ${credentialId}, ${publicKey}, ${signCount}, ${name}, ${now}) on conflict (credential_id) do nothing`,
)
/** False when it is known already. */
export const insertPasskey = async (db: Db, scope: SelfScope, passkey: NewPasskey): Promise<boolean> =>
  (await insert.run(db, { ...passkey, userId: scope.userId })) > 0

const rename = statement(
  { name: 'passkeys.rename', row: {}, tries: [{ userId: someId, id: someId, name: 'a' }] },
  ({ userId, id, name }: { userId: string; id: string; name: string }) =>
    sql`update passkeys set name = ${name} where id = ${id} and user_id = ${userId}`,
)
/** False when it is not theirs. */
export const updateName = async (db: Db, scope: SelfScope, given: { id: string; name: string }): Promise<boolean> =>
  (await rename.run(db, { ...given, userId: scope.userId })) > 0

const removed = { name: c.text }
const remove = statement(
  { name: 'passkeys.remove', row: removed, tries: [{ userId: someId, id: someId }] },
  ({ userId, id }: { userId: string; id: string }) => sql`delete from passkeys where id = ${id} and user_id = ${userId} returning name`,
)
/** What it was called; null when it is not theirs. */
export const deletePasskey = async (db: Db, scope: SelfScope, id: string): Promise<string | null> =>
  (await remove.one(db, { userId: scope.userId, id }))?.name ?? null

const keyRow = { id: c.uuid, userId: c.uuid, email: known(c.text), publicKey: c.bytes }
const find = statement(
  { name: 'passkeys.find', row: keyRow, tries: [Buffer.alloc(16)] },
  (credentialId: Buffer) => sql`select p.id, p.user_id as "userId", u.email::text as email, p.public_key as "publicKey"
    from passkeys p join users u on u.id = p.user_id where p.credential_id = ${credentialId}`,
)
export type KnownPasskey = RowOf<typeof keyRow>
/** By what the device calls it. */
export const findPasskey = (db: Db, _scope: SystemScope, credentialId: Buffer): Promise<KnownPasskey | null> => find.one(db, credentialId)

interface Use {
  id: string
  signCount: number
  now: Date
}
const use = statement(
  { name: 'passkeys.use', row: { isAhead: known(c.bool) }, tries: [{ id: someId, signCount: 0, now: new Date(0) }] },
  ({ id, signCount, now }: Use) => sql`update passkeys set
      sign_count = greatest(sign_count, ${signCount}), last_used_at = case when sign_count < ${signCount} or ${signCount}::int8 = 0 and sign_count = 0 then ${now} else last_used_at end
    where id = ${id} returning old.sign_count < ${signCount} or ${signCount}::int8 = 0 and old.sign_count = 0 as "isAhead"`,
)
/**
 * Notes that it signed once more, and holds it until the transaction ends: who removes it meanwhile waits. Null when it was removed;
 * false when its count did not go on, as that of a copy does not. Devices that count nothing always say 0.
 */
export const usePasskey = async (db: Db, _scope: SystemScope, used: Use): Promise<boolean | null> =>
  (await use.one(db, used))?.isAhead ?? null

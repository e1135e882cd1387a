/** The same `Idempotency-Key` gives the first answer again: the key is stored in the transaction of the effect. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, type Db, inTransaction } from './database.ts'
import { refuse } from './refuse.ts'
import { c, orNull, someId, statement } from './statement.ts'

export interface OnceKey {
  userId: string
  key: string
  /** What was asked; another request under the same key is refused. */
  request: unknown
}

interface KeyOf {
  userId: string
  key: string
}
const someKey = { userId: someId, key: 'k' }
// Not with the builder: these are sent with each booking, and prepared.
const claim = statement(
  { name: 'idempotency.claim', row: {}, tries: [{ ...someKey, fingerprint: Buffer.alloc(32) }] },
  ({ userId, key, fingerprint }: KeyOf & { fingerprint: Buffer }) =>
    sql`insert into idempotency_keys (user_id, key, fingerprint) values (${userId}, ${key}, ${fingerprint}) on conflict do nothing`,
)
const answered = statement(
  { name: 'idempotency.answered', row: { fingerprint: c.bytes, body: orNull(c.json<unknown>()) }, tries: [someKey] },
  ({ userId, key }: KeyOf) => sql`select fingerprint, body from idempotency_keys where user_id = ${userId} and key = ${key}`,
)
const keep = statement(
  { name: 'idempotency.keep', row: {}, tries: [{ ...someKey, body: '{}' }] },
  ({ userId, key, body }: KeyOf & { body: string }) =>
    sql`update idempotency_keys set body = ${body}::jsonb, status = 200 where user_id = ${userId} and key = ${key}`,
)

export const fingerprintOf = (request: unknown): Buffer => createHash('sha256').update(JSON.stringify(request)).digest()

/** Runs the work in a transaction, at most once for a key. A second caller with the key waits for the first and gets its answer; a refusal frees the key. */
export async function withIdempotency<T>(db: Database, key: OnceKey | null, work: (transaction: Db) => Promise<T>): Promise<T> {
  return inTransaction(db, async (transaction) => {
    if (!key) return work(transaction)
    const fingerprint = fingerprintOf(key.request)
    if (!(await claim.run(transaction, { ...key, fingerprint }))) {
      const first = await answered.one(transaction, key)
      if (!first || first.body === null || !first.fingerprint.equals(fingerprint)) throw refuse('idempotency_conflict')
      return first.body as T
    }
    const answer = await work(transaction)
    await keep.run(transaction, { ...key, body: JSON.stringify(answer) })
    return answer
  })
}

/** Whether a request under this key has been answered: its effect and its key became true together. */
export const isKeyKept = async (db: Db, key: KeyOf): Promise<boolean> => (await answered.one(db, key)) !== null

const forgetOld = statement(
  { name: 'idempotency.forgetOld', row: {} },
  () => sql`delete from idempotency_keys where created_at < now() - interval '1 day' and (status is not null or claimed_by is null)`,
)
/** Keys answered more than a day ago are forgotten; work that was broken off never is. */
export async function forgetOldKeys(db: Db): Promise<void> {
  await forgetOld.run(db)
}

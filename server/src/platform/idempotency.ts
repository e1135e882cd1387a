/** The same `Idempotency-Key` gives the first answer again: the key is stored in the transaction of the effect. */
import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { type Database, type Db, inTransaction } from './database.ts'
import { refuse } from './refuse.ts'

export interface OnceKey {
  userId: string
  key: string
  /** What was asked; another request under the same key is refused. */
  request: unknown
}

export const fingerprintOf = (request: unknown): Buffer => createHash('sha256').update(JSON.stringify(request)).digest()

/** Runs the work in a transaction, at most once for a key. A second caller with the key waits for the first and gets its answer; a refusal frees the key. */
export async function withIdempotency<T>(db: Database, key: OnceKey | null, work: (transaction: Db) => Promise<T>): Promise<T> {
  return inTransaction(db, async (transaction) => {
    if (!key) return work(transaction)
    const fingerprint = fingerprintOf(key.request)
    const taken =
      await sql`insert into idempotency_keys (user_id, key, fingerprint) values (${key.userId}, ${key.key}, ${fingerprint}) on conflict do nothing`.execute(
        transaction,
      )
    if (taken.numAffectedRows === 0n) {
      const found = await sql<{
        fingerprint: Buffer
        body: T | null
      }>`select fingerprint, body from idempotency_keys where user_id = ${key.userId} and key = ${key.key}`.execute(transaction)
      const first = found.rows[0]
      if (!first || first.body === null || !first.fingerprint.equals(fingerprint)) throw refuse('idempotency_conflict')
      return first.body
    }
    const answer = await work(transaction)
    await sql`update idempotency_keys set body = ${JSON.stringify(answer)}::jsonb, status = 200 where user_id = ${key.userId} and key = ${key.key}`.execute(
      transaction,
    )
    return answer
  })
}

/** Whether a request under this key has been answered: its effect and its key became true together. */
export async function isKeyKept(db: Db, params: { userId: string; key: string }): Promise<boolean> {
  const { rows } = await sql`select 1 from idempotency_keys where user_id = ${params.userId} and key = ${params.key}`.execute(db)
  return rows.length > 0
}

/** Keys answered more than a day ago are forgotten; work that was broken off never is. */
export async function forgetOldKeys(db: Db): Promise<void> {
  await sql`delete from idempotency_keys where created_at < now() - interval '1 day' and (status is not null or claimed_by is null)`.execute(
    db,
  )
}

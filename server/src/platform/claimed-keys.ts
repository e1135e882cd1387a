/**
 * Work beyond the database under an `Idempotency-Key`: a payment, a message to another company. The key is claimed in a commit of its own,
 * the work beyond runs without a transaction under a key derived from ours, and one transaction writes its effect and finishes the key.
 * Whoever is killed in between leaves a claim that runs out; the next caller, or a job, does the same again and finds what is done already.
 */
import { minuteMs } from '@soigne/contract/time'
import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { type Database, type Db, inTransaction } from './database.ts'
import { fingerprintOf } from './idempotency.ts'
import type { Log } from './log.ts'
import { RefusalError, refuse } from './refuse.ts'
import { c, known, orNull, someId, statement } from './statement.ts'

/** What is asked under a key. `request` is data, kept until it is answered. */
export interface Asked<Request> {
  userId: string
  key: string
  request: Request
}

/** Work of one kind, the same for who asks and for the job that finishes what was broken off. */
export interface WorkBeyond<Request, Found, Answer> {
  kind: string
  /** Longer than `beyond` can take with all its time-outs. */
  leaseMs?: number
  /** Beyond the database. `derivedKey` is the same at every try: whoever is asked there makes one of many. A refusal means that nothing was done. */
  beyond(request: Request, derivedKey: string): Promise<Found>
  /** Writes what became true. It must not refuse any more: beyond the database it has happened. */
  effect(transaction: Db, request: Request, found: Found): Promise<Answer>
}

const usualLeaseMs = minuteMs
const lookAgainMs = 40

interface Held {
  userId: string
  key: string
  claimedBy: string
}

const claims = statement(
  {
    name: 'keys.claim',
    row: {},
    tries: [{ userId: someId, key: 'k', claimedBy: someId, fingerprint: Buffer.alloc(32), kind: 'pay', request: '{}', leaseMs: 1 }],
  },
  (claim: Held & { fingerprint: Buffer; kind: string; request: string; leaseMs: number }) => sql`
    insert into idempotency_keys as k (user_id, key, fingerprint, kind, request, claimed_by, claimed_until)
    values (${claim.userId}, ${claim.key}, ${claim.fingerprint}, ${claim.kind}, ${claim.request}::jsonb, ${claim.claimedBy}, clock_timestamp() + ${claim.leaseMs} * interval '1 ms')
    on conflict (user_id, key) do update set claimed_by = excluded.claimed_by, claimed_until = excluded.claimed_until
    where k.status is null and k.claimed_until < clock_timestamp() and k.fingerprint = excluded.fingerprint and k.kind = excluded.kind`,
)
const finishes = statement(
  { name: 'keys.finish', row: {}, tries: [{ userId: someId, key: 'k', claimedBy: someId, body: '{}' }] },
  ({ userId, key, claimedBy, body }: Held & { body: string }) => sql`
    update idempotency_keys set status = 200, body = ${body}::jsonb, claimed_until = null
    where user_id = ${userId} and key = ${key} and claimed_by = ${claimedBy} and status is null`,
)
const frees = statement(
  { name: 'keys.free', row: {}, tries: [{ userId: someId, key: 'k', claimedBy: someId }] },
  ({ userId, key, claimedBy }: Held) =>
    sql`delete from idempotency_keys where user_id = ${userId} and key = ${key} and claimed_by = ${claimedBy} and status is null`,
)
const lapses = statement(
  { name: 'keys.lapse', row: {}, tries: [{ userId: someId, key: 'k', claimedBy: someId }] },
  ({ userId, key, claimedBy }: Held) => sql`
    update idempotency_keys set claimed_until = clock_timestamp() where user_id = ${userId} and key = ${key} and claimed_by = ${claimedBy} and status is null`,
)
const reads = statement(
  {
    name: 'keys.read',
    row: { fingerprint: c.bytes, isDone: known(c.bool), body: orNull(c.json<unknown>()) },
    tries: [{ userId: someId, key: 'k' }],
  },
  ({ userId, key }: { userId: string; key: string }) => sql`
    select fingerprint, status is not null as "isDone", body from idempotency_keys where user_id = ${userId} and key = ${key}`,
)
const unfinished = statement(
  {
    name: 'keys.unfinished',
    row: { userId: c.uuid, key: c.text, fingerprint: c.bytes, kind: orNull(c.text), request: orNull(c.json<unknown>()) },
    tries: [1],
  },
  (limit: number) => sql`
    select user_id as "userId", key, fingerprint, kind, request from idempotency_keys where status is null and claimed_until < clock_timestamp() order by claimed_until limit ${limit}`,
)

/** Somebody else has taken the claim over: what this transaction did must not be. */
class LostClaim extends Error {}

/** Claims a key in a commit of its own; null while another has it or when it is answered. */
async function claimKey(
  db: Db,
  { kind, leaseMs = usualLeaseMs }: { kind: string; leaseMs?: number | undefined },
  { userId, key, request, fingerprint }: Asked<unknown> & { fingerprint: Buffer },
): Promise<Held | null> {
  const held = { userId, key, claimedBy: randomUUID() }
  return (await claims.run(db, { ...held, kind, request: JSON.stringify(request), fingerprint, leaseMs })) > 0 ? held : null
}

/** Answers a key in the transaction of the effect. @throws when the claim has gone to another meanwhile */
async function finishKey(transaction: Db, held: Held, answer: unknown): Promise<void> {
  if ((await finishes.run(transaction, { ...held, body: JSON.stringify(answer ?? null) })) === 0)
    throw new LostClaim('the claim has gone to another')
}

/** The answer that is there already; undefined while there is none. */
async function answerOf(
  db: Db,
  { userId, key, fingerprint }: Omit<Asked<unknown>, 'request'> & { fingerprint: Buffer },
): Promise<{ body: unknown } | undefined> {
  const found = await reads.one(db, { userId, key })
  if (found && !found.fingerprint.equals(fingerprint)) throw refuse('idempotency_conflict')
  return found?.isDone ? { body: found.body } : undefined
}

async function doClaimed<R, F, A>(db: Database, work: WorkBeyond<R, F, A>, { request }: Asked<R>, held: Held): Promise<A> {
  const derivedKey = createHash('sha256').update(`${work.kind} ${held.userId} ${held.key}`).digest('hex')
  try {
    const found = await work.beyond(request, derivedKey)
    return await inTransaction(db, async (transaction) => {
      const answer = await work.effect(transaction, request, found)
      await finishKey(transaction, held, answer)
      return answer
    }).catch((error: unknown) => {
      throw error instanceof RefusalError ? new Error(`the effect of ${work.kind} was refused: ${error.code}`, { cause: error }) : error
    })
  } catch (error) {
    if (error instanceof RefusalError) await frees.run(db, held)
    else if (!(error instanceof LostClaim)) await lapses.run(db, held).catch(() => {})
    throw error
  }
}

/**
 * Does the work at most once for a key, whoever is killed on the way. A second caller waits for the first as long as `patienceMs` and gets
 * its answer, or a 409 that says when to ask again. A refusal beyond the database frees the key.
 */
export async function doBeyond<R, F, A>(db: Database, work: WorkBeyond<R, F, A>, asked: Asked<R>, patienceMs: number): Promise<A> {
  const printed = { ...asked, fingerprint: fingerprintOf(asked.request) }
  for (const until = performance.now() + patienceMs; ;) {
    const held = await claimKey(db, work, printed)
    if (held) {
      try {
        return await doClaimed(db, work, asked, held)
      } catch (error) {
        if (!(error instanceof LostClaim)) throw error
      }
    }
    const answered = await answerOf(db, printed)
    if (answered) return answered.body as A
    if (performance.now() > until) throw refuse('idempotency_conflict', { isRunning: true }, { retryAfter: 2 })
    await sleep(lookAgainMs)
  }
}

/** The work of the job: finishes what was claimed and broken off, however long ago; how much. What cannot be finished now is tried again by the next run. */
export async function finishBrokenOff(
  db: Database,
  works: readonly WorkBeyond<never, unknown, unknown>[],
  log: Log,
  limit = 100,
): Promise<number> {
  let done = 0
  for (const { kind, ...broken } of await unfinished.all(db, limit)) {
    const work = works.find((one) => one.kind === kind)
    try {
      if (!work) throw new Error(`nobody knows how to finish '${kind}'`)
      const held = await claimKey(db, work, broken)
      if (!held) continue
      await doClaimed(db, work, { ...broken, request: broken.request as never }, held)
      done++
    } catch (error) {
      // Refused: nothing was done beyond, and the key is free.
      if (!(error instanceof RefusalError) && !(error instanceof LostClaim))
        log.error({ err: error, key: broken.key, kind }, 'work under a key could not be finished')
    }
  }
  return done
}

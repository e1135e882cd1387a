/** Work beyond the database, by real processes that are killed before, after and within its effect: it happens once, and everybody gets the same answer. */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { charging, startClaimProcess, type Stop, stops } from '#/testing/claim-process.ts'
import { makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { type Asked, doBeyond, finishBrokenOff, type WorkBeyond } from './claimed-keys.ts'
import { forgetOldKeys, withIdempotency } from './idempotency.ts'
import { refuse } from './refuse.ts'

let t: TestApp
let userId: string
let url: string
/** The provider's book: what was charged under which of its keys. */
const book = new Map<string, { id: string; amount: number }>()
let asked = 0
const provider = createServer((request, response) => {
  asked++
  const [, key = '', amount = ''] = (request.url ?? '').split('/')
  if (!book.has(key)) book.set(key, { id: `ch_${book.size + 1}`, amount: Number(amount) })
  response.end(JSON.stringify(book.get(key)))
})
beforeAll(async () => {
  t = await openTestApp()
  url = t.ownerPool.options.connectionString ?? ''
  await sql`create table charges (id text not null, amount int not null)`.execute(t.db)
  await new Promise<void>((resolve) => provider.listen(0, '127.0.0.1', resolve))
})
afterAll(async () => {
  provider.close()
  await t.close()
})
beforeEach(async () => {
  userId = (await makeUser(t.db)).id
  await sql`truncate charges`.execute(t.db)
  book.clear()
  asked = 0
})

const order = (key: string, amount = 500): Asked<{ provider: string; amount: number }> => ({
  userId,
  key,
  request: { provider: `http://127.0.0.1:${(provider.address() as AddressInfo).port}`, amount },
})
const charges = async (): Promise<unknown[]> => (await sql`select id, amount from charges`.execute(t.db)).rows
const finish = (...works: WorkBeyond<never, unknown, unknown>[]): Promise<number> => finishBrokenOff(t.db, works, t.context.log)
const patience = 60_000
const killedAt = async (stop: Stop, leaseMs: number): Promise<void> => {
  const child = await startClaimProcess({ url, ...order('k'), leaseMs, stop })
  await child.kill()
}
/** The claim of the dead runs out. */
const lapse = () =>
  sql`update idempotency_keys set claimed_until = clock_timestamp() - interval '1 ms' where user_id = ${userId}`.execute(t.db)

describe('a process killed', () => {
  it.each(stops)('%s the effect: the next caller with the key does it, once', async (stop) => {
    await killedAt(stop, 500)
    const answers = await Promise.all([1, 2, 3].map(() => doBeyond(t.db, charging(60_000), order('k'), patience)))
    expect(answers).toEqual(Array.from({ length: 3 }, () => ({ charge: 'ch_1' })))
    expect([...book.values()]).toEqual([{ id: 'ch_1', amount: 500 }])
    expect(await charges()).toEqual([{ id: 'ch_1', amount: 500 }])
  })

  it.each(stops)('%s the effect, and nobody comes again: the job does it, however long ago it was', async (stop) => {
    await killedAt(stop, 60_000)
    expect(await finish(charging(60_000))).toBe(0)
    await lapse()
    await sql`update idempotency_keys set created_at = now() - interval '1 year' where user_id = ${userId}`.execute(t.db)
    await forgetOldKeys(t.db)
    expect(await finish(charging(60_000))).toBe(1)
    expect(await finish(charging(60_000))).toBe(0)
    expect([...book.values()]).toEqual([{ id: 'ch_1', amount: 500 }])
    expect(await charges()).toEqual([{ id: 'ch_1', amount: 500 }])
    expect(await doBeyond(t.db, charging(60_000), order('k'), patience)).toEqual({ charge: 'ch_1' })
    await forgetOldKeys(t.db)
    expect((await sql`select from idempotency_keys where user_id = ${userId}`.execute(t.db)).rows).toEqual([])
  })
})

it('a process that comes back after its claim went to another changes nothing, and gives the answer of the other', async () => {
  const slow = await startClaimProcess({ url, ...order('k'), leaseMs: 60_000, stop: 'after' })
  await lapse()
  expect(await doBeyond(t.db, charging(60_000), order('k'), patience)).toEqual({ charge: 'ch_1' })
  slow.goOn()
  expect(await slow.answer).toEqual({ charge: 'ch_1' })
  expect(await charges()).toEqual([{ id: 'ch_1', amount: 500 }])
  expect([book.size, asked]).toEqual([1, 2])
})

describe('callers with one key', () => {
  it('at once: one asks the provider, the others wait for its answer', async () => {
    const answers = await Promise.all(Array.from({ length: 8 }, () => doBeyond(t.db, charging(60_000), order('k'), patience)))
    expect(answers).toEqual(Array.from({ length: 8 }, () => ({ charge: 'ch_1' })))
    expect([asked, await charges()]).toEqual([1, [{ id: 'ch_1', amount: 500 }]])
  })

  it('while the first runs are told when to ask again, once they have waited', async () => {
    const first = await startClaimProcess({ url, ...order('k'), leaseMs: 60_000, stop: 'before' })
    await expect(doBeyond(t.db, charging(60_000), order('k'), 50)).rejects.toMatchObject({
      code: 'idempotency_conflict',
      details: { isRunning: true },
      retryAfter: 2,
    })
    first.goOn()
    expect(await first.answer).toEqual({ charge: 'ch_1' })
  })

  it('who ask for something else are refused, before and after the answer', async () => {
    const first = await startClaimProcess({ url, ...order('k'), leaseMs: 60_000, stop: 'before' })
    await expect(doBeyond(t.db, charging(60_000), order('k', 900), patience)).rejects.toMatchObject({
      code: 'idempotency_conflict',
      details: undefined,
    })
    await lapse()
    await expect(doBeyond(t.db, charging(60_000), order('k', 900), patience)).rejects.toMatchObject({ code: 'idempotency_conflict' })
    first.goOn()
    await first.answer
    await expect(doBeyond(t.db, charging(60_000), order('k', 900), patience)).rejects.toMatchObject({ code: 'idempotency_conflict' })
    await expect(withIdempotency(t.db, order('k', 900), async () => 1)).rejects.toMatchObject({ code: 'idempotency_conflict' })
    expect([...book.values()]).toEqual([{ id: 'ch_1', amount: 500 }])
  })
})

describe('work beyond', () => {
  const failing = (error: Error): WorkBeyond<never, unknown, unknown> => ({
    kind: 'test charge',
    beyond: async () => {
      throw error
    },
    effect: async () => null,
  })

  it('that is refused there frees the key', async () => {
    await expect(doBeyond(t.db, failing(refuse('not_offered')), order('k') as never, patience)).rejects.toMatchObject({
      code: 'not_offered',
    })
    expect(await doBeyond(t.db, charging(60_000), order('k', 900), patience)).toEqual({ charge: 'ch_1' })
  })

  it('whose outcome is unknown is done again by who asks next, without waiting for the claim', async () => {
    await expect(doBeyond(t.db, failing(new Error('timeout')), order('k') as never, patience)).rejects.toThrow('timeout')
    expect(await doBeyond(t.db, charging(60_000), order('k'), patience)).toEqual({ charge: 'ch_1' })
    expect(await charges()).toHaveLength(1)
  })

  it('that the job cannot finish, or does not know, is tried again and keeps nothing else waiting', async () => {
    await expect(doBeyond(t.db, failing(new Error('timeout')), order('a') as never, patience)).rejects.toThrow('timeout')
    await expect(doBeyond(t.db, failing(new Error('timeout')), order('b') as never, patience)).rejects.toThrow('timeout')
    expect(await finish()).toBe(0)
    expect(await finish(failing(new Error('still away')))).toBe(0)
    expect(await finish(charging(60_000))).toBe(2)
    expect(await charges()).toHaveLength(2)
  })

  it('whose effect refuses is a mistake of ours: it is not lost, and the caller is not told a reason', async () => {
    const refusing: WorkBeyond<{ provider: string; amount: number }, { id: string }, unknown> = {
      ...charging(60_000),
      effect: async () => {
        throw refuse('slot_taken')
      },
    }
    await expect(doBeyond(t.db, refusing, order('k'), patience)).rejects.toThrow('the effect of test charge was refused: slot_taken')
    expect(await finish(charging(60_000))).toBe(1)
    expect([asked, book.size, await charges()]).toEqual([2, 1, [{ id: 'ch_1', amount: 500 }]])
  })
})

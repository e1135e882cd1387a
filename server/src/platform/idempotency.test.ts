import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { forgetOldKeys, isKeyKept, withIdempotency } from './idempotency.ts'
import { refuse } from './refuse.ts'

let t: TestApp
let userId: string
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  userId = (await makeUser(t.db)).id
})

const keyed = (key: string, request: unknown = { a: 1 }, of = userId): { userId: string; key: string; request: unknown } => ({
  userId: of,
  key,
  request,
})

describe('work under a key', () => {
  it('runs once however often it is asked for', async () => {
    let runs = 0
    const ask = (): Promise<{ run: number }> => withIdempotency(t.db, keyed('k'), async () => ({ run: ++runs }))
    const answers = await Promise.all(Array.from({ length: 8 }, ask))
    expect(answers).toEqual(Array.from({ length: 8 }, () => ({ run: 1 })))
    expect(runs).toBe(1)
  })

  it('is seen to be kept once it is done, and not after a refusal', async () => {
    await withIdempotency(t.db, keyed('k'), async () => ({ run: 1 }))
    await expect(
      withIdempotency(t.db, keyed('refused'), async () => {
        throw refuse('slot_taken')
      }),
    ).rejects.toMatchObject({ code: 'slot_taken' })
    expect(await isKeyKept(t.db, { userId, key: 'k' })).toBe(true)
    expect(await isKeyKept(t.db, { userId, key: 'refused' })).toBe(false)
  })

  it('runs each time without a key', async () => {
    let runs = 0
    for (let turn = 0; turn < 3; turn++) await withIdempotency(t.db, null, async () => ({ run: ++runs }))
    expect(runs).toBe(3)
  })

  it('that is refused or fails leaves the key free, and nothing else behind', async () => {
    const failing = withIdempotency(t.db, keyed('k'), async (transaction) => {
      await sql`update users set first_name = 'Changed' where id = ${userId}`.execute(transaction)
      throw refuse('slot_taken')
    })
    await expect(failing).rejects.toMatchObject({ code: 'slot_taken' })
    expect((await sql<{ name: string }>`select first_name as name from users where id = ${userId}`.execute(t.db)).rows).toEqual([
      { name: 'Nour' },
    ])
    expect(await withIdempotency(t.db, keyed('k'), async () => 'second')).toBe('second')
  })

  it('waits for the first under the same key, and takes its place when the first is refused', async () => {
    let letGo = (): void => {}
    const gate = new Promise<void>((resolve) => (letGo = resolve))
    let begun = (): void => {}
    const started = new Promise<void>((resolve) => (begun = resolve))
    const first = withIdempotency(t.db, keyed('k'), async () => {
      begun()
      await gate
      throw refuse('slot_taken')
    })
    await started
    const second = withIdempotency(t.db, keyed('k'), async () => 'second')
    letGo()
    await expect(first).rejects.toMatchObject({ code: 'slot_taken' })
    expect(await second).toBe('second')
  })

  it('for another request, or of another person, is another matter', async () => {
    await withIdempotency(t.db, keyed('k'), async () => 'mine')
    await expect(withIdempotency(t.db, keyed('k', { a: 2 }), async () => 'no')).rejects.toMatchObject({ code: 'idempotency_conflict' })
    const other = await makeUser(t.db)
    expect(await withIdempotency(t.db, keyed('k', { a: 2 }, other.id), async () => 'theirs')).toBe('theirs')
  })

  it('is forgotten after a day', async () => {
    await withIdempotency(t.db, keyed('old'), async () => 1)
    await withIdempotency(t.db, keyed('new'), async () => 1)
    await sql`update idempotency_keys set created_at = now() - interval '25 hours' where user_id = ${userId} and key = 'old'`.execute(t.db)
    await forgetOldKeys(t.db)
    expect((await sql<{ key: string }>`select key from idempotency_keys where user_id = ${userId}`.execute(t.db)).rows).toEqual([
      { key: 'new' },
    ])
  })
})

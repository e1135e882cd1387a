import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { type Limit, openLimit } from './limits.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

const limit = (name: string, points = 3, seconds = 60): Limit => openLimit(t.context.database.pool, name, points, seconds)

describe('a limit', () => {
  it('lets so many through, then says when to come back', async () => {
    const tries = limit('tries')
    const key = randomUUID()
    for (let turn = 0; turn < 3; turn++) await tries.take(key)
    const refusal = await tries.take(key).catch((error: unknown) => error)
    expect(refusal).toMatchObject({ code: 'too_many_requests' })
    const { retryAfter } = refusal as { retryAfter: number }
    expect(retryAfter).toBeGreaterThan(0)
    expect(retryAfter).toBeLessThanOrEqual(60)
  })

  it('counts each key by itself, and together with everybody who opens it by the same name', async () => {
    const key = randomUUID()
    await Promise.all([limit('shared').take(key), limit('shared').take(key), limit('shared').take(key)])
    await expect(limit('shared').take(key)).rejects.toMatchObject({ code: 'too_many_requests' })
    await limit('shared').take(randomUUID())
    await limit('other name').take(key)
  })

  it('can be looked at without counting, and forgotten', async () => {
    const tries = limit('looked at')
    const key = randomUUID()
    for (let turn = 0; turn < 10; turn++) await tries.check(key)
    for (let turn = 0; turn < 3; turn++) await tries.take(key)
    await expect(tries.check(key)).rejects.toMatchObject({ code: 'too_many_requests' })
    await tries.forget(key)
    await tries.check(key)
    await tries.take(key)
  })

  it('lets exactly so many through when all come at once', async () => {
    const key = randomUUID()
    const tries = limit('at once', 5)
    const outcomes = await Promise.allSettled(Array.from({ length: 30 }, () => tries.take(key)))
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(5)
  })

  it('takes any key, also a very long one', async () => {
    await limit('long').take('x'.repeat(10_000))
  })
})

import type { FreeTime } from '@soigne/contract/wire'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { holdBody, type HoldRequest, holdsPath, later, tryConfirm, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
const monday = wall('2026-11-23T09:00')
const settings = { LIMIT_BUDGETS: '100' }

let t: TestApp
let institute: MadeInstitute
const open: TestApp[] = []
const openOne = async (databaseUrl?: string, more: Record<string, string> = {}): Promise<TestApp> => {
  const app = await openTestApp({ at: now, settings: { ...settings, ...more }, ...(databaseUrl !== undefined && { databaseUrl }) })
  open.push(app)
  return app
}
beforeEach(async () => {
  t = await openOne()
  institute = await makeInstitute(t.db, {
    members: 3,
    services: [
      { name: 'Cut', active: 40 },
      { name: 'Colour', active: 90 },
    ],
  })
})
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close()
})

interface Held {
  status: number
  id: string
  retryAfter: number
}
async function holdFrom(remoteAddress: string, user: MadeUser, request: HoldRequest, app = t): Promise<Held> {
  const answer = await app.app.inject({
    method: 'POST',
    url: holdsPath,
    remoteAddress,
    headers: { authorization: `Bearer ${user.token}` },
    payload: holdBody(institute, request),
  })
  const { _id } = answer.json() as { _id?: string }
  return { status: answer.statusCode, id: _id ?? '', retryAfter: Number(answer.headers['retry-after'] ?? 0) }
}

/** Free starts of a cut in the next seven days, of every member. */
async function freeStarts(): Promise<number> {
  let count = 0
  for (const member of institute.members) {
    const answer = await t.inject(
      'GET',
      `/api/v1/client/institutes/${institute.id}/availability?service=${institute.services[0]}&staff=${member}&days=7`,
    )
    for (const { times } of answer.body['days'] as unknown as { times: FreeTime[] }[]) count += times.length
  }
  return count
}

/** What an account does that wants to hold as much as it can: long carts, short ones all over the days, again and again. */
async function holdAllTheyCan(
  users: readonly MadeUser[],
  addressOf: (n: number) => string,
  apps: readonly TestApp[] = [t],
): Promise<number[]> {
  const statuses: number[] = []
  await Promise.all(
    users.map(async (user, n) => {
      const app = apps[n % apps.length] as TestApp
      for (let round = 0; round < 4; round++) {
        const startsAt = later(monday, 24 * 60 * ((n + round) % 5) + 60 * ((n * 3 + round) % 8))
        const member = n % 3
        const lines: HoldRequest['lines'] = round % 2 ? [[0, member]] : Array.from({ length: 3 }, () => [1, member])
        statuses.push((await holdFrom(addressOf(n), user, { startsAt, lines }, app)).status)
      }
    }),
  )
  return statuses
}
const people = async (count: number, verified: boolean): Promise<MadeUser[]> => {
  const made: MadeUser[] = []
  for (let n = 0; n < count; n++) made.push(await makeUser(t.db, { verified }))
  return made
}

describe('accounts that hold all they can', () => {
  it.each([
    ['not confirmed, from one network', false, () => '203.0.113.7'],
    ['confirmed, from one network', true, () => '203.0.113.7'],
    ['not confirmed, each from a network of its own', false, (n: number) => `198.51.100.${n}`],
    ['confirmed, each from a network of its own', true, (n: number) => `198.51.100.${n}`],
  ])('day 6.9: 30 of them, %s, leave a salon of three four fifths of its time', async (_who, verified, addressOf) => {
    const before = await freeStarts()
    const statuses = await holdAllTheyCan(await people(30, verified), addressOf)
    expect(statuses).toContain(201)
    expect(statuses).toContain(429)
    expect(new Set(statuses).difference(new Set([201, 409, 422, 429]))).toEqual(new Set())
    expect((await freeStarts()) / before).toBeGreaterThanOrEqual(0.8)
  })

  it('on two servers leave it as well', async () => {
    const other = await openOne(t.databaseUrl)
    const before = await freeStarts()
    await holdAllTheyCan(await people(30, false), (n) => `198.51.100.${n}`, [t, other])
    expect((await freeStarts()) / before).toBeGreaterThanOrEqual(0.8)
  })

  it('keep nobody else from booking, and are told when to come back', async () => {
    const crowd = await people(12, false)
    const last: Held[] = []
    for (const [n, user] of crowd.entries())
      last.push(await holdFrom('203.0.113.7', user, { startsAt: later(monday, 60 * n), lines: [[0, n % 3]] }))
    const refused = last.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThan(0)
    for (const { retryAfter } of refused) expect([retryAfter > 0, retryAfter <= 600]).toEqual([true, true])
    const client = await makeUser(t.db)
    const held = await holdFrom('198.51.100.1', client, { startsAt: later(monday, 24 * 60) })
    expect([held.status, (await tryConfirm(t, client, held.id)).status]).toEqual([201, 201])
    t.clock.advance(601_000)
    expect((await holdFrom('203.0.113.7', crowd[0] as MadeUser, { startsAt: monday, lines: [[0, 0]] })).status).toBe(201)
  })

  it('without budgets, as for a bench, hold what they like', async () => {
    const free = await openOne(t.databaseUrl, { LIMITS: 'off' })
    const statuses: number[] = []
    for (const [n, user] of (await people(12, false)).entries())
      statuses.push(
        (await holdFrom('203.0.113.7', user, { startsAt: later(monday, 60 * (n % 6)), lines: [[0, Math.floor(n / 6)]] }, free)).status,
      )
    expect(new Set(statuses)).toEqual(new Set([201]))
  })
})

describe('what a hold takes of the budgets', () => {
  it('is given back when it is confirmed: a house books as much as it likes, one after the other', async () => {
    for (const [n, user] of (await people(16, true)).entries()) {
      const { status, id } = await holdFrom('203.0.113.7', user, { startsAt: later(monday, 40 * (n % 8)), lines: [[0, Math.floor(n / 8)]] })
      expect([n, status]).toEqual([n, 201])
      expect((await tryConfirm(t, user, id)).status).toBe(201)
    }
  })

  it('is given back when another server confirms it', async () => {
    const other = await openOne(t.databaseUrl)
    for (const [n, user] of (await people(16, true)).entries()) {
      const { status, id } = await holdFrom('203.0.113.7', user, { startsAt: later(monday, 40 * (n % 8)), lines: [[0, Math.floor(n / 8)]] })
      expect([n, status]).toEqual([n, 201])
      expect((await tryConfirm(other, user, id)).status).toBe(201)
    }
  })

  it('is spent when it comes to nothing: who lets go again and again waits longer each time, and another person does not', async () => {
    const [undecided, other] = (await people(2, true)) as [MadeUser, MadeUser]
    const waits: number[] = []
    for (let n = 0; n < 40 && waits.length < 3; n++) {
      const { status, id, retryAfter } = await holdFrom('203.0.113.7', undecided, { startsAt: monday })
      if (status === 429) {
        waits.push(retryAfter)
        t.clock.advance(retryAfter * 1000)
        continue
      }
      expect(status).toBe(201)
      expect((await t.inject('DELETE', `${holdsPath}/${id}`, { token: undecided.token })).status).toBe(200)
    }
    expect(waits).toEqual([30, 60, 120])
    expect((await holdFrom('203.0.113.7', other, { startsAt: later(monday, 60) })).status).toBe(201)
    t.clock.advance(3_700_000)
    expect((await holdFrom('203.0.113.7', undecided, { startsAt: monday })).status).toBe(201)
  })

  it('is spent when it runs out as well', async () => {
    const [forgetful] = (await people(1, false)) as [MadeUser]
    for (let n = 0; n < 5; n++) {
      expect((await holdFrom('203.0.113.7', forgetful, { startsAt: monday })).status).toBe(201)
      t.clock.advance(600_000)
    }
    expect(await holdFrom('203.0.113.7', forgetful, { startsAt: monday })).toMatchObject({ status: 429, retryAfter: 30 })
    t.clock.advance(30_000)
    expect((await holdFrom('203.0.113.7', forgetful, { startsAt: monday })).status).toBe(201)
  })

  it('is asked for once: the same request again is answered with the same hold', async () => {
    const [user, ...others] = (await people(6, false)) as [MadeUser, ...MadeUser[]]
    const send = () =>
      t.app.inject({
        method: 'POST',
        url: holdsPath,
        remoteAddress: '203.0.113.7',
        headers: { authorization: `Bearer ${user.token}`, 'idempotency-key': 'once' },
        payload: holdBody(institute, { startsAt: monday, lines: [[0, 0]] }),
      })
    const first = await send()
    for (const [n, other] of others.entries())
      await holdFrom('203.0.113.7', other, { startsAt: later(monday, 60 * (n + 1)), lines: [[0, 1]] })
    const again = await send()
    expect([again.statusCode, again.json()]).toEqual([201, first.json()])
  })
})

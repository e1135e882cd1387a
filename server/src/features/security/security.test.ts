import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { kindOf, openSecurityLog, securityEvents } from './service.ts'
import type { NewSecurityEvent, SecurityRow } from './store.ts'

const password = 'a quiet tuesday walk'
let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ settings: { LIMIT_WRONG_PASSWORDS: '3' } })
})
afterAll(() => t.close())

const about = (email: string): Promise<SecurityRow[]> => securityEvents(t.db, { since: new Date(0), kind: null, email, limit: 100 })
const kindsOf = async (email: string): Promise<string[]> => (await about(email)).map(({ kind, count }) => `${kind} ${count}`)
const login = (email: string, given: string) =>
  t.inject('POST', '/api/v1/client/auth/login', { body: { email, password: given, role: 'isClient' } })

describe('the log of security', () => {
  it('tells who registered, signed in, was refused and locked out, without a secret', async () => {
    const email = `${randomUUID().slice(0, 8)}@people.test`
    const body = { email, password, role: 'isClient', firstName: 'Lina', lastName: 'Haddad', acceptTerms: true }
    const { token } = (await t.inject('POST', '/api/v1/client/auth/register', { body })).body
    expect((await login(email, password)).status).toBe(200)
    expect((await login(email.toUpperCase(), 'not my password')).status).toBe(401)
    for (let n = 0; n < 4; n++) await login(email, `not my password ${n}`)
    expect((await login(email, password)).status).toBe(429)
    expect((await t.inject('POST', '/api/v1/secure/client/session/logout', { token: String(token) })).status).toBe(200)
    await vi.waitFor(
      async () =>
        expect(await kindsOf(email)).toEqual(['account.registered 1', 'login.ok 1', 'login.failed 1', 'limit.hit 1', 'session.ended 1']),
      { timeout: 60_000, interval: 20 },
    )
    const { rows } = await sql<{ all: string }>`select json_agg(e)::text as all from security_events e`.execute(t.db)
    for (const secret of [password, 'not my password', String(token), email]) expect(rows[0]?.all).not.toContain(secret)
    expect((await about(email)).every((row) => row.email === email && row.address === '127.0.0.1')).toBe(true)
  })

  it('finds tries at an address that has no account', async () => {
    const nobody = 'nobody@people.test'
    await login(nobody, 'a guess of ten')
    await vi.waitFor(async () => expect(await kindsOf(nobody.toUpperCase())).toEqual(['login.failed 1']), { timeout: 60_000, interval: 20 })
    expect(await about(nobody)).toMatchObject([{ email: null, userId: null }])
  })

  it('cannot be changed, and nothing of the last half year be taken away', async () => {
    await sql`insert into security_events (at, kind, address) values (now() - interval '200 days', 'old', 'a'), (now() - interval '170 days', 'new', 'a')`.execute(
      t.db,
    )
    await expect(sql`update security_events set address = 'b'`.execute(t.db)).rejects.toThrow('never changed')
    await expect(sql`delete from security_events where kind = 'new'`.execute(t.db)).rejects.toThrow('never changed')
    await expect(sql`truncate security_events`.execute(t.db)).rejects.toThrow('never changed')
    await t.jobs['tidy_security']?.({})
    expect((await sql<{ kind: string }>`select kind from security_events where kind in ('old', 'new')`.execute(t.db)).rows).toEqual([
      { kind: 'new' },
    ])
  })

  it('is not flooded: the same of one address is counted', async () => {
    const security = openSecurityLog(t.context)
    const event: NewSecurityEvent = {
      at: '2026-11-20T11:00:00Z',
      kind: 'flood',
      userId: null,
      email: null,
      address: '203.0.113.7',
      userAgent: null,
      details: {},
      count: 1,
    }
    for (let n = 0; n < 10_000; n++) security.note(event)
    security.note({ ...event, address: '203.0.113.8' })
    await security.flush()
    const found = await securityEvents(t.db, { since: new Date(0), kind: 'flood', email: null, limit: 10 })
    expect(found.map(({ address, count }) => [address, count])).toEqual([
      ['203.0.113.7', 1],
      ['203.0.113.8', 1],
      ['203.0.113.7', 9999],
    ])
  })

  it.each([
    ['login', 200, false, 'login.ok'],
    ['login', 401, false, 'login.failed'],
    ['login', 429, false, 'limit.hit'],
    ['login', 503, false, null],
    ['changeMember', 200, true, 'level.changed'],
    ['changeMember', 403, true, 'level.refused'],
    ['resetPassword', 200, false, 'password.changed'],
    ['connectCalendar', 200, true, 'calendar.connected'],
    ['makeCalendarFeed', 200, true, 'calendar.published'],
    ['exportOwnData', 200, true, 'data.taken'],
    ['exportOwnFiles', 200, true, 'data.taken'],
    ['exportInstitute', 200, true, 'data.taken'],
    ['exportInstitute', 403, true, 'access.refused'],
    ['me', 200, true, null],
    ['me', 401, true, 'token.refused'],
    ['me', 401, false, null],
    [undefined, 404, false, null],
    [undefined, 403, true, 'access.refused'],
    ['searchInstitutes', 429, false, 'limit.hit'],
  ])('of %s with %i says what it is', (call, status, hasToken, kind) => expect(kindOf(call, status, hasToken)).toBe(kind))
})

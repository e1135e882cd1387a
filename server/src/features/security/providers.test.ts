/** What the log says of who comes by way of a provider of identities. */
import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { goToProvider, listening } from '#/testing/provider-browser.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { securityEvents } from './service.ts'

let t: TestApp
let address: string
beforeAll(async () => {
  t = await openTestApp({ settings: { PORT: '0', LIMIT_LOGINS: '100' } })
  address = await listening(t)
})
afterAll(() => t.close())

const path = '/api/v1/client/auth/google'

it('[C-04] a sign-in at a provider is in the log of its account, and one that let nobody in is there too', async () => {
  const email = `${randomUUID().slice(0, 8)}@people.test`
  const { cookie, body } = await goToProvider(address, { email })
  const headers = { cookie, 'user-agent': 'A browser' }
  expect((await t.inject('POST', path, { body, headers })).status).toBe(200)
  expect((await t.inject('POST', path, { body, headers })).status).toBe(422)
  const all = () => securityEvents(t.db, { since: new Date(0), kind: null, email: null, limit: 10 })
  await vi.waitFor(async () => expect(await all()).toHaveLength(2), { timeout: 60_000, interval: 20 })
  const [done, refused] = await all()
  expect(done).toMatchObject({
    kind: 'login.ok',
    email,
    address: '127.0.0.1',
    userAgent: 'A browser',
    details: { call: 'signInAtProvider' },
  })
  expect(refused).toMatchObject({ kind: 'login.failed', userId: null, details: { call: 'signInAtProvider', status: 422 } })
})

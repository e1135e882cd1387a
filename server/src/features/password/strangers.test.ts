/** Somebody registered an address that is not theirs: once its owner has set a password they see and open nothing. docs/decisions/143. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goToProvider, listening } from '#/testing/provider-browser.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const auth = '/api/v1/client/auth'
const secure = '/api/v1/secure'
const password = 'loud evening coffee'

let t: TestApp
let address: string
beforeAll(async () => {
  t = await openTestApp({ settings: { PORT: '0', LIMIT_LOGINS: '100000', LIMIT_REGISTRATIONS: '100000' } })
  address = await listening(t)
})
afterAll(() => t.close())

const newEmail = (): string => `${randomUUID().slice(0, 8)}@people.test`
async function atProvider(email: string, isVerified: boolean): Promise<TestAnswer> {
  const { cookie, body } = await goToProvider(address, { email, isVerified, letsCalendar: true })
  return t.inject('POST', `${auth}/google`, { body, headers: { cookie } })
}
/** The last letter of a kind, as its reader has it. */
const letter = async (email: string, kind: string): Promise<string> => (await t.mails(email)).find((one) => one.kind === kind)?.text ?? ''
/** What the owner of the mailbox does. */
async function setsPassword(email: string): Promise<string> {
  await t.inject('POST', '/api/v1/client/password/request-reset', { body: { email } })
  const token = /token=([\w-]+)/.exec(await letter(email, 'password_reset'))?.[1]
  expect((await t.inject('POST', '/api/v1/client/password/reset', { body: { token, password } })).status).toBe(200)
  const signedIn = await t.inject('POST', `${auth}/login`, { body: { email, password, role: 'isClient' } })
  return String(signedIn.body['token'])
}
const calendarsOf = async (token: string): Promise<TestAnswer['body']> => (await t.inject('GET', `${secure}/calendars`, { token })).body

describe('an account that a stranger made with an address', () => {
  it('[C-04] [C-07] is opened by nothing of theirs once the owner has set a password and confirmed the email', async () => {
    const email = newEmail()
    const stranger = await atProvider(email, false)
    expect(stranger.status).toBe(200)
    const code = /\b\d{6}\b/.exec(await letter(email, 'email_code'))?.[0]
    const owner = await setsPassword(email)
    expect((await t.inject('POST', `${secure}/client/verify-email`, { token: owner, body: { code } })).status).toBe(200)
    const again = await atProvider(email, false)
    expect([again.status, again.body['code']]).toEqual([409, 'email_taken'])
    expect((await t.inject('GET', `${secure}/client/profile/me`, { token: String(stranger.body['token']) })).status).toBe(401)
    expect((await t.inject('GET', `${secure}/client/profile/me`, { token: owner })).body).toMatchObject({ isConnectedGoogle: false })
  })

  it('[P-05] shows no visits elsewhere before the email is confirmed, and what was let before ends with the reset', async () => {
    const email = newEmail()
    const stranger = String((await atProvider(email, false)).body['token'])
    const feed = await t.inject('POST', `${secure}/calendars/feed`, { token: stranger })
    const { cookie, body } = await goToProvider(address, { email, letsCalendar: true }, { for: 'calendar' })
    const connected = await t.inject('POST', `${secure}/calendars/connection`, { token: stranger, body, headers: { cookie } })
    expect([feed.status, connected.status]).toEqual([403, 403])
    expect(await calendarsOf(stranger)).toMatchObject({ connection: null, feed: null })
    // As releases before let them.
    const user = sql`(select id from users where email = ${email})`
    await sql`insert into calendar_feeds (user_id, token_hash, created_at) values (${user}, ${Buffer.alloc(32)}, now())`.execute(t.db)
    await sql`insert into calendar_connections (user_id, account, refresh_token, state, connected_at) values (${user}, 'else@where.test', 'r', 'connected', now())`.execute(
      t.db,
    )
    expect(await calendarsOf(await setsPassword(email))).toMatchObject({ connection: null, feed: null })
  })
})

it('[C-07] a confirmed account keeps its provider and its calendar when its password is set', async () => {
  const email = newEmail()
  const token = String((await atProvider(email, true)).body['token'])
  expect((await t.inject('POST', `${secure}/calendars/feed`, { token })).status).toBe(200)
  const kept = await calendarsOf(token)
  expect(kept).toMatchObject({ connection: { state: 'connected' }, feed: {} })
  expect(await calendarsOf(await setsPassword(email))).toEqual(kept)
  expect((await atProvider(email, true)).status).toBe(200)
})

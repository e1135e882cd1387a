import { randomUUID } from 'node:crypto'
import { instituteHeader } from '@soigne/contract/access'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { goToProvider, listening, type Returned } from '#/testing/provider-browser.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'

const path = '/api/v1/client/auth/google'
const newEmail = (): string => `${randomUUID().slice(0, 8)}@people.test`

let t: TestApp
let address: string
beforeAll(async () => {
  t = await openTestApp({ settings: { PORT: '0', LIMIT_LOGINS: '100000' } })
  address = await listening(t)
})
afterAll(() => t.close())

const post = ({ cookie, body }: Pick<Returned, 'cookie' | 'body'>, locale = 'en'): Promise<TestAnswer> =>
  t.inject('POST', path, { body, headers: { cookie }, locale })
const me = async (token: string): Promise<TestAnswer> => t.inject('GET', '/api/v1/secure/client/profile/me', { token })
const identitiesOf = async (email: string): Promise<number> =>
  (await sql`select from identities d join users u on u.id = d.user_id where u.email = ${email}`.execute(t.db)).rows.length

describe('signing in at a provider', () => {
  it('[R-14] an account that was made there has no password, which its settings say, until a link sets one', async () => {
    const email = newEmail()
    const { body } = await post(await goToProvider(address, { email, name: 'Odile Marchand' }, { role: 'isClient', from: '/' }))
    const profile = async (token: string) => (await t.inject('GET', '/api/v1/secure/client/profile/', { token })).body
    expect(await profile(String(body['token']))).toMatchObject({ email, hasPassword: false, hasProvider: true })
    await t.inject('POST', '/api/v1/client/password/request-reset', { body: { email } })
    const [letter] = (await t.mails(email)).filter(({ kind }) => kind === 'password_reset')
    const token = /token=([\w-]+)/.exec(letter?.text ?? '')?.[1]
    const password = 'loud evening coffee'
    expect((await t.inject('POST', '/api/v1/client/password/reset', { body: { token, password } })).status).toBe(200)
    expect((await t.mails(email)).map(({ kind }) => kind)).toContain('password_changed')
    const again = await t.inject('POST', '/api/v1/client/auth/login', { body: { email, password, role: 'isClient' } })
    expect(await profile(String(again.body['token']))).toMatchObject({ hasPassword: true })
  })

  it('[C-04] [C-28] [U-01] [E-01] makes an account with the role that was chosen, and knows it the next time', async () => {
    const email = newEmail()
    const first = await post(await goToProvider(address, { email, name: 'Odile Marchand' }, { role: 'isPro', from: '/wishlists?page=2' }))
    expect([first.status, first.body]).toMatchObject([
      200,
      { isNew: true, from: '/wishlists?page=2', user: { role: 'isPro', hasGoogleCalendarAccess: false } },
    ])
    expect((await me(String(first.body['token']))).body).toMatchObject({
      email,
      role: 'isPro',
      firstName: 'Odile',
      lastName: 'Marchand',
      isEmailVerified: true,
      isConnectedGoogle: true,
      hasGoogleCalendarAccess: false,
    })
    const second = await post(await goToProvider(address, { email }, { role: 'isPro' }))
    expect(second.body).toMatchObject({ isNew: false, from: null })
    expect((await me(String(second.body['token']))).body['id']).toBe((await me(String(first.body['token']))).body['id'])
  })

  it('[C-28] asks for calendar, identity and nothing more, with a code, a state, a nonce and PKCE', async () => {
    const start = await fetch(`${address}${path}/start?role=isClient`, { redirect: 'manual' })
    const asked = new URL(start.headers.get('location') ?? '').searchParams
    expect(asked.get('scope')?.split(' ').toSorted()).toEqual([
      'email',
      'https://www.googleapis.com/auth/calendar.app.created',
      'https://www.googleapis.com/auth/calendar.calendarlist.readonly',
      'openid',
      'profile',
    ])
    expect([asked.get('response_type'), asked.get('code_challenge_method'), asked.get('redirect_uri')]).toEqual([
      'code',
      'S256',
      `${address}/login`,
    ])
    const cookie = start.headers.getSetCookie()[0] ?? ''
    expect(cookie).toMatch(/; HttpOnly; SameSite=Lax/)
    for (const secret of ['state', 'nonce', 'code_challenge']) expect(cookie).not.toContain(asked.get(secret) ?? 'none')
  })

  it('[C-04] whoever was invited by an institute works there at once, where the provider has confirmed the email', async () => {
    const owner = await makeUser(t.db, { role: 'isPro' })
    const institute = await makeInstitute(t.db, { ownerId: owner.id, name: 'Atelier Nacre' })
    const worksAt = async (isVerified: boolean): Promise<unknown> => {
      const email = newEmail()
      const invited = { token: owner.token, headers: { [instituteHeader]: institute.id }, body: { email, level: 'staff' } }
      expect((await t.inject('POST', '/api/v1/secure/mysalon/members', invited)).status).toBe(201)
      const { body } = await post(await goToProvider(address, { email, isVerified }))
      return (await me(String(body['token']))).body['institute']?.['name']
    }
    expect([await worksAt(true), await worksAt(false)]).toEqual(['Atelier Nacre', undefined])
  })

  it('[C-03] leaves the device known, as every other sign-in does', async () => {
    const { headers } = await post(await goToProvider(address, { email: newEmail() }))
    expect(String(headers['set-cookie'])).toMatch(/soigne_device=[^;]+; Path=\/api\/v1; .*HttpOnly; SameSite=Strict/)
  })

  it('[C-04] tells the other role, and lets nobody in with it', async () => {
    const email = newEmail()
    await post(await goToProvider(address, { email }))
    const answer = await post(await goToProvider(address, { email }, { role: 'isPro' }))
    expect([answer.status, answer.body['code'], answer.body['details']]).toEqual([403, 'other_role', { role: 'isClient' }])
  })

  it('[C-04] another state, another browser, a code used before and a cookie that was changed sign nobody in', async () => {
    const email = newEmail()
    const returned = await goToProvider(address, { email })
    const elsewhere = await goToProvider(address, { email })
    const wrong: [string, Pick<Returned, 'cookie' | 'body'>][] = [
      ['state', { cookie: returned.cookie, body: { ...returned.body, state: 'isClient.guessed' } }],
      ['no cookie', { ...returned, cookie: '' }],
      ['the cookie of another start', { ...returned, cookie: elsewhere.cookie }],
      ['a changed cookie', { ...returned, cookie: `${returned.cookie.slice(0, -3)}AAA` }],
      ['another issuer', { cookie: returned.cookie, body: { ...returned.body, iss: 'https://issuer.example' } }],
    ]
    for (const [what, one] of wrong) {
      const answer = await post(one)
      expect([what, answer.status, answer.body['code']]).toEqual([what, 422, 'sign_in_failed'])
    }
    expect((await post(elsewhere)).status).toBe(200)
    const again = await post(elsewhere)
    expect([again.status, again.body['code']]).toEqual([422, 'sign_in_failed'])
  })

  it('[C-04] a code that was asked for with another nonce signs nobody in', async () => {
    const start = await fetch(`${address}${path}/start?role=isClient`, { redirect: 'manual' })
    const page = new URL(start.headers.get('location') ?? '')
    page.searchParams.set('nonce', 'of-somebody-else')
    const form = new URLSearchParams([
      ...page.searchParams,
      ['name', 'Camille'],
      ['email', newEmail()],
      ['verified', '1'],
      ['answer', 'allow'],
    ])
    const answered = await fetch(`${page.origin}${page.pathname}`, { method: 'POST', body: form, redirect: 'manual' })
    const back = new URL(answered.headers.get('location') ?? '').searchParams
    const answer = await post({
      cookie: start.headers.getSetCookie()[0]?.split(';')[0] ?? '',
      body: { googleToken: back.get('code') ?? '', state: back.get('state') ?? '', iss: back.get('iss') ?? '', role: 'isClient' },
    })
    expect(back.get('code')).toBeTruthy()
    expect([answer.status, answer.body['code']]).toEqual([422, 'sign_in_failed'])
  })

  it('[C-04] takes too long after ten minutes', async () => {
    const returned = await goToProvider(address, { email: newEmail() })
    t.clock.advance(10 * 60_000 + 1)
    expect((await post(returned)).body['code']).toBe('sign_in_failed')
  })
})

describe('an account with a password', () => {
  const withPassword = async (isVerified: boolean): Promise<string> => {
    const { id } = await makeUser(t.db)
    const email = newEmail()
    await sql`update users set email = ${email}, password_hash = 'x', email_verified_at = ${isVerified ? new Date(0) : null} where id = ${id}`.execute(
      t.db,
    )
    return email
  }

  it('[C-04] is linked when both sides have confirmed the email', async () => {
    const email = await withPassword(true)
    const answer = await post(await goToProvider(address, { email }))
    expect([answer.status, answer.body['isNew']]).toEqual([200, false])
    expect(await identitiesOf(email)).toBe(1)
  })

  it.each([
    ['the provider has not confirmed it', true, false],
    ['we have not confirmed it', false, true],
  ])('[C-04] is not linked when %s', async (_why, ours, theirs) => {
    const email = await withPassword(ours)
    const answer = await post(await goToProvider(address, { email, isVerified: theirs }))
    expect([answer.status, answer.body['code']]).toEqual([409, 'email_taken'])
    expect(await identitiesOf(email)).toBe(0)
  })

  it('[C-04] the same subject at another issuer is somebody else', async () => {
    const email = newEmail()
    await post(await goToProvider(address, { email }))
    await sql`update identities set issuer = 'https://other.example' where user_id = (select id from users where email = ${email})`.execute(
      t.db,
    )
    // Their email is not confirmed by this issuer: it opens nothing.
    const answer = await post(await goToProvider(address, { email, isVerified: false }))
    expect([answer.status, answer.body['code']]).toEqual([409, 'email_taken'])
    expect(await identitiesOf(email)).toBe(1)
  })

  it('[C-04] an email the provider has not confirmed is confirmed by a code, as any other', async () => {
    const email = newEmail()
    const answer = await post(await goToProvider(address, { email, isVerified: false }), 'fr')
    expect((await me(String(answer.body['token']))).body['isEmailVerified']).toBe(false)
    expect((await t.mails(email)).map(({ kind, subject }) => [kind, subject])).toEqual([['email_code', 'Votre code Soigné']])
  })
})

it('[C-04] leads nobody to another site, and says so when the provider is away', async () => {
  for (const from of ['//evil.test', 'https://evil.test', '/\\evil.test'])
    expect((await post(await goToProvider(address, { email: newEmail() }, { from }))).body['from']).toBeNull()
  const alone = await openTestApp({
    settings: { OIDC_ISSUER: 'http://127.0.0.1:9', OIDC_CLIENT_ID: 'a', OIDC_CLIENT_SECRET: 'b' },
  })
  const asked = `${path}/start?role=isClient&from=/wishlists`
  const start = await alone.inject('GET', asked, { headers: { host: 'soigne.test' } })
  expect([start.status, start.headers['location']]).toEqual([303, '/login?error=unavailable&from=%2Fwishlists'])
  // The way back leads to one name of the site: a trial opened under another moves there first, once.
  const elsewhere = await alone.inject('GET', asked, { headers: { host: '127.0.0.1:3000' } })
  expect(elsewhere.headers['location']).toBe(`http://soigne.test${asked}&moved=1`)
  expect((await alone.inject('GET', '/dev/issuer/jwks')).status).toBe(404)
  await alone.close()
})

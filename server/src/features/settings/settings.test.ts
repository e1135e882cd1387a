import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { deviceOf } from './device-names.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ settings: { LIMIT_REGISTRATIONS: '100', LIMIT_LOGINS: '100' } })
})
afterAll(() => t.close())

const base = '/api/v1/secure/client'
const password = 'quiet morning tea'
const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0'

async function register(): Promise<{ email: string; token: string }> {
  const email = `${randomUUID()}@people.test`
  const body = { email, password, role: 'isClient', firstName: 'Nour', lastName: 'Benali', phone: '06 12 34 56 78', acceptTerms: true }
  return { email, token: (await t.inject('POST', '/api/v1/client/auth/register', { body })).body['token'] ?? '' }
}
const login = (email: string, typed: string, userAgent = firefox) =>
  t.inject('POST', '/api/v1/client/auth/login', {
    body: { email, password: typed, role: 'isClient' },
    headers: { 'user-agent': userAgent },
  })
const profile = async (token: string) => (await t.inject('GET', `${base}/profile/`, { token })).body
const change = (token: string, body: object) => t.inject('PUT', `${base}/profile/`, { token, body })
const isSignedIn = async (token: string) => (await t.inject('GET', `${base}/profile/me`, { token })).status === 200

interface Device {
  _id: string
  browser: string | null
  system: string | null
  isCurrent: boolean
}
const devices = async (token: string) => (await t.inject('GET', `${base}/sessions`, { token })).body['items'] as unknown as Device[]

describe('the profile', () => {
  it('[C-18] changes what is named and leaves the rest', async () => {
    const { token, email } = await register()
    expect(await profile(token)).toEqual({
      email,
      firstName: 'Nour',
      lastName: 'Benali',
      phone: '06 12 34 56 78',
      locale: 'en',
      hasPassword: true,
      hasProvider: false,
    })
    expect(await change(token, { firstName: ' Salma ' })).toMatchObject({ status: 200, body: { message: 'Saved.' } })
    expect(await profile(token)).toMatchObject({ firstName: 'Salma', lastName: 'Benali', phone: '06 12 34 56 78' })
    await change(token, { phone: '' })
    expect(await profile(token)).toMatchObject({ firstName: 'Salma', phone: '' })
    expect((await t.inject('GET', `${base}/profile/me`, { token })).body).toMatchObject({ firstName: 'Salma', lastName: 'Benali' })
  })

  it('[C-18] takes a phone as keyboards and address books give it, and refuses words in any digits', async () => {
    const { token } = await register()
    expect(await change(token, { phone: '\u202a+٢١٢\u00a0٦ ۱۲\u201134\u202f56/78\u202c' })).toMatchObject({ status: 200 })
    expect(await profile(token)).toMatchObject({ phone: '+212 6 12-34 56 78' })
    expect((await change(token, { phone: '٠٦ call me' })).status).toBe(400)
  })

  it('[C-18] names the field that is wrong and stores nothing of it', async () => {
    const { token } = await register()
    const refused = await change(token, { firstName: ' ', lastName: 'Ok', phone: 'call me' })
    expect(refused.status).toBe(400)
    expect(Object.keys(refused.body['details']?.['fields'] ?? {}).toSorted()).toEqual(['firstName', 'phone'])
    expect(await profile(token)).toMatchObject({ firstName: 'Nour', lastName: 'Benali' })
  })

  it('keeps the chosen language, and letters speak it', async () => {
    const { token, email } = await register()
    expect(await change(token, { locale: 'fr' })).toMatchObject({ body: { message: 'Enregistré.' } })
    await t.inject('POST', '/api/v1/client/password/request-reset', { body: { email }, locale: 'en' })
    expect((await t.mails(email))[0]?.html).toContain('lang="fr"')
  })
})

describe('the password', () => {
  it('[C-19] is changed by who knows it, and ends every other session and link', async () => {
    const { token, email } = await register()
    const other = (await login(email, password)).body['token'] ?? ''
    await t.inject('POST', '/api/v1/client/password/request-reset', { body: { email } })
    const link = /token=([\w-]+)/.exec((await t.mails(email))[0]?.text ?? '')?.[1] ?? ''
    const changed = await t.inject('PUT', `${base}/profile/password`, {
      token,
      body: { currentPassword: password, newPassword: 'loud evening coffee' },
    })
    expect(changed).toMatchObject({ status: 200, body: { message: 'Password changed. You’re logged out everywhere else.' } })
    expect(await isSignedIn(token)).toBe(true)
    expect(await isSignedIn(other)).toBe(false)
    expect((await t.inject('GET', `/api/v1/client/password/validate-token?token=${link}`, {})).status).toBe(422)
    expect((await login(email, password)).status).toBe(401)
    expect((await login(email, 'loud evening coffee')).status).toBe(200)
    const told = (await t.mails(email)).filter(({ kind }) => kind === 'password_changed')
    expect(told.map(({ subject }) => subject)).toEqual(['Your Soigné password was changed'])
    expect(told[0]?.text).toContain('/reset-password')
  })

  it('[C-19] is not changed with a wrong one: the field says so and the session stays', async () => {
    const { token, email } = await register()
    const put = (body: object) => t.inject('PUT', `${base}/profile/password`, { token, body })
    const refused = await put({ currentPassword: 'not this one', newPassword: 'loud evening coffee' })
    expect(refused).toMatchObject({ status: 400, body: { details: { fields: { currentPassword: 'That is not your password.' } } } })
    expect(await put({ currentPassword: password, newPassword: 'password123' })).toMatchObject({
      status: 422,
      body: { code: 'password_common' },
    })
    expect(await put({ currentPassword: password, newPassword: 'short' })).toMatchObject({ status: 400 })
    expect(await isSignedIn(token)).toBe(true)
    expect((await login(email, password)).status).toBe(200)
    expect((await t.mails(email)).map(({ kind }) => kind)).not.toContain('password_changed')
  })
})

describe('devices', () => {
  it('are listed with what they are, this one marked, and end one by one or all others at once', async () => {
    const { token, email } = await register()
    t.clock.advance(1000)
    const second = (await login(email, password)).body['token'] ?? ''
    t.clock.advance(1000)
    const third = (await login(email, password)).body['token'] ?? ''
    const listed = await devices(token)
    expect(listed).toHaveLength(3)
    expect(listed.filter(({ isCurrent }) => isCurrent)).toHaveLength(1)
    expect(listed[0]).toMatchObject({ browser: 'Firefox', system: 'Windows', isCurrent: false })
    const own = (await devices(third)).find(({ isCurrent }) => isCurrent)
    expect((await t.inject('DELETE', `${base}/sessions/${own?._id}`, { token })).status).toBe(200)
    expect([await isSignedIn(third), await isSignedIn(second)]).toEqual([false, true])
    expect((await t.inject('DELETE', `${base}/sessions/${own?._id}`, { token })).status).toBe(404)
    expect((await t.inject('DELETE', `${base}/sessions`, { token })).body['message']).toBe('1 other device is logged out.')
    expect([await isSignedIn(token), await isSignedIn(second)]).toEqual([true, false])
    expect((await t.inject('DELETE', `${base}/sessions`, { token })).body['message']).toBe('No other device was logged in.')
  })

  it.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Mobile/15E148 Safari/604.1',
      'Safari',
      'iPhone',
      true,
    ],
    [
      'Mozilla/5.0 (Linux; Android 15; Pixel 9) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Mobile Safari/537.36',
      'Chrome',
      'Android',
      true,
    ],
    [
      'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0',
      'Edge',
      'Windows',
      false,
    ],
    [
      'Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.0 Safari/605.1.15',
      'Safari',
      'macOS',
      false,
    ],
    ['curl/8.5', null, null, false],
    [null, null, null, false],
  ])('%s is named', (userAgent, browser, system, isPhone) => {
    expect(deviceOf(userAgent)).toEqual({ browser, system, isPhone })
  })
})

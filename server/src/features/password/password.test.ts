import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const requestPath = '/api/v1/client/password/request-reset'
const resetPath = '/api/v1/client/password/reset'
const validatePath = '/api/v1/client/password/validate-token'
const loginPath = '/api/v1/client/auth/login'
const mePath = '/api/v1/secure/client/profile/me'
const oldPassword = 'a quiet tuesday walk'
const newPassword = 'a louder friday dance'
const minute = 60_000

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ settings: { LIMIT_REGISTRATIONS: '100000', LIMIT_LOGINS: '100000' } })
})
afterAll(() => t.close())

interface Person {
  email: string
  token: string
}
let count = 0
async function registered(locale = 'en'): Promise<Person> {
  const email = `person${count++}@people.test`
  const answer = await t.inject('POST', '/api/v1/client/auth/register', {
    body: { email, password: oldPassword, role: 'isClient', firstName: 'Lina', lastName: 'Haddad', acceptTerms: true },
    locale,
  })
  return { email, token: String(answer.body['token']) }
}
const request = (email: string): Promise<TestAnswer> => t.inject('POST', requestPath, { body: { email } })
const validate = (token: string): Promise<TestAnswer> => t.inject('GET', `${validatePath}?token=${encodeURIComponent(token)}`)
const reset = (token: string, password = newPassword): Promise<TestAnswer> => t.inject('POST', resetPath, { body: { token, password } })
const login = (email: string, password: string): Promise<TestAnswer> =>
  t.inject('POST', loginPath, { body: { email, password, role: 'isClient' } })
const links = async (email: string): Promise<string[]> =>
  (await t.mails(email)).filter((mail) => mail.kind === 'password_reset').map((mail) => /token=([A-Za-z0-9_-]+)/.exec(mail.text)?.[1] ?? '')
async function linkFor(person: Person): Promise<string> {
  await request(person.email)
  return (await links(person.email))[0] ?? ''
}

it('[C-06] [C-07] [C-08] a mailed link sets a new password and ends every session', async () => {
  const person = await registered('fr')
  const second = String((await login(person.email, oldPassword)).body['token'])
  const asked = await request(person.email.toUpperCase())
  expect([asked.status, Object.keys(asked.body)]).toEqual([200, ['message']])
  const [mail] = await t.mails(person.email)
  expect(mail?.subject).toBe('Réinitialisez votre mot de passe Soigné')
  expect(mail?.text).toMatch(/http:\/\/soigne\.test\/reset-password\?token=[A-Za-z0-9_-]{43}\n/)
  const [token = ''] = await links(person.email)
  for (let look = 0; look < 3; look++) expect((await validate(token)).status).toBe(200)
  expect((await reset(token)).body).toEqual({ message: 'Password changed. Please log in.' })
  for (const session of [person.token, second]) expect((await t.inject('GET', mePath, { token: session })).status).toBe(401)
  expect((await login(person.email, oldPassword)).status).toBe(401)
  expect((await login(person.email, newPassword)).status).toBe(200)
})

it('[C-03] [C-06] whoever guessed too often is not kept waiting after a reset: on their own device, and in their settings', async () => {
  const email = `person${count++}@people.test`
  const body = { email, password: oldPassword, role: 'isClient', firstName: 'Lina', lastName: 'Haddad', acceptTerms: true }
  const registered = await t.inject('POST', '/api/v1/client/auth/register', { body })
  const [cookie = ''] = String(registered.headers['set-cookie']).split(';')
  const loginHere = (password: string): Promise<TestAnswer> =>
    t.inject('POST', loginPath, { body: { email, password, role: 'isClient' }, headers: { cookie } })
  const change = (token: string, currentPassword: string): Promise<TestAnswer> =>
    t.inject('PUT', '/api/v1/secure/client/profile/password', { token, body: { currentPassword, newPassword: oldPassword } })
  const token = String(registered.body['token'])
  for (let guess = 0; guess < 10; guess++) {
    await loginHere(`guess number ${guess}`)
    await change(token, `guess number ${guess}`)
  }
  // The minutes in which a device gets past its network are over sooner than those of its guesses.
  const forgetLogins = () => sql`delete from rate_limits where key like 'known-logins%'`.execute(t.db)
  await forgetLogins()
  expect([(await loginHere(oldPassword)).status, (await change(token, oldPassword)).status]).toEqual([429, 429])
  await request(email)
  const [link = ''] = await links(email)
  const done = await t.inject('POST', resetPath, { body: { token: link, password: newPassword }, headers: { cookie } })
  expect(done.status).toBe(200)
  await forgetLogins()
  const again = await loginHere(newPassword)
  expect([again.status, (await change(String(again.body['token']), newPassword)).status]).toEqual([200, 200])
})

it('[C-07] [C-08] a link works once, and using it ends the other links of the account', async () => {
  const person = await registered()
  const first = await linkFor(person)
  const second = await linkFor(person)
  expect(first).not.toBe(second)
  expect((await reset(second)).status).toBe(200)
  for (const token of [first, second]) {
    for (const answer of [await validate(token), await reset(token, 'yet another password')])
      expect([answer.status, answer.body['code']]).toEqual([422, 'link_expired'])
  }
  expect((await login(person.email, newPassword)).status).toBe(200)
})

it('[C-07] of many uses of a link at once exactly one succeeds', async () => {
  const person = await registered()
  const token = await linkFor(person)
  const passwords = Array.from({ length: 10 }, (_, index) => `parallel choice ${index} of ten`)
  const answers = await Promise.all(passwords.map((password) => reset(token, password)))
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, ...Array.from({ length: 9 }, () => 422)])
  const winner = passwords[answers.findIndex((answer) => answer.status === 200)] ?? ''
  expect((await login(person.email, winner)).status).toBe(200)
})

it('[C-07] two links of one account used at once: one succeeds', async () => {
  const person = await registered()
  const tokens = [await linkFor(person), await linkFor(person)]
  const answers = await Promise.all(tokens.map((token) => reset(token)))
  expect(answers.map((answer) => answer.status).sort()).toEqual([200, 422])
})

it('[C-07] a sign-in with the old password during the reset leaves no session behind', async () => {
  for (let round = 0; round < 6; round++) {
    const person = await registered()
    const token = await linkFor(person)
    const [, ...logins] = await Promise.all([reset(token), ...Array.from({ length: 4 }, () => login(person.email, oldPassword))])
    for (const answer of logins) {
      expect([200, 401]).toContain(answer.status)
      if (answer.status === 200) expect((await t.inject('GET', mePath, { token: String(answer.body['token']) })).status).toBe(401)
    }
  }
})

it('[C-08] a link lives one hour', async () => {
  const person = await registered()
  const token = await linkFor(person)
  t.clock.advance(60 * minute - 1)
  expect((await validate(token)).status).toBe(200)
  t.clock.advance(1)
  expect((await validate(token)).body['code']).toBe('link_expired')
  expect((await reset(token)).body['code']).toBe('link_expired')
  expect((await login(person.email, oldPassword)).status).toBe(200)
})

it('[C-08] an unknown link is refused like a used one; a malformed one is bad input', async () => {
  const unknown = await validate('A'.repeat(43))
  expect([unknown.status, unknown.body['code']]).toEqual([422, 'link_expired'])
  for (const query of [
    '',
    '?token=',
    '?token=a%00b',
    '?token=a&token=b',
    '?token=%ED%A0%80',
    `?token=${'a'.repeat(201)}`,
    "?token='or'1",
  ]) {
    expect((await t.inject('GET', `${validatePath}${query}`)).status).toBe(400)
  }
})

it('keeps the answer about a link out of every cache, good or not', async () => {
  const token = await linkFor(await registered())
  const [good, wrong] = [await validate(token), await validate('a'.repeat(43))]
  expect([good.status, wrong.status]).toEqual([200, 422])
  expect([good.headers['cache-control'], wrong.headers['cache-control']]).toEqual(['no-store', 'no-store'])
})

it('[C-07] a weak new password is refused and the link stays good', async () => {
  const person = await registered()
  const token = await linkFor(person)
  expect((await reset(token, 'short')).status).toBe(400)
  for (const easy of ['motdepasse2026', person.email]) expect((await reset(token, easy)).body['code']).toBe('password_common')
  expect((await reset(token)).status).toBe(200)
})

it('[C-06] the answer is the same whether the email is known or not', async () => {
  const person = await registered()
  const known = await request(person.email)
  const unknown = await request('nobody-here@people.test')
  expect([unknown.status, unknown.text]).toEqual([known.status, known.text])
  expect(await t.mails('nobody-here@people.test')).toEqual([])
})

it('[C-06] a hundred requests send a person at most five account mails', async () => {
  const person = await registered()
  const answers = await Promise.all(Array.from({ length: 100 }, () => request(person.email)))
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
  expect(await t.mails(person.email)).toHaveLength(5)
})

it('[C-07] a reset lets its owner in at once after somebody else guessed', async () => {
  const person = await registered()
  for (let guess = 0; guess < 11; guess++) await login(person.email, `guess number ${guess}`)
  expect((await login(person.email, oldPassword)).status).toBe(429)
  expect((await reset(await linkFor(person))).status).toBe(200)
  expect((await login(person.email, newPassword)).status).toBe(200)
})

it('[C-06] a network may ask for a limited number of links', async () => {
  const small = await openTestApp({ settings: { LIMIT_REGISTRATIONS: '3' } })
  const statuses: number[] = []
  for (let asked = 0; asked < 5; asked++)
    statuses.push(
      (
        await small.inject('POST', requestPath, {
          body: { email: `p${asked}@people.test` },
          headers: { 'x-forwarded-for': `203.0.113.${asked}` },
        })
      ).status,
    )
  await small.close()
  expect(statuses).toEqual([200, 200, 200, 429, 429])
})

it('[C-06] links are stored hashed', async () => {
  const person = await registered()
  const token = await linkFor(person)
  const { rows } = await sql<{ stored: Buffer }>`select token_hash as stored from password_resets`.execute(t.db)
  expect(rows.length).toBeGreaterThan(0)
  expect(rows.some(({ stored }) => stored.toString('latin1').includes(token) || stored.toString('base64url') === token)).toBe(false)
})

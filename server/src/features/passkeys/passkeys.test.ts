import { randomBytes, randomUUID } from 'node:crypto'
import { mostPasskeys } from '@soigne/contract/passkeys'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { Authenticator, type Otherwise } from '#/testing/authenticator.ts'
import { type MadeUser, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const password = 'a quiet tuesday walk'
const own = '/api/v1/secure/client/passkeys'
const signIn = '/api/v1/client/auth/passkey'
const minute = 60_000
const iphone = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) AppleWebKit/605.1.15 Version/19.0 Mobile/15E148 Safari/604.1'

type Asked = { challenge: string; user: { id: string } }
const asked = ({ body }: TestAnswer): Asked => body as unknown as Asked
const refused = ({ status, body }: TestAnswer) => [status, body['code']]

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ settings: { LIMIT_REGISTRATIONS: '100000', LIMIT_LOGINS: '100000' } })
})
afterAll(() => t.close())

const begin = (token: string, body: object = {}) => t.inject('POST', `${own}/begin`, { token, body })
const add = (token: string, credential: object) => t.inject('POST', own, { token, body: { credential }, headers: { 'user-agent': iphone } })
const question = async (): Promise<Asked> => asked(await t.inject('POST', `${signIn}/begin`))
const answer = (credential: object, headers: Record<string, string> = {}) =>
  t.inject('POST', signIn, { body: { credential }, headers: { 'user-agent': iphone, ...headers } })
const listOf = async (token: string) =>
  (await t.inject('GET', own, { token })).body['items'] as unknown as { _id: string; name: string; lastUsedAt: string | null }[]

async function withPasskey(given: Parameters<typeof makeUser>[1] = {}): Promise<{ user: MadeUser; device: Authenticator }> {
  const user = await makeUser(t.db, given)
  const device = new Authenticator()
  expect((await add(user.token, device.make(asked(await begin(user.token))))).status).toBe(201)
  return { user, device }
}

describe('adding a passkey', () => {
  it('[E-10] keeps it under the name of its device, and tells the owner by mail', async () => {
    const { user, device } = await withPasskey({ locale: 'fr' })
    const second = new Authenticator()
    await add(user.token, second.make(asked(await begin(user.token))))
    const made = { madeAt: '2026-11-20T11:00:00.000Z', lastUsedAt: null }
    expect(await listOf(user.token)).toMatchObject([
      { name: 'iPhone 2', ...made },
      { name: 'iPhone', ...made },
    ])
    const [mail] = await t.mails(user.email)
    expect(mail).toMatchObject({ kind: 'passkey_added', subject: 'Une clé d’accès a été ajoutée à votre compte Soigné' })
    expect(mail?.text).toContain('iPhone 2')
    const { body } = await begin(user.token)
    expect(body).toMatchObject({
      rp: { id: 'soigne.test', name: 'Soigné' },
      user: { name: user.email },
      excludeCredentials: [{ id: second.id.toString('base64url') }, { id: device.id.toString('base64url') }],
      authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      attestation: 'none',
    })
    expect(JSON.stringify(body)).not.toContain(user.id)
  })

  it('asks for the password where the account has one', async () => {
    const email = `${randomUUID().slice(0, 8)}@people.test`
    const registration = { email, password, role: 'isClient', firstName: 'Lina', lastName: 'Haddad', acceptTerms: true }
    const token = String((await t.inject('POST', '/api/v1/client/auth/register', { body: registration })).body['token'])
    expect(refused(await begin(token, { password }))).toEqual([403, 'email_unverified'])
    await sql`update users set email_verified_at = now() where email = ${email}`.execute(t.db)
    const missing = await begin(token)
    expect([...refused(missing), missing.body['details']]).toEqual([400, 'bad_input', { fields: { password: expect.any(String) } }])
    const wrong = await begin(token, { password: 'not the password' })
    expect([...refused(wrong), wrong.body['details']]).toEqual([400, 'bad_input', { fields: { password: expect.any(String) } }])
    expect((await begin(token, { password })).status).toBe(200)
  })

  it.each<[string, Otherwise]>([
    ['another site', { origin: 'http://soigne.test.evil.test' }],
    ['a passkey of another site', { rpId: 'evil.test' }],
    ['nobody who showed that they are its owner', { unverified: true }],
    ['a certificate that nobody asked for', { format: 'packed' }],
  ])('refuses %s', async (_what, otherwise) => {
    const { token } = await makeUser(t.db)
    expect(refused(await add(token, new Authenticator().make(asked(await begin(token)), otherwise)))).toEqual([422, 'passkey_not_added'])
    expect(await listOf(token)).toEqual([])
  })

  it('refuses what was asked of somebody else, of nobody, too long ago, or answered before', async () => {
    const [user, other] = [await makeUser(t.db), await makeUser(t.db)]
    const options = asked(await begin(user.token))
    const tries: [string, Asked][] = [
      ['somebody else', { ...options, challenge: asked(await begin(other.token)).challenge }],
      ['a sign-in', { ...options, challenge: (await question()).challenge }],
      ['nobody', { ...options, challenge: randomBytes(32).toString('base64url') }],
    ]
    for (const [whose, one] of tries)
      expect([whose, ...refused(await add(user.token, new Authenticator().make(one)))]).toEqual([whose, 422, 'passkey_not_added'])
    t.clock.set(t.clock.now() + 5 * minute)
    expect(refused(await add(user.token, new Authenticator().make(options)))).toEqual([422, 'passkey_not_added'])
    const again = asked(await begin(user.token))
    expect((await add(user.token, new Authenticator().make(again))).status).toBe(201)
    expect(refused(await add(user.token, new Authenticator().make(again)))).toEqual([422, 'passkey_not_added'])
    expect(await listOf(user.token)).toHaveLength(1)
  })

  it('a passkey is one account’s only', async () => {
    const { device } = await withPasskey()
    const other = await makeUser(t.db)
    const stolen = new Authenticator().make(asked(await begin(other.token)), { credentialId: device.id })
    expect(refused(await add(other.token, stolen))).toEqual([422, 'passkey_not_added'])
  })

  it('an account has ten at most, however many are added at once', async () => {
    const { token } = await makeUser(t.db)
    const questions = await Promise.all(Array.from({ length: mostPasskeys + 2 }, async () => asked(await begin(token))))
    const answers = await Promise.all(questions.map((one) => add(token, new Authenticator().make(one))))
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(mostPasskeys)
    expect(new Set((await listOf(token)).map(({ name }) => name)).size).toBe(mostPasskeys)
    expect(refused(await begin(token))).toEqual([409, 'too_many_passkeys'])
  })
})

describe('the passkeys of an account', () => {
  it('are renamed and removed by their owner alone, who is told', async () => {
    const { user, device } = await withPasskey({ locale: 'ar' })
    const other = await makeUser(t.db)
    const [one] = await listOf(user.token)
    const path = `${own}/${one?._id}`
    expect(refused(await t.inject('PUT', path, { token: other.token, body: { name: 'Mine' } }))).toEqual([404, 'not_found'])
    expect(refused(await t.inject('DELETE', path, { token: other.token }))).toEqual([404, 'not_found'])
    expect((await t.inject('PUT', path, { token: user.token, body: { name: 'Kitchen' } })).status).toBe(200)
    expect(await listOf(user.token)).toMatchObject([{ name: 'Kitchen' }])
    expect((await t.inject('DELETE', path, { token: user.token })).status).toBe(200)
    expect(await listOf(user.token)).toEqual([])
    const [mail] = await t.mails(user.email)
    expect(mail).toMatchObject({ kind: 'passkey_removed', subject: 'أُزيل مفتاح مرور من حسابك في Soigné' })
    expect(mail?.text).toContain('Kitchen')
    expect(refused(await answer(device.sign(await question())))).toEqual([401, 'passkey_refused'])
  })

  it('are told to their owner without keys, and go with the account', async () => {
    const { user, device } = await withPasskey()
    const { body } = await t.inject('GET', '/api/v1/secure/client/export', { token: user.token })
    expect(body['data']?.['passkeys']).toEqual([{ name: 'iPhone', madeAt: expect.any(String), lastUsedAt: null }])
    await sql`delete from users where id = ${user.id}`.execute(t.db)
    expect(refused(await answer(device.sign(await question())))).toEqual([401, 'passkey_refused'])
  })
})

describe('signing in by passkey', () => {
  it('[E-10] opens the account with its own role, on a device with a name', async () => {
    const { user, device } = await withPasskey({ role: 'isPro', firstName: 'Ines' })
    const signed = await answer(device.sign(await question()))
    expect(signed).toMatchObject({
      status: 200,
      body: { message: 'Welcome back, Ines.', user: { role: 'isPro', hasGoogleCalendarAccess: false } },
    })
    expect(String(signed.headers['set-cookie'])).toMatch(/^soigne_device=.*HttpOnly; SameSite=Strict/)
    const token = String(signed.body['token'])
    expect((await t.inject('GET', '/api/v1/secure/client/profile/me', { token })).body).toMatchObject({ email: user.email })
    const { body } = await t.inject('GET', '/api/v1/secure/client/sessions', { token })
    expect(body['items']).toContainEqual(expect.objectContaining({ system: 'iPhone', browser: 'Safari', isCurrent: true }))
    expect((await listOf(token))[0]?.lastUsedAt).not.toBeNull()
  })

  it.each<[string, Otherwise]>([
    ['another site', { origin: 'http://soigne.test:8080' }],
    ['a passkey of another site', { rpId: 'evil.test' }],
    ['nobody who showed that they are its owner', { unverified: true }],
    ['an account that is not the passkey’s', { userHandle: Buffer.alloc(16, 7).toString('base64url') }],
    ['an account that is not named', { userHandle: null }],
  ])('refuses %s', async (_what, otherwise) => {
    const { device } = await withPasskey()
    expect(refused(await answer(device.sign(await question(), otherwise)))).toEqual([401, 'passkey_refused'])
  })

  it('refuses another key, and answers the same where there is no such passkey', async () => {
    const { device } = await withPasskey()
    const forged = { ...device.sign(await question()).response, signature: new Authenticator().sign(await question()).response.signature }
    const known = await answer({ ...device.sign(await question()), response: forged })
    const unknown = await answer(new Authenticator().sign(await question(), { userHandle: 'AA' }))
    expect(refused(known)).toEqual([401, 'passkey_refused'])
    expect(unknown.body).toEqual(known.body)
  })

  it('refuses what was never asked, asked to add one, asked too long ago, or answered before', async () => {
    const { user, device } = await withPasskey()
    for (const challenge of [randomBytes(32).toString('base64url'), asked(await begin(user.token)).challenge])
      expect(refused(await answer(device.sign({ challenge })))).toEqual([401, 'passkey_refused'])
    const old = await question()
    t.clock.set(t.clock.now() + 5 * minute)
    expect(refused(await answer(device.sign(old)))).toEqual([401, 'passkey_refused'])
    const once = await question()
    expect(refused(await answer(device.sign(once, { unverified: true })))).toEqual([401, 'passkey_refused'])
    expect(refused(await answer(device.sign(once)))).toEqual([401, 'passkey_refused'])
    const twice = await question()
    const both = await Promise.all([answer(device.sign(twice)), answer(device.sign(twice))])
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 401])
  })

  it('refuses a copy, whose count is behind, and the log of security names the account', async () => {
    const { user, device } = await withPasskey()
    expect((await answer(device.sign(await question(), { count: 7 }))).status).toBe(200)
    for (const count of [7, 3, 0]) expect(refused(await answer(device.sign(await question(), { count })))).toEqual([401, 'passkey_refused'])
    expect((await answer(device.sign(await question(), { count: 8 }))).status).toBe(200)
    const { rows } = await sql<{ kind: string; count: number }>`select kind, count(*)::int as count from security_events
      where user_id = ${user.id} and kind in ('login.ok', 'passkey.copied') group by kind order by kind`.execute(t.db)
    expect(rows).toEqual([
      { kind: 'login.ok', count: 2 },
      { kind: 'passkey.copied', count: 3 },
    ])
  })

  it('devices that count nothing sign again and again', async () => {
    const { device } = await withPasskey()
    for (const count of [0, 0]) expect((await answer(device.sign(await question(), { count }))).status).toBe(200)
  })

  it('an account that is not confirmed any more is let in as by password', async () => {
    const { user, device } = await withPasskey()
    await sql`update users set email_verified_at = null where id = ${user.id}`.execute(t.db)
    const { body } = await answer(device.sign(await question()))
    const me = await t.inject('GET', '/api/v1/secure/client/profile/me', { token: String(body['token']) })
    expect(me.body).toMatchObject({ isEmailVerified: false })
  })

  it('what was done is in the log of security', async () => {
    const { user } = await withPasskey()
    await vi.waitFor(
      async () => {
        const { rows } = await sql<{ kind: string }>`select kind from security_events where user_id = ${user.id}`.execute(t.db)
        expect(rows.map(({ kind }) => kind)).toEqual(['passkey.added'])
      },
      { timeout: 60_000, interval: 20 },
    )
  })
  it('stays where a password is forgotten, and the letter says so', async () => {
    const { user, device } = await withPasskey()
    await t.inject('POST', '/api/v1/client/password/request-reset', { body: { email: user.email } })
    const link = (await t.mails(user.email)).find(({ kind }) => kind === 'password_reset')
    const token = /token=([\w-]+)/.exec(link?.text ?? '')?.[1]
    expect((await t.inject('POST', '/api/v1/client/password/reset', { body: { token, password } })).status).toBe(200)
    const told = (await t.mails(user.email)).find(({ kind }) => kind === 'password_changed')
    expect(told?.text).toContain('Your passkeys still log in to your account.')
    expect((await t.inject('GET', own, { token: user.token })).status).toBe(401)
    expect((await answer(device.sign(await question()))).status).toBe(200)
  })

  it('is counted with the logins of a network, and so are the questions', async () => {
    const few = await openTestApp({ settings: { LIMIT_LOGINS: '2' } })
    try {
      const ask = () => few.inject('POST', `${signIn}/begin`)
      const options = asked(await ask())
      await ask()
      expect(refused(await ask())).toEqual([429, 'too_many_requests'])
      const unknown = () => few.inject('POST', signIn, { body: { credential: new Authenticator().sign(options, { userHandle: 'AA' }) } })
      expect([await unknown(), await unknown(), await unknown()].map(({ status }) => status)).toEqual([401, 401, 429])
    } finally {
      await few.close()
    }
  })
})

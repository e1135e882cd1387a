import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const password = 'a quiet tuesday walk'
const loginPath = '/api/v1/client/auth/login'
const registerPath = '/api/v1/client/auth/register'
const mePath = '/api/v1/secure/client/profile/me'
const logoutPath = '/api/v1/secure/client/session/logout'
const day = 86_400_000

const newEmail = (): string => `${randomUUID().slice(0, 8)}@people.test`
const registration = (email: string, more: Record<string, unknown> = {}): Record<string, unknown> => ({
  email,
  password,
  role: 'isClient',
  firstName: 'Lina',
  lastName: 'Haddad',
  acceptTerms: true,
  ...more,
})

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ settings: { LIMIT_REGISTRATIONS: '100000', LIMIT_LOGINS: '100000' } })
})
afterAll(() => t.close())

async function registered(more: Record<string, unknown> = {}): Promise<{ email: string; token: string }> {
  const email = newEmail()
  const answer = await t.inject('POST', registerPath, { body: registration(email, more) })
  expect(answer.status).toBe(201)
  return { email, token: String(answer.body['token']) }
}

describe('registering', () => {
  it('[C-05] [E-02] makes an account, answers message and token, and mails one six-digit code', async () => {
    const email = newEmail()
    const answer = await t.inject('POST', registerPath, { body: registration(email, { phone: '+33 6 12 34 56 78' }), locale: 'fr' })
    expect(answer.status).toBe(201)
    expect(Object.keys(answer.body).sort()).toEqual(['message', 'token'])
    const [mail, ...others] = await t.mails(email)
    expect(others).toEqual([])
    expect(mail?.text.match(/\d{6,}/g)).toHaveLength(1)
    expect(mail?.subject).toBe('Votre code Soigné')
    expect(mail?.html).toContain('<html lang="fr" dir="ltr">')
  })

  it('[C-05] a code mail in Arabic reads from right to left', async () => {
    const email = newEmail()
    await t.inject('POST', registerPath, { body: registration(email), locale: 'ar' })
    const [mail] = await t.mails(email)
    expect(mail?.html).toContain('<html lang="ar" dir="rtl">')
    expect(mail?.text.match(/\d{6,}/g)).toHaveLength(1)
  })

  it('a name is one line of letters in one direction', async () => {
    for (const firstName of ['a\nb', 'a\r\nBcc: b@people.test', 'a\u202eb', 'a\u2066b\u2069', 'a\u0000b', 'a\u200fb']) {
      const answer = await t.inject('POST', registerPath, { body: registration(newEmail(), { firstName }) })
      expect([firstName, answer.status, answer.body['details']?.['fields']]).toEqual([firstName, 400, { firstName: 'This is not valid.' }])
    }
    for (const firstName of ['Zoë', 'نور', 'Jean-Luc', 'O’Neil', 'Nguyễn Thị', 'می‌نا'])
      expect((await t.inject('POST', registerPath, { body: registration(newEmail(), { firstName }) })).status).toBe(201)
  })

  it('[C-05] a first name with figures or a link is not repeated to a stranger', async () => {
    for (const firstName of ['123456', 'prize.example', 'https://prize.example', '٤٥٦٧٨٩']) {
      const email = newEmail()
      expect((await t.inject('POST', registerPath, { body: registration(email, { firstName }) })).status).toBe(201)
      const [mail] = await t.mails(email)
      expect(mail?.text.match(/\p{Nd}{6,}/gu)).toHaveLength(1)
      expect(mail?.text).not.toContain(firstName)
    }
  })

  it('[C-05] an email has one account however it is written; its owner is told once a day', async () => {
    const { email } = await registered()
    for (const same of [email, email.toUpperCase(), ` ${email} `]) {
      const answer = await t.inject('POST', registerPath, { body: registration(same, { firstName: 'Other' }) })
      expect([answer.status, answer.body['code']]).toEqual([409, 'email_taken'])
    }
    expect((await t.mails(email)).map((mail) => mail.kind)).toEqual(['email_taken', 'email_code'])
  })

  it('[C-05] of many registrations of one email at once exactly one succeeds', async () => {
    const email = newEmail()
    const answers = await Promise.all(
      Array.from({ length: 12 }, (_, index) =>
        t.inject('POST', registerPath, { body: registration(index % 2 ? email : email.toUpperCase()) }),
      ),
    )
    expect(answers.map((answer) => answer.status).sort()).toEqual([201, ...Array.from({ length: 11 }, () => 409)])
    const { rows } = await sql<{ count: number }>`select count(*) from users where email = ${email}`.execute(t.db)
    expect(rows[0]?.count).toBe(1)
  })

  it('[C-05] refuses passwords that are easy to guess, and asks nothing of their composition', async () => {
    const email = newEmail()
    for (const easy of [
      'password123',
      'Motdepasse1!',
      'aaaaaaaaaaaa',
      '1234567890',
      'azertyuiop',
      'Soigné 2026',
      email,
      email.toUpperCase(),
    ]) {
      const answer = await t.inject('POST', registerPath, { body: registration(email, { password: easy }) })
      expect([easy, answer.status, answer.body['code']]).toEqual([easy, 422, 'password_common'])
    }
    for (const fine of ['lowercase only words', 'كلمة سر طويلة جدا', '8520 1139 4406']) await registered({ password: fine })
  })

  it.each([
    ['no terms', { acceptTerms: false }, 'acceptTerms'],
    ['a short password', { password: 'short' }, 'password'],
    ['a huge password', { password: 'x'.repeat(201) }, 'password'],
    ['a password with NUL', { password: 'long enough\u0000' }, 'password'],
    ['a broken surrogate in the name', { firstName: 'a\ud800b' }, 'firstName'],
    ['NUL in the name', { lastName: 'a\u0000b' }, 'lastName'],
    ['a huge name', { firstName: 'x'.repeat(81) }, 'firstName'],
    ['a blank name', { firstName: '   ' }, 'firstName'],
    ['an unknown role', { role: 'isAdmin' }, 'role'],
    ['a number as email', { email: 7 }, 'email'],
    ['no address', { email: 'nobody' }, 'email'],
    ['a list as password', { password: ['a quiet tuesday walk'] }, 'password'],
    ['letters as phone', { phone: 'call me' }, 'phone'],
  ])('[C-05] refuses %s and names the field', async (_what, wrong, field) => {
    const answer = await t.inject('POST', registerPath, { body: registration(newEmail(), wrong) })
    expect([answer.status, answer.body['code']]).toEqual([400, 'bad_input'])
    expect(Object.keys(answer.body['details']?.['fields'] ?? {})).toEqual([field])
  })

  it('[C-05] fields nobody asked for are not stored', async () => {
    const { token } = await registered({
      id: randomUUID(),
      isEmailVerified: true,
      email_verified_at: '2026-01-01T00:00:00Z',
      imageUrl: '/files/x',
    })
    const me = await t.inject('GET', mePath, { token })
    expect(me.body).toMatchObject({ isEmailVerified: false, imageUrl: null })
  })
})

describe('signing in', () => {
  it('[C-03] [E-02] answers message, token and user with role and calendar access', async () => {
    const { email } = await registered()
    const answer = await t.inject('POST', loginPath, { body: { email: email.toUpperCase(), password, role: 'isClient' } })
    expect(answer.status).toBe(200)
    expect(Object.keys(answer.body).sort()).toEqual(['message', 'token', 'user'])
    expect(answer.body['user']).toEqual({ role: 'isClient', hasGoogleCalendarAccess: false })
    expect((await t.inject('GET', mePath, { token: String(answer.body['token']) })).status).toBe(200)
  })

  it('[C-03] another role is told only after the right password, and changes nothing', async () => {
    const { email, token } = await registered({ role: 'isPro' })
    const right = await t.inject('POST', loginPath, { body: { email, password, role: 'isClient' } })
    expect([right.status, right.body['code'], right.body['details']]).toEqual([403, 'other_role', { role: 'isPro' }])
    expect(right.body['message']).toBe('This email belongs to a professional account.')
    const wrong = await t.inject('POST', loginPath, { body: { email, password: 'something else', role: 'isClient' } })
    expect([wrong.status, wrong.body['code']]).toEqual([401, 'wrong_credentials'])
    expect((await t.inject('GET', mePath, { token })).body['role']).toBe('isPro')
  })

  it('[C-03] an unknown email and a wrong password get the same answer', async () => {
    const { email } = await registered()
    const withoutPassword = await makeUser(t.db)
    const known = await t.inject('POST', loginPath, { body: { email, password: 'something else', role: 'isClient' } })
    for (const other of [newEmail(), withoutPassword.email]) {
      const answer = await t.inject('POST', loginPath, { body: { email: other, password: 'something else', role: 'isClient' } })
      expect([answer.status, answer.text]).toEqual([known.status, known.text])
    }
    expect(known.status).toBe(401)
  })

  it('[C-03] the same characters typed composed or decomposed are one password', async () => {
    const { email } = await registered({ password: 'cafétière du matin'.normalize('NFC') })
    expect(
      (await t.inject('POST', loginPath, { body: { email, password: 'cafétière du matin'.normalize('NFD'), role: 'isClient' } })).status,
    ).toBe(200)
  })

  it('[C-03] passwords and tokens are stored hashed', async () => {
    const { email, token } = await registered()
    const { rows } = await sql<{
      hash: string
      tokenHash: Buffer
    }>`select u.password_hash as hash, s.token_hash as "tokenHash" from users u join sessions s on s.user_id = u.id where u.email = ${email}`.execute(
      t.db,
    )
    expect(rows[0]?.hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    expect(rows[0]?.tokenHash).toEqual(createHash('sha256').update(token).digest())
  })

  it('[C-03] many right sign-ins at once are not taken for guesses', async () => {
    const { email } = await registered()
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => t.inject('POST', loginPath, { body: { email, password, role: 'isClient' } })),
    )
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]))
    expect(new Set(answers.map((answer) => answer.body['token'])).size).toBe(20)
  })

  it('[C-03] a flood of sign-ins is refused beyond a bounded line', async () => {
    const answers = await Promise.all(
      Array.from({ length: 90 }, () =>
        t.inject('POST', loginPath, { body: { email: newEmail(), password: 'something else', role: 'isClient' } }),
      ),
    )
    const statuses = new Set(answers.map((answer) => answer.status))
    expect([...statuses].sort()).toEqual([401, 429])
    expect(answers.filter((answer) => answer.status === 429).every((answer) => Number(answer.headers['retry-after']) > 0)).toBe(true)
  })
})

describe('limits of signing in', () => {
  it('[C-03] after ten wrong passwords an account takes no more, right or wrong, known or not', async () => {
    const { email } = await registered()
    for (const address of [email, newEmail()]) {
      for (let count = 0; count < 10; count++)
        expect(
          (
            await t.inject('POST', loginPath, {
              body: { email: count % 2 ? address : address.toUpperCase(), password: `guess number ${count}`, role: 'isClient' },
            })
          ).status,
        ).toBe(401)
      const answer = await t.inject('POST', loginPath, { body: { email: address, password, role: 'isClient' } })
      expect([answer.status, answer.body['code']]).toEqual([429, 'too_many_requests'])
      expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0)
      expect(Number(answer.headers['retry-after'])).toBeLessThanOrEqual(600)
    }
  })

  it('[C-03] guesses from one network lock nobody out elsewhere, and the owner is told once', async () => {
    const { email } = await registered()
    const login = (remoteAddress: string, given: string) =>
      t.app.inject({ method: 'POST', url: loginPath, remoteAddress, payload: { email, password: given, role: 'isClient' } })
    for (let count = 0; count < 14; count++) await login('203.0.113.66', `guess number ${count}`)
    expect((await login('203.0.113.66', password)).statusCode).toBe(429)
    expect((await login('198.51.100.1', password)).statusCode).toBe(200)
    const told = async () => (await t.mails(email)).filter(({ subject }) => subject.startsWith('Someone tried to log in')).length
    await expect.poll(told).toBe(1)
    for (let count = 0; count < 12; count++) await login('203.0.113.67', `guess number ${count}`)
    expect(await told()).toBe(1)
  })

  it('[C-03] a device that was signed in before is let in past the guesses of others on its network, and has ten of its own', async () => {
    const { email } = await registered()
    const other = await registered()
    const remoteAddress = '203.0.113.70'
    const login = (given: string, cookie = '', to = email) =>
      t.app.inject({
        method: 'POST',
        url: loginPath,
        remoteAddress,
        headers: { cookie },
        payload: { email: to, password: given, role: 'isClient' },
      })
    const signedIn = await login(password)
    const [device] = String(signedIn.headers['set-cookie']).split(';')
    expect(String(signedIn.headers['set-cookie'])).toMatch(/HttpOnly; SameSite=Strict/)
    expect(device).not.toContain(email)
    for (let count = 0; count < 10; count++) await login(`guess number ${count}`)
    expect((await login(password)).statusCode).toBe(429)
    expect((await login(password, device)).statusCode).toBe(200)
    for (let count = 0; count < 10; count++) await login(`guess number ${count}`, device)
    expect((await login(password, device)).statusCode).toBe(429)
    // Known for one account is not known for another, and a cookie that was changed says nothing.
    for (let count = 0; count < 10; count++) await login(`guess number ${count}`, '', other.email)
    expect((await login(password, device, other.email)).statusCode).toBe(429)
    expect((await login(password, `${device?.slice(0, -4)}AAAA`, other.email)).statusCode).toBe(429)
  })

  it('[C-03] of guesses sent at once none past the limit is compared, not even the right one', async () => {
    const { email } = await registered()
    const guesses = [...Array.from({ length: 39 }, (_, index) => `guess number ${index}`), password]
    const answers = await Promise.all(
      guesses.map((guess) => t.inject('POST', loginPath, { body: { email, password: guess, role: 'isClient' } })),
    )
    expect(answers.filter((answer) => answer.status === 401)).toHaveLength(10)
    expect(answers.filter((answer) => answer.status === 429)).toHaveLength(30)
  })

  it('[C-03] [C-05] a network is counted whatever it claims in headers', async () => {
    const small = await openTestApp({ settings: { LIMIT_LOGINS: '3', LIMIT_REGISTRATIONS: '2' } })
    const logins: number[] = []
    const registrations: number[] = []
    for (let count = 0; count < 5; count++) {
      const headers = { 'x-forwarded-for': `203.0.113.${count}`, forwarded: `for=203.0.113.${count}` }
      logins.push((await small.inject('POST', loginPath, { body: { email: newEmail(), password, role: 'isClient' }, headers })).status)
      registrations.push((await small.inject('POST', registerPath, { body: registration(newEmail()), headers })).status)
    }
    await small.close()
    expect(logins).toEqual([401, 401, 401, 429, 429])
    expect(registrations).toEqual([201, 201, 429, 429, 429])
  })
})

describe('sessions', () => {
  it('[C-02] without a good token every signed-in call answers 401 and names the scheme', async () => {
    const good = await registered()
    const bad = [
      undefined,
      '',
      'Bearer',
      'Bearer ',
      `Basic ${good.token}`,
      good.token,
      `Bearer ${'A'.repeat(43)}`,
      `Bearer ${good.token}x`,
      `Bearer ${good.token.slice(1)}`,
      `Bearer ${'x'.repeat(5000)}`,
      'Bearer a b c',
      `Bearer ${good.token}, Bearer ${good.token}`,
    ]
    for (const authorization of bad) {
      for (const [method, path] of [
        ['GET', mePath],
        ['PUT', '/api/v1/secure/client/profile/image'],
        ['POST', logoutPath],
        ['POST', '/api/v1/secure/client/verify-email'],
        ['POST', '/api/v1/secure/client/resend-verification'],
      ] as const) {
        const answer = await t.inject(method, path, { headers: authorization === undefined ? {} : { authorization } })
        expect([path, answer.status, answer.body['code'], answer.headers['www-authenticate']]).toEqual([
          path,
          401,
          'unauthorized',
          'Bearer',
        ])
      }
    }
    expect((await t.inject('GET', mePath, { token: good.token })).status).toBe(200)
  })

  it('[C-23] logging out ends this session and no other', async () => {
    const { email, token } = await registered()
    const other = String((await t.inject('POST', loginPath, { body: { email, password, role: 'isClient' } })).body['token'])
    const answer = await t.inject('POST', logoutPath, { token })
    expect([answer.status, answer.headers['clear-site-data']]).toEqual([200, '"cache"'])
    expect((await t.inject('GET', mePath, { token })).status).toBe(401)
    expect((await t.inject('POST', logoutPath, { token })).status).toBe(401)
    expect((await t.inject('GET', mePath, { token: other })).status).toBe(200)
  })

  it('[C-02] a session lasts thirty days from its last use', async () => {
    const own = await openTestApp({ at: '2026-03-01T10:00:00Z' })
    const first = String((await own.inject('POST', registerPath, { body: registration('a@people.test') })).body['token'])
    const second = String((await own.inject('POST', registerPath, { body: registration('b@people.test') })).body['token'])
    own.clock.advance(29 * day)
    expect((await own.inject('GET', mePath, { token: first })).status).toBe(200)
    own.clock.advance(29 * day)
    expect((await own.inject('GET', mePath, { token: first })).status).toBe(200)
    expect((await own.inject('GET', mePath, { token: second })).status).toBe(401)
    own.clock.advance(30 * day)
    expect((await own.inject('GET', mePath, { token: first })).status).toBe(401)
    await own.close()
  })

  it('[C-02] a session in daily use ends half a year after it was opened', async () => {
    const own = await openTestApp({ at: '2026-03-01T10:00:00Z' })
    const token = String((await own.inject('POST', registerPath, { body: registration('a@people.test') })).body['token'])
    for (let days = 20; days < 180; days += 20) {
      own.clock.advance(20 * day)
      expect([days, (await own.inject('GET', mePath, { token })).status]).toEqual([days, 200])
    }
    own.clock.advance(20 * day)
    expect((await own.inject('GET', mePath, { token })).status).toBe(401)
    await own.close()
  })

  it('an account has twenty sessions at most; those used longest ago end', async () => {
    const { email, token } = await registered()
    const open = async (): Promise<string> =>
      String((await t.inject('POST', loginPath, { body: { email, password, role: 'isClient' } })).body['token'])
    t.clock.advance(1000)
    const second = await open()
    for (let n = 2; n < 20; n++) {
      t.clock.advance(1000)
      await open()
    }
    expect((await t.inject('GET', mePath, { token })).status).toBe(200)
    t.clock.advance(120_000)
    expect((await t.inject('GET', mePath, { token })).status).toBe(200)
    await open()
    expect((await t.inject('GET', mePath, { token: second })).status).toBe(401)
    expect((await t.inject('GET', mePath, { token })).status).toBe(200)
  })

  it('an account that nobody has confirmed is forgotten after a week, and no other', async () => {
    const own = await openTestApp({ at: '2026-03-01T10:00:00Z' })
    const register = (email: string) => own.inject('POST', registerPath, { body: registration(email) })
    await register('never@people.test')
    await register('confirmed@people.test')
    await sql`update users set email_verified_at = created_at where email = 'confirmed@people.test'`.execute(own.db)
    const tidied = async (days: number): Promise<string[]> => {
      own.clock.advance(days * day)
      await own.jobs['tidy_sessions']?.({})
      return (await sql<{ email: string }>`select email::text as email from users order by email`.execute(own.db)).rows.map(
        ({ email }) => email,
      )
    }
    expect(await tidied(6.9)).toEqual(['confirmed@people.test', 'never@people.test'])
    expect(await tidied(0.2)).toEqual(['confirmed@people.test'])
    expect((await register('never@people.test')).status).toBe(201)
    await own.close()
  })

  it('[C-03] devices somebody makes by signing in give each account ten sign-ins past its network, not ten each', async () => {
    const few = await openTestApp({ settings: { LIMIT_REGISTRATIONS: '100000', LIMIT_LOGINS: '5' } })
    try {
      const email = newEmail()
      await few.inject('POST', registerPath, { body: registration(email) })
      const login = (cookie = '') =>
        few.app.inject({
          method: 'POST',
          url: loginPath,
          remoteAddress: '203.0.113.90',
          headers: { cookie },
          payload: { email, password, role: 'isClient' },
        })
      const devices: string[] = []
      for (let n = 0; n < 8; n++) {
        const answer = await login()
        if (answer.statusCode === 200) devices.push(String(answer.headers['set-cookie']).split(';')[0] as string)
      }
      let past = 0
      for (const device of devices)
        for (const { statusCode } of await Promise.all(Array.from({ length: 8 }, () => login(device)))) if (statusCode === 200) past++
      expect({ plain: devices.length, past }).toEqual({ plain: 5, past: 10 })
    } finally {
      await few.close()
    }
  })

  it('[C-02] the use of a session is noted at most once a minute, with the device', async () => {
    const own = await openTestApp({ at: '2026-03-01T10:00:00Z' })
    const token = String(
      (await own.inject('POST', registerPath, { body: registration('a@people.test'), headers: { 'user-agent': 'First device' } })).body[
        'token'
      ],
    )
    const seen = async (): Promise<[string, string]> =>
      (await sql<{ at: string; device: string }>`select last_seen_at as at, user_agent as device from sessions`.execute(own.db)).rows.map(
        (row): [string, string] => [row.at, row.device],
      )[0] ?? ['', '']
    own.clock.advance(50_000)
    await own.inject('GET', mePath, { token, headers: { 'user-agent': 'First device, newer' } })
    expect(await seen()).toEqual(['2026-03-01T10:00:00.000Z', 'First device'])
    own.clock.advance(50_000)
    await own.inject('GET', mePath, { token, headers: { 'user-agent': 'First device, newer' } })
    expect(await seen()).toEqual(['2026-03-01T10:01:40.000Z', 'First device, newer'])
    await own.close()
  })

  it('[C-17] [E-01] the session user has the agreed fields', async () => {
    const { email, token } = await registered()
    const { status, body, headers } = await t.inject('GET', mePath, { token })
    expect(status).toBe(200)
    expect(headers['cache-control']).toBe('no-store')
    const { id, ...fields } = body
    expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(fields).toEqual({
      email,
      role: 'isClient',
      firstName: 'Lina',
      lastName: 'Haddad',
      imageUrl: null,
      isEmailVerified: false,
      isConnectedGoogle: false,
      hasGoogleCalendarAccess: false,
    })
  })

  it('[C-17] [E-01] a professional who owns an institute sees it; others do not', async () => {
    const owner = await makeUser(t.db, { role: 'isPro' })
    const colleague = await makeUser(t.db, { role: 'isPro' })
    const institute = await makeInstitute(t.db, { ownerId: owner.id, name: 'Maison Lune' })
    expect((await t.inject('GET', mePath, { token: owner.token })).body['institute']).toEqual({
      _id: institute.id,
      slug: institute.slug,
      name: 'Maison Lune',
    })
    expect((await t.inject('GET', mePath, { token: colleague.token })).body).not.toHaveProperty('institute')
  })
})

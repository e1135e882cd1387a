import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const verifyPath = '/api/v1/secure/client/verify-email'
const resendPath = '/api/v1/secure/client/resend-verification'
const mePath = '/api/v1/secure/client/profile/me'
const minute = 60_000

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ settings: { LIMIT_REGISTRATIONS: '100000' } })
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
    body: { email, password: 'a quiet tuesday walk', role: 'isClient', firstName: 'Lina', lastName: 'Haddad', acceptTerms: true },
    locale,
  })
  return { email, token: String(answer.body['token']) }
}

const codes = async ({ email }: Person): Promise<string[]> =>
  (await t.mails(email)).filter((mail) => mail.kind === 'email_code').map((mail) => /\d{6}/.exec(mail.text)?.[0] ?? '')
const lastCode = async (person: Person): Promise<string> => (await codes(person))[0] ?? ''
const verify = (person: Person, code: unknown): Promise<TestAnswer> => t.inject('POST', verifyPath, { token: person.token, body: { code } })
const resend = (person: Person): Promise<TestAnswer> => t.inject('POST', resendPath, { token: person.token })
const isVerified = async (person: Person): Promise<boolean> =>
  String((await t.inject('GET', mePath, { token: person.token })).body['isEmailVerified']) === 'true'
/** Codes that are wrong for sure. */
const wrongCodes = (right: string, many: number): string[] =>
  Array.from({ length: many }, (_, index) => String((Number(right) + index + 1) % 1_000_000).padStart(6, '0'))

it('[C-21] [E-18] the mailed code confirms the email, answers a message, and may be sent again', async () => {
  const person = await registered()
  const code = await lastCode(person)
  const answer = await verify(person, code)
  expect([answer.status, answer.body]).toEqual([200, { message: 'Your email is confirmed.' }])
  expect(await isVerified(person)).toBe(true)
  expect((await verify(person, code)).status).toBe(200)
})

it('[C-21] a wrong code tells the tries left; after five the right one is void too', async () => {
  const person = await registered('fr')
  const code = await lastCode(person)
  for (const [index, wrong] of wrongCodes(code, 5).entries()) {
    const answer = await verify(person, wrong)
    expect([answer.status, answer.body['code'], answer.body['message'], answer.body['details']]).toEqual([
      422,
      'code_wrong',
      'Invalid code',
      { triesLeft: 4 - index },
    ])
  }
  const late = await verify(person, code)
  expect([late.status, late.body['code']]).toEqual([422, 'code_expired'])
  expect(await isVerified(person)).toBe(false)
})

it('[C-21] of fifty wrong codes at once five are compared', async () => {
  const person = await registered()
  const answers = await Promise.all(wrongCodes(await lastCode(person), 50).map((code) => verify(person, code)))
  expect(
    answers
      .filter((answer) => answer.body['code'] === 'code_wrong')
      .map((answer) => Number(answer.body['details']?.['triesLeft']))
      .sort(),
  ).toEqual([0, 1, 2, 3, 4])
  expect(answers.filter((answer) => answer.body['code'] === 'code_expired')).toHaveLength(45)
})

it('[C-21] the right code fifty times at once confirms once and every answer is the same', async () => {
  const person = await registered()
  const code = await lastCode(person)
  const answers = await Promise.all(Array.from({ length: 50 }, () => verify(person, code)))
  expect(new Set(answers.map((answer) => answer.text)).size).toBe(1)
  expect(answers[0]?.status).toBe(200)
})

it('[C-21] a code lives a quarter of an hour', async () => {
  const early = await registered()
  const late = await registered()
  const [earlyCode, lateCode] = [await lastCode(early), await lastCode(late)]
  t.clock.advance(15 * minute - 1)
  expect((await verify(early, earlyCode)).status).toBe(200)
  t.clock.advance(1)
  const answer = await verify(late, lateCode)
  expect([answer.status, answer.body['code']]).toEqual([422, 'code_expired'])
})

it('[C-21] a code belongs to the one it was sent to', async () => {
  const [one, other] = [await registered(), await registered()]
  const [oneCode, otherCode] = [await lastCode(one), await lastCode(other)]
  // One in a million: equal codes would prove nothing.
  if (oneCode !== otherCode) expect((await verify(other, oneCode)).body['code']).toBe('code_wrong')
  await sql`update email_codes set code_hash = (select c.code_hash from email_codes c join users u on u.id = c.user_id where u.email = ${one.email}) where user_id = (select id from users where email = ${other.email})`.execute(
    t.db,
  )
  expect((await verify(other, oneCode)).body['code']).toBe('code_wrong')
  expect(await isVerified(one)).toBe(false)
})

it('[C-21] codes are stored hashed', async () => {
  const person = await registered()
  const code = await lastCode(person)
  const { rows } = await sql<{
    stored: string
  }>`select encode(code_hash, 'escape') || encode(code_hash, 'hex') as stored from email_codes c join users u on u.id = c.user_id where u.email = ${person.email}`.execute(
    t.db,
  )
  expect(rows[0]?.stored.length).toBeGreaterThanOrEqual(96)
  expect(rows[0]?.stored).not.toContain(code)
})

it.each([
  ['12345'],
  ['1234567'],
  ['12 456'],
  ['١٢٣٤٥٦'],
  ['12345\u0000'],
  [123456],
  [null],
  [['123456']],
  ['\ud800'.repeat(6)],
  ['9'.repeat(10_000)],
])('[C-21] %j is no code', async (code) => {
  const person = await registered()
  const answer = await verify(person, code)
  expect([answer.status, answer.body['code']]).toEqual([400, 'bad_input'])
  expect((await verify(person, await lastCode(person))).status).toBe(200)
})

it('[C-22] [E-19] a resend works right after registering, starts a minute of waiting and ends the old code', async () => {
  const person = await registered()
  const first = await lastCode(person)
  const answer = await resend(person)
  expect([answer.status, answer.body]).toEqual([200, { message: 'A new code has been sent.' }])
  const second = (await codes(person)).find((code) => code !== first)
  expect(await codes(person)).toHaveLength(2)
  if (second) expect((await verify(person, first)).body['code']).toBe('code_wrong')
  expect((await verify(person, second ?? first)).status).toBe(200)
})

it('[C-22] [E-20] during the wait a resend is refused with the remaining time at top level', async () => {
  const person = await registered('en')
  await resend(person)
  t.clock.advance(12_400)
  for (const message of ['Please try again in 48 seconds', 'Please try again in 48 seconds']) {
    const answer = await t.inject('POST', resendPath, { token: person.token, locale: 'en' })
    expect([answer.status, answer.body['code'], answer.body['timeLeft'], answer.body['message']]).toEqual([
      429,
      'resend_cooldown',
      47_600,
      message,
    ])
    expect(answer.headers['retry-after']).toBe('48')
  }
  expect(await codes(person)).toHaveLength(2)
  t.clock.advance(47_599)
  expect((await resend(person)).body['timeLeft']).toBe(1)
  t.clock.advance(1)
  expect((await resend(person)).status).toBe(200)
})

it('[C-22] of many resends at once one is sent', async () => {
  const person = await registered()
  const answers = await Promise.all(Array.from({ length: 20 }, () => resend(person)))
  expect(answers.filter((answer) => answer.status === 200)).toHaveLength(1)
  expect(answers.filter((answer) => answer.status === 429 && Number(answer.body['timeLeft']) > 0)).toHaveLength(19)
  expect(await codes(person)).toHaveLength(2)
})

it('[C-21] [C-22] a confirmation and a resend at once end in one of the two orders', async () => {
  for (let round = 0; round < 15; round++) {
    const person = await registered()
    const code = await lastCode(person)
    const [verified, resent] = (await Promise.all(
      round % 2 ? [verify(person, code), resend(person)] : [resend(person), verify(person, code)].reverse(),
    )) as [TestAnswer, TestAnswer]
    const now = await isVerified(person)
    expect(verified.status === 200).toBe(now)
    if (now) expect([200, 409]).toContain(resent.status)
    else expect([resent.status, verified.body['code']]).toEqual([200, 'code_wrong'])
    if (!now) expect((await verify(person, await lastCode(person))).status).toBe(200)
  }
})

it('[C-22] a confirmed account is sent no more codes', async () => {
  const person = await registered()
  await verify(person, await lastCode(person))
  const answer = await resend(person)
  expect([answer.status, answer.body['code']]).toEqual([409, 'wrong_state'])
  expect(await codes(person)).toHaveLength(1)
})

it('[C-22] a person is sent five account mails an hour and twenty a day; the refusal tells how long to wait', async () => {
  const person = await registered()
  const start = t.clock.now()
  for (let sent = 1; sent < 5; sent++) {
    expect((await resend(person)).status).toBe(200)
    await t.drainJobs()
    t.clock.advance(minute)
  }
  const refused = await resend(person)
  expect([refused.status, refused.body['code'], refused.body['timeLeft']]).toEqual([
    429,
    'resend_cooldown',
    start + 60 * minute - t.clock.now(),
  ])
  for (let hour = 1; hour < 4; hour++) {
    t.clock.set(start + hour * 61 * minute)
    for (let sent = 0; sent < 5; sent++) {
      expect((await resend(person)).status).toBe(200)
      await t.drainJobs()
      t.clock.advance(minute)
    }
  }
  t.clock.set(start + 5 * 61 * minute)
  expect((await resend(person)).status).toBe(429)
  expect(await codes(person)).toHaveLength(20)
  t.clock.set(start + 24 * 60 * minute)
  expect((await resend(person)).status).toBe(200)
})

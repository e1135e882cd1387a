/** Malformed requests of every kind against the account calls: never our fault, always a code and words. */
import { passwordCalls } from '@soigne/contract/password'
import { refusals } from '@soigne/contract/refusals'
import { sessionCalls } from '@soigne/contract/session'
import { verificationCalls } from '@soigne/contract/verification'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { makeUser, type MadeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
let user: MadeUser
beforeAll(async () => {
  t = await openTestApp({ settings: { LIMIT_REGISTRATIONS: '1000000', LIMIT_LOGINS: '1000000', LIMIT_WRONG_PASSWORDS: '1000000' } })
  user = await makeUser(t.db, { verified: false })
})
afterAll(() => t.close())

const calls = Object.values({ ...sessionCalls, ...verificationCalls, ...passwordCalls }).filter((call) => call !== sessionCalls.logout)
const nasty = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udfff\ud800',
  '\u202eabc',
  '%00',
  "' or 1=1 --",
  '{{7*7}}',
  '🙈'.repeat(60),
  'x'.repeat(3000),
  'İ@people.test',
  'ſ@people.test',
  'a@b',
  'a@people.test',
  '"a b"@people.test',
  '＠',
  '0',
  '-1',
  '1e309',
  'NaN',
  'null',
  '123456',
  'isPro',
  'isClient',
  '__proto__',
  'toString',
]
const value = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...nasty) },
  { weight: 2, arbitrary: fc.string({ unit: 'binary', maxLength: 300 }) },
  { weight: 2, arbitrary: fc.anything({ withBigInt: false, maxDepth: 2 }) },
)
const key = fc.constantFrom(
  'email',
  'password',
  'role',
  'firstName',
  'lastName',
  'phone',
  'acceptTerms',
  'code',
  'token',
  'hasOwnProperty',
  'length',
)
const body = fc.oneof(
  { weight: 8, arbitrary: fc.dictionary(key, value, { maxKeys: 9 }) },
  { weight: 1, arbitrary: fc.anything({ withBigInt: false, maxDepth: 2 }) },
)
/** A registration that is right but for one field. */
const nearlyRight = fc.tuple(key, value).map(([field, wrong]) => ({
  email: 'a@people.test',
  password: 'a quiet tuesday walk',
  role: 'isClient',
  firstName: 'Lina',
  lastName: 'Haddad',
  acceptTerms: true,
  token: 'A'.repeat(43),
  code: '000000',
  [field]: wrong,
}))

let asked = 0
/** Each request comes from a network of its own: what a limit refuses at the door, later each time, tells nothing of the call. */
const ask: TestApp['inject'] = (method, path, options) =>
  t.inject(method, path, { ...options, remoteAddress: `10.${(asked >> 8) & 255}.${asked++ & 255}.7` })

function expectDecent(answer: TestAnswer): void {
  expect(answer.status).toBeLessThan(500)
  if (answer.status < 400) return
  expect(String(answer.body['message'] ?? '')).not.toBe('')
  expect(Object.keys(refusals)).toContain(answer.body['code'])
  expect(answer.text).not.toMatch(/\bat .*\.ts:|select |insert |constraint/i)
}

it('[C-03] [C-05] [C-06] [C-07] [C-21] no body makes an account call fail', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...calls),
      fc.oneof(body, nearlyRight),
      fc.constantFrom('en', 'fr', 'ar', '\u00ff;q=x'),
      async (call, given, locale) => {
        const withBody = call.method !== 'GET' && given !== undefined
        expectDecent(
          await ask(call.method, call.path, {
            ...(withBody ? { body: given } : {}),
            token: user.token,
            headers: { 'accept-language': locale },
          }),
        )
      },
    ),
    { numRuns: 500 },
  )
})

it('[C-08] no query makes a call fail', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...calls),
      fc.dictionary(
        fc.constantFrom('token', 'email', 'page', '__proto__'),
        fc.oneof(fc.constantFrom(...nasty.filter((text) => text.isWellFormed())), fc.string({ unit: 'grapheme', maxLength: 200 })),
      ),
      async (call, query) => {
        expectDecent(await ask(call.method, `${call.path}?${new URLSearchParams(query).toString()}`, { token: user.token }))
      },
    ),
    { numRuns: 300 },
  )
})

it('[C-02] no header makes a signed-in call fail', async () => {
  const header = fc.oneof(
    fc.string({ unit: fc.integer({ min: 0x20, max: 0x7e }).map((code) => String.fromCharCode(code)), maxLength: 400 }),
    fc.string({ unit: fc.integer({ min: 0x80, max: 0xff }).map((code) => String.fromCharCode(code)), maxLength: 100 }),
  )
  await fc.assert(
    fc.asyncProperty(header, header, header, async (authorization, agent, language) => {
      expectDecent(
        await ask('GET', sessionCalls.me.path, {
          headers: { authorization: `Bearer ${authorization}`, 'user-agent': agent, 'accept-language': language },
        }),
      )
      expectDecent(
        await ask('POST', sessionCalls.login.path, {
          headers: { 'user-agent': agent, 'content-type': authorization },
          payload: agent,
        }),
      )
    }),
    { numRuns: 300 },
  )
})

it('[C-26] no bytes make the upload fail', async () => {
  const starts = [
    [0xff, 0xd8, 0xff, 0xe0],
    [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
    [0x52, 0x49, 0x46, 0x46, 0, 0, 0, 0, 0x57, 0x45, 0x42, 0x50, 0x56, 0x50, 0x38, 0x20],
    [0x47, 0x49, 0x46, 0x38, 0x39, 0x61],
    [],
  ]
  await fc.assert(
    fc.asyncProperty(fc.constantFrom(...starts), fc.uint8Array({ maxLength: 600 }), fc.boolean(), async (start, rest, isWhole) => {
      const payload = Buffer.concat([
        Buffer.from('--b\r\nContent-Disposition: form-data; name="image"; filename="a.png"\r\nContent-Type: image/png\r\n\r\n'),
        Buffer.from(start),
        rest,
        Buffer.from(isWhole ? '\r\n--b--\r\n' : ''),
      ])
      expectDecent(
        await ask('PUT', sessionCalls.profileImage.path, {
          token: user.token,
          payload,
          headers: { 'content-type': 'multipart/form-data; boundary=b' },
        }),
      )
    }),
    { numRuns: 150 },
  )
})

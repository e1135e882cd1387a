import * as z from 'zod/mini'
import { describe, expect, test } from 'vitest'
import { appointmentCalls } from './appointments.ts'
import { calls } from './calls.ts'
import type { Call } from './define.ts'
import { availabilityQuery, searchQuery } from './institutes.ts'
import { refusals } from './refusals.ts'
import { sessionCalls } from './session.ts'
import { verificationCalls } from './verification.ts'
import { categories, durationPresets, pageSizes, paymentMethods, weekdays } from './wire.ts'

const all = Object.entries(calls) as [string, Call][]

describe('the calls', () => {
  test('have one method and path each', () => {
    const keys = all.map(([, call]) => `${call.method} ${call.path}`)
    expect(new Set(keys).size).toBe(keys.length)
  })

  for (const [name, call] of all) {
    test(`${name} lives under /client (or /webhooks, where providers call) when public and under /secure when not, and names its parameters`, () => {
      const where = call.access === 'public' ? ('rawBody' in call ? 'webhooks' : 'client') : 'secure'
      expect(call.path.startsWith(`/api/v1/${where}/`)).toBe(true)
      const named = [...call.path.matchAll(/:(\w+)/g)].map((match) => match[1])
      const declared = call.params
        ? Object.keys((z.toJSONSchema(call.params, { io: 'input' }) as { properties?: object }).properties ?? {})
        : []
      expect(declared).toEqual(named)
      for (const code of call.refusals ?? []) expect(refusals[code]).toBeGreaterThanOrEqual(400)
    })
  }

  test('say of every public address that opens what is somebody’s that no cache may keep it', () => {
    const asksForSecret = (call: Call): boolean =>
      [call.params, call.query].some(
        (schema) =>
          schema &&
          /token|secret|code|proof/i.test(
            Object.keys((z.toJSONSchema(schema, { io: 'input' }) as { properties?: object }).properties ?? {}).join(' '),
          ),
      )
    const open = all.filter(([, { access, method }]) => access === 'public' && method === 'GET')
    expect(open.filter(([, call]) => asksForSecret(call)).map(([name]) => name)).toEqual(
      open.filter(([, { secretAddress }]) => secretAddress).map(([name]) => name),
    )
    expect(open.flatMap(([name, { secretAddress }]) => (secretAddress ? [name] : []))).toEqual(
      expect.arrayContaining(['validateResetToken', 'calendarFeed']),
    )
  })

  test('stand at the paths and methods the specification gives', () => {
    const wanted = [
      'POST /api/v1/client/auth/login',
      'POST /api/v1/client/auth/register',
      'POST /api/v1/client/password/request-reset',
      'POST /api/v1/client/password/reset',
      'GET /api/v1/client/password/validate-token',
      'GET /api/v1/secure/client/profile/me',
      'PUT /api/v1/secure/client/profile/image',
      'POST /api/v1/secure/client/verify-email',
      'POST /api/v1/secure/client/resend-verification',
      'POST /api/v1/secure/client/session/logout',
    ]
    const served = new Set(all.map(([, call]) => `${call.method} ${call.path}`))
    expect(wanted.filter((one) => !served.has(one))).toEqual([])
  })
})

describe('the words of the wire', () => {
  test('are the closed lists of the specification [U-15] [E-11] [E-13] [K-01] [K-02]', () => {
    expect(categories).toHaveLength(14)
    expect(categories).toContain('tatto')
    expect(paymentMethods).toEqual(['card', 'paypal', 'klarna'])
    expect(weekdays[0]).toBe('Monday')
    expect(weekdays[6]).toBe('Sunday')
    expect(pageSizes).toEqual([10, 20, 30, 40, 50])
    expect(durationPresets).toEqual([20, 40, 60, 80, 100])
  })
})

const fails = (schema: z.ZodMiniType, value: unknown): boolean => !schema.safeParse(value).success

describe('bad input', () => {
  const login = { email: 'a@b.co', password: 'x', role: 'isClient' }
  const wrong: [what: string, schema: z.ZodMiniType, value: unknown][] = [
    ['a role that does not exist', sessionCalls.login.body, { ...login, role: 'isAdmin' }],
    ['an email with NUL', sessionCalls.login.body, { ...login, email: 'a\u0000@b.co' }],
    [
      'a name with a lone surrogate',
      sessionCalls.register.body,
      { ...login, password: 'a long password', firstName: '\ud800', lastName: 'B', acceptTerms: true },
    ],
    [
      'terms that are not accepted',
      sessionCalls.register.body,
      { ...login, password: 'a long password', firstName: 'A', lastName: 'B', acceptTerms: false },
    ],
    [
      'a password of nine characters',
      sessionCalls.register.body,
      { ...login, password: '123456789', firstName: 'A', lastName: 'B', acceptTerms: true },
    ],
    ['a code of five digits', verificationCalls.verifyEmail.body, { code: '12345' }],
    ['a code with letters', verificationCalls.verifyEmail.body, { code: '12345a' }],
    ['a code in other digits', verificationCalls.verifyEmail.body, { code: '١٢٣٤٥٦' }],
    ['page 0', searchQuery, { page: '0' }],
    ['page −1', searchQuery, { page: '-1' }],
    ['a page size of 15', searchQuery, { pageSize: '15' }],
    ['a repeated page', searchQuery, { page: ['1', '2'] }],
    ['a latitude of 91', searchQuery, { lat: '91', lon: '0' }],
    ['the year 0000', searchQuery, { day: '0000-01-01' }],
    ['30 February', searchQuery, { day: '2026-02-30' }],
    ['a sort nobody knows', searchQuery, { sort: 'magic' }],
    ['an id that is none', availabilityQuery, { service: 'x' }],
    ['32 days', availabilityQuery, { service: '019b8d2b-8c00-7fce-8854-49df409f8c16', days: '32' }],
    [
      'an empty cart',
      appointmentCalls.makeHold.body,
      { instituteId: '019b8d2b-8c00-7fce-8854-49df409f8c16', services: [], startsAt: '2026-11-20T10:00:00Z' },
    ],
    [
      'a start without offset',
      appointmentCalls.makeHold.body,
      {
        instituteId: '019b8d2b-8c00-7fce-8854-49df409f8c16',
        services: [{ serviceId: '019b8d2b-8c00-7fce-8854-49df409f8c16' }],
        startsAt: '2026-11-20T10:00:00',
      },
    ],
  ]
  for (const [what, schema, value] of wrong) {
    test(`${what} is refused`, () => expect(fails(schema, value)).toBe(true))
  }

  test('unknown fields are ignored and never kept', () => {
    expect(sessionCalls.login.body.parse({ ...login, isAdmin: true })).toEqual(login)
  })
})

/** Every level against every permission, over HTTP, with calls planted for it: the product has calls for few of them yet. */
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { type AccessRule, type Permission, permissions, sitePermissions } from '@soigne/contract/access'
import type { Call } from '@soigne/contract/define'
import { buildApp } from '#/app.ts'
import { memberships } from '#/features/people/service.ts'
import { authenticator } from '#/features/session/service.ts'
import { grants, type Level } from '#/grants.ts'
import { makeInstitute, makeOperator, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { authoriser, checkRules, fits, publicScope, systemScope } from './access.ts'
import { mountCalls, serve } from './calls.ts'
import { failureHandler } from './failures.ts'

const rules: AccessRule[] = [
  'public',
  { of: 'self' },
  { of: 'self', verified: true },
  ...permissions.map((may) => ({ of: 'institute', may }) as const),
  ...sitePermissions.map((may) => ({ of: 'site', may }) as const),
]
const nameOf = (rule: AccessRule): string =>
  rule === 'public' ? 'public' : rule.of === 'self' ? `self${rule.verified ? '-verified' : ''}` : `${rule.of}-${rule.may}`
const planted: Record<string, Call> = Object.fromEntries(
  rules.map((rule) => [
    nameOf(rule),
    { method: 'GET', path: `/api/v1/${nameOf(rule)}`, access: rule, tag: 'planted', summary: '', answer: z.unknown() },
  ]),
)

let t: TestApp
let app: ReturnType<typeof Fastify>
const tokens: Record<string, string> = {}
const ids: Record<string, string> = {}

beforeAll(async () => {
  t = await openTestApp()
  const owner = await makeUser(t.db, { role: 'isPro' })
  const neighbour = await makeUser(t.db, { role: 'isPro' })
  const mine = await makeInstitute(t.db, { ownerId: owner.id })
  const theirs = await makeInstitute(t.db, { ownerId: neighbour.id })
  Object.assign(ids, { mine: mine.id, theirs: theirs.id, owner: owner.id })
  Object.assign(tokens, { owner: owner.token, neighbour: neighbour.token })
  for (const level of ['manager', 'reception', 'staff'] as const) tokens[level] = (await makePerson(t.db, mine.id, level)).token
  tokens['client'] = (await makeUser(t.db)).token
  tokens['unverified'] = (await makeUser(t.db, { verified: false })).token
  tokens['operator'] = (await makeOperator(t.db)).token
  app = Fastify()
  await app.register(multipart)
  app.setErrorHandler(failureHandler({ refusal: (_locale, code) => code, field: (_locale, problem) => problem }))
  const answers = Object.fromEntries(
    Object.keys(planted).map((name) => [name, async (_input: unknown, { scope }: { scope: object }) => scope]),
  )
  mountCalls(app, serve(planted, answers as never), {
    authenticate: authenticator(t.context),
    authorise: authoriser(grants, memberships(t.context)),
  })
  await app.ready()
})
afterAll(async () => {
  await app.close()
  await t.close()
})

async function ask(rule: AccessRule, who: string | null, instituteId?: string): Promise<[number, Record<string, unknown>]> {
  const answer = await app.inject({
    url: `/api/v1/${nameOf(rule)}`,
    headers: { ...(who !== null && { authorization: `Bearer ${tokens[who]}` }), ...(instituteId && { 'institute-id': instituteId }) },
  })
  return [answer.statusCode, answer.json()]
}
const outcome = async (rule: AccessRule, who: string | null, instituteId?: string): Promise<string> => {
  const [status, body] = await ask(rule, who, instituteId)
  return status === 200 ? 'ok' : `${status} ${String(body['code'])}`
}

describe('a public call', () => {
  it('is open to anybody and looks at no token', async () => {
    tokens['nonsense'] = 'nonsense'
    for (const who of [null, 'nonsense', 'client', 'owner']) expect(await outcome('public', who)).toBe('ok')
  })
})

describe('a call for one’s own rows', () => {
  it('needs a session, and a confirmed email where it says so', async () => {
    expect(await outcome({ of: 'self' }, null)).toBe('401 unauthorized')
    expect(await outcome({ of: 'self' }, 'unverified')).toBe('ok')
    expect(await outcome({ of: 'self', verified: true }, null)).toBe('401 unauthorized')
    expect(await outcome({ of: 'self', verified: true }, 'unverified')).toBe('403 email_unverified')
    for (const who of ['client', 'owner', 'operator']) expect(await outcome({ of: 'self', verified: true }, who)).toBe('ok')
  })

  it('acts as its caller', async () => {
    const [, scope] = await ask({ of: 'self' }, 'owner')
    expect(scope).toMatchObject({ kind: 'self', userId: ids['owner'], actor: { kind: 'client', userId: ids['owner'] }, verified: true })
  })
})

/** Written out by hand: a change of grants.ts shows here. */
const levels: Record<Level, readonly Permission[]> = {
  owner: permissions,
  manager: permissions.filter(
    (one) => !['people.change', 'customers.health', 'customers.export', 'institute.export', 'payments.connect'].includes(one),
  ),
  reception: ['diary.own', 'diary.read', 'diary.change', 'customers.read', 'customers.change', 'messages.answer', 'sales.take'],
  staff: ['diary.own'],
}

describe.each(permissions)('a call that needs %s', (may) => {
  const rule: AccessRule = { of: 'institute', may }

  it.each(Object.keys(levels) as Level[])('for the %s', async (level) => {
    const may = levels[level].includes(rule.may) ? 'ok' : '403 forbidden'
    expect(await outcome(rule, level)).toBe(may)
    expect(await outcome(rule, level, ids['mine'])).toBe(may)
    expect(await outcome(rule, level, ids['theirs'])).toBe('404 not_found')
    expect(await outcome(rule, level, '019b8d2b-8c00-7fce-8854-49df409f8c16')).toBe('404 not_found')
  })

  it('is refused to everybody else', async () => {
    expect(await outcome(rule, null)).toBe('401 unauthorized')
    expect(await outcome(rule, 'unverified')).toBe('403 email_unverified')
    for (const who of ['client', 'operator']) {
      expect(await outcome(rule, who)).toBe('403 forbidden')
      expect(await outcome(rule, who, ids['mine'])).toBe('404 not_found')
    }
    expect(await outcome(rule, 'neighbour', ids['mine'])).toBe('404 not_found')
    expect(await outcome(rule, 'owner', 'nonsense')).toBe('400 bad_input')
  })

  it('acts for the institute of its caller, at their level', async () => {
    const [, scope] = await ask(rule, 'neighbour')
    expect(scope).toMatchObject({
      kind: 'institute',
      instituteId: ids['theirs'],
      actor: { kind: 'institute', instituteId: ids['theirs'], level: 'owner' },
    })
  })
})

describe.each(sitePermissions)('a call of the site that needs %s', (may) => {
  it('is for operators only', async () => {
    expect(await outcome({ of: 'site', may }, null)).toBe('401 unauthorized')
    expect(await outcome({ of: 'site', may }, 'unverified')).toBe('403 email_unverified')
    for (const who of ['client', ...Object.keys(levels)]) expect(await outcome({ of: 'site', may }, who)).toBe('403 forbidden')
    expect(await outcome({ of: 'site', may }, 'operator')).toBe('ok')
  })
})

describe('a call whose rule is missing or unknown', () => {
  const wrong: [string, unknown][] = [
    ['none', undefined],
    ['an empty one', {}],
    ['a word nobody knows', 'signed-in'],
    ['of nobody', { of: 'everybody' }],
    ['an institute without permission', { of: 'institute' }],
    ['a permission that does not exist', { of: 'institute', may: 'everything' }],
    ['a permission of another list', { of: 'site', may: 'diary.read' }],
    ['a self that need not be verified', { of: 'self', verified: false }],
    ['a word besides', { of: 'self', optional: true }],
  ]
  it.each(wrong)('keeps the server from starting: %s', async (_what, access) => {
    const call = { ...planted['public'], access } as unknown as Call
    const bare = Fastify()
    const mount = (): void =>
      mountCalls(bare, serve({ open: call }, { open: async () => '' }), {
        authenticate: authenticator(t.context),
        authorise: authoriser(grants, memberships(t.context)),
      })
    expect(mount).toThrow('who may make these calls is not stated: open')
    await bare.close()
  })

  it('is none of the product’s', async () => {
    expect(() => checkRules([...t.served.values()])).not.toThrow()
    await (await buildApp(t.context)).app.close()
  })
})

describe('a scope', () => {
  it('of another kind, or copied, opens nothing in the process either', async () => {
    const system = systemScope('test')
    const mine = system.user(ids['owner'] ?? '')
    expect(fits({ of: 'self' }, mine)).toBe(true)
    expect(fits({ of: 'self', verified: true }, mine)).toBe(false)
    expect(fits({ of: 'self' }, publicScope)).toBe(false)
    expect(fits('public', mine)).toBe(false)
    expect(fits({ of: 'self' }, { ...mine } as never)).toBe(false)
    expect(fits({ of: 'institute', may: 'diary.read' }, system.institute(ids['mine'] ?? ''))).toBe(true)
    expect(fits({ of: 'institute', may: 'diary.read' }, Object.create(system.institute(ids['mine'] ?? '')) as never)).toBe(false)
    const served = t.served.get('me')
    await expect(served?.run({ params: {}, query: {}, body: undefined }, { scope: publicScope } as never)).rejects.toMatchObject({
      code: 'unauthorized',
    })
  })

  it('cannot be changed after it was made', () => {
    const scope = systemScope('test').institute(ids['mine'] ?? '')
    expect(() => Object.assign(scope, { instituteId: ids['theirs'] })).toThrow(TypeError)
    expect(() => Object.assign(scope.may, { 'people.change': true })).toThrow(TypeError)
  })
})

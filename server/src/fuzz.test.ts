/** Requests of every kind made from the OpenAPI document against every call: never our fault, always a code and words, always the shape that was promised. */
import { calls } from '@soigne/contract/calls'
import type { Call } from '@soigne/contract/define'
import { refusals } from '@soigne/contract/refusals'
import fc from 'fast-check'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { bookVisit, hold, wall } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  enum?: unknown[]
  const?: unknown
  format?: string
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  minItems?: number
  maxItems?: number
  default?: unknown
}
interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}
interface Operation {
  method: string
  path: string
  operationId: string
  parameters: Parameter[]
  requestBody?: { content: Record<string, { schema: Schema }> }
}
interface Asked {
  operation: Operation
  who: string
  values: Record<string, unknown>
  body: { is: 'none' } | { is: 'json'; value: unknown } | { is: 'raw'; text: string; type: string }
}

/** Printed with a failure; FUZZ_SEED repeats one, FUZZ_CASES asks for more. */
const seed = Number(process.env['FUZZ_SEED'] ?? 20_261_120)
const cases = Number(process.env['FUZZ_CASES'] ?? 2000)

let t: TestApp
let operations: Operation[]
/** Ids and words that exist, so that requests get past the first check. */
let known: string[]
const tokens: Record<string, string | undefined> = { guest: undefined, stranger: 'x'.repeat(43) }

beforeAll(async () => {
  t = await openTestApp({
    settings: { LIMIT_REGISTRATIONS: '1000000', LIMIT_LOGINS: '1000000', LIMIT_WRONG_PASSWORDS: '1000000', LIMIT_HOLDS: '1000' },
  })
  const pro = await makeUser(t.db, { role: 'isPro' })
  const institute = await makeInstitute(t.db, { ownerId: pro.id, grid: 5, resources: [{ type: 'chair', name: 'Chair' }] })
  const listed = await makeInstitute(t.db, { claimed: false })
  const client = await makeUser(t.db)
  const visit = await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00') })
  const held = await hold(t, client, institute, { startsAt: wall('2026-11-24T12:00') })
  known = [
    institute.id,
    institute.slug,
    listed.id,
    ...institute.services,
    ...institute.members,
    visit._id,
    held._id,
    client.email,
    'Lyon',
    'hair',
    '2026-11-24',
    wall('2026-11-24T14:00'),
    wall('2026-11-24T15:05'),
    wall('2026-11-22T15:00'),
  ]
  Object.assign(tokens, { client: client.token, pro: pro.token, unverified: (await makeUser(t.db, { verified: false })).token })
  const document = (await t.inject('GET', '/api/openapi.json')).body as unknown as { paths: Record<string, Record<string, Operation>> }
  operations = Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  )
})
afterAll(() => t.close())

const nasty = [
  '',
  ' ',
  '\u0000',
  'a\u0000b',
  '\ud800',
  '\udc00x',
  '%00',
  '%',
  '../../x',
  "' or 1=1 --",
  '1e309',
  '-1',
  '0',
  '1',
  'NaN',
  'null',
  'true',
  '__proto__',
  'constructor',
  '\u202eabc',
  '🙈'.repeat(40),
  'x'.repeat(2000),
  '0000-01-01T00:00:00Z',
  '2026-11-24T10:00:00+23:59',
  '2099-12-31T23:59:59.999Z',
  '2026-02-30',
  '9999-99-99',
  '00000000-0000-0000-0000-000000000000',
  '-90',
  '91',
  '180.0001',
  '4,45,5,46',
  '5,46,4,45',
  '2147483648',
  '9'.repeat(25),
]

const anything = (): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...nasty) },
    { weight: 3, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.anything({ maxDepth: 2, withBigInt: false }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  )

/** Mostly what the schema asks for. */
function fitting(schema: Schema): fc.Arbitrary<unknown> {
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map(fitting))
  if (schema.type === 'object')
    return fc.record(Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, property]) => [name, nearly(property)])), {
      requiredKeys: schema.required ?? [],
    })
  if (schema.type === 'array')
    return fc.array(nearly(schema.items ?? {}), { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 3, 9) })
  if (schema.type === 'integer' || schema.type === 'number')
    return schema.type === 'integer'
      ? fc.integer({ min: Math.max(schema.minimum ?? -5, -1000), max: Math.min(schema.maximum ?? 100, 200) })
      : fc.double({ min: schema.minimum ?? -200, max: schema.maximum ?? 200, noNaN: true })
  if (schema.type === 'boolean') return fc.boolean()
  if (schema.type === 'null') return fc.constant(null)
  if (schema.format === 'uuid')
    return fc.oneof(
      { weight: 6, arbitrary: fc.constantFrom(...known.filter((text) => /^[0-9a-f-]{36}$/.test(text))) },
      { weight: 1, arbitrary: fc.uuid() },
    )
  if (schema.format === 'date') return fc.constantFrom('2026-11-24', '2026-11-20', '2027-02-01', '2026-10-25', '2099-12-31')
  if (schema.format === 'date-time')
    return fc.oneof(
      fc.constantFrom(...known.filter((text) => /T.*Z$/.test(text))),
      fc.integer({ min: 0, max: 2000 }).map((step) => new Date(Date.parse('2026-11-21T08:00:00Z') + step * 300_000).toISOString()),
    )
  return fc.oneof(
    fc.constantFrom(...known),
    fc.string({ minLength: Math.min(schema.minLength ?? 0, 50), maxLength: Math.min(schema.maxLength ?? 40, 60) }),
  )
}
const nearly = (schema: Schema): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 25, arbitrary: fitting(schema) }, { weight: 1, arbitrary: anything() })

const rawBodies = fc.record({
  text: fc.constantFrom('', '{', 'null', '[]', '""', '{"__proto__":{}}', '\u0000', '{"a":1}', '--b--', 'x'.repeat(250_000)),
  type: fc.constantFrom(
    'application/json',
    'text/plain',
    'multipart/form-data; boundary=b',
    'multipart/form-data',
    'nonsense',
    'application/x-www-form-urlencoded',
  ),
})

function bodies(operation: Operation): fc.Arbitrary<Asked['body']> {
  const schema = operation.requestBody?.content['application/json']?.schema
  const raw = rawBodies.map((given) => ({ is: 'raw' as const, ...given }))
  const none = fc.constant({ is: 'none' as const })
  if (operation.method === 'GET') return none
  if (!schema) return fc.oneof({ weight: 3, arbitrary: none }, { weight: 1, arbitrary: raw })
  return fc.oneof(
    { weight: 14, arbitrary: nearly(schema).map((value) => ({ is: 'json' as const, value })) },
    { weight: 1, arbitrary: raw },
    { weight: 1, arbitrary: none },
  )
}

const headerValues = fc.oneof(
  { weight: 8, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.constantFrom('fr;q=0.1, ar', '', 'x'.repeat(500), 'key-1', 'key-2', 'ar') },
)

const asking = (): fc.Arbitrary<Asked> =>
  fc.constantFrom(...operations).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      who: fc.constantFrom(...Object.keys(tokens), 'client', 'client', 'pro'),
      values: fc.record(
        Object.fromEntries(
          operation.parameters.map((parameter) => [parameter.name, parameter.in === 'header' ? headerValues : nearly(parameter.schema)]),
        ),
        { requiredKeys: operation.parameters.filter(({ required }) => required).map(({ name }) => name) },
      ),
      body: bodies(operation),
    }),
  )

const words = (value: unknown): string => {
  if (typeof value === 'string') return value.toWellFormed()
  try {
    return String(typeof value === 'object' ? JSON.stringify(value) : value).toWellFormed()
  } catch {
    return 'null'
  }
}

function addressOf({ operation, values }: Asked): string {
  let path = operation.path
  const query = new URLSearchParams()
  for (const { name, in: where } of operation.parameters) {
    if (!(name in values)) continue
    const value = values[name]
    if (where === 'path') path = path.replace(`{${name}}`, encodeURIComponent(words(value)))
    if (where === 'query') for (const one of Array.isArray(value) ? value : [value]) query.append(name, words(one))
  }
  const text = query.toString()
  return text ? `${path}?${text}` : path
}

function bodyOf(body: Asked['body']): { payload?: string; type?: string } {
  if (body.is === 'none') return {}
  if (body.is === 'raw') return { payload: body.text, type: body.type }
  const payload = JSON.stringify(body.value)
  return payload === undefined ? {} : { payload, type: 'application/json' }
}

async function ask(asked: Asked): Promise<string> {
  const { payload, type } = bodyOf(asked.body)
  const headers: Record<string, string> = { ...(type !== undefined && { 'content-type': type }) }
  for (const { name, in: where } of asked.operation.parameters)
    if (where === 'header' && typeof asked.values[name] === 'string') headers[name.toLowerCase()] = asked.values[name]
  // Who logs out is somebody else each time, or everybody would be a stranger soon.
  const token =
    asked.operation.operationId === 'logout' && asked.who === 'client'
      ? (await makeUser(t.db)).token
      : asked.operation.operationId === 'logout'
        ? tokens['stranger']
        : tokens[asked.who]
  const url = addressOf(asked)
  const answer = await t.inject(asked.operation.method as 'GET', url, {
    headers,
    ...(payload !== undefined && { payload }),
    ...(token !== undefined && { token }),
  })
  const shown = `${asked.who} ${asked.operation.method} ${url.slice(0, 300)} ${payload?.slice(0, 400) ?? ''} → ${answer.status} ${answer.text.slice(0, 300)}`
  expect(answer.status, shown).toBeLessThan(500)
  if (answer.status >= 400) {
    expect(Object.keys(refusals), shown).toContain(answer.body['code'])
    expect(String(answer.body['message'] ?? ''), shown).not.toBe('')
    expect(answer.text, shown).not.toMatch(/\bat .*\.ts:|\bselect |\binsert into |constraint|node_modules/i)
    if (answer.status === 429) expect(answer.headers['retry-after'] ?? answer.body['timeLeft'], shown).toBeDefined()
  } else {
    const call: Call = calls[asked.operation.operationId as keyof typeof calls]
    expect(answer.status, shown).toBe(call.status ?? 200)
    if (typeof call.answer === 'string') expect(String(answer.headers['content-type']), shown).toContain(call.answer)
    else expect(call.answer.safeParse(answer.body).success, shown).toBe(true)
  }
  return `${asked.operation.operationId} ${answer.status < 400 ? 'done' : 'refused'}`
}

it(`${cases} requests from seed ${seed} are answered or refused in words`, { timeout: 120_000 }, async () => {
  const met = new Map<string, number>()
  await fc.assert(
    fc.asyncProperty(asking(), async (asked) => {
      const outcome = await ask(asked)
      met.set(outcome, (met.get(outcome) ?? 0) + 1)
    }),
    { numRuns: cases, seed, endOnFailure: true },
  )
  // A fuzz that never gets past the first check proves little.
  const done = [...met.keys()].filter((outcome) => outcome.endsWith(' done')).length
  expect(done, JSON.stringify(Object.fromEntries(met))).toBeGreaterThanOrEqual(14)
  for (const { operationId } of operations)
    expect((met.get(`${operationId} done`) ?? 0) + (met.get(`${operationId} refused`) ?? 0), operationId).toBeGreaterThan(0)
})

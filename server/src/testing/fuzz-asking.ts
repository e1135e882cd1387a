/** Requests of every kind made from the OpenAPI document: mostly what a call asks for, now and then anything at all. */
import fc from 'fast-check'
import type { FuzzWorld } from './fuzz-world.ts'

interface Schema {
  type?: string
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  allOf?: Schema[]
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
}
interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  schema: Schema
}
export interface Operation {
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
/** A request that a well-behaved HTTP client can send. */
export interface FuzzRequest {
  operationId: string
  who: string
  method: string
  path: string
  headers: Record<string, string>
  body?: string
}

/** All calls of the document. */
export const operationsOf = (document: unknown): Operation[] =>
  Object.entries((document as { paths: Record<string, Record<string, Operation>> }).paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({ ...operation, path, method: method.toUpperCase() })),
  )

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

const anything = (known: readonly string[]): fc.Arbitrary<unknown> =>
  fc.oneof(
    { weight: 4, arbitrary: fc.constantFrom(...nasty) },
    { weight: 3, arbitrary: fc.constantFrom(...known) },
    { weight: 1, arbitrary: fc.anything({ maxDepth: 2, withBigInt: false }) },
    { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 60 }) },
  )

/** Days, months, numbers and areas that some pattern asks for. */
const fitWords = [
  '2027-02-01',
  '2026-10-25',
  '2099-12-31',
  '1990-05-05',
  '2099-12',
  '2026-10',
  '45.76',
  '4.83',
  '0',
  '12',
  '4.5,45.5,5.1,46.1',
  '123456',
] as const

/** What is asked under a name, mostly: the ids of that kind. */
function named(name: string, schema: Schema, world: FuzzWorld): fc.Arbitrary<unknown> {
  const right = world.ids[name]
  const any = nearly(schema, world)
  if (!right || right.length === 0) return any
  const one = fc.constantFrom(...right)
  return fc.oneof({ weight: 6, arbitrary: one }, { weight: 1, arbitrary: any })
}

/** Mostly what the schema asks for. */
function fitting(schema: Schema, world: FuzzWorld): fc.Arbitrary<unknown> {
  const { known } = world
  if (schema.const !== undefined) return fc.constant(schema.const)
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => fitting(one, world)))
  if (schema.type === 'object')
    return fc.record(
      Object.fromEntries(Object.entries(schema.properties ?? {}).map(([name, property]) => [name, named(name, property, world)])),
      {
        requiredKeys: schema.required ?? [],
      },
    )
  if (schema.type === 'array')
    return fc.array(nearly(schema.items ?? {}, world), { minLength: schema.minItems ?? 0, maxLength: Math.min(schema.maxItems ?? 3, 9) })
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
  const patterns = [schema, ...(schema.allOf ?? [])].flatMap(({ pattern }) => (pattern === undefined ? [] : [new RegExp(pattern)]))
  if (patterns.length > 0) {
    const isFit = (text: string): boolean => patterns.every((pattern) => pattern.test(text))
    const first = Date.parse(known.find((text) => /T.*Z$/.test(text)) ?? '')
    const instant = fc.integer({ min: -600, max: 2000 }).map((step) => new Date(first + step * 300_000).toISOString())
    const fit = [...known, ...fitWords].filter(isFit)
    const words = fit.length > 0 ? fc.constantFrom(...fit) : fc.constantFrom(...known)
    return isFit(new Date(first).toISOString()) ? fc.oneof(words, instant) : words
  }
  return fc.oneof(
    fc.constantFrom(...known),
    fc.string({ minLength: Math.min(schema.minLength ?? 0, 50), maxLength: Math.min(schema.maxLength ?? 40, 60) }),
  )
}
const nearly = (schema: Schema, world: FuzzWorld): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 25, arbitrary: fitting(schema, world) }, { weight: 1, arbitrary: anything(world.known) })

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

function bodies(operation: Operation, world: FuzzWorld): fc.Arbitrary<Asked['body']> {
  const schema = operation.requestBody?.content['application/json']?.schema
  const raw = rawBodies.map((given) => ({ is: 'raw' as const, ...given }))
  const none = fc.constant({ is: 'none' as const })
  if (operation.method === 'GET') return none
  if (!schema) return fc.oneof({ weight: 3, arbitrary: none }, { weight: 1, arbitrary: raw })
  return fc.oneof(
    { weight: 14, arbitrary: nearly(schema, world).map((value) => ({ is: 'json' as const, value })) },
    { weight: 1, arbitrary: raw },
    { weight: 1, arbitrary: none },
  )
}

const headerValues = fc.oneof(
  { weight: 8, arbitrary: fc.uuid() },
  { weight: 1, arbitrary: fc.constantFrom('fr;q=0.1, ar', '', 'x'.repeat(500), 'key-1', 'key-2', 'ar') },
)

/** The kind of thing a parameter names: `id` is of what its path is about. */
const nameOf = (parameter: Parameter, { path }: Operation): string =>
  parameter.name !== 'id' ? parameter.name : path.includes('/holds/') ? 'holdId' : path.includes('/institutes/') ? 'instituteId' : 'visitId'

const asking = (operations: readonly Operation[], world: FuzzWorld): fc.Arbitrary<Asked> =>
  fc.constantFrom(...operations).chain((operation) =>
    fc.record({
      operation: fc.constant(operation),
      who: fc.constantFrom(...Object.keys(world.tokens), 'client', 'client', 'other', 'pro'),
      values: fc.record(
        Object.fromEntries(
          operation.parameters.map((parameter) => [
            parameter.name,
            parameter.in === 'header' ? headerValues : named(nameOf(parameter, operation), parameter.schema, world),
          ]),
        ),
        { requiredKeys: operation.parameters.filter(({ required }) => required).map(({ name }) => name) },
      ),
      body: bodies(operation, world),
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

/** Requests as they go over the wire, with their seed's own order. */
export const requests = (operations: readonly Operation[], world: FuzzWorld): fc.Arbitrary<FuzzRequest> =>
  asking(operations, world).map((asked) => {
    const { payload, type } = bodyOf(asked.body)
    const headers: Record<string, string> = { ...(type !== undefined && { 'content-type': type }) }
    for (const { name, in: where } of asked.operation.parameters)
      if (where === 'header' && typeof asked.values[name] === 'string') headers[name.toLowerCase()] = asked.values[name]
    const { operationId, method } = asked.operation
    return { operationId, who: asked.who, method, path: addressOf(asked), headers, ...(payload !== undefined && { body: payload }) }
  })

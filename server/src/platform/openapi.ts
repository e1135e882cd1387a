/** The OpenAPI 3.1 document of all calls, made from the contract. */
import { instituteHeader } from '@soigne/contract/access'
import type { Call } from '@soigne/contract/define'
import { refusals } from '@soigne/contract/refusals'
import * as z from 'zod/mini'
import type { Served } from './calls.ts'

type Json = Record<string, unknown>

const schemaOf = (schema: z.ZodMiniType, io: 'input' | 'output'): Json => {
  const { $schema: _, ...rest } = z.toJSONSchema(schema, { io, unrepresentable: 'any' }) as Json
  return rest
}

const isOf = ({ access }: Call, whom: 'self' | 'institute' | 'site'): boolean => access !== 'public' && access.of === whom
const needsVerified = ({ access }: Call): boolean => access !== 'public' && (access.of !== 'self' || access.verified === true)

/** What a token must be good for, as the names that OpenAPI lets a bearer token be asked for. */
function securityOf(call: Call): Json[] {
  const { access } = call
  if (access === 'public') return []
  const verified = needsVerified(call) ? ['verified'] : []
  return [{ bearer: access.of === 'self' ? verified : [...verified, `${access.of}:${access.may}`] }]
}

function parameters(call: Call): Json[] {
  const list: Json[] = []
  for (const [schema, where] of [
    [call.params, 'path'],
    [call.query, 'query'],
  ] as const) {
    if (!schema) continue
    const { properties = {}, required = [] } = schemaOf(schema, 'input') as { properties?: Record<string, Json>; required?: string[] }
    for (const [name, property] of Object.entries(properties))
      list.push({ name, in: where, required: where === 'path' || required.includes(name), schema: property })
  }
  if (call.idempotent) list.push({ name: 'Idempotency-Key', in: 'header', required: false, schema: { type: 'string', maxLength: 200 } })
  if (isOf(call, 'institute'))
    list.push({ name: instituteHeader, in: 'header', required: false, schema: { type: 'string', format: 'uuid' } })
  list.push({ name: 'Accept-Language', in: 'header', required: false, schema: { enum: ['en', 'fr', 'ar'] } })
  return list
}

function uploadOf(call: Call, files: NonNullable<Call['files']>): Json {
  const text = call.body ? (schemaOf(call.body, 'input') as { properties?: Json; required?: string[] }) : {}
  const one = { type: 'string', format: 'binary' }
  const required = Object.keys(files).filter((name) => files[name]?.least !== 0)
  const form = {
    type: 'object',
    required: [...required, ...(text.required ?? [])],
    properties: {
      ...text.properties,
      ...Object.fromEntries(
        Object.entries(files).map(([name, { most, bytes }]) => {
          const description = `at most ${bytes / 1_000_000} MB${most === 1 ? '' : ' each'}`
          return [name, most === 1 ? { ...one, description } : { type: 'array', maxItems: most, items: one, description }]
        }),
      ),
    },
  }
  const json = required.length === 0 && call.body ? { 'application/json': { schema: text } } : {}
  return { required: true, content: { 'multipart/form-data': { schema: form }, ...json } }
}

function bodyOf(call: Call): Json | undefined {
  if (call.files) return uploadOf(call, call.files)
  if (call.rawBody) return { required: true, content: { '*/*': { schema: { type: 'string', format: 'binary' } } } }
  if (!call.body) return undefined
  return { required: !call.body.safeParse(undefined).success, content: { 'application/json': { schema: schemaOf(call.body, 'input') } } }
}

function responses(call: Call): Json {
  const answer =
    typeof call.answer === 'string'
      ? { [call.answer]: { schema: { type: 'string', format: 'binary' } } }
      : { 'application/json': { schema: schemaOf(call.answer, 'output') } }
  const result: Json = { [String(call.status ?? 200)]: { description: 'Done', content: answer } }
  const codes = new Map<number, string[]>()
  const general = [
    'bad_input',
    'too_many_requests',
    ...(call.access === 'public' ? [] : ['unauthorized']),
    ...(needsVerified(call) ? ['email_unverified'] : []),
    ...(isOf(call, 'institute') || isOf(call, 'site') ? ['forbidden'] : []),
    ...(call.params || isOf(call, 'institute') ? ['not_found'] : []),
  ] as (keyof typeof refusals)[]
  for (const code of [...general, ...(call.refusals ?? [])]) codes.set(refusals[code], [...(codes.get(refusals[code]) ?? []), code])
  for (const [status, names] of codes)
    result[String(status)] = {
      description: names.join(', '),
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Refusal' } } },
    }
  return result
}

/** The whole document; `publicUrl` is the server it names. */
export function openapiDocument(served: Served[], publicUrl: string, about: { title: string; description: string }): Json {
  const paths: Record<string, Json> = {}
  for (const { name, call } of served) {
    const path = call.path.replace(/:(\w+)/g, '{$1}')
    const body = bodyOf(call)
    paths[path] = {
      ...paths[path],
      [call.method.toLowerCase()]: {
        operationId: name,
        tags: [call.tag],
        summary: call.summary,
        parameters: parameters(call),
        ...(body && { requestBody: body }),
        responses: responses(call),
        security: securityOf(call),
      },
    }
  }
  return {
    openapi: '3.1.0',
    info: { ...about, version: '1' },
    servers: [{ url: publicUrl }],
    paths,
    components: {
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      schemas: {
        Refusal: {
          type: 'object',
          required: ['code', 'message'],
          properties: {
            code: { enum: Object.keys(refusals) },
            message: { type: 'string' },
            details: { type: 'object' },
            timeLeft: { type: 'integer', description: 'ms, only resend_cooldown' },
          },
        },
      },
    },
  }
}

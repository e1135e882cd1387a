/** Serves the calls of the contract: validates, authenticates, runs the handler, shapes the answer. */
import { instituteHeader } from '@soigne/contract/access'
import type { Answer, Call, Parsed, Reply } from '@soigne/contract/define'
import { problemsOf } from '@soigne/contract/problems'
import { id, type Locale } from '@soigne/contract/wire'
import '@fastify/multipart'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import type * as z from 'zod/mini'
import { type Authorise, checkRules, fits, type Identity, type InstituteScope, publicScope, type Scope, type ScopeOf } from './access.ts'
import './admission.ts'
import type { Budgets } from './budgets.ts'
import { type OpenDatabase, withinInstitute } from './database.ts'
import { localeOf } from './language.ts'
import { refuse } from './refuse.ts'
import { readUpload, type Upload, type UploadBudget, uploadBudget } from './uploads.ts'

declare module 'fastify' {
  interface FastifyContextConfig {
    /** The name of the call that a route serves. */
    call?: string
  }
  interface FastifyRequest {
    /** Who sends it, once that is known. */
    userId?: string | null
  }
}

/** What a handler may know of the request. */
export interface Caller<Allowed extends Scope = Scope> {
  /** Whose rows the call reaches, and who acts. */
  scope: Allowed
  locale: Locale
  /** The network address, as far as trusted proxies tell it. */
  address: string
  userAgent: string | null
  idempotencyKey: string | null
  /** The header of cookies as it came. */
  cookies: string
  /** Sets a cookie with the answer, as the header says it. */
  setCookie(header: string): void
  /** The headers as they came, for bytes that are signed. */
  headers: Readonly<Record<string, string | string[] | undefined>>
  /** The body as it came over the wire, where the call asks for it; empty elsewhere. */
  rawBody: Buffer
}

/** One handler for each call of a group. */
export type Handlers<Group extends Record<string, Call>> = {
  [Name in keyof Group]: (input: Parsed<Group[Name]>, caller: Caller<ScopeOf<Group[Name]['access']>>) => Promise<Reply<Group[Name]>>
}

/** `mayRemember`: whether the session may be one that is only remembered, with what proves it. */
export type Authenticate = (
  authorization: string | undefined,
  client: { userAgent: string | null; mayRemember?: boolean },
) => Promise<Identity>

/** Finds out who sends a request, and what the rule of a call opens to them. */
export interface Door {
  /** Does the work of a request, and gives up where nobody answers it. */
  guard?: <T>(work: () => Promise<T>) => Promise<T>
  authenticate: Authenticate
  authorise: Authorise
  /** What people and institutes may spend; without it they may spend all they like. */
  spending?: { budgets: Budgets; costOf(one: Served): string; weightOf(one: Served): ((query: unknown) => number) | undefined }
}

/** What came with a request, before it is validated. */
interface RunInput {
  params: unknown
  query: unknown
  body: unknown
  files?: Upload['files'] | undefined
}

/** A call with its handler, ready to be served over HTTP or called in the process. */
export interface Served {
  name: string
  call: Call
  /** Takes a session that is only remembered: proves it with its own statement, or before it writes anything else. */
  proves?: boolean
  run(input: RunInput, caller: Caller): Promise<unknown>
}

function parse(schema: z.ZodMiniType | undefined, value: unknown): unknown {
  if (!schema) return undefined
  const result = schema.safeParse(value)
  if (result.success) return result.data
  throw refuse('bad_input', { fields: problemsOf(result.error.issues, value) })
}

function answerOf(name: string, call: Call, reply: unknown): unknown {
  if (typeof call.answer === 'string') return reply
  const result = call.answer.safeParse(reply)
  if (!result.success)
    throw new Error(
      `the answer of ${name} breaks the contract: ${result.error.issues.map((issue) => `${issue.path.join('.')}: ${issue.message}`).join('; ')}`,
    )
  return result.data
}

/** Joins a group of calls with its handlers. `proving`: those that prove the session they are given. */
export function serve<Group extends Record<string, Call>>(
  group: Group,
  handlers: Handlers<Group>,
  { proving = [] }: { proving?: readonly (keyof Group)[] } = {},
): Served[] {
  return Object.entries(group).map(([name, call]) => ({
    name,
    call,
    proves: proving.includes(name),
    async run(input, caller) {
      if (!fits(call.access, caller.scope)) throw refuse('unauthorized')
      const parsed = {
        params: parse(call.params, input.params),
        query: parse(call.query, input.query),
        body: parse(call.body, input.body),
        files: input.files,
      }
      const handler = handlers[name as keyof Group] as (input: unknown, caller: Caller) => Promise<unknown>
      return answerOf(name, call, await handler(parsed, caller))
    },
  }))
}

/** Institutes whose people were served lately; making their handlers anew costs little. */
const mostRemembered = 500

/** The calls of a feature; who acts for an institute is served by a context that reaches its rows alone. */
export function serveWalled<C extends { database: OpenDatabase }>(context: C, serveIn: (context: C) => Served[]): Served[] {
  const open = serveIn(context)
  const isOfInstitute = ({ call }: Served): boolean => call.access !== 'public' && call.access.of === 'institute'
  if (!open.some(isOfInstitute)) return open
  const remembered = new LRUCache<string, Map<string, Served>>({ max: mostRemembered })
  const walled = (scope: InstituteScope<never>): Map<string, Served> => {
    const found = remembered.get(scope.instituteId)
    if (found) return found
    const made = new Map(serveIn(withinInstitute(context, scope)).map((one) => [one.name, one]))
    remembered.set(scope.instituteId, made)
    return made
  }
  return open.map((one) => ({
    ...one,
    run: (input, caller) => (caller.scope.kind === 'institute' ? (walled(caller.scope).get(one.name) ?? one) : one).run(input, caller),
  }))
}

/** Runs a public call inside the process, as a guest: what server-rendered pages read, for whoever asked for the page. */
export async function callAsGuest<C extends Call>(
  served: Served,
  input: { params?: unknown; query?: unknown; body?: unknown },
  locale: Locale,
  address = 'in-process',
): Promise<Answer<C>> {
  const text = (value: unknown): unknown => JSON.parse(JSON.stringify(value ?? {}))
  return (await served.run(
    { params: text(input.params), query: text(input.query), body: input.body },
    {
      scope: publicScope,
      locale,
      address,
      userAgent: null,
      idempotencyKey: null,
      cookies: '',
      setCookie: () => {},
      headers: {},
      rawBody: Buffer.alloc(0),
    },
  )) as Answer<C>
}

/** What uploads may hold of the process's memory, together. */
const heldByUploads = 200_000_000

/** The body of a call and its files; a form is one only where files are asked for. */
async function contentOf(request: FastifyRequest, call: Call, take: (bytes: number) => void): Promise<Pick<RunInput, 'body' | 'files'>> {
  if (call.rawBody) return { body: undefined }
  if (call.files) {
    const { fields, files } = await readUpload(request, call.files, take)
    return { body: fields, files }
  }
  if (request.isMultipart()) throw refuse('wrong_type')
  return { body: request.body }
}

function keyOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  if (typeof header !== 'string' || !/^[\x21-\x7e]{1,200}$/.test(header))
    throw refuse('bad_input', { fields: { 'Idempotency-Key': 'invalid' } })
  return header
}

/** The institute a header names. */
function instituteOf(header: string | string[] | undefined): string | null {
  if (header === undefined) return null
  const named = id.safeParse(header)
  if (!named.success) throw refuse('bad_input', { fields: { [instituteHeader]: 'invalid' } })
  return named.data
}

/** What a signature covers may be larger than what people type. */
const rawBodyLimit = 1_000_000

/** The routes of calls whose bytes are signed, in a scope of their own: nothing parses their bodies. */
async function mountRawCalls(scope: FastifyInstance, served: Served[], door: Door, budget: UploadBudget): Promise<void> {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser('*', { parseAs: 'buffer', bodyLimit: rawBodyLimit }, (_request, body, done) => done(null, body))
  for (const one of served) mountCall(scope, one, door, budget)
}

/** Puts the calls on the HTTP server. @throws when who may make one is not stated */
export function mountCalls(app: FastifyInstance, served: Served[], door: Door): void {
  checkRules(served)
  const budget = uploadBudget(heldByUploads)
  const raw = served.filter(({ call }) => call.rawBody)
  if (raw.length > 0) void app.register((scope) => mountRawCalls(scope, raw, door, budget))
  for (const one of served) if (!one.call.rawBody) mountCall(app, one, door, budget)
}

function mountCall(
  app: FastifyInstance,
  one: Served,
  { authenticate, authorise, spending, guard = (work) => work() }: Door,
  budget: UploadBudget,
): void {
  const { call, run } = one
  const cost = spending?.costOf(one) ?? 'free'
  const weightOf = spending?.weightOf(one)
  /** What the network may spend was asked before anything was read; now it is known who asks. */
  const spend = (identity: Identity | null, scope: Scope): void => {
    if (identity) spending?.budgets.take('person', cost, identity.userId)
    if (scope.kind === 'institute') spending?.budgets.take('institute', cost, scope.instituteId)
  }
  app.route({
    method: call.method,
    url: call.path,
    config: { cost, call: one.name, ...(weightOf && { weight: ({ query }) => weightOf(query) }) },
    async handler(request, reply) {
      const answer = await guard(() => work(request, reply))
      // Only what anybody may read may be kept by a cache.
      if (call.access !== 'public' || call.method !== 'GET' || call.secretAddress) reply.header('cache-control', 'no-store')
      reply.code(call.status ?? 200)
      if (typeof call.answer === 'string')
        return reply.type(call.answer.startsWith('text/') ? `${call.answer}; charset=utf-8` : call.answer).send(answer)
      return reply.send(answer)
    },
  })
  async function work(request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const userAgent = request.headers['user-agent']?.slice(0, 300) ?? null
    const client = { userAgent, mayRemember: one.proves === true }
    const identity = call.access === 'public' ? null : await authenticate(request.headers.authorization, client)
    const isOfInstitute = call.access !== 'public' && call.access.of === 'institute'
    const instituteId = isOfInstitute ? instituteOf(request.headers[instituteHeader.toLowerCase()]) : null
    request.userId = identity?.userId ?? null
    const scope = await authorise(call.access, identity, instituteId)
    spend(identity, scope)
    const caller: Caller = {
      scope,
      locale: localeOf(request.headers['accept-language']),
      address: request.ip,
      userAgent,
      idempotencyKey: call.idempotent ? keyOf(request.headers['idempotency-key']) : null,
      cookies: request.headers.cookie ?? '',
      setCookie: (header) => void reply.header('set-cookie', header),
      headers: request.headers,
      rawBody: call.rawBody && Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0),
    }
    const share = budget.open()
    try {
      return await run({ params: request.params, query: request.query, ...(await contentOf(request, call, share.take)) }, caller)
    } finally {
      share.giveBack()
      // Neither an answer nor a refusal is for a session that is open no more.
      await identity?.proof?.ask()
    }
  }
}

/** Calls whose bytes are signed: what arrives is what was sent, byte by byte. */
import { createHmac, timingSafeEqual } from 'node:crypto'
import { defineCalls } from '@soigne/contract/define'
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { publicScope } from './access.ts'
import { type Handlers, mountCalls, serve } from './calls.ts'
import { failureHandler } from './failures.ts'
import { openapiDocument } from './openapi.ts'
import { refuse } from './refuse.ts'

const secret = 'a secret both sides know'
const signatureOf = (bytes: Uint8Array): string => createHmac('sha256', secret).update(bytes).digest('hex')

const webhookCalls = defineCalls({
  receive: {
    method: 'POST',
    path: '/api/v1/webhooks/test',
    access: 'public',
    tag: 'webhooks',
    summary: 'Signed bytes',
    query: z.object({ signature: z.string() }),
    rawBody: true,
    answer: z.object({ bytes: z.number(), id: z.string() }),
  },
  plain: {
    method: 'POST',
    path: '/api/v1/plain',
    access: 'public',
    tag: 'webhooks',
    summary: 'Parsed as ever',
    body: z.object({ id: z.string() }),
    answer: z.object({ bytes: z.number(), id: z.string() }),
  },
})
const handlers: Handlers<typeof webhookCalls> = {
  async receive({ query }, { rawBody }) {
    const [given, right] = [Buffer.from(query.signature), Buffer.from(signatureOf(rawBody))]
    if (given.length !== right.length || !timingSafeEqual(given, right)) throw refuse('bad_input')
    return { bytes: rawBody.length, id: rawBody.length === 0 ? '' : (JSON.parse(rawBody.toString()) as { id: string }).id }
  },
  plain: async ({ body }, { rawBody }) => ({ bytes: rawBody.length, id: body.id }),
}

const app = Fastify()
app.setErrorHandler(failureHandler({ refusal: (_locale, code) => code, field: (_locale, problem) => problem }))
const served = serve(webhookCalls, handlers)
beforeAll(async () => {
  await app.register(multipart)
  const authenticate = async (): Promise<never> => {
    throw refuse('unauthorized')
  }
  mountCalls(app, served, { authenticate, authorise: async () => publicScope })
  await app.ready()
})
afterAll(() => app.close())

const send = (payload: Buffer, signature: string, headers: Record<string, string> = { 'content-type': 'application/json' }) =>
  app.inject({ method: 'POST', url: `/api/v1/webhooks/test?signature=${signature}`, payload, headers })

describe('a call with a raw body', () => {
  // Spaces, an escaped letter, a number with a zero behind, a key twice: written anew by JSON these are other bytes.
  const odd = Buffer.from('{ "id" :"evt_\\u0031", "amount": 10.50, "amount": 10.50 }\r\n')

  it('hands the bytes of the wire to the signature check', async () => {
    expect(Buffer.from(JSON.stringify(JSON.parse(odd.toString())))).not.toEqual(odd)
    const answer = await send(odd, signatureOf(odd))
    expect([answer.statusCode, answer.json()]).toEqual([200, { bytes: odd.length, id: 'evt_1' }])
  })

  it('sees that one byte was changed on the way', async () => {
    const changed = Buffer.from(odd)
    changed[changed.length - 1] = 0x20
    expect((await send(changed, signatureOf(odd))).statusCode).toBe(400)
  })

  it.each([
    ['another content type', { 'content-type': 'text/plain; charset=latin1' }],
    ['a form', { 'content-type': 'application/x-www-form-urlencoded' }],
    ['no content type', {}],
  ])('takes %s', async (_name, headers) => {
    const bytes = Buffer.from('{"id":"caf\u00e9"}', 'utf8')
    expect((await send(bytes, signatureOf(bytes), headers)).json()).toEqual({ bytes: bytes.length, id: 'café' })
  })

  it('has no bytes where none came', async () => {
    expect((await send(Buffer.alloc(0), signatureOf(Buffer.alloc(0)), {})).json()).toEqual({ bytes: 0, id: '' })
  })

  it('refuses more than a megabyte', async () => {
    const large = Buffer.alloc(1_000_001, 0x20)
    expect((await send(large, signatureOf(large))).statusCode).toBe(413)
  })

  it('leaves the other calls as they were', async () => {
    const answer = await app.inject({ method: 'POST', url: '/api/v1/plain', payload: { id: 'x' } })
    expect(answer.json()).toEqual({ bytes: 0, id: 'x' })
  })

  it('is described as bytes of any type', () => {
    const { paths } = openapiDocument(served, 'http://soigne.test', { title: 'Test', description: '' }) as {
      paths: Record<string, { post: { requestBody: unknown } }>
    }
    expect(paths['/api/v1/webhooks/test']?.post.requestBody).toEqual({
      required: true,
      content: { '*/*': { schema: { type: 'string', format: 'binary' } } },
    })
  })
})

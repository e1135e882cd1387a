/** Calls with files: several, of several fields, beside text, on a real socket. */
import { connect, type Socket } from 'node:net'
import type { AddressInfo } from 'node:net'
import { defineCalls } from '@soigne/contract/define'
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import * as z from 'zod/mini'
import { publicScope } from './access.ts'
import { mountCalls, serve } from './calls.ts'
import { failureHandler } from './failures.ts'
import { openapiDocument } from './openapi.ts'
import { uploadBudget } from './uploads.ts'

const answer = z.object({
  text: z.string(),
  files: z.array(z.object({ field: z.string(), name: z.nullable(z.string()), bytes: z.number() })),
})
const calls = defineCalls({
  review: {
    method: 'POST',
    path: '/api/v1/review',
    access: 'public',
    tag: 'files',
    summary: 'Text with pictures or without',
    body: z.object({ text: z.string().check(z.minLength(1)), stars: z.optional(z.coerce.number()) }),
    files: { pictures: { least: 0, most: 3, bytes: 1_000_000 } },
    answer,
  },
  dossier: {
    method: 'POST',
    path: '/api/v1/dossier',
    access: 'public',
    tag: 'files',
    summary: 'A cover and some documents',
    files: { cover: { most: 1, bytes: 2_000_000 }, documents: { most: 2, bytes: 5_000_000 } },
    answer,
  },
})

const app = Fastify({ requestTimeout: 20_000 })
app.setErrorHandler(failureHandler({ refusal: (_locale, code) => code, field: (_locale, problem) => problem }))
const facts = (files: Record<string, readonly { field: string; name: string | null; bytes: Uint8Array }[]>) =>
  Object.values(files)
    .flat()
    .map(({ field, name, bytes }) => ({ field, name, bytes: bytes.length }))
const served = serve(calls, {
  review: async ({ body, files }) => ({ text: `${body.text} ${body.stars ?? '-'}`, files: facts(files) }),
  dossier: async ({ files }) => ({ text: '', files: facts(files) }),
})
let url = ''
beforeAll(async () => {
  await app.register(multipart)
  const authenticate = async (): Promise<never> => {
    throw new Error('nobody signs in here')
  }
  mountCalls(app, served, { authenticate, authorise: async () => publicScope })
  await app.listen({ port: 0, host: '127.0.0.1' })
  url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`
})
afterAll(() => app.close())

const fileOf = (bytes: number, name = 'a.png'): File => new File([Buffer.alloc(bytes, 7)], name, { type: 'image/png' })

async function post(path: string, parts: [string, string | File][]): Promise<{ status: number; body: unknown }> {
  const form = new FormData()
  for (const [name, value] of parts) form.append(name, value)
  const response = await fetch(url + path, { method: 'POST', body: form })
  return { status: response.status, body: await response.json() }
}
const refused = (status: number, code: string, fields: Record<string, string>): object => ({
  status,
  body: { code, message: code, details: { fields } },
})

describe('files of a call', () => {
  it('come with the text beside them, in their order and named by their place', async () => {
    expect(
      await post('/api/v1/review', [
        ['pictures', fileOf(10, 'one.png')],
        ['text', 'Lovely'],
        ['pictures', fileOf(20, 'two é.png')],
        ['stars', '5'],
      ]),
    ).toEqual({
      status: 200,
      body: {
        text: 'Lovely 5',
        files: [
          { field: 'pictures.0', name: 'one.png', bytes: 10 },
          { field: 'pictures.1', name: 'two é.png', bytes: 20 },
        ],
      },
    })
  })

  it('that may be left out are left out, also by JSON', async () => {
    expect(await post('/api/v1/review', [['text', 'Fine']])).toEqual({ status: 200, body: { text: 'Fine -', files: [] } })
    const response = await fetch(`${url}/api/v1/review`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'As JSON', stars: 4 }),
    })
    expect(await response.json()).toEqual({ text: 'As JSON 4', files: [] })
  })

  it('that are needed are missed by name', async () => {
    expect(await post('/api/v1/dossier', [['cover', fileOf(5)]])).toEqual(refused(400, 'bad_input', { documents: 'required' }))
    expect(await post('/api/v1/dossier', [['documents', fileOf(5)]])).toEqual(refused(400, 'bad_input', { cover: 'required' }))
    expect(
      await post('/api/v1/dossier', [
        ['cover', 'text'],
        ['documents', fileOf(5)],
      ]),
    ).toEqual(refused(400, 'bad_input', { cover: 'required' }))
    const json = await fetch(`${url}/api/v1/dossier`, { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{}' })
    expect(json.status).toBe(415)
  })

  it('that are too large are named, each by the limit of its field', async () => {
    const cover: [string, File] = ['cover', fileOf(2_000_000)]
    expect(await post('/api/v1/dossier', [cover, ['documents', fileOf(5_000_000)], ['documents', fileOf(5_000_001)]])).toEqual(
      refused(413, 'too_large', { 'documents.1': 'file_too_large:5' }),
    )
    expect(
      await post('/api/v1/dossier', [
        ['cover', fileOf(2_000_001)],
        ['documents', fileOf(5)],
      ]),
    ).toEqual(refused(413, 'too_large', { cover: 'file_too_large:2' }))
    expect((await post('/api/v1/dossier', [cover, ['documents', fileOf(5_000_000)]])).status).toBe(200)
  })

  it('that are too many, or empty, are named', async () => {
    const pictures = (count: number): [string, File][] => Array.from({ length: count }, () => ['pictures', fileOf(9)])
    expect(await post('/api/v1/review', [['text', 'x'], ...pictures(4)])).toEqual(
      refused(400, 'bad_input', { pictures: 'too_many_files:3' }),
    )
    expect(await post('/api/v1/review', [['text', 'x'], ...pictures(30)])).toEqual(
      refused(400, 'bad_input', { pictures: 'too_many_files:3' }),
    )
    expect(await post('/api/v1/review', [['text', 'x'], ...pictures(1), ['pictures', fileOf(0)]])).toEqual(
      refused(400, 'bad_input', { 'pictures.1': 'required' }),
    )
  })

  it('beside wrong text are refused with the text', async () => {
    expect(
      await post('/api/v1/review', [
        ['text', ''],
        ['pictures', fileOf(9)],
      ]),
    ).toEqual(refused(400, 'bad_input', { text: 'required' }))
    expect(await post('/api/v1/review', [['text', 'x'.repeat(30_000)]])).toEqual(refused(400, 'bad_input', { text: 'too_long:20000' }))
  })

  it('of fields nobody asked for are let go by, up to a limit', async () => {
    const strange = (count: number): [string, string | File][] => Array.from({ length: count }, (_, index) => [`odd${index}`, fileOf(9)])
    expect((await post('/api/v1/review', [['text', 'x'], ...strange(2)])).body).toEqual({ text: 'x -', files: [] })
    expect((await post('/api/v1/review', [['text', 'x'], ...strange(40)])).status).toBe(413)
    expect(
      (
        await post('/api/v1/review', [
          ['text', 'x'],
          ['__proto__', 'y'],
          ['constructor', fileOf(3)],
        ])
      ).status,
    ).toBe(400)
    const fields = Array.from({ length: 60 }, (_, index): [string, string] => [`f${index}`, 'x'])
    expect((await post('/api/v1/review', [['text', 'x'], ...fields])).status).toBe(413)
  })

  it('are described', () => {
    const { paths } = openapiDocument(served, 'http://soigne.test', { title: 'Test', description: '' }) as {
      paths: Record<string, { post: { requestBody: unknown } }>
    }
    expect(paths['/api/v1/review']?.post.requestBody).toMatchObject({
      content: {
        'multipart/form-data': {
          schema: {
            required: ['text'],
            properties: { text: {}, stars: {}, pictures: { type: 'array', maxItems: 3, description: 'at most 1 MB each' } },
          },
        },
        'application/json': { schema: { required: ['text'] } },
      },
    })
    expect(paths['/api/v1/dossier']?.post.requestBody).toMatchObject({
      content: { 'multipart/form-data': { schema: { required: ['cover', 'documents'], properties: { cover: { format: 'binary' } } } } },
    })
    expect(paths['/api/v1/dossier']?.post.requestBody).not.toHaveProperty(['content', 'application/json'])
  })
})

/** All that comes back on a connection until it says what is waited for, or ends. */
const readUntil = (socket: Socket, words: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let text = ''
    const done = (): void => resolve(text)
    socket.on('data', (bytes) => {
      text += bytes.toString()
      if (text.includes(words)) done()
    })
    socket.on('end', done).on('close', done).on('error', reject)
  })

describe('a connection', () => {
  const head = (length: number): string =>
    `POST /api/v1/dossier HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: ${length}\r\n\r\n--b\r\nContent-Disposition: form-data; name="cover"; filename="c"\r\n\r\n`

  it('gets its refusal while it is still sending a file that is too large, and serves the next request', async () => {
    const { port } = app.server.address() as AddressInfo
    const socket = connect(port, '127.0.0.1')
    const body = 30_000_000
    const begin = head(body)
    const sent = begin.length - begin.indexOf('--b')
    const refusal = readUntil(socket, 'file_too_large:2')
    socket.write(begin)
    socket.write(Buffer.alloc(3_000_000))
    expect(await refusal).toMatch(/^HTTP\/1\.1 413 /)
    const next = readUntil(socket, '"files":[]')
    socket.write(Buffer.alloc(body - sent - 3_000_000))
    const json = '{"text":"next"}'
    socket.write(
      `POST /api/v1/review HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: ${json.length}\r\n\r\n${json}`,
    )
    expect(await next).toMatch(/"text":"next -","files":\[\]/)
    socket.destroy()
  })

  it('that breaks off in the middle of a file costs nothing', async () => {
    const { port } = app.server.address() as AddressInfo
    const ended = new Promise<void>((resolve) => app.server.once('connection', (server: Socket) => server.once('close', () => resolve())))
    const socket = connect(port, '127.0.0.1')
    socket.write(head(1_000_000))
    socket.write(Buffer.alloc(100_000), () => socket.destroy())
    await ended
    expect((await post('/api/v1/review', [['text', 'still here']])).status).toBe(200)
  })
})

describe('what uploads hold together', () => {
  it('has an end: the one that comes then is asked to come back, and places are given back', () => {
    const budget = uploadBudget(100)
    const [one, two] = [budget.open(), budget.open()]
    one.take(60)
    two.take(40)
    expect(() => two.take(1)).toThrow(expect.objectContaining({ code: 'unavailable', retryAfter: 2 }))
    one.giveBack()
    one.giveBack()
    two.take(60)
    expect(() => two.take(1)).toThrow()
    two.giveBack()
    budget.open().take(100)
  })
})

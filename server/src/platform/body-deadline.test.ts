import { connect, type AddressInfo, type Socket } from 'node:net'
import multipart from '@fastify/multipart'
import Fastify from 'fastify'
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest'
import { limitBodies, requestTimeoutMs } from './body-deadline.ts'
import { brokenRequestHandler } from './failures.ts'

async function listening(textMs: number) {
  const app = Fastify({
    requestTimeout: requestTimeoutMs,
    clientErrorHandler: brokenRequestHandler({ refusal: (_locale, code) => code, field: (_locale, problem) => problem }),
  })
  limitBodies(app, textMs)
  await app.register(multipart)
  app.post('/words', async () => 'heard')
  app.post('/file', async (request) => String((await (await request.file())?.toBuffer())?.length))
  app.get('/', async () => 'hello')
  await app.listen({ port: 0, host: '127.0.0.1' })
  return app
}
let app: Awaited<ReturnType<typeof listening>>
beforeAll(async () => void (app = await listening(1000)))
afterAll(() => app.close())

function open(first: string): { socket: Socket; answer: Promise<string> } {
  const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1')
  let text = ''
  const answer = new Promise<string>((resolve, reject) => {
    socket.on('data', (bytes) => (text += bytes.toString()))
    socket.on('close', () => resolve(text)).on('error', reject)
  })
  socket.write(first)
  return { socket, answer }
}
const post = (path: string, type: string, length: number): string =>
  `POST ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: ${type}\r\nContent-Length: ${length}\r\n\r\n`

it('words that do not come are not waited for; a file that comes slowly is', async () => {
  const before = '--b\r\nContent-Disposition: form-data; name="image"; filename="a"\r\n\r\n'
  const after = '\r\n--b--\r\n'
  const file = open(post('/file', 'multipart/form-data; boundary=b', before.length + 6 + after.length) + before + 'abc')
  const chunked = open('POST /words HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n')
  const words = open(`${post('/words', 'application/json', 20)}{"a":`)
  expect(await words.answer).toMatch(/^HTTP\/1\.1 400 [^]*"code":"bad_input"/)
  expect(await chunked.answer).toMatch(/^HTTP\/1\.1 400 /)
  file.socket.write(`def${after}`)
  expect(await file.answer).toMatch(/^HTTP\/1\.1 200 [^]*6$/)
})

it('what is there in time is answered, and the connection lives on', async () => {
  // Not even a machine that stands still takes so long.
  const patient = await listening(100_000)
  onTestFinished(() => patient.close())
  const { port } = patient.server.address() as AddressInfo
  const said = await fetch(`http://127.0.0.1:${port}/words`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: '{}',
  })
  expect(await said.text()).toBe('heard')
  expect(await (await fetch(`http://127.0.0.1:${port}/`)).text()).toBe('hello')
})

it('who is refused and goes on sending, or does not read, has no connection any more', async () => {
  const { port } = app.server.address() as AddressInfo
  const before = await new Promise<number>((done) => app.server.getConnections((_error, count) => done(count)))
  let came = 0
  app.server.on('connection', () => came++)
  const slow = Array.from({ length: 5 }, () => connect({ port, host: '127.0.0.1', allowHalfOpen: true }))
  for (const socket of slow) {
    socket.on('error', () => {})
    // A half of a body, and never an end: neither of the body nor of the connection.
    socket.write(`${post('/words', 'application/json', 20)}{"a":`)
  }
  // Each of them came, however late it is looked for: it may be gone by then.
  await expect.poll(() => came, { interval: 100 }).toBe(slow.length)
  await expect
    .poll(() => new Promise<number>((done) => app.server.getConnections((_error, count) => done(count))), { interval: 100 })
    .toBeLessThanOrEqual(before)
  for (const socket of slow) socket.destroy()
})

it('a process has so many connections and no more', () => {
  expect(app.server.maxConnections).toBe(4000)
})

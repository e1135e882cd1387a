import { connect, type AddressInfo } from 'node:net'
import Fastify from 'fastify'
import { expect, it, onTestFinished } from 'vitest'
import { readForwarded, withoutPort } from './forwarded.ts'

it.each([
  ['203.0.113.7', '203.0.113.7'],
  ['203.0.113.7:4711', '203.0.113.7'],
  ['[2001:db8::1]:4711', '2001:db8::1'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['2001:db8::1', '2001:db8::1'],
  ['unknown', 'unknown'],
  ['example:80', 'example:80'],
])('%s is %s to the limits', (said, address) => expect(withoutPort(said)).toBe(address))

const openServer = async (): Promise<ReturnType<typeof Fastify>> => {
  const app = Fastify({ trustProxy: ['127.0.0.1'] })
  onTestFinished(() => app.close())
  readForwarded(app)
  app.get('/', async ({ ip }) => ip)
  return app
}

it('another port of an address is not another address', async () => {
  const app = await openServer()
  const ask = async (forwarded: string): Promise<string> => (await app.inject({ url: '/', headers: { 'x-forwarded-for': forwarded } })).body
  expect(await ask('198.51.100.7:1025')).toBe('198.51.100.7')
  expect(await ask('198.51.100.7:1026')).toBe('198.51.100.7')
  expect(await ask('203.0.113.1, [2001:db8::7]:5')).toBe('2001:db8::7')
})

it('a request that names two hosts is refused', async () => {
  const app = await openServer()
  await app.listen({ port: 0, host: '127.0.0.1' })
  const ask = (head: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let said = ''
      const socket = connect((app.server.address() as AddressInfo).port, '127.0.0.1', () =>
        socket.write(`GET / HTTP/1.1\r\n${head}Connection: close\r\n\r\n`),
      )
      socket.on('data', (bytes) => (said += bytes.toString()))
      socket.on('error', reject)
      socket.on('close', () => resolve(said.split('\r\n', 1)[0] ?? ''))
    })
  expect(await ask('Host: a.example\r\n')).toBe('HTTP/1.1 200 OK')
  expect(await ask('Host: a.example\r\nhost: b.example\r\n')).not.toContain('200')
})

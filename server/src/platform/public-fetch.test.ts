import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { fetchPublic, isPublicAddress } from './public-fetch.ts'

let asked = 0
const trap = createServer((request, response) => {
  asked++
  if (request.url === '/bomb') response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('x'.repeat(200_000)))
  else if (request.url !== '/slow') response.writeHead(200).end('reached')
})
let port = 0
beforeAll(async () => {
  await new Promise<void>((done) => trap.listen(0, done))
  port = (trap.address() as AddressInfo).port
})
afterAll(() => trap.closeAllConnections() ?? trap.close())

const limits = { timeoutMs: 3000, mostBytes: 100_000, anywhere: false }

it.each([
  'https://127.0.0.1',
  'https://localhost',
  'https://2130706433',
  'https://0x7f.1',
  'https://0',
  'https://[::1]',
  'https://[::ffff:127.0.0.1]',
  'https://[::ffff:7f00:1]',
  'https://169.254.169.254',
  'https://10.0.0.1',
  'https://[fe80::1]',
  'https://[64:ff9b::7f00:1]',
  'https://100.64.0.1',
  'http://127.0.0.1',
])('nobody inside is asked at %s', async (origin) => {
  expect(await fetchPublic(new URL(`${origin}:${port}/`), {}, limits)).toEqual({ problem: 'private' })
  expect(asked).toBe(0)
})

it('tells the public internet from everything else', () => {
  for (const address of ['93.184.216.34', '2606:2800:220:1:248:1893:25c8:1946']) expect(isPublicAddress(address)).toBe(true)
  for (const address of ['0.0.0.0', '192.168.1.1', '172.16.0.1', '224.0.0.1', 'fc00::1', '2002:7f00:1::', 'localhost'])
    expect(isPublicAddress(address), address).toBe(false)
})

it('waits for nobody for long and unpacks no more than it reads; a trial may ask its own machine', async () => {
  const own = { ...limits, anywhere: true }
  const at = (path: string): URL => new URL(`http://127.0.0.1:${port}${path}`)
  expect(await fetchPublic(at('/'), {}, own)).toMatchObject({ status: 200, text: 'reached' })
  expect(await fetchPublic(at('/slow'), {}, { ...own, timeoutMs: 60 })).toEqual({ problem: 'unreachable' })
  expect(await fetchPublic(at('/bomb'), {}, own)).toEqual({ problem: 'too_large' })
})

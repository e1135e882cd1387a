/** The proxy of the trial asks again only what may be asked twice. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, expect, it } from 'vitest'
import { openProxy, type Proxy } from './proxy.ts'
import { openClient } from './wire.ts'

const opened: { close(): unknown }[] = []
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close()
})

/** A node that answers with its name, or cuts everybody off, or says it is closing. */
async function node(name: string, mood: 'well' | 'cuts off' | 'draining'): Promise<{ url: string; asked: string[] }> {
  const asked: string[] = []
  const server: Server = createServer((question, response) => {
    asked.push(question.method ?? '')
    if (mood === 'cuts off') return void question.socket.destroy()
    response.writeHead(mood === 'well' ? 200 : 503, { 'content-type': 'application/json' }).end(JSON.stringify({ _id: name }))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  opened.push({
    close() {
      server.closeAllConnections()
      server.close()
    },
  })
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, asked }
}

async function before(...urls: string[]): Promise<{ proxy: Proxy; client: ReturnType<typeof openClient> }> {
  const proxy = await openProxy(urls)
  const client = openClient('')
  opened.push(client, proxy)
  return { proxy, client }
}

it('a GET and a POST with a key go to the other node when the first cuts off or drains', async () => {
  for (const mood of ['cuts off', 'draining'] as const) {
    const [bad, good] = [await node('bad', mood), await node('good', 'well')]
    const { proxy, client } = await before(bad.url, good.url)
    expect((await client.send(proxy.url, { method: 'GET', path: '/' })).body._id).toBe('good')
    expect((await client.send(proxy.url, { method: 'POST', path: '/', body: {}, key: 'k' })).body._id).toBe('good')
    expect(proxy.redispatched()).toBeGreaterThan(0)
  }
})

it('a POST without a key is asked once, whatever comes of it', async () => {
  const [bad, good] = [await node('bad', 'cuts off'), await node('good', 'well')]
  const { proxy, client } = await before(bad.url, good.url)
  expect((await client.send(proxy.url, { method: 'POST', path: '/', body: {} })).status).toBe(502)
  expect([bad.asked, good.asked]).toEqual([['POST'], []])
})

it('a node that is down is left alone until it is back', async () => {
  const [first, second] = [await node('first', 'well'), await node('second', 'well')]
  const { proxy, client } = await before(first.url, second.url)
  proxy.setUp(0, false)
  for (let n = 0; n < 4; n++) await client.send(proxy.url, { method: 'GET', path: '/' })
  expect(first.asked).toHaveLength(0)
  proxy.replace(0, first.url)
  for (let n = 0; n < 4; n++) await client.send(proxy.url, { method: 'GET', path: '/' })
  expect(first.asked).toHaveLength(2)
})

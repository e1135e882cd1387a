/** Conversations across two server processes behind a balancer that sends each connection to either, long polling included; one is killed. */
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Chat, ChatMessage } from '@soigne/contract/chat'
import { createProxyServer } from 'http-proxy-3'
import { io, type Socket } from 'socket.io-client'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type MadeInstitute, type MadeUser, makeInstitute, makePlace, makeUser } from '#/testing/factories.ts'
import { type ServerProcess, startServerProcess } from '#/testing/server-process.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
let servers: ServerProcess[]
let balancer: Server
let address = ''
let owner: MadeUser
let institute: MadeInstitute
const sockets: Socket[] = []

/** A browser stays with the server its cookie names, as long as that server lives; a new one goes to the next. */
function openBalancer(): Server {
  const proxy = createProxyServer({})
  const gone = new Set<number>()
  let turn = 0
  const choose = (url: string): number => {
    const named = Number(/[?&]server=(\d)/.exec(url)?.[1] ?? turn++ % servers.length)
    return gone.has(named) ? (named + 1) % servers.length : named
  }
  const server = createServer((request, response) => {
    const n = choose(request.url ?? '')
    proxy.web(request, response, { target: servers[n]?.url ?? '' }, () => {
      gone.add(n)
      response.writeHead(502).end()
    })
  })
  server.on('upgrade', (request, socket, head) => {
    const n = choose(request.url ?? '')
    socket.on('error', () => {})
    proxy.ws(request, socket, head, { target: servers[n]?.url ?? '' }, () => {
      gone.add(n)
      socket.destroy()
    })
  })
  return server
}

beforeAll(async () => {
  t = await openTestApp()
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id })
  await makePlace(t.db)
  const { dataDir, secret } = t.context.settings
  servers = await Promise.all(
    [0, 1].map(() => startServerProcess({ DATABASE_URL: t.databaseUrl, DATA_DIR: dataDir, SECRET: secret }, { isWhole: true })),
  )
  balancer = openBalancer()
  await new Promise<void>((done) => void balancer.listen(0, '127.0.0.1', done))
  address = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}`
})
afterAll(async () => {
  for (const socket of sockets) socket.disconnect()
  balancer.closeAllConnections()
  balancer.close()
  await Promise.all(servers.slice(1).map((server) => server.stop()))
  await t.close()
})

function listen(token: string, server: number, transport: string): { socket: Socket; heard: ChatMessage[]; typing: unknown[] } {
  const socket = io(`${address}/chat`, {
    auth: { token },
    transports: [transport],
    forceNew: true,
    query: { server: String(server) },
    reconnectionDelay: 50,
    reconnectionDelayMax: 200,
  })
  sockets.push(socket)
  const [heard, typing]: [ChatMessage[], unknown[]] = [[], []]
  socket.on('newMessage', (message: ChatMessage) => void heard.push(message))
  socket.on('typing', (who: unknown) => void typing.push(who))
  return { socket, heard, typing }
}
async function post(who: MadeUser, path: string, body: unknown): Promise<{ status: number; body: unknown }> {
  const answer = await fetch(`${address}/api/v1/secure${path}`, {
    method: 'POST',
    headers: { authorization: `Bearer ${who.token}`, 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  return { status: answer.status, body: await answer.json().catch(() => null) }
}
/** Until it is acknowledged, with the same key: what a browser does. */
async function write(who: MadeUser, chatId: string, text: string, clientId: string): Promise<void> {
  await expect.poll(async () => (await post(who, '/messages', { chatId, text, clientId })).status, { interval: 50 }).toBe(201)
}
const soon = async (check: () => void | Promise<void>): Promise<void> => {
  const look = async (): Promise<string> => {
    try {
      await check()
      return 'so it is'
    } catch (error) {
      return String(error)
    }
  }
  await expect.poll(look, { interval: 20 }).toBe('so it is')
}

it('[P-03] [C-27] a client on one server and an institute on the other hear each other, and miss nothing when one is killed', async () => {
  const client = await makeUser(t.db)
  const { _id: id } = (await post(client, '/chats', { instituteId: institute.id })).body as Chat
  const mine = listen(client.token, 0, 'polling')
  const theirs = listen(owner.token, 1, 'websocket')
  await soon(() => expect([mine.socket.connected, theirs.socket.connected]).toEqual([true, true]))
  await write(client, id, 'Hello', 'two-processes-1')
  await write(owner, id, 'Good morning', 'two-processes-2')
  for (const { heard } of [mine, theirs]) await soon(() => expect(heard.map(({ text }) => text)).toEqual(['Hello', 'Good morning']))
  await mine.socket.emitWithAck('join', { chatId: id })
  await theirs.socket.emitWithAck('join', { chatId: id })
  await soon(async () => {
    await mine.socket.emitWithAck('typing', { chatId: id })
    expect(theirs.typing.length).toBeGreaterThan(0)
  })
  // The server the client is on is killed while both write.
  const texts = Array.from({ length: 12 }, (_, n) => `Message ${n}`)
  for (const [n, text] of texts.entries()) {
    if (n === 4) await servers[0]?.kill()
    await write(n % 2 ? owner : client, id, text, `two-processes-more-${n}`)
  }
  await soon(() => expect(mine.socket.connected).toBe(true))
  const read = async (): Promise<ChatMessage[]> => {
    const answer = await fetch(`${address}/api/v1/secure/messages/${id}?pageSize=50`, {
      headers: { authorization: `Bearer ${client.token}` },
    })
    return ((await answer.json()) as { items: ChatMessage[] }).items
  }
  await soon(async () => expect((await read()).map(({ text }) => text)).toEqual(['Hello', 'Good morning', ...texts]))
  // Whoever stayed connected heard each once, in order; whoever was cut off goes on from where they stood.
  await soon(() => expect(theirs.heard.map(({ text }) => text)).toEqual(['Hello', 'Good morning', ...texts]))
  await write(owner, id, 'Still here', 'two-processes-last')
  await soon(() => expect(mine.heard.at(-1)?.text).toBe('Still here'))
})

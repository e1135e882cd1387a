/**
 * Conversations: how long a message takes to the screen of the other side while 2,000 sockets are connected to one process; messages a second beside a bare
 * server that does the least there is to do (`chat-floor.ts`), in turn; how soon all sockets are back after a restart, and whether anything was lost; long
 * conversations and long lists.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { ChatMessage } from '@soigne/contract/chat'
import { minuteMs } from '@soigne/contract/time'
import type pg from 'pg'
import { io, type Socket } from 'socket.io-client'
import { type Chatting, type Listener, makeChats, openListeners } from './chat-people.ts'
import { loopback, openPool, settled } from './crowd.ts'
import { type DeskInstitute, makeDeskInstitute } from './desk-institute.ts'
import { type Figure, percentile } from './figure.ts'
import { dropDataDir, newDataDir, type Product, root, startProduct } from './product.ts'

const sockets = 2000
const roundTrips = 300
const writers = 16
const rounds = 3
const roundMs = 4000
const longest = 10_000
const manyChats = 5000
const reads = 40
const goals = { roundTrip: 50, share: 0.6, back: 8000, conversation: 300, list: 200 }

type Send = (lane: number, n: number) => Promise<void>

async function asked<T>(url: string, token: string, body?: unknown): Promise<T> {
  const answer = await fetch(url, {
    headers: { authorization: `Bearer ${token}`, ...(body !== undefined && { 'content-type': 'application/json' }) },
    ...(body !== undefined && { method: 'POST', body: JSON.stringify(body) }),
  })
  if (answer.status >= 300) throw new Error(`${url} was answered ${answer.status} ${await answer.text()}`)
  return (await answer.json()) as T
}
const write = (url: string, { chatId, token }: Chatting, clientId: string): Promise<ChatMessage> =>
  asked(`${url}/api/v1/secure/messages`, token, { chatId, text: 'Is there a place on Friday?', clientId })

/** From writing to the screen of the institute, one message after the other. */
async function roundTrip(url: string, people: readonly Chatting[], owner: Listener): Promise<Figure[]> {
  const took: number[] = []
  for (let n = -20; n < roundTrips; n++) {
    const clientId = `round-trip-${n + 20}`
    const began = performance.now()
    const [, at] = await Promise.all([write(url, people[(n + 20) % people.length] as Chatting, clientId), owner.arrival(clientId)])
    if (n >= 0) took.push(at - began)
  }
  return [
    { name: 'chat.sockets', value: people.length + 1, unit: 'sockets' },
    { name: 'chat.round_trip.p50', value: percentile(took, 0.5), unit: 'ms' },
    { name: 'chat.round_trip.p99', value: percentile(took, 0.99), unit: 'ms', limit: goals.roundTrip },
  ]
}

/** Messages a second of so many writers, each of which writes the next when the last was answered. */
async function perSecond(send: Send): Promise<number> {
  let done = 0
  const began = performance.now()
  await Promise.all(
    Array.from({ length: writers }, async (_, lane) => {
      while (performance.now() - began < roundMs) {
        await send(lane, done)
        done++
      }
    }),
  )
  return (done * 1000) / (performance.now() - began)
}

interface Floor {
  send: Send
  stop(): Promise<void>
}
/** The bare server, with a socket for each of those who are written to. */
async function openFloor(db: pg.Pool, dataDir: string, people: readonly Chatting[]): Promise<Floor> {
  await db.query(
    'create table floor_messages (id uuid primary key, sender_id uuid not null, text text not null, created_at timestamptz not null default now())',
  )
  const host =
    (await db.query<{ host: string }>(`select split_part(current_setting('unix_socket_directories'), ',', 1) as host`)).rows[0]?.host ?? ''
  const child: ChildProcess = spawn(process.execPath, [join(root, 'bench/src/chat-floor.ts')], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...process.env, FLOOR_DATABASE_URL: `postgresql://postgres@/soigne?host=${encodeURIComponent(host)}` },
    cwd: dataDir,
  })
  const url = await new Promise<string>((ready, fail) => {
    child.stdout?.on('data', (chunk: Buffer) => {
      const found = /ready (http\S+)/.exec(chunk.toString())
      if (found?.[1]) ready(found[1])
    })
    child.once('exit', (code) => fail(new Error(`the bare server ended with ${code}`)))
  })
  const open: Socket[] = people.map(({ token }) => io(url, { auth: { token }, transports: ['websocket'], forceNew: true }))
  await Promise.all(open.map((socket) => new Promise<void>((done) => void socket.once('connect', done))))
  return {
    async send(lane, n) {
      const to = people[n % people.length] as Chatting
      await asked(`${url}/messages`, (people[lane] as Chatting).token, { to: to.userId, text: 'Is there a place on Friday?' })
    },
    async stop() {
      for (const socket of open) socket.disconnect()
      const gone = new Promise((done) => child.once('exit', done))
      child.kill('SIGTERM')
      await gone
    },
  }
}

/** In turn with the bare server; medians. */
async function throughput(url: string, floor: Floor, people: readonly Chatting[]): Promise<Figure[]> {
  let turn = 0
  const send: Send = async (lane) => void (await write(url, people[lane] as Chatting, `throughput-${turn++}-000`))
  await perSecond(floor.send)
  await perSecond(send)
  const [bare, product]: [number[], number[]] = [[], []]
  for (let n = 0; n < rounds; n++) {
    bare.push(await perSecond(floor.send))
    product.push(await perSecond(send))
  }
  const [least, ours] = [percentile(bare, 0.5), percentile(product, 0.5)]
  return [
    { name: 'chat.bare', value: least, unit: 'messages/s' },
    { name: 'chat.messages', value: ours, unit: 'messages/s' },
    { name: 'chat.messages.share', value: ours / least, unit: 'of bare', limit: goals.share, atLeast: true, ratio: ours / least },
  ]
}

/** Milliseconds until all are connected; given up after a minute. */
async function allBack(listeners: readonly Listener[], since: number): Promise<number> {
  while (performance.now() - since < minuteMs) {
    if (listeners.every(({ socket }) => socket.connected)) return performance.now() - since
    await sleep(20)
  }
  return Number.POSITIVE_INFINITY
}

/** Writes with the same key until it is answered, as browsers do. */
async function writeAnyway(url: string, one: Chatting, clientId: string): Promise<void> {
  for (;;)
    try {
      return void (await write(url, one, clientId))
    } catch {
      await sleep(100)
    }
}

/** The process is killed and another takes its place while some go on writing. */
async function restart(
  product: Product,
  begin: (env: Record<string, string>) => Promise<Product>,
  { people, listeners }: { people: readonly Chatting[]; listeners: readonly Listener[] },
): Promise<{ product: Product; figures: Figure[] }> {
  const url = loopback(product)
  const some = people.slice(0, 50)
  const keys = (n: number): string[] => Array.from({ length: 4 }, (_, m) => `restart-${n}-${m}-000`)
  const writing = Promise.all(
    some.map(async (one, n) => {
      for (const key of keys(n)) await writeAnyway(url, one, key)
    }),
  )
  const killedAt = performance.now()
  process.kill(product.pid, 'SIGKILL')
  await sleep(50)
  const next = await begin({ PORT: new URL(url).port })
  const readyAt = performance.now()
  const back = await allBack(listeners, readyAt)
  await writing
  let lost = 0
  for (const [n, { chatId, token }] of some.entries()) {
    const { items } = await asked<{ items: ChatMessage[] }>(`${url}/api/v1/secure/messages/${chatId}?pageSize=50`, token)
    const found = items.map(({ clientId }) => clientId).filter((key) => key.startsWith('restart-'))
    if (JSON.stringify(found) !== JSON.stringify(keys(n))) lost++
  }
  return {
    product: next,
    figures: [
      { name: 'chat.back_after_ready', value: back, unit: 'ms', limit: goals.back },
      { name: 'chat.back_after_kill', value: readyAt - killedAt + back, unit: 'ms' },
      { name: 'chat.not_as_written', value: lost, unit: 'conversations', limit: 0 },
    ],
  }
}

async function reading(name: string, limit: number, read: () => Promise<unknown>): Promise<Figure[]> {
  const took: number[] = []
  for (let n = -5; n < reads; n++) {
    const began = performance.now()
    await read()
    if (n >= 0) took.push(performance.now() - began)
  }
  return [
    { name: `chat.${name}.p50`, value: percentile(took, 0.5), unit: 'ms' },
    { name: `chat.${name}.p95`, value: percentile(took, 0.95), unit: 'ms', limit },
  ]
}

interface Made {
  institute: DeskInstitute
  people: Chatting[]
  long: Chatting
  busy: DeskInstitute
}
async function fill(db: pg.Pool): Promise<Made> {
  const institute = await makeDeskInstitute(db, 'bench-chat')
  const people = await makeChats(db, { instituteId: institute.id, name: 'chat', people: sockets, messages: 12 })
  const busy = await makeDeskInstitute(db, 'bench-chat-busy')
  const [long] = await makeChats(db, { instituteId: busy.id, name: 'long', people: 1, messages: longest })
  await makeChats(db, { instituteId: busy.id, name: 'many', people: manyChats - 1, messages: 3 })
  await db.query('analyze')
  await settled(db)
  return { institute, people, long: long as Chatting, busy }
}

export async function run(): Promise<Figure[]> {
  const dataDir = newDataDir()
  const begin = (env: Record<string, string> = {}): Promise<Product> => startProduct({ dataDir, env: { SEED: 'none', ...env } })
  let product = await begin()
  const db = openPool(dataDir)
  let listeners: Listener[] = []
  let floor: Floor | null = null
  try {
    const url = loopback(product)
    const { institute, people, long, busy } = await fill(db)
    listeners = await openListeners(url, [institute.token, ...people.map(({ token }) => token)])
    const figures = await roundTrip(url, people, listeners[0] as Listener)
    floor = await openFloor(db, dataDir, people.slice(0, writers))
    figures.push(...(await throughput(url, floor, people)))
    await floor.stop()
    floor = null
    const secure = `${url}/api/v1/secure`
    figures.push(
      ...(await reading('conversation', goals.conversation, async () => {
        await asked(`${secure}/chats/${long.chatId}`, long.token)
        await asked(`${secure}/messages/${long.chatId}?pageSize=50`, long.token)
      })),
      ...(await reading('list', goals.list, () => asked(`${secure}/chats?side=institute&pageSize=50`, busy.token))),
    )
    const again = await restart(product, begin, { people, listeners })
    product = again.product
    return [...figures, ...again.figures]
  } finally {
    await floor?.stop()
    for (const { socket } of listeners) socket.disconnect()
    await db.end()
    await product.stop()
    dropDataDir(dataDir)
  }
}

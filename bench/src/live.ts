/** From asking for a change at the desk until the last of fifty open calendars has heard of it, and has read it again; two processes of the server share them. */
import { setTimeout as sleep } from 'node:timers/promises'
import { chatNamespace } from '@soigne/contract/chat'
import type { DiaryChanged } from '@soigne/contract/diary'
import { dayMs, hourMs, minuteMs } from '@soigne/contract/time'
import { io, type Socket } from 'socket.io-client'
import { cpuOf } from './cpu-time.ts'
import { loopback, openPool, settled } from './crowd.ts'
import { type DeskInstitute, makeDeskInstitute, makePro } from './desk-institute.ts'
import { type Figure, percentile } from './figure.ts'
import { dropDataDir, newDataDir, type Product, startProduct } from './product.ts'

const calendars = 50
const changes = 40
const warm = 8
const goalMs = 300

/** When a change was heard of, and read, by one screen. */
interface Seen {
  heard: number
  read: number
}
class Screen {
  readonly seen = new Map<string, Seen>()
  readonly #socket: Socket
  readonly #read: () => Promise<unknown>
  readonly connected: Promise<void>

  constructor(url: string, token: string, day: string) {
    this.#read = async () =>
      (await fetch(`${url}/api/v1/secure/mysalon/diary?from=${day}`, { headers: { authorization: `Bearer ${token}` } })).json()
    this.#socket = io(`${url}${chatNamespace}`, { auth: { token }, transports: ['websocket'], forceNew: true, reconnection: false })
    this.#socket.on('diaryChanged', (change: DiaryChanged) => void this.#hear(change))
    this.connected = new Promise((done, fail) => {
      this.#socket.once('connect', done)
      this.#socket.once('connect_error', fail)
    })
  }

  async #hear({ subjectId }: DiaryChanged): Promise<void> {
    const heard = performance.now()
    await this.#read()
    if (subjectId !== null) this.seen.set(subjectId, { heard, read: performance.now() })
  }

  close(): void {
    this.#socket.disconnect()
  }
}

async function seenByAll(screens: readonly Screen[], id: string): Promise<void> {
  for (let look = 0; look < 2000; look++) {
    if (screens.every(({ seen }) => seen.has(id))) return
    await sleep(10)
  }
  throw new Error('not every calendar heard of a change within twenty seconds')
}

/** Somebody is booked in each hour of each member of a day, when every screen has read what was before; when it was asked, by id. */
async function change(
  urls: readonly string[],
  { token, rows }: DeskInstitute,
  day: string,
  screens: readonly Screen[],
): Promise<Map<string, number>> {
  const asked = new Map<string, number>()
  const nine = Date.parse(`${day}T08:00:00Z`)
  for (let n = 0; n < changes; n++) {
    const startsAt = new Date(nine + Math.floor(n / rows.members.length) * hourMs).toISOString()
    const services = [{ serviceId: rows.services[2]?.id, staffId: rows.members[n % rows.members.length]?.id }]
    const began = performance.now()
    const answer = await fetch(`${urls[n % urls.length]}/api/v1/secure/mysalon/appointments`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json', 'idempotency-key': `bench-live-${n}-00000000` },
      body: JSON.stringify({ services, startsAt }),
    })
    const body = (await answer.json()) as { _id?: string }
    if (answer.status === 201 && body._id) {
      if (n >= warm) asked.set(body._id, began)
      await seenByAll(screens, body._id)
    } else if (answer.status !== 409) throw new Error(`a change was answered ${answer.status} ${JSON.stringify(body)}`)
  }
  return asked
}

export async function run(): Promise<Figure[]> {
  const dataDir = newDataDir()
  const products: Product[] = [await startProduct({ dataDir, env: { SEED: 'none' } })]
  const db = openPool(dataDir)
  const screens: Screen[] = []
  try {
    products.push(await startProduct({ dataDir, env: { SEED: 'none' } }))
    const urls = products.map(loopback)
    const institute = await makeDeskInstitute(db, 'bench-live')
    const day = new Date(Math.floor(Date.now() / dayMs) * dayMs + 3 * dayMs + 5 * minuteMs).toISOString().slice(0, 10)
    for (let n = 0; n < calendars; n++) {
      const { id, token } = await makePro(db, `bench-live-${n}`)
      await db.query(`insert into institute_people (institute_id, user_id, level) values ($1, $2, 'reception')`, [institute.id, id])
      screens.push(new Screen(urls[n % urls.length] ?? '', token, day))
    }
    await Promise.all(screens.map(({ connected }) => connected))
    await db.query('analyze')
    await settled(db)
    const before = cpuOf(...products.map(({ pid }) => pid))
    const asked = await change(urls, institute, day, screens)
    const cpu = cpuOf(...products.map(({ pid }) => pid)) - before
    const waits = (of: (seen: Seen) => number): number[] =>
      screens.flatMap(({ seen }) => [...asked].map(([id, began]) => of(seen.get(id) ?? { heard: Infinity, read: Infinity }) - began))
    const [heard, read] = [waits((one) => one.heard), waits((one) => one.read)]
    return [
      { name: 'live.heard.p50', value: percentile(heard, 0.5), unit: 'ms' },
      { name: 'live.heard.p99', value: percentile(heard, 0.99), unit: 'ms', limit: goalMs },
      { name: 'live.read_again.p50', value: percentile(read, 0.5), unit: 'ms' },
      { name: 'live.read_again.p99', value: percentile(read, 0.99), unit: 'ms', limit: goalMs },
      { name: 'live.measured', value: asked.size, unit: 'changes' },
      { name: 'live.cpu', value: cpu / changes, unit: 'ms per change' },
    ]
  } finally {
    for (const screen of screens) screen.close()
    await db.end()
    for (const product of products.toReversed()) await product.stop()
    dropDataDir(dataDir)
  }
}

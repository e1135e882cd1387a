/** From a commit until the last of two other processes has heard of it, while people book and others write events beside them. */
import { type ChildProcess, fork } from 'node:child_process'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { book, hangUp, makePeople } from './booking-clients.ts'
import { bookingsOf } from './bookings.ts'
import { loopback, openPool, settled } from './crowd.ts'
import { type Figure, percentile } from './figure.ts'
import { makeFullInstitute } from './full-institute.ts'
import { dropDataDir, newDataDir, root, startProduct } from './product.ts'

const followers = 2
const writers = 4
const bookers = 4
const warmMs = 3000
const measuredMs = 15_000
const goalP95 = 100

/** Of the machine's own clock, as the followers tell it. */
const clockMs = (): number => Number(process.hrtime.bigint()) / 1e6

interface Following {
  /** When it heard of an event. */
  heard: Map<number, number>
  stop(): Promise<void>
}

async function follow(url: string): Promise<Following> {
  const child: ChildProcess = fork(join(root, 'server/src/testing/following-process.ts'), [url])
  const heard = new Map<number, number>()
  await new Promise<void>((ready, fail) => {
    child.once('exit', (code) => fail(new Error(`a follower ended with ${code}`)))
    child.on('message', (message: 'ready' | [number, number][]) => {
      if (message === 'ready') return ready()
      for (const [id, at] of message) heard.set(id, at)
    })
  })
  return {
    heard,
    async stop() {
      if (child.exitCode !== null || child.signalCode !== null) return
      const gone = new Promise((done) => child.once('exit', done))
      child.send('stop')
      await gone
    },
  }
}

/** Commits an event now and then; when each was committed. */
async function write(db: pg.Pool, untilMs: number, committed: Map<number, number>): Promise<void> {
  while (clockMs() < untilMs) {
    const client = await db.connect()
    try {
      await client.query('begin')
      const { rows } = await client.query<{ id: string }>(
        `insert into events (kind, actor, payload, at) values ('test', '{"kind":"system","job":"bench"}', '{}', now()) returning id`,
      )
      await client.query('commit')
      committed.set(Number(rows[0]?.id), clockMs())
    } finally {
      client.release()
    }
    await sleep(10 + Math.random() * 30)
  }
}

/** Until everybody has heard of everything. */
async function allHeard(following: readonly Following[], committed: ReadonlyMap<number, number>): Promise<void> {
  for (let look = 0; look < 200; look++) {
    if (following.every(({ heard }) => committed.keys().every((id) => heard.has(id)))) return
    await sleep(50)
  }
  throw new Error('not every event was heard within ten seconds')
}

export async function run(): Promise<Figure[]> {
  const dataDir = newDataDir()
  const product = await startProduct({ dataDir, env: { SEED: 'none', LIMIT_HOLDS: '1000' } })
  const db = openPool(dataDir, writers + 1)
  const following: Following[] = []
  try {
    const url = loopback(product)
    const institutes = [await makeFullInstitute(db, 0), await makeFullInstitute(db, 1)]
    const tokens = await makePeople(db, 500)
    await db.query('analyze')
    await settled(db)
    const { host = '' } = db.options
    const databaseUrl = `postgresql://postgres@/soigne?host=${encodeURIComponent(host)}`
    for (let n = 0; n < followers; n++) following.push(await follow(databaseUrl))
    const bookings = bookingsOf(url, { name: 'events', institutes, member: 'named', services: 1, tokens })
    let booked = 0
    const keepBooking = async (untilMs: number): Promise<void> => {
      while (clockMs() < untilMs) {
        const next = await bookings.next()
        if (next.done) throw new Error('no more times')
        await book(url, next.value)
        booked++
      }
    }
    const round = async (lastsMs: number): Promise<Map<number, number>> => {
      const untilMs = clockMs() + lastsMs
      const committed = new Map<number, number>()
      booked = 0
      await Promise.all([
        ...Array.from({ length: writers }, () => write(db, untilMs, committed)),
        ...Array.from({ length: bookers }, () => keepBooking(untilMs)),
      ])
      await allHeard(following, committed)
      return committed
    }
    await round(warmMs)
    const committed = await round(measuredMs)
    // One that was heard before its writer had the answer was heard at once.
    const waits = [...committed].map(([id, at]) => Math.max(0, ...following.map(({ heard }) => (heard.get(id) ?? Infinity) - at)))
    return [
      { name: 'events.heard.p50', value: percentile(waits, 0.5), unit: 'ms' },
      { name: 'events.heard.p95', value: percentile(waits, 0.95), unit: 'ms', limit: goalP95 },
      { name: 'events.heard.max', value: Math.max(...waits), unit: 'ms' },
      { name: 'events.measured', value: waits.length, unit: 'events' },
      { name: 'events.bookings_beside', value: (booked * 1000) / measuredMs, unit: 'bookings/s' },
    ]
  } finally {
    for (const one of following) await one.stop()
    hangUp()
    await db.end()
    await product.stop()
    dropDataDir(dataDir)
  }
}

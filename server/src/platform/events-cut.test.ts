/** Every process hears of every commit, once and in order, whatever happens to its connections: ended by the database, cut on the way, or open and silent. EVENTS_SEED repeats a course. */
import { connect, createServer, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { type Random, randomFrom } from '@soigne/demo/random'
import { expect, inject, it, onTestFinished, vi } from 'vitest'
import { cloneTemplate, placeOf } from '#/testing/test-database.ts'
import { openDatabase } from './database.ts'
import { followEvents } from './events.ts'
import { openLog } from './log.ts'

const seed = process.env['EVENTS_SEED'] ?? String(Date.now() % 1_000_000)
const institutes = ['00000000-0000-7000-8000-000000000001', '00000000-0000-7000-8000-000000000002']

interface Line {
  port: number
  /** Breaks every connection, and takes no new one until it is mended. */
  cut(): number
  /** Swallows what comes this way from now on, on connections that stay open for good; new ones fare no better until it is mended. */
  silence(what: Silence): number
  /** Connections that were silenced stay so, as behind a firewall that has forgotten them. */
  mend(): void
}
type Silence = 'both ways' | 'answers'

/** The network between a process and its database. */
async function openLine(target: URL): Promise<Line> {
  const open = new Set<Socket>()
  const nears = new Set<Socket>()
  const silent = new Map<Socket, Silence>()
  let now: 'mended' | 'cut' | Silence = 'mended'
  const server = createServer((near) => {
    if (now === 'cut') return void near.resetAndDestroy()
    const far = connect(placeOf(target))
    if (now !== 'mended') silent.set(near, now)
    for (const [one, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(one)
      one.on('data', (packet) => {
        const swallowed = silent.get(near)
        if (swallowed === undefined || (swallowed === 'answers' && one === near)) other.write(packet)
      })
      one.on('error', () => {})
      one.on('close', () => {
        open.delete(one)
        if (!silent.has(near)) other.destroy()
      })
    }
    nears.add(near)
    near.on('close', () => nears.delete(near))
  })
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening))
  onTestFinished(async () => {
    for (const socket of open) socket.destroy()
    await new Promise((closed) => server.close(closed))
  })
  return {
    port: (server.address() as { port: number }).port,
    cut() {
      now = 'cut'
      const broken = open.size
      // A socket in a folder knows no reset; it is ended with its other side.
      for (const socket of open)
        if (socket.remoteAddress) socket.resetAndDestroy()
        else socket.destroy()
      return broken
    },
    silence(what) {
      now = what
      for (const near of nears) silent.set(near, what)
      return nears.size
    },
    mend: () => void (now = 'mended'),
  }
}

interface Course {
  line: Line
  writer: pg.Client
  /** Writes so many events, each committed. */
  write(times: number): Promise<void>
  heardAll(): Promise<void>
  /** All of it was heard, once and in order. */
  check(): void
}

/** A follower behind a line, and who writes past it. */
async function begin(chance: Random): Promise<Course> {
  const clone = await cloneTemplate(inject('databaseServer'))
  onTestFinished(() => clone.drop())
  const line = await openLine(new URL(clone.url))
  const behind = new URL(clone.url)
  behind.hostname = '127.0.0.1'
  behind.port = String(line.port)
  const database = openDatabase(behind.href, { size: 2, onError: () => {} })
  onTestFinished(() => database.close())
  const heard: { id: number; instituteId: string | null; n: number }[] = []
  const follower = await followEvents(database.apart, openLog('silent'), (events) => {
    heard.push(...events.map(({ id, instituteId, payload }) => ({ id, instituteId, n: (payload as { n: number }).n })))
  })
  onTestFinished(() => follower.stop())
  const writer = new pg.Client({ connectionString: clone.url, application_name: 'writer' })
  writer.on('error', () => {})
  await writer.connect()
  onTestFinished(() => writer.end())

  const written: number[] = []
  const counts = institutes.map(() => 0)
  return {
    line,
    writer,
    async write(times) {
      for (let n = 0; n < times; n++) {
        const at = chance.whole(institutes.length)
        const { rows } = await writer.query<{ id: number }>(
          `insert into events (kind, institute_id, actor, payload, at) values ('test', $1, '{"kind":"system","job":"test"}', $2, now()) returning id`,
          [institutes[at], { n: (counts[at] = (counts[at] ?? 0) + 1) }],
        )
        written.push(rows[0]?.id ?? 0)
      }
    },
    heardAll: () => vi.waitFor(() => expect(heard.length).toBeGreaterThanOrEqual(written.length), { timeout: 60_000, interval: 10 }),
    check() {
      expect(heard.map(({ id }) => id)).toEqual(written)
      for (const institute of institutes) {
        const numbers = heard.filter(({ instituteId }) => instituteId === institute).map(({ n }) => n)
        expect(numbers).toEqual(numbers.map((_, at) => at + 1))
      }
    },
  }
}

it(`a follower whose connections are ended and whose network is cut misses nothing (seed ${seed})`, async () => {
  const chance = randomFrom(seed)
  const { line, writer, write, heardAll, check } = await begin(chance)
  let ended = 0
  let broken = 0
  for (let round = 0; round < 12; round++) {
    await write(5 + chance.whole(20))
    if (chance.chance(0.5)) {
      const { rowCount } = await writer.query(
        `select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and application_name like 'soigne-%'`,
      )
      ended += rowCount ?? 0
    } else {
      broken += line.cut()
      await write(5 + chance.whole(20))
      line.mend()
    }
    await write(chance.whole(10))
    await sleep(chance.whole(60))
    // Every other time all of it is heard before the next blow, so that blows meet it where it has caught up as well.
    if (round % 2 === 0) await heardAll()
  }
  await heardAll()
  check()
  expect(ended + broken).toBeGreaterThan(0)
})

it(`a follower whose network goes silent without closing misses nothing (seed ${seed})`, async () => {
  const chance = randomFrom(seed)
  const { line, write, heardAll, check } = await begin(chance)
  for (const what of ['answers', 'both ways'] as const) {
    await write(5 + chance.whole(20))
    // Heard or under way when it falls silent, as it comes.
    if (chance.chance(0.5)) await heardAll()
    // Not while it comes anew, where a machine stood still for longer than it waits.
    await expect.poll(() => line.silence(what)).toBeGreaterThan(0)
    await write(5 + chance.whole(20))
    line.mend()
    await write(chance.whole(10))
    await heardAll()
    check()
  }
})

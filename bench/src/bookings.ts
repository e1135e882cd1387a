/**
 * Hold and confirm over HTTP by 16 clients, with every guarantee kept, against a bare loop that inserts one row under an exclusion constraint
 * through the same pool of the same database in the same run: in turn, several rounds, medians. Both sides are written to, and the processor's time goes on until the
 * last letter of a round has been sent; a round more, in which letters wait, tells what the booking takes alone. That of the clients does not count.
 * What follows a booking waits in a rush, so it falls behind the rounds; one of half a minute, at the first institutes, tells of both together.
 */
import { dayMs } from '@soigne/contract/time'
import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'
import { type Booking, book, clients, hangUp, makePeople } from './booking-clients.ts'
import { cpuOf, parentOf } from './cpu-time.ts'
import { loopback, openPool, settled } from './crowd.ts'
import { type Figure, type Options, percentile } from './figure.ts'
import { type FullInstitute, makeFullInstitute } from './full-institute.ts'
import { dropDataDir, newDataDir, type Product, startProduct } from './product.ts'

const many = 50
const rounds = 3
const roundMs = 4000
/** Long enough for what follows a booking, which waits for ten seconds of a rush at most, to go on beside it. */
const sustainedMs = 30_000
/** Of the bare loop. */
const goal = 0.06
const goalP95 = 60
const goalCpu = 3

export interface Case {
  name: string
  institutes: readonly FullInstitute[]
  member: 'named' | 'any'
  services: number
  /** Sessions of people who book in no other case: nobody has two visits at the same time. */
  tokens: readonly string[]
}

/** Bookings nobody else wants: they never meet, whoever is quicker. */
export async function* bookingsOf(url: string, { institutes, member, services, tokens }: Case): AsyncGenerator<Booking> {
  const first = institutes[0] as FullInstitute
  // The brow takes 20 minutes and 5 of buffer, and starts are 20 minutes apart.
  const brow = first.services[2] as string
  let taken = 0
  for (let month = 0; month < 2; month++) {
    const from = new Date(Date.now() + (20 + 31 * month) * dayMs).toISOString().slice(0, 10)
    const query = Array.from({ length: services }, () => `service=${brow}`).join('&')
    const answer = (await (
      await fetch(`${url}/api/v1/client/institutes/${first.id}/availability?${query}&from=${from}&days=31`)
    ).json()) as {
      days: { times: { startsAt: string }[] }[]
    }
    const starts = answer.days.flatMap(({ times }) => times.filter((_, n) => n % (1 + services) === 0).map(({ startsAt }) => startsAt))
    for (const startsAt of starts)
      for (let n = 0; n < first.team.length; n++)
        for (const institute of institutes)
          yield {
            instituteId: institute.id,
            services: Array.from({ length: services }, () => ({
              serviceId: institute.services[2] as string,
              ...(member === 'named' && { staffId: institute.team[n] as string }),
            })),
            startsAt,
            token: tokens[taken++ % tokens.length] as string,
          }
  }
}

interface Round {
  perSecond: number
  p95: number
  cpuMs: number
  done: number
}

/** As many as 16 lanes do within the time; `rest` waits for what follows, whose processor time belongs to it. */
async function round(work: (lane: number) => Promise<void>, cpu: () => number, rest?: () => Promise<void>, ms = roundMs): Promise<Round> {
  const took: number[] = []
  const before = cpu()
  const began = performance.now()
  await Promise.all(
    Array.from({ length: clients }, async (_, lane) => {
      while (performance.now() - began < ms) {
        const at = performance.now()
        await work(lane)
        took.push(performance.now() - at)
      }
    }),
  )
  const seconds = (performance.now() - began) / 1000
  await rest?.()
  return { perSecond: took.length / seconds, p95: percentile(took, 0.95), cpuMs: (cpu() - before) / took.length, done: took.length }
}

const median = (values: readonly number[]): number => percentile(values, 0.5)
const spread = (values: readonly number[]): string => `${Math.min(...values).toFixed(0)}–${Math.max(...values).toFixed(0)}`

async function checkDurable(db: pg.Pool): Promise<void> {
  const { rows } = await db.query<{ name: string; setting: string }>(
    `select name, setting from pg_settings where name in ('fsync', 'synchronous_commit', 'full_page_writes') and setting <> 'on'`,
  )
  if (rows.length > 0) throw new Error(`not durable: ${JSON.stringify(rows)}`)
}

/** Every letter of what was booked was sent: nothing is to be dispatched, and no job of it is left. Asked for often, so by what is short. */
async function lettersSent(db: pg.Pool): Promise<void> {
  for (let look = 0; look < 600; look++) {
    const { rows } = await db.query<{ left: boolean }>(
      `select exists (select from events e, event_cursors c where c.name = 'reactions' and e.xid >= pg_snapshot_xmax(c.position))
        or exists (select from graphile_worker.jobs where task_identifier in ('react', 'react_together', 'send_mail', 'send_mails')) as left`,
    )
    if (rows[0]?.left !== true) return
    await sleep(100)
  }
  throw new Error('letters were not sent within a minute')
}

/** Lets letters wait while the work lasts: who dispatches events finds their cursor taken. */
async function withoutLetters<T>(db: pg.Pool, work: () => Promise<T>): Promise<T> {
  const holder = await db.connect()
  try {
    await holder.query('begin')
    await holder.query('select from event_cursors for update')
    return await work()
  } finally {
    await holder.query('rollback')
    holder.release()
  }
}

async function makeCases(db: pg.Pool, people: number): Promise<Case[]> {
  let made = 0
  const make = async (count: number): Promise<FullInstitute[]> => {
    const all: FullInstitute[] = []
    for (let n = 0; n < count; n++) all.push(await makeFullInstitute(db, made++))
    return all
  }
  return [
    { name: 'fifty_named', institutes: await make(many), member: 'named', services: 1, tokens: await makePeople(db, people) },
    { name: 'fifty_any', institutes: await make(many), member: 'any', services: 1, tokens: await makePeople(db, people) },
    { name: 'fifty_carts', institutes: await make(many), member: 'named', services: 2, tokens: await makePeople(db, people) },
    { name: 'one_named', institutes: await make(1), member: 'named', services: 1, tokens: await makePeople(db, people) },
    { name: 'one_any', institutes: await make(1), member: 'any', services: 1, tokens: await makePeople(db, people) },
  ]
}

/** One row after the other of a table that has nothing but the wall; never twice the same time. */
function bareInserts(db: pg.Pool): () => Promise<void> {
  const subjects = Array.from({ length: 1000 }, () => randomUUID())
  let at = 0
  return async () => {
    const n = at++
    const from = new Date(Date.UTC(2028, 0, 3) + Math.floor(n / subjects.length) * 1_800_000)
    const values = [subjects[n % subjects.length], from, new Date(from.getTime() + 1_800_000)]
    await db.query({ name: 'bare', text: 'insert into bare (subject_id, during) values ($1, tstzrange($2, $3))', values })
  }
}

interface Measured {
  bares: Round[]
  all: Map<Case, Round[]>
  /** Without what follows a booking. */
  alone: Map<Case, Round>
  sustained: Round
}

async function measure(db: pg.Pool, product: Product, cases: readonly Case[]): Promise<Measured> {
  const url = loopback(product)
  const backend = (await db.query<{ pid: number }>('select pg_backend_pid() as pid')).rows[0]?.pid ?? 0
  const postmaster = parentOf(backend)
  const cpu = (): number => cpuOf(product.pid, postmaster)
  const insert = bareInserts(db)
  const bare = (): Promise<Round> => round(insert, cpu)
  const wanted = new Map(cases.map((one) => [one, bookingsOf(url, one)]))
  const bookNext = async (one: Case): Promise<void> => {
    const next = await wanted.get(one)?.next()
    if (!next || next.done) throw new Error(`no more times for ${one.name}`)
    await book(url, next.value)
  }
  const booking = (one: Case, rest?: () => Promise<void>, ms = roundMs): Promise<Round> => round(() => bookNext(one), cpu, rest, ms)
  const sent = (): Promise<void> => lettersSent(db)
  // Once unmeasured: plans, caches, the compiler.
  await bare()
  for (const one of cases) await booking(one, sent)
  // The tables were empty when their statistics were taken; a site that lives has taken them since.
  await db.query('analyze')
  const bares: Round[] = []
  const all = new Map<Case, Round[]>(cases.map((one) => [one, []]))
  for (let n = 0; n < rounds; n++) {
    bares.push(await bare())
    for (const one of cases) all.get(one)?.push(await booking(one, sent))
  }
  const alone = new Map<Case, Round>()
  for (const one of cases) {
    alone.set(one, await withoutLetters(db, () => booking(one)))
    await sent()
  }
  return { bares, all, alone, sustained: await booking(cases[0] as Case, sent, sustainedMs) }
}

function figuresOf({ bares, all, alone, sustained }: Measured): Figure[] {
  const floor = median(bares.map(({ perSecond }) => perSecond))
  process.stderr.write(`bare ${floor.toFixed(0)}/s (${spread(bares.map(({ perSecond }) => perSecond))})\n`)
  const figures: Figure[] = [
    { name: 'bookings.bare', value: floor, unit: 'inserts/s' },
    { name: 'bookings.sustained', value: sustained.perSecond, unit: 'bookings/s' },
    { name: 'bookings.sustained.p95', value: sustained.p95, unit: 'ms' },
    { name: 'bookings.sustained.cpu', value: sustained.cpuMs, unit: 'ms' },
  ]
  for (const [one, measured] of all) {
    const { name } = one
    const perSecond = median(measured.map((each) => each.perSecond))
    process.stderr.write(`${name} ${perSecond.toFixed(0)}/s (${spread(measured.map((each) => each.perSecond))})\n`)
    figures.push(
      { name: `bookings.${name}`, value: perSecond, unit: 'bookings/s' },
      { name: `bookings.${name}.ratio`, value: perSecond / floor, unit: 'of bare', limit: goal, atLeast: true, ratio: perSecond / floor },
      { name: `bookings.${name}.p95`, value: median(measured.map(({ p95 }) => p95)), unit: 'ms', limit: goalP95 },
      { name: `bookings.${name}.cpu`, value: median(measured.map(({ cpuMs }) => cpuMs)), unit: 'ms', limit: goalCpu },
      { name: `bookings.${name}.cpu_alone`, value: alone.get(one)?.cpuMs ?? 0, unit: 'ms', limit: goalCpu },
    )
  }
  return figures
}

export async function run({ requests }: Options): Promise<Figure[]> {
  const dataDir = newDataDir()
  const product = await startProduct({ dataDir, env: { SEED: 'none', LIMIT_HOLDS: '1000' } })
  const db = openPool(dataDir, clients + 1)
  try {
    await checkDurable(db)
    const cases = await makeCases(db, requests ?? 2000)
    // It is swept never: that would be done while the next bookings are measured, at their cost.
    await db.query(
      `create table bare (id uuid primary key default uuidv7(), subject_id uuid not null, during tstzrange not null, exclude using gist (subject_id with =, during with &&))
       with (autovacuum_enabled = false)`,
    )
    await db.query('analyze')
    await settled(db)
    return figuresOf(await measure(db, product, cases))
  } finally {
    hangUp()
    await db.end()
    await product.stop()
    dropDataDir(dataDir)
  }
}

/**
 * The same questions with more and more institutes around: p95 of each, bookings and pages per second, memory, and plots of all of them.
 * At every size all calls of a kind are asked once before they are timed. Of pages only a few are: one that was asked lately is kept,
 * and what is timed is making it.
 */
import { dayMs } from '@soigne/contract/time'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { book, giveBack, hangUp, hold, makePeople, rate, type Booking } from './booking-clients.ts'
import { type Crowd, withCrowd } from './crowd.ts'
import { type Figure, type Options, percentile } from './figure.ts'
import type { HttpRequest } from './http-connections.ts'
import { ask, strangers } from './load.ts'
import { limitMB, memoryUnder } from './memory.ts'
import { goal as pagesGoal, mixOf, salonPaths } from './pages.ts'
import { root } from './product.ts'
import { type Line, plotOf } from './plot.ts'
import { pointsOf, searchesOf } from './search.ts'
import { asBrowser, knownInstitutes, listPath, visitsTo } from './visits.ts'

interface Institute {
  id: string
  slug: string
  service: string
}

async function institutesOf({ db }: Crowd, count: number): Promise<Institute[]> {
  const { rows } = await db.query<Institute>(
    `select i.id, i.slug, (select s.id from services s where s.institute_id = i.id and not exists (select from service_prerequisites p where p.service_id = s.id) order by position limit 1) as service
     from institutes i where state = 'published' and claimed order by md5(slug || 'scale') limit $1`,
    [count],
  )
  return rows.filter(({ service }) => service !== null)
}

const pagesAskedBefore = 20

async function p95Of(url: string, requests: readonly HttpRequest[], askedBefore = requests.length): Promise<number> {
  await ask({ url, requests, connections: 1, total: askedBefore })
  const result = await ask({ url, requests, connections: 1, total: requests.length })
  if (strangers(result, [200]) > 0) throw new Error(`${requests[0]?.path}: ${JSON.stringify(result.statuses)}`)
  return result.p95
}

/** A free time of each institute's first service in the days ahead, far enough from now, for a person each who may have it. */
async function bookingsAt({ url, db }: Crowd, institutes: readonly Institute[]): Promise<Booking[]> {
  const tokens = await makePeople(db, institutes.length)
  const bookings: Booking[] = []
  const from = new Date(Date.now() + 5 * dayMs).toISOString().slice(0, 10)
  for (const [n, { id, service }] of institutes.entries()) {
    const answer = (await (
      await fetch(`${url}/api/v1/client/institutes/${id}/availability?service=${service}&from=${from}&days=7`)
    ).json()) as { days?: { times: { startsAt: string }[] }[] }
    const startsAt = answer.days?.flatMap(({ times }) => times)[0]?.startsAt
    if (startsAt === undefined) continue
    const booking = { instituteId: id, services: [{ serviceId: service }], startsAt, token: tokens[n]!, birthday: '1990-05-05' }
    const held = await hold(url, booking).catch(() => null)
    if (held === null) continue
    await giveBack(url, booking, held)
    bookings.push(booking)
  }
  if (bookings.length < institutes.length / 3)
    throw new Error(`only ${bookings.length} of ${institutes.length} institutes have a time that can be held`)
  return bookings
}

/** p95 of a hold, by one client; each is given back. */
async function holds({ url }: Crowd, bookings: readonly Booking[]): Promise<number> {
  const times: number[] = []
  for (const booking of bookings) {
    const began = performance.now()
    const held = await hold(url, booking)
    times.push(performance.now() - began)
    await giveBack(url, booking, held)
  }
  return percentile(times, 0.95)
}

/** Bookings confirmed per second by 16 clients, one at each institute; they are taken away again. */
async function bookingsPerSecond({ url, db }: Crowd, bookings: readonly Booking[]): Promise<number> {
  const { rows } = await db.query<{ now: string }>('select now()::text as now')
  const [warm, timed] = [bookings.slice(0, bookings.length / 4), bookings.slice(bookings.length / 4)]
  await rate(warm, (booking) => book(url, booking))
  const perSecond = await rate(timed, (booking) => book(url, booking))
  const booked = await db.query(`delete from appointments where status <> 'held' and created_at >= $1::timestamptz`, [rows[0]?.now])
  if (booked.rowCount !== bookings.length) throw new Error(`${booked.rowCount} of ${bookings.length} bookings are there`)
  return perSecond
}

const pageConnections = 8

/** Pages per second of a few hundred addresses, as visitors of all institutes ask for them, and of institutes and lists that nobody asked for before. */
async function pagesPerSecond(crowd: Crowd, visits: number): Promise<Record<string, number>> {
  const { url } = crowd
  const known = await knownInstitutes(crowd)
  const perSecond = async (requests: readonly HttpRequest[], seconds: number): Promise<number> => {
    const result = await ask({ url, requests, connections: pageConnections, seconds })
    if (strangers(result, [200]) > 0) throw new Error(JSON.stringify(result.statuses))
    return result.perSecond
  }
  const few = mixOf(await salonPaths(url))
  await perSecond(few, 10)
  const hot = await perSecond(few, 10)
  await perSecond(visitsTo(known, visits), 10)
  const mix = await perSecond(visitsTo(known, visits, visits), 20)
  const fresh = Array.from({ length: 5000 }, (_, n) => known[Math.floor((n * known.length) / 5000)] ?? { slug: '', city: '' })
  const institutes = await perSecond(
    fresh.map(({ slug }, n) => asBrowser(`/salon/${slug}?n=${n}`)),
    8,
  )
  const lists = await perSecond(
    fresh.map(({ city }, n) => asBrowser(`${listPath(city, n)}&maxPrice=${1000 + n}`)),
    8,
  )
  return { [ofFewAddresses]: hot, 'pages, as visited': mix, 'salon pages, all new': institutes, 'lists, all new': lists }
}

const ofFewAddresses = 'pages, few addresses'
const atTheEnd = 'at the end'
const afterTheStart = 'after the first tenth'

interface Amounts {
  /** Calls of each kind whose p95 is taken. */
  turns: number
  bookings: number
  visits: number
  /** Requests of every kind while the memory is read. */
  requests: number
}

interface Measured {
  p95: Record<string, number>
  perSecond: Record<string, number>
  memory: Record<string, number>
}

async function p95s(
  crowd: Crowd,
  institutes: readonly Institute[],
  bookings: readonly Booking[],
  turns: number,
): Promise<Record<string, number>> {
  const { url } = crowd
  const points = await pointsOf(crowd, turns)
  const soon = new Date(Date.now() + 3 * dayMs).toISOString().slice(0, 10)
  const at = ({ id, service }: Institute, rest: string): HttpRequest => ({
    path: `/api/v1/client/institutes/${id}/availability${rest}&service=${service}`,
  })
  return {
    search: await p95Of(url, searchesOf('plain', points)),
    'search, common word': await p95Of(url, searchesOf('common', points)),
    'search, rare word': await p95Of(url, searchesOf('rare', points)),
    month: await p95Of(
      url,
      institutes.map((institute) => at(institute, `/month?month=${soon.slice(0, 7)}`)),
    ),
    day: await p95Of(
      url,
      institutes.map((institute) => at(institute, `?from=${soon}&days=1`)),
    ),
    'home page': await p95Of(
      url,
      points.map((_, n) => ({ path: `/?n=${n}-${Date.now()}` })),
      pagesAskedBefore,
    ),
    'salon page': await p95Of(
      url,
      institutes.map(({ slug }) => ({ path: `/salon/${slug}` })),
      pagesAskedBefore,
    ),
    hold: await holds(crowd, bookings),
  }
}

async function measure(crowd: Crowd, { turns, bookings, visits }: Amounts): Promise<Omit<Measured, 'memory'>> {
  const institutes = await institutesOf(crowd, bookings)
  const ready = await bookingsAt(crowd, institutes)
  const p95 = await p95s(crowd, institutes.slice(0, turns), ready.slice(0, turns), turns)
  const perSecond = { bookings: await bookingsPerSecond(crowd, ready), ...(await pagesPerSecond(crowd, visits)) }
  return { p95, perSecond }
}

const plots = {
  p95: { file: 'scale.svg', title: 'p95 of an answer by the number of institutes', unit: 'ms' },
  perSecond: { file: 'scale-per-second.svg', title: 'Bookings and pages per second by the number of institutes', unit: '/s' },
  memory: { file: 'scale-memory.svg', title: 'Memory of the server by the number of institutes', unit: 'MB' },
} as const
type Group = keyof typeof plots
const groups = Object.keys(plots) as Group[]

/** Draws the plots and writes their figures beside them. */
function draw(measured: readonly (Measured & { size: number })[]): void {
  const results = join(root, 'bench/results')
  mkdirSync(results, { recursive: true })
  for (const group of groups) {
    const { file, title, unit } = plots[group]
    const lines: Line[] = Object.keys(measured[0]?.[group] ?? {}).map((name) => ({
      name,
      points: measured.map((one) => ({ x: one.size, y: one[group][name] ?? Number.NaN })),
    }))
    writeFileSync(join(results, file), plotOf(title, unit, lines))
  }
  writeFileSync(join(results, 'scale.json'), `${JSON.stringify(measured, null, 2)}\n`)
}

const wordsOf = (name: string): string => name.replaceAll(/[ ,]+/g, '_')

export async function run(options: Options): Promise<Figure[]> {
  const sizes = options.sizes ?? [1000, 10_000, 100_000]
  const turns = options.requests ?? 200
  const amounts: Amounts = { turns, bookings: turns * 3, visits: 6e4, requests: turns * 5000 }
  const measured: (Measured & { size: number })[] = []
  for (const size of sizes) {
    const [asked, { warm, end }] = await withCrowd(
      size,
      (crowd) => measure(crowd, amounts),
      ({ url }) => memoryUnder(url, amounts.requests),
    )
    const one: Measured = { ...asked, memory: { [atTheEnd]: end, [afterTheStart]: warm } }
    process.stderr.write(`${JSON.stringify({ size, ...one })}\n`)
    measured.push({ size, ...one })
  }
  hangUp()
  if (options.keep) draw(measured)
  return measured.flatMap(({ size, p95, perSecond, memory }) => [
    ...Object.entries(p95).map(([name, value]): Figure => ({ name: `scale.${size}.${wordsOf(name)}.p95`, value, unit: 'ms' })),
    ...Object.entries(perSecond).map(([name, value]): Figure => ({
      name: `scale.${size}.${wordsOf(name)}`,
      value,
      unit: name === 'bookings' ? 'bookings/s' : 'pages/s',
      ...(name === ofFewAddresses && { limit: pagesGoal, atLeast: true }),
    })),
    ...Object.entries(memory).map(([name, value]): Figure => ({ name: `scale.${size}.memory_${wordsOf(name)}`, value, unit: 'MB' })),
    {
      name: `scale.${size}.memory_grown`,
      value: (memory[atTheEnd] ?? 0) - (memory[afterTheStart] ?? 0),
      unit: 'MB',
      limit: limitMB,
    },
  ])
}

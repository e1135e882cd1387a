/**
 * A page of search results (20 institutes with their next three free times) at two sizes of the crowd, over HTTP.
 * At either size all searches of a kind are asked once before they are timed, so that the ratio compares two servers that have been
 * running for a while; what that first pass took is printed beside it as `first_pass`.
 */
import { dayMs } from '@soigne/contract/time'
import { type Crowd, withCrowd } from './crowd.ts'
import { type Figure, figuresOf, type Options } from './figure.ts'
import type { HttpRequest } from './http-connections.ts'
import { ask, strangers } from './load.ts'

const limitMs = 80
const limitRatio = 1.5

/** Kinds of searches, each with what it adds to a point, a day and a part of day; `full` asks only where there is a whole page to find. */
const kinds = ['plain', 'full', 'common', 'rare', 'mistyped', 'soonest'] as const
type Kind = (typeof kinds)[number]

const common = ['massage', 'haircut', 'manicure', 'coiffure']
const mistyped = ['masage', 'hairct', 'manicur', 'coifure']
const parts = [null, 'morning', 'afternoon', 'evening']

interface Point {
  lat: number
  lon: number
  name: string
}

/** Points where institutes are, moved by up to about five kilometres: many in large cities, some far from any. The same ones in every run. */
export async function pointsOf({ db }: Crowd, count: number): Promise<Point[]> {
  const { rows } = await db.query<Point>(
    `select lat, lon, name from institutes where state = 'published' and claimed order by md5(slug || 'bench') limit $1`,
    [count],
  )
  return rows.map(({ lat, lon, name }, n) => ({
    lat: Math.min(89, Math.max(-89, lat + (((n * 37) % 101) - 50) / 1000)),
    lon: Math.min(179, Math.max(-179, lon + (((n * 53) % 101) - 50) / 1000)),
    name,
  }))
}

export function searchesOf(kind: Kind, points: readonly Point[]): HttpRequest[] {
  return points.map(({ lat, lon, name }, n) => {
    const query = new URLSearchParams({ lat: lat.toFixed(4), lon: lon.toFixed(4), pageSize: '20' })
    query.set('day', new Date(Date.now() + (n % 15) * dayMs).toISOString().slice(0, 10))
    const part = parts[n % parts.length]
    if (part) query.set('part', part)
    if (kind === 'common') query.set('what', common[n % common.length] ?? '')
    if (kind === 'mistyped') query.set('what', mistyped[n % mistyped.length] ?? '')
    // The longest word of one institute's name.
    if (kind === 'rare') query.set('what', name.split(/[^\p{L}]+/u).sort((a, b) => b.length - a.length)[0] ?? name)
    if (kind === 'soonest') query.set('sort', 'soonest')
    return { path: `/api/v1/client/institutes?${query.toString()}` }
  })
}

/** What the answers hold, so that a fast page of nothing does not pass for a fast search. */
async function fullness(url: string, requests: readonly HttpRequest[]): Promise<{ items: number; withTimes: number }> {
  let items = 0
  let withTimes = 0
  for (const { path } of requests.slice(0, 20)) {
    const answer = (await (await fetch(`${url}${path}`)).json()) as { items: { nextTimes: unknown[] }[] }
    items += answer.items.length
    withTimes += answer.items.filter(({ nextTimes }) => nextTimes.length > 0).length
  }
  return { items: items / 20, withTimes: withTimes / 20 }
}

/** For each point one around which a whole page is found, in a large city; none where there are no such cities. */
async function fullPoints(url: string, points: readonly Point[]): Promise<Point[]> {
  const full: Point[] = []
  for (const [n, { path }] of searchesOf('plain', points).slice(0, 150).entries()) {
    const { items } = (await (await fetch(`${url}${path}`)).json()) as { items: unknown[] }
    const point = points[n]
    if (items.length === 20 && point) full.push(point)
  }
  return full.length === 0 ? [] : points.map((_, n) => full[n % full.length]!)
}

interface Measured {
  figures: Figure[]
  p95: Map<string, number>
}

async function measure(crowd: Crowd, turns: number): Promise<Measured> {
  const { url, institutes } = crowd
  const points = await pointsOf(crowd, turns)
  const figures: Figure[] = []
  const p95 = new Map<string, number>()
  const limited = institutes <= 10_000 ? { limit: limitMs } : {}
  for (const kind of kinds) {
    const asked = kind === 'full' ? await fullPoints(url, points) : points
    if (asked.length === 0) continue
    const requests = searchesOf(kind, asked)
    const first = await ask({ url, requests, connections: 1, total: turns })
    const full = await fullness(url, requests)
    const alone = await ask({ url, requests, connections: 1, total: turns })
    const four = await ask({ url, requests, connections: 4, total: turns })
    if (strangers(alone, [200]) + strangers(four, [200]) > 0) throw new Error(`search.${kind}: ${JSON.stringify(alone.statuses)}`)
    const name = `search.${institutes}.${kind}`
    p95.set(kind, alone.p95)
    figures.push(
      { name: `${name}.p50`, value: alone.p50, unit: 'ms' },
      { name: `${name}.p95`, value: alone.p95, unit: 'ms', ...limited },
      { name: `${name}.first_pass.p95`, value: first.p95, unit: 'ms' },
      { name: `${name}.4_at_once.p95`, value: four.p95, unit: 'ms' },
      { name: `${name}.items`, value: full.items, unit: 'institutes' },
      { name: `${name}.with_times`, value: full.withTimes, unit: 'institutes' },
    )
  }
  return { figures, p95 }
}

export async function run(options: Options): Promise<Figure[]> {
  const sizes = options.sizes ?? [10_000, 100_000]
  const turns = options.requests ?? 400
  const measured: Measured[] = []
  for (const size of sizes) measured.push(...(await withCrowd(size, (crowd) => measure(crowd, turns))))
  const [small, ...larger] = measured
  const ratios = larger.flatMap(({ p95 }, n) =>
    kinds
      .filter((kind) => p95.has(kind) && small?.p95.has(kind))
      .map((kind): Figure => {
        const ratio = (p95.get(kind) ?? 0) / (small?.p95.get(kind) ?? Number.NaN)
        return { name: `search.${sizes[n + 1]}_to_${sizes[0]}.${kind}`, value: ratio, unit: 'times', limit: limitRatio, ratio }
      }),
  )
  return figuresOf(
    measured.flatMap(({ figures }) => figures),
    ratios,
  )
}

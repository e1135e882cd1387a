/**
 * The same questions with more and more institutes around: p95 of each, and a plot of all of them.
 * At every size all calls of a kind are asked once before they are timed. Of pages only a few are: one that was asked lately is kept,
 * and what is timed is making it.
 */
import { createHash, randomBytes } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Crowd, withCrowd } from './crowd.ts'
import { type Figure, type Options, percentile } from './figure.ts'
import { ask, type LoadRequest, strangers } from './load.ts'
import { root } from './product.ts'
import { type Line, plotOf } from './plot.ts'
import { pointsOf, searchesOf } from './search.ts'

interface Salon {
  id: string
  slug: string
  service: string
}

async function salonsOf({ db }: Crowd, count: number): Promise<Salon[]> {
  const { rows } = await db.query<Salon>(
    `select i.id, i.slug, (select s.id from services s where s.institute_id = i.id order by position limit 1) as service
     from institutes i where state = 'published' and claimed order by md5(slug || 'scale') limit $1`,
    [count],
  )
  return rows.filter(({ service }) => service !== null)
}

const pagesAskedBefore = 20

async function p95Of(url: string, requests: readonly LoadRequest[], askedBefore = requests.length): Promise<number> {
  await ask({ url, requests, connections: 1, total: askedBefore })
  const result = await ask({ url, requests, connections: 1, total: requests.length })
  if (strangers(result, [200]) > 0) throw new Error(`${requests[0]?.path}: ${JSON.stringify(result.statuses)}`)
  return result.p95
}

async function holds({ url, db }: Crowd, salons: readonly Salon[]): Promise<number> {
  const token = randomBytes(32).toString('base64url')
  await db.query(
    `with made as (insert into users (email, role, first_name, last_name, locale, email_verified_at, terms_accepted_at)
       values ($1, 'isClient', 'Nour', 'Benali', 'en', now(), now()) returning id)
     insert into sessions (user_id, token_hash, expires_at) select id, $2, '2099-01-01' from made`,
    [`${randomBytes(6).toString('hex')}@bench.test`, createHash('sha256').update(token).digest()],
  )
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const times: number[] = []
  for (const { id, service } of salons) {
    const next = (await (await fetch(`${url}/api/v1/client/institutes/${id}/availability/next?service=${service}`)).json()) as {
      times?: { startsAt: string }[]
    }
    const startsAt = next.times?.[0]?.startsAt
    if (startsAt === undefined) continue
    const body = JSON.stringify({ instituteId: id, services: [{ serviceId: service }], startsAt, birthday: '1990-05-05' })
    const began = performance.now()
    const answer = await fetch(`${url}/api/v1/secure/appointments/holds`, { method: 'POST', headers, body })
    const held = (await answer.json()) as { _id?: string }
    if (answer.status === 201) times.push(performance.now() - began)
    if (held._id)
      await fetch(`${url}/api/v1/secure/appointments/holds/${held._id}`, {
        method: 'DELETE',
        headers: { authorization: headers.authorization },
      })
  }
  if (times.length < salons.length / 3) throw new Error(`only ${times.length} of ${salons.length} holds were given`)
  return percentile(times, 0.95)
}

async function measure(crowd: Crowd, turns: number): Promise<Record<string, number>> {
  const { url } = crowd
  const points = await pointsOf(crowd, turns)
  const salons = await salonsOf(crowd, turns)
  const soon = new Date(Date.now() + 3 * 86_400_000).toISOString().slice(0, 10)
  const month = soon.slice(0, 7)
  const at = ({ id, service }: Salon, rest: string): LoadRequest => ({
    path: `/api/v1/client/institutes/${id}/availability${rest}&service=${service}`,
  })
  return {
    search: await p95Of(url, searchesOf('plain', points)),
    'search, common word': await p95Of(url, searchesOf('common', points)),
    month: await p95Of(
      url,
      salons.map((salon) => at(salon, `/month?month=${month}`)),
    ),
    day: await p95Of(
      url,
      salons.map((salon) => at(salon, `?from=${soon}&days=1`)),
    ),
    'home page': await p95Of(
      url,
      points.map((_, n) => ({ path: `/?n=${n}-${Date.now()}` })),
      pagesAskedBefore,
    ),
    'salon page': await p95Of(
      url,
      salons.map(({ slug }) => ({ path: `/salon/${slug}` })),
      pagesAskedBefore,
    ),
    hold: await holds(crowd, salons),
  }
}

export async function run(options: Options): Promise<Figure[]> {
  const sizes = options.sizes ?? [1000, 10_000, 100_000]
  const measured: { size: number; p95: Record<string, number> }[] = []
  for (const size of sizes) {
    const p95 = await withCrowd(size, (crowd) => measure(crowd, options.requests ?? 200))
    process.stderr.write(`${JSON.stringify({ size, p95 })}\n`)
    measured.push({ size, p95 })
  }
  const names = Object.keys(measured[0]?.p95 ?? {})
  const lines: Line[] = names.map((name) => ({ name, points: measured.map(({ size, p95 }) => ({ x: size, y: p95[name] ?? Number.NaN })) }))
  const results = join(root, 'bench/results')
  if (options.keep) {
    mkdirSync(results, { recursive: true })
    writeFileSync(join(results, 'scale.svg'), plotOf('p95 of an answer by the number of institutes', 'ms', lines))
    writeFileSync(join(results, 'scale.json'), `${JSON.stringify(measured, null, 2)}\n`)
  }
  return measured.flatMap(({ size, p95 }) =>
    Object.entries(p95).map(([name, value]): Figure => ({
      name: `scale.${size}.${name.replaceAll(/[ ,]+/g, '_')}.p95`,
      value,
      unit: 'ms',
    })),
  )
}

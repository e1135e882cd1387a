/** Memory of the server while it answers a million requests of every kind: after the first hundred thousand it stays where it is. */
import { minuteMs } from '@soigne/contract/time'
import { loopback } from './crowd.ts'
import type { Figure, Options } from './figure.ts'
import type { HttpRequest } from './http-connections.ts'
import { ask, strangers } from './load.ts'
import { mixOf, salonPaths } from './pages.ts'
import { dropDataDir, newDataDir, startProduct } from './product.ts'

export const limitMB = 50
const rounds = 20
/** The whole run ends by then, with as many requests as were answered. */
const longestMs = 14 * minuteMs

interface Reading {
  asked: number
  mb: number
}

/** What a server holds, in megabytes. */
interface Memory {
  asked: number
  perSecond: number
  /** After the first tenth of the requests and a bit. */
  warm: number
  end: number
  most: number
  /** Growth with each hundred thousand requests. */
  slope: number
}

async function residentMB(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  return Number(/^process_resident_memory_bytes (\d+)/m.exec(text)?.[1] ?? Number.NaN) / 1_000_000
}

const assetOf = async (url: string): Promise<string> => /\/assets\/[\w./-]+\.js/.exec(await (await fetch(`${url}/`)).text())?.[0] ?? '/'

/** Four hundred requests: mostly pages and files, some calls, some that are refused. */
async function everyKind(url: string): Promise<HttpRequest[]> {
  const institutes = await salonPaths(url)
  const asset = await assetOf(url)
  const pages = mixOf(institutes)
    .filter(({ path }) => !path.startsWith('/institutes'))
    .slice(0, 190)
  const list = (await (await fetch(`${url}/api/v1/client/institutes?place=Lyon&pageSize=20`)).json()) as {
    items: { _id: string; slug: string; service: { _id: string } | null }[]
  }
  const bookable = list.items.filter(({ service }) => service !== null)
  const times = bookable
    .slice(0, 12)
    .map(({ _id, service }) => ({ path: `/api/v1/client/institutes/${_id}/availability?service=${service?._id}&days=2` }))
  const repeat = (count: number, make: (n: number) => HttpRequest): HttpRequest[] => Array.from({ length: count }, (_, n) => make(n))
  const all = [
    ...pages,
    ...times,
    ...repeat(2, (n) => ({ path: `/api/v1/client/institutes?place=Lyon&pageSize=10&page=${n + 1}` })),
    ...repeat(90, (n) => ({ path: asset, ...(n % 3 === 0 && { headers: { 'accept-encoding': 'br' } }) })),
    ...repeat(30, (n) => ({ path: `/api/v1/nothing/${n}` })),
    ...repeat(20, () => ({ path: '/api/v1/client/institutes?pageSize=7' })),
    ...repeat(20, () => ({ path: '/api/v1/client/institutes/not-an-id/availability' })),
    ...repeat(20, () => ({ path: '/api/v1/secure/appointments', headers: { authorization: 'Bearer nobody' } })),
    ...repeat(10, () => ({ path: '/api/v1/client/auth/login', method: 'POST', body: '{"email":' })),
    ...repeat(6, () => ({ path: '/health' })),
  ]
  return all
    .map((one, n) => ({ one, place: (n * 149) % all.length }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one)
}

/** Megabytes more with each hundred thousand requests, by least squares. */
function slopeOf(sizes: readonly Reading[]): number {
  const mean = (pick: (one: Reading) => number): number => sizes.reduce((sum, one) => sum + pick(one), 0) / sizes.length
  const asked = mean((one) => one.asked)
  const mb = mean((one) => one.mb)
  const above = sizes.reduce((sum, one) => sum + (one.asked - asked) * (one.mb - mb), 0)
  return (above / sizes.reduce((sum, one) => sum + (one.asked - asked) ** 2, 0)) * 100_000
}

/** Asks a server so many requests of every kind; how much it holds after each twentieth of them. */
export async function memoryUnder(url: string, requests: number): Promise<Memory> {
  const mix = await everyKind(url)
  const began = performance.now()
  const sizes: Reading[] = []
  let asked = 0
  const go = async (total: number): Promise<void> => {
    const result = await ask({ url, requests: mix, connections: 8, total })
    if (strangers(result, [200, 400, 401, 404]) > 0) throw new Error(JSON.stringify(result.statuses))
    asked += result.answers
    sizes.push({ asked, mb: await residentMB(url) })
    process.stderr.write(`${asked} asked, ${Math.round(sizes.at(-1)?.mb ?? 0)} MB, ${Math.round(result.perSecond)}/s\n`)
  }
  await go(requests / 10)
  for (let round = 0; round < rounds && performance.now() - began < longestMs; round++) await go(requests / rounds)
  // The first reading still holds what the start left; one reading of a heap that breathes says little.
  const later = sizes.slice(1)
  const mean = (some: readonly Reading[]): number => some.reduce((sum, { mb }) => sum + mb, 0) / some.length
  return {
    asked,
    perSecond: asked / ((performance.now() - began) / 1000),
    warm: mean(later.slice(0, 3)),
    end: mean(later.slice(-3)),
    most: Math.max(...sizes.map(({ mb }) => mb)),
    slope: slopeOf(later),
  }
}

export async function run({ requests = 1_000_000 }: Options): Promise<Figure[]> {
  const dataDir = newDataDir()
  const product = await startProduct({ dataDir })
  try {
    const { asked, perSecond, warm, end, most, slope } = await memoryUnder(loopback(product), requests)
    return [
      { name: 'memory.requests', value: asked, unit: 'requests' },
      { name: 'memory.per_second', value: perSecond, unit: 'requests/s' },
      { name: 'memory.warm', value: warm, unit: 'MB' },
      { name: 'memory.end', value: end, unit: 'MB' },
      { name: 'memory.most', value: most, unit: 'MB' },
      { name: 'memory.grown', value: end - warm, unit: 'MB', limit: limitMB },
      { name: 'memory.slope', value: slope, unit: 'MB per 100,000 requests' },
    ]
  } finally {
    await product.stop()
    dropDataDir(dataDir)
  }
}

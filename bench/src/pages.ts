/**
 * Server-rendered public pages per second: a mix as visitors make it, one hot address of each kind, and addresses nobody asked for before;
 * and how long a day of free times takes while many new lists are asked for.
 */
import { dayMs } from '@soigne/contract/time'
import { loopback } from './crowd.ts'
import type { Figure, Options } from './figure.ts'
import type { HttpRequest } from './http-connections.ts'
import { ask, type LoadResult, strangers } from './load.ts'
import { dropDataDir, newDataDir, startProduct } from './product.ts'
import { asBrowser, localeAt } from './visits.ts'

export const goal = 500
const connections = 8
const cities = ['Lyon', 'Paris', 'London', 'Tunis', 'Berlin', 'Casablanca', 'Marseille', 'Nice', 'Brussels', 'Geneva', 'Madrid', 'Rome']
const filters = ['', '&what=massage', '&category=hair', '&category=nails', '&day=tomorrow', '&sort=soonest']

export async function salonPaths(url: string): Promise<string[]> {
  const paths: string[] = []
  for (const city of cities) {
    const answer = (await (await fetch(`${url}/api/v1/client/institutes?pageSize=50&place=${city}`)).json()) as {
      items?: { slug: string }[]
    }
    paths.push(...(answer.items ?? []).map(({ slug }) => `/salon/${slug}`))
  }
  return [...new Set(paths)]
}

/** A thousand visits: a fifth to the home page, a third to lists of a city with or without a filter, two fifths to institutes (the first ones far more often than the last), the rest to pages of text. */
export function mixOf(institutes: readonly string[]): HttpRequest[] {
  return Array.from({ length: 1000 }, (_, n) => {
    const draw = (n * 617) % 1000
    if (draw < 200) return asBrowser('/', localeAt(n))
    if (draw < 530) {
      const filter = (filters[(n * 5) % filters.length] ?? '').replace('tomorrow', new Date(Date.now() + dayMs).toISOString().slice(0, 10))
      return asBrowser(`/institutes?place=${cities[Math.floor(((n * 7) % 144) / 12) % cities.length]}${filter}`, localeAt(n))
    }
    if (draw < 930) return asBrowser(institutes[Math.floor(institutes.length * (((n * 263) % 1000) / 1000) ** 2)] ?? '/', localeAt(n))
    return asBrowser(n % 2 === 0 ? '/terms' : '/contact', localeAt(n))
  })
}

const perSecond = (name: string, result: LoadResult, more: Partial<Figure> = {}): Figure[] => {
  if (strangers(result, [200]) > 0) throw new Error(`${name}: ${JSON.stringify(result.statuses)}`)
  return [
    { name: `pages.${name}`, value: result.perSecond, unit: 'pages/s', ...more },
    { name: `pages.${name}.p95`, value: result.p95, unit: 'ms' },
  ]
}

/** A day of free times, asked for by one client alone and then while sixteen others ask for new lists. */
async function meanwhile(url: string, seconds: number): Promise<Figure[]> {
  const { items } = (await (await fetch(`${url}/api/v1/client/institutes?place=Lyon`)).json()) as {
    items: { _id: string; service: { _id: string } | null }[]
  }
  const shown = items.find(({ service }) => service !== null)
  const day = { path: `/api/v1/client/institutes/${shown?._id}/availability?days=1&service=${shown?.service?._id}` }
  const askDay = (): Promise<LoadResult> => ask({ url, requests: [day], connections: 1, seconds })
  await askDay()
  const alone = await askDay()
  const lists = Array.from({ length: 9000 }, (_, n) => asBrowser(`/institutes?place=${cities[n % cities.length]}&maxPrice=${10_000 + n}`))
  const [busy] = await Promise.all([askDay(), ask({ url, requests: lists, connections: 16, seconds })])
  if (strangers(alone, [200]) + strangers(busy, [200]) > 0) throw new Error(`a day: ${JSON.stringify([alone.statuses, busy.statuses])}`)
  return [
    { name: 'pages.meanwhile.day_alone.p95', value: alone.p95, unit: 'ms' },
    { name: 'pages.meanwhile.day_beside_16_new_lists.p95', value: busy.p95, unit: 'ms' },
  ]
}

export async function run({ requests }: Options): Promise<Figure[]> {
  const seconds = requests === undefined ? 20 : 5
  const dataDir = newDataDir()
  const product = await startProduct({ dataDir })
  try {
    const url = loopback(product)
    const institutes = await salonPaths(url)
    const mix = mixOf(institutes)
    await ask({ url, requests: mix, connections, seconds: Math.min(10, seconds) })
    const figures = [
      { name: 'pages.mix.addresses', value: new Set(mix.map((one) => JSON.stringify(one))).size, unit: 'addresses' },
      ...perSecond('mix', await ask({ url, requests: mix, connections, seconds }), { limit: goal, atLeast: true }),
    ]
    const kinds = { home: '/', list: '/institutes?place=Lyon', institute: institutes[0] ?? '/', text: '/terms' }
    for (const [name, path] of Object.entries(kinds))
      figures.push(...perSecond(`one_address.${name}`, await ask({ url, requests: [asBrowser(path)], connections, seconds: seconds / 4 })))
    // Addresses of one kind differ by a word that means nothing, so they share what they are made from; other questions share nothing.
    const withNumber = (path: string, n: number): string => `${path}${path.includes('?') ? '&' : '?'}n=${n}`
    const newAddresses: Record<string, (n: number) => string> = {
      ...Object.fromEntries(Object.entries(kinds).map(([name, path]) => [name, (n: number) => withNumber(path, n)])),
      all_salons: (n) => withNumber(institutes[n % institutes.length] ?? '/', n),
      other_questions: (n) => `/institutes?place=${cities[n % cities.length]}&maxPrice=${1000 + n}`,
    }
    for (const [name, pathAt] of Object.entries(newAddresses)) {
      const fresh = Array.from({ length: 5000 }, (_, n) => asBrowser(pathAt(n)))
      figures.push(...perSecond(`new_addresses.${name}`, await ask({ url, requests: fresh, connections, seconds: seconds / 4 })))
    }
    return [...figures, ...(await meanwhile(url, seconds / 2))]
  } finally {
    await product.stop()
    dropDataDir(dataDir)
  }
}

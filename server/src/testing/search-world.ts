/** Searches over the whole demo, on a Friday at ten o'clock in Paris, and the same written as plainly as possible. */
import type { InstituteCard } from '@soigne/contract/institutes'
import type { Place } from '@soigne/contract/places'
import { seedDemo } from '@soigne/demo/showcase/seed-demo'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect } from 'vitest'
import { loadPlaces } from '#/features/places/service.ts'
import { demoHost } from '#/seeding/demo-host.ts'
import { openTestApp, type TestApp } from './test-app.ts'

export const now = '2026-11-20T09:00:00Z'
export const lyon = { lat: '45.764', lon: '4.8357' }

export type Query = Record<string, string>
export interface Answer {
  items: InstituteCard[]
  page: number
  pageSize: number
  total: number
  origin: { name: string | null; lat: number; lon: number } | null
  place: Place | null
  otherPlaces: Place[]
  relax: { filter: string; total: number }[]
}
export interface Known {
  id: string
  slug: string
  name: string
  categories: string[]
  lat: number
  lon: number
  audience: string[]
  languages: string[]
  payment: string[]
  atHome: boolean
  rating: number
  currency: string
  services: { id: string; category: string; audience: string; minutes: number; price: number | null; bookable: boolean; position: number }[]
}

export const slugs = (items: readonly { slug: string }[]): string[] => items.map(({ slug }) => slug).sort()

export function kilometres(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  const radians = Math.PI / 180
  const half =
    Math.sin(((b.lat - a.lat) * radians) / 2) ** 2 +
    Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(((b.lon - a.lon) * radians) / 2) ** 2
  return 2 * 6378.168 * Math.asin(Math.sqrt(half))
}

const fits = (asked: string | undefined, audience: string): boolean => asked === undefined || audience === 'All' || audience === asked

/** The shortest service that passes. */
export function naiveService(one: Known, { category, audience, maxPrice }: Query): Known['services'][number] | undefined {
  const unit = one.currency === 'TND' ? 1000 : 100
  return one.services
    .filter((service) => service.bookable && (!category || service.category === category) && fits(audience, service.audience))
    .filter(({ price }) => maxPrice === undefined || (price !== null && price <= Number(maxPrice) * unit))
    .sort((a, b) => a.minutes - b.minutes || a.position - b.position)[0]
}

function naiveSearch(known: readonly Known[], query: Query): Known[] {
  return known.filter((one) => {
    if (query['lat'] && kilometres({ lat: Number(query['lat']), lon: Number(query['lon']) }, one) > Number(query['radiusKm'] ?? 25))
      return false
    if (query['category'] && !one.categories.includes(query['category'])) return false
    if (query['audience'] && !one.audience.some((audience) => fits(query['audience'], audience))) return false
    if (query['language'] && !one.languages.includes(query['language'])) return false
    if (query['paymentMethod'] && !one.payment.includes(query['paymentMethod'])) return false
    if (query['atHome'] === 'true' && !one.atHome) return false
    if (query['minRating'] && Math.round(one.rating * 100) / 100 < Number(query['minRating'])) return false
    return !query['maxPrice'] || naiveService(one, query) !== undefined
  })
}

async function readKnown(db: TestApp['db']): Promise<Known[]> {
  return (
    await sql<Known>`select id, slug, name, categories, lat, lon, audience, languages, payment_methods as payment, at_home as "atHome", currency,
    ((average_welcoming + average_hygiene + average_atmosphere + average_service_quality) / 4)::float8 as rating,
    (select json_agg(json_build_object('id', s.id, 'category', s.category, 'audience', s.audience, 'position', s.position,
      'minutes', (select min(coalesce(ms.active_minutes + ms.idle_minutes + ms.active_after_minutes, s.active_minutes + s.idle_minutes + s.active_after_minutes)) from member_services ms join team_members m on m.id = ms.member_id where ms.service_id = s.id and m.bookable_online),
      'price', (select min(coalesce(ms.price_amount, s.price_amount)) from member_services ms join team_members m on m.id = ms.member_id where ms.service_id = s.id and m.bookable_online),
      'bookable', exists (select from member_services ms join team_members m on m.id = ms.member_id where ms.service_id = s.id and m.bookable_online))) from services s where s.institute_id = institutes.id) as services
    from institutes where state = 'published'`.execute(db)
  ).rows
}

export interface SearchWorld {
  readonly t: TestApp
  /** Every published institute. */
  readonly known: Known[]
  search(query: Query, locale?: string): Promise<Answer>
  /** Every page, joined. */
  all(query: Query, locale?: string): Promise<InstituteCard[]>
  /** Whom a search finds, written as plainly as possible. */
  naiveSearch(query: Query): Known[]
}

const oneTown = (db: TestApp['db']): Promise<unknown> =>
  sql`insert into places (geoname_id, name, name_fr, name_ar, region, country_code, lat, lon, population, time_zone, search) values (2996944, 'Lyon', 'Lyon', 'ليون', null, 'FR', 45.74846, 4.84671, 522228, 'Europe/Paris', '|lyon|ليون|')`.execute(
    db,
  )

/** Seeds the demo before the tests of a file; of the gazetteer it has Lyon alone unless all of it is asked for. */
export function searchTheDemo(gazetteer: 'lyon' | 'whole' = 'lyon'): SearchWorld {
  let t: TestApp
  let known: Known[]
  beforeAll(async () => {
    t = await openTestApp({ at: now })
    await seedDemo(t.context.database.pool, { host: demoHost, now: t.clock.now() })
    await (gazetteer === 'lyon' ? oneTown(t.db) : loadPlaces(t.db))
    known = await readKnown(t.db)
  }, 300_000)
  afterAll(() => t.close())

  async function search(query: Query, locale = 'en'): Promise<Answer> {
    const answer = await t.inject('GET', `/api/v1/client/institutes?${new URLSearchParams(query)}`, { locale })
    expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)])
    return answer.body as unknown as Answer
  }

  async function all(query: Query, locale = 'en'): Promise<InstituteCard[]> {
    const items: InstituteCard[] = []
    for (let page = 1; ; page++) {
      const answer = await search({ ...query, page: String(page), pageSize: '50' }, locale)
      items.push(...answer.items)
      if (items.length >= answer.total || answer.items.length === 0) {
        expect(items.length).toBe(answer.total)
        return items
      }
    }
  }

  return {
    get t() {
      return t
    },
    get known() {
      return known
    },
    search,
    all,
    naiveSearch: (query) => naiveSearch(known, query),
  }
}

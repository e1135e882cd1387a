/** Searches over the whole demo, on a Friday at ten o'clock in Paris, and the same written as plainly as possible. */
import type { InstituteCard } from '@soigne/contract/institutes'
import type { Place } from '@soigne/contract/places'
import { seedDemo } from '@soigne/demo/showcase/seed-demo'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, inject } from 'vitest'
import { foldedWords, foldText } from '#/platform/fold-text.ts'
import { loadPlaces } from '#/features/places/service.ts'
import { daysWithTimes } from '#/features/availability/service.ts'
import { demoHost } from '#/seeding/demo-host.ts'
import { openTestApp, type TestApp } from './test-app.ts'
import { cloneTemplate, filledTemplate } from './test-database.ts'

export const now = '2026-11-20T09:00:00Z'
export const lyon = { lat: '45.764', lon: '4.8357' }

export type Query = Record<string, string>
export interface Answer {
  items: InstituteCard[]
  page: number
  pageSize: number
  total: number
  listed: number
  leftOut: string[]
  origin: { name: string | null; lat: number; lon: number } | null
  place: Place | null
  otherPlaces: Place[]
  relax: { filter: string; total: number }[]
}
interface KnownService {
  id: string
  name: string
  /** In all languages. */
  names: string[]
  sections: string[]
  category: string
  audience: string
  price: number | null
  bookable: boolean
  position: number
  isSignature: boolean
  /** Booked in the last 90 days and not called off. */
  visits: number
  /** Another service asks for it beforehand. */
  isAskedBefore: boolean
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
  timeZone: string
  services: KnownService[]
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

/** 0 for a treatment, 1 for what is done for children, 2 for a consultation or a test. */
export function kindOfService({ name, category, audience, isSignature, isAskedBefore }: KnownService): 0 | 1 | 2 {
  if (isSignature) return 0
  if (isAskedBefore || (category !== 'counseling' && /consultation|assessment|\btest\b/i.test(name))) return 2
  return audience === 'Kids' || /child/i.test(name) ? 1 : 0
}

/** How well a service answers one word: 10 by its name or by the category that the word stands for, 7 by its section. */
function naiveFit(service: KnownService, word: string, category: string | undefined): number {
  const has = (texts: readonly string[]): boolean => texts.some((text) => foldedWords(text).some((one) => one.startsWith(foldText(word))))
  if (has(service.names) || service.category === category) return 10
  return has(service.sections) ? 7 : 0
}

/** Those that answer a word best; all of them where none does, since it is the name of the institute or of its place. */
export function naiveAnswering(one: Known, word: string, category: string | undefined): Known {
  const fits = one.services
    .filter(({ bookable, price }) => bookable && price !== null)
    .map((service) => ({ service, fit: naiveFit(service, word, category) }))
  const best = Math.max(0, ...fits.map(({ fit }) => fit))
  return { ...one, services: fits.filter(({ fit }) => fit === best).map(({ service }) => service) }
}

/** The services that pass, the one that stands for the institute first. */
export function naiveServices(one: Known, { category, audience, maxPrice }: Query): KnownService[] {
  const unit = one.currency === 'TND' ? 1000 : 100
  return one.services
    .filter(
      (service) =>
        service.bookable && service.price !== null && (!category || service.category === category) && fits(audience, service.audience),
    )
    .filter(({ price }) => maxPrice === undefined || (price !== null && price <= Number(maxPrice) * unit))
    .sort(
      (a, b) =>
        (audience === 'Kids' ? Number(b.audience === 'Kids') - Number(a.audience === 'Kids') : 0) ||
        kindOfService(a) - kindOfService(b) ||
        Number(b.isSignature) - Number(a.isSignature) ||
        b.visits - a.visits ||
        a.position - b.position,
    )
}

/** What the times of a card are for. */
export const naiveService = (one: Known, query: Query): KnownService | undefined => naiveServices(one, query)[0]

const partOf = (startsAt: string, zone: string): string => {
  const { hour } = Temporal.Instant.from(startsAt).toZonedDateTimeISO(zone)
  return hour < 12 ? 'morning' : hour < 17 ? 'afternoon' : 'evening'
}

type Days = Awaited<ReturnType<typeof daysWithTimes>>
const daysRead = new WeakMap<TestApp['db'], Map<string, Promise<Days>>>()
/** Each diary is read once for all the queries of a file: no file that asks changes one of the demo. */
function daysOf(db: TestApp['db'], one: Known, asked: { serviceId: string; from: string; days: number }): Promise<Days> {
  const known = daysRead.get(db) ?? new Map<string, Promise<Days>>()
  daysRead.set(db, known)
  const { serviceId, from, days } = asked
  const key = [serviceId, from, days].join()
  const read = known.get(key) ?? daysWithTimes(db, { instituteId: one.id, cart: [{ serviceId }], now: Date.parse(now), days, from })
  known.set(key, read)
  return read
}

/** What a card shows, by reading the diary: the signature's times, or else those of the service of its kind, or of the next, that is free earliest. */
export async function naiveTimes(db: TestApp['db'], one: Known, query: Query): Promise<{ service: KnownService; times: string[] } | null> {
  const timesOf = async (service: KnownService): Promise<string[]> => {
    const { days, timeZone } = await daysOf(db, one, {
      serviceId: service.id,
      days: query['day'] === undefined ? 31 : 1,
      from: query['day'] ?? Temporal.Instant.from(now).toZonedDateTimeISO(one.timeZone).toPlainDate().toString(),
    })
    const starts = days.flatMap(({ times }) => times.map(({ startsAt }) => startsAt))
    return query['part'] === undefined ? starts : starts.filter((startsAt) => partOf(startsAt, timeZone) === query['part'])
  }
  const services = naiveServices(one, query)
  const [signature] = services
  if (!signature) return null
  const times = await timesOf(signature)
  if (times.length > 0) return { service: signature, times }
  const kindOf = (service: KnownService): string =>
    `${query['audience'] === 'Kids' && service.audience === 'Kids'} ${kindOfService(service)}`
  for (const alike of Map.groupBy(services, kindOf).values()) {
    const found = await Promise.all(alike.map(async (service) => ({ service, times: await timesOf(service) })))
    const [first] = found.filter((some) => some.times.length > 0).sort((a, b) => ((a.times[0] ?? '') < (b.times[0] ?? '') ? -1 : 1))
    if (first) return first
  }
  return null
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
    await sql<Known>`with counted as materialized (select g.service_id, count(*) as visits from segments g join appointments a on a.id = g.appointment_id where a.life = 'booked'
        and a.created_at > ${now}::timestamptz - interval '90 days' and a.starts_at > ${now}::timestamptz - interval '90 days' group by 1)
    select id, slug, name, categories, lat, lon, audience, languages, payment_methods as payment, (at_home and exists (select from services h where h.institute_id = institutes.id and h.active and h.venue <> 'salon')) as "atHome", currency, time_zone as "timeZone",
    ((average_welcoming + average_hygiene + average_atmosphere + average_service_quality) / 4)::float8 as rating,
    (select json_agg(json_build_object('id', s.id, 'category', s.category, 'audience', s.audience, 'position', s.position, 'name', s.name->>'en',
      'names', (select json_agg(value) from jsonb_each_text(s.name)), 'sections', (select coalesce(json_agg(value), '[]') from jsonb_each_text(s.section)),
      'isSignature', s.is_signature, 'isAskedBefore', exists (select from service_prerequisites p where p.required_service_id = s.id),
      'visits', coalesce(k.visits, 0),
      'price', (select min(coalesce(ms.price_amount, s.price_amount)) from member_services ms join team_members m on m.id = ms.member_id where ms.service_id = s.id and m.bookable_online),
      'bookable', exists (select from member_services ms join team_members m on m.id = ms.member_id where ms.service_id = s.id and (m.bookable_online or s.capacity is not null)))) from services s left join counted k on k.service_id = s.id where s.institute_id = institutes.id) as services
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

/** The name of a template with the demo and one town, or all of the gazetteer: made once a run, and every file that needs the demo has a copy of it. */
export async function demoTemplate(gazetteer: 'lyon' | 'whole' = 'lyon'): Promise<string> {
  const [server, run] = [inject('databaseServer'), inject('run')]
  const lyonAlone = await filledTemplate(server, { run, what: 'demo_lyon' }, async (databaseUrl) => {
    const app = await openTestApp({ at: now, databaseUrl })
    await seedDemo(app.ownerPool, { host: demoHost, now: app.clock.now() })
    await oneTown(app.db)
    await app.close()
  })
  if (gazetteer === 'lyon') return lyonAlone
  return filledTemplate(server, { run, what: 'demo_whole', from: lyonAlone }, async (databaseUrl) => {
    const app = await openTestApp({ at: now, databaseUrl })
    await sql`delete from places`.execute(app.db)
    await loadPlaces(app.db)
    await app.close()
  })
}

/** Gives the tests of a file the demo; of the gazetteer it has Lyon alone unless all of it is asked for. */
export function searchTheDemo(gazetteer: 'lyon' | 'whole' = 'lyon'): SearchWorld {
  let t: TestApp
  let known: Known[]
  let drop: () => Promise<void>
  beforeAll(async () => {
    const clone = await cloneTemplate(inject('databaseServer'), await demoTemplate(gazetteer))
    drop = clone.drop
    t = await openTestApp({ at: now, databaseUrl: clone.url })
    known = await readKnown(t.db)
  }, 300_000)
  afterAll(async () => {
    await t.close()
    await drop()
  })

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

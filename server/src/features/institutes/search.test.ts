import type { InstituteCard } from '@soigne/contract/institutes'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { daysWithTimes } from '#/features/availability/service.ts'
import { seedDemo } from '@soigne/demo/showcase/seed-demo'
import { hold } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { demoHost } from '#/seeding/demo-host.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

// Friday ten o'clock in Paris, over the whole demo.
const now = '2026-11-20T09:00:00Z'
const lyon = { lat: '45.764', lon: '4.8357' }

type Query = Record<string, string>
interface Answer {
  items: InstituteCard[]
  page: number
  pageSize: number
  total: number
  origin: { name: string | null; lat: number; lon: number } | null
  relax: { filter: string; total: number }[]
}
interface Known {
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

let t: TestApp
let known: Known[]
beforeAll(async () => {
  t = await openTestApp({ at: now })
  await seedDemo(t.context.database.pool, { host: demoHost, now: t.clock.now() })
  await sql`insert into places (geoname_id, name, name_fr, name_ar, region, country_code, lat, lon, population, time_zone, search) values (2996944, 'Lyon', 'Lyon', 'ليون', null, 'FR', 45.74846, 4.84671, 522228, 'Europe/Paris', '|lyon|ليون|')`.execute(
    t.db,
  )
  known = (
    await sql<Known>`select id, slug, name, categories, lat, lon, audience, languages, payment_methods as payment, at_home as "atHome", currency,
    ((average_welcoming + average_hygiene + average_atmosphere + average_service_quality) / 4)::float8 as rating,
    (select json_agg(json_build_object('id', s.id, 'category', s.category, 'audience', s.audience, 'position', s.position,
      'minutes', (select min(coalesce(ms.active_minutes + ms.idle_minutes + ms.active_after_minutes, s.active_minutes + s.idle_minutes + s.active_after_minutes)) from member_services ms join team_members m on m.id = ms.member_id where ms.service_id = s.id and m.bookable_online),
      'price', (select min(coalesce(ms.price_amount, s.price_amount)) from member_services ms join team_members m on m.id = ms.member_id where ms.service_id = s.id and m.bookable_online),
      'bookable', exists (select from member_services ms join team_members m on m.id = ms.member_id where ms.service_id = s.id and m.bookable_online))) from services s where s.institute_id = institutes.id) as services
    from institutes where state = 'published'`.execute(t.db)
  ).rows
})
afterAll(() => t.close())

async function search(query: Query, locale = 'en'): Promise<Answer> {
  const answer = await t.inject('GET', `/api/v1/client/institutes?${new URLSearchParams(query)}`, { locale })
  expect([answer.status, answer.text.slice(0, 200)]).toEqual([200, expect.any(String)])
  return answer.body as unknown as Answer
}

/** Every page, joined. */
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
const slugs = (items: readonly { slug: string }[]): string[] => items.map(({ slug }) => slug).sort()

function kilometres(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  const radians = Math.PI / 180
  const half =
    Math.sin(((b.lat - a.lat) * radians) / 2) ** 2 +
    Math.cos(a.lat * radians) * Math.cos(b.lat * radians) * Math.sin(((b.lon - a.lon) * radians) / 2) ** 2
  return 2 * 6378.168 * Math.asin(Math.sqrt(half))
}

const fits = (asked: string | undefined, audience: string): boolean => asked === undefined || audience === 'All' || audience === asked

/** The shortest service that passes, written as plainly as possible. */
function naiveService(one: Known, { category, audience, maxPrice }: Query): Known['services'][number] | undefined {
  const unit = one.currency === 'TND' ? 1000 : 100
  return one.services
    .filter((service) => service.bookable && (!category || service.category === category) && fits(audience, service.audience))
    .filter(({ price }) => maxPrice === undefined || (price !== null && price <= Number(maxPrice) * unit))
    .sort((a, b) => a.minutes - b.minutes || a.position - b.position)[0]
}

function naiveSearch(query: Query): Known[] {
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

const filters: Query[] = [
  { ...lyon },
  { ...lyon, radiusKm: '2' },
  { category: 'nails' },
  { category: 'hair-removal' },
  { audience: 'Men' },
  { audience: 'Kids' },
  { language: 'Arabic' },
  { paymentMethod: 'klarna' },
  { atHome: 'true' },
  { atHome: 'false' },
  { minRating: '4.8' },
  { maxPrice: '20' },
  { maxPrice: '0' },
]

describe('filters', () => {
  it.each(filters.map((query) => [new URLSearchParams(query).toString(), query] as const))(
    '%s finds what a plain filter finds',
    async (_, query) => {
      expect(slugs(await all(query))).toEqual(slugs(naiveSearch(query)))
    },
  )

  it('two and three together find what plain filters find', async () => {
    for (const [at, first] of filters.entries()) {
      const query = { ...first, ...filters[(at * 5 + 3) % filters.length], ...filters[(at * 7 + 1) % filters.length] }
      expect([query, slugs(await all(query))]).toEqual([query, slugs(naiveSearch(query))])
    }
  })

  it('each card is about the shortest service that passes, with its lowest price', async () => {
    for (const query of [{ ...lyon }, { category: 'massage', maxPrice: '60' }, { audience: 'Men' }]) {
      for (const card of await all(query)) {
        const one = known.find(({ id }) => id === card._id)
        const service = one && naiveService(one, query)
        expect([card.slug, card.service?._id, card.service?.durationMinutes, card.priceFrom?.amount]).toEqual([
          card.slug,
          service?.id,
          service?.minutes,
          service?.price ?? undefined,
        ])
      }
    }
  })

  it('a map area replaces the radius and may reach over the antimeridian', async () => {
    const box = (west: number, south: number, east: number, north: number) =>
      known.filter(
        ({ lat, lon }) => lat >= south && lat <= north && (west <= east ? lon >= west && lon <= east : lon >= west || lon <= east),
      )
    expect(slugs(await all({ area: '2,48,3,49' }))).toEqual(slugs(box(2, 48, 3, 49)))
    expect(slugs(await all({ ...lyon, radiusKm: '1', area: '-10,30,11,60' }))).toEqual(slugs(box(-10, 30, 11, 60)))
    expect(slugs(await all({ area: '5,-90,4,90' }))).toEqual(slugs(box(5, -90, 4, 90)))
  })

  it('open now follows the wall clock of each institute, its closures included', async () => {
    const open = slugs(await all({ openNow: 'true' }))
    const rows = (
      await sql<{ slug: string; zone: string; hours: [number, number, number][] | null; shut: boolean }>`select slug, time_zone as zone,
      (select json_agg(json_build_array(weekday, opens_at, closes_at)) from opening_hours h where h.institute_id = i.id) as hours,
      exists (select from closures c where c.institute_id = i.id and date '2026-11-20' between from_day and to_day) as shut from institutes i`.execute(
        t.db,
      )
    ).rows
    const expected = rows.filter(({ zone, hours, shut }) => {
      const local = Temporal.Instant.from(now).toZonedDateTimeISO(zone)
      const minute = local.hour * 60 + local.minute
      return !shut && (hours ?? []).some(([weekday, from, to]) => weekday === local.dayOfWeek && from <= minute && minute < to)
    })
    expect(open).toEqual(slugs(expected))
    expect(open.length).toBeGreaterThan(10)
    expect(open.length).toBeLessThan(known.length)
  })
})

describe('words', () => {
  it.each([
    ['massage', 'massage'],
    ['masage', 'massage'],
    ['MASSAGE', 'massage'],
    ['المساج', 'massage'],
    ['coiffure', 'hair'],
    ['coifure', 'hair'],
    ['haircut', 'hair'],
    ['شعر', 'hair'],
    ['épilation', 'hair-removal'],
    ['epilation', 'hair-removal'],
    ['tattoo', 'tatto'],
    ['tatouage', 'tatto'],
    ['وشم', 'tatto'],
    ['beard', 'barbering'],
    ['baerd', 'barbering'],
    ['manucure', 'nails'],
    ['manucre', 'nails'],
    ['maniucre', 'nails'],
    ['مانيكير', 'nails'],
  ])('%s finds every institute for %s', async (what, category) => {
    const found = slugs(await all({ what }))
    expect(found).toEqual(expect.arrayContaining(slugs(known.filter(({ categories }) => categories.includes(category)))))
    expect(found.length).toBeLessThan(known.length / 2 + 5)
  })

  it.each([
    ['massage', 'masage'],
    ['massage', 'Massages'],
    ['beard', 'baerd'],
    ['manucure gel', 'manucre gel'],
    ['massage', 'المساج'],
    ['épilation', 'EPILATION'],
  ])('%s and %s find the same', async (right, wrong) => {
    expect(slugs(await all({ what: wrong }))).toEqual(slugs(await all({ what: right })))
  })

  it.each(['Atelier Nacre', 'atelier nacre', 'ATELIER  NACRÉ', 'atelier nacer', 'l’atelier nacre', 'nacre'])(
    '%s finds the institute of that name first',
    async (what) => {
      expect((await search({ what })).items[0]?.slug).toBe('atelier-nacre')
    },
  )

  it('the card is about the asked service, in the language of the caller', async () => {
    for (const [locale, what, name] of [
      ['en', 'gel manicure', 'Gel manicure'],
      ['fr', 'manucure gel', 'Manucure gel'],
      ['fr', 'manucre gel', 'Manucure gel'],
      ['ar', 'مانيكير جل', 'مانيكير جل'],
      ['fr', 'gel manicure', 'Manucure gel'],
    ] as const) {
      const card = (await search({ what, ...lyon }, locale)).items.find(({ slug }) => slug === 'atelier-nacre')
      expect([locale, what, card?.service?.name]).toEqual([locale, what, name])
    }
  })

  it('that mean nothing find nothing and say so', async () => {
    for (const what of ['zzqqxx', '!!!', '%%%', '🦄']) {
      const answer = await search({ what })
      expect([what, answer.total, answer.relax]).toEqual([what, 0, [{ filter: 'what', total: known.length }]])
    }
    expect((await search({ what: '' })).total).toBe(known.length)
    expect((await search({ what: ' ' })).total).toBe(known.length)
  })
})

describe('times', () => {
  /** The times of each institute's service on a day, one institute after another. */
  async function brute(query: Query): Promise<Map<string, string[]>> {
    const times = new Map<string, string[]>()
    for (const one of naiveSearch(query)) {
      const service = naiveService(one, query)
      if (!service) continue
      const answer = await daysWithTimes(t.db, {
        instituteId: one.id,
        cart: [{ serviceId: service.id }],
        now: Date.parse(now),
        days: 1,
        from: query['day'] ?? '2026-11-20',
      })
      const starts = (answer.days[0]?.times ?? [])
        .map(({ startsAt }) => startsAt)
        .filter((startsAt) => {
          const { hour } = Temporal.Instant.from(startsAt).toZonedDateTimeISO(answer.timeZone)
          return !query['part'] || query['part'] === (hour < 12 ? 'morning' : hour < 17 ? 'afternoon' : 'evening')
        })
      if (starts.length > 0) times.set(one.slug, starts)
    }
    return times
  }

  it.each<[string, Query]>([
    ['a day', { day: '2026-11-21' }],
    ['a Sunday', { day: '2026-11-22' }],
    ['today', { day: '2026-11-20' }],
    ['a morning', { day: '2026-11-24', part: 'morning' }],
    ['an evening', { day: '2026-11-24', part: 'evening' }],
    ['an afternoon near Lyon for men', { day: '2026-11-25', part: 'afternoon', audience: 'Men', ...lyon }],
    ['a day with a price', { day: '2026-11-26', maxPrice: '25', category: 'nails' }],
  ])('%s finds exactly the institutes that really have a time, with their first times', async (_, query) => {
    const expected = await brute(query)
    const found = await all(query)
    expect(slugs(found)).toEqual([...expected.keys()].sort())
    for (const card of found)
      expect([card.slug, card.nextTimes.map(({ startsAt }) => startsAt)]).toEqual([card.slug, expected.get(card.slug)?.slice(0, 3)])
  })

  it('a time that somebody holds is gone from the cards at once', async () => {
    const made = await makeInstitute(t.db, { lat: -20, lon: -30, members: 1 })
    const firsts = async (): Promise<(string | undefined)[]> =>
      (await search({ lat: '-20', lon: '-30', sort: 'soonest' })).items[0]?.nextTimes.map(({ startsAt }) => startsAt) ?? []
    const [first = '', second = ''] = await firsts()
    await hold(t, await makeUser(t.db), made, { startsAt: first, lines: [[0, 0]] })
    const after = await firsts()
    expect(after).not.toContain(first)
    expect(after).not.toContain(second)
    await sql`delete from appointments where institute_id = ${made.id}`.execute(t.db)
    await sql`delete from institutes where id = ${made.id}`.execute(t.db)
  })

  it('a day gone by finds nothing; a part alone finds the next such part', async () => {
    expect((await search({ day: '2026-11-19' })).total).toBe(0)
    const evening = await all({ part: 'evening', ...lyon })
    expect(evening.length).toBeGreaterThan(5)
    for (const card of evening)
      for (const { startsAt } of card.nextTimes)
        expect(Temporal.Instant.from(startsAt).toZonedDateTimeISO(card.timeZone).hour).toBeGreaterThanOrEqual(17)
  })

  it('soonest first is over all institutes, not over one page', async () => {
    const firsts = (await all({ sort: 'soonest' })).map(({ nextTimes }) => nextTimes[0]?.startsAt ?? '')
    expect(firsts).toEqual(firsts.toSorted())
    expect((await search({ sort: 'soonest', page: '2' })).items[0]?.nextTimes[0]?.startsAt).toBe(firsts[10])
  })
})

describe('order and pages', () => {
  it('sorts by distance, rating and price', async () => {
    const near = (await all({ sort: 'nearest', ...lyon })).map(({ distanceKm }) => distanceKm ?? -1)
    expect(near).toEqual(near.toSorted((a, b) => a - b))
    const rated = (await all({ sort: 'rating' })).map(({ rating }) => rating.average)
    expect(rated).toEqual(rated.toSorted((a, b) => b - a))
    const priced = (await all({ sort: 'price', ...lyon })).map(({ priceFrom }) => priceFrom?.amount ?? Infinity)
    expect(priced).toEqual(priced.toSorted((a, b) => a - b))
  })

  it('[K-01] has pages of 10 to 50 that are full, without doubles, in one order', async () => {
    for (const sort of ['recommended', 'rating', 'price', 'soonest']) {
      const whole = (await all({ sort })).map(({ slug }) => slug)
      expect(new Set(whole).size).toBe(whole.length)
      for (const size of [10, 20, 30, 40]) {
        const second = await search({ sort, page: '2', pageSize: String(size) })
        expect(second.items.map(({ slug }) => slug)).toEqual(whole.slice(size, 2 * size))
      }
    }
    expect((await search({})).items.length).toBe(10)
    const beyond = await search({ page: '100000', pageSize: '50' })
    expect([beyond.items, beyond.total]).toEqual([[], known.length])
  })

  it('a place by name is the origin of the distances; an unknown one finds nothing and says so', async () => {
    const answer = await search({ place: 'Lyon' }, 'ar')
    expect(answer.origin).toEqual({ name: 'ليون', lat: 45.74846, lon: 4.84671 })
    expect(answer.total).toBe(naiveSearch({ lat: '45.74846', lon: '4.84671' }).length)
    const nowhere = await search({ place: 'Xyzzyville', category: 'nails' })
    expect([nowhere.total, nowhere.origin, nowhere.relax]).toEqual([
      0,
      null,
      [{ filter: 'place', total: naiveSearch({ category: 'nails' }).length }],
    ])
  })

  it('institutes that are only listed come after bookable ones of equal fit and have no times; drafts are not found', async () => {
    const far = { lat: 10.5, lon: 20.5, services: [{ name: 'Zither polish' }] }
    const listed = await makeInstitute(t.db, { ...far, name: 'Listed Zither', claimed: false })
    const away = await makeInstitute(t.db, { ...far, name: 'Bookable Zither', lat: 10.6 })
    await makeInstitute(t.db, { ...far, state: 'draft' })
    await makeInstitute(t.db, { ...far, state: 'suspended' })
    const query = { what: 'zither', lat: '10.5', lon: '20.5' }
    const { items } = await search(query)
    expect(items.map(({ slug, claimed, nextTimes }) => [slug, claimed, nextTimes.length])).toEqual([
      [away.slug, true, 3],
      [listed.slug, false, 0],
    ])
    expect((await search({ ...query, sort: 'soonest' })).items.map(({ slug }) => slug)).toEqual([away.slug])
    await sql`delete from institutes where lat between 10 and 11`.execute(t.db)
  })
})

describe('an empty result', () => {
  it.each<[string, Query]>([
    ['a price nobody has', { ...lyon, category: 'nails', maxPrice: '1' }],
    ['a category that is not here', { ...lyon, radiusKm: '0.2', category: 'medical', language: 'Arabic' }],
    ['words and a category that do not go together', { what: 'tattoo', category: 'medical', minRating: '4' }],
    ['a day gone by', { day: '2026-11-19', category: 'medical', ...lyon, minRating: '4.2' }],
    ['an evening too late', { day: '2026-11-20', part: 'morning', category: 'fitness', ...lyon, radiusKm: '0.5' }],
    ['everything at once', { what: 'massage', day: '2026-11-22', part: 'evening', category: 'massage', maxPrice: '2', openNow: 'true' }],
  ])('%s says what each filter given up would bring, most first', async (_, query) => {
    const answer = await search(query)
    if (answer.total > 0) throw new Error('the world of this test has changed: choose filters that find nothing')
    const names = Object.keys(query).filter((name) => !['lat', 'lon', 'radiusKm'].includes(name))
    const expected: [string, number][] = []
    for (const name of [...names, ...(query['lat'] ? ['place'] : [])]) {
      const gone = name === 'place' ? ['lat', 'lon', 'radiusKm'] : [name]
      const rest = Object.fromEntries(Object.entries(query).filter(([key]) => !gone.includes(key)))
      const { total } = await search(rest)
      if (total > 0) expected.push([name, total])
    }
    expect(answer.relax.map(({ filter, total }) => [filter, total] as const).toSorted()).toEqual(expected.toSorted())
    const totals = answer.relax.map(({ total }) => total)
    expect(totals).toEqual(totals.toSorted((a, b) => b - a))
  })
})

describe('hostile input', () => {
  it.each([
    'pageSize=10&pageSize=50',
    'page=1&page=2',
    'page=0',
    'page=-1',
    'page=1e9',
    'page=1.5',
    'page=Infinity',
    'pageSize=11',
    'lat=91&lon=0',
    'lat=NaN&lon=0',
    'lat=45',
    'lon=4',
    'lat=&lon=',
    'lat=1&lat=2&lon=1',
    'radiusKm=0&lat=1&lon=1',
    'radiusKm=501&lat=1&lon=1',
    'what=%00',
    'what=a&what=b',
    `what=${'a'.repeat(121)}`,
    'area=1,2,3',
    'area=200,0,201,1',
    'area=0,50,1,40',
    'area=a,b,c,d',
    'day=2026-02-30',
    'day=tomorrow',
    'part=night',
    'category=hairy',
    'category=hair&category=nails',
    'audience=Women',
    'atHome=yes',
    'language=Klingon',
    'maxPrice=-1',
    'maxPrice=',
    'minRating=6',
    'paymentMethod=cash',
    'openNow=1',
    'sort=paid',
    'place=%00',
  ])('%s is bad input', async (query) => {
    const answer = await t.inject('GET', `/api/v1/client/institutes?${query}`)
    expect([answer.status, answer.body['code']]).toEqual([400, 'bad_input'])
  })

  it.each([
    "what=' or 1=1 --",
    'what=%ED%A0%80',
    'what=((((',
    'what=%5C',
    'what=.*.*.*',
    'what=a',
    'place=%27%3B%20drop%20table',
    'what=<script>',
    `what=${'ab '.repeat(40)}`,
    'unknown=1',
    '__proto__=1',
  ])('%s is answered calmly', async (query) => {
    expect((await t.inject('GET', `/api/v1/client/institutes?${query}`)).status).toBe(200)
  })
})

describe('the work of the database', () => {
  it.each<[string, Query, number]>([
    ['a plain page', {}, 7],
    ['a place and words', { place: 'Lyon', what: 'massage' }, 8],
    ['a day over all', { day: '2026-11-21' }, 8],
    ['a mistyped word on a day', { what: 'nial', day: '2026-11-21', part: 'evening' }, 11],
    ['a price sort with words', { sort: 'price', what: 'massage', ...lyon }, 7],
    ['soonest of all', { sort: 'soonest', pageSize: '50' }, 11],
  ])('%s needs few statements, begin and commit among them, however many institutes there are', async (_, query, most) => {
    const before = t.context.database.statements()
    await search(query)
    expect(t.context.database.statements() - before).toBeLessThanOrEqual(most)
  })
})

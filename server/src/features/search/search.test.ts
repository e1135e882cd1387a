/** Filters and words of the search, each against the same written plainly. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { lyon, naiveService, now, slugs, type Query, searchTheDemo } from '#/testing/search-world.ts'

const world = searchTheDemo()
const { all, naiveSearch, search } = world

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

  it('each card is about the signature among the services that pass, with its lowest price', async () => {
    for (const query of [
      { ...lyon },
      { category: 'massage', maxPrice: '60' },
      { audience: 'Men' },
      { audience: 'Kids' },
      { category: 'medical' },
    ]) {
      for (const card of await all(query)) {
        const one = world.known.find(({ id }) => id === card._id)
        const service = one && naiveService(one, query)
        expect([card.slug, card.service?._id, card.priceFrom?.amount]).toEqual([card.slug, service?.id, service?.price ?? undefined])
      }
    }
  })

  it('a map area replaces the radius and may reach over the antimeridian', async () => {
    const box = (west: number, south: number, east: number, north: number) =>
      world.known.filter(
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
        world.t.db,
      )
    ).rows
    const expected = rows.filter(({ zone, hours, shut }) => {
      const local = Temporal.Instant.from(now).toZonedDateTimeISO(zone)
      const minute = local.hour * 60 + local.minute
      return !shut && (hours ?? []).some(([weekday, from, to]) => weekday === local.dayOfWeek && from <= minute && minute < to)
    })
    expect(open).toEqual(slugs(expected))
    expect(open.length).toBeGreaterThan(10)
    expect(open.length).toBeLessThan(world.known.length)
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
    expect(found).toEqual(expect.arrayContaining(slugs(world.known.filter(({ categories }) => categories.includes(category)))))
    expect(found.length).toBeLessThan(world.known.length / 2 + 5)
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
      expect([what, answer.total, answer.relax]).toEqual([what, 0, [{ filter: 'what', total: world.known.length }]])
    }
    expect((await search({ what: '' })).total).toBe(world.known.length)
    expect((await search({ what: ' ' })).total).toBe(world.known.length)
  })
})

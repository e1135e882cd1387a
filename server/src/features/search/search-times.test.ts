/** Times, order, pages and empty results of the search. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { hold } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { lyon, naiveTimes, slugs, type Query, searchTheDemo } from '#/testing/search-world.ts'

const world = searchTheDemo()
const { all, naiveSearch, search } = world

describe('times', () => {
  /** The times of each institute's service on a day, one institute after another. */
  async function brute(query: Query): Promise<Map<string, string[]>> {
    const times = new Map<string, string[]>()
    for (const one of naiveSearch(query)) {
      const leads = await naiveTimes(world.t.db, one, query)
      if (leads) times.set(one.slug, leads.times)
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
    ['children tomorrow', { day: '2026-11-21', audience: 'Kids', ...lyon }],
    ['a day with a price', { day: '2026-11-26', maxPrice: '25', category: 'nails' }],
  ])('%s finds exactly the institutes that really have a time, with their first times', async (_, query) => {
    const expected = await brute(query)
    const found = await all(query)
    expect(slugs(found)).toEqual([...expected.keys()].sort())
    for (const card of found)
      expect([card.slug, card.nextTimes.map(({ startsAt }) => startsAt)]).toEqual([card.slug, expected.get(card.slug)?.slice(0, 3)])
  })

  it('a time that somebody holds is gone from the cards at once', async () => {
    const made = await makeInstitute(world.t.db, { lat: -20, lon: -30, members: 1 })
    const firsts = async (): Promise<(string | undefined)[]> =>
      (await search({ lat: '-20', lon: '-30', sort: 'soonest' })).items[0]?.nextTimes.map(({ startsAt }) => startsAt) ?? []
    const [first = '', second = ''] = await firsts()
    await hold(world.t, await makeUser(world.t.db), made, { startsAt: first, lines: [[0, 0]] })
    const after = await firsts()
    expect(after).not.toContain(first)
    expect(after).not.toContain(second)
    await sql`delete from appointments where institute_id = ${made.id}`.execute(world.t.db)
    await sql`delete from institutes where id = ${made.id}`.execute(world.t.db)
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
    expect([beyond.items, beyond.total]).toEqual([[], world.known.length])
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
    const listed = await makeInstitute(world.t.db, { ...far, name: 'Listed Zither', claimed: false })
    const away = await makeInstitute(world.t.db, { ...far, name: 'Bookable Zither', lat: 10.6 })
    await makeInstitute(world.t.db, { ...far, state: 'draft' })
    await makeInstitute(world.t.db, { ...far, state: 'suspended' })
    const query = { what: 'zither', lat: '10.5', lon: '20.5' }
    const { items } = await search(query)
    expect(items.map(({ slug, claimed, nextTimes }) => [slug, claimed, nextTimes.length])).toEqual([
      [away.slug, true, 3],
      [listed.slug, false, 0],
    ])
    expect((await search({ ...query, sort: 'soonest' })).items.map(({ slug }) => slug)).toEqual([away.slug])
    await sql`delete from institutes where lat between 10 and 11`.execute(world.t.db)
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

/** Quarters and postcodes where institutes are, among all towns of the gazetteer. */
import { describe, expect, it } from 'vitest'
import { kilometres, searchTheDemo } from '#/testing/search-world.ts'
import { sql } from 'kysely'
import { placeFills } from './jobs.ts'
import { searchPlaces } from './service.ts'
import type { Locale } from '@soigne/contract/wire'

const world = searchTheDemo('whole')

const first = async (q: string, locale: Locale = 'en'): Promise<string> => {
  const [place] = await searchPlaces(world.t.db, { q, limit: 8, locale })
  return place ? `${place.kind}: ${place.name}, ${place.region}` : 'nothing'
}

describe('[C-29] quarters and postcodes', () => {
  it.each<[string, string, Locale?]>([
    ['Croix-Rousse', 'quarter: Croix-Rousse, Lyon'],
    ['croix rousse', 'quarter: Croix-Rousse, Lyon'],
    ['Croix Rousse Lyon', 'quarter: Croix-Rousse, Lyon'],
    ['Lyon Croix-Rousse', 'quarter: Croix-Rousse, Lyon'],
    ['Croix-Rousse, Lyon, France', 'quarter: Croix-Rousse, Lyon'],
    ['croix rouse', 'quarter: Croix-Rousse, Lyon'],
    ['Guillotière', 'quarter: Guillotière, Lyon'],
    ['guillotiere', 'quarter: Guillotière, Lyon'],
    ['Guéliz', 'quarter: Guéliz, Marrakech'],
    ['جليز', 'quarter: جليز, مراكش', 'ar'],
    ['كليز', 'quarter: جليز, مراكش', 'ar'],
    ['گليز مراكش', 'quarter: جليز, مراكش', 'ar'],
    ['معاريف', 'quarter: المعاريف, الدار البيضاء', 'ar'],
    ['Marais', 'quarter: Le Marais, Paris'],
    ['le marais', 'quarter: Le Marais, Paris'],
    ['ixelles', 'quarter: Ixelles, Brussels'],
    ['Ixelles, Bruxelles', 'quarter: Ixelles, Bruxelles', 'fr'],
    ['69004', 'postcode: 69004, Lyon'],
    ['69004 Lyon', 'postcode: 69004, Lyon'],
    ['Lyon 69004', 'postcode: 69004, Lyon'],
    ['ec1y8te', 'postcode: EC1Y 8TE, London'],
    ['EC1Y 8TE', 'postcode: EC1Y 8TE, London'],
  ])('%s is %s', async (q, expected, locale) => {
    expect(await first(q, locale)).toBe(expected)
  })

  it.each([
    ['lyo', 'Lyon'],
    ['tun', 'Tunis'],
    ['par', 'Paris'],
    ['mars', 'Marseille'],
  ])('%s offers the town where institutes are before its namesakes', async (q, expected) => {
    const places = await searchPlaces(world.t.db, { q, limit: 8, locale: 'en' })
    expect(places[0]).toMatchObject({ kind: 'town', name: expected })
    const hasInstitutes = places.map((place) => world.known.some((one) => kilometres(place, one) < 10))
    expect(hasInstitutes).toEqual(hasInstitutes.toSorted((a, b) => Number(b) - Number(a)))
  })

  it('a whole town comes before the quarters that carry its name', async () => {
    const places = await searchPlaces(world.t.db, { q: 'Lyon', limit: 8, locale: 'en' })
    expect(places.map(({ kind, name }) => `${kind} ${name}`)).toEqual(expect.arrayContaining(['quarter Vieux Lyon']))
    expect(places[0]).toMatchObject({ kind: 'town', name: 'Lyon', countryCode: 'FR' })
  })
})

describe('[R-12] a search names the place it took', () => {
  it('a quarter is searched close around, and its town is named', async () => {
    const found = await world.search({ place: 'Croix-Rousse' })
    expect(found.place).toMatchObject({ kind: 'quarter', name: 'Croix-Rousse', region: 'Lyon', radiusKm: 3 })
    const near = world.known.filter((one) => found.origin && kilometres(found.origin, one) <= 3)
    expect(found.total).toBe(near.length)
  })

  it('a wider radius is taken when it is asked for', async () => {
    expect((await world.search({ place: 'Croix-Rousse', radiusKm: '25' })).total).toBe((await world.search({ place: 'Lyon' })).total)
  })

  it.each(['Soho', 'Montmartre', 'Xyzzyville'])('%s is not searched somewhere else', async (place) => {
    const found = await world.search({ place })
    expect([found.place, found.origin, found.otherPlaces, found.total]).toEqual([null, null, [], 0])
  })

  it('what else a name may mean is offered, and only where institutes are', async () => {
    const found = await world.search({ place: 'Belvédère' })
    const offered = [found.place, ...found.otherPlaces].map((place) => `${place?.name}, ${place?.region}`)
    expect(offered.slice(0, 2).toSorted()).toEqual(['Belvédère, Casablanca', 'Le Belvédère, Tunis'])
  })

  it('a slip still finds the town', async () => {
    expect((await world.search({ place: 'casablnca' })).place).toMatchObject({ kind: 'town', name: 'Casablanca' })
  })
})

describe('names in Cyrillic', () => {
  const [fill] = placeFills
  it('are filled where a gazetteer of before has none, and nowhere else', async () => {
    const undone = new Error('undone')
    await world.t.db
      .transaction()
      .execute(async (transaction) => {
        expect(await fill?.fill(transaction, null, 500)).toBeNull()
        await sql`update places set search = regexp_replace(search, '[а-я]+', '', 'g') where search ~ '[а-я]'`.execute(transaction)
        expect(await fill?.fill(transaction, null, 500)).toEqual({ cursor: '500', rows: 500 })
        throw undone
      })
      .catch((error: unknown) => expect(error).toBe(undone))
  })
})

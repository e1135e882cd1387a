import { Readable } from 'node:stream'
import type { Place, placeCalls } from '@soigne/contract/places'
import type { Locale } from '@soigne/contract/wire'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { callAsGuest } from '#/platform/calls.ts'
import { type OpenDatabase, openDatabase } from '#/platform/database.ts'
import { RefusalError } from '#/platform/refuse.ts'
import { withLongerLimits } from '#/testing/longer-limits.ts'
import { cloneTemplate } from '#/testing/test-database.ts'
import { regionName } from './country-names.ts'
import type { GazetteerPlace } from './gazetteer.ts'
import { placeCallsServed } from './routes.ts'
import regions from './regions.json' with { type: 'json' }
import { loadPlaces, placeMeant, zoneAt } from './service.ts'
import { insertPlaces } from './store.ts'

let database: OpenDatabase
let drop: () => Promise<void>

beforeAll(async () => {
  const clone = await cloneTemplate(inject('databaseServer'))
  drop = () => clone.drop()
  database = openDatabase(clone.url, { size: 2, onError: () => {} })
  await loadPlaces(database.db)
}, 300_000)

afterAll(async () => {
  await database.close()
  await drop()
})

async function search(q: string, locale: Locale = 'en', more: Record<string, unknown> = {}): Promise<Place[]> {
  const served = placeCallsServed({ database }).find((one) => one.name === 'places')
  if (!served) throw new Error('the call is not served')
  return (await callAsGuest<typeof placeCalls.places>(served, { query: { q, ...more } }, locale)).items
}

async function nearest(lat: number, lon: number, locale: Locale = 'en'): Promise<Place> {
  const served = placeCallsServed({ database }).find((one) => one.name === 'nearestPlace')
  if (!served) throw new Error('the call is not served')
  return callAsGuest<typeof placeCalls.nearestPlace>(served, { query: { lat, lon } }, locale)
}

const first = async (q: string, locale: Locale, more: Record<string, unknown> = {}): Promise<string> => {
  const [place] = await search(q, locale, more)
  return place ? `${place.name}, ${place.country}` : 'nothing'
}

describe('[C-29] places by name', () => {
  it.each<[string, Locale, string]>([
    ['lon', 'en', 'London, United Kingdom'],
    ['Londres', 'fr', 'Londres, Royaume-Uni'],
    ['لندن', 'ar', 'لندن, المملكة المتحدة'],
    ['ly', 'fr', 'Lyon, France'],
    ['genev', 'en', 'Geneva, Switzerland'],
    ['GENÈVE', 'fr', 'Genève, Suisse'],
    ['الدار البيضاء', 'ar', 'الدار البيضاء, المغرب'],
    ['الدَّارُ البَيْضَاء', 'fr', 'Casablanca, Maroc'],
    ['bruxelles', 'en', 'Brussels, Belgium'],
    ['villeurb', 'fr', 'Villeurbanne, France'],
    ['tunis', 'ar', 'تونس, تونس'],
    ['Москва', 'en', 'Moscow, Russia'],
    ['софи', 'fr', 'Sofia, Bulgarie'],
  ])('%s in %s finds %s first', async (q, locale, found) => {
    expect(await first(q, locale)).toBe(found)
  })

  it.each<[string, Locale, string]>([
    ['casablnca', 'fr', 'Casablanca, Maroc'],
    ['marsaille', 'fr', 'Marseille, France'],
    ['bruxeles', 'en', 'Brussels, Belgium'],
    ['londan', 'en', 'London, United Kingdom'],
    ['مراكس', 'ar', 'مراكش, المغرب'],
    ['sant etienne', 'fr', 'Saint-Étienne, France'],
  ])('%s with a slip in it (%s) still finds %s', async (q, locale, found) => {
    expect(await first(q, locale)).toBe(found)
  })

  it.each<[string, string]>([
    ['Lyon, France', 'Lyon, France'],
    ['lyon france', 'Lyon, France'],
    ['London, Canada', 'London, Canada'],
    ['Croix-Rousse, Lyon', 'Lyon, France'],
    ['Croix-Rousse، Lyon', 'Lyon, France'],
    ['Lyon، France', 'Lyon, France'],
  ])('%s is read as %s', async (q, found) => {
    expect(await first(q, 'en')).toBe(found)
  })

  it('near places come first among equals', async () => {
    expect(await first('saint', 'fr', { lat: 45.43, lon: 4.39 })).toBe('Saint-Étienne, France')
    expect(await first('london', 'en', { lat: 42.98, lon: -81.2 })).toBe('London, Canada')
  })

  it('answers as many as asked, each once, with zone and region', async () => {
    const places = await search('sai', 'fr', { limit: 20 })
    expect(places).toHaveLength(20)
    expect(new Set(places.map((place) => place._id)).size).toBe(20)
    expect((await search('lyon', 'fr'))[0]).toMatchObject({ timeZone: 'Europe/Paris', region: 'Auvergne-Rhône-Alpes', countryCode: 'FR' })
  })

  it.each<[string, Locale, string]>([
    ['lyon', 'ar', 'أوفرن رون ألب'],
    ['manchester', 'ar', 'إنجلترا'],
    ['munich', 'fr', 'Bavière'],
    ['münchen', 'en', 'Bavaria'],
    ['seville', 'fr', 'Andalousie'],
  ])('%s has a region that %s readers know', async (q, locale, region) => {
    expect((await search(q, locale))[0]?.region).toBe(region)
  })

  it('every region has a name without a Latin letter for Arabic', () => {
    for (const [countryCode, names] of Object.entries(regions))
      for (const name of Object.values(names)) expect(regionName(countryCode, name, 'ar')).toMatch(/^[ء-ي ]+$/)
  })

  it.each(['', ' ', '%', '_%_', '\\', "'; drop table places; --", '|', '|||', '٠', '🙂', 'zzzzqqqq'])(
    '%j finds nothing or something, and never fails',
    async (q) => {
      expect(Array.isArray(await search(q))).toBe(true)
    },
  )

  it.each(['a\u0000b', '\uD800', 'x'.repeat(10_000)])('refuses hostile text %#', async (q) => {
    await expect(search(q)).rejects.toBeInstanceOf(RefusalError)
    expect(Array.isArray([await placeMeant(database.db, q, 'en')])).toBe(true)
  })

  it.each([[{ limit: 0 }], [{ limit: 21 }], [{ limit: 'many' }], [{ lat: 91, lon: 0 }], [{ lat: 'north', lon: 0 }]])(
    'refuses %j',
    async (more) => {
      await expect(search('lyon', 'en', more)).rejects.toMatchObject({ code: 'bad_input' })
    },
  )
})

describe('the place of a point', () => {
  it.each<[number, number, Locale, string]>([
    [45.7752, 4.8331, 'fr', 'Lyon'],
    [33.5912, -7.6312, 'ar', 'الدار البيضاء'],
    [51.5226, -0.0936, 'en', 'London'],
    [50.8361, 4.3694, 'fr', 'Bruxelles'],
  ])('%d, %d is called %s %s', async (lat, lon, locale, name) => {
    expect((await nearest(lat, lon, locale)).name).toBe(name)
  })

  it('a point in the ocean or at a pole has no town', async () => {
    for (const [lat, lon] of [
      [0, -150],
      [90, 180],
      [-90, 0],
    ] as const)
      await expect(nearest(lat, lon)).rejects.toMatchObject({ code: 'not_found' })
  })

  it('the zone comes from the coordinates', () => {
    expect([zoneAt(45.77, 4.83), zoneAt(33.59, -7.63), zoneAt(51.52, -0.09), zoneAt(36.8, 10.18)]).toEqual([
      'Europe/Paris',
      'Africa/Casablanca',
      'Europe/London',
      'Africa/Tunis',
    ])
  })
})

describe('the gazetteer in the database', () => {
  it('is loaded once', async () => {
    expect(await loadPlaces(database.db)).toBe(0)
  })

  it('is loaded by a slow machine too, where one statement takes longer than statements may', async () => {
    await withLongerLimits([300, 3000, 10_000], async (limitMs) => {
      const clone = await cloneTemplate(inject('databaseServer'))
      const slow = openDatabase(clone.url, { size: 1, onError: () => {} })
      await slow.pool
        .query(`create function wait() returns trigger language plpgsql as $$ begin perform pg_sleep(${limitMs / 500}); return null; end $$;
      create trigger wait after insert on places for each statement execute function wait(); set statement_timeout = ${limitMs}`)
      const lyon: GazetteerPlace = {
        geonameId: 1,
        name: 'Lyon',
        nameFr: null,
        nameAr: null,
        countryCode: 'FR',
        region: null,
        lat: 45.76,
        lon: 4.84,
        population: 500_000,
        timeZone: 'Europe/Paris',
        search: '|lyon|',
      }
      const loaded = insertPlaces(slow.db, Readable.from([lyon]))
      expect(await loaded.finally(() => slow.close().then(clone.drop))).toBe(1)
    })
  })
})

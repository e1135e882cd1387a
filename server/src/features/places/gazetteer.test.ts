import { describe, expect, it } from 'vitest'
import { countryCodeOf, countryName } from './country-names.ts'
import { type GazetteerPlace, readGazetteer, readPlace } from './gazetteer.ts'
import { kilometres } from './service.ts'

const line = (fields: { id?: string; name?: string; alternates?: string; country?: string; population?: string; zone?: string }): string =>
  [
    fields.id ?? '7',
    fields.name ?? 'Testville',
    'Testville',
    fields.alternates ?? '',
    '45.5',
    '4.5',
    'P',
    'PPL',
    fields.country ?? 'FR',
    '',
    '84',
    '',
    '',
    '',
    fields.population ?? '1200',
    '',
    '200',
    fields.zone ?? 'Europe/Paris',
    '2016-01-01',
  ].join('\t')

describe('one line of the gazetteer', () => {
  it('becomes a place with its region, point, population and zone', () => {
    expect(readPlace(line({}))).toEqual({
      geonameId: 7,
      name: 'Testville',
      nameFr: null,
      nameAr: null,
      countryCode: 'FR',
      region: 'Auvergne-Rhône-Alpes',
      lat: 45.5,
      lon: 4.5,
      population: 1200,
      timeZone: 'Europe/Paris',
      search: '|testville|',
    })
  })

  it('is searched by Latin, Arabic and Cyrillic names and not by transliterations or other scripts', () => {
    const place = readPlace(line({ alternates: 'TST,Ville d’Essai,tesutobiru,テスト,Тест,تستفيل' }))
    expect(place?.search).toBe('|testville|tst|ville d essai|тест|تستفيل|')
    expect(place?.nameAr).toBe('تستفيل')
  })

  it('shows no Persian or Urdu spelling as the Arabic name', () => {
    expect(readPlace(line({ alternates: 'تستویل' }))?.nameAr).toBeNull()
  })

  it('gives the known names to the large place only', () => {
    expect(readPlace(line({ name: 'London', country: 'GB', population: '7556900' }))).toMatchObject({ nameFr: 'Londres', nameAr: 'لندن' })
    expect(readPlace(line({ name: 'London', country: 'US', population: '9000' }))?.nameFr).toBeNull()
  })

  it.each(['', 'one\ttwo', '\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t\t', line({ country: 'FRA' }), line({ zone: '' })])(
    'is passed over when it is not a place: %j',
    (broken) => {
      expect(readPlace(broken)).toBeNull()
    },
  )
})

describe('the whole gazetteer', () => {
  it('has over 130,000 places of the world with known zones, and the capitals in three languages', async () => {
    const zones = new Set<string>()
    const named = new Map<string, GazetteerPlace>()
    let count = 0
    for await (const place of readGazetteer()) {
      count++
      zones.add(place.timeZone)
      if (place.population > 100_000) named.set(`${place.name} ${place.countryCode}`, place)
    }
    expect(count).toBeGreaterThan(130_000)
    for (const timeZone of zones) expect(() => new Intl.DateTimeFormat('en', { timeZone })).not.toThrow()
    expect(named.get('Geneva CH')).toMatchObject({ nameFr: 'Genève', nameAr: 'جنيف' })
    expect(named.get('Brussels BE')).toMatchObject({ nameFr: 'Bruxelles', nameAr: 'بروكسل' })
    expect(named.get('Marrakech MA')).toMatchObject({ nameAr: 'مراكش' })
    expect(named.get('Tunis TN')).toMatchObject({ nameAr: 'تونس' })
  })
})

describe('countries', () => {
  it('are named in the caller’s language', () => {
    expect([countryName('BE', 'en'), countryName('BE', 'fr'), countryName('BE', 'ar')]).toEqual(['Belgium', 'Belgique', 'بلجيكا'])
  })

  it.each([
    ['France', 'FR'],
    ['maroc', 'MA'],
    ['المغرب', 'MA'],
    ['UK', 'GB'],
    ['Royaume-Uni', 'GB'],
    ['Narnia', null],
    ['', null],
  ])('%s is known as %s', (text, code) => {
    expect(countryCodeOf(text)).toBe(code)
  })
})

describe('kilometres', () => {
  it('are the shorter way round, over the date line too', () => {
    const [west, east] = [
      { lat: -17, lon: 179.9 },
      { lat: -17, lon: -179.9 },
    ]
    expect(kilometres(west, east)).toBeCloseTo(21.3, 0)
    expect(kilometres(east, west)).toBeCloseTo(kilometres(west, east), 6)
  })
})

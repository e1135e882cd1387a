// The small steps from a record to facts: categories, addresses, contacts, names alike.
import {
  addressLineOf,
  categoriesOf,
  currencyOf,
  type Facts,
  isCountry,
  isWithin,
  languagesOf,
  phoneOf,
  spokenSoftly,
  townOf,
  usualWeek,
  websiteOf,
} from '#/features/listing-facts/service.ts'
import { describe, expect, it } from 'vitest'
import { areaOfFile, byAge } from './area.ts'
import { combine } from './combine.ts'
import { cellOf, cellsNear, metresBetween, nameLikeness, sameness } from './likeness.ts'
import { slugsFor } from './slugs.ts'

describe('categories', () => {
  it.each([
    ['shop=hairdresser', 'Chez Nour', {}, ['hair']],
    ['shop=hairdresser', 'Barbería Corleone', {}, ['barbering', 'hair']],
    ['shop=beauty', 'Le Boudoir', {}, ['skincare']],
    ['shop=beauty', 'Nail Bar & Lashes', {}, ['nails', 'eyebrows', 'skincare']],
    ['shop=beauty', 'Le Boudoir', { beauty: 'nails' }, ['nails', 'skincare']],
    ['healthcare:speciality=traditional_chinese_medicine;general;acupuncture;cardiology', 'Praxis', {}, ['medical']],
    [null, 'Praxis', { amenity: 'doctors', 'healthcare:speciality': 'dermatology;general' }, ['medical', 'skincare']],
    [null, 'Jivamukti', { leisure: 'sports_centre', sport: 'yoga' }, ['fitness']],
    ['opendata=Autre', 'Au84', { description: 'Salon de coiffure h/f' }, ['hair']],
    ['opendata=Autre', 'Eunoia', { description: 'chouchous et bandeaux' }, 'not_a_salon'],
    ['shop=hairdresser_supply', 'Bedarf', {}, 'not_a_salon'],
    ['shop=perfumery', 'Parfümerie Flora', {}, 'not_a_salon'],
    ['shop=perfumery', 'Flora, institut de beauté', {}, ['skincare']],
    ['shop=beauty', 'Студия маникюра', {}, ['nails', 'skincare']],
    ['shop=beauty', 'Ногтевая студия и брови', {}, ['nails', 'eyebrows', 'skincare']],
    ['shop=beauty', 'Benefit BrowBar', {}, ['eyebrows', 'skincare']],
    ['shop=beauty', 'The Brown Room', {}, ['skincare']],
    ['shop=beauty', 'LillyNails', {}, ['nails', 'skincare']],
    ['shop=beauty', 'Nailbar Dayspa', {}, ['nails', 'body', 'skincare']],
    ['shop=beauty', 'Vespa & Co', {}, ['skincare']],
    ['shop=hairdresser', 'Barbearia do Bairro', {}, ['barbering', 'hair']],
    ['shop=hairdresser', 'حلاق الرباط', {}, ['barbering', 'hair']],
    ['shop=bakery', 'Hair & Bread', {}, 'unknown_kind'],
    ['__proto__', 'x', {}, 'unknown_kind'],
    [null, 'x', {}, 'unknown_kind'],
  ] as const)('%s "%s" %o: %o', (match, name, tags, expected) => {
    expect(categoriesOf({ match, name, tags })).toEqual(expected)
  })
})

describe('addresses', () => {
  it.each([
    ['AV RENE COTY', 'Avenue Rene Coty'],
    ["RUE DE L'EGLISE", "Rue de l'Eglise"],
    ['PL DU CHAMP DE FOIRE', 'Place du Champ de Foire'],
    ['RUE LOUIS XIV LE GRAND', 'Rue Louis XIV le Grand'],
    ['ZA DES PRES', 'ZA des Pres'],
    ["SAINT-MARTIN-D'URIAGE", "Saint-Martin-d'Uriage"],
    ['Wiener Straße', 'Wiener Straße'],
    ['Ctr Ccial Grand Var', 'Centre Commercial Grand Var'],
    ['CTRE CIAL LECLERC', 'Centre Commercial Leclerc'],
    ['CTRE COMM DES SEPT MARES', 'Centre Commercial des Sept Mares'],
    ["Rue de l''Église", "Rue de l'Église"],
    ["RUE DE L''EGLISE", "Rue de l'Eglise"],
    ["Morne A l'Eau", "Morne à l'Eau"],
    ["MORNE-A-L'EAU", "Morne-à-l'Eau"],
    ['Résidence A', 'Résidence A'],
    ['Camino A La Playa', 'Camino A La Playa'],
    ['Compagnie Commerciale', 'Compagnie Commerciale'],
    ['', ''],
  ])('%s is said as %s', (shouted, softly) => expect(spokenSoftly(shouted)).toBe(softly))

  it('have the number where the country puts it', () => {
    const tags = { 'addr:street': 'RUE DE LA GARE', 'addr:housenumber': '7' }
    expect(addressLineOf(tags, 'FR')).toBe('7 rue de la Gare')
    expect(addressLineOf({ 'addr:street': 'Seitzstraße', 'addr:housenumber': '15' }, 'DE')).toBe('Seitzstraße 15')
    expect(addressLineOf({ 'addr:full': '2 rue paul borel' }, 'FR')).toBe('2 rue paul borel')
    expect(addressLineOf({ 'addr:housenumber': '15' }, 'DE')).toBe('')
  })

  it('have no street that is only the town again', () => {
    const paris = { 'addr:street': 'PARIS', 'addr:housenumber': '42', 'addr:city': 'PARIS 10' }
    expect(addressLineOf(paris, 'FR')).toBe('')
    expect(addressLineOf({ ...paris, 'contact:street': 'Rue Mercière' }, 'FR')).toBe('42 Rue Mercière')
    expect(addressLineOf({ ...paris, 'addr:street': 'Rue de Paris' }, 'FR')).toBe('42 Rue de Paris')
    // Where no street has a name the house number is of the village.
    expect(addressLineOf({ 'addr:place': 'Oberdorf', 'addr:housenumber': '4', 'addr:city': 'Oberdorf' }, 'DE')).toBe('Oberdorf 4')
  })

  it('name the arrondissement as the quarter', () => {
    expect(townOf({ 'addr:city': 'PARIS 10', 'addr:postcode': '75010' }, 'FR')).toMatchObject({ name: 'Paris', quarter: 'Paris 10e' })
    expect(townOf({ 'addr:city': 'LYON 4EME' }, 'FR')).toMatchObject({ name: 'Lyon', quarter: 'Lyon 4e' })
    expect(townOf({ 'addr:city': 'Paris', 'addr:postcode': '75001' }, 'FR')).toMatchObject({ name: 'Paris', quarter: 'Paris 1er' })
    expect(townOf({ 'addr:city': 'Villeurbanne', 'addr:postcode': '69100' }, 'FR')).toMatchObject({ name: 'Villeurbanne', quarter: null })
    expect(townOf({ 'addr:city': '<Nul>', 'addr:suburb': 'Kamppi' }, 'FI')).toMatchObject({ name: null, quarter: 'Kamppi' })
  })
})

describe('telephone numbers', () => {
  it.each([
    ['01 46 06 01 23', 'FR', '+33 1 46 06 01 23'],
    ['+358401488477', 'FI', '+358 40 1488477'],
    ['+49 89 293763', 'DE', '+49 89 293763'],
    ['+41 (0) 44 211 55 85', 'CH', '+41 44 211 55 85'],
    ['+49 89 26015878; +49 171 1234567', 'DE', '+49 89 26015878'],
    ['\u200E+33 4 78 37 00 00\u200E', 'FR', '+33 4 78 37 00 00'],
    ['04\u200E 78 37 \u202A00 00', 'FR', '+33 4 78 37 00 00'],
    ['04 78 37 00 22/23', 'FR', '+33 4 78 37 00 22'],
    ['089 260158 78/79', 'DE', '+49 89 26015878'],
    ['089/293763', 'DE', '+49 89 293763'],
    ['99 99', 'FR', null],
    ['call me', 'FR', null],
    ['+33 6 00 00 00 00 00 00', 'FR', null],
    ['1'.repeat(5000), 'FR', null],
  ])('%.30s in %s is %s', (phone, country, expected) => {
    expect(phoneOf({ phone }, country)).toEqual({ value: expected, dropped: expected === null })
  })

  it('absent ones are not counted as dropped', () =>
    expect(phoneOf({ phone: ' ', 'contact:phone': '<Nul>' }, 'FR')).toEqual({ value: null, dropped: false }))
})

describe('websites', () => {
  it.each([
    ['www.qhair.fi', 'https://www.qhair.fi/'],
    ['http://beautylounge.fi/', 'http://beautylounge.fi/'],
    ['HTTPS://Example.FR/Über', 'https://example.fr/%C3%9Cber'],
    ['münchen-haar.de', 'https://xn--mnchen-haar-thb.de/'],
    ['https://a.fr; https://b.fr', 'https://a.fr/'],
    ['javascript:alert(1)', null],
    ['data:text/html,x', null],
    ['mailto:a@b.fr', null],
    ['http://user:secret@b.fr', null],
    ['http://127.0.0.1/', null],
    ['http://[::1]/', null],
    ['http://localhost/', null],
    ['http://printer.local/', null],
    ['salon', null],
    ['https://', null],
    [`https://a.fr/${'x'.repeat(600)}`, null],
  ])('%.40s is %s', (website, expected) => {
    expect(websiteOf({ website }).value).toBe(expected)
  })
})

describe('countries', () => {
  it('have a currency, languages that are spoken there, and territories', () => {
    expect(['FR', 'CH', 'MC', 'MA', 'TN', 'GB', 'RE', 'AQ'].map(currencyOf)).toEqual([
      'EUR',
      'CHF',
      'EUR',
      'MAD',
      'TND',
      'GBP',
      'EUR',
      'EUR',
    ])
    expect(['FR', 'MA', 'MT', 'FI', 'AD', 'GB'].map(languagesOf)).toEqual([
      ['French'],
      ['French', 'Arabic'],
      ['English', 'Other'],
      ['Other'],
      ['French', 'Other'],
      ['English'],
    ])
    expect([isWithin('RE', 'FR'), isWithin('FR', 'RE'), isWithin('MC', 'FR'), isCountry('ZZ'), isCountry('FR')]).toEqual([
      true,
      false,
      false,
      false,
      true,
    ])
  })
})

describe('likeness', () => {
  it.each([
    ['Pretextes', 'Prétextes coiffure', true],
    ['Hair Bar', 'Hair Bar', true],
    ['Forty - One', 'Forty-One Monaco', true],
    ['Paris 8', 'Paris 8 Haute Parfumerie', true],
    ['Quai 28 Coiffure Mixte (le)', 'Quai 28 Coiffure Mixte', true],
    ['L’Atelier d’Anna', 'L’Atelier de Paul', false],
    ['Salon Laura', 'Salon Lauren B.', false],
    ['Monaco Coiffure', 'Monaco Beauty', false],
    ['Larvotto Gym Center', 'Larvotto beauty center', true],
  ])('%s and %s: %s', (a, b, alike) => expect(nameLikeness(a, b, ['Monaco']) >= 0.7).toBe(alike))

  it('needs nearness and one trade besides', () => {
    const gym = { name: 'Larvotto Gym Center', categories: ['fitness'], lat: 43.7466, lon: 7.4321, city: 'Monaco', phone: null }
    const salon = { ...gym, name: 'Larvotto beauty center', categories: ['skincare'] }
    expect(sameness(gym, salon)).toBe(0)
    expect(sameness(gym, { ...gym, lat: gym.lat + 0.0004 })).toBeGreaterThan(0.9)
    expect(sameness(gym, { ...gym, lat: gym.lat + 0.0006 })).toBe(0)
  })

  it('looks in squares of the map that hold everything near, wherever people live', () => {
    for (const lat of [-54.8, -33, 0, 43.7, 60.17, 69.6]) {
      const point = { lat, lon: 24.95 }
      for (let turn = 0; turn < 360; turn += 15) {
        const north = 0.00054 * Math.cos((turn * Math.PI) / 180)
        const east = (0.00054 * Math.sin((turn * Math.PI) / 180)) / Math.cos((lat * Math.PI) / 180)
        const other = { lat: lat + north, lon: point.lon + east }
        expect(Math.round(metresBetween(point, other))).toBe(60)
        expect(cellsNear(point)).toContain(cellOf(other))
      }
    }
  })
})

describe('what two sources say', () => {
  const facts: Facts = {
    name: 'Eins',
    categories: ['hair'],
    addressLine: '',
    quarter: null,
    postalCode: null,
    city: 'Munich',
    cityGiven: false,
    countryCode: 'DE',
    timeZone: 'Europe/Berlin',
    lat: 48.1,
    lon: 11.5,
    phone: null,
    website: null,
    audience: ['All'],
    hours: [],
  }

  it('adds up the same in whatever order they came; a street comes with its own town', () => {
    const other: Facts = {
      ...facts,
      name: 'Zwei',
      categories: ['nails', 'hair'],
      addressLine: 'Weg 2',
      city: 'Garching',
      cityGiven: true,
      phone: '+49 89 1',
      audience: ['Woman'],
    }
    const one = combine({ source: 'osm', facts }, { source: 'overture', facts: other })
    expect(one).toEqual(combine({ source: 'overture', facts: other }, { source: 'osm', facts }))
    expect(one.columns).toMatchObject({
      name: 'Eins',
      categories: ['hair', 'nails'],
      address_line: 'Weg 2',
      city: 'Garching',
      phone: '+49 89 1',
      audience: ['Woman'],
      currency: 'EUR',
    })
  })
})

describe('slugs and files', () => {
  const named = {
    source: 'osm',
    sourceId: 'node/1',
    name: 'Salon de Lyon',
    city: 'Lyon',
    addressLine: '14 Rue Mercière',
    categories: ['hair'],
  }

  it('a slug has letters of an address only, the town once, and an end of its own when all else is taken', () => {
    expect(slugsFor(named).slice(0, 2)).toEqual(['salon-de-lyon', 'salon-de-lyon-rue-merciere-lyon'])
    expect(slugsFor({ ...named, name: 'Ça & Là œuvre' })[0]).toBe('ca-la-oeuvre-lyon')
    for (const wild of ['美发', 'صالون', '!!!', '-'.repeat(300), 'a'.repeat(300), "'; drop", '../..'])
      for (const slug of slugsFor({ ...named, name: wild, city: wild })) expect(slug).toMatch(/^[a-z0-9]+(-[a-z0-9]+)*$/)
    expect(slugsFor({ ...named, name: 'a'.repeat(300) }).every((slug) => slug.length <= 120)).toBe(true)
  })

  it.each([
    ['Парикмахерская «Лада»', 'Москва', 'parikmakherskaya-lada-moskva'],
    ['美发', 'Lyon', 'meifa-lyon'],
    ['かがみ', 'Lyon', 'kagami-lyon'],
    ['Κομμωτήριο', 'Αθήνα', 'kommotirio-athina'],
    ['حلاق الرباط', 'Rabat', 'hlq-lrbt-rabat'],
    ['Zoë', 'Zürich', 'zoe-zurich'],
  ])('%s in %s is %s: other letters are written in those of an address', (name, city, slug) => {
    expect(slugsFor({ ...named, name, city })[0]).toBe(slug)
  })

  it('a file is of the area it is named for, on the day it is named for, else of today', () => {
    const today = '2026-11-20'
    expect(areaOfFile('/data/andorra_ad_2021-04-14.ndjson', today)).toMatchObject({ area: 'andorra_ad', snapshot: '2021-04-14' })
    expect(areaOfFile('/data/andorra_ad.ndjson', today)).toMatchObject({ area: 'andorra_ad', snapshot: today })
    expect(areaOfFile('/data/odd_2021-02-31.ndjson', today)).toMatchObject({ area: 'odd_2021-02-31', snapshot: today })
    const files = ['b.ndjson', 'a_2021-01-01.ndjson', 'a_2020-01-01.ndjson'].map((path) => areaOfFile(path, today))
    expect(byAge(files).map(({ snapshot }) => snapshot)).toEqual(['2020-01-01', '2021-01-01', today])
  })
})

describe('the usual week', () => {
  const monday = (week: number, toMinute: number) => ({ fromDay: week * 7, fromMinute: 540, toDay: week * 7, toMinute })

  it('is the one that two thirds of the weeks agree on', () => {
    const weeks = [0, 1, 2, 3, 4, 5]
    const spans = (odd: number) => weeks.map((week) => monday(week, week < odd ? 600 : 1080))
    expect(usualWeek(spans(2), weeks, false)).toEqual({ rows: [{ weekday: 1, opensAt: 540, closesAt: 1080 }], note: 'exceptions' })
    expect(usualWeek(spans(3), weeks, false)).toEqual({ rows: [], note: 'seasons' })
    expect(usualWeek([], weeks, false)).toEqual({ rows: [], note: 'closed' })
  })
})

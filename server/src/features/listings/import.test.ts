import type { Institute } from '@soigne/contract/institutes'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { holdsPath, refused } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { makeTowns, placeFiles, placeLine, type PlaceWish } from '#/testing/open-data.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'
import { importListings, type ImportCounts, type SourceName } from './service.ts'

const now = Date.parse('2026-11-20T11:00:00Z')
const nothing = { taken: 0, updated: 0, unchanged: 0, gone: 0, merged: 0, rejected: {} }

let t: TestApp
const files = placeFiles()
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z' })
  await makeTowns(t.db)
})
afterEach(async () => {
  await sql`delete from institutes`.execute(t.db)
  await sql`delete from listing_areas`.execute(t.db)
})
afterAll(async () => {
  files.remove()
  await t.close()
})

/** Imports places as a file of that name. */
const take = (
  places: readonly (PlaceWish | string)[],
  options: { source?: SourceName; file?: string; at?: number } = {},
): Promise<ImportCounts> =>
  importListings(t.context.database.db, {
    source: options.source ?? 'osm',
    files: [
      files.write(
        options.file ?? 'lyon_fr.ndjson',
        places.map((place) => (typeof place === 'string' ? place : placeLine(place))),
      ),
    ],
    now: options.at ?? now,
  })

const page = (slug: string): Promise<TestAnswer> => t.inject('GET', `/api/v1/client/institutes/${slug}`)
const stored = async (): Promise<{ id: string; slug: string; state: string; claimed: boolean; name: string }[]> =>
  (
    await sql<{
      id: string
      slug: string
      state: string
      claimed: boolean
      name: string
    }>`select id, slug, state, claimed, name from institutes order by slug`.execute(t.db)
  ).rows

describe('a place of open data becomes an unclaimed institute', () => {
  it('with its name, address, contact, hours, zone and currency, and whose data it is', async () => {
    const counts = await take([
      {
        tags: {
          'addr:street': 'Rue Mercière',
          'addr:housenumber': '14',
          'addr:postcode': '69002',
          phone: '04 78 37 00 00',
          website: 'www.salon-un.fr',
          opening_hours: 'Tu-Sa 09:00-12:00,14:00-19:00',
        },
      },
    ])
    expect(counts).toMatchObject({ ...nothing, taken: 1 })
    const { status, body } = await page('salon-un-lyon')
    expect(status).toBe(200)
    expect(body).toMatchObject({
      name: 'Salon Un',
      claimed: false,
      categories: ['hair'],
      phone: '+33 4 78 37 00 00',
      website: 'https://www.salon-un.fr/',
      address: { line: '14 Rue Mercière', quarter: 'Lyon 2e', postalCode: '69002', city: 'Lyon', countryCode: 'FR' },
      timeZone: 'Europe/Paris',
      currency: 'EUR',
      languages: ['French'],
      paymentMethods: [],
      services: [],
      team: [],
      rating: { average: 0, count: 0 },
      sources: [
        {
          attribution: '© OpenStreetMap contributors',
          attributionUrl: 'https://www.openstreetmap.org/copyright',
          licence: 'ODbL 1.0',
          licenceUrl: 'https://opendatacommons.org/licenses/odbl/1-0/',
        },
      ],
    })
    expect(body['openingHours']).toContainEqual({
      weekday: 'Tuesday',
      ranges: [
        { opensAt: '09:00', closesAt: '12:00' },
        { opensAt: '14:00', closesAt: '19:00' },
      ],
    })
    expect(body['openingHours']).toContainEqual({ weekday: 'Monday', ranges: [] })
  })

  it('cannot be booked by anybody, whatever is asked for', async () => {
    await take([{}])
    const [institute] = await stored()
    const client = await makeUser(t.db)
    const bookable = await makeInstitute(t.db)
    const hold = (serviceId: string | undefined) =>
      t.inject('POST', holdsPath, {
        token: client.token,
        body: { instituteId: institute?.id, services: [{ serviceId }], startsAt: '2026-11-24T10:00:00+01:00' },
      })
    expect(refused(await hold(bookable.services[0]))).toEqual([422, 'not_bookable'])
    expect(refused(await hold(institute?.id))).toEqual([422, 'not_bookable'])
    for (const path of ['availability?service=', 'availability/next?service=', 'availability/month?month=2026-11&service=']) {
      const answer = await t.inject('GET', `/api/v1/client/institutes/${institute?.id}/${path}${bookable.services[0]}`)
      expect(refused(answer)).toEqual([422, 'not_bookable'])
    }
  })

  it('is found after the bookable ones, and never when a time is asked for', async () => {
    await take([{ name: 'Cut and Colour', lat: 45.7641 }])
    await makeInstitute(t.db, { name: 'Cut and Colour', slug: 'bookable', lat: 45.79 })
    const search = async (more: string): Promise<string[]> => {
      const { body } = await t.inject('GET', `/api/v1/client/institutes?lat=45.764&lon=4.8357&${more}`)
      return (body['items'] as unknown as { slug: string }[]).map(({ slug }) => slug)
    }
    expect(await search('what=cut')).toEqual(['bookable', 'cut-and-colour-lyon'])
    expect(await search('category=hair')).toEqual(['bookable', 'cut-and-colour-lyon'])
    for (const timed of ['day=2026-11-24', 'part=morning', 'sort=soonest', 'maxPrice=100'])
      expect(await search(timed)).toEqual(['bookable'])
  })

  it('gives no email away: none is stored, wherever the file has it', async () => {
    const email = 'patron@salon-un.example'
    await take([
      {
        tags: {
          email,
          'contact:email': email,
          'addr:street': `Rue ${email}`,
          website: `mailto:${email}`,
          phone: email,
          'addr:postcode': email,
          note: email,
        },
        more: { email, description: email },
      },
      { id: 'node/2', name: email, tags: { brand: email } },
    ])
    const { rows } = await sql<{
      text: string
    }>`select i::text || l::text || i.words::text as text from institutes i join listings l on l.institute_id = i.id`.execute(t.db)
    expect(rows).toHaveLength(1)
    expect(rows[0]?.text).not.toMatch(/@|patron/)
  })
})

describe('a file of any kind', () => {
  it('with lines that are no places is read to its end, each of them counted with its reason', async () => {
    const bad = (
      change: (feature: { id: unknown; type: unknown; geometry: unknown; properties: Record<string, unknown> }) => void,
    ): string => {
      const feature = JSON.parse(placeLine()) as Parameters<typeof change>[0]
      change(feature)
      return JSON.stringify(feature)
    }
    const counts = await take([
      '{"type": "Feature", "id": "node/3"',
      '[]',
      'null',
      '{"type":"Feature","id":"node/3","geometry":null,"properties":null}',
      'x'.repeat(70_000),
      `{"type":"Feature","id":"node/4","properties":{"name":"Deep"},"geometry":{"type":"Point","coordinates":[4.8,45.7]},"deep":${'['.repeat(30_000)}${']'.repeat(30_000)}}`,
      bad((one) => (one.geometry = { type: 'LineString', coordinates: [[1, 2]] })),
      bad((one) => (one.geometry = null)),
      bad((one) => (one.geometry = { type: 'Point', coordinates: [4.8, 91] })),
      bad((one) => (one.geometry = { type: 'Point', coordinates: ['4.8', '45.7'] })),
      bad((one) => (one.geometry = { type: 'Point', coordinates: [0, 0] })),
      bad((one) => (one.id = 17)),
      bad((one) => (one.id = `node/${'1'.repeat(300)}`)),
      bad((one) => (one.id = "node/1'; drop table institutes")),
      placeLine({ id: 'node/10', name: null }),
      placeLine({ id: 'node/11', name: ' … ' }),
      placeLine({ id: 'node/12', name: 'S'.repeat(121) }),
      placeLine({ id: 'node/13', name: 'Salon\u0000' }),
      placeLine({ id: 'node/14', name: 'Salon \u202Enolas' }),
      placeLine({ id: 'node/15' }).replace('Salon Un', 'Salon \\ud800'),
      placeLine({ id: 'node/16', match: 'shop=bakery' }),
      placeLine({ id: 'node/17', match: 'constructor=prototype' }),
      placeLine({ id: 'node/18', match: 'shop=hairdresser_supply' }),
      placeLine({ id: 'node/19', more: { operating_status: 'permanently_closed' } }),
      placeLine({ id: 'node/20', lat: -60, lon: -120, tags: { 'addr:country': 'ZZ' } }),
      '',
      placeLine({ id: 'node/21', name: 'Le Dernier' }),
    ])
    expect(counts).toMatchObject({
      ...nothing,
      taken: 1,
      rejected: {
        not_json: 1,
        not_a_feature: 3,
        line_too_long: 1,
        not_a_point: 2,
        bad_coordinates: 3,
        bad_id: 3,
        no_name: 2,
        name_too_long: 1,
        control_characters: 3,
        unknown_kind: 3,
        not_a_salon: 1,
        closed_for_good: 1,
        nowhere: 1,
      },
    })
    expect((await stored()).map(({ name }) => name)).toEqual(['Le Dernier'])
  })

  it('names a place by its brand when it has no other name, and takes a repeated one once', async () => {
    const counts = await take([
      { name: null, tags: { brand: 'Dessange' } },
      { name: null, tags: { brand: 'Dessange' } },
    ])
    expect(counts).toMatchObject({ taken: 1, notes: { named_by_other_tag: 1, repeated: 1 } })
    expect((await stored()).map(({ name }) => name)).toEqual(['Dessange'])
  })

  it('of which most cannot be read takes nothing off', async () => {
    await take([{}, { id: 'node/2' }])
    expect(await take([{}, '{"type": "Fea', 'garbage', 'more'])).toMatchObject({
      unchanged: 1,
      gone: 0,
      notes: { file_too_damaged_to_tell_what_is_gone: 1 },
    })
    expect(await take([])).toMatchObject({ gone: 0 })
    expect((await stored()).every(({ state }) => state === 'published')).toBe(true)
  })

  it('that does not exist stops the import before anything is written', async () => {
    const good = files.write('good_fr.ndjson', [placeLine()])
    await expect(importListings(t.context.database.db, { source: 'osm', files: [good, '/nowhere/at_all.ndjson'], now })).rejects.toThrow(
      'ENOENT',
    )
    expect(await stored()).toEqual([])
  })

  it('gives places of one name in one town addresses of their own, and keeps them', async () => {
    const three: PlaceWish[] = [
      { id: 'node/1', name: 'Aux Ciseaux', tags: { 'addr:street': 'Rue Mercière' } },
      { id: 'node/2', name: 'Aux Ciseaux', tags: { 'addr:street': 'Quai Arloing' } },
      { id: 'node/3', name: 'Aux Ciseaux', tags: { 'addr:street': 'Quai Arloing' } },
      { id: 'node/4', name: '美发' },
    ]
    await take(three)
    const slugs = (await stored()).map(({ slug }) => slug)
    expect(slugs[0]).toBe('aux-ciseaux-lyon')
    expect(slugs[1]).toMatch(/^aux-ciseaux-lyon-[0-9a-f]{8}$/)
    expect(slugs.slice(2)).toEqual(['aux-ciseaux-quai-arloing-lyon', 'hair-lyon'])
    await take(three.map((place) => ({ ...place, name: 'Nouveau Nom' })))
    expect((await stored()).map(({ slug }) => slug)).toEqual(slugs)
  })
})

describe('a second import', () => {
  it('finds everything unchanged, and updates what the source has changed, at the same address', async () => {
    const places: PlaceWish[] = [
      { version: 3 },
      { id: 'node/2', name: 'Salon Deux', version: 1, tags: { opening_hours: 'Mo 09:00-10:00' } },
    ]
    expect(await take(places)).toMatchObject({ ...nothing, taken: 2 })
    const before = await stored()
    expect(await take(places)).toMatchObject({ ...nothing, unchanged: 2 })
    const changed = await take([
      { version: 3 },
      { id: 'node/2', name: 'Salon Trois', version: 2, tags: { opening_hours: 'Tu 09:00-10:00' } },
    ])
    expect(changed).toMatchObject({ ...nothing, unchanged: 1, updated: 1 })
    const after = await stored()
    expect(after.map(({ id, slug }) => [id, slug])).toEqual(before.map(({ id, slug }) => [id, slug]))
    const { body } = await page('salon-deux-lyon')
    expect(body).toMatchObject({ name: 'Salon Trois' })
    const week = (body as unknown as Institute).openingHours
    expect(week.filter(({ ranges }) => ranges.length > 0)).toEqual([
      { weekday: 'Tuesday', ranges: [{ opensAt: '09:00', closesAt: '10:00' }] },
    ])
  })

  it('takes off what the area no longer has, and brings it back when it is there again', async () => {
    await take([{}, { id: 'node/2', name: 'Salon Deux' }])
    // Another area and another source say nothing about this one.
    await take([{ id: 'node/9', name: 'Ailleurs' }], { file: 'zurich_ch.ndjson' })
    await take([{ id: 'paris-commerces/1', name: 'Autre', match: 'opendata=Cosmétique' }], { source: 'paris' })
    expect(await take([{}])).toMatchObject({ ...nothing, unchanged: 1, gone: 1 })
    expect((await page('salon-deux-lyon')).status).toBe(404)
    expect((await stored()).filter(({ state }) => state === 'published')).toHaveLength(3)
    expect(await take([{}])).toMatchObject({ unchanged: 1, gone: 0 })
    const back = await take([{}, { id: 'node/2', name: 'Salon Deux' }])
    expect(back).toMatchObject({ ...nothing, unchanged: 1, updated: 1, notes: { back: 1 } })
    expect((await page('salon-deux-lyon')).status).toBe(200)
  })

  it('of an older file undoes nothing: not what changed, not what came, not what went', async () => {
    const newer: PlaceWish[] = [
      { version: 5, name: 'Aujourd’hui' },
      { id: 'node/2', name: 'Venu' },
    ]
    const older: PlaceWish[] = [
      { version: 4, name: 'Hier' },
      { id: 'node/3', name: 'Parti' },
    ]
    expect(await take(older, { file: 'lyon_fr_2020-05-01.ndjson' })).toMatchObject({ ...nothing, taken: 2 })
    expect(await take(newer, { file: 'lyon_fr_2021-04-14.ndjson' })).toMatchObject({ ...nothing, taken: 1, updated: 1, gone: 1 })
    const before = (await stored()).map(({ name, state }) => [name, state])
    expect(await take(older, { file: 'lyon_fr_2020-05-01.ndjson' })).toMatchObject({ ...nothing, notes: { older_than_known: 2 } })
    expect((await stored()).map(({ name, state }) => [name, state])).toEqual(before)
    // Without a date a file is of today.
    expect(await take([{ version: 6, name: 'Demain' }])).toMatchObject({ ...nothing, updated: 1, gone: 1 })
    expect(await take(newer, { file: 'lyon_fr_2021-04-14.ndjson' })).toMatchObject({ ...nothing, notes: { older_than_known: 2 } })
    // A record that was edited later is news, even from an older file.
    expect(await take([{ version: 7, name: 'Après' }], { file: 'lyon_fr_2021-04-14.ndjson' })).toMatchObject({ ...nothing, updated: 1 })
  })

  it('reads several files of one area in the order of their days', async () => {
    const young = files.write('lyon_fr_2021-01-01.ndjson', [placeLine({ version: 2, name: 'Neuf' })])
    const old = files.write('lyon_fr_2020-01-01.ndjson', [placeLine({ version: 1, name: 'Vieux' }), placeLine({ id: 'node/2' })])
    expect(await importListings(t.context.database.db, { source: 'osm', files: [young, old], now })).toMatchObject({
      taken: 2,
      updated: 1,
      gone: 1,
    })
  })

  it('leaves a claimed institute to its owner', async () => {
    await take([{ version: 1 }])
    await sql`update institutes set claimed = true, name = 'Chez Nour', state = 'published'`.execute(t.db)
    expect(await take([{ version: 2, name: 'Autre Nom' }])).toMatchObject({ updated: 1 })
    expect(await take([{ id: 'node/5', name: 'Un Cinquième' }])).toMatchObject({ taken: 1, gone: 1 })
    expect((await stored()).find(({ claimed }) => claimed)).toMatchObject({ name: 'Chez Nour', state: 'published' })
  })

  it('does not bring back what an operator has suspended', async () => {
    await take([{ version: 1 }])
    await sql`update institutes set state = 'suspended'`.execute(t.db)
    expect(await take([{ version: 2, name: 'Autre Nom' }])).toMatchObject({ updated: 1 })
    expect(await stored()).toMatchObject([{ state: 'suspended' }])
  })

  it('at the same time takes its turn', async () => {
    const places = Array.from({ length: 30 }, (_, at): PlaceWish => ({ id: `node/${at + 1}`, name: `Salon ${at}` }))
    const both = await Promise.all([take(places), take(places)])
    expect(both.map(({ taken, unchanged }) => [taken, unchanged]).toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0))).toEqual([
      [0, 30],
      [30, 0],
    ])
    expect(await stored()).toHaveLength(30)
  })
})

describe('one place of two sources', () => {
  const overture: PlaceWish = {
    id: 'overture/1',
    name: 'Prétextes coiffure',
    match: 'overture=beauty_salon',
    lat: 45.76405,
    tags: { phone: '+33 4 78 37 00 00' },
    more: { datasets: ['Foursquare:Apache-2.0', 'Overture:CDLA-Permissive-2.0'] },
  }
  const takeOverture = (places: readonly PlaceWish[]): Promise<ImportCounts> =>
    take(places, { source: 'overture', file: 'lyon_overture.ndjson' })

  it('is one institute: the first source names it, the second fills what was open, and both are named', async () => {
    await take([{ name: 'Pretextes', tags: { opening_hours: 'Mo 09:00-10:00' } }])
    expect(await takeOverture([overture, { ...overture, id: 'overture/2', name: 'Tout Autre Chose' }])).toMatchObject({
      ...nothing,
      taken: 1,
      merged: 1,
    })
    const { body } = await page('pretextes-lyon')
    expect(body).toMatchObject({ name: 'Pretextes', phone: '+33 4 78 37 00 00' })
    expect((body as unknown as Institute).sources.map(({ attribution, licence }) => [attribution, licence])).toEqual([
      ['Overture Maps Foundation, Foursquare', 'Apache 2.0'],
      ['© OpenStreetMap contributors', 'ODbL 1.0'],
    ])
    expect(await takeOverture([overture, { ...overture, id: 'overture/2', name: 'Tout Autre Chose' }])).toMatchObject({
      ...nothing,
      unchanged: 2,
    })
  })

  it('stays while one of them lists it', async () => {
    await take([{ name: 'Pretextes' }, { id: 'node/2' }])
    await takeOverture([overture, { ...overture, id: 'overture/2', name: 'Tout Autre Chose' }])
    expect(await take([{ id: 'node/2' }])).toMatchObject({ gone: 1 })
    expect((await page('pretextes-lyon')).body).toMatchObject({ name: 'Prétextes coiffure', sources: [{ licence: 'Apache 2.0' }] })
    expect(await takeOverture([{ ...overture, id: 'overture/2', name: 'Tout Autre Chose' }])).toMatchObject({ gone: 1 })
    expect((await page('pretextes-lyon')).status).toBe(404)
  })

  it('is not assumed of neighbours, of other trades, or within one source', async () => {
    await take([{ name: 'Pretextes' }, { id: 'node/2', name: 'Pretextes' }])
    expect(await stored()).toHaveLength(2)
    const others = [
      { ...overture, id: 'overture/3', lat: 45.7655 },
      { ...overture, id: 'overture/4', match: 'overture=gym' },
      { ...overture, id: 'overture/5', name: 'Salon Coiffure' },
    ]
    expect(await takeOverture(others)).toMatchObject({ taken: 3, merged: 0 })
  })
})

describe('hostile words', () => {
  const hostile = [
    '',
    ' ',
    '\u0000',
    '\u202Eevil',
    'a\nb',
    "'; drop table institutes; --",
    '<script>alert(1)</script>',
    '{{name}} ${name} %s %n',
    '../../etc/passwd',
    '\\',
    '"',
    '=cmd|calc',
    'ﷺ'.repeat(100),
    '👩‍👩‍👧‍👦'.repeat(40),
    'Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢'.repeat(6),
    'x'.repeat(60_000),
    '-1',
    '1e309',
    'null',
    '__proto__',
    'PARIS 99',
    'Mo-Su 00:00-24:00; '.repeat(26),
    'Mo 00:00-48:00',
    '+33',
    'http://',
    'https://a.fr:99999/',
  ]
  const fields = [
    'addr:street',
    'addr:housenumber',
    'addr:postcode',
    'addr:city',
    'addr:country',
    'addr:full',
    'addr:suburb',
    'phone',
    'website',
    'opening_hours',
    'brand',
    'male',
    'healthcare:speciality',
    '__proto__',
    'constructor',
  ]

  it('in any field never stop an import, and every line is accounted for', async () => {
    const places: string[] = []
    for (const [row, word] of hostile.entries()) {
      for (const [column, field] of fields.entries())
        places.push(placeLine({ id: `node/${1000 + row * 100 + column}`, tags: { [field]: word } }))
      places.push(placeLine({ id: `node/${1000 + row * 100 + 90}`, name: word }))
      places.push(placeLine({ id: `node/${1000 + row * 100 + 91}`, match: word }))
      places.push(
        placeLine({
          id: `node/${1000 + row * 100 + 92}`,
          more: { osm_version: word, osm_timestamp: word, datasets: word, operating_status: word },
        }),
      )
    }
    places.push(
      placeLine({ id: 'node/1' }).replace('"tags":{', '"tags":{"addr:street":"\\ud800","phone":7,"website":{},"addr:city":["Lyon"],'),
    )
    places.push(
      placeLine({ id: 'node/2', version: 2 ** 40, editedAt: '+275760-09-13T00:00:00Z' }),
      placeLine({ id: 'node/3', version: -1, editedAt: 'x' }),
    )
    const counts = await take(places)
    const rejected = Object.values(counts.rejected).reduce((sum, count) => sum + count, 0)
    expect(counts.taken + rejected).toBe(places.length)
    expect(counts.taken).toBeGreaterThan(hostile.length * fields.length * 0.9)
    const { rows } = await sql<{ slug: string }>`select slug from institutes`.execute(t.db)
    expect(rows).toHaveLength(counts.taken)
    for (const { slug } of rows.slice(0, 40)) expect((await page(slug)).status).toBe(200)
    expect(await take(places)).toMatchObject({ taken: 0, updated: 0, unchanged: counts.taken, gone: 0 })
  })
})

/** Importing again, from two sources, and words that mean harm. */
import type { Institute } from '@soigne/contract/institutes'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { importWorld, nothing, now } from '#/testing/import-world.ts'
import { placeLine as lineOf, type PlaceOptions } from '#/testing/open-data.ts'
import { importListings, type ImportCounts } from './service.ts'

const world = importWorld()
const { files, page, stored, take } = world

describe('a second import', () => {
  it('finds everything unchanged, and updates what the source has changed, at the same address', async () => {
    const places: PlaceOptions[] = [
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
    const newer: PlaceOptions[] = [
      { version: 5, name: 'Aujourd’hui' },
      { id: 'node/2', name: 'Venu' },
    ]
    const older: PlaceOptions[] = [
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
    const young = files.write('lyon_fr_2021-01-01.ndjson', [lineOf({ version: 2, name: 'Neuf' })])
    const old = files.write('lyon_fr_2020-01-01.ndjson', [lineOf({ version: 1, name: 'Vieux' }), lineOf({ id: 'node/2' })])
    expect(await importListings(world.t.db, { source: 'osm', files: [young, old], now })).toMatchObject({
      taken: 2,
      updated: 1,
      gone: 1,
    })
  })

  it('leaves a claimed institute to its owner', async () => {
    await take([{ version: 1 }])
    await sql`update institutes set claimed = true, name = 'Chez Nour', state = 'published'`.execute(world.t.db)
    expect(await take([{ version: 2, name: 'Autre Nom' }])).toMatchObject({ updated: 1 })
    expect(await take([{ id: 'node/5', name: 'Un Cinquième' }])).toMatchObject({ taken: 1, gone: 1 })
    expect((await stored()).find(({ claimed }) => claimed)).toMatchObject({ name: 'Chez Nour', state: 'published' })
  })

  it('does not bring back what an operator has suspended', async () => {
    await take([{ version: 1 }])
    await sql`update institutes set state = 'suspended'`.execute(world.t.db)
    expect(await take([{ version: 2, name: 'Autre Nom' }])).toMatchObject({ updated: 1 })
    expect(await stored()).toMatchObject([{ state: 'suspended' }])
  })

  it('at the same time takes its turn', async () => {
    const places = Array.from({ length: 30 }, (_, at): PlaceOptions => ({ id: `node/${at + 1}`, name: `Salon ${at}` }))
    const both = await Promise.all([take(places), take(places)])
    expect(both.map(({ taken, unchanged }) => [taken, unchanged]).toSorted((a, b) => (a[0] ?? 0) - (b[0] ?? 0))).toEqual([
      [0, 30],
      [30, 0],
    ])
    expect(await stored()).toHaveLength(30)
  })
})

describe('one place of two sources', () => {
  const overture: PlaceOptions = {
    id: 'overture/1',
    name: 'Prétextes coiffure',
    match: 'overture=beauty_salon',
    lat: 45.76405,
    tags: { phone: '+33 4 78 37 00 00' },
    more: { datasets: ['Foursquare:Apache-2.0', 'Overture:CDLA-Permissive-2.0'] },
  }
  const takeOverture = (places: readonly PlaceOptions[]): Promise<ImportCounts> =>
    take(places, { source: 'overture', file: 'lyon_overture.ndjson' })

  it('is one institute: the first source names it, the second fills what was open, and both are named', async () => {
    await take([{ name: 'Pretextes', tags: { opening_hours: 'Mo 09:00-10:00' } }])
    expect(await takeOverture([overture, { ...overture, id: 'overture/2', name: 'Tout Autre Chose', tags: {} }])).toMatchObject({
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
    expect(await takeOverture([overture, { ...overture, id: 'overture/2', name: 'Tout Autre Chose', tags: {} }])).toMatchObject({
      ...nothing,
      unchanged: 2,
    })
  })

  it('stays while one of them lists it', async () => {
    await take([{ name: 'Pretextes' }, { id: 'node/2' }])
    await takeOverture([overture, { ...overture, id: 'overture/2', name: 'Tout Autre Chose', tags: {} }])
    expect(await take([{ id: 'node/2' }])).toMatchObject({ gone: 1 })
    expect((await page('pretextes-lyon')).body).toMatchObject({ name: 'Prétextes coiffure', sources: [{ licence: 'Apache 2.0' }] })
    expect(await takeOverture([{ ...overture, id: 'overture/2', name: 'Tout Autre Chose', tags: {} }])).toMatchObject({ gone: 1 })
    expect((await page('pretextes-lyon')).status).toBe(404)
  })

  it('is one however it is called, when one telephone is answered there', async () => {
    const phone = '04 78 37 00 00'
    await take([{ name: 'Dixième Art', match: 'shop=tattoo', tags: { phone } }])
    const abroad = { ...overture, name: 'Tenth Art Tattoo', match: 'overture=tattoo_and_piercing' }
    expect(await takeOverture([abroad])).toMatchObject({ ...nothing, merged: 1 })
    expect(await stored()).toMatchObject([{ name: 'Dixième Art' }])
  })

  it('is not assumed of neighbours or of other trades', async () => {
    await take([{ name: 'Pretextes' }])
    const others = [
      { ...overture, id: 'overture/3', lat: 45.7655 },
      { ...overture, id: 'overture/4', match: 'overture=gym' },
      { ...overture, id: 'overture/5', name: 'Salon Coiffure' },
    ]
    expect(await takeOverture(others)).toMatchObject({ taken: 3, merged: 0 })
  })
})

describe('one place that its source has twice', () => {
  const node: PlaceOptions = { name: 'Chez Nour' }
  const way: PlaceOptions = { id: 'way/2', name: 'CHEZ  NOUR', lat: 45.76409, tags: { phone: '04 78 37 00 00' } }

  it('is one institute, in one file or one after the other, and stays when one of them goes', async () => {
    expect(await take([node, way])).toMatchObject({ ...nothing, taken: 1, merged: 1 })
    expect((await page('chez-nour-lyon')).body).toMatchObject({ name: 'Chez Nour', phone: '+33 4 78 37 00 00' })
    expect(await take([node, way])).toMatchObject({ ...nothing, unchanged: 2 })
    // Drawn anew as another house of the map, at the same address of ours.
    expect(await take([way, { ...way, id: 'way/3' }])).toMatchObject({ ...nothing, unchanged: 1, merged: 1, gone: 1 })
    expect(await take([{ ...way, id: 'way/3' }])).toMatchObject({ ...nothing, unchanged: 1, gone: 1 })
    expect(await stored()).toMatchObject([{ slug: 'chez-nour-lyon', state: 'published' }])
  })

  it('is known to another source once, too', async () => {
    await take([{ id: 'overture/1', match: 'overture=hair_salon', ...node }], { source: 'overture' })
    expect(await take([node, way])).toMatchObject({ ...nothing, merged: 2 })
    expect(await stored()).toHaveLength(1)
  })

  it('is two with another trade, name, street, or further away; one telephone and half a name outweigh the street', async () => {
    const [street, other] = [{ 'addr:street': 'Rue Mercière' }, { 'addr:street': 'Quai Arloing' }]
    expect(
      await take([
        { ...node, tags: street },
        { ...way, tags: { ...way.tags, ...other } },
        { ...way, id: 'way/3', lat: 45.7645, tags: {} },
        { ...way, id: 'way/4', match: 'leisure=fitness_centre' },
        { id: 'way/5', name: 'Chez Nora' },
      ]),
    ).toMatchObject({ ...nothing, taken: 5 })
    const renamed = { ...way, id: 'way/6', name: 'Salon Nour', tags: { ...way.tags, ...street } }
    const guest = { ...way, id: 'way/7', name: 'Sephora' }
    expect(await take([renamed, guest], { file: 'ain_fr.ndjson' })).toMatchObject({ ...nothing, taken: 1, merged: 1 })
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
    // Each at a place of its own: one name at one place is one institute.
    const placeLine = (options: PlaceOptions): string =>
      lineOf({ lat: 45.7 + Math.floor(places.length / 25) * 0.001, lon: 4.8 + (places.length % 25) * 0.001, ...options })
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
      placeLine({ id: 'node/3', lat: 45.6, version: -1, editedAt: 'x' }),
    )
    const counts = await take(places)
    const rejected = Object.values(counts.rejected).reduce((sum, count) => sum + count, 0)
    expect(counts.taken + rejected).toBe(places.length)
    expect(counts.taken).toBeGreaterThan(hostile.length * fields.length * 0.9)
    const { rows } = await sql<{ slug: string }>`select slug from institutes`.execute(world.t.db)
    expect(rows).toHaveLength(counts.taken)
    for (const { slug } of rows.slice(0, 40)) expect((await page(slug)).status).toBe(200)
    expect(await take(places)).toMatchObject({ taken: 0, updated: 0, unchanged: counts.taken, gone: 0 })
  })
})

describe('a name in other letters', () => {
  const places: PlaceOptions[] = [
    { id: 'node/1', name: 'Лада' },
    { id: 'node/2', name: '美发', lat: 45.77 },
    { id: 'node/3', name: 'Hair', lat: 45.78 },
  ]
  const renamed = (from: string, to: string) => sql`update institutes set slug = ${to} where slug = ${from}`.execute(world.t.db)

  it('takes its place in an address that told the trade alone, and the old address leads to the same institute', async () => {
    await take(places)
    await renamed('lada-lyon', 'hair-lyon-0a1b2c3d')
    const before = await stored()
    expect(await take(places)).toMatchObject({ unchanged: 3 })
    const after = await stored()
    expect(after.map(({ slug }) => slug)).toEqual(['hair-lyon', 'lada-lyon', 'meifa-lyon'])
    const { status, body } = await page('hair-lyon-0a1b2c3d')
    expect([status, body['slug']]).toEqual([200, 'lada-lyon'])
    expect(body['_id']).toBe(before.find(({ slug }) => slug === 'hair-lyon-0a1b2c3d')?.id)
    await take(places)
    expect(await stored()).toEqual(after)
  })

  it('is given an address with it when the source says something new, and an address that was is given to nobody else', async () => {
    await take(places.slice(0, 1))
    await renamed('lada-lyon', 'hair-lyon')
    await take([{ ...places[0], tags: { phone: '04 78 37 00 00' } }, ...places.slice(1)])
    expect((await stored()).map(({ name, slug }) => `${name} ${slug.replace(/[0-9a-f]{8}$/, 'mark')}`).toSorted()).toEqual([
      'Hair hair-lyon-mark',
      'Лада lada-lyon',
      '美发 meifa-lyon',
    ])
    expect((await page('hair-lyon')).body['name']).toBe('Лада')
  })

  it('of an institute that somebody manages stays as it is', async () => {
    await take(places.slice(0, 1))
    await renamed('lada-lyon', 'hair-lyon')
    await sql`update institutes set claimed = true`.execute(world.t.db)
    await take(places.slice(0, 1))
    expect((await stored()).map(({ slug }) => slug)).toEqual(['hair-lyon'])
  })
})

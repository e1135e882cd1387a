/** Places of open data as institutes that nobody manages yet, from files of any kind. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { holdsPath, refused } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { importWorld, nothing, now } from '#/testing/import-world.ts'
import { placeLine, type PlaceOptions } from '#/testing/open-data.ts'
import { importListings } from './service.ts'

const world = importWorld()
const { files, page, stored, take } = world

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
    const client = await makeUser(world.t.db)
    const bookable = await makeInstitute(world.t.db)
    const hold = (serviceId: string | undefined) =>
      world.t.inject('POST', holdsPath, {
        token: client.token,
        body: { instituteId: institute?.id, services: [{ serviceId }], startsAt: '2026-11-24T10:00:00+01:00' },
      })
    expect(refused(await hold(bookable.services[0]))).toEqual([422, 'not_bookable'])
    expect(refused(await hold(institute?.id))).toEqual([422, 'not_bookable'])
    for (const path of ['availability?service=', 'availability/next?service=', 'availability/month?month=2026-11&service=']) {
      const answer = await world.t.inject('GET', `/api/v1/client/institutes/${institute?.id}/${path}${bookable.services[0]}`)
      expect(refused(answer)).toEqual([422, 'not_bookable'])
    }
  })

  it('is found after the bookable ones, and never when a time is asked for', async () => {
    await take([{ name: 'Cut and Colour', lat: 45.7641 }])
    await makeInstitute(world.t.db, { name: 'Cut and Colour', slug: 'bookable', lat: 45.79 })
    const search = async (more: string): Promise<string[]> => {
      const { body } = await world.t.inject('GET', `/api/v1/client/institutes?lat=45.764&lon=4.8357&${more}`)
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
    }>`select i::text || l::text || i.words::text as text from institutes i join listings l on l.institute_id = i.id`.execute(world.t.db)
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
    await expect(importListings(world.t.db, { source: 'osm', files: [good, '/nowhere/at_all.ndjson'], now })).rejects.toThrow('ENOENT')
    expect(await stored()).toEqual([])
  })

  it('gives places of one name in one town addresses of their own, and keeps them', async () => {
    const three: PlaceOptions[] = [
      { id: 'node/1', name: 'Aux Ciseaux', tags: { 'addr:street': 'Rue Mercière' } },
      { id: 'node/2', name: 'Aux Ciseaux', tags: { 'addr:street': 'Quai Arloing' } },
      { id: 'node/3', name: 'Aux Ciseaux', lat: 45.7645, tags: { 'addr:street': 'Quai Arloing' } },
      { id: 'node/4', name: '美发' },
    ]
    await take(three)
    const slugs = (await stored()).map(({ slug }) => slug)
    expect(slugs[0]).toBe('aux-ciseaux-lyon')
    expect(slugs[1]).toMatch(/^aux-ciseaux-lyon-[0-9a-f]{8}$/)
    expect(slugs.slice(2)).toEqual(['aux-ciseaux-quai-arloing-lyon', 'meifa-lyon'])
    await take(three.map((place) => ({ ...place, name: 'Nouveau Nom' })))
    expect((await stored()).map(({ slug }) => slug)).toEqual(slugs)
  })
})

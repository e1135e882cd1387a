// The real places of OPEN_DATA_DIR, all of them, with a real gazetteer.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { loadPlaces } from '#/features/places/service.ts'
import { type OpenDatabase, openDatabase } from '#/platform/database.ts'
import { placeFiles } from '#/testing/open-data.ts'
import { cloneTemplate } from '#/testing/test-database.ts'
import { categoriesOf, readRecord } from '#/features/listing-facts/service.ts'
import { importListings, type ImportCounts, type SourceName } from './service.ts'

const openData = process.env['OPEN_DATA_DIR'] ?? ''
const now = Date.parse('2026-11-20T11:00:00Z')
const salons = (name: string): string => join(openData, 'salons', `${name}.ndjson`)
const ofOpenStreetMap = [
  'andorra_ad',
  'grenoble_fr',
  'helsinki_fi',
  'jena_de',
  'malta_mt',
  'monaco_mc_osm',
  'munich_de',
  'zurich_city_ch',
].map(salons)

let database: OpenDatabase
let drop: () => Promise<void>
const files = placeFiles()

const take = (source: SourceName, ...paths: string[]): Promise<ImportCounts> => importListings(database.db, { source, files: paths, now })

describe.skipIf(openData === '')('all places of the open data (OPEN_DATA_DIR)', () => {
  beforeAll(async () => {
    const clone = await cloneTemplate(inject('databaseServer'))
    drop = () => clone.drop()
    database = openDatabase(clone.url, { size: 3, onError: () => {} })
    await loadPlaces(database.db)
  })
  afterAll(async () => {
    files.remove()
    await database.close()
    await drop()
  })

  it('every kind and every combination of tags has its categories, or a reason why not', () => {
    const reasons: Record<string, string[]> = {}
    let mapped = 0
    for (const file of readdirSync(join(openData, 'salons')).filter((name) => name.endsWith('.ndjson'))) {
      const source: SourceName = file.includes('overture')
        ? 'overture'
        : file.includes('sirene')
          ? 'sirene'
          : file.includes('paris')
            ? 'paris'
            : 'osm'
      for (const line of readFileSync(join(openData, 'salons', file), 'utf8')
        .split('\n')
        .filter(Boolean)) {
        const read = readRecord(source, line)
        if (!read.ok) expect(read.reason).toBe('no_name')
        else {
          const categories = categoriesOf(read.place)
          if (typeof categories === 'string') (reasons[categories] ??= []).push(read.place.name)
          else mapped++
          // The tags alone, as in extracts that name no match.
          if (read.place.match?.includes('data=') === false && source === 'osm') {
            expect([read.place.name, categoriesOf({ ...read.place, match: null })]).not.toEqual([read.place.name, 'unknown_kind'])
          }
        }
      }
    }
    expect([mapped, reasons]).toEqual([
      6823,
      {
        not_a_salon: [
          // Perfumeries and shops of cosmetics, then what is no shop at all.
          'Gala',
          'Gala',
          'Júlia',
          'Gala',
          'if',
          'Gala',
          'Gala',
          'Gala',
          'Júlia',
          'Júlia',
          'Júlia',
          'Gala',
          'Júlia',
          'Gala',
          'Paul & Waters',
          'Paris 8',
          'Bulgari',
          'Nocibé',
          'Charlotte Tilbury',
          'Alyssa Ashley_Official',
          'Anny Rey Monaco',
          'Nohooh',
          'Inter-Outre-Mer',
          'Espaço e Beleza Andreia Gomes',
          'Inglot Cosmetics MonteCarlo',
          'Monabeauté Diffusion',
          'Arome De Monte-Carlo',
          'Parfumerie Edith Harlay',
          'Alex Simone Parfums',
          'Perris Monte Carlo',
          'Sephora',
          'Paris 8 Haute Parfumerie',
          'Héliabrine',
          'The Essentialitaly',
          'Ever Bio Cosmetics',
          'Douglas',
          'Douglas',
          'City Pafümerie',
          'Douglas',
          'Parfümerie hela',
          'Brückner',
          'brückner-Bublitz',
          'PommadeShop',
          'Die kleine Theatiner Parfümerie',
          'Douglas',
          'Sabon',
          'The Beauty Stop',
          'Para Haarkosmetik',
          'City Parfümerie',
          'Eunoia-Paris',
          'LE GARAGE FOURGON',
          'atelier peruke',
          'Kids Poux Paris',
        ],
      },
    ])
  })

  it('older files first, then newer ones: Andorra is updated, one place has gone', async () => {
    const older = (day: string): string => join(openData, 'salons_older', `andorra_ad_${day}.ndjson`)
    expect(await take('osm', older('2020-05-01'))).toMatchObject({ taken: 11, rejected: { no_name: 3, not_a_salon: 14 } })
    expect(await take('osm', older('2021-04-14'))).toMatchObject({ taken: 1, updated: 2, unchanged: 9, gone: 0 })
    expect(await take('osm', salons('andorra_ad'))).toMatchObject({ taken: 1, updated: 0, unchanged: 11, gone: 1 })
    const gone = await sql<{
      name: string
      state: string
    }>`select i.name, i.state from institutes i join listings l on l.institute_id = i.id where l.gone_at is not null`.execute(database.db)
    expect(gone.rows).toEqual([{ name: 'Caldea-Inuu', state: 'suspended' }])
    // Read again, the old ones change nothing.
    expect(await take('osm', older('2020-05-01'), older('2021-04-14'))).toMatchObject({ taken: 0, updated: 0, gone: 0, merged: 0 })
    expect(await take('osm', salons('andorra_ad'))).toMatchObject({ taken: 0, updated: 0, unchanged: 12, gone: 0 })
  })

  it('are taken, with an account of every line', async () => {
    expect(await take('osm', ...ofOpenStreetMap)).toMatchObject({
      taken: 1137,
      updated: 0,
      unchanged: 12,
      gone: 0,
      merged: 3,
      rejected: { no_name: 52, not_a_salon: 31 },
    })
    expect(await take('overture', salons('monaco_mc_overture'))).toMatchObject({
      taken: 182,
      gone: 0,
      merged: 8,
      rejected: { not_a_salon: 18 },
    })
    expect(await take('sirene', salons('france_sirene'))).toMatchObject({ taken: 5451, gone: 0, merged: 4, rejected: {} })
    expect(await take('paris', salons('paris_fr_opendata'))).toMatchObject({ taken: 25, gone: 0, merged: 1, rejected: { not_a_salon: 4 } })
    const { rows } = await sql<{
      places: number
      bookable: number
    }>`select count(*)::int as places, count(*) filter (where claimed)::int as bookable from institutes where state = 'published'`.execute(
      database.db,
    )
    expect(rows).toEqual([{ places: 12 + 1137 + 182 + 5451 + 25, bookable: 0 }])
  }, 180_000)

  it('five places of Monaco are known to both sources, and are one institute each', async () => {
    const { rows } = await sql<{ osm: string; overture: string }>`
      select o.facts->>'name' as osm, v.facts->>'name' as overture from listings o join listings v using (institute_id)
      where o.source = 'osm' and v.source = 'overture' order by 1`.execute(database.db)
    expect(rows.map(({ osm, overture }) => [osm, overture])).toEqual([
      // One telephone, two languages.
      ['Dixième Art', 'Tenth Art Tattoo Monaco'],
      ['Forty - One', 'Forty-One Monaco'],
      ['Hair Bar', 'Hair Bar'],
      ['Pretextes', 'Prétextes coiffure'],
      ['Quai 28 Coiffure Mixte (le)', 'Quai 28 Coiffure Mixte'],
    ])
  })

  it('what one source has twice is one institute', async () => {
    const { rows } = await sql<{ names: string[] }>`
      select array_agg(facts->>'name') as names from listings group by institute_id, source having count(*) > 1`.execute(database.db)
    expect(rows.map(({ names }) => names.toSorted().join(' = ')).toSorted()).toEqual([
      "Atelier Imagin Hair = Atelier Imagin'hair",
      'Cinq Mondes Spa = SPA Cinq Mondes',
      'Hair Line = Hair-line',
      'Hammer & Nagel = Hammer & Nagel',
      'Kandis = Kandis',
      'La Maison Valmont = La Maison Valmont',
      'Luxurious Beauty Booking = Luxurious Beauty Booking',
      "O Jok Hair = O Jok'hair +",
      'Revolution Hair = Revolution Hair',
      'Thermes Marins Monte-Carlo = Thermes Marins Monte-Carlo',
    ])
  })

  it('lie in their countries and zones', async () => {
    const { rows } = await sql<{ area: string; zones: string[] }>`
      select area, array_agg(distinct time_zone order by time_zone) as zones from listings l join institutes i on i.id = l.institute_id group by area order by area`.execute(
      database.db,
    )
    expect(Object.fromEntries(rows.map(({ area, zones }) => [area, zones]))).toEqual({
      andorra_ad: ['Europe/Andorra'],
      france_sirene: ['America/Marigot', 'America/Martinique', 'America/Miquelon', 'Europe/Paris', 'Indian/Reunion'],
      grenoble_fr: ['Europe/Paris'],
      helsinki_fi: ['Europe/Helsinki'],
      jena_de: ['Europe/Berlin'],
      malta_mt: ['Europe/Malta'],
      monaco_mc_osm: ['Europe/Monaco'],
      monaco_mc_overture: ['Europe/Monaco', 'Europe/Paris'],
      munich_de: ['Europe/Berlin'],
      paris_fr_opendata: ['Europe/Paris'],
      zurich_city_ch: ['Europe/Zurich'],
    })
  })

  it('leave no email anywhere in the database', async () => {
    const emails = new Set<string>()
    for (const folder of ['salons', 'salons_older'])
      for (const file of readdirSync(join(openData, folder)))
        for (const [email] of readFileSync(join(openData, folder, file), 'utf8').matchAll(/[\w.+-]+@[\w-]+\.[\w.-]*\w/g))
          emails.add(email.toLowerCase())
    expect(emails.size).toBeGreaterThan(50)
    const tables = await sql<{
      name: string
    }>`select table_name as name from information_schema.tables where table_schema = 'public' and table_type = 'BASE TABLE'`.execute(
      database.db,
    )
    const found: string[] = []
    for (const { name } of tables.rows) {
      if (name === 'places') continue
      const { rows } = await sql<{
        text: string
      }>`select lower(x::text) as text from ${sql.table(name)} x where x::text like '%@%'`.execute(database.db)
      for (const { text } of rows) for (const email of emails) if (text.includes(email)) found.push(`${name}: ${email}`)
    }
    expect(found).toEqual([])
  })

  it('have hours, telephone numbers and websites in the forms we promise', async () => {
    const { rows } = await sql<{ hours: number; phones: number; odd: string[] | null; sites: number; oddSites: string[] | null }>`
      select (select count(distinct institute_id)::int from opening_hours) as hours, count(phone)::int as phones, array_agg(phone) filter (where phone !~ '^\\+[1-9][0-9]{0,2}( [0-9]+)+$') as odd,
        count(website)::int as sites, array_agg(website) filter (where website !~ '^https?://[a-z0-9.-]+\\.[a-z]{2,}(:[0-9]+)?/') as "oddSites" from institutes`.execute(
      database.db,
    )
    expect(rows[0]).toMatchObject({ odd: null, oddSites: null })
    expect([rows[0]?.hours ?? 0, rows[0]?.phones ?? 0, rows[0]?.sites ?? 0].map((count, at) => count >= [140, 530, 575][at]!)).toEqual([
      true,
      true,
      true,
    ])
  })

  it('taken once more are unchanged to the last', async () => {
    const again = [
      await take('osm', ...ofOpenStreetMap),
      await take('overture', salons('monaco_mc_overture')),
      await take('sirene', salons('france_sirene')),
      await take('paris', salons('paris_fr_opendata')),
    ]
    expect(again.map(({ taken, updated, unchanged, gone, merged }) => [taken, updated, unchanged, gone, merged])).toEqual([
      [0, 0, 1152, 0, 0],
      [0, 0, 190, 0, 0],
      [0, 0, 5455, 0, 0],
      [0, 0, 26, 0, 0],
    ])
  })

  it('a copy of a file without some of its lines takes just those off', async () => {
    const lines = readFileSync(salons('monaco_mc_osm'), 'utf8').split('\n').filter(Boolean)
    const path = files.write('monaco_mc_osm.ndjson', [])
    writeFileSync(path, lines.filter((line) => !/Hair Bar|Calypso/.test(line)).join('\n'))
    expect(await take('osm', path)).toMatchObject({ taken: 0, unchanged: 11, gone: 2 })
    const { rows } = await sql<{
      name: string
      state: string
    }>`select name, state from institutes where slug like 'calypso%' or slug like 'hair-bar%' order by name`.execute(database.db)
    // The other source still lists one of them.
    expect(rows).toEqual([
      { name: 'Calypso coiffure', state: 'suspended' },
      { name: 'Hair Bar', state: 'published' },
    ])
  })

  it('are recognised in whichever order their sources come', async () => {
    await sql`delete from institutes where id in (select institute_id from listings where area like 'monaco%')`.execute(database.db)
    expect(await take('overture', salons('monaco_mc_overture'))).toMatchObject({ taken: 187, merged: 3 })
    expect(await take('osm', salons('monaco_mc_osm'))).toMatchObject({ taken: 8, merged: 5 })
  })
})

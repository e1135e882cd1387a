import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { type Db, inTransaction } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, statement } from '#/platform/statement.ts'
import type { GazetteerPlace } from './gazetteer.ts'

const placeRow = {
  geonameId: c.int,
  name: c.text,
  nameFr: orNull(c.text),
  nameAr: orNull(c.text),
  region: orNull(c.text),
  countryCode: c.text,
  lat: c.float,
  lon: c.float,
  timeZone: c.text,
}
export type StoredPlace = RowOf<typeof placeRow>
const columns = sql`geoname_id as "geonameId", name, name_fr as "nameFr", name_ar as "nameAr", region, country_code as "countryCode", lat, lon, time_zone as "timeZone"`
/** The same columns as JSON. */
const placeJson: z.ZodMiniType<StoredPlace> = z.object({
  geonameId: z.int(),
  name: z.string(),
  nameFr: z.nullable(z.string()),
  nameAr: z.nullable(z.string()),
  region: z.nullable(z.string()),
  countryCode: z.string(),
  lat: z.number(),
  lon: z.number(),
  timeZone: z.string(),
})

const anyPlace = statement({ name: 'places.any', row: { found: known(c.bool) } }, () => sql`select exists (select from places) as found`)
export const hasPlaces = async (db: Db): Promise<boolean> => (await anyPlace.one(db))?.found ?? false

const insert = statement({ name: 'places.insert', row: {}, tries: [[]] }, (batch: readonly GazetteerPlace[]) => {
  const column = <Key extends keyof GazetteerPlace>(key: Key): GazetteerPlace[Key][] => batch.map((place) => place[key])
  return sql`
    insert into places (geoname_id, name, name_fr, name_ar, region, country_code, lat, lon, population, time_zone, search)
    select * from unnest(${column('geonameId')}::int[], ${column('name')}::text[], ${column('nameFr')}::text[], ${column('nameAr')}::text[],
      ${column('region')}::text[], ${column('countryCode')}::text[], ${column('lat')}::float8[], ${column('lon')}::float8[],
      ${column('population')}::int[], ${column('timeZone')}::text[], ${column('search')}::text[])
    on conflict (geoname_id) do nothing`
})
// Indexes of 130,000 names take longer than a statement may, on a machine that is busy.
const unhurried = statement({ name: 'places.unhurried', row: {} }, () => sql`set local statement_timeout = 0`)
const lock = statement({ name: 'places.lock', row: {} }, () => sql`lock table places in share row exclusive mode`)
const dropIndexes = statement({ name: 'places.dropIndexes', row: {} }, () => sql`drop index places_words, places_point, places_population`)
const createIndexes = [
  sql`create index places_words on places using gin (search gin_trgm_ops)`,
  sql`create index places_point on places using gist (ll_to_earth(lat, lon))`,
  sql`create index places_population on places (population desc, geoname_id)`,
].map((text, number) => statement({ name: `places.createIndex${number + 1}`, row: {} }, () => text))

/** Fills the table in one transaction; its indexes are made after the rows, which takes a third of the time. */
export async function insertPlaces(db: Db, places: AsyncIterable<GazetteerPlace>): Promise<number> {
  return inTransaction(db, async (transaction) => {
    await unhurried.run(transaction)
    await lock.run(transaction)
    if (await hasPlaces(transaction)) return 0
    await dropIndexes.run(transaction)
    let loaded = 0
    let batch: GazetteerPlace[] = []
    for await (const place of places) {
      batch.push(place)
      if (batch.length < 10_000) continue
      await insert.run(transaction, batch)
      loaded += batch.length
      batch = []
    }
    await insert.run(transaction, batch)
    for (const index of createIndexes) await index.run(transaction)
    return loaded + batch.length
  })
}

/** Gives the names of places that are there already; those that are not are left out. */
export const updateNames = statement({ name: 'places.updateNames', row: {}, tries: [[]] }, (batch: readonly GazetteerPlace[]) => {
  const [ids, names] = [batch.map(({ geonameId }) => geonameId), batch.map(({ search }) => search)]
  return sql`update places p set search = n.search from unnest(${ids}::int[], ${names}::text[]) as n (id, search) where p.geoname_id = n.id and p.search <> n.search`
})

/** Whether any place is known by a name in Cyrillic. */
export const knowsCyrillic = statement(
  { name: 'places.knowsCyrillic', row: { known: known(c.bool) } },
  () => sql`select exists (select from places where search ~ '[а-я]') as known`,
)

const likePattern = (folded: string): string => `%|${folded}%`

const candidateRow = {
  ...placeRow,
  population: c.int,
  search: c.text,
  /** How alike the text and the nearest name are, 0…1; 1 when a name begins with it. */
  likeness: known(c.float),
  /** Whether a published institute is within 10 km. */
  hasInstitutes: known(c.bool),
}
export type Candidate = RowOf<typeof candidateRow>
interface NameAsked {
  folded: string
  countryCode: string | null
  limit: number
}
const nameAsked: NameAsked = { folded: 'lyon', countryCode: 'FR', limit: 1 }

const hasInstitutes = sql`exists (select from institutes i where i.state = 'published' and earth_box(ll_to_earth(found.lat, found.lon), 10000) @> ll_to_earth(i.lat, i.lon)) as "hasInstitutes"`

/** Places with a name that begins with the folded text, the largest first. */
export const placesBeginningWith = statement(
  { name: 'places.beginningWith', row: candidateRow, tries: [nameAsked] },
  ({ folded, countryCode, limit }: NameAsked) => sql`
    select ${columns}, population, search, 1::float8 as likeness, ${hasInstitutes} from (select * from places
      where search like ${likePattern(folded)} and (${countryCode}::text is null or country_code = ${countryCode})
      order by population desc, geoname_id limit ${limit}) found`,
)

/** Places with a name that resembles the folded text (Postgres' word similarity, at least 0.6), most alike first. */
export const placesResembling = statement(
  { name: 'places.resembling', row: candidateRow, tries: [nameAsked] },
  ({ folded, countryCode, limit }: NameAsked) => sql`
    select ${columns}, population, search, likeness, ${hasInstitutes} from (select *, word_similarity(${folded}, search)::float8 as likeness from places
      where ${folded} <% search and (${countryCode}::text is null or country_code = ${countryCode})
      order by 10 * word_similarity(${folded}, search) + log(population + 10) desc, geoname_id limit ${limit}) found`,
)

/** The place nearest to a point among those within some distance; larger places count as nearer, as people name them. */
export const placeNearest = statement(
  { name: 'places.nearest', row: placeRow, tries: [{ lat: 0, lon: 0, withinKm: 1 }] },
  ({ lat, lon, withinKm }: { lat: number; lon: number; withinKm: number }) => sql`
    select ${columns} from places
    where earth_box(ll_to_earth(${lat}, ${lon}), ${withinKm * 1000}::float8) @> ll_to_earth(lat, lon)
    order by earth_distance(ll_to_earth(${lat}, ${lon}), ll_to_earth(lat, lon)) / 1000 - 2 * log(population + 10), geoname_id limit 1`,
)

export interface PointAsked {
  lat: number
  lon: number
  countryCode: string | null
  /** A town's folded name that may be near; null when none was given. */
  town: string | null
}
const surroundingsRow = {
  /** What people would say they are in; null also where the two below are known. */
  nearest: orNull(c.json(placeJson)),
  /** The town of that name within 30 km. */
  town: orNull(c.json(placeJson)),
  /** The place of the given country that is nearest, within 50 km. */
  inCountry: orNull(c.json(placeJson)),
}
export type Surroundings = RowOf<typeof surroundingsRow>

const away = sql`earth_distance(ll_to_earth(asked.lat, asked.lon), ll_to_earth(places.lat, places.lon)) / 1000`
const first = (kilometres: number, condition: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
  sql`(select to_json(found) from (select ${columns} from places where earth_box(ll_to_earth(asked.lat, asked.lon), ${kilometres * 1000}::float8) @> ll_to_earth(places.lat, places.lon)
      and ${condition} order by ${order}, geoname_id limit 1) found)`
// Parts of a town are listed as "Zürich (Kreis 11)"; nobody says they are in one.
const whole = sql`name not like '%(%'`

const surroundings = statement(
  { name: 'places.surroundings', row: surroundingsRow, tries: [[]] },
  // Where town and country agree with the point, what else is near need not be looked for.
  (points: readonly PointAsked[]) => sql`
    select case when t.town is null or c.place is null then coalesce(${first(15, whole, sql`${away} - 2 * log(population + 10)`)}, ${first(200, whole, sql`${away} - 2 * log(population + 10)`)}) end as nearest,
      t.town, c.place as "inCountry"
    from unnest(${points.map(({ lat }) => lat)}::float8[], ${points.map(({ lon }) => lon)}::float8[], ${points.map(({ countryCode }) => countryCode)}::text[], ${points.map(({ town }) => town)}::text[])
        with ordinality as asked (lat, lon, country, town, position)
      cross join lateral (select case when asked.town is not null then ${first(30, sql`search like '%|' || asked.town || '|%'`, away)} end as town offset 0) t
      cross join lateral (select case when asked.country is not null then coalesce(${first(8, sql`country_code = asked.country`, away)}, ${first(50, sql`country_code = asked.country`, away)}) end as place offset 0) c
    order by asked.position`,
)
/** The surroundings of many points in one statement, in the order asked. */
export const readSurroundings = (db: Db, points: readonly PointAsked[]): Promise<Surroundings[]> => surroundings.all(db, points)

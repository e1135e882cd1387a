import { type RawBuilder, sql } from 'kysely'
import { type Db, inTransaction } from '#/platform/database.ts'
import type { GazetteerPlace } from './gazetteer.ts'

export interface StoredPlace {
  geonameId: number
  name: string
  nameFr: string | null
  nameAr: string | null
  region: string | null
  countryCode: string
  lat: number
  lon: number
  timeZone: string
}

const columns = sql`geoname_id as "geonameId", name, name_fr as "nameFr", name_ar as "nameAr", region, country_code as "countryCode", lat, lon, time_zone as "timeZone"`

export async function hasPlaces(db: Db): Promise<boolean> {
  const found = await sql<{ found: boolean }>`select exists (select from places) as found`.execute(db)
  return found.rows[0]?.found ?? false
}

async function insertBatch(db: Db, batch: readonly GazetteerPlace[]): Promise<void> {
  const column = <Key extends keyof GazetteerPlace>(key: Key): GazetteerPlace[Key][] => batch.map((place) => place[key])
  await sql`
    insert into places (geoname_id, name, name_fr, name_ar, region, country_code, lat, lon, population, time_zone, search)
    select * from unnest(${column('geonameId')}::int[], ${column('name')}::text[], ${column('nameFr')}::text[], ${column('nameAr')}::text[],
      ${column('region')}::text[], ${column('countryCode')}::text[], ${column('lat')}::float8[], ${column('lon')}::float8[],
      ${column('population')}::int[], ${column('timeZone')}::text[], ${column('search')}::text[])
    on conflict (geoname_id) do nothing`.execute(db)
}

/** Fills the table in one transaction; its indexes are made after the rows, which takes a third of the time. */
export async function insertPlaces(db: Db, places: AsyncIterable<GazetteerPlace>): Promise<number> {
  return inTransaction(db, async (transaction) => {
    await sql`lock table places in share row exclusive mode`.execute(transaction)
    if (await hasPlaces(transaction)) return 0
    await sql`drop index places_words, places_point, places_population`.execute(transaction)
    let loaded = 0
    let batch: GazetteerPlace[] = []
    for await (const place of places) {
      batch.push(place)
      if (batch.length < 10_000) continue
      await insertBatch(transaction, batch)
      loaded += batch.length
      batch = []
    }
    await insertBatch(transaction, batch)
    await sql`create index places_words on places using gin (search gin_trgm_ops)`.execute(transaction)
    await sql`create index places_point on places using gist (ll_to_earth(lat, lon))`.execute(transaction)
    await sql`create index places_population on places (population desc, geoname_id)`.execute(transaction)
    return loaded + batch.length
  })
}

const likePattern = (folded: string): string => `%|${folded}%`

export interface Candidate extends StoredPlace {
  population: number
  search: string
  /** How alike the text and the nearest name are, 0…1; 1 when a name begins with it. */
  likeness: number
}

/** Places with a name that begins with the folded text, the largest first. */
export async function placesBeginningWith(db: Db, folded: string, countryCode: string | null, limit: number): Promise<Candidate[]> {
  const found = await sql<Candidate>`
    select ${columns}, population, search, 1::float8 as likeness from places
    where search like ${likePattern(folded)} and (${countryCode}::text is null or country_code = ${countryCode})
    order by population desc, geoname_id limit ${limit}`.execute(db)
  return found.rows
}

/** Places with a name that resembles the folded text (Postgres' word similarity, at least 0.6), most alike first. */
export async function placesResembling(db: Db, folded: string, countryCode: string | null, limit: number): Promise<Candidate[]> {
  const found = await sql<Candidate>`
    select ${columns}, population, search, word_similarity(${folded}, search)::float8 as likeness from places
    where ${folded} <% search and (${countryCode}::text is null or country_code = ${countryCode})
    order by 10 * word_similarity(${folded}, search) + log(population + 10) desc, geoname_id limit ${limit}`.execute(db)
  return found.rows
}

/** The place nearest to a point among those within some distance; larger places count as nearer, as people name them. */
export async function placeNearest(db: Db, lat: number, lon: number, withinKm: number): Promise<StoredPlace | null> {
  const found = await sql<StoredPlace>`
    select ${columns} from places
    where earth_box(ll_to_earth(${lat}, ${lon}), ${withinKm * 1000}::float8) @> ll_to_earth(lat, lon)
    order by earth_distance(ll_to_earth(${lat}, ${lon}), ll_to_earth(lat, lon)) / 1000 - 2 * log(population + 10), geoname_id limit 1`.execute(
    db,
  )
  return found.rows[0] ?? null
}

export interface PointAsked {
  lat: number
  lon: number
  countryCode: string | null
  /** A town's folded name that may be near; null when none was given. */
  town: string | null
}
export interface Surroundings {
  /** What people would say they are in; null also where the two below are known. */
  nearest: StoredPlace | null
  /** The town of that name within 30 km. */
  town: StoredPlace | null
  /** The place of the given country that is nearest, within 50 km. */
  inCountry: StoredPlace | null
}

/** The surroundings of many points in one statement, in the order asked. */
export async function readSurroundings(db: Db, points: readonly PointAsked[]): Promise<Surroundings[]> {
  const away = sql`earth_distance(ll_to_earth(asked.lat, asked.lon), ll_to_earth(places.lat, places.lon)) / 1000`
  const first = (kilometres: number, condition: RawBuilder<unknown>, order: RawBuilder<unknown>) =>
    sql`(select to_json(found) from (select ${columns} from places where earth_box(ll_to_earth(asked.lat, asked.lon), ${kilometres * 1000}::float8) @> ll_to_earth(places.lat, places.lon)
      and ${condition} order by ${order}, geoname_id limit 1) found)`
  // AppContext of a town are listed as "Zürich (Kreis 11)"; nobody says they are in one.
  const whole = sql`name not like '%(%'`
  // Where town and country agree with the point, what else is near need not be looked for.
  const { rows } = await sql<Surroundings>`
    select case when t.town is null or c.place is null then coalesce(${first(15, whole, sql`${away} - 2 * log(population + 10)`)}, ${first(200, whole, sql`${away} - 2 * log(population + 10)`)}) end as nearest,
      t.town, c.place as "inCountry"
    from unnest(${points.map(({ lat }) => lat)}::float8[], ${points.map(({ lon }) => lon)}::float8[], ${points.map(({ countryCode }) => countryCode)}::text[], ${points.map(({ town }) => town)}::text[])
        with ordinality as asked (lat, lon, country, town, position)
      cross join lateral (select case when asked.town is not null then ${first(30, sql`search like '%|' || asked.town || '|%'`, away)} end as town offset 0) t
      cross join lateral (select case when asked.country is not null then coalesce(${first(8, sql`country_code = asked.country`, away)}, ${first(50, sql`country_code = asked.country`, away)}) end as place offset 0) c
    order by asked.position`.execute(db)
  return rows
}

// Reads institutes: the candidates of a search and one institute's page.
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#/platform/database.ts'
import { categoriesNamed } from './category-names.ts'
import { asTyped, mistyped } from './word-patterns.ts'

export type Words = Partial<Record<string, string>>

export interface Point {
  lat: number
  lon: number
}
/** Edges in degrees; `west` greater than `east` reaches over the antimeridian. */
export interface Box {
  west: number
  south: number
  east: number
  north: number
}

/** How words are looked for, from the strictest: as typed (or beginning so), alike by their trigrams, or with one mistake. */
export const matchings = ['as_typed', 'alike', 'mistyped'] as const
export type Matching = (typeof matchings)[number]

/** The filters that SQL decides. */
export interface RowFilters {
  /** Folded words, each of which must be found, or else the institute be of one of the categories it may stand for. */
  words?: readonly string[]
  /** Distances are from here. */
  origin?: Point
  /** A place was named that nobody knows. */
  nowhere?: boolean
  /** Within this distance of the origin. */
  radiusKm?: number
  area?: Box
  category?: string
  audience?: string
  atHome?: boolean
  language?: string
  minRating?: number
  paymentMethod?: string
}

export interface CandidateRow {
  id: string
  slug: string
  name: string
  categories: string[]
  lat: number
  lon: number
  quarter: string | null
  city: string
  countryCode: string
  timeZone: string
  currency: string
  claimed: boolean
  audience: string[]
  languages: string[]
  atHome: boolean
  ratingCount: number
  rating: number | null
  coverUrl: string
  distanceKm: number | null
  /** How well its words fit those asked, 0…1. */
  fit: number
  /** All rows that pass, whatever the limit. */
  total: number
}

// One name for "the mean of the four grades", so that what is shown is what is filtered and sorted by.
const rating = sql`round((i.average_welcoming + i.average_hygiene + i.average_atmosphere + i.average_service_quality) / 4, 2)`
const coverUrl = sql`coalesce((select p.url from institute_pictures p where p.institute_id = i.id order by p.position limit 1), '/art/cover/' || i.categories[1] || '/' || i.slug || '.svg')`
const earthPoint = ({ lat, lon }: Point) => sql`ll_to_earth(${lat}::float8, ${lon}::float8)`
const distanceKm = (origin: Point | undefined) =>
  origin ? sql`earth_distance(${earthPoint(origin)}, ll_to_earth(i.lat, i.lon)) / 1000` : sql`null::float8`

/** Words found as typed count whole, those found by likeness or by the category 0.6. */
const fitOf = (words: readonly string[]): RawBuilder<unknown> =>
  words.length === 0
    ? sql`0::float8`
    : sql`(${sql.join(
        words.map((word) => sql`case when i.search_text ~ ${asTyped(word)} then 1.0 else 0.6 end`),
        sql` + `,
      )})::float8 / ${words.length}::float8`

const columns = (
  filters: RowFilters,
) => sql`i.id, i.slug, i.name, i.categories, i.lat, i.lon, i.quarter, i.city, i.country_code as "countryCode",
  i.time_zone as "timeZone", i.currency, i.claimed, i.audience, i.languages, i.at_home as "atHome",
  i.rating_count as "ratingCount", ${rating}::float8 as rating, ${coverUrl} as "coverUrl", ${distanceKm(filters.origin)} as "distanceKm",
  ${fitOf(filters.words ?? [])} as fit`

function wordFound(word: string, matching: Matching): RawBuilder<unknown> {
  // Likeness is dear (a tenth of a millisecond for each row), so words as typed are looked for first, and with the index alone.
  if (matching === 'as_typed' || word.length < 3) return sql`i.search_text ~ ${asTyped(word)}`
  if (matching === 'alike') return sql`${word} <% i.search_text`
  if (word.length <= 5) return sql`i.search_text ~ ${mistyped(word)}`
  // One mistake leaves one half as it was.
  const half = Math.ceil(word.length / 2)
  return sql`((i.search_text like ${`%${word.slice(0, half)}%`} or i.search_text like ${`%${word.slice(half)}%`}) and word_similarity(${word}, i.search_text) >= 0.5)`
}

function answered(word: string, matching: Matching): RawBuilder<unknown> {
  const categories = categoriesNamed(word, matching)
  return categories.length === 0 ? wordFound(word, matching) : sql`(${wordFound(word, matching)} or i.categories && ${categories}::text[])`
}

const allOf = (conditions: readonly RawBuilder<unknown>[]): RawBuilder<unknown> =>
  conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`

function inBox({ west, south, east, north }: Box): RawBuilder<unknown> {
  const inside = west <= east ? sql`i.lon between ${west} and ${east}` : sql`(i.lon >= ${west} or i.lon <= ${east})`
  return sql`(i.lat between ${south} and ${north} and ${inside})`
}

function within(origin: Point, radiusKm: number): RawBuilder<unknown> {
  const metres = radiusKm * 1000
  // The box uses the index; the distance makes it a circle.
  return sql`(earth_box(${earthPoint(origin)}, ${metres}::float8) @> ll_to_earth(i.lat, i.lon) and earth_distance(${earthPoint(origin)}, ll_to_earth(i.lat, i.lon)) <= ${metres}::float8)`
}

/** Each filter that is set, by its name. */
function conditionsOf(filters: RowFilters, matching: Matching): Map<string, RawBuilder<unknown>> {
  const { words, origin, radiusKm, area, category, audience, atHome, language, minRating, paymentMethod } = filters
  const conditions = new Map<string, RawBuilder<unknown>>()
  // Words that fold to nothing name nothing.
  if (words) conditions.set('what', words.length === 0 ? sql`false` : allOf(words.map((word) => answered(word, matching))))
  if (origin && radiusKm !== undefined) conditions.set('place', within(origin, radiusKm))
  if (filters.nowhere) conditions.set('place', sql`false`)
  if (area) conditions.set('area', inBox(area))
  if (category !== undefined) conditions.set('category', sql`i.categories @> array[${category}]::text[]`)
  if (audience !== undefined) conditions.set('audience', sql`i.audience && array[${audience}, 'All']::text[]`)
  if (atHome) conditions.set('atHome', sql`i.at_home`)
  if (language !== undefined) conditions.set('language', sql`i.languages @> array[${language}]::text[]`)
  if (minRating !== undefined) conditions.set('minRating', sql`coalesce(i.rating_count > 0 and ${rating} >= ${minRating}, false)`)
  if (paymentMethod !== undefined) conditions.set('paymentMethod', sql`i.payment_methods @> array[${paymentMethod}]::text[]`)
  return conditions
}

export type RowOrder = 'fit' | 'nearest' | 'rating'

function orderBy(order: RowOrder, filters: RowFilters): RawBuilder<unknown> {
  const near = filters.origin ? sql`"distanceKm", ` : sql``
  if (order === 'nearest') return sql`${near}i.claimed desc, i.id`
  if (order === 'rating') return sql`rating desc nulls last, i.rating_count desc, i.id`
  return sql`i.claimed desc, fit desc, ${near}i.rating_count desc, i.id`
}

export interface CandidatesWish {
  filters: RowFilters
  matching: Matching
  order: RowOrder
  limit: number
  offset: number
}

/** Published institutes that pass the filters, with their number in each row. */
export async function readCandidates(db: Db, { filters, matching, order, limit, offset }: CandidatesWish): Promise<CandidateRow[]> {
  const passing = allOf([...conditionsOf(filters, matching).values()])
  const { rows } = await sql<CandidateRow>`select ${columns(filters)}, count(*) over () as total from institutes i
    where i.state = 'published' and ${passing} order by ${orderBy(order, filters)} limit ${limit} offset ${offset}`.execute(db)
  return rows
}

/** Institutes that answer the words and fail at most one of the other filters, and which. */
export async function readNearMisses(
  db: Db,
  { filters, matching, limit }: { filters: RowFilters; matching: Matching; limit: number },
): Promise<(CandidateRow & { failed: string[] })[]> {
  const { what = sql`true`, ...others } = Object.fromEntries(conditionsOf(filters, matching))
  const names = Object.entries(others).map(([name, condition]) => sql`case when ${condition} then null else ${name} end`)
  const failed = names.length === 0 ? sql`array[]::text[]` : sql`array_remove(array[${sql.join(names)}]::text[], null)`
  const { rows } = await sql<
    CandidateRow & { failed: string[] }
  >`select i.*, 0 as total from (select ${columns(filters)}, ${failed} as failed from institutes i where i.state = 'published' and ${what}) i
    where cardinality(i.failed) <= 1 order by i.claimed desc, i.id limit ${limit}`.execute(db)
  return rows
}

/** Where most published institutes are: the city's name and the middle of them. */
export async function readMainCity(db: Db): Promise<{ name: string; lat: number; lon: number } | null> {
  const { rows } = await sql<{
    name: string
    lat: number
    lon: number
  }>`select city as name, avg(lat) as lat, avg(lon) as lon from institutes
    where state = 'published' and claimed group by city, country_code order by count(*) desc, sum(rating_count) desc, city limit 1`.execute(
    db,
  )
  return rows[0] ?? null
}

export interface PageRow {
  id: string
  slug: string
  name: string
  description: Words
  categories: string[]
  claimed: boolean
  phone: string | null
  website: string | null
  addressLine: string
  quarter: string | null
  postalCode: string | null
  city: string
  countryCode: string
  lat: number
  lon: number
  timeZone: string
  currency: string
  atHome: boolean
  audience: string[]
  languages: string[]
  paymentMethods: string[]
  ratingCount: number
  rating: number | null
  welcoming: number | null
  hygiene: number | null
  atmosphere: number | null
  serviceQuality: number | null
  pictures: { url: string; alt: Words }[] | null
  closures: { fromDay: string; toDay: string; reason: Words; wholeDay: boolean }[] | null
  descriptions: Record<string, Words> | null
  members: { id: string; bio: Words; languages: string[]; absences: { kind: string; fromDay: string; toDay: string }[] | null }[] | null
}

/** What a published institute's page shows beside its diary. Closures and absences before `sinceDay` are left out. */
export async function readInstitute(db: Db, { slug, sinceDay }: { slug: string; sinceDay: string }): Promise<PageRow | null> {
  const { rows } = await sql<PageRow>`
    select i.id, i.slug, i.name, i.description, i.categories, i.claimed, i.phone, i.website, i.address_line as "addressLine", i.quarter, i.postal_code as "postalCode",
      i.city, i.country_code as "countryCode", i.lat, i.lon, i.time_zone as "timeZone", i.currency, i.at_home as "atHome", i.audience, i.languages, i.payment_methods as "paymentMethods",
      i.rating_count as "ratingCount", ${rating}::float8 as rating, i.average_welcoming as welcoming, i.average_hygiene as hygiene, i.average_atmosphere as atmosphere, i.average_service_quality as "serviceQuality",
      (select json_agg(json_build_object('url', p.url, 'alt', p.alt) order by p.position) from institute_pictures p where p.institute_id = i.id) as pictures,
      (select json_agg(c) from (select from_day as "fromDay", to_day as "toDay", reason, opens_at is null as "wholeDay" from closures where institute_id = i.id and to_day >= ${sinceDay}::date order by from_day, id limit 30) c) as closures,
      (select json_object_agg(s.id, s.description) from services s where s.institute_id = i.id and s.active) as descriptions,
      (select json_agg(json_build_object('id', m.id, 'bio', m.bio, 'languages', m.languages,
        'absences', (select json_agg(json_build_object('kind', a.kind, 'fromDay', a.from_day, 'toDay', a.to_day)) from absences a
          where a.member_id = m.id and a.opens_at is null and a.to_day >= ${sinceDay}::date and a.from_day <= ${sinceDay}::date + 3)))
        from team_members m where m.institute_id = i.id and m.active) as members
    from institutes i where i.slug = ${slug} and i.state = 'published'`.execute(db)
  return rows[0] ?? null
}

/** Zones of published institutes. */
export async function timeZonesInUse(db: Db): Promise<string[]> {
  const { rows } = await sql<{
    timeZone: string
  }>`select distinct time_zone as "timeZone" from institutes where state = 'published'`.execute(db)
  return rows.map(({ timeZone }) => timeZone)
}

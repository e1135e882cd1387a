// The filters of a search that one row of institutes decides, as SQL.
import { type RawBuilder, sql } from 'kysely'
import type { Box, Point, RowFilters } from './filters.ts'
import { answersWords, type WordQuery } from './words-store.ts'

// One name for "the mean of the four grades", so that what is shown is what is filtered and sorted by.
export const rating = sql`round((i.average_welcoming + i.average_hygiene + i.average_atmosphere + i.average_service_quality) / 4, 2)`
const earthPoint = ({ lat, lon }: Point) => sql`ll_to_earth(${lat}::float8, ${lon}::float8)`

/** The radius of the earth that ll_to_earth reckons with. */
const earthKm = 6378.168
const halfRadians = Math.PI / 360
/** Great-circle distance. The same as earth_distance, written out in plain arithmetic because that takes an eighth of the time. */
export function distanceKm({ lat, lon }: Point): RawBuilder<unknown> {
  const north = sql`power(sin((i.lat - ${lat}::float8) * ${halfRadians}::float8), 2)`
  const east = sql`power(sin((i.lon - ${lon}::float8) * ${halfRadians}::float8), 2)`
  const narrowing = sql`${Math.cos(2 * halfRadians * lat)}::float8 * cos(i.lat * ${2 * halfRadians}::float8)`
  return sql`(${2 * earthKm}::float8 * asin(least(1, sqrt(${north} + ${narrowing} * ${east}))))`
}

function inBox({ west, south, east, north }: Box): RawBuilder<unknown> {
  const inside = west <= east ? sql`i.lon between ${west} and ${east}` : sql`(i.lon >= ${west} or i.lon <= ${east})`
  return sql`(i.lat between ${south} and ${north} and ${inside})`
}

/** A box that holds the circle; it uses the index, and the distance makes it a circle. */
const inReach = (origin: Point, radiusKm: number) =>
  sql`earth_box(${earthPoint(origin)}, ${radiusKm * 1000}::float8) @> ll_to_earth(i.lat, i.lon)`

export const within = (origin: Point, radiusKm: number): RawBuilder<unknown> =>
  sql`(${inReach(origin, radiusKm)} and ${distanceKm(origin)} <= ${radiusKm}::float8)`

/** Every filter that is set; of the radius only the box, for whoever compares the distance itself. */
export function candidateConditions(filters: RowFilters, queries: readonly WordQuery[]): RawBuilder<unknown> {
  const { words, origin, radiusKm, area, category, audience, atHome, language, minRating, paymentMethod } = filters
  const conditions: RawBuilder<unknown>[] = []
  // Words that fold to nothing name nothing.
  if (words) conditions.push(words.length === 0 ? sql`false` : answersWords(queries))
  if (origin && radiusKm !== undefined) conditions.push(inReach(origin, radiusKm))
  if (filters.nowhere) conditions.push(sql`false`)
  if (area) conditions.push(inBox(area))
  if (category !== undefined) conditions.push(sql`i.categories @> array[${category}]::text[]`)
  if (audience !== undefined) conditions.push(sql`i.audience && array[${audience}, 'All']::text[]`)
  if (atHome) conditions.push(sql`i.at_home`)
  if (language !== undefined) conditions.push(sql`i.languages @> array[${language}]::text[]`)
  if (minRating !== undefined) conditions.push(sql`coalesce(i.rating_count > 0 and ${rating} >= ${minRating}, false)`)
  if (paymentMethod !== undefined) conditions.push(sql`i.payment_methods @> array[${paymentMethod}]::text[]`)
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`
}

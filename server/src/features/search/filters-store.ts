// The filters of a search that one row of institutes decides, as SQL.
import { type RawBuilder, sql } from 'kysely'
import { comesHome, distanceKm, inReach, rating } from '#/features/institutes/service.ts'
import type { Box, PaidOnline, RowFilters } from './filters.ts'
import { answersWords, type WordQuery } from './words-store.ts'

function inBox({ west, south, east, north }: Box): RawBuilder<unknown> {
  const inside = west <= east ? sql`i.lon between ${west} and ${east}` : sql`(i.lon >= ${west} or i.lon <= ${east})`
  return sql`(i.lat between ${south} and ${north} and ${inside})`
}

/** As `takes_online` says of one institute, written out, so that all of them are compared at once. */
function takesOnline({ method, needsAccount }: PaidOnline): RawBuilder<unknown> {
  if (needsAccount === null) return sql`false`
  const chosen = sql`i.payment_methods @> array[${method}]::text[]`
  return needsAccount
    ? sql`(${chosen} and exists (select from payment_accounts p where p.institute_id = i.id and p.takes_payments))`
    : chosen
}

/** Every filter that is set; of the radius only the box, for whoever compares the distance itself. */
export function candidateConditions(filters: RowFilters, queries: readonly WordQuery[]): RawBuilder<unknown> {
  const { words, origin, radiusKm, area, category, audience, atHome, language, minRating, paidOnline } = filters
  const conditions: RawBuilder<unknown>[] = []
  // Words that fold to nothing name nothing.
  if (words) conditions.push(words.length === 0 ? sql`false` : answersWords(queries))
  if (origin && radiusKm !== undefined) conditions.push(inReach(origin, radiusKm))
  if (filters.nowhere) conditions.push(sql`false`)
  if (area) conditions.push(inBox(area))
  if (category !== undefined) conditions.push(sql`i.categories @> array[${category}]::text[]`)
  if (audience !== undefined) conditions.push(sql`i.audience && array[${audience}, 'All']::text[]`)
  if (atHome) conditions.push(comesHome, ...(origin ? [sql`${distanceKm(origin)} <= i.at_home_radius_km`] : []))
  if (language !== undefined) conditions.push(sql`i.languages @> array[${language}]::text[]`)
  if (minRating !== undefined) conditions.push(sql`coalesce(i.rating_count > 0 and ${rating} >= ${minRating}, false)`)
  if (paidOnline !== undefined) conditions.push(takesOnline(paidOnline))
  return conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`
}

// The search: candidates from SQL, the rest of the filters exactly, one order, one page.
import type { InstituteCard, SearchQuery } from '@soigne/contract/institutes'
import type { Locale } from '@soigne/contract/wire'
import { foldText } from '#/platform/fold-text.ts'
import type { Parts } from '#/platform/parts.ts'
import type { Db } from '#/platform/database.ts'
import { minorUnits } from './asked-service.ts'
import { cardOf } from './cards.ts'
import { type Match, narrows, passing, withTimes } from './matches.ts'
import { merit, meritOfSoon, soonWindow } from './ranking.ts'
import { type Relaxation, relaxations } from './relaxing.ts'
import { readWish, type SearchWish } from './search-wish.ts'
import { type CandidateRow, matchings, readCandidates } from './store.ts'

/** Rows looked at together: a multiple of every page size, so that no page lies across two windows. */
const windowSize = 1800

export interface SearchAnswer {
  items: InstituteCard[]
  page: number
  pageSize: number
  total: number
  origin: SearchWish['origin']
  relax: Relaxation[]
}

async function candidates(db: Db, wish: SearchWish, offset: number): Promise<CandidateRow[]> {
  const order = wish.sort === 'nearest' || wish.sort === 'rating' ? wish.sort : 'fit'
  const worded = wish.rows.words !== undefined && wish.rows.words.length > 0
  let rows: CandidateRow[] = []
  // Typing errors are looked for only when nothing answers the words as they are.
  for (const matching of worded ? matchings : matchings.slice(0, 1)) {
    rows = await readCandidates(db, { filters: wish.rows, matching, order, limit: windowSize, offset })
    if (rows.length > 0 || offset > 0) return rows
  }
  return rows
}

const byId = (a: Match, b: Match): number => (a.row.id < b.row.id ? -1 : 1)
const byClaim = (a: Match, b: Match): number => Number(b.row.claimed) - Number(a.row.claimed)
const byDistance = (a: Match, b: Match): number => (a.row.distanceKm ?? 0) - (b.row.distanceKm ?? 0)
const wholeUnits = ({ row, service }: Match): number =>
  service?.priceFrom == null ? Infinity : service.priceFrom / minorUnits(row.currency)
const difference = (a: number, b: number): number => (a === b ? 0 : a - b)

const orders: Record<Exclude<SearchWish['sort'], 'recommended'>, (a: Match, b: Match) => number> = {
  nearest: (a, b) => byDistance(a, b) || byClaim(a, b) || byId(a, b),
  soonest: (a, b) => difference(a.times?.[0]?.startsAt ?? Infinity, b.times?.[0]?.startsAt ?? Infinity) || byDistance(a, b) || byId(a, b),
  rating: (a, b) => (b.row.rating ?? 0) - (a.row.rating ?? 0) || b.row.ratingCount - a.row.ratingCount || byClaim(a, b) || byId(a, b),
  price: (a, b) => difference(wholeUnits(a), wholeUnits(b)) || byClaim(a, b) || byDistance(a, b) || byId(a, b),
}

/** Best merit first; among the first of them a time soon counts too. */
async function recommended(db: Db, matches: Match[], wish: SearchWish, now: number): Promise<Match[]> {
  const merits = new Map<string, number>()
  const { fit } = wish.service
  for (const { row } of matches) {
    // Mostly the menu, a little more when the name says it.
    const words = fit ? 0.8 * row.fit + 0.2 * fit([{ text: foldText(row.name), weight: 1 }]) : null
    merits.set(row.id, merit({ words, distanceKm: row.distanceKm, rating: row.rating, ratingCount: row.ratingCount, claimed: row.claimed }))
  }
  const byMerit = (a: Match, b: Match): number => (merits.get(b.row.id) ?? 0) - (merits.get(a.row.id) ?? 0) || byId(a, b)
  const sorted = matches.toSorted(byMerit)
  const first = sorted.slice(0, soonWindow)
  const known = first.every(({ times }) => times !== undefined) ? first : await withTimes(db, first, wish, now)
  for (const { row, times } of known) {
    const soonest = times?.[0]
    merits.set(row.id, (merits.get(row.id) ?? 0) + meritOfSoon(soonest ? soonest.startsAt * 60_000 : null, now))
  }
  return [...known.toSorted(byMerit), ...sorted.slice(soonWindow)]
}

/** Institutes for a query, a page of them, each with its next free times at this moment. */
export async function searchInstitutes(
  { database: { db }, clock }: Pick<Parts, 'database' | 'clock'>,
  query: SearchQuery,
  locale: Locale,
): Promise<SearchAnswer> {
  const now = clock.now()
  const wish = await readWish(db, query, locale)
  const { page, pageSize } = query
  const offset = (page - 1) * pageSize
  // What SQL decides alone is counted by it and can be paged as far as it goes; the rest is decided over one window.
  const start = narrows(wish) || wish.sort === 'price' ? 0 : Math.floor(offset / windowSize) * windowSize
  const rows = await candidates(db, wish, start)
  // Beyond the last row nothing carries the count.
  const counted = rows[0] ?? (start > 0 ? (await candidates(db, wish, 0))[0] : undefined)
  const matches = await passing(db, rows, wish, now)
  const total = narrows(wish) ? matches.length : (counted?.total ?? 0)
  const sorted = wish.sort === 'recommended' ? await recommended(db, matches, wish, now) : matches.toSorted(orders[wish.sort])
  const shown = sorted.slice(offset - start, offset - start + pageSize)
  const complete = shown.every(({ times }) => times !== undefined) ? shown : await withTimes(db, shown, wish, now)
  const relax = total === 0 && page === 1 ? await relaxations(db, wish, now) : []
  return { items: complete.map((match) => cardOf(match, locale)), page, pageSize, total, origin: wish.origin, relax }
}

export { timeZonesInUse } from './store.ts'

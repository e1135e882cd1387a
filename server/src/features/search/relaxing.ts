// When nothing is found: the same search without one of its filters.
import type { SearchQuery } from '@soigne/contract/institutes'

export interface Relaxation {
  filter: string
  total: number
}

const filters = ['what', 'category', 'audience', 'language', 'maxPrice', 'minRating', 'paymentMethod', 'day', 'part', 'area'] as const
const flags = ['atHome', 'openNow'] as const

/** The query without each filter that is set, by the filter's name; `place` stands for the place, the point and the radius together. */
export function relaxedQueries(query: SearchQuery): [string, SearchQuery][] {
  const without = (...names: readonly (keyof SearchQuery)[]): SearchQuery =>
    Object.fromEntries(Object.entries(query).filter(([name]) => !(names as readonly string[]).includes(name))) as SearchQuery
  const set = [
    ...filters.filter((name) => query[name] !== undefined && query[name] !== ''),
    ...flags.filter((name) => query[name] === 'true'),
  ].map((name): [string, SearchQuery] => [name, without(name)])
  const placed = query.area === undefined && (query.lat !== undefined || Boolean(query.place))
  return placed ? [...set, ['place', without('lat', 'lon', 'radiusKm', 'place')]] : set
}

// The filters of the search as they stand in the address. What does not make sense there is left out, never an error.
import type { Calls } from '@soigne/contract/calls'
import type { Input } from '@soigne/contract/define'
import { instantText, parseInstant } from '#/platform/time.ts'
import { institutesPath } from './paths.ts'
import { audiences, categories, languages, partsOfDay, paymentMethods, sortOrders } from '#/contract/closed-lists.ts'

type Check = (value: string) => boolean

function oneOf(values: readonly string[]): Check {
  return (value) => values.includes(value)
}

function between(least: number, most: number): Check {
  return (value) => /^-?\d{1,7}(\.\d{1,17})?$/.test(value) && Number(value) >= least && Number(value) <= most
}

function text(most: number): Check {
  return (value) => value.length <= most && value.isWellFormed() && !value.includes('\0')
}

function isDay(value: string): boolean {
  if (!/^20\d\d-\d\d-\d\d$/.test(value)) return false
  const time = parseInstant(`${value}T00:00:00Z`)
  return !Number.isNaN(time) && instantText(time).startsWith(value)
}

/** West, south, east, north; west may lie east of east, across the date line. */
function isArea(value: string): boolean {
  if (!/^-?\d{1,3}(\.\d+)?(,-?\d{1,3}(\.\d+)?){3}$/.test(value) || value.length > 120) return false
  const [west = 0, south = 0, east = 0, north = 0] = value.split(',').map(Number)
  return Math.max(Math.abs(west), Math.abs(east)) <= 180 && Math.max(Math.abs(south), Math.abs(north)) <= 90 && south <= north
}

const checks = {
  what: text(120),
  place: text(120),
  lat: between(-90, 90),
  lon: between(-180, 180),
  radiusKm: between(0.1, 500),
  area: isArea,
  day: isDay,
  part: oneOf(partsOfDay),
  category: oneOf(categories),
  audience: oneOf(audiences),
  atHome: oneOf(['true']),
  language: oneOf(languages),
  maxPrice: between(0, 1_000_000),
  minRating: between(0, 5),
  paymentMethod: oneOf(paymentMethods),
  openNow: oneOf(['true']),
  sort: oneOf(sortOrders),
  page: (value) => between(1, 100_000)(value) && Number.isInteger(Number(value)),
  pageSize: oneOf(['10', '20', '30', '40', '50']),
} satisfies Record<string, Check>

export type FilterName = keyof typeof checks
export type Filters = { readonly [Name in FilterName]?: string }

export const filterNames = Object.keys(checks) as FilterName[]

/** What stands for "as usual" and need not be in the address. */
const usual: Filters = { sort: 'recommended', page: '1', pageSize: '10', audience: 'All' }

/** A form may offer a second control for the same thing: a day picked from a calendar. */
const alternatives: Filters = { day: 'otherDay' }

export function readFilters(query: URLSearchParams): Filters {
  const filters: { [Name in FilterName]?: string } = {}
  for (const name of filterNames) {
    const value = (query.get(name) || query.get(alternatives[name] ?? ''))?.trim()
    if (value && checks[name](value) && usual[name] !== value) filters[name] = value
  }
  // Half a point is none.
  if (filters.lat === undefined || filters.lon === undefined) {
    delete filters.lat
    delete filters.lon
  }
  return filters
}

export type SearchInput = NonNullable<Input<Calls['searchInstitutes']>['query']>

/** The filters as the search takes them: each has passed its check, which the compiler cannot know. */
export function searchInput(filters: Filters): SearchInput {
  return filters as SearchInput
}

export function readForm(form: HTMLFormElement): Filters {
  const query = new URLSearchParams()
  for (const [name, value] of new FormData(form)) if (typeof value === 'string') query.set(name, value)
  return readFilters(query)
}

/** The filters with some changed; null takes one away. Any change starts again at the first page. */
export function changeFilters(filters: Filters, changes: { [Name in FilterName]?: string | null }): Filters {
  const query = new URLSearchParams()
  for (const name of filterNames) {
    const value = name in changes ? changes[name] : name === 'page' ? null : filters[name]
    if (value) query.set(name, value)
  }
  return readFilters(query)
}

/** The address of a search. */
export function searchPath(filters: Filters, changes: { [Name in FilterName]?: string | null } = {}): string {
  return institutesPath(changeFilters(filters, changes))
}

/** Where and in which order are not filters one would take away. */
const notCounted: readonly FilterName[] = ['what', 'place', 'lat', 'lon', 'radiusKm', 'sort', 'page', 'pageSize']

/** Filters that narrow the search, for the number on "All filters" and the removable chips. */
export function activeFilters(filters: Filters): FilterName[] {
  return filterNames.filter((name) => filters[name] !== undefined && !notCounted.includes(name))
}

/** Everything but the words, the place and the order is dropped. */
export function clearedFilters(filters: Filters): Filters {
  return changeFilters(filters, Object.fromEntries(activeFilters(filters).map((name) => [name, null])))
}

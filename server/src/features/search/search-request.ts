// Reads the query of a search into what SQL decides and what only the menu, the clock and the diary can.
import type { SearchQuery, SortOrder } from '@soigne/contract/institutes'
import type { Locale } from '@soigne/contract/wire'
import type { Day, PartOfDay } from '@soigne/scheduling/model'
import type { Place } from '@soigne/contract/places'
import { currencyOf } from '#/features/listing-facts/service.ts'
import { aroundTownKm, countryNear, placeMeant, zoneAt } from '#/features/places/service.ts'
import type { Db } from '#/platform/database.ts'
import { refuseField } from '#/platform/refuse.ts'
import { askedWords } from './asked-words.ts'
import type { Point } from '#/features/institutes/service.ts'
import type { Box, RowFilters } from './filters.ts'

/** The filters that say something of the asked service. */
export interface ServiceFilters {
  category?: string
  audience?: string
  /** In whole units of the institute's currency. */
  maxPrice?: number
}

export interface SearchCriteria {
  rows: RowFilters
  service: ServiceFilters
  day?: Day
  part?: PartOfDay
  openNow: boolean
  sort: SortOrder
  origin: (Point & { name: string | null }) | null
}

/** What the name of the place was taken for, and what else it may mean. */
export interface PlaceAsked {
  place: Place | null
  otherPlaces: Place[]
}

/** @throws bad_input for edges that are no area of the earth */
function readBox(area: string): Box {
  const [west = 0, south = 0, east = 0, north = 0] = area.split(',').map(Number)
  if (Math.abs(west) > 180 || Math.abs(east) > 180 || Math.abs(south) > 90 || Math.abs(north) > 90 || south > north)
    throw refuseField('area', 'invalid')
  return { west, south, east, north }
}

type Origin = Pick<SearchCriteria, 'origin'> & PlaceAsked

async function originOf(db: Db, { lat, lon, place: name }: SearchQuery, locale: Locale): Promise<Origin> {
  if ((lat === undefined) !== (lon === undefined)) throw refuseField(lat === undefined ? 'lat' : 'lon', 'required')
  if (lat !== undefined && lon !== undefined) return { origin: { name: name || null, lat, lon }, place: null, otherPlaces: [] }
  if (!name) return { origin: null, place: null, otherPlaces: [] }
  const { place, others } = await placeMeant(db, name, locale)
  return { origin: place && { name: place.name, lat: place.lat, lon: place.lon }, place, otherPlaces: others }
}

/** What is set, without the keys that are not. */
function defined<T extends object>(values: T): { [K in keyof T]?: Exclude<T[K], undefined> } {
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as {
    [K in keyof T]?: Exclude<T[K], undefined>
  }
}

/** With what a query is read. */
export interface ReadFor {
  db: Db
  /** Whether institutes are paid online on accounts of their own alone; null where nobody is. */
  needsAccount: boolean | null
}

/** What a query asks for. Empty texts and flags that are false ask for nothing. */
export async function readCriteria(
  { db, needsAccount }: ReadFor,
  query: SearchQuery,
  locale: Locale,
): Promise<SearchCriteria & PlaceAsked> {
  const area = query.area === undefined ? undefined : readBox(query.area)
  const { origin, place, otherPlaces } = await originOf(db, query, locale)
  const words = query.what ? askedWords(query.what) : undefined
  const rows = defined({
    words,
    area,
    origin: origin ? { lat: origin.lat, lon: origin.lon } : undefined,
    nowhere: query.place && !origin && !area ? true : undefined,
    radiusKm: origin && !area ? (query.radiusKm ?? place?.radiusKm ?? aroundTownKm) : undefined,
    category: query.category,
    audience: query.audience,
    language: query.language,
    paidOnline: query.paymentMethod && { method: query.paymentMethod, needsAccount },
    minRating: query.minRating,
    atHome: query.atHome === 'true' ? true : undefined,
  })
  const service = defined({
    category: query.category,
    audience: query.audience,
    maxPrice: query.maxPrice,
  })
  return {
    rows,
    service,
    openNow: query.openNow === 'true',
    sort: query.sort === 'nearest' && !origin ? 'recommended' : query.sort,
    origin,
    place,
    otherPlaces,
    ...defined({ day: query.day, part: query.part }),
  }
}

/** Of where somebody searched: what a list without a card cannot say. */
export interface Local {
  timeZone: string
  currency: string
}

/** Across the date line the middle of an area lies beyond 180 degrees. */
const middleOf = (west: number, east: number): number => {
  const lon = (west + east + (west > east ? 360 : 0)) / 2
  return lon > 180 ? lon - 360 : lon
}

/** Null where nowhere was asked for, and far from any town. */
export async function localOf(db: Db, { rows: { area, origin }, place }: SearchCriteria & PlaceAsked): Promise<Local | null> {
  if (place && !area) return { timeZone: place.timeZone, currency: currencyOf(place.countryCode) }
  const point = area ? { lat: (area.south + area.north) / 2, lon: middleOf(area.west, area.east) } : origin
  const countryCode = point && (await countryNear(db, point))
  return countryCode ? { timeZone: zoneAt(point.lat, point.lon), currency: currencyOf(countryCode) } : null
}

// Finds towns of the embedded gazetteer by name in three languages, and by point.
import tzlookup from '@photostructure/tz-lookup'
import type { Place } from '@soigne/contract/places'
import type { Locale } from '@soigne/contract/wire'
import type { Db } from '#/platform/database.ts'
import { foldText } from '#/platform/fold-text.ts'
import { refuse } from '#/platform/refuse.ts'
import { countryCodeOf, countryName } from './country-names.ts'
import { readGazetteer } from './gazetteer.ts'
import { type Candidate, hasPlaces, insertPlaces, placeNearest, placesBeginningWith, placesResembling, type StoredPlace } from './store.ts'

export interface PlaceQuery {
  q: string
  /** 1…20. */
  limit: number
  /** Where the person is, if known: near places come first among equals. */
  near?: { lat: number; lon: number }
  locale: Locale
}

/** Longest folded text looked for: no place's name is longer, and trigrams of more cost time for nothing. */
const longestQuery = 60
/** How many of the largest candidates are ranked. */
const candidateCount = 80

/** The IANA zone of a point; over the seas a nautical zone such as `Etc/GMT+5`. */
export const zoneAt = (lat: number, lon: number): string => tzlookup(lat, lon)

/** Fills the places table from the gazetteer when it is empty; returns how many rows were loaded. */
export async function loadPlaces(db: Db): Promise<number> {
  return (await hasPlaces(db)) ? 0 : insertPlaces(db, readGazetteer())
}

function presented(place: StoredPlace, locale: Locale): Place {
  const name = (locale === 'fr' ? place.nameFr : locale === 'ar' ? place.nameAr : null) ?? place.name
  return {
    _id: String(place.geonameId),
    name,
    region: place.region,
    country: countryName(place.countryCode, locale),
    countryCode: place.countryCode,
    lat: place.lat,
    lon: place.lon,
    timeZone: place.timeZone,
  }
}

function kilometres(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  const radians = Math.PI / 180
  const x = (b.lon - a.lon) * radians * Math.cos(((a.lat + b.lat) / 2) * radians)
  const y = (b.lat - a.lat) * radians
  return Math.hypot(x, y) * 6371
}

/** Size in powers of ten, plus what a better name match or nearness is worth on that scale. */
function rank(place: Candidate, folded: string, near: PlaceQuery['near']): number {
  const shownNames = [place.name, place.nameFr, place.nameAr].filter((name) => name !== null).map(foldText)
  let score = Math.log10(place.population + 10) + 10 * (place.likeness - 1)
  if (shownNames.includes(folded)) score += 3
  else if (shownNames.some((name) => name.startsWith(folded))) score += 2
  else if (place.search.includes(`|${folded}|`)) score += 1.5
  if (near) {
    const away = kilometres(near, place)
    score += away < 50 ? 1.5 : away < 300 ? 0.7 : 0
  }
  return score
}

function ranked(candidates: Candidate[], folded: string, near: PlaceQuery['near']): Candidate[] {
  const scores = new Map(candidates.map((place) => [place.geonameId, rank(place, folded, near)]))
  const score = (place: Candidate): number => scores.get(place.geonameId) ?? 0
  return [...candidates].sort((a, b) => score(b) - score(a) || a.geonameId - b.geonameId)
}

/** `Lyon, France` or `lyon france`: the name and the country, or null when the end names no country. */
function splitCountry(q: string): { name: string; countryCode: string } | null {
  const comma = q.lastIndexOf(',')
  if (comma > 0) {
    const countryCode = countryCodeOf(q.slice(comma + 1))
    return countryCode ? { name: foldText(q.slice(0, comma).split(',')[0] ?? ''), countryCode } : null
  }
  const words = foldText(q).split(' ')
  for (let from = Math.max(1, words.length - 4); from < words.length; from++) {
    const countryCode = countryCodeOf(words.slice(from).join(' '))
    if (countryCode) return { name: words.slice(0, from).join(' '), countryCode }
  }
  return null
}

/** What to look for, most literal first; the first that finds something wins. */
function readings(q: string): { folded: string; countryCode: string | null }[] {
  const found: { folded: string; countryCode: string | null }[] = []
  const parts = q.split(',').map(foldText).filter(Boolean)
  const country = splitCountry(q)
  if (country && parts.length > 1) found.push({ folded: country.name, countryCode: country.countryCode })
  found.push({ folded: foldText(q), countryCode: null })
  if (country && parts.length === 1) found.push({ folded: country.name, countryCode: country.countryCode })
  // `Croix-Rousse, Lyon`: the town is the best answer to a quarter the gazetteer does not have.
  if (parts.length > 1) for (const part of parts) found.push({ folded: part, countryCode: null })
  return found
    .map((reading) => ({ ...reading, folded: reading.folded.slice(0, longestQuery).trim() }))
    .filter((reading) => reading.folded !== '')
    .slice(0, 6)
}

/** Places whose name begins with the text, else places that resemble it; never more than `limit`. */
export async function searchPlaces(db: Db, query: PlaceQuery): Promise<Place[]> {
  const asked = readings(query.q.slice(0, 400))
  for (const { folded, countryCode } of asked) {
    const candidates = await placesBeginningWith.all(db, { folded, countryCode, limit: candidateCount })
    if (candidates.length > 0)
      return ranked(candidates, folded, query.near)
        .slice(0, query.limit)
        .map((place) => presented(place, query.locale))
  }
  for (const { folded, countryCode } of asked.slice(0, 2)) {
    if (folded.length < 3) continue
    const candidates = await placesResembling.all(db, { folded, countryCode, limit: candidateCount })
    if (candidates.length > 0)
      return ranked(candidates, folded, query.near)
        .slice(0, query.limit)
        .map((place) => presented(place, query.locale))
  }
  return []
}

/** The one place meant by a typed name, such as the `place` of a search address; null when nothing resembles it. */
export async function placeNamed(db: Db, q: string, locale: Locale): Promise<Place | null> {
  return (await searchPlaces(db, { q, limit: 1, locale }))[0] ?? null
}

/** The town people would say they are in at a point. @throws not_found when there is none within 200 km */
export async function nearestPlace(db: Db, point: { lat: number; lon: number }, locale: Locale): Promise<Place> {
  const near = (withinKm: number) => placeNearest.one(db, { lat: point.lat, lon: point.lon, withinKm })
  const place = (await near(15)) ?? (await near(200))
  if (!place) throw refuse('not_found')
  return presented(place, locale)
}

export { type PointAsked, readSurroundings, type Surroundings } from './store.ts'

// Finds towns of the embedded gazetteer by name in three languages and by point, and quarters and postcodes where institutes are.
import tzlookup from '@photostructure/tz-lookup'
import type { Place } from '@soigne/contract/places'
import type { Locale } from '@soigne/contract/wire'
import type { Db } from '#/platform/database.ts'
import { foldText } from '#/platform/fold-text.ts'
import { refuse } from '#/platform/refuse.ts'
import { countryName, regionName } from './country-names.ts'
import { readGazetteer } from './gazetteer.ts'
import { type Locality, postcodesBeginningWith, quartersBeginningWith, quartersResembling } from './localities-store.ts'
import { localityReadings, mayBePostcode, type Reading, readings } from './readings.ts'
import { type Candidate, hasPlaces, insertPlaces, placeNearest, placesBeginningWith, placesResembling, type StoredPlace } from './store.ts'

export interface PlaceQuery {
  q: string
  /** 1…20. */
  limit: number
  /** Where the person is, if known: near places come first among equals. */
  near?: { lat: number; lon: number }
  locale: Locale
}

/** How many of the largest candidates are ranked. */
const candidateCount = 80
/** How many quarters or postcodes are. */
const localityCount = 20
const mostOthers = 3
/** People that make a town one that is meant by half its name. */
const wellKnown = 50_000
/** How far around a town, a quarter or a postcode people look for an institute. */
export const aroundTownKm = 25
const aroundQuarterKm = 3

/** The IANA zone of a point; over the seas a nautical zone such as `Etc/GMT+5`. */
export const zoneAt = (lat: number, lon: number): string => tzlookup(lat, lon)

/** Fills the places table from the gazetteer when it is empty; returns how many rows were loaded. */
export async function loadPlaces(db: Db): Promise<number> {
  return (await hasPlaces(db)) ? 0 : insertPlaces(db, readGazetteer())
}

/** How far two points are from each other as the crow flies. */
export function kilometres(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  const radians = Math.PI / 180
  // The shorter way round: the date line is no wall.
  const east = ((((b.lon - a.lon + 180) % 360) + 360) % 360) - 180
  const x = east * radians * Math.cos(((a.lat + b.lat) / 2) * radians)
  const y = (b.lat - a.lat) * radians
  return Math.hypot(x, y) * 6371
}

/** A place that may be meant. */
interface FoundPlace {
  place: Place
  score: number
  /** The whole name was typed. */
  isExact: boolean
  hasInstitutes: boolean
  population: number
}

function townOf(place: StoredPlace, locale: Locale): Place {
  const name = (locale === 'fr' ? place.nameFr : locale === 'ar' ? place.nameAr : null) ?? place.name
  return {
    _id: String(place.geonameId),
    kind: 'town',
    name,
    region: regionName(place.countryCode, place.region, locale),
    country: countryName(place.countryCode, locale),
    countryCode: place.countryCode,
    lat: place.lat,
    lon: place.lon,
    radiusKm: aroundTownKm,
    timeZone: place.timeZone,
  }
}

function localityOf(found: Locality, kind: 'quarter' | 'postcode', locale: Locale): Place {
  const { name, nameAr, town, townNames, countryCode, lat, lon, timeZone } = found
  return {
    _id: `${kind}:${countryCode}:${town}:${name}`,
    kind,
    name: (locale === 'ar' ? nameAr : null) ?? name,
    region: (locale === 'en' ? null : townNames?.[locale]) ?? town,
    country: countryName(countryCode, locale),
    countryCode,
    lat,
    lon,
    radiusKm: aroundQuarterKm,
    timeZone,
  }
}

const nearness = (place: { lat: number; lon: number }, near: PlaceQuery['near']): number => {
  const away = near ? kilometres(near, place) : Infinity
  return away < 50 ? 1.5 : away < 300 ? 0.7 : 0
}
/** What institutes nearby are worth among size in powers of ten, a better match and nearness. */
const supplyMerit = 4

function rankedTown(candidate: Candidate, { folded, isPart }: Reading, { near, locale }: PlaceQuery): FoundPlace {
  const shownNames = [candidate.name, candidate.nameFr, candidate.nameAr].filter((name) => name !== null).map(foldText)
  const isExact = !isPart && candidate.search.includes(`|${folded}|`)
  let score = Math.log10(candidate.population + 10) + 10 * (candidate.likeness - 1) + nearness(candidate, near) - (isPart ? 5 : 0)
  if (shownNames.includes(folded)) score += 3
  else if (shownNames.some((name) => name.startsWith(folded))) score += 2
  else if (isExact) score += 1.5
  const { hasInstitutes, population } = candidate
  return { place: townOf(candidate, locale), score: score + (hasInstitutes ? supplyMerit : 0), isExact, hasInstitutes, population }
}

function rankedLocality(found: Locality, kind: 'quarter' | 'postcode', { near, locale }: PlaceQuery): FoundPlace {
  const size = 2.5 + Math.log10(found.institutes + 1)
  const score = size + 10 * (found.likeness - 1) + (found.isExact ? 3 : 1.5) + nearness(found, near) + supplyMerit
  return { place: localityOf(found, kind, locale), score, isExact: found.isExact, hasInstitutes: true, population: 0 }
}

type Gather = { towns: typeof placesBeginningWith; quarters: typeof quartersBeginningWith; postcodes: typeof postcodesBeginningWith | null }

/** Everything that one way of looking finds, best first. */
async function gather(db: Db, query: PlaceQuery, from: Gather, shortest: number): Promise<FoundPlace[]> {
  const q = query.q.slice(0, 400)
  const { asked, countryCode } = localityReadings(q)
  const limit = localityCount
  const named = asked.filter(({ name }) => name.length >= Math.max(2, shortest))
  const codes = asked.filter(mayBePostcode)
  const quarters = named.length === 0 ? [] : await from.quarters.all(db, { asked: named, countryCode, limit })
  const postcodes = from.postcodes && codes.length > 0 ? await from.postcodes.all(db, { asked: codes, countryCode, limit }) : []
  const found = [
    ...quarters.map((one) => rankedLocality(one, 'quarter', query)),
    ...postcodes.map((one) => rankedLocality(one, 'postcode', query)),
  ]
  for (const reading of readings(q)) {
    if (reading.folded.length < shortest) continue
    const towns = await from.towns.all(db, { folded: reading.folded, countryCode: reading.countryCode, limit: candidateCount })
    found.push(...towns.map((one) => rankedTown(one, reading, query)))
    if (towns.length > 0) break
  }
  return found.sort((a, b) => b.score - a.score || (a.place._id < b.place._id ? -1 : 1))
}

/** Places whose name begins with the text, else places that resemble it. */
async function findPlaces(db: Db, query: PlaceQuery): Promise<FoundPlace[]> {
  const beginning = { towns: placesBeginningWith, quarters: quartersBeginningWith, postcodes: postcodesBeginningWith }
  const found = await gather(db, query, beginning, 1)
  if (found.length > 0) return found
  return gather(db, query, { towns: placesResembling, quarters: quartersResembling, postcodes: null }, 3)
}

/** Towns, quarters and postcodes for a text, those with institutes first; never more than `limit`. */
export async function searchPlaces(db: Db, query: PlaceQuery): Promise<Place[]> {
  return (await findPlaces(db, query)).slice(0, query.limit).map(({ place }) => place)
}

export interface MeantPlace {
  /** Null when nothing is enough like the name to be searched instead. */
  place: Place | null
  /** What else the name may mean, at most three. */
  others: Place[]
}

/** Who types a name that begins or resembles another one means it only where there is something, or somebody. */
const isLikely = ({ isExact, hasInstitutes, population }: FoundPlace): boolean => isExact || hasInstitutes || population >= wellKnown

/** The place meant by a typed name, such as the `place` of a search address. */
export async function placeMeant(db: Db, q: string, locale: Locale): Promise<MeantPlace> {
  const found = await findPlaces(db, { q, limit: 1, locale })
  const [best] = found
  const taken = best && isLikely(best) ? best : null
  const others = found.filter((one) => one !== taken && one.hasInstitutes && (one.isExact || !taken?.isExact))
  return { place: taken?.place ?? null, others: others.slice(0, mostOthers).map(({ place }) => place) }
}

/** Of all places called so, the nearest to a point; null when nobody knows one. */
export async function placeNearby(db: Db, q: string, near: { lat: number; lon: number }, locale: Locale): Promise<Place | null> {
  const called = (await findPlaces(db, { q, limit: 1, near, locale })).filter(({ isExact }) => isExact)
  return called.map(({ place }) => place).toSorted((one, other) => kilometres(near, one) - kilometres(near, other))[0] ?? null
}

async function townNear(db: Db, { lat, lon }: { lat: number; lon: number }): Promise<StoredPlace | null> {
  const near = (withinKm: number) => placeNearest.one(db, { lat, lon, withinKm })
  return (await near(15)) ?? near(200)
}

/** The country of that town; null when there is none within 200 km. */
export const countryNear = async (db: Db, point: { lat: number; lon: number }): Promise<string | null> =>
  (await townNear(db, point))?.countryCode ?? null

/** The town people would say they are in at a point. @throws not_found when there is none within 200 km */
export async function nearestPlace(db: Db, point: { lat: number; lon: number }, locale: Locale): Promise<Place> {
  const place = await townNear(db, point)
  if (!place) throw refuse('not_found')
  return townOf(place, locale)
}

export { type PointAsked, readSurroundings, type Surroundings } from './store.ts'
export { countryName } from './country-names.ts'

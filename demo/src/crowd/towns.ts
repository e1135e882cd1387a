// Where a crowd of institutes stands: as many in each town as its share of the people, spread around its centre.
import tzlookup from '@photostructure/tz-lookup'
import { type Random, randomFrom } from '#/random.ts'

export interface Town {
  geonameId: number
  name: string
  nameAr: string | null
  countryCode: string
  lat: number
  lon: number
  population: number
  timeZone: string
  /** Of its name in Latin letters; empty where it has none. */
  slug: string
  currency: string
  languages: readonly string[]
}

/** One institute to be made: the `index`-th of all, the `ordinal`-th of `count` in its town. */
export interface Seat {
  index: number
  town: Town
  ordinal: number
  count: number
}

/** Every n-th person of the world opens an institute: each town gets its share of people, rounded up or down. */
export function seatsFor(towns: readonly Town[], institutes: number, seedNumber: number): Seat[] {
  const people = towns.reduce((sum, town) => sum + town.population, 0)
  if (people === 0 || institutes === 0) return []
  const step = people / institutes
  let next = randomFrom(`towns ${seedNumber}`).next() * step
  let before = 0
  const seats: Seat[] = []
  for (const town of towns) {
    const until = before + town.population
    const count = next < until ? Math.ceil((until - next) / step) : 0
    for (let ordinal = 0; ordinal < count && seats.length < institutes; ordinal++) seats.push({ index: seats.length, town, ordinal, count })
    next += count * step
    before = until
  }
  return seats
}

/** How far a town reaches from its centre: 300 m for a village, some 18 km for twenty million people. */
export const radiusKm = (population: number): number => Math.min(20, Math.max(0.3, 0.75 * (population / 10_000) ** 0.42))

const kmOfDegree = 111.32
/** The more, the denser the centre; a half would be the same everywhere. */
const crowding = 0.7
const rounded = (degrees: number): number => Math.round(degrees * 1e6) / 1e6

export interface Spot {
  lat: number
  lon: number
  timeZone: string
}

/**
 * The point of one institute of a town. Each has a ring of its own, so no two share a point. A point that lies in another zone
 * (over a border, far out at sea) moves towards the centre.
 */
export function spotOf({ town, ordinal, count }: Seat, random: Random): Spot {
  const angle = random.next() * 2 * Math.PI
  let away = radiusKm(town.population) * ((ordinal + 0.05 + 0.9 * random.next()) / count) ** crowding
  const home = tzlookup(town.lat, town.lon)
  for (;;) {
    const lat = rounded(Math.min(89, Math.max(-89, town.lat + (away * Math.sin(angle)) / kmOfDegree)))
    const lon = rounded(town.lon + (away * Math.cos(angle)) / (kmOfDegree * Math.cos((town.lat * Math.PI) / 180)))
    const isNear = away < 0.05
    if (lon > -180 && lon < 180 && (isNear || tzlookup(lat, lon) === home))
      return { lat, lon, timeZone: usableZone(tzlookup(lat, lon), town) }
    away *= isNear ? 0.9 : 0.7
  }
}

const zones = new Map<string, boolean>()

/** The zone of the coordinates; the gazetteer's where the runtime does not know the name. */
function usableZone(zone: string, town: Town): string {
  let usable = zones.get(zone)
  if (usable === undefined) {
    try {
      Temporal.Instant.fromEpochMilliseconds(0).toZonedDateTimeISO(zone)
      usable = true
    } catch {
      usable = false
    }
    zones.set(zone, usable)
  }
  return usable ? zone : town.timeZone
}

// Whether two records are one place: near each other, of one kind, and called alike.
import { foldText } from '#/platform/fold-text.ts'
import { areKin } from '#/features/listing-facts/service.ts'

/** Most metres between two pins of one place in two collections. */
const nearMetres = 60
/** And between those of one that a collection has twice, as the point and as the outline of a house. */
const twinMetres = 30

export interface Sighting {
  name: string
  categories: readonly string[]
  lat: number
  lon: number
  /** The town's name says nothing about a place in it. */
  city: string
  phone: string | null
}

/** What else is known of a place, for the stricter question within one source. */
export interface Twin extends Sighting {
  addressLine: string
}

export function metresBetween(a: { lat: number; lon: number }, b: { lat: number; lon: number }): number {
  const radians = Math.PI / 180
  const x = (b.lon - a.lon) * radians * Math.cos(((a.lat + b.lat) / 2) * radians)
  return Math.hypot(x, (b.lat - a.lat) * radians) * 6_371_008
}

const cellsOfDegree = 500
const cellsAround = 360 * cellsOfDegree

/** The square of the map a point is in: 220 m high, and wider than `nearMetres` wherever people live. */
export function cellOf({ lat, lon }: { lat: number; lon: number }): number {
  return Math.floor((lat + 90) * cellsOfDegree) * cellsAround + (Math.floor((lon + 180) * cellsOfDegree) % cellsAround)
}

/** The square of a point and the eight around it. */
export function cellsNear(point: { lat: number; lon: number }): number[] {
  const middle = cellOf(point)
  return [-1, 0, 1].flatMap((row) => [-1, 0, 1].map((column) => middle + row * cellsAround + column))
}

/** Words that many names share; alone they name nobody. */
const common = new Set(
  'a and and the of le la les l de du des d et chez der die das und by am im il ky oy gmbh ag sarl sas sa coiffure coiffeur coiffeurs salon hair hairdresser hairstyle friseur friseure studio institut institute beauty beaute spa nails nail bar barber barbershop shop parturi kampaamo massage fitness gym center centre club praxis haute parfumerie perfumery parfum kosmetik cosmetics mixte'.split(
    ' ',
  ),
)

const lettersOf = (text: string): Set<string> => {
  const joined = `  ${text.replaceAll(' ', '')} `
  return new Set(Array.from({ length: joined.length - 2 }, (_, at) => joined.slice(at, at + 3)))
}

function shared<T>(a: ReadonlySet<T>, b: ReadonlySet<T>): number {
  return (2 * a.intersection(b).size) / (a.size + b.size || 1)
}

/** 0…1: how alike two names are, without the town and without the words that all of them use; those count when nothing else is left. */
export function nameLikeness(a: string, b: string, cities: readonly string[] = []): number {
  const towns = new Set(cities.flatMap((city) => foldText(city).split(' ')))
  const wordsOf = (name: string): string[] => foldText(name).split(' ').filter(Boolean)
  const tellingOf = (name: string): string[] => wordsOf(name).filter((word) => !common.has(word) && !towns.has(word))
  const [left, right] = [tellingOf(a), tellingOf(b)]
  if (left.length === 0 || right.length === 0) return shared(lettersOf(wordsOf(a).join(' ')), lettersOf(wordsOf(b).join(' ')))
  return Math.max(shared(new Set(left), new Set(right)), shared(lettersOf(left.join(' ')), lettersOf(right.join(' '))))
}

const sharePhone = (a: Sighting, b: Sighting): boolean => a.phone !== null && a.phone === b.phone

/** 0 when they are two places, else how sure it is that they are one; who answers one telephone is one, however called. */
export function sameness(a: Sighting, b: Sighting): number {
  const metres = metresBetween(a, b)
  if (metres > nearMetres || !areKin(a.categories, b.categories)) return 0
  const likeness = sharePhone(a, b) ? 1 : nameLikeness(a.name, b.name, [a.city, b.city])
  return likeness < 0.7 ? 0 : likeness - metres / 1000
}

/** The same within one source, which should have a place once. One telephone alone will not do: brands in one shop and salons of one hotel share theirs. */
export function twinness(a: Twin, b: Twin): number {
  const metres = metresBetween(a, b)
  if (metres > nearMetres || !areKin(a.categories, b.categories)) return 0
  const [here, there] = [foldText(a.addressLine), foldText(b.addressLine)]
  const isElsewhere = here !== '' && there !== '' && here !== there
  const isNamesake = metres <= twinMetres && !isElsewhere && foldText(a.name) !== '' && foldText(a.name) === foldText(b.name)
  const isOneCalledTwice = sharePhone(a, b) && nameLikeness(a.name, b.name, [a.city, b.city]) >= 0.5
  return isNamesake || isOneCalledTwice ? 1 - metres / 1000 : 0
}

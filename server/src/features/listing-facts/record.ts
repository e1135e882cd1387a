// One line of a file as a place, or the reason why it is not one.
import { createHash } from 'node:crypto'
import { isIdOf, provenanceOf, type Provenance, type SourceName } from './sources.ts'

export type Tags = Readonly<Record<string, string>>

export interface RawPlace {
  sourceId: string
  lat: number
  lon: number
  name: string
  /** The name was not given as such: brand, operator or official name. */
  nameFrom: string | null
  /** What the source takes it for, such as `shop=hairdresser`; null when only the tags tell. */
  match: string | null
  tags: Tags
  version: number | null
  editedAt: string | null
  provenance: Provenance
  digest: Buffer
}

export type Rejection =
  | 'line_too_long'
  | 'not_json'
  | 'not_a_feature'
  | 'not_a_point'
  | 'bad_coordinates'
  | 'bad_id'
  | 'no_name'
  | 'name_too_long'
  | 'control_characters'
  | 'closed_for_good'
  | 'unknown_kind'
  | 'not_a_salon'
  /** No country is near. */
  | 'nowhere'

export type Read = { ok: true; place: RawPlace } | { ok: false; reason: Rejection; sourceId: string | null }

/** Raised when the rules of reading change, so that the next import reads everything anew. */
const rules = 3

const longestName = 120
const longestTag = 2000
// Control characters, and marks that turn the direction of everything after them.
const control = /[\u0000-\u001F\u007F-\u009F\u2028\u2029\u202A-\u202E\u2066-\u2069\uFFFD]/u
const email = /[^\s@]@[^\s@]+\.[a-z]{2,}/i
const somethingToRead = /[\p{L}\p{N}]/u

const isObject = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null && !Array.isArray(value)

/** A usable text: trimmed, single spaces; `<Nul>` and its like are nothing. */
export function cleanText(value: unknown, longest = 200): string | null {
  if (typeof value !== 'string' || !value.isWellFormed()) return null
  const text = value.normalize('NFC').replaceAll(/\s+/g, ' ').trim()
  if (text === '' || text.length > longest || control.test(text) || /^(?:<nul>|null|none|n\/a|-+)$/i.test(text)) return null
  return text
}

function tagsOf(properties: Record<string, unknown>): Tags {
  const tags: Record<string, string> = Object.create(null) as Record<string, string>
  if (!isObject(properties['tags'])) return tags
  for (const [key, value] of Object.entries(properties['tags'])) {
    // Addresses of people never come further than this line.
    if (/e-?mail/i.test(key) || typeof value !== 'string' || value.length > longestTag) continue
    tags[key] = value
  }
  return tags
}

const otherNames = ['brand', 'operator', 'official_name', 'short_name', 'name:en', 'name:fr']

type Named = { name: string; from: string | null } | { reason: Rejection }

function nameOf(properties: Record<string, unknown>, tags: Tags): Named {
  const candidates: [unknown, string | null][] = [
    [properties['name'], null],
    [tags['name'], null],
    ...otherNames.map((key): [unknown, string] => [tags[key], key]),
  ]
  for (const [value, from] of candidates) {
    if (typeof value !== 'string') continue
    const name = value.isWellFormed()
      ? value
          .normalize('NFC')
          .replaceAll(/[ \t\u00A0]+/g, ' ')
          .trim()
      : '\u0000'
    if (control.test(name)) return { reason: 'control_characters' }
    if (name.length > longestName) return { reason: 'name_too_long' }
    // An email in the place of a name is no name; a pun such as Cre@tif is.
    if (somethingToRead.test(name) && cleanText(name) !== null && !email.test(name)) return { name, from }
  }
  return { reason: 'no_name' }
}

function pointOf(geometry: unknown): { lat: number; lon: number } | Rejection {
  if (!isObject(geometry) || geometry['type'] !== 'Point' || !Array.isArray(geometry['coordinates'])) return 'not_a_point'
  const [lon, lat] = geometry['coordinates'] as unknown[]
  if (typeof lon !== 'number' || typeof lat !== 'number') return 'bad_coordinates'
  // Nobody keeps a salon at 0, 0: that is what forgotten coordinates look like.
  const onEarth = Math.abs(lat) <= 90 && Math.abs(lon) <= 180 && (lat !== 0 || lon !== 0)
  return onEarth ? { lat, lon } : 'bad_coordinates'
}

const isClosed = (properties: Record<string, unknown>): boolean =>
  typeof properties['operating_status'] === 'string' && /closed/i.test(properties['operating_status'])

function versionOf(value: unknown): number | null {
  return Number.isSafeInteger(value) && (value as number) >= 0 && (value as number) < 2 ** 31 ? (value as number) : null
}

function editedAtOf(value: unknown): string | null {
  const at = typeof value === 'string' && value.length <= 40 ? Date.parse(value) : NaN
  const year = new Date(at).getUTCFullYear()
  return year >= 2000 && year < 2100 ? new Date(at).toISOString() : null
}

/** The same for the same facts, in whatever order a file lists them. */
function digestOf(place: Omit<RawPlace, 'digest'>): Buffer {
  const tags = Object.entries(place.tags).toSorted(([a], [b]) => (a < b ? -1 : 1))
  return createHash('sha256')
    .update(JSON.stringify([rules, { ...place, tags }]))
    .digest()
}

/** Reads one line; never throws, whatever the line is. */
export function readRecord(source: SourceName, text: string): Read {
  let feature: unknown
  try {
    feature = JSON.parse(text)
  } catch {
    return { ok: false, reason: 'not_json', sourceId: null }
  }
  if (!isObject(feature) || feature['type'] !== 'Feature' || !isObject(feature['properties'])) {
    return { ok: false, reason: 'not_a_feature', sourceId: null }
  }
  const id = feature['id']
  if (typeof id !== 'string' || !isIdOf(source, id)) return { ok: false, reason: 'bad_id', sourceId: null }
  const no = (reason: Rejection): Read => ({ ok: false, reason, sourceId: id })
  const point = pointOf(feature['geometry'])
  if (typeof point === 'string') return no(point)
  const { properties } = feature
  if (isClosed(properties)) return no('closed_for_good')
  const tags = tagsOf(properties)
  const named = nameOf(properties, tags)
  if ('reason' in named) return no(named.reason)
  const datasets = Array.isArray(properties['datasets']) ? properties['datasets'].filter((one) => typeof one === 'string') : []
  const place = {
    sourceId: id,
    ...point,
    name: named.name,
    nameFrom: named.from,
    match: cleanText(properties['match']),
    tags,
    version: versionOf(properties['osm_version']),
    editedAt: editedAtOf(properties['osm_timestamp']),
    provenance: provenanceOf(source, datasets),
  }
  return { ok: true, place: { ...place, digest: digestOf(place) } }
}

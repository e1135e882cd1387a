// Which of the fourteen categories a place has: what the source takes it for, then what its tags and its name add.
import type { Category } from '@soigne/contract/wire'
import { foldText } from '#/platform/fold-text.ts'
import table from './kinds.json' with { type: 'json' }
import type { RawPlace, Tags } from './record.ts'

interface Kind {
  is?: string[]
  /** Categories a word of the name may add. */
  may?: string[]
  reject?: string
}

const kinds: Readonly<Record<string, Kind>> = table.kinds
const tagKinds: Readonly<Record<string, string[]>> = table.tags
const words = new Map(Object.entries(table.words).map(([category, pattern]) => [category, new RegExp(pattern)]))

const mostCategories = 4
const tellingKeys = ['shop', 'amenity', 'leisure', 'healthcare', 'office', 'healthcare:speciality']

/** `key=a;b` as `key=a` and `key=b`. */
function valuesOf(match: string): string[] {
  const at = match.indexOf('=')
  const key = match.slice(0, at + 1)
  return match
    .slice(at + 1)
    .split(';')
    .map((value) => key + value.trim())
}

const kindOf = (name: string): Kind | undefined => (Object.hasOwn(kinds, name) ? kinds[name] : undefined)

const taggedAs = (tags: Tags): string[] =>
  tellingKeys.flatMap((key) => {
    const value = tags[key]
    return value === undefined ? [] : valuesOf(`${key}=${value}`)
  })

/** At least one category, or why it has none. */
export function categoriesOf({
  match,
  name,
  tags,
}: Pick<RawPlace, 'match' | 'name' | 'tags'>): Category[] | 'unknown_kind' | 'not_a_salon' {
  const found = (match === null ? taggedAs(tags) : valuesOf(match)).flatMap((one) => kindOf(one) ?? [])
  if (found.length === 0) return 'unknown_kind'
  if (found.some(({ reject }) => reject !== undefined)) return 'not_a_salon'
  // A shop of the city's list may be anything: there the description tells too.
  const said = foldText(match?.startsWith('opendata=') ? `${name} ${tags['description'] ?? ''}` : name)
  const added = [...new Set(found.flatMap(({ may = [] }) => may))].filter((category) => words.get(category)?.test(said))
  const tagged = Object.entries(tags).flatMap(([key, value]) => tagKinds[`${key}=${value}`] ?? [])
  const all = new Set([...tagged, ...added, ...found.flatMap(({ is = [] }) => is)])
  return all.size === 0 ? 'not_a_salon' : ([...all].slice(0, mostCategories) as Category[])
}

/** Whether two places could be one by what they do: a beauty salon may cut hair, but is no gym. */
export const areKin = (a: readonly string[], b: readonly string[]): boolean =>
  table.kin.some((group) => a.some((one) => group.includes(one)) && b.some((one) => group.includes(one)))

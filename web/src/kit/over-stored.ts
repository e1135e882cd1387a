// Two people at one form: what was changed on this one is put over what is stored by now.

const isNothing = (value: unknown): boolean => value === undefined || value === null || value === ''
const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** The same value, in whatever order its keys are; nothing is nothing, however it is written. */
export function isSame(one: unknown, other: unknown): boolean {
  if (isNothing(one) || isNothing(other)) return isNothing(one) && isNothing(other)
  if (Array.isArray(one) && Array.isArray(other)) return one.length === other.length && one.every((value, at) => isSame(value, other[at]))
  if (!isRecord(one) || !isRecord(other)) return Object.is(one, other)
  return [...new Set([...Object.keys(one), ...Object.keys(other)])].every((key) => isSame(one[key], other[key]))
}

/** What an item of a list is about; a word is itself. */
const subjectOf = (item: unknown): unknown => (isRecord(item) ? (item['staffId'] ?? item['serviceId'] ?? item['fromDay']) : item)

/** Both screens have changed the same. */
export type Clash = { path: string; stored: unknown }

type Three = { read: unknown; typed: unknown; stored: unknown }
type Found = { clashes: Clash[]; isInParts: (path: string) => boolean }

const keysOf = (...some: readonly unknown[]): string[] => [...new Set(some.flatMap((one) => (isRecord(one) ? Object.keys(one) : [])))]
const itemsOf = (list: readonly unknown[]): Map<unknown, unknown> => new Map(list.map((item) => [subjectOf(item), item]))
/** Each item is about something, and no two about the same; other lists are one value. */
const isOfItems = (list: unknown): list is readonly unknown[] => {
  if (!Array.isArray(list)) return false
  const items = itemsOf(list)
  return items.size === list.length && !items.has(undefined)
}

function mergeList(lists: { read: readonly unknown[]; typed: readonly unknown[]; stored: readonly unknown[] }, path: string, found: Found) {
  const [read, typed, stored] = [itemsOf(lists.read), itemsOf(lists.typed), itemsOf(lists.stored)]
  return [...new Set([...stored.keys(), ...typed.keys()])].flatMap((subject) => {
    const item = merge({ read: read.get(subject), typed: typed.get(subject), stored: stored.get(subject) }, path, found)
    return item === undefined ? [] : [item]
  })
}

function merge({ read, typed, stored }: Three, path: string, found: Found): unknown {
  if (isSame(typed, read)) return stored
  if (isSame(stored, read) || isSame(stored, typed)) return typed
  if (isOfItems(read) && isOfItems(typed) && isOfItems(stored)) return mergeList({ read, typed, stored }, path, found)
  if (found.isInParts(path) && isRecord(read) && isRecord(typed) && isRecord(stored))
    return Object.fromEntries(
      keysOf(typed, stored).map((key) => [
        key,
        merge({ read: read[key], typed: typed[key], stored: stored[key] }, `${path}.${key}`, found),
      ]),
    )
  if (!found.clashes.some((one) => one.path === path)) found.clashes.push({ path, stored })
  return typed
}

export type Screens<Values> = {
  /** What the form began with. */
  read: Values
  typed: Values
  stored: Values
  /** Fields whose parts are values of their own, such as words in several languages. */
  inParts?: readonly (keyof Values & string)[] | undefined
}

/** Of lists what was added, changed and removed; of other fields the value that was changed. Where both changed the same, what was typed here. */
export function overStored<Values extends object>({ read, typed, stored, inParts = [] }: Screens<Values>) {
  const clashes: Clash[] = []
  const found: Found = { clashes, isInParts: (path) => inParts.some((name) => name === path) }
  const names = Object.keys(typed) as (keyof Values & string)[]
  const merged = names.map((name) => [name, merge({ read: read[name], typed: typed[name], stored: stored[name] }, name, found)])
  return { values: Object.fromEntries(merged) as Values, clashes }
}

/** Only these fields. */
export const fieldsOf = <Values extends object>(values: Values, names: readonly string[]): Partial<Values> =>
  Object.fromEntries(Object.entries(values).filter(([name]) => names.includes(name))) as Partial<Values>

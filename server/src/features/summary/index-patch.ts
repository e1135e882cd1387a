// What a visit changes in the index of free time, made in memory from the diary before and after it.
import { addDays, dayNumber } from '@soigne/scheduling/days'
import type { Span } from '@soigne/scheduling/model'
import { dayOf } from '@soigne/scheduling/wall-clock'
import type { IndexCover, LoadedInstitute } from '#/features/availability/service.ts'
import { type Classes, classesOf } from './classes.ts'
import { bitsOf, daysWithin, type StartBits, startBitsOfBoth } from './starts.ts'

/** Rows of bits and where they go, as `patch_free_time` of the database takes them. */
export interface IndexPatch {
  nearFrom: number
  firstDay: string
  classes: string
  coarse: boolean
  near: [place: number, bits: string][]
  nearAll: [place: number, bits: string][]
  far: [place: number, bits: string][]
}

const classesByMenu = new WeakMap<LoadedInstitute['serviceDetails'], Classes>()
/** The classes depend on menu and team only, whose maps a diary keeps while visits come and go. */
function keptClasses(loaded: LoadedInstitute): Classes {
  let classes = classesByMenu.get(loaded.serviceDetails)
  if (!classes) classesByMenu.set(loaded.serviceDetails, (classes = classesOf(loaded)))
  return classes
}

const isSame = (a: Uint8Array, b: Uint8Array): boolean => Buffer.compare(a, b) === 0

/**
 * The difference between two diaries that differ in what is taken in these spans. Null when the index stays as it is;
 * 'unknown' when the row of the index is of other classes, so that it has to be made anew.
 */
export function indexPatch(
  before: LoadedInstitute,
  after: LoadedInstitute,
  cover: IndexCover | null,
  spans: readonly Span[],
): IndexPatch | null | 'unknown' {
  if (!cover || spans.length === 0) return null
  const classes = keptClasses(after)
  if (classes.key !== cover.classes) return 'unknown'
  const { diary } = after
  const spare = diary.rules.gaps === 'hide' ? 1 : 0
  const asked = daysWithin(
    diary,
    cover,
    addDays(dayOf(diary.timeZone, Math.min(...spans.map(({ from }) => from)) - classes.reachMinutes), -spare),
    addDays(dayOf(diary.timeZone, Math.max(...spans.map(({ to }) => to)) + classes.reachMinutes), spare),
  )
  if (!asked) return null
  const { old, fresh } = startBitsOfBoth(before.diary, diary, classes.examples, asked)
  const patch: IndexPatch = {
    nearFrom: cover.nearFrom,
    firstDay: cover.firstDay,
    classes: cover.classes,
    coarse: cover.coarse,
    near: [],
    nearAll: [],
    far: [],
  }
  const dayIndex = dayNumber(asked.fromDay) - dayNumber(cover.firstDay)
  for (const [number, bits] of fresh.entries()) {
    const was = old[number] as StartBits
    const nearPlace = number * cover.nearCount + asked.nearFrom - cover.nearFrom + 1
    if (bits.offBins) patch.coarse = true
    if (asked.nearCount > 0 && !isSame(bits.near, was.near)) patch.near.push([nearPlace, bitsOf(bits.near)])
    if (asked.nearCount > 0 && bits.nearAll && was.nearAll && !isSame(bits.nearAll, was.nearAll))
      patch.nearAll.push([nearPlace, bitsOf(bits.nearAll)])
    for (const [part, row] of bits.far.entries())
      if (!isSame(row, was.far[part] as Uint8Array)) patch.far.push([(number * 3 + part) * cover.dayCount + dayIndex + 1, bitsOf(row)])
  }
  const isUnchanged = patch.near.length + patch.nearAll.length + patch.far.length === 0 && patch.coarse === cover.coarse
  return isUnchanged ? null : patch
}

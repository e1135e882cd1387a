/** Sets of wall-clock minutes of one day, kept as sorted flat pairs [opens, closes, opens, closes …] that neither touch nor overlap. */
import type { Day, DayRange, WallRange } from './model.ts'

/** Sorted pairs of wall minutes 0…2880, apart from one another. */
export type WallRanges = readonly number[]

const NONE: WallRanges = []
const LAST_MINUTE = 2880

/** Joins ranges that touch or overlap; empty and turned-around ones vanish, minutes are kept within 0…2880. */
export function joinRanges(ranges: readonly WallRange[]): WallRanges {
  if (ranges.length === 0) return NONE
  const sorted = ranges
    .map(({ opensAt, closesAt }) => ({ opensAt: Math.max(opensAt, 0), closesAt: Math.min(closesAt, LAST_MINUTE) }))
    .filter(({ opensAt, closesAt }) => closesAt > opensAt)
    .sort((a, b) => a.opensAt - b.opensAt)
  const joined: number[] = []
  for (const { opensAt, closesAt } of sorted) {
    const last = joined.at(-1)
    if (last !== undefined && opensAt <= last) joined[joined.length - 1] = Math.max(last, closesAt)
    else joined.push(opensAt, closesAt)
  }
  return joined
}

/** What is left of `ranges` without `taken`. */
export function withoutRanges(ranges: WallRanges, taken: WallRanges): WallRanges {
  if (taken.length === 0 || ranges.length === 0) return ranges
  const left: number[] = []
  for (let i = 0; i < ranges.length; i += 2) {
    let opens = ranges[i]!
    const closes = ranges[i + 1]!
    for (let j = 0; j < taken.length && opens < closes; j += 2) {
      const from = taken[j]!
      const to = taken[j + 1]!
      if (to <= opens || from >= closes) continue
      if (from > opens) left.push(opens, from)
      opens = to
    }
    if (opens < closes) left.push(opens, closes)
  }
  return left
}

/** Whether one of the ranges contains the minute. */
export function hasMinute(ranges: WallRanges, minute: number): boolean {
  for (let i = 0; i < ranges.length; i += 2) if (minute >= ranges[i]! && minute < ranges[i + 1]!) return true
  return false
}

/** Whether a closure or an absence takes the whole of a day. */
export function takesWholeDay(ranges: readonly DayRange[], day: Day): boolean {
  for (const range of ranges) if (range.part === undefined && range.fromDay <= day && day <= range.toDay) return true
  return false
}

/** The wall-clock parts that closures or absences take from a day. */
export function partsTaken(ranges: readonly DayRange[], day: Day): WallRanges {
  let parts: WallRange[] | undefined
  for (const range of ranges) {
    if (range.part === undefined || day < range.fromDay || range.toDay < day) continue
    parts ??= []
    parts.push(range.part)
  }
  return parts === undefined ? NONE : joinRanges(parts)
}

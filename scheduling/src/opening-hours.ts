/** When the institute is open, day by day on its wall clock. */
import { MINUTES_OF_DAY, dayOfNumber, weekdayOfNumber } from './days.ts'
import type { InstituteDiary } from './model.ts'
import { hasMinute, joinRanges, partsTaken, takesWholeDay, withoutRanges, type WallRanges } from './wall-ranges.ts'

/** The ranges that open on a day, those past midnight included; none when a closure takes the whole day. Parts closed are still in. */
export function openingOn(diary: InstituteDiary, number: number): WallRanges {
  if (takesWholeDay(diary.closures, dayOfNumber(number))) return []
  const weekday = weekdayOfNumber(number)
  return joinRanges(diary.openingHours.filter((range) => range.weekday === weekday))
}

/** Whether no opening minute is left on a day: not a day of business, or closed. */
export function isClosedOn(diary: InstituteDiary, number: number): boolean {
  return withoutRanges(openingOn(diary, number), partsTaken(diary.closures, dayOfNumber(number))).length === 0
}

/**
 * The wall minute of a reading of the clock, counted from the day whose opening range contains it: 00:30 of a night that opened
 * at 20:00 is 1470. Where ranges of two days contain it, and where none does, the calendar day counts. `openings` tells the ranges of a day.
 */
export function openingMinute(localMinute: number, openings: (number: number) => WallRanges): number {
  const number = Math.floor(localMinute / MINUTES_OF_DAY)
  const minute = localMinute - number * MINUTES_OF_DAY
  if (hasMinute(openings(number), minute)) return minute
  return hasMinute(openings(number - 1), minute + MINUTES_OF_DAY) ? minute + MINUTES_OF_DAY : minute
}

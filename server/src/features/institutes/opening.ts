// Whether an institute is open at an instant, by its own wall clock.
import { isSet, nextSet } from '@soigne/scheduling/bits'
import { dayNumber } from '@soigne/scheduling/days'
import { readFreeTime } from '@soigne/scheduling/free-time'
import type { InstituteDiary } from '@soigne/scheduling/model'
import { dayOf, wallMinuteOf } from '@soigne/scheduling/wall-clock'
import { type Instant, minuteOf } from '@soigne/contract/time'

/** Wall time such as `18:00`. */
export const wallTime = (minute: number): string =>
  `${String(Math.floor(minute / 60) % 24).padStart(2, '0')}:${String(minute % 60).padStart(2, '0')}`

/** The wall time until which it is open without a break, or null when it is closed. `at` in milliseconds since the epoch. */
export function openUntil(diary: InstituteDiary, at: Instant): string | null {
  const minute = Math.floor(minuteOf(at))
  const today = dayNumber(dayOf(diary.timeZone, minute))
  const { closed, origin, length } = readFreeTime(diary, {
    fromDay: today,
    toDay: today + 1,
    minutesBefore: 0,
    minutesAfter: 0,
    memberIds: new Set(),
    resourceTypes: new Set(),
  })
  if (isSet(closed, minute - origin)) return null
  return wallTime(wallMinuteOf(diary.timeZone, origin + nextSet(closed, minute - origin, length)))
}

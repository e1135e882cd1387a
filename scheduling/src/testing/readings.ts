/** Wall times turned into instants by Temporal, for tests. */
import type { Day, EpochMinute } from '#/model.ts'

/** The instant of a reading of the wall clock; a skipped one moves forward, of a repeated one the first. */
export function readingOf(timeZone: string, day: Day, minute: number): EpochMinute {
  const time = Temporal.PlainTime.from({ hour: Math.floor(minute / 60), minute: minute % 60 })
  const zoned = Temporal.PlainDate.from(day).toPlainDateTime(time).toZonedDateTime(timeZone)
  return zoned.epochMilliseconds / 60_000
}

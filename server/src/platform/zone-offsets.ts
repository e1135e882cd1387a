/** Offsets of zones around now, for browsers: their own clock rules may be of another year than ours. */
import { dayMs, type Instant, minuteMs } from '@soigne/contract/time'

const daysBack = 400
const daysAhead = 420

/** Minutes east of UTC before the first change in reach, then pairs of a change (minutes since the epoch) and the offset from it on. */
export function zoneOffsets(timeZone: string, now: Instant): number[] {
  const from = Temporal.Instant.fromEpochMilliseconds(now)
    .subtract({ hours: 24 * daysBack })
    .toZonedDateTimeISO(timeZone)
  const end = now + daysAhead * dayMs
  const offsets = [from.offsetNanoseconds / 60e9]
  for (
    let change = from.getTimeZoneTransition('next');
    change && change.epochMilliseconds <= end;
    change = change.getTimeZoneTransition('next')
  ) {
    offsets.push(Math.round(change.epochMilliseconds / minuteMs), change.offsetNanoseconds / 60e9)
  }
  return offsets
}

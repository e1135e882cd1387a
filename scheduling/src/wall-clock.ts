/**
 * The wall clock of a zone in integers. Temporal is asked once per zone for its changes; after that a day is arithmetic.
 * Good from 1995 to 2100, whole-minute offsets (every zone since 1972).
 */
import { MINUTES_OF_DAY, dayNumber, dayOfNumber } from './days.ts'
import type { Day, EpochMinute } from './model.ts'

const FIRST_KNOWN = Temporal.Instant.from('1995-01-01T00:00Z')
const LAST_KNOWN = Temporal.Instant.from('2101-01-01T00:00Z')
/** No zone is further from UTC than this, so a wall time cannot be reached earlier. */
const WIDEST_OFFSET = 15 * 60

/** The periods of constant offset of one zone: period i begins at `changes[i]` (the first at minus infinity). */
export interface ZoneClock {
  readonly timeZone: string
  readonly changes: Float64Array
  readonly offsets: Float64Array
}

const known = new Map<string, ZoneClock>()

/** The clock of an IANA zone, kept after the first call. Throws RangeError for a name the runtime does not know. */
export function zoneClock(timeZone: string): ZoneClock {
  const kept = known.get(timeZone)
  if (kept !== undefined) return kept
  const changes = [-Infinity]
  let at = FIRST_KNOWN.toZonedDateTimeISO(timeZone)
  const offsets = [Math.round(at.offsetNanoseconds / 6e10)]
  for (;;) {
    const next = at.getTimeZoneTransition('next')
    if (next === null || next.epochMilliseconds >= LAST_KNOWN.epochMilliseconds) break
    changes.push(next.epochMilliseconds / 60_000)
    offsets.push(Math.round(next.offsetNanoseconds / 6e10))
    at = next
  }
  const clock = { timeZone, changes: Float64Array.from(changes), offsets: Float64Array.from(offsets) }
  known.set(timeZone, clock)
  return clock
}

function periodAt(clock: ZoneClock, at: EpochMinute): number {
  let low = 0
  let high = clock.changes.length - 1
  while (low < high) {
    const middle = (low + high + 1) >> 1
    if ((clock.changes[middle] ?? Infinity) <= at) low = middle
    else high = middle - 1
  }
  return low
}

/** Minutes the wall clock is ahead of UTC at an instant. */
export function offsetAt(clock: ZoneClock, at: EpochMinute): number {
  return clock.offsets[periodAt(clock, at)] ?? 0
}

/** Wall-clock minutes since 1970-01-01 00:00 local: the reading of the clock as one number. */
export function localMinuteAt(clock: ZoneClock, at: EpochMinute): number {
  return at + offsetAt(clock, at)
}

/** Day number of an instant on the zone's calendar. */
export function dayNumberAt(clock: ZoneClock, at: EpochMinute): number {
  return Math.floor(localMinuteAt(clock, at) / MINUTES_OF_DAY)
}

/**
 * The first instant at which the clock has reached `minute` (0…2880) of a day. A time skipped in spring falls on the change itself,
 * of a repeated hour it is the first: so every range of a day stays one stretch and no range is ever turned around.
 */
export function edgeAt(clock: ZoneClock, number: number, minute: number): EpochMinute {
  const local = number * MINUTES_OF_DAY + minute
  let period = periodAt(clock, local - WIDEST_OFFSET)
  for (; period < clock.changes.length - 1; period++) {
    const at = Math.max(clock.changes[period] ?? -Infinity, local - (clock.offsets[period] ?? 0))
    if (at < (clock.changes[period + 1] ?? Infinity)) return at
  }
  return Math.max(clock.changes[period] ?? -Infinity, local - (clock.offsets[period] ?? 0))
}

/**
 * What to add to a wall minute 0…2880 of this day to have the instant, or NaN when the clock changes within these two days
 * and each edge has to be looked up with `edgeAt`.
 */
export function baseOfDay(clock: ZoneClock, number: number): number {
  const from = edgeAt(clock, number, 0)
  const to = edgeAt(clock, number, 2 * MINUTES_OF_DAY)
  const whole = periodAt(clock, from) === periodAt(clock, to) && to - from === 2 * MINUTES_OF_DAY
  return whole ? from : Number.NaN
}

/** The calendar day of an instant in a zone. */
export function dayOf(timeZone: string, at: EpochMinute): Day {
  return dayOfNumber(dayNumberAt(zoneClock(timeZone), at))
}

/** Minutes since midnight that the wall clock of a zone shows at an instant, 0…1439. */
export function wallMinuteOf(timeZone: string, at: EpochMinute): number {
  const local = localMinuteAt(zoneClock(timeZone), at)
  return local - Math.floor(local / MINUTES_OF_DAY) * MINUTES_OF_DAY
}

/** The stretch of instants of one calendar day: 1440 minutes, fewer or more when the clock changes on it. */
export function spanOfDay(timeZone: string, day: Day): { from: EpochMinute; to: EpochMinute } {
  const clock = zoneClock(timeZone)
  const number = dayNumber(day)
  return { from: edgeAt(clock, number, 0), to: edgeAt(clock, number + 1, 0) }
}

/**
 * The instant at which the clock shows `minute` (0…2880) of a day. A repeated time gives the first of the two;
 * a time that does not exist on that day is refused, with the instant of the change.
 */
export function instantAtWall(
  timeZone: string,
  day: Day,
  minute: number,
): { ok: true; at: EpochMinute } | { ok: false; reason: 'nonexistent_time'; at: EpochMinute } {
  const clock = zoneClock(timeZone)
  const number = dayNumber(day)
  const at = edgeAt(clock, number, minute)
  if (localMinuteAt(clock, at) === number * MINUTES_OF_DAY + minute) return { ok: true, at }
  return { ok: false, reason: 'nonexistent_time', at }
}

/** Whether an instant is the second showing of a wall time: the same reading was on the clock before. */
export function isRepeated(clock: ZoneClock, at: EpochMinute): boolean {
  return edgeAt(clock, 0, localMinuteAt(clock, at)) < at
}

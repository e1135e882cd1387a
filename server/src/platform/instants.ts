/** Where texts become moments and moments texts: the server's only edge between the wire or the database and reckoning. */
import { type Day, type EpochMinute, type Instant, type InstantText, instantOf, minuteOf } from '@soigne/contract/time'

/** The instant of an ISO text that was checked before; NaN for anything else. */
export const parseInstant = (text: string): Instant => Date.parse(text)

/** The minute of an ISO text. */
export const minuteOfText = (text: string): EpochMinute => minuteOf(parseInstant(text))

export const instantText = (instant: Instant): InstantText => new Date(instant).toISOString()

export const minuteText = (minute: EpochMinute): InstantText => instantText(instantOf(minute))

/** The calendar date in UTC. */
export const utcDayOf = (instant: Instant): Day => instantText(instant).slice(0, 10)

/** From eight in the morning until ten at night somewhere: when nobody is woken by a letter that can wait. */
export function isDay(now: number, timeZone: string): boolean {
  const { hour } = Temporal.Instant.fromEpochMilliseconds(now).toZonedDateTimeISO(timeZone)
  return hour >= 8 && hour < 22
}

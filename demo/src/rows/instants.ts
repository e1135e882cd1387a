/** Texts of rows as moments, and moments as texts: the demo's only edge between what is written and what is reckoned. */
import { type Day, type EpochMinute, type Instant, type InstantText, minuteOf } from '@soigne/contract/time'

export const parseInstant = (text: string): Instant => Date.parse(text)

export const minuteOfText = (text: string): EpochMinute => minuteOf(parseInstant(text))

export const instantText = (instant: Instant): InstantText => new Date(instant).toISOString()

/** The calendar date in UTC. */
export const utcDayOf = (instant: Instant): Day => instantText(instant).slice(0, 10)

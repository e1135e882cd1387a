/**
 * Moments and lengths of time. Clocks and the wire count milliseconds, planning counts minutes, calendars count days: three
 * types that cannot stand for each other, though a plain number or text may become any of them. Arithmetic gives plain
 * numbers, so what is reckoned has to be given to something that says what it expects. Text becomes a moment where it comes
 * in: `server/src/platform/instants.ts`, `web/src/platform/time.ts`, `demo/src/rows/instants.ts`.
 */

/** Milliseconds since the Unix epoch. */
export type Instant = number & { readonly unit?: 'instant' }

/** Minutes since the Unix epoch, as the engine plans; the same type as in `scheduling/src/model.ts`. A `now` may carry a fraction. */
export type EpochMinute = number & { readonly unit?: 'epoch minute' }

/** An instant as ISO 8601 text in UTC, as the wire carries it. */
export type InstantText = string & { readonly unit?: 'instant' }

/** A calendar date of some zone, `YYYY-MM-DD`. */
export type Day = string & { readonly unit?: 'day' }

/** Milliseconds of a minute. */
export const minuteMs = 60_000
/** Milliseconds of an hour. */
export const hourMs = 60 * minuteMs
/** Milliseconds of a day on which no clock changes. */
export const dayMs = 24 * hourMs
/** Minutes of a day on which no clock changes. */
export const minutesOfDay = 24 * 60

/** The minute of an instant, with a fraction where it is not whole. */
export const minuteOf = (instant: Instant): EpochMinute => instant / minuteMs

/** The instant of a minute. */
export const instantOf = (minute: EpochMinute): Instant => minute * minuteMs

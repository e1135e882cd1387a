/** A visit that comes again: every so many weeks, so many times. */
import * as z from 'zod/mini'
import { appointment, segment } from './appointments.ts'
import { defineCalls } from './define.ts'
import { freeTime, id, instant, money } from './wire.ts'

/** Most weeks from one visit of a series to the next. */
export const mostWeeksBetween = 8
/** Most visits of a series, the one that is repeated counted. */
export const mostVisitsOfSeries = 12

const everyWeeks = z.coerce.number().check(z.int(), z.gte(1), z.lte(mostWeeksBetween))
const times = z.coerce.number().check(z.int(), z.gte(2), z.lte(mostVisitsOfSeries))

const occurrence = z.object({
  /** The wall hour of the repeated visit on that day, and the end it leads to. */
  startsAt: z.string(),
  endsAt: z.string(),
  /** Why it cannot be had, in the caller's language; null when it is free. */
  conflict: z.nullable(z.string()),
  /** Free times near to it; empty when it is free itself. */
  nearest: z.array(freeTime),
  /** What it will be, with its price of that day; empty and null where it cannot be had. */
  segments: z.array(segment),
  total: z.nullable(money),
})
/** One visit of a series before it is made. */
export type Occurrence = z.output<typeof occurrence>

/** What letting go of this visit and those that follow would do now. Absent from answers of releases before it was told. */
const rest = z.object({
  /** How many would go, when the first of them is, and how many are no longer free to cancel and stay. */
  count: z.int(),
  startsAt: z.nullable(z.string()),
  late: z.int(),
  /** What goes back of what was paid online. */
  refunded: money,
  /** What was paid of visits of which some was paid at the counter: its institute settles it there. */
  atSalon: z.optional(money),
  /** Sessions of packages that go back. */
  sessions: z.int(),
})
const missed = z.object({ startsAt: z.string(), conflict: z.string(), nearest: z.array(freeTime) })

/** Looking at a series before it is made, making it, reading it and cancelling what is left of it. */
export const seriesCalls = defineCalls({
  seriesPlan: {
    method: 'GET',
    path: '/api/v1/secure/appointments/:id/series/plan',
    access: { of: 'self', verified: true },
    tag: 'series',
    summary: 'The visits that repeating this one would make, each free or with what stands in its way; nothing is changed',
    params: z.object({ id }),
    query: z.object({ everyWeeks, times }),
    answer: z.object({ timeZone: z.string(), items: z.array(occurrence) }),
    refusals: ['wrong_state', 'deposit_needed', 'not_offered', 'not_bookable', 'price_on_request'],
  },
  makeSeries: {
    method: 'POST',
    path: '/api/v1/secure/appointments/:id/series',
    access: { of: 'self', verified: true },
    tag: 'series',
    summary: 'Repeat this visit at these times: those that can be had become visits, the others are named with free times near to them',
    params: z.object({ id }),
    body: z.object({
      everyWeeks: z.int().check(z.gte(1), z.lte(mostWeeksBetween)),
      startsAt: z.array(instant).check(z.minLength(1), z.maxLength(mostVisitsOfSeries - 1)),
    }),
    idempotent: true,
    answer: z.object({ made: z.array(appointment), missed: z.array(missed) }),
    refusals: ['wrong_state', 'deposit_needed', 'too_many_repeats', 'not_bookable', 'price_on_request'],
  },
  series: {
    method: 'GET',
    path: '/api/v1/secure/appointments/:id/series',
    access: { of: 'self', verified: true },
    tag: 'series',
    summary: 'The visits this one was repeated with, soonest first; none where it stands alone',
    params: z.object({ id }),
    /** `movedFrom`: the hour it was made for, where it was moved since; null where it was not, and for the visit that was repeated. */
    answer: z.object({
      everyWeeks: z.nullable(z.int()),
      items: z.array(z.extend(appointment, { movedFrom: z.nullable(z.string()) })),
      rest: z.optional(rest),
    }),
  },
  cancelSeries: {
    method: 'PUT',
    path: '/api/v1/secure/appointments/:id/series/cancel',
    access: { of: 'self', verified: true },
    tag: 'series',
    summary: 'Cancel this visit and those of its series that follow; what its terms no longer allow is kept and named',
    params: z.object({ id }),
    idempotent: true,
    answer: z.object({ cancelled: z.array(appointment), kept: z.array(appointment) }),
    refusals: ['wrong_state', 'too_late'],
  },
})

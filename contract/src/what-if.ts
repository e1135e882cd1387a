/** The last eight weeks of bookings and searches asked again under other rules. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { hoursPart, rulesPart } from './institute-settings.ts'

/** Days that are looked back on. */
export const whatIfDays = 56
/** Below so many searches little can be said. */
export const fewSearches = 20
/** Most bookings, and most searches, that are asked again; of more, so many evenly spread. */
export const mostReplayed = 600
/** Examples of each kind that are told. */
const examplesOfKind = 3

/** Which rule decides: notice, horizon, the grid, opening hours, the gap rule, the longest wait within a visit, or something else. */
export const whatIfReasons = ['notice', 'horizon', 'grid', 'hours', 'gap', 'wait', 'other'] as const
/** One of them. */
export type WhatIfReason = (typeof whatIfReasons)[number]

const example = z.object({
  askedAt: z.string(),
  /** The start that is won or lost. */
  startsAt: z.string(),
  services: z.array(z.string()),
  reason: z.enum(whatIfReasons),
})
const turned = z.object({
  count: z.int(),
  /** The most frequent first. */
  reasons: z.array(z.object({ reason: z.enum(whatIfReasons), count: z.int() })),
  examples: z.array(example).check(z.maxLength(examplesOfKind)),
})
export type Turned = z.output<typeof turned>

const whatIf = z.object({
  timeZone: z.string(),
  since: z.string(),
  bookings: z.object({
    /** Made online by clients in this time. */
    total: z.int(),
    /** Of these, asked again. */
    replayed: z.int(),
    /** Of these, possible under the rules as they are: only they count. */
    counted: z.int(),
    lost: turned,
  }),
  searches: z.object({
    total: z.int(),
    replayed: z.int(),
    /** Answered under the rules as they are as they were then: only they count. */
    counted: z.int(),
    foundNothing: z.int(),
    /** Fewer count than anything can be read from. */
    areFew: z.boolean(),
    /** Found nothing and would find a time. */
    won: turned,
    /** Found a time and would find nothing. */
    lost: turned,
  }),
})
export type WhatIf = z.output<typeof whatIf>

/** Asking what would have been. */
export const whatIfCalls = defineCalls({
  whatIf: {
    method: 'POST',
    path: '/api/v1/secure/mysalon/what-if',
    access: { of: 'institute', may: 'institute.change' },
    tag: 'institute-settings',
    summary:
      'What the last eight weeks of online bookings and searches would have been under other rules or opening hours; changes nothing',
    body: z.object({ rules: z.optional(rulesPart), openingHours: z.optional(hoursPart) }),
    answer: whatIf,
    refusals: ['too_many_requests'],
  },
})

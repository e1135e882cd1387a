/** Free starts as an institute may take them, and why one is not free. Days are those of the institute's calendar, instants are ISO 8601. */
import * as z from 'zod/mini'
import { mostServices } from './appointments.ts'
import { defineCalls } from './define.ts'
import { day, flag, id, instant } from './wire.ts'

/** Two instants, the first before the second. */
const stretch = { startsAt: z.string(), endsAt: z.string() }

/** Why a start is not free, as the institute reads it. */
const refusedBy = z.object({
  /** `closed`, `outside_shift`, `away`, `taken`, `buffer`, `external`, `no_resource`, `prerequisite`, `last_start`, `notice`, `horizon`, `not_performed`. */
  reason: z.string(),
  /** What lies in the way, on whose lane. */
  lane: z.enum(['open', 'shift', 'person', 'cleanup', 'resource', 'rule']),
  startsAt: z.nullable(z.string()),
  endsAt: z.nullable(z.string()),
  /** Whose visit, which blocked time, which rule: in words. */
  what: z.nullable(z.string()),
})

/** Services in their order; at the client's home with the way there and back. */
const servicesAsked = {
  service: z.union([id, z.array(id).check(z.minLength(1), z.maxLength(mostServices))]),
  atHome: z.optional(flag),
}

/** Asking for times, and why one is not free. */
export const diaryTimeCalls = defineCalls({
  diaryTimes: {
    method: 'GET',
    path: '/api/v1/secure/mysalon/diary/times',
    access: { of: 'institute', may: 'diary.own' },
    tag: 'diary',
    summary: 'Free starts for services, with members who are not booked online and without notice too',
    query: z.object({
      ...servicesAsked,
      staff: z.optional(z.union([z.literal('any'), id, z.array(z.union([z.literal('any'), id])).check(z.maxLength(mostServices))])),
      from: day,
      days: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(31)), 1),
      /** The visit that is to be moved: what it takes itself is free for it. */
      visit: z.optional(id),
    }),
    answer: z.object({
      timeZone: z.string(),
      days: z.array(z.object({ day: z.string(), times: z.array(z.object(stretch)) })),
    }),
    refusals: ['not_at_home'],
  },
  whyNot: {
    method: 'GET',
    path: '/api/v1/secure/mysalon/diary/why',
    access: { of: 'institute', may: 'diary.own' },
    tag: 'diary',
    summary: 'Why services cannot start at a time with somebody, and what can',
    query: z.object({ ...servicesAsked, staff: id, startsAt: instant }),
    refusals: ['not_at_home'],
    answer: z.object({
      isFree: z.boolean(),
      startsAt: z.string(),
      endsAt: z.string(),
      refusedBy: z.array(refusedBy),
      /** The first start after it that works with the same member, that day or later. */
      next: z.nullable(z.object({ staffId: z.string(), ...stretch })),
      /** The same start with somebody else. */
      others: z.array(z.object({ staffId: z.string(), ...stretch })),
      /** What a client is told: the same as they would read. */
      toClient: z.string(),
    }),
  },
})

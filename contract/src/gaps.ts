/** Free stretches between what members do, who of the waiting list fits into them, and what the gap rule kept whole. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { id } from './wire.ts'

/** Today and the days after it that gaps are looked for in. */
export const gapDays = 3
/** Names of services, and of people, that one gap tells; the rest is a number. */
export const namesOfGap = 3

const instant = z.string().check(z.maxLength(40))

const gap = z.object({
  member: z.object({ _id: z.string(), name: z.string(), imageUrl: z.string() }),
  startsAt: z.string(),
  endsAt: z.string(),
  /** Names of the services that could be booked wholly inside it, the longest first. */
  services: z.array(z.string()),
  moreServices: z.int(),
  /** Who waits for something that fits, in the order they asked. */
  waiting: z.array(z.object({ name: z.string(), services: z.array(z.string()) })),
  moreWaiting: z.int(),
})
export type Gap = z.output<typeof gap>

const gaps = z.object({
  /** The server's clock. */
  now: z.string(),
  timeZone: z.string(),
  day: z.string(),
  /** It is night at the institute: nobody is written to. */
  isNight: z.boolean(),
  /** Those that somebody waits for first, each by time. */
  items: z.array(gap),
  /** Gaps beyond those listed. */
  more: z.int(),
  /** Since Monday; null where the institute does not hide starts that leave gaps. */
  kept: z.nullable(
    z.object({
      /** For each counted booking what the starts of its day would have left too short to sell on average, added up. */
      minutes: z.int(),
      /** Bookings that clients made online, on a day of which the rule hid starts. */
      bookings: z.int(),
    }),
  ),
})
export type Gaps = z.output<typeof gaps>

/** Gaps, and offering them. */
export const gapCalls = defineCalls({
  gaps: {
    method: 'GET',
    path: '/api/v1/secure/mysalon/gaps',
    access: { of: 'institute', may: 'diary.read' },
    tag: 'dashboard',
    summary: 'Gaps of today and the next two days that a bookable service fits into, with who of the waiting list fits',
    answer: gaps,
  },
  offerGap: {
    method: 'POST',
    path: '/api/v1/secure/mysalon/gaps/offers',
    access: { of: 'institute', may: 'diary.change' },
    tag: 'dashboard',
    summary: 'Hold a gap for the first of the waiting list that fits, and for the next in what is left of it',
    body: z.object({ staffId: id, startsAt: instant, endsAt: instant }),
    answer: z.object({ offers: z.array(z.object({ name: z.string(), startsAt: z.string(), until: z.string() })) }),
    refusals: ['gap_taken', 'nobody_waits', 'quiet_hours'],
  },
})

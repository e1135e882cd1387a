/** Waiting lists: what somebody would take when it falls free, and what is held for them. */
import * as z from 'zod/mini'
import { appointment, cart, homeAddress, homeAddressInput, segment } from './appointments.ts'
import { defineCalls } from './define.ts'
import { partOfDay } from './institutes.ts'
import { day, id, message, money } from './wire.ts'

/** Longest window somebody may wait for. */
export const waitingDays = 62
/** Entries a person may have at a time. */
export const mostWaiting = 10

/** Wall time of the institute, `HH:MM`; an end may be `24:00`. */
const wallTime = z.string().check(z.regex(/^(?:[01]\d|2[0-3]):[0-5]\d$|^24:00$/))
const hours = z.object({ from: wallTime, to: wallTime })

const waitingEntry = z.object({
  _id: z.string(),
  institute: z.object({ _id: z.string(), slug: z.string(), name: z.string(), timeZone: z.string() }),
  /** What is waited for, in order; `staffName` is null where anybody will do. */
  services: z.array(
    z.object({ serviceId: z.string(), name: z.string(), staffId: z.nullable(z.string()), staffName: z.nullable(z.string()) }),
  ),
  /** First and last day, both included. */
  fromDay: z.string(),
  toDay: z.string(),
  part: z.nullable(partOfDay),
  /** The visit begins and ends within these. */
  hours: z.nullable(hours),
  /** The visit that is given back for an earlier time. */
  visit: z.nullable(z.object({ _id: z.string(), startsAt: z.string() })),
  /** At the client's home; where that is, unless it is that of the visit that is given back. */
  atHome: z.optional(z.boolean()),
  home: z.optional(homeAddress),
  createdAt: z.string(),
  /** What is held for this person alone, until then; null when nothing is. */
  offer: z.nullable(z.object({ startsAt: z.string(), endsAt: z.string(), until: z.string(), total: money, segments: z.array(segment) })),
})
export type WaitingEntry = z.output<typeof waitingEntry>

/** Waiting for a time, and taking it. */
export const waitingCalls = defineCalls({
  joinWaitingList: {
    method: 'POST',
    path: '/api/v1/secure/waiting',
    access: { of: 'self', verified: true },
    tag: 'waiting',
    summary:
      'Wait for services in a window of days; with `visitId` for an earlier time than that visit, which is given back. The same again answers the first',
    body: z.object({
      instituteId: id,
      services: cart,
      fromDay: day,
      toDay: day,
      part: z.optional(partOfDay),
      hours: z.optional(hours),
      visitId: z.optional(id),
      /** The visit is at home, here. Needed where a service is done nowhere else; an earlier time than a visit is where that is. */
      home: z.optional(homeAddressInput),
    }),
    status: 201,
    answer: waitingEntry,
    refusals: [
      'not_bookable',
      'not_offered',
      'not_at_home',
      'outside_radius',
      'price_on_request',
      'too_many_waiting',
      'wrong_state',
      'too_late',
    ],
  },
  waitingEntries: {
    method: 'GET',
    path: '/api/v1/secure/waiting',
    access: { of: 'self' },
    tag: 'waiting',
    summary: 'What I wait for, with what is held for me now, the offers first',
    /** `now` is the time of the server, for countdowns. */
    answer: z.object({ items: z.array(waitingEntry), now: z.string() }),
  },
  leaveWaitingList: {
    method: 'DELETE',
    path: '/api/v1/secure/waiting/:id',
    access: { of: 'self' },
    tag: 'waiting',
    summary: 'Wait no more; what is held for me goes to the next',
    params: z.object({ id }),
    answer: message,
  },
  acceptOffer: {
    method: 'PUT',
    path: '/api/v1/secure/waiting/:id/accept',
    access: { of: 'self', verified: true },
    tag: 'waiting',
    summary: 'Take the time held for me: it becomes my visit, and the visit it replaces is given back in the same moment',
    params: z.object({ id }),
    idempotent: true,
    answer: appointment,
    refusals: ['hold_expired', 'wrong_state', 'too_late', 'idempotency_conflict'],
  },
  declineOffer: {
    method: 'PUT',
    path: '/api/v1/secure/waiting/:id/decline',
    access: { of: 'self' },
    tag: 'waiting',
    summary: 'Let the time held for me go to the next, and wait on',
    params: z.object({ id }),
    answer: message,
    refusals: ['hold_expired'],
  },
})

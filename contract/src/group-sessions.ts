/** Group sessions of an institute: a service at one time for several clients, who book seats by the calls of every visit. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { day, id, instant, message, text } from './wire.ts'

/** Most seats of a session. */
export const mostSeats = 500

/** Most sessions that are planned or opened at once. */
export const mostSessionsAtOnce = 26

const capacity = z.int().check(z.gte(1), z.lte(mostSeats))

const groupSession = z.object({
  _id: z.string(),
  serviceId: z.string(),
  serviceName: z.string(),
  staffId: z.string(),
  staffName: z.string(),
  /** The room, where the service needs one. */
  resourceId: z.nullable(z.string()),
  startsAt: z.string(),
  endsAt: z.string(),
  timeZone: z.string(),
  capacity: z.int(),
  /** Seats of clients who come, and of those who are deciding this moment. */
  booked: z.int(),
  held: z.int(),
})
export type GroupSession = z.output<typeof groupSession>

const plannedSession = z.object({
  startsAt: z.string(),
  endsAt: z.string(),
  /** Why it cannot be there, in the caller's language; null when it can. */
  conflict: z.nullable(z.string()),
})
export type PlannedSession = z.output<typeof plannedSession>

const sessions = '/api/v1/secure/mysalon/sessions'
const session = `${sessions}/:id`

/** Putting sessions into the diary, moving, resizing and cancelling them. */
export const groupSessionCalls = defineCalls({
  groupSessions: {
    method: 'GET',
    path: sessions,
    access: { of: 'institute', may: 'diary.read' },
    tag: 'sessions',
    summary: 'Group sessions from a day on (today when absent), soonest first, with the seats taken',
    query: z.object({ from: z.optional(day), days: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(62)), 28) }),
    answer: z.object({ items: z.array(groupSession) }),
  },
  openGroupSession: {
    method: 'POST',
    path: sessions,
    access: { of: 'institute', may: 'diary.change' },
    tag: 'sessions',
    summary: 'Put a session of a group service into the diary; clients can book its seats at once',
    body: z.object({
      serviceId: id,
      staffId: id,
      startsAt: instant,
      /** Seats; as many as the service has when absent. */
      capacity: z.optional(capacity),
      /** The room; any free one when absent. */
      resourceId: z.optional(id),
    }),
    status: 201,
    answer: groupSession,
    refusals: ['time_taken', 'not_offered'],
  },
  planGroupSessions: {
    method: 'GET',
    path: `${sessions}/plan`,
    access: { of: 'institute', may: 'diary.change' },
    tag: 'sessions',
    summary: 'Where sessions at this wall hour would stand, every so many weeks, and what is in the way of each; nothing is changed',
    query: z.object({
      serviceId: id,
      staffId: id,
      startsAt: instant,
      everyWeeks: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(8)), 1),
      times: z._default(z.coerce.number().check(z.int(), z.gte(1), z.lte(mostSessionsAtOnce)), 1),
      /** The room; any free one when absent. */
      resourceId: z.optional(id),
      /** The session that would move there: its own time is not in its way. */
      sessionId: z.optional(id),
    }),
    answer: z.object({
      timeZone: z.string(),
      items: z.array(plannedSession),
      /** Rooms the service can be given in; none where it needs no room. */
      rooms: z.array(z.object({ _id: z.string(), name: z.string() })),
    }),
  },
  openGroupSessions: {
    method: 'POST',
    path: `${sessions}/series`,
    access: { of: 'institute', may: 'diary.change' },
    tag: 'sessions',
    summary: 'Put several sessions of a group service into the diary: all of them, or none where one does not fit',
    body: z.object({
      serviceId: id,
      staffId: id,
      startsAt: z.array(instant).check(z.minLength(1), z.maxLength(mostSessionsAtOnce)),
      capacity: z.optional(capacity),
      resourceId: z.optional(id),
    }),
    idempotent: true,
    status: 201,
    answer: z.object({ items: z.array(groupSession) }),
    refusals: ['time_taken', 'not_offered', 'idempotency_conflict'],
  },
  moveGroupSession: {
    method: 'PUT',
    path: `${session}/move`,
    access: { of: 'institute', may: 'diary.change' },
    tag: 'sessions',
    summary: 'Move a session that has not begun to another time or member; those who booked are told, seats only held are let go',
    params: z.object({ id }),
    body: z.object({ startsAt: instant, staffId: z.optional(id), resourceId: z.optional(id) }),
    answer: groupSession,
    refusals: ['time_taken', 'not_offered', 'wrong_state'],
  },
  resizeGroupSession: {
    method: 'PUT',
    path: `${session}/capacity`,
    access: { of: 'institute', may: 'diary.change' },
    tag: 'sessions',
    summary: 'Give a session more or fewer seats, never fewer than are taken',
    params: z.object({ id }),
    body: z.object({ capacity }),
    answer: groupSession,
    refusals: ['seats_taken', 'wrong_state'],
  },
  cancelGroupSession: {
    method: 'PUT',
    path: `${session}/cancel`,
    access: { of: 'institute', may: 'diary.change' },
    tag: 'sessions',
    summary: 'Cancel a session that has not begun, and every visit booked in it; their clients are told',
    params: z.object({ id }),
    body: z.optional(z.nullable(z.object({ reason: z.optional(text(300, 0)) }))),
    answer: message,
    refusals: ['wrong_state'],
  },
})

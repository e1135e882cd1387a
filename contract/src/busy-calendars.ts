/** Calendars elsewhere that say when a team member is busy. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { id, message, text } from './wire.ts'

const path = '/api/v1/secure/mysalon/staff/:id/busy-calendar'
const change = { of: 'institute', may: 'team.change' } as const
const params = z.object({ id })

/** Why a calendar could not be read: no answer, a refusal, an address inside a private network, more than is read, no calendar, or one that never ends. */
export const busyProblems = ['unreachable', 'refused', 'private', 'too_large', 'no_calendar', 'too_much'] as const
/** One of the closed list of problems. */
export type BusyProblem = (typeof busyProblems)[number]

const busyCalendar = z.object({
  /** Where it is; its whole address is told to nobody. */
  host: z.string(),
  /** When it last answered; null before the first time. */
  lastReadAt: z.nullable(z.string()),
  /** Why it could not be read the last time; what was known before stays. */
  problem: z.nullable(z.enum(busyProblems)),
  /** Stretches it takes from now on. */
  busy: z.int(),
  /** Visits ahead that lie over them, the first fifty; they stay where they are. */
  hits: z.array(z.object({ _id: z.string(), startsAt: z.string(), endsAt: z.string(), customer: z.nullable(z.string()) })),
})
export type BusyCalendar = z.output<typeof busyCalendar>

/** Giving, reading and removing the calendar of a member. */
export const busyCalendarCalls = defineCalls({
  busyCalendar: {
    method: 'GET',
    path,
    access: change,
    tag: 'team',
    summary: 'The calendar elsewhere that says when a member is busy, and the visits that lie over it',
    params,
    answer: z.object({ calendar: z.nullable(busyCalendar), timeZone: z.string() }),
  },
  setBusyCalendar: {
    method: 'PUT',
    path,
    access: change,
    tag: 'team',
    summary: 'Give the address of a calendar (https or webcal); it is read at once, and refused when it cannot be',
    params,
    body: z.object({ address: text(2000) }),
    answer: message,
  },
  removeBusyCalendar: {
    method: 'DELETE',
    path,
    access: change,
    tag: 'team',
    summary: 'Remove the calendar of a member; what it took is free again',
    params,
    answer: message,
  },
})

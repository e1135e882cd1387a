/** One's visits in one's own calendar: written there through a provider, or fetched from a secret address. */
import * as z from 'zod/mini'
import { defineCalls } from './define.ts'
import { providerAnswer } from './session.ts'
import { message } from './wire.ts'

const calendars = z.object({
  /** What the provider of calendars is called; null where there is none. */
  provider: z.nullable(z.string()),
  connection: z.nullable(
    z.object({
      /** `broken`: the provider takes our word no more. */
      state: z.enum(['connected', 'broken']),
      /** Email of the account there. */
      account: z.nullable(z.string()),
      /** When a visit was last written, ISO. */
      syncedAt: z.nullable(z.string()),
    }),
  ),
  /** Since when there is a secret address; the address itself is told once. */
  feed: z.nullable(z.object({ createdAt: z.string() })),
})
/** How somebody's visits reach their calendar. */
export type CalendarsOfUser = z.output<typeof calendars>

/** Calls about calendars. */
export const calendarCalls = defineCalls({
  calendars: {
    method: 'GET',
    path: '/api/v1/secure/calendars',
    access: { of: 'self' },
    tag: 'calendars',
    summary: 'How my visits reach my calendar',
    answer: calendars,
  },
  connectCalendar: {
    method: 'POST',
    path: '/api/v1/secure/calendars/connection',
    access: { of: 'self', verified: true },
    tag: 'calendars',
    summary: 'Connect a calendar with the code that the provider gave; begun at /api/v1/client/auth/google/start?for=calendar',
    body: providerAnswer,
    answer: z.object({
      message: z.string(),
      /** Path of this site it was begun for. */
      from: z.nullable(z.string()),
    }),
    refusals: ['sign_in_failed', 'calendar_refused', 'unavailable'],
  },
  disconnectCalendar: {
    method: 'DELETE',
    path: '/api/v1/secure/calendars/connection',
    access: { of: 'self' },
    tag: 'calendars',
    summary: 'Disconnect the calendar; what was written there is taken away',
    answer: message,
  },
  makeCalendarFeed: {
    method: 'POST',
    path: '/api/v1/secure/calendars/feed',
    access: { of: 'self', verified: true },
    tag: 'calendars',
    summary: 'Make a secret address of my visits for calendars; one from before ends',
    answer: z.object({ message: z.string(), address: z.string() }),
  },
  removeCalendarFeed: {
    method: 'DELETE',
    path: '/api/v1/secure/calendars/feed',
    access: { of: 'self' },
    tag: 'calendars',
    summary: 'End the secret address',
    answer: message,
  },
  calendarFeed: {
    method: 'GET',
    path: '/api/v1/client/calendars/:token/visits.ics',
    access: 'public',
    tag: 'calendars',
    summary: 'The visits behind a secret address as an iCalendar file',
    params: z.object({ token: z.string().check(z.regex(/^[A-Za-z0-9_-]{43}$/)) }),
    secretAddress: true,
    answer: 'text/calendar',
  },
})

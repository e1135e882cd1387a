/** The Google Calendar API, as far as visits need it. */
import { calendarUrlOf, fromWithin } from '#/features/identities/service.ts'
import type { AppContext } from '#/platform/app-context.ts'

const answerMs = 10_000

/** An answer that is no success. */
export class CalendarError extends Error {
  readonly status: number
  readonly reason: string
  constructor(status: number, reason: string) {
    super(`the calendar answered ${status} ${reason}`)
    this.status = status
    this.reason = reason
  }
}

export interface CalendarEvent {
  summary: string
  description: string
  location: string
  start: { dateTime: string; timeZone: string }
  end: { dateTime: string; timeZone: string }
  source: { title: string; url: string }
  status: 'confirmed'
}

export interface CalendarApi {
  /** Gives the id of a new calendar. */
  makeCalendar(summary: string): Promise<string>
  removeCalendar(id: string): Promise<void>
  /** Makes an event be as it is given, whether it was there or not. @throws CalendarError 404 when the calendar is gone */
  put(calendarId: string, eventId: string, event: CalendarEvent): Promise<void>
  /** One that is not there is fine. */
  remove(calendarId: string, eventId: string): Promise<void>
}

async function reasonOf(response: Response): Promise<string> {
  const body = (await response.json().catch(() => null)) as { error?: { errors?: { reason?: string }[]; status?: string } } | null
  return body?.error?.errors?.[0]?.reason ?? body?.error?.status ?? ''
}

const hasStatus = (error: unknown, ...statuses: number[]): boolean => error instanceof CalendarError && statuses.includes(error.status)

export function calendarApi(context: AppContext, accessToken: string): CalendarApi {
  const base = calendarUrlOf(context)
  async function ask(method: string, path: string, body?: object): Promise<unknown> {
    const response = await fetch(fromWithin(context, `${base}${path}`), {
      method,
      headers: { authorization: `Bearer ${accessToken}`, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
      signal: AbortSignal.timeout(answerMs),
    })
    if (!response.ok) throw new CalendarError(response.status, await reasonOf(response))
    return response.status === 204 ? null : response.json()
  }
  const events = (calendarId: string): string => `/calendars/${encodeURIComponent(calendarId)}/events`
  return {
    async makeCalendar(summary) {
      return ((await ask('POST', '/calendars', { summary })) as { id: string }).id
    },
    async removeCalendar(id) {
      await ask('DELETE', `/calendars/${encodeURIComponent(id)}`)
    },
    async put(calendarId, eventId, event) {
      const update = (): Promise<unknown> => ask('PUT', `${events(calendarId)}/${eventId}`, event)
      try {
        await update()
      } catch (error) {
        if (!hasStatus(error, 404)) throw error
        await ask('POST', events(calendarId), { id: eventId, ...event }).catch((again: unknown) => {
          // Somebody else has just written it.
          if (hasStatus(again, 409)) return update()
          throw again
        })
      }
    },
    async remove(calendarId, eventId) {
      await ask('DELETE', `${events(calendarId)}/${eventId}`).catch((error: unknown) => {
        if (!hasStatus(error, 404, 410)) throw error
      })
    },
  }
}

/** Calendars of a trial, in the words of the Google Calendar API as far as the product speaks it. */
import { randomUUID } from 'node:crypto'
import { calendarScopes } from '#/features/identities/service.ts'
import { parseInstant } from '#/platform/instants.ts'
import type { Answer, LocalIssuer } from './issuer.ts'

type Event = Record<string, unknown> & { id: string; status: string }
interface Calendar {
  id: string
  owner: string
  summary: string
  events: Map<string, Event>
}

const failed = (status: number, reason: string, message: string): Answer => ({
  status,
  body: { error: { code: status, message, errors: [{ domain: 'global', reason, message }] } },
})

export interface Fault {
  status: number
  reason: string
  times: number
}

export class LocalCalendars {
  readonly #calendars = new Map<string, Calendar>()
  readonly #issuer: LocalIssuer
  #fault: Fault | null = null
  constructor(issuer: LocalIssuer) {
    this.#issuer = issuer
  }

  /** The next answers fail so. */
  plant(fault: Fault): void {
    this.#fault = fault
  }
  /** All calendars, for the page and for tests. */
  all(): { id: string; owner: string; summary: string; events: Event[] }[] {
    return [...this.#calendars.values()].map((one) => ({ ...one, events: [...one.events.values()] }))
  }
  forget(): void {
    this.#calendars.clear()
  }

  #planted(): Answer | null {
    if (!this.#fault || this.#fault.times <= 0) return null
    this.#fault.times -= 1
    return failed(this.#fault.status, this.#fault.reason, 'planted')
  }

  #of(authorization: string | undefined): { owner: string } | Answer {
    const bearer = this.#issuer.bearerOf(authorization)
    if (!bearer) return failed(401, 'authError', 'Invalid Credentials')
    if (!bearer.scope.includes(calendarScopes[0])) return failed(403, 'insufficientPermissions', 'Insufficient Permission')
    return this.#planted() ?? { owner: bearer.subject }
  }

  insertCalendar(authorization: string | undefined, body: Record<string, unknown>): Answer {
    const asked = this.#of(authorization)
    if ('status' in asked) return asked
    const id = `${randomUUID()}@group.calendar.test`
    const summary = String(body['summary'] ?? '')
    if (summary === '') return failed(400, 'required', 'Missing title.')
    this.#calendars.set(id, { id, owner: asked.owner, summary, events: new Map() })
    return { status: 200, body: { kind: 'calendar#calendar', id, summary } }
  }

  #found(authorization: string | undefined, id: string): Calendar | Answer {
    const asked = this.#of(authorization)
    if ('status' in asked) return asked
    const calendar = this.#calendars.get(id)
    return calendar?.owner === asked.owner ? calendar : failed(404, 'notFound', 'Not Found')
  }

  deleteCalendar(authorization: string | undefined, id: string): Answer {
    const calendar = this.#found(authorization, id)
    if ('status' in calendar) return calendar
    this.#calendars.delete(id)
    return { status: 204, body: {} }
  }

  insertEvent(authorization: string | undefined, id: string, body: Record<string, unknown>): Answer {
    const calendar = this.#found(authorization, id)
    if ('status' in calendar) return calendar
    const eventId = String(body['id'] ?? randomUUID().replaceAll('-', ''))
    if (!/^[a-v0-9]{5,1024}$/.test(eventId)) return failed(400, 'invalid', 'Invalid resource id value.')
    // Also one that was deleted keeps its id.
    if (calendar.events.has(eventId)) return failed(409, 'duplicate', 'The requested identifier already exists.')
    return this.#put(calendar, { ...body, id: eventId, status: 'confirmed' })
  }

  updateEvent(authorization: string | undefined, id: string, eventId: string, body: Record<string, unknown>): Answer {
    const calendar = this.#found(authorization, id)
    if ('status' in calendar) return calendar
    if (!calendar.events.has(eventId)) return failed(404, 'notFound', 'Not Found')
    return this.#put(calendar, { ...body, id: eventId, status: String(body['status'] ?? 'confirmed') })
  }

  #put(calendar: Calendar, event: Event): Answer {
    const [start, end] = [event['start'], event['end']] as ({ dateTime?: string } | undefined)[]
    if (!start?.dateTime || !end?.dateTime || parseInstant(end.dateTime) <= parseInstant(start.dateTime))
      return failed(400, 'timeRangeEmpty', 'The specified time range is empty.')
    calendar.events.set(event.id, event)
    return { status: 200, body: { kind: 'calendar#event', ...event } }
  }

  deleteEvent(authorization: string | undefined, id: string, eventId: string): Answer {
    const calendar = this.#found(authorization, id)
    if ('status' in calendar) return calendar
    const event = calendar.events.get(eventId)
    if (!event) return failed(404, 'notFound', 'Not Found')
    if (event.status === 'cancelled') return failed(410, 'deleted', 'Resource has been deleted')
    calendar.events.set(eventId, { ...event, status: 'cancelled' })
    return { status: 204, body: {} }
  }
}

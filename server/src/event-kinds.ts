/** Everything that can happen, and what is told of it. The list is closed: an event of another kind does not compile. */
import type { SpineEvent } from './platform/events.ts'

interface VisitTime {
  /** Instants, ISO. */
  startsAt: string
  endsAt: string
}

export interface EventPayloads {
  /** A time is kept for somebody for some minutes. */
  'visit.held': VisitTime & { userId: string; expiresAt: string }
  'visit.extended': { expiresAt: string }
  'visit.released': VisitTime
  /** A hold ran out and its time is free again. */
  'visit.lapsed': VisitTime
  'visit.booked': VisitTime & { userId: string }
  'visit.moved': VisitTime & { before: VisitTime }
  'visit.cancelled': VisitTime & { by: 'client' | 'institute' | 'system'; reason: string | null }
  /** Hours, team, services, rules: what an institute sets. */
  'institute.changed': { what: string }
}

export type EventKind = keyof EventPayloads

/** One event of a kind as it is stored. */
export type EventOf<Kind extends EventKind = EventKind> = { [K in Kind]: SpineEvent<K, EventPayloads[K]> }[Kind]

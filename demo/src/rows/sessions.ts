// Rows of group sessions, of the seats in them, and of the time they take.
import { minuteMs } from '@soigne/contract/time'
import { instantText } from './instants.ts'
import type { ServiceRow } from './menu.ts'
import type { AppointmentRow, OccupationRow } from './visits.ts'

/** Instants in milliseconds since the epoch. */
export interface SessionFacts {
  id: string
  service: ServiceRow
  memberId: string
  resourceId: string | null
  startsAt: number
  endsAt: number
  capacity: number
  createdAt: number
}

export type SessionRow = ReturnType<typeof sessionRow>
export const sessionRow = ({ service, ...facts }: SessionFacts) => ({
  id: facts.id,
  institute_id: service.institute_id,
  service_id: service.id,
  member_id: facts.memberId,
  resource_id: facts.resourceId,
  during: `[${instantText(facts.startsAt)},${instantText(facts.endsAt)})`,
  capacity: facts.capacity,
  created_at: instantText(facts.createdAt),
})

export type SeatRow = ReturnType<typeof seatRow>
export const seatRow = (session: SessionRow, seat: number, appointment: AppointmentRow) => ({
  session_id: session.id,
  seat,
  institute_id: session.institute_id,
  capacity: session.capacity,
  appointment_id: appointment.id,
  expires_at: null,
})

/** The session alone takes the time of its member and its room, with the buffers of its service. */
export const sessionOccupations = (facts: SessionFacts, newId: () => string): OccupationRow[] =>
  [
    { kind: 'member' as const, id: facts.memberId },
    ...(facts.resourceId === null ? [] : [{ kind: 'resource' as const, id: facts.resourceId }]),
  ].map((subject) => ({
    id: newId(),
    institute_id: facts.service.institute_id,
    kind: 'session',
    source_id: facts.id,
    appointment_id: null,
    subject_kind: subject.kind,
    subject_id: subject.id,
    during: `[${instantText(facts.startsAt - facts.service.buffer_before_minutes * minuteMs)},${instantText(facts.endsAt + facts.service.buffer_after_minutes * minuteMs)})`,
    expires_at: null,
  }))

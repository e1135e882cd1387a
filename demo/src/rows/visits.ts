// Rows of visits: who comes when, what is done, and the time that takes.
import { minuteMs } from '@soigne/contract/time'
import { instantText, minuteOfText } from './instants.ts'
import type { InstituteRow } from './institute.ts'
import type { ServiceMinutes, ServiceRow } from './menu.ts'

export type Standing = {
  life: 'booked' | 'cancelled'
  payment: 'none' | 'deposit_paid' | 'paid' | 'refunded'
  attendance: 'expected' | 'in_service' | 'done' | 'no_show'
}

/** Instants in milliseconds since the epoch. */
export interface AppointmentFacts {
  id: string
  institute: InstituteRow
  customerId: string
  reference: string
  standing: Standing
  startsAt: number
  endsAt: number
  createdAt: number
  lines: readonly { serviceId: string; memberId: string; priceAmount: number | null }[]
  cancelled: { at: number; by: 'client' | 'institute' } | null
  /** Who wrote it in; a client where there is an account when absent. */
  madeBy?: 'client' | 'institute'
}

export type AppointmentRow = ReturnType<typeof appointmentRow>
export const appointmentRow = ({ institute, standing, cancelled, lines, ...facts }: AppointmentFacts) => ({
  id: facts.id,
  institute_id: institute.id,
  user_id: null as string | null,
  made_by: facts.madeBy ?? null,
  customer_id: facts.customerId,
  reference: facts.reference,
  life: standing.life,
  payment: standing.payment,
  attendance: standing.attendance,
  starts_at: instantText(facts.startsAt),
  ends_at: instantText(facts.endsAt),
  time_zone: institute.time_zone,
  cart: lines.map(({ serviceId, memberId }) => ({ serviceId, staffId: memberId })),
  total_amount: lines.reduce((sum, { priceAmount }) => sum + (priceAmount ?? 0), 0),
  currency: institute.currency,
  terms: {
    cancelWindowMinutes: institute.cancel_window_minutes,
    rescheduleWindowMinutes: institute.reschedule_window_minutes,
    freeUntil: instantText(facts.startsAt - (institute.cancel_window_minutes ?? 0) * minuteMs),
  },
  payment_method: null as 'card' | 'paypal' | 'klarna' | null,
  deposit_amount: null as number | null,
  note: null,
  expires_at: null,
  hold_extended: false,
  cancelled_at: cancelled ? instantText(cancelled.at) : null,
  cancelled_by: cancelled?.by ?? null,
  cancel_reason: null,
  moved_count: 0,
  first_starts_at: instantText(facts.startsAt),
  created_at: instantText(facts.createdAt),
  confirmed_at: instantText(facts.createdAt),
})

export interface SegmentFacts {
  id: string
  appointment: AppointmentRow
  position: number
  service: ServiceRow
  memberId: string
  resourceId: string | null
  startsAt: number
  endsAt: number
  minutes: ServiceMinutes
  priceAmount: number | null
}

export type SegmentRow = ReturnType<typeof segmentRow>
export const segmentRow = ({ appointment, service, ...facts }: SegmentFacts) => ({
  id: facts.id,
  appointment_id: appointment.id,
  institute_id: appointment.institute_id,
  position: facts.position,
  service_id: service.id,
  member_id: facts.memberId,
  resource_id: facts.resourceId,
  starts_at: instantText(facts.startsAt),
  ends_at: instantText(facts.endsAt),
  snapshot: { name: service.name, priceKind: service.price_kind, line: facts.position, ...facts.minutes },
  price_amount: facts.priceAmount,
})

export interface OccupationFacts {
  id: string
  appointment: AppointmentRow
  subject: 'member' | 'resource'
  subjectId: string
  from: number
  to: number
}

export type OccupationRow = ReturnType<typeof occupationRow>
export const occupationRow = ({ appointment, ...facts }: OccupationFacts) => ({
  id: facts.id,
  institute_id: appointment.institute_id,
  kind: 'visit',
  source_id: null as string | null,
  appointment_id: appointment.id as string | null,
  subject_kind: facts.subject,
  subject_id: facts.subjectId,
  during: `[${instantText(facts.from)},${instantText(facts.to)})`,
  expires_at: null,
})

/** The stretch of an occupation, in minutes since the epoch. */
export function spanOf({ during }: { during: string }): { from: number; to: number } {
  const [from = '', to = ''] = during.slice(1, -1).split(',')
  return { from: minuteOfText(from), to: minuteOfText(to) }
}

/** Visits that an institute puts over others on purpose: rows like any visit's, but their time stands beside the wall. */
import { sql } from 'kysely'
import type { NewPlan } from '#/features/booking/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { c, someId, statement } from '#/platform/statement.ts'

export interface Overbooked extends NewPlan {
  id: string
  customerId: string
  reference: string
  /** Instants, ISO. */
  startsAt: string
  endsAt: string
  timeZone: string
  cart: readonly { serviceId: string; staffId: string }[]
  totalAmount: number
  currency: string
  terms: object
  note: string | null
  reason: string
  actor: object
  now: string
}

const someVisit: Overbooked = {
  id: someId,
  customerId: someId,
  reference: 'ABCD-234',
  startsAt: '2026-01-01T10:00:00Z',
  endsAt: '2026-01-01T11:00:00Z',
  timeZone: 'Europe/Paris',
  cart: [],
  totalAmount: 0,
  currency: 'EUR',
  terms: {},
  note: null,
  reason: 'asked',
  actor: {},
  now: '2026-01-01T00:00:00Z',
  segments: [],
  occupations: [],
}
const insert = statement(
  { name: 'overbooking.insert', row: { id: c.uuid }, tries: [{ ...someVisit, instituteId: someId }] },
  (v: Overbooked & { instituteId: string }) => sql`with visit as (
      insert into appointments (id, institute_id, customer_id, reference, life, payment, starts_at, ends_at, time_zone, cart, total_amount, currency, terms, note, first_starts_at, created_at, confirmed_at)
        select ${v.id}, c.institute_id, c.id, ${v.reference}, 'booked', 'none', ${v.startsAt}, ${v.endsAt}, ${v.timeZone}, ${JSON.stringify(v.cart)}::jsonb, ${v.totalAmount}, ${v.currency},
          ${JSON.stringify(v.terms)}::jsonb, ${v.note}, ${v.startsAt}, ${v.now}, ${v.now} from customers c where c.id = ${v.customerId} and c.institute_id = ${v.instituteId}
        returning id, institute_id),
    parts as (
      insert into segments (appointment_id, institute_id, position, service_id, member_id, resource_id, starts_at, ends_at, snapshot, price_amount)
        select visit.id, visit.institute_id, position, "serviceId", "memberId", "resourceId", "startsAt", "endsAt", snapshot, "priceAmount" from visit,
          jsonb_to_recordset(${JSON.stringify(v.segments)}::jsonb)
            as s(position smallint, "serviceId" uuid, "memberId" uuid, "resourceId" uuid, "startsAt" timestamptz, "endsAt" timestamptz, snapshot jsonb, "priceAmount" int)),
    times as (
      insert into soft_occupations (institute_id, kind, appointment_id, subject_kind, subject_id, during, reason, actor)
        select visit.institute_id, 'overbooked', visit.id, kind, "subjectId", tstzrange("from", "to"), ${v.reason}, ${JSON.stringify(v.actor)}::jsonb from visit,
          jsonb_to_recordset(${JSON.stringify(v.occupations)}::jsonb) as o(kind text, "subjectId" uuid, "from" timestamptz, "to" timestamptz))
    select id from visit`,
)
/** False when the institute has no such customer. */
export const insertOverbooked = async (unit: Unit, visit: Overbooked): Promise<boolean> =>
  (await insert.one(unit.db, { ...visit, instituteId: unit.instituteId })) !== null

/** Visits that an institute writes in: within the wall like any other, or put over others on purpose, when their time stands beside it. */
import { sql } from 'kysely'
import { insertPlan, type NewPlan } from '#/features/booking/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { c, someId, statement } from '#/platform/statement.ts'

export interface WrittenVisit extends NewPlan {
  id: string
  /** Null for a walk-in without a name. */
  customerId: string | null
  reference: string
  /** Instants, ISO. */
  startsAt: string
  endsAt: string
  timeZone: string
  cart: readonly { serviceId: string; staffId?: string }[]
  totalAmount: number
  currency: string
  terms: object
  /** What the client said, and what the institute notes for itself. */
  note: string | null
  ownNote: string | null
  /** Why it is over others; null where it is not. */
  reason: string | null
  actor: object
  now: string
}

type Row = Omit<WrittenVisit, keyof NewPlan | 'reason' | 'actor'> & { instituteId: string }
const someVisit: Row = {
  id: someId,
  instituteId: someId,
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
  ownNote: null,
  now: '2026-01-01T00:00:00Z',
}
const insert = statement(
  { name: 'overbooking.insert', row: { id: c.uuid }, tries: [someVisit] },
  (
    v: Row,
  ) => sql`insert into appointments (id, institute_id, customer_id, user_id, reference, life, payment, starts_at, ends_at, time_zone, cart, total_amount, currency, terms,
      note, own_note, made_by, first_starts_at, created_at, confirmed_at)
    select ${v.id}, i.id, c.id, c.user_id, ${v.reference}, 'booked', 'none', ${v.startsAt}, ${v.endsAt}, ${v.timeZone}, ${JSON.stringify(v.cart)}::jsonb, ${v.totalAmount}, ${v.currency},
      ${JSON.stringify(v.terms)}::jsonb, ${v.note}, ${v.ownNote}, 'institute', ${v.startsAt}, ${v.now}, ${v.now}
    from institutes i left join customers c on c.institute_id = i.id and c.id = ${v.customerId}
    where i.id = ${v.instituteId} and (c.id is not null or ${v.customerId}::uuid is null) returning id`,
)
const takeBeside = statement(
  { name: 'overbooking.takeBeside', row: {}, tries: [{ id: someId, instituteId: someId, occupations: [], reason: 'asked', actor: {} }] },
  ({
    id,
    instituteId,
    occupations,
    reason,
    actor,
  }: {
    id: string
    instituteId: string
    occupations: NewPlan['occupations']
    reason: string
    actor: object
  }) => sql`insert into soft_occupations (institute_id, kind, appointment_id, subject_kind, subject_id, during, reason, actor)
      select ${instituteId}, 'overbooked', ${id}, kind, "subjectId", tstzrange("from", "to"), ${reason}, ${JSON.stringify(actor)}::jsonb
      from jsonb_to_recordset(${JSON.stringify(occupations)}::jsonb) as o(kind text, "subjectId" uuid, "from" timestamptz, "to" timestamptz)`,
)
/** False when the institute has no such customer. @throws where the wall has its time, unless it is put over others */
export async function insertWritten(unit: Unit, visit: WrittenVisit): Promise<boolean> {
  const { segments, occupations, sessionId, reason, actor, ...row } = visit
  const { instituteId } = unit
  if (!(await insert.one(unit.db, { ...row, instituteId }))) return false
  const { id } = visit
  await insertPlan(unit, id, { segments, occupations: reason === null ? occupations : [], sessionId: sessionId ?? null })
  if (reason !== null) await takeBeside.run(unit.db, { id, instituteId, occupations, reason, actor })
  return true
}

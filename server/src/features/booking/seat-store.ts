/** Seats of group sessions as they are taken; they are given back with whatever else a visit takes. */
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import { c, known, orNull, someId, statement } from '#/platform/statement.ts'
import { refuse } from '#/platform/refuse.ts'
import type { HoldFacts } from './store.ts'

const takeSeatStatement = statement(
  { name: 'booking.takeSeat', row: { seat: c.int }, tries: [{ id: someId, instituteId: someId, sessionId: someId }] },
  ({ id, instituteId, sessionId }: { id: string; instituteId: string; sessionId: string }) =>
    sql`insert into session_seats (session_id, seat, institute_id, capacity, appointment_id, expires_at)
      select g.id, n.seat, g.institute_id, g.capacity, a.id, a.expires_at from group_sessions g
        join appointments a on a.id = ${id} and a.institute_id = g.institute_id
        cross join lateral (select s::smallint as seat from generate_series(1, g.capacity) s
          where not exists (select from session_seats t where t.session_id = g.id and t.seat = s) order by s limit 1) n
      where g.id = ${sessionId} and g.institute_id = ${instituteId} returning seat`,
)
/** The lowest free seat for a visit, for as long as the visit is held. @throws slot_taken when there is none */
export async function takeSeat(unit: Unit, id: string, sessionId: string): Promise<void> {
  if (!(await takeSeatStatement.one(unit.db, { id, instituteId: unit.instituteId, sessionId })))
    throw refuse('slot_taken', { reason: 'full' })
}

const liveHoldsStatement = statement(
  { name: 'booking.countHolds', row: { count: known(c.int), first: orNull(c.instant) }, tries: [{ userId: someId, now: new Date(0) }] },
  ({ userId, now }: { userId: string; now: Date }) =>
    sql`select count(*)::int as count, min(expires_at) as first from appointments where user_id = ${userId} and not is_offer and expires_at > ${now}`,
)
/** How many times somebody holds, and when the first of them ends. What is offered to who waits is none of them. */
export const countHolds = async (unit: Unit, scope: SelfScope): Promise<{ count: number; first: string | null }> =>
  (await liveHoldsStatement.one(unit.db, { userId: scope.userId, now: new Date(unit.now) })) ?? { count: 0, first: null }

export interface NewPlainHold extends HoldFacts {
  now: string
  /** In the name of somebody who waits for it: not extended, and none of the holds they may have. */
  isOffer: boolean
}
const someHold: NewPlainHold = {
  id: someId,
  userId: someId,
  reference: '',
  startsAt: '2026-01-01T10:00:00Z',
  endsAt: '2026-01-01T11:00:00Z',
  timeZone: '',
  cart: [],
  totalAmount: 0,
  currency: 'EUR',
  terms: { cancelWindowMinutes: null, rescheduleWindowMinutes: null, freeUntil: null },
  expiresAt: '2026-01-01T10:00:00Z',
  now: '2026-01-01T10:00:00Z',
  isOffer: false,
}
const insertHold = statement(
  { name: 'booking.insertHold', row: {}, tries: [{ instituteId: someId, hold: someHold }] },
  ({ instituteId, hold: h }: { instituteId: string; hold: NewPlainHold }) =>
    sql`insert into appointments (id, institute_id, user_id, reference, life, payment, starts_at, ends_at, time_zone, cart, total_amount, currency, terms, expires_at, first_starts_at, created_at, is_offer, hold_extended)
      values (${h.id}, ${instituteId}, ${h.userId}, ${h.reference}, 'held', 'none', ${h.startsAt}, ${h.endsAt}, ${h.timeZone}, ${JSON.stringify(h.cart)}::jsonb, ${h.totalAmount},
        ${h.currency}, ${JSON.stringify(h.terms)}::jsonb, ${h.expiresAt}, ${h.startsAt}, ${h.now}, ${h.isOffer}, ${h.isOffer})`,
)
/** A held visit that has no plan yet. */
export const insertPlainHold = async (unit: Unit, scope: SelfScope, hold: Omit<NewPlainHold, 'userId'>): Promise<void> =>
  void (await insertHold.run(unit.db, { instituteId: unit.instituteId, hold: { ...hold, userId: scope.userId } }))

/** Holds and visits as they are written. What changes an institute's time demands the unit of work; holding and confirming are that unit in SQL. */
import { type RawBuilder, sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { CartEntry, Terms } from '#/features/visits/service.ts'
import type { SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, statement } from '#/platform/statement.ts'
import { refuse } from '#/platform/refuse.ts'

export interface NewSegment {
  position: number
  serviceId: string
  memberId: string
  resourceId: string | null
  /** Instants, ISO. */
  startsAt: string
  endsAt: string
  snapshot: { name: Partial<Record<string, string>>; line?: number; [fact: string]: unknown }
  priceAmount: number | null
}
export interface NewOccupation {
  kind: 'member' | 'resource'
  subjectId: string
  from: string
  to: string
}
export interface NewPlan {
  segments: readonly NewSegment[]
  occupations: readonly NewOccupation[]
  /** The group session in which it takes a seat. */
  sessionId?: string | null
}

const nobody = '00000000-0000-7000-8000-000000000000'

/** What every hold stores, of a time or of a seat. */
export interface HoldFacts {
  id: string
  userId: string
  reference: string
  startsAt: string
  endsAt: string
  timeZone: string
  cart: readonly CartEntry[]
  totalAmount: number
  currency: string
  terms: Terms
  expiresAt: string
}

/** Rows of segments and occupations of the visits named by a list of `id`, `institute_id` and `expires_at`. */
const planOf = (visits: RawBuilder<unknown>, { segments, occupations }: NewPlan) => sql`parts as (
    insert into segments (appointment_id, institute_id, position, service_id, member_id, resource_id, starts_at, ends_at, snapshot, price_amount)
      select v.id, v.institute_id, position, "serviceId", "memberId", "resourceId", "startsAt", "endsAt", snapshot, "priceAmount" from ${visits} v,
        jsonb_to_recordset(${JSON.stringify(segments)}::jsonb)
          as s(position smallint, "serviceId" uuid, "memberId" uuid, "resourceId" uuid, "startsAt" timestamptz, "endsAt" timestamptz, snapshot jsonb, "priceAmount" int)),
  times as (
    insert into occupations (institute_id, appointment_id, subject_kind, subject_id, during, expires_at)
      select v.institute_id, v.id, kind, "subjectId", tstzrange("from", "to"), v.expires_at from ${visits} v,
        jsonb_to_recordset(${JSON.stringify(occupations)}::jsonb) as o(kind text, "subjectId" uuid, "from" timestamptz, "to" timestamptz))`

/** A visit as a unit may write it: of its own institute only. */
interface VisitOfUnit {
  id: string
  instituteId: string
}
const visitOf = ({ instituteId }: Unit, id: string): VisitOfUnit => ({ id, instituteId })

const insertPlanStatement = statement(
  { name: 'booking.insertPlan', row: {}, tries: [{ id: nobody, instituteId: nobody, plan: { segments: [], occupations: [] } as NewPlan }] },
  ({ id, instituteId, plan }: VisitOfUnit & { plan: NewPlan }) =>
    sql`with ${planOf(sql`(select id, institute_id, expires_at from appointments where id = ${id} and institute_id = ${instituteId})`, plan)} select`,
)
/** Stores the plan of a visit that has none. @throws slot_taken when its session has no seat left */
export async function insertPlan(unit: Unit, id: string, plan: NewPlan): Promise<void> {
  await insertPlanStatement.all(unit.db, { ...visitOf(unit, id), plan })
  if (plan.sessionId) await takeSeat(unit, id, plan.sessionId)
}

const takeSeatStatement = statement(
  { name: 'booking.takeSeat', row: { seat: c.int }, tries: [{ id: nobody, instituteId: nobody, sessionId: nobody }] },
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
  { name: 'booking.countHolds', row: { count: known(c.int), first: orNull(c.instant) }, tries: [{ userId: nobody, now: new Date(0) }] },
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
  id: nobody,
  userId: nobody,
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
  { name: 'booking.insertHold', row: {}, tries: [{ instituteId: nobody, hold: someHold }] },
  ({ instituteId, hold: h }: { instituteId: string; hold: NewPlainHold }) =>
    sql`insert into appointments (id, institute_id, user_id, reference, life, payment, starts_at, ends_at, time_zone, cart, total_amount, currency, terms, expires_at, first_starts_at, created_at, is_offer, hold_extended)
      values (${h.id}, ${instituteId}, ${h.userId}, ${h.reference}, 'held', 'none', ${h.startsAt}, ${h.endsAt}, ${h.timeZone}, ${JSON.stringify(h.cart)}::jsonb, ${h.totalAmount},
        ${h.currency}, ${JSON.stringify(h.terms)}::jsonb, ${h.expiresAt}, ${h.startsAt}, ${h.now}, ${h.isOffer}, ${h.isOffer})`,
)
/** A held visit that has no plan yet. */
export const insertPlainHold = async (unit: Unit, scope: SelfScope, hold: Omit<NewPlainHold, 'userId'>): Promise<void> =>
  void (await insertHold.run(unit.db, { instituteId: unit.instituteId, hold: { ...hold, userId: scope.userId } }))

const removeSegments = statement(
  { name: 'booking.removeSegments', row: {}, tries: [{ id: nobody, instituteId: nobody }] },
  ({ id, instituteId }: VisitOfUnit) => sql`delete from segments where appointment_id = ${id} and institute_id = ${instituteId}`,
)
const freeTimeStatement = statement(
  { name: 'booking.freeTime', row: {}, tries: [{ id: nobody, instituteId: nobody }] },
  ({ id, instituteId }: VisitOfUnit) =>
    sql`with soft as (delete from soft_occupations where appointment_id = ${id} and institute_id = ${instituteId}),
      seats as (delete from session_seats where appointment_id = ${id} and institute_id = ${instituteId})
    delete from occupations where appointment_id = ${id} and institute_id = ${instituteId}`,
)
/** Gives back everything a visit takes, in the wall or beside it; says how many occupations that were. */
export const freeTime = (unit: Unit, id: string): Promise<number> => freeTimeStatement.run(unit.db, visitOf(unit, id))
export async function removePlan(unit: Unit, id: string): Promise<void> {
  await removeSegments.run(unit.db, visitOf(unit, id))
  await freeTime(unit, id)
}

const takePlanStatement = statement(
  { name: 'booking.takePlan', row: {}, tries: [{ id: nobody, instituteId: nobody, holdId: nobody }] },
  ({ id, instituteId, holdId }: VisitOfUnit & { holdId: string }) => sql`with
      parts as (update segments set appointment_id = ${id} where appointment_id = ${holdId} and institute_id = ${instituteId}),
      times as (update occupations set appointment_id = ${id}, expires_at = null where appointment_id = ${holdId} and institute_id = ${instituteId}),
      seats as (update session_seats set appointment_id = ${id}, expires_at = null where appointment_id = ${holdId} and institute_id = ${instituteId})
    select`,
)
/** Gives a visit the plan of a hold in the place of its own: the time of the hold is never free in between. */
export async function takePlan(unit: Unit, id: string, holdId: string): Promise<void> {
  await removePlan(unit, id)
  await takePlanStatement.all(unit.db, { ...visitOf(unit, id), holdId })
}

const extendTime = statement(
  {
    name: 'booking.extendTime',
    row: { taken: known(c.count) },
    tries: [{ id: nobody, instituteId: nobody, until: new Date(0) }],
  },
  ({ id, instituteId, until }: VisitOfUnit & { until: Date }) =>
    sql`with times as (update occupations set expires_at = ${until} where appointment_id = ${id} and institute_id = ${instituteId} returning 1),
      seats as (update session_seats set expires_at = ${until} where appointment_id = ${id} and institute_id = ${instituteId} returning 1)
    select (select count(*) from times) + (select count(*) from seats) as taken`,
)
const extendVisit = statement(
  { name: 'booking.extendVisit', row: {}, tries: [{ id: nobody, instituteId: nobody, until: new Date(0) }] },
  ({ id, instituteId, until }: VisitOfUnit & { until: Date }) =>
    sql`update appointments set expires_at = ${until}, hold_extended = true where id = ${id} and institute_id = ${instituteId}`,
)
/** False when the time was swept away meanwhile. */
export async function extendHold(unit: Unit, id: string, until: Date): Promise<boolean> {
  if ((await extendTime.one(unit.db, { ...visitOf(unit, id), until }))?.taken === 0) return false
  await extendVisit.run(unit.db, { ...visitOf(unit, id), until })
  return true
}

const deleteHoldStatement = statement(
  {
    name: 'booking.deleteHold',
    row: { startsAt: c.instant, endsAt: c.instant },
    tries: [{ id: nobody, instituteId: nobody, userId: nobody }],
  },
  ({ id, instituteId, userId }: VisitOfUnit & { userId: string }) =>
    sql`delete from appointments where id = ${id} and institute_id = ${instituteId} and user_id = ${userId} and expires_at is not null and coalesce(payment, 'none') = 'none' returning starts_at as "startsAt", ends_at as "endsAt"`,
)
/** Null when there is no such hold (any more), or one that has a checkout. */
export const deleteHold = (unit: Unit, scope: SelfScope, id: string) =>
  deleteHoldStatement.one(unit.db, { ...visitOf(unit, id), userId: scope.userId })

const letGoStatement = statement(
  {
    name: 'booking.letGo',
    row: { startsAt: c.instant, endsAt: c.instant },
    tries: [{ id: nobody, instituteId: nobody, now: new Date(0) }],
  },
  ({ id, instituteId, now }: VisitOfUnit & { now: Date }) =>
    sql`update appointments set payment = 'failed', expires_at = ${now} where id = ${id} and institute_id = ${instituteId} and payment = 'awaiting' and expires_at > ${now}
      returning starts_at as "startsAt", ends_at as "endsAt"`,
)
/** Ends a hold whose checkout is open, and frees its time; it stays known to the money that may still arrive. Null when it has ended. */
export async function letGo(unit: Unit, id: string): Promise<{ startsAt: string; endsAt: string } | null> {
  const gone = await letGoStatement.one(unit.db, { ...visitOf(unit, id), now: new Date(unit.now) })
  if (gone) await freeTime(unit, id)
  return gone
}

const instituteOfHoldStatement = statement(
  { name: 'booking.instituteOfHold', row: { instituteId: c.uuid }, tries: [{ id: nobody, userId: nobody }] },
  ({ id, userId }: { id: string; userId: string }) =>
    sql`select institute_id as "instituteId" from appointments where id = ${id} and user_id = ${userId} and expires_at is not null`,
)
export const instituteOfHold = (db: Db, scope: SelfScope, id: string) => instituteOfHoldStatement.one(db, { id, userId: scope.userId })

const readAnswerStatement = statement(
  { name: 'booking.readAnswer', row: { fingerprint: c.bytes, body: orNull(c.json<object>()) }, tries: [{ userId: nobody, key: 'k' }] },
  ({ userId, key }: { userId: string; key: string }) =>
    sql`select fingerprint, body from idempotency_keys where user_id = ${userId} and key = ${key}`,
)
/** What was answered under a key: its effect and its key became true together. */
export const readAnswer = (db: Db, scope: SelfScope, key: string) => readAnswerStatement.one(db, { userId: scope.userId, key })

const markCancelledStatement = statement(
  {
    name: 'booking.markCancelled',
    row: {},
    tries: [{ id: nobody, instituteId: nobody, by: 'client', reason: null, now: new Date(0) } as Cancelled & VisitOfUnit],
  },
  ({ id, instituteId, by, reason, now }: Cancelled & VisitOfUnit) =>
    sql`update appointments set life = 'cancelled', cancelled_at = ${now}, cancelled_by = ${by}, cancel_reason = ${reason}, revision = revision + 1 where id = ${id} and institute_id = ${instituteId}`,
)
interface Cancelled {
  id: string
  by: 'client' | 'institute' | 'system'
  reason: string | null
  now: Date
}
export const markCancelled = (unit: Unit, cancelled: Cancelled): Promise<number> =>
  markCancelledStatement.run(unit.db, { ...cancelled, instituteId: unit.instituteId })

interface Moved {
  id: string
  startsAt: Date
  endsAt: Date
  terms: Terms
  /** What is wished for from now on, and what it comes to, where that changes. */
  cart?: readonly CartEntry[]
  totalAmount?: number
}
const markMovedStatement = statement(
  {
    name: 'booking.markMoved',
    row: {},
    tries: [
      {
        id: nobody,
        instituteId: nobody,
        startsAt: new Date(0),
        endsAt: new Date(1),
        terms: { cancelWindowMinutes: null, rescheduleWindowMinutes: null, freeUntil: null },
      } as Moved & VisitOfUnit,
    ],
  },
  ({ id, instituteId, startsAt, endsAt, terms, cart, totalAmount }: Moved & VisitOfUnit) =>
    sql`update appointments set starts_at = ${startsAt}, ends_at = ${endsAt}, terms = ${JSON.stringify(terms)}::jsonb, cart = coalesce(${cart ? JSON.stringify(cart) : null}::jsonb, cart), total_amount = coalesce(${totalAmount ?? null}::int, total_amount), moved_count = moved_count + 1, revision = revision + 1 where id = ${id} and institute_id = ${instituteId}`,
)
export const markMoved = (unit: Unit, moved: Moved): Promise<number> =>
  markMovedStatement.run(unit.db, { ...moved, instituteId: unit.instituteId })

const birthdayOfStatement = statement(
  { name: 'booking.birthdayOf', row: { birthday: orNull(c.day) }, tries: [{ userId: nobody }] },
  ({ userId }: { userId: string }) => sql`select birthday from users where id = ${userId}`,
)
export const birthdayOf = async (db: Db, scope: SelfScope): Promise<string | null> =>
  (await birthdayOfStatement.one(db, { userId: scope.userId }))?.birthday ?? null

const setBirthdayStatement = statement(
  { name: 'booking.setBirthday', row: {}, tries: [{ userId: nobody, birthday: '2000-01-01' }] },
  ({ userId, birthday }: { userId: string; birthday: string }) =>
    sql`update users set birthday = ${birthday}::date where id = ${userId} and birthday is null`,
)
export const setBirthday = (db: Db, scope: SelfScope, birthday: string): Promise<number> =>
  setBirthdayStatement.run(db, { userId: scope.userId, birthday })

type Booked = { instituteId: string; exceptId: string | null }
const servicesBookedStatement = statement(
  {
    name: 'booking.servicesBooked',
    row: { serviceId: c.uuid, endsAt: c.instant },
    tries: [{ instituteId: nobody, userId: nobody, exceptId: nobody }],
  },
  ({ instituteId, userId, exceptId }: Booked & { userId: string }) =>
    sql`select s.service_id as "serviceId", s.ends_at as "endsAt" from segments s join appointments a on a.id = s.appointment_id
      where a.institute_id = ${instituteId} and a.user_id = ${userId} and coalesce(a.life, a.status) not in ('held', 'cancelled') and a.attendance <> 'no_show' and a.id is distinct from ${exceptId}::uuid`,
)
/** Services this person had at an institute or has booked ahead there, with when each ends; but for a visit that is being moved, whose time is not its own yet. */
export const servicesBooked = (db: Db, scope: SelfScope, params: Booked) =>
  servicesBookedStatement.all(db, { ...params, userId: scope.userId })

const institutesWithLapsedHoldsStatement = statement(
  { name: 'booking.institutesWithLapsedHolds', row: { instituteId: known(c.uuid) }, tries: [{ now: new Date(0) }] },
  ({ now }: { now: Date }) => sql`select institute_id as "instituteId" from hold_ends where not is_freed and expires_at <= ${now}
      union select institute_id from session_seats where expires_at <= ${now} limit 1000`,
)
/** Institutes with time that holds past their end still take. */
export const institutesWithLapsedHolds = async (db: Db, _scope: SystemScope, now: Date): Promise<string[]> =>
  (await institutesWithLapsedHoldsStatement.all(db, { now })).map(({ instituteId }) => instituteId)

const freeLapsedHoldsStatement = statement(
  {
    name: 'booking.freeLapsedHolds',
    row: { id: c.uuid, startsAt: c.instant, endsAt: c.instant },
    tries: [{ instituteId: nobody, now: new Date(0) }],
  },
  ({ instituteId, now }: { instituteId: string; now: Date }) =>
    sql`with lapsed as (select id, starts_at, ends_at from appointments
        where id in (select appointment_id from hold_ends where institute_id = ${instituteId} and not is_freed and expires_at <= ${now})
          and institute_id = ${instituteId} and expires_at <= ${now} order by id for update),
      ended as (update hold_ends e set is_freed = true from lapsed l where e.appointment_id = l.id),
      freed as (delete from occupations o using lapsed l where o.appointment_id = l.id returning o.appointment_id),
      seats as (delete from session_seats s using lapsed l where s.appointment_id = l.id returning s.appointment_id)
    select l.id, l.starts_at as "startsAt", l.ends_at as "endsAt" from lapsed l
      where l.id in (select appointment_id from freed union all select appointment_id from seats)`,
)
/** Frees what lapsed holds of the institute still take, and says which. Waits for one that is being confirmed this moment: it may have been in time. */
export const freeLapsedHolds = (unit: Unit) =>
  freeLapsedHoldsStatement.all(unit.db, { instituteId: unit.instituteId, now: new Date(unit.now) })

const institutesWithOldHoldsStatement = statement(
  { name: 'booking.institutesWithOldHolds', row: { instituteId: c.uuid }, tries: [{ before: new Date(0) }] },
  ({ before }: { before: Date }) =>
    sql`select distinct institute_id as "instituteId" from hold_ends where expires_at < ${before} limit 1000`,
)
/** Institutes with holds that ran out before an instant. */
export const institutesWithOldHolds = async (db: Db, _scope: SystemScope, before: Date): Promise<string[]> =>
  (await institutesWithOldHoldsStatement.all(db, { before })).map(({ instituteId }) => instituteId)

const deleteOldHoldsStatement = statement(
  { name: 'booking.deleteOldHolds', row: {}, tries: [{ instituteId: nobody, before: new Date(0) }] },
  ({ instituteId, before }: { instituteId: string; before: Date }) =>
    sql`delete from appointments where id in (select appointment_id from hold_ends where institute_id = ${instituteId} and expires_at < ${before})
      and institute_id = ${instituteId} and expires_at < ${before}`,
)
/** Forgets holds that ran out before an instant, and whatever they still take. */
export const deleteOldHolds = (unit: Unit, before: Date): Promise<number> =>
  deleteOldHoldsStatement.run(unit.db, { instituteId: unit.instituteId, before })

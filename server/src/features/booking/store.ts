/** Holds and visits as they are written. What changes an institute's time demands the unit of work; holding and confirming are that unit in SQL. */
import type { Status } from '@soigne/contract/appointments'
import { type RawBuilder, sql } from 'kysely'
import { type Home, holdingWithHomes } from '#/features/at-home/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { IndexPatch } from '#/features/summary/service.ts'
import type { CartEntry, Terms } from '#/features/visits/service.ts'
import type { SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, statement } from '#/platform/statement.ts'
import { takeSeat } from './seat-store.ts'

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

/** One hold as `hold_visits` takes it; `body` is the answer that is kept under the key. */
export interface NewHold extends HoldFacts, NewPlan {
  /** Of live holds a person may have. */
  most: number
  key: string | null
  /** Hexadecimal. */
  fingerprint: string | null
  body: object
  /** Where it is, at home. */
  home?: Home
}

export type HoldOutcome = 'held' | 'stale' | 'answered' | 'other_request' | 'blocked' | 'too_many' | 'again'

interface HoldsAsked {
  instituteId: string
  version: number
  holds: readonly NewHold[]
  patch: IndexPatch | null
  now: Date
}

const someHome: Home = { line: '1', postalCode: null, city: 'A', lat: 0, lon: 0 }
const holdVisitsStatement = statement(
  {
    name: 'booking.holdVisits',
    row: {
      outcome: known(c.oneOf<HoldOutcome>(['held', 'stale', 'answered', 'other_request', 'blocked', 'too_many', 'again'])),
      body: orNull(c.json<object>()),
      until: orNull(c.instant),
    },
    tries: () =>
      [[], [{ id: nobody, home: someHome }]].map((holds) => ({
        instituteId: nobody,
        version: 1,
        holds: holds as unknown as NewHold[],
        patch: null,
        now: new Date(0),
      })),
  },
  ({ instituteId, version, holds, patch, now }: HoldsAsked) => {
    const told = holds.map(({ home: _home, ...hold }) => hold)
    const call = sql`select h.outcome, h.body, h.until from hold_visits(${instituteId}, ${version}, ${JSON.stringify(told)}::jsonb, ${patch && JSON.stringify(patch)}::jsonb, ${now}) h`
    const homes = holds.flatMap(({ id, home }) => (home ? [{ id, ...home }] : []))
    return homes.length === 0 ? call : holdingWithHomes(call, instituteId, homes)
  },
)
/** One outcome for each hold, in order. All are made or none. */
export const holdVisits = holdVisitsStatement.all

const confirmOutcomes = ['confirmed', 'answered', 'other_request', 'not_found', 'wrong_state', 'hold_expired', 'payment_needed'] as const
export type ConfirmOutcome = (typeof confirmOutcomes)[number]

interface ConfirmAsked {
  id: string
  userId: string
  status: Status
  paymentMethod: string | null
  note: string | null
  key: string | null
  fingerprint: Buffer | null
  body: object
  now: Date
  /** Institutes are paid online on an account of their own alone. */
  needsAccount: boolean | null
}

const confirmHoldStatement = statement(
  {
    name: 'booking.confirmHold',
    row: { outcome: known(c.oneOf(confirmOutcomes)), body: orNull(c.json<object>()) },
    tries: [
      {
        id: nobody,
        userId: nobody,
        status: 'pending',
        paymentMethod: null,
        note: null,
        key: null,
        fingerprint: null,
        body: {},
        now: new Date(0),
        needsAccount: true,
      } as ConfirmAsked,
    ],
  },
  (p: ConfirmAsked) =>
    sql`select h.outcome, h.body from confirm_unpaid_hold(${p.id}, ${p.userId}, ${p.status}, ${p.paymentMethod}, ${p.note}, ${p.key}, ${p.fingerprint}, ${JSON.stringify(p.body)}::jsonb, ${p.now}, ${p.needsAccount}) h`,
)
/** What became of it: exactly one row. */
export const confirmHold = (db: Db, scope: SelfScope<true>, asked: Omit<ConfirmAsked, 'userId'>) =>
  confirmHoldStatement.one(db, { ...asked, userId: scope.userId })

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

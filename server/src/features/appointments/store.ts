/** Appointments, their segments, and the time they occupy: how they are written, and what decides about it. */
import { randomInt } from 'node:crypto'
import type { Status } from '@soigne/contract/appointments'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#/platform/database.ts'
import type { Terms } from './terms.ts'

export interface CartWish {
  serviceId: string
  staffId?: string
}
/** The same number for the same subject in every process. */
export function lockKey(id: string): bigint {
  const hex = id.replaceAll('-', '')
  return BigInt.asIntN(64, BigInt(`0x${hex.slice(0, 16)}`) ^ BigInt(`0x${hex.slice(16)}`))
}

/** Locks members and resources until the transaction ends, always in the same order, so that no two wait for each other. */
export const lockSubjects = (db: Db, ids: readonly string[]): Promise<void> => lockKeys(db, inOrder(ids))

/** The same after the lock of a person: one at a time for each, so that counts of holds stay true. */
export const lockPersonAndSubjects = (db: Db, userId: string, ids: readonly string[]): Promise<void> =>
  lockKeys(db, [lockKey(userId), ...inOrder(ids)])

const inOrder = (ids: readonly string[]): bigint[] => [...new Set(ids.map(lockKey))].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0))

async function lockKeys(db: Db, keys: readonly bigint[]): Promise<void> {
  await sql`select pg_advisory_xact_lock(key) from unnest(${keys.map(String)}::bigint[]) as key`.execute(db)
}

/** Frees the time of holds that have run out, for the locked subjects. A hold being confirmed right now is left alone. */
export async function sweepExpiredHolds(db: Db, subjects: readonly string[], now: Date): Promise<void> {
  await sql`with expired as (
      select a.id from appointments a
      where a.status = 'held' and a.expires_at <= ${now} and a.id in (select o.appointment_id from occupations o where o.subject_id = any(${subjects}::uuid[]) and o.expires_at <= ${now})
      order by a.id for update of a)
    delete from occupations o using expired e where o.appointment_id = e.id`.execute(db)
}

export interface HoldsSeen {
  /** How many times the person holds, and when the first of them runs out. */
  count: number
  firstEndsAt: string | null
  /** Somebody's hold at the institute has run out and still takes its time. */
  hasLapsed: boolean
}

export async function seeHolds(db: Db, params: { userId: string; instituteId: string; now: Date }): Promise<HoldsSeen> {
  const { rows } = await sql<HoldsSeen>`select count(*)::int as count, min(expires_at) as "firstEndsAt",
      exists (select from occupations o where o.institute_id = ${params.instituteId} and o.expires_at <= ${params.now}) as "hasLapsed"
    from appointments where user_id = ${params.userId} and status = 'held' and expires_at > ${params.now}`.execute(db)
  return rows[0] ?? { count: 0, firstEndsAt: null, hasLapsed: true }
}

const alphabet = 'ABCDEFGHJKLMNPQRSTUVWXYZ23456789'

/** Seven letters and digits that cannot be mistaken for one another when read out. */
function newReference(): string {
  const letters = Array.from({ length: 7 }, () => alphabet[randomInt(alphabet.length)]).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

export interface NewHold {
  instituteId: string
  userId: string
  startsAt: Date
  endsAt: Date
  timeZone: string
  cart: CartWish[]
  totalAmount: number
  currency: string
  terms: Terms
  expiresAt: Date
}
export interface NewSegment {
  serviceId: string
  memberId: string
  resourceId: string | null
  startsAt: Date
  endsAt: Date
  snapshot: object
  priceAmount: number | null
}
export interface NewOccupation {
  kind: 'member' | 'resource'
  subjectId: string
  from: Date
  to: Date
}

export interface NewPlan {
  segments: readonly NewSegment[]
  occupations: readonly NewOccupation[]
}

/** Rows of segments and occupations of the visits named by a list of `id`, `institute_id` and `expires_at`. */
const planOf = (visits: RawBuilder<unknown>, { segments, occupations }: NewPlan) => sql`parts as (
    insert into segments (appointment_id, institute_id, position, service_id, member_id, resource_id, starts_at, ends_at, snapshot, price_amount)
      select v.id, v.institute_id, position, "serviceId", "memberId", "resourceId", "startsAt", "endsAt", snapshot, "priceAmount" from ${visits} v,
        jsonb_to_recordset(${JSON.stringify(segments.map((segment, position) => ({ ...segment, position })))}::jsonb)
          as s(position smallint, "serviceId" uuid, "memberId" uuid, "resourceId" uuid, "startsAt" timestamptz, "endsAt" timestamptz, snapshot jsonb, "priceAmount" int)),
  times as (
    insert into occupations (institute_id, appointment_id, subject_kind, subject_id, during, expires_at)
      select v.institute_id, v.id, kind, "subjectId", tstzrange("from", "to"), v.expires_at from ${visits} v,
        jsonb_to_recordset(${JSON.stringify(occupations)}::jsonb) as o(kind text, "subjectId" uuid, "from" timestamptz, "to" timestamptz))`

/** Stores a hold under a reference nobody has, with its plan; one that is taken is drawn again. */
export async function insertHold(db: Db, hold: NewHold, plan: NewPlan, draw: () => string = newReference): Promise<string> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const { rows } = await sql<{ id: string }>`with visit as (
        insert into appointments (institute_id, user_id, reference, status, starts_at, ends_at, time_zone, cart, total_amount, currency, terms, expires_at, first_starts_at)
          values (${hold.instituteId}, ${hold.userId}, ${draw()}, 'held', ${hold.startsAt}, ${hold.endsAt}, ${hold.timeZone}, ${JSON.stringify(hold.cart)}::jsonb, ${hold.totalAmount}, ${hold.currency}, ${JSON.stringify(hold.terms)}::jsonb, ${hold.expiresAt}, ${hold.startsAt})
          on conflict (reference) do nothing returning id, institute_id, expires_at),
      ${planOf(sql`visit`, plan)}
      select id from visit`.execute(db)
    if (rows[0]) return rows[0].id
  }
  throw new Error('no free reference was drawn in five attempts')
}

/** Stores the plan of a visit that has none. */
export async function insertPlan(db: Db, appointmentId: string, plan: NewPlan): Promise<void> {
  await sql`with ${planOf(sql`(select id, institute_id, expires_at from appointments where id = ${appointmentId})`, plan)} select`.execute(
    db,
  )
}

export async function removePlan(db: Db, appointmentId: string): Promise<void> {
  await sql`delete from segments where appointment_id = ${appointmentId}`.execute(db)
  await freeTime(db, appointmentId)
}

export async function freeTime(db: Db, appointmentId: string): Promise<void> {
  await sql`delete from occupations where appointment_id = ${appointmentId}`.execute(db)
}

/** Turns a hold into an appointment; false when its time was swept away meanwhile. */
export async function confirmHold(
  db: Db,
  params: { id: string; customerId: string; status: Status; paymentMethod: string | null; note: string | null; now: Date },
): Promise<boolean> {
  const confirmed = await sql`with kept as (update occupations set expires_at = null where appointment_id = ${params.id} returning 1)
    update appointments set status = ${params.status}, expires_at = null, confirmed_at = ${params.now}, customer_id = ${params.customerId}, payment_method = ${params.paymentMethod}, note = ${params.note}
    where id = ${params.id} and exists (select from kept)`.execute(db)
  return confirmed.numAffectedRows === 1n
}

/** False when the time was swept away meanwhile. */
export async function extendHold(db: Db, id: string, until: Date): Promise<boolean> {
  const kept = await sql`update occupations set expires_at = ${until} where appointment_id = ${id}`.execute(db)
  if (kept.numAffectedRows === 0n) return false
  await sql`update appointments set expires_at = ${until}, hold_extended = true where id = ${id}`.execute(db)
  return true
}

/** The institute whose time is free again; null when there is no such hold. */
export async function deleteHold(db: Db, params: { id: string; userId: string }): Promise<string | null> {
  const { rows } = await sql<{
    instituteId: string
  }>`delete from appointments where id = ${params.id} and user_id = ${params.userId} and status = 'held' returning institute_id as "instituteId"`.execute(
    db,
  )
  return rows[0]?.instituteId ?? null
}

/** The record one institute keeps of this person, made at the first visit. */
export async function customerOf(db: Db, params: { instituteId: string; userId: string }): Promise<string> {
  const find = async () =>
    (
      await sql<{ id: string }>`with made as (
        insert into customers (institute_id, user_id, first_name, last_name, email, phone, birthday)
          select ${params.instituteId}, u.id, u.first_name, u.last_name, u.email, u.phone, u.birthday from users u where u.id = ${params.userId}
          on conflict (institute_id, user_id) do nothing returning id)
      select id from made union all select id from customers where institute_id = ${params.instituteId} and user_id = ${params.userId}`.execute(
        db,
      )
    ).rows[0]?.id
  // A record that another transaction made meanwhile is seen the second time.
  const id = (await find()) ?? (await find())
  if (id === undefined) throw new Error(`no customer record could be made of user ${params.userId} at institute ${params.instituteId}`)
  return id
}

export async function markCancelled(
  db: Db,
  params: { id: string; by: 'client' | 'institute' | 'system'; reason: string | null; now: Date },
): Promise<void> {
  await sql`update appointments set status = 'cancelled', cancelled_at = ${params.now}, cancelled_by = ${params.by}, cancel_reason = ${params.reason} where id = ${params.id}`.execute(
    db,
  )
}

export async function markMoved(db: Db, params: { id: string; startsAt: Date; endsAt: Date; terms: Terms }): Promise<void> {
  await sql`update appointments set starts_at = ${params.startsAt}, ends_at = ${params.endsAt}, terms = ${JSON.stringify(params.terms)}::jsonb, moved_count = moved_count + 1 where id = ${params.id}`.execute(
    db,
  )
}

export interface Person {
  id: string
  email: string
  firstName: string
  lastName: string
  phone: string | null
  locale: 'en' | 'fr' | 'ar'
  birthday: string | null
}

const personColumns = sql`u.id, u.email, u.first_name as "firstName", u.last_name as "lastName", u.phone, u.locale, u.birthday`

export async function findPerson(db: Db, userId: string): Promise<Person | null> {
  const { rows } = await sql<Person>`select ${personColumns} from users u where u.id = ${userId}`.execute(db)
  return rows[0] ?? null
}

export async function setBirthday(db: Db, userId: string, birthday: string): Promise<void> {
  await sql`update users set birthday = ${birthday} where id = ${userId} and birthday is null`.execute(db)
}

/** Services this person has had at an institute, with when each ended. */
export async function pastServices(
  db: Db,
  params: { instituteId: string; userId: string; now: Date },
): Promise<{ serviceId: string; endedAt: string }[]> {
  const { rows } = await sql<{
    serviceId: string
    endedAt: string
  }>`select s.service_id as "serviceId", s.ends_at as "endedAt" from segments s join appointments a on a.id = s.appointment_id
    where a.institute_id = ${params.instituteId} and a.user_id = ${params.userId} and a.status not in ('held', 'cancelled') and a.attendance <> 'no_show' and s.ends_at <= ${params.now}`.execute(
    db,
  )
  return rows
}

export interface Recipients {
  person: Person
  /** Where the institute reads its mail, and in which language. */
  institute: { email: string; locale: Person['locale'] } | null
}

/** Who is told of a visit. */
export async function recipientsOf(db: Db, params: { userId: string; instituteId: string }): Promise<Recipients | null> {
  const { rows } = await sql<Person & { instituteEmail: string | null; ownerLocale: Person['locale'] | null }>`select ${personColumns},
      coalesce(i.email, o.email::text) as "instituteEmail", o.locale as "ownerLocale"
    from users u left join institutes i on i.id = ${params.instituteId} left join users o on o.id = i.owner_id where u.id = ${params.userId}`.execute(
    db,
  )
  if (!rows[0]) return null
  const { instituteEmail, ownerLocale, ...person } = rows[0]
  return { person, institute: instituteEmail ? { email: instituteEmail, locale: ownerLocale ?? 'en' } : null }
}

/** Institutes with time that holds past their end still take. */
export async function institutesWithLapsedHolds(db: Db, now: Date): Promise<string[]> {
  const { rows } = await sql<{
    instituteId: string
  }>`select distinct institute_id as "instituteId" from occupations where expires_at <= ${now} limit 1000`.execute(db)
  return rows.map(({ instituteId }) => instituteId)
}

/** Frees what lapsed holds of an institute still take; one being confirmed right now is left alone. */
export async function freeLapsedHolds(db: Db, instituteId: string, now: Date): Promise<void> {
  await sql`delete from occupations where appointment_id in (select id from appointments where institute_id = ${instituteId} and status = 'held' and expires_at <= ${now} order by id for update skip locked)`.execute(
    db,
  )
}

/** Holds that ran out more than a day ago are forgotten. */
export async function forgetOldHolds(db: Db, now: Date): Promise<void> {
  await sql`delete from appointments where status = 'held' and expires_at < ${new Date(now.getTime() - 86_400_000)}`.execute(db)
}

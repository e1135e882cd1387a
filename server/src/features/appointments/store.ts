/** Appointments, their segments, and the time they occupy. */
import { randomInt } from 'node:crypto'
import type { Status } from '@soigne/contract/appointments'
import { type RawBuilder, sql } from 'kysely'
import type { Db } from '#/platform/database.ts'
import { isAmong } from '#/platform/prepared.ts'
import type { StoredStatus } from './state-graph.ts'
import type { Terms } from './terms.ts'

export interface CartWish {
  serviceId: string
  staffId?: string
}
type Words = Partial<Record<string, string>>

export interface SegmentRow {
  id: string
  appointmentId: string
  position: number
  serviceId: string
  memberId: string
  resourceId: string | null
  startsAt: string
  endsAt: string
  priceAmount: number | null
  snapshot: { name: Words; line?: number }
  memberName: string
  memberImageUrl: string
}

export interface AppointmentRow {
  id: string
  reference: string
  status: StoredStatus
  attendance: 'expected' | 'arrived' | 'in_service' | 'done' | 'no_show'
  startsAt: string
  endsAt: string
  timeZone: string
  cart: CartWish[]
  totalAmount: number
  currency: string
  terms: Terms
  paymentMethod: 'card' | 'paypal' | 'klarna' | null
  note: string | null
  expiresAt: string | null
  holdExtended: boolean
  cancelledAt: string | null
  cancelledBy: string | null
  createdAt: string
  movedCount: number
  userId: string | null
  customerId: string | null
  customerName: string | null
  customerPhone: string | null
  instituteId: string
  instituteSlug: string
  instituteName: string
  addressLine: string
  postalCode: string | null
  city: string
  institutePhone: string | null
  lat: number
  lon: number
  coverUrl: string | null
  category: string
  payAtSalon: boolean
}

const appointmentColumns = sql`a.id, a.reference, a.status, a.attendance, a.starts_at as "startsAt", a.ends_at as "endsAt", a.time_zone as "timeZone", a.cart, a.total_amount as "totalAmount", a.currency, a.terms,
  a.payment_method as "paymentMethod", a.note, a.expires_at as "expiresAt", a.hold_extended as "holdExtended", a.cancelled_at as "cancelledAt", a.cancelled_by as "cancelledBy", a.created_at as "createdAt", a.moved_count as "movedCount",
  a.user_id as "userId", a.customer_id as "customerId", trim(c.first_name || ' ' || c.last_name) as "customerName", c.phone as "customerPhone",
  i.id as "instituteId", i.slug as "instituteSlug", i.name as "instituteName", i.address_line as "addressLine", i.postal_code as "postalCode", i.city, i.phone as "institutePhone", i.lat, i.lon, i.categories[1] as category, i.pay_at_salon as "payAtSalon",
  (select p.url from institute_pictures p where p.institute_id = i.id order by p.position limit 1) as "coverUrl"`
const appointmentTables = sql`appointments a join institutes i on i.id = a.institute_id left join customers c on c.id = a.customer_id`

/** One at a time per person: counts of holds stay true. */
export const lockPerson = (db: Db, userId: string): Promise<unknown> => lockKeys(db, [lockKey(userId)])

/** The same number for the same subject in every process. */
export function lockKey(id: string): bigint {
  const hex = id.replaceAll('-', '')
  return BigInt.asIntN(64, BigInt(`0x${hex.slice(0, 16)}`) ^ BigInt(`0x${hex.slice(16)}`))
}

/** Locks members and resources until the transaction ends, always in the same order, so that no two wait for each other. */
export async function lockSubjects(db: Db, ids: readonly string[]): Promise<void> {
  await lockKeys(db, ids.map(lockKey))
}

async function lockKeys(db: Db, keys: bigint[]): Promise<void> {
  const sorted = [...new Set(keys)].sort((a, b) => (a < b ? -1 : a > b ? 1 : 0)).map(String)
  await sql`select pg_advisory_xact_lock(key) from unnest(${sorted}::bigint[]) as key`.execute(db)
}

/** Frees the time of holds that have run out, for the locked subjects. A hold being confirmed right now is left alone. */
export async function sweepExpiredHolds(db: Db, subjects: readonly string[], now: Date): Promise<void> {
  await sql`with expired as (
      select a.id from appointments a
      where a.status = 'held' and a.expires_at <= ${now} and a.id in (select o.appointment_id from occupations o where o.subject_id = any(${subjects}::uuid[]) and o.expires_at <= ${now})
      order by a.id for update of a)
    delete from occupations o using expired e where o.appointment_id = e.id`.execute(db)
}

/** How many times a person holds, and when the first of them runs out. */
export async function countLiveHolds(db: Db, userId: string, now: Date): Promise<{ count: number; firstEndsAt: string | null }> {
  const { rows } = await sql<{
    count: number
    firstEndsAt: string | null
  }>`select count(*)::int as count, min(expires_at) as "firstEndsAt" from appointments where user_id = ${userId} and status = 'held' and expires_at > ${now}`.execute(
    db,
  )
  return rows[0] ?? { count: 0, firstEndsAt: null }
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

/** Stores a hold under a reference nobody has; one that is taken is drawn again. */
export async function insertHold(db: Db, hold: NewHold, draw: () => string = newReference): Promise<string> {
  for (let attempt = 0; attempt < 5; attempt++) {
    const { rows } = await sql<{
      id: string
    }>`insert into appointments (institute_id, user_id, reference, status, starts_at, ends_at, time_zone, cart, total_amount, currency, terms, expires_at, first_starts_at)
      values (${hold.instituteId}, ${hold.userId}, ${draw()}, 'held', ${hold.startsAt}, ${hold.endsAt}, ${hold.timeZone}, ${JSON.stringify(hold.cart)}::jsonb, ${hold.totalAmount}, ${hold.currency}, ${JSON.stringify(hold.terms)}::jsonb, ${hold.expiresAt}, ${hold.startsAt})
      on conflict (reference) do nothing returning id`.execute(db)
    if (rows[0]) return rows[0].id
  }
  throw new Error('no free reference was drawn in five attempts')
}

export async function insertPlan(
  db: Db,
  place: { appointmentId: string; instituteId: string; expiresAt: Date | null },
  segments: NewSegment[],
  occupations: NewOccupation[],
): Promise<void> {
  const list = JSON.stringify(segments.map((segment, position) => ({ ...segment, position })))
  await sql`insert into segments (appointment_id, institute_id, position, service_id, member_id, resource_id, starts_at, ends_at, snapshot, price_amount)
    select ${place.appointmentId}, ${place.instituteId}, position, "serviceId", "memberId", "resourceId", "startsAt", "endsAt", snapshot, "priceAmount"
    from jsonb_to_recordset(${list}::jsonb) as s(position smallint, "serviceId" uuid, "memberId" uuid, "resourceId" uuid, "startsAt" timestamptz, "endsAt" timestamptz, snapshot jsonb, "priceAmount" int)`.execute(
    db,
  )
  await sql`insert into occupations (institute_id, appointment_id, subject_kind, subject_id, during, expires_at)
    select ${place.instituteId}, ${place.appointmentId}, kind, "subjectId", tstzrange("from", "to"), ${place.expiresAt}
    from jsonb_to_recordset(${JSON.stringify(occupations)}::jsonb) as o(kind text, "subjectId" uuid, "from" timestamptz, "to" timestamptz)`.execute(
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

/** An appointment or hold of one person; `lock` keeps others from changing it until the transaction ends. */
export async function findOwn(db: Db, params: { id: string; userId: string; lock?: boolean }): Promise<AppointmentRow | null> {
  const { rows } =
    await sql<AppointmentRow>`select ${appointmentColumns} from ${appointmentTables} where a.id = ${params.id} and a.user_id = ${params.userId} ${params.lock ? sql`for update of a` : sql``}`.execute(
      db,
    )
  return rows[0] ?? null
}

export async function segmentsOf(db: Db, appointmentIds: string[]): Promise<Map<string, SegmentRow[]>> {
  const { rows } =
    await sql<SegmentRow>`select s.id, s.appointment_id as "appointmentId", s.position, s.service_id as "serviceId", s.member_id as "memberId", s.resource_id as "resourceId", s.starts_at as "startsAt", s.ends_at as "endsAt", s.price_amount as "priceAmount", s.snapshot, m.name as "memberName", m.image_url as "memberImageUrl"
    from segments s join team_members m on m.id = s.member_id where ${isAmong(sql`s.appointment_id`, appointmentIds)} order by s.appointment_id, s.position`.execute(
      db,
    )
  const byAppointment = new Map<string, SegmentRow[]>()
  for (const row of rows) byAppointment.set(row.appointmentId, [...(byAppointment.get(row.appointmentId) ?? []), row])
  return byAppointment
}

export async function liveHolds(db: Db, userId: string, now: Date): Promise<AppointmentRow[]> {
  const { rows } =
    await sql<AppointmentRow>`select ${appointmentColumns} from ${appointmentTables} where a.user_id = ${userId} and a.status = 'held' and a.expires_at > ${now} order by a.created_at desc limit 20`.execute(
      db,
    )
  return rows
}

/** Turns a hold into an appointment; false when its time was swept away meanwhile. */
export async function confirmHold(
  db: Db,
  params: { id: string; customerId: string; status: Status; paymentMethod: string | null; note: string | null; now: Date },
): Promise<boolean> {
  const kept = await sql`update occupations set expires_at = null where appointment_id = ${params.id}`.execute(db)
  if (kept.numAffectedRows === 0n) return false
  await sql`update appointments set status = ${params.status}, expires_at = null, confirmed_at = ${params.now}, customer_id = ${params.customerId}, payment_method = ${params.paymentMethod}, note = ${params.note} where id = ${params.id}`.execute(
    db,
  )
  return true
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
  await sql`insert into customers (institute_id, user_id, first_name, last_name, email, phone, birthday)
    select ${params.instituteId}, u.id, u.first_name, u.last_name, u.email, u.phone, u.birthday from users u where u.id = ${params.userId} on conflict (institute_id, user_id) do nothing`.execute(
    db,
  )
  const { rows } = await sql<{
    id: string
  }>`select id from customers where institute_id = ${params.instituteId} and user_id = ${params.userId}`.execute(db)
  return rows[0]?.id ?? ''
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

export interface ListFilter {
  userId: string
  status: Status | null
  when: 'upcoming' | 'past' | null
  now: Date
  offset: number
  limit: number
}

/** Upcoming: not over and not cancelled, soonest first. Past: over or cancelled, newest first. */
export async function listOwn(db: Db, filter: ListFilter): Promise<{ rows: AppointmentRow[]; total: number }> {
  const upcoming = sql`(a.ends_at > ${filter.now} and a.status <> 'cancelled')`
  const where = sql`a.user_id = ${filter.userId} and a.status <> 'held' and (${filter.status}::text is null or a.status = ${filter.status})
    and (${filter.when}::text is null or (${filter.when} = 'upcoming') = ${upcoming})`
  const { rows } = await sql<
    AppointmentRow & { total: number }
  >`select ${appointmentColumns}, count(*) over ()::int as total from ${appointmentTables} where ${where}
    order by ${upcoming} desc, case when ${upcoming} then a.starts_at end asc, a.starts_at desc, a.id limit ${filter.limit} offset ${filter.offset}`.execute(
    db,
  )
  return { rows, total: rows[0]?.total ?? (await countWhere(db, where, filter.offset)) }
}

/** How many there are, for a page past the last; nothing on the first page means none. */
async function countWhere(db: Db, where: RawBuilder<unknown>, offset: number): Promise<number> {
  if (offset === 0) return 0
  const { rows } = await sql<{ total: number }>`select count(*)::int as total from appointments a where ${where}`.execute(db)
  return rows[0]?.total ?? 0
}

/** The next visits of the institute somebody owns; null when they own none. */
export async function listOfOwner(
  db: Db,
  params: { ownerId: string; now: Date; offset: number; limit: number },
): Promise<{ rows: AppointmentRow[]; total: number } | null> {
  const owned = await sql<{ id: string }>`select id from institutes where owner_id = ${params.ownerId}`.execute(db)
  const instituteId = owned.rows[0]?.id
  if (!instituteId) return null
  const where = sql`a.institute_id = ${instituteId} and a.ends_at > ${params.now} and a.status not in ('held', 'cancelled')`
  const { rows } = await sql<
    AppointmentRow & { total: number }
  >`select ${appointmentColumns}, count(*) over ()::int as total from ${appointmentTables} where ${where} order by a.starts_at, a.id limit ${params.limit} offset ${params.offset}`.execute(
    db,
  )
  return { rows, total: rows[0]?.total ?? (await countWhere(db, where, params.offset)) }
}

/** Another visit of the same person that overlaps in time. */
export async function overlappingVisit(
  db: Db,
  params: { userId: string; exceptId: string; from: string; to: string },
): Promise<{ id: string; instituteName: string; startsAt: string } | null> {
  const { rows } = await sql<{
    id: string
    instituteName: string
    startsAt: string
  }>`select a.id, i.name as "instituteName", a.starts_at as "startsAt" from appointments a join institutes i on i.id = a.institute_id
    where a.user_id = ${params.userId} and a.id <> ${params.exceptId} and a.status not in ('held', 'cancelled') and a.starts_at < ${params.to} and a.ends_at > ${params.from} order by a.starts_at limit 1`.execute(
    db,
  )
  return rows[0] ?? null
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

export async function findPerson(db: Db, userId: string): Promise<Person | null> {
  const { rows } =
    await sql<Person>`select id, email, first_name as "firstName", last_name as "lastName", phone, locale, birthday from users where id = ${userId}`.execute(
      db,
    )
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

/** Where the institute reads its mail, and in which language. */
export async function instituteMailbox(db: Db, instituteId: string): Promise<{ email: string; locale: 'en' | 'fr' | 'ar' } | null> {
  const { rows } = await sql<{
    email: string | null
    locale: 'en' | 'fr' | 'ar' | null
  }>`select coalesce(i.email, u.email::text) as email, u.locale from institutes i left join users u on u.id = i.owner_id where i.id = ${instituteId}`.execute(
    db,
  )
  const found = rows[0]
  return found?.email ? { email: found.email, locale: found.locale ?? 'en' } : null
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

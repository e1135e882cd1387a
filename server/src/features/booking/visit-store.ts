/** Visits as they are read: with their institute, their segments and what else is shown of them. */
import type { Status } from '@soigne/contract/appointments'
import { type RawBuilder, sql } from 'kysely'
import type { InstituteScope, SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { isAmong } from '#/platform/prepared.ts'
import type { StoredStatus } from './state-graph.ts'
import type { CartEntry } from './store.ts'
import type { Terms } from './terms.ts'

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
  cart: CartEntry[]
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

/** Whose visits are read: those of one client, or those of an institute. */
export type VisitScope = SelfScope | InstituteScope<'diary.read'> | InstituteScope<'diary.change'>
/** The condition that every reading of visits carries. */
const reached = (scope: VisitScope): RawBuilder<unknown> =>
  scope.kind === 'self' ? sql`a.user_id = ${scope.userId}` : sql`a.institute_id = ${scope.instituteId}`

/** An appointment or hold; `lock` keeps others from changing it until the transaction ends. */
export async function findVisit(db: Db, scope: VisitScope, params: { id: string; lock?: boolean }): Promise<AppointmentRow | null> {
  const { rows } =
    await sql<AppointmentRow>`select ${appointmentColumns} from ${appointmentTables} where a.id = ${params.id} and ${reached(scope)} ${params.lock ? sql`for update of a` : sql``}`.execute(
      db,
    )
  return rows[0] ?? null
}

/** One visit with all that is shown of it. */
export interface ShownVisit {
  row: AppointmentRow
  segments: SegmentRow[]
  /** Another visit of the same person at the same time. */
  overlap: { id: string; instituteName: string; startsAt: string } | null
}

/** An instant as JSON of the database has it. */
const instantOf = (text: string): string => new Date(text).toISOString()

export async function findShown(db: Db, scope: VisitScope, id: string): Promise<ShownVisit | null> {
  const { rows } = await sql<AppointmentRow & Pick<ShownVisit, 'segments' | 'overlap'>>`select ${appointmentColumns},
      (select coalesce(json_agg(json_build_object('id', s.id, 'appointmentId', s.appointment_id, 'position', s.position, 'serviceId', s.service_id, 'memberId', s.member_id, 'resourceId', s.resource_id,
          'startsAt', s.starts_at, 'endsAt', s.ends_at, 'priceAmount', s.price_amount, 'snapshot', s.snapshot, 'memberName', m.name, 'memberImageUrl', m.image_url) order by s.position), '[]')
        from segments s join team_members m on m.id = s.member_id where s.appointment_id = a.id) as segments,
      (select json_build_object('id', o.id, 'instituteName', oi.name, 'startsAt', o.starts_at) from appointments o join institutes oi on oi.id = o.institute_id
        where o.user_id = a.user_id and o.id <> a.id and o.status not in ('held', 'cancelled') and o.starts_at < a.ends_at and o.ends_at > a.starts_at order by o.starts_at limit 1) as overlap
    from ${appointmentTables} where a.id = ${id} and ${reached(scope)}`.execute(db)
  if (!rows[0]) return null
  const { segments, overlap, ...row } = rows[0]
  return {
    row,
    segments: segments.map((segment) => ({ ...segment, startsAt: instantOf(segment.startsAt), endsAt: instantOf(segment.endsAt) })),
    overlap: overlap && { ...overlap, startsAt: instantOf(overlap.startsAt) },
  }
}

export async function segmentsOf(db: Db, scope: VisitScope, appointmentIds: string[]): Promise<Map<string, SegmentRow[]>> {
  const { rows } =
    await sql<SegmentRow>`select s.id, s.appointment_id as "appointmentId", s.position, s.service_id as "serviceId", s.member_id as "memberId", s.resource_id as "resourceId", s.starts_at as "startsAt", s.ends_at as "endsAt", s.price_amount as "priceAmount", s.snapshot, m.name as "memberName", m.image_url as "memberImageUrl"
    from segments s join appointments a on a.id = s.appointment_id join team_members m on m.id = s.member_id
    where ${isAmong(sql`s.appointment_id`, appointmentIds)} and ${reached(scope)} order by s.appointment_id, s.position`.execute(db)
  const byAppointment = new Map<string, SegmentRow[]>()
  for (const row of rows) byAppointment.set(row.appointmentId, [...(byAppointment.get(row.appointmentId) ?? []), row])
  return byAppointment
}

export async function liveHolds(db: Db, scope: SelfScope, now: Date): Promise<AppointmentRow[]> {
  const { rows } =
    await sql<AppointmentRow>`select ${appointmentColumns} from ${appointmentTables} where ${reached(scope)} and a.status = 'held' and a.expires_at > ${now} order by a.created_at desc limit 20`.execute(
      db,
    )
  return rows
}

export interface ListFilter {
  status: Status | null
  when: 'upcoming' | 'past' | null
  now: Date
  offset: number
  limit: number
}

/** Upcoming: not over and not cancelled, soonest first. Past: over or cancelled, newest first. */
export async function listOwn(db: Db, scope: SelfScope, filter: ListFilter): Promise<{ rows: AppointmentRow[]; total: number }> {
  const upcoming = sql`(a.ends_at > ${filter.now} and a.status <> 'cancelled')`
  const where = sql`${reached(scope)} and a.status <> 'held' and (${filter.status}::text is null or a.status = ${filter.status})
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

/** The next visits of an institute. */
export async function listOfInstitute(
  db: Db,
  scope: InstituteScope<'diary.read'>,
  params: { now: Date; offset: number; limit: number },
): Promise<{ rows: AppointmentRow[]; total: number }> {
  const where = sql`${reached(scope)} and a.ends_at > ${params.now} and a.status not in ('held', 'cancelled')`
  const { rows } = await sql<
    AppointmentRow & { total: number }
  >`select ${appointmentColumns}, count(*) over ()::int as total from ${appointmentTables} where ${where} order by a.starts_at, a.id limit ${params.limit} offset ${params.offset}`.execute(
    db,
  )
  return { rows, total: rows[0]?.total ?? (await countWhere(db, where, params.offset)) }
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

export interface Recipients {
  person: Person
  /** Where the institute reads its mail, and in which language. */
  institute: { email: string; locale: Person['locale'] } | null
}

/** Who is told of a visit. */
export async function recipientsOf(db: Db, scope: InstituteScope<'customers.read'>, userId: string): Promise<Recipients | null> {
  const { rows } = await sql<Person & { instituteEmail: string | null; ownerLocale: Person['locale'] | null }>`select ${personColumns},
      coalesce(i.email, o.email::text) as "instituteEmail", o.locale as "ownerLocale"
    from users u left join institutes i on i.id = ${scope.instituteId} left join users o on o.id = i.owner_id where u.id = ${userId}`.execute(
    db,
  )
  if (!rows[0]) return null
  const { instituteEmail, ownerLocale, ...person } = rows[0]
  return { person, institute: instituteEmail ? { email: instituteEmail, locale: ownerLocale ?? 'en' } : null }
}

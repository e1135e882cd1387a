/** Visits as they are read: with their institute, their segments and what else is shown of them. */
import { attendances, type Status } from '@soigne/contract/appointments'
import { locales, paymentMethods, priceKind } from '@soigne/contract/wire'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { type InstituteScope, mayAlso, type SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import type { Fill } from '#/platform/fills.ts'
import { isAmong } from '#/platform/prepared.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import { lives, payments, paymentsOf } from './state-graph.ts'
import type { FeeTerms, Terms } from './terms.ts'

export interface CartEntry {
  serviceId: string
  staffId?: string
  /** At the client's home, as all of them are then. */
  atHome?: boolean
}

const feeTerms: z.ZodMiniType<FeeTerms> = z.object({ late: z.int(), noShow: z.int(), graceMinutes: z.int() })
const localizedText = z.partialRecord(z.enum(locales), z.string())
const segmentFields = {
  id: z.string(),
  appointmentId: z.string(),
  position: z.int(),
  serviceId: z.string(),
  memberId: z.string(),
  resourceId: z.nullable(z.string()),
  startsAt: z.string(),
  endsAt: z.string(),
  priceAmount: z.nullable(z.int()),
  snapshot: z.looseObject({ name: localizedText, line: z.exactOptional(z.int()), priceKind: z.exactOptional(priceKind) }),
  memberName: z.string(),
  memberImageUrl: z.string(),
}
const segmentRow = {
  id: c.uuid,
  appointmentId: c.uuid,
  position: c.int,
  serviceId: c.uuid,
  memberId: c.uuid,
  resourceId: orNull(c.uuid),
  startsAt: c.instant,
  endsAt: c.instant,
  priceAmount: orNull(c.int),
  snapshot: c.json(segmentFields.snapshot),
  memberName: c.text,
  memberImageUrl: c.text,
}
export type SegmentRow = RowOf<typeof segmentRow>

const cart: z.ZodMiniType<CartEntry[]> = z.array(
  z.object({ serviceId: z.string(), staffId: z.exactOptional(z.string()), atHome: z.exactOptional(z.boolean()) }),
)
const terms: z.ZodMiniType<Terms> = z.object({
  cancelWindowMinutes: z.nullable(z.int()),
  rescheduleWindowMinutes: z.nullable(z.int()),
  freeUntil: z.nullable(z.string()),
  openUntil: z.exactOptional(z.string()),
})
const attendedAt: z.ZodMiniType<Partial<Record<(typeof attendances)[number], string>>> = z.partialRecord(z.enum(attendances), z.string())
const appointmentRow = {
  id: c.uuid,
  reference: c.text,
  life: known(c.oneOf(lives)),
  payment: known(c.oneOf(payments)),
  attendance: c.oneOf(attendances),
  startsAt: c.instant,
  endsAt: c.instant,
  timeZone: c.text,
  cart: c.json(cart),
  totalAmount: c.int,
  currency: c.text,
  terms: c.json(terms),
  /** Kept when its client cancels late. */
  depositAmount: orNull(c.int),
  /** What was agreed for who cancels late or does not come. */
  fees: orNull(c.json(feeTerms)),
  /** Sessions of packages pay for it, and no money was taken beside them. */
  /** What the sessions of packages that pay for it were bought for; null where none does. */
  sessionsWorth: orNull(known(c.count)),
  paymentMethod: orNull(c.oneOf(paymentMethods)),
  note: orNull(c.text),
  expiresAt: orNull(c.instant),
  holdExtended: c.bool,
  cancelledAt: orNull(c.instant),
  cancelledBy: orNull(c.oneOf(['client', 'institute', 'system'])),
  createdAt: c.instant,
  movedCount: c.int,
  revision: c.int,
  ownNote: orNull(c.text),
  attendedAt: orNull(c.json(attendedAt)),
  madeBy: known(c.oneOf(['client', 'institute', 'system'])),
  userId: orNull(c.uuid),
  customerId: orNull(c.uuid),
  customerName: orNull(c.text),
  customerPhone: orNull(c.text),
  instituteId: c.uuid,
  instituteSlug: c.text,
  instituteName: c.text,
  addressLine: c.text,
  postalCode: orNull(c.text),
  city: c.text,
  institutePhone: orNull(c.text),
  lat: c.float,
  lon: c.float,
  coverUrl: orNull(c.text),
  category: known(c.text),
  payAtSalon: c.bool,
}
export type AppointmentRow = RowOf<typeof appointmentRow>

/** Rows that no fill has come to yet have one word for both. */
const life = sql`coalesce(a.life, life_of_status(a.status))`
const payment = sql`coalesce(a.payment, payment_of_status(a.status, null))`
const appointmentColumns = sql`a.id, a.reference, ${life} as life, ${payment} as payment, a.attendance, a.starts_at as "startsAt", a.ends_at as "endsAt", a.time_zone as "timeZone", a.cart, a.total_amount as "totalAmount", a.currency, a.terms, a.deposit_amount as "depositAmount",
  (select jsonb_build_object('late', f.late_amount, 'noShow', f.no_show_amount, 'graceMinutes', f.grace_minutes) from fee_terms f where f.appointment_id = a.id) as fees,
  (select sum(-u.amount)::int8 from client_package_moves u where u.sale_id = a.id and u.kind = 'used'
    and not exists (select from client_package_moves b where b.line_id = u.line_id and b.kind = 'undone')) as "sessionsWorth",
  a.payment_method as "paymentMethod", a.note, a.expires_at as "expiresAt", a.hold_extended as "holdExtended", a.cancelled_at as "cancelledAt", a.cancelled_by as "cancelledBy", a.created_at as "createdAt", a.moved_count as "movedCount", a.revision, a.own_note as "ownNote", a.attended_at as "attendedAt",
  coalesce(a.made_by, case when a.user_id is null then 'institute' else 'client' end) as "madeBy",
  a.user_id as "userId", a.customer_id as "customerId", trim(c.first_name || ' ' || c.last_name) as "customerName", c.phone as "customerPhone",
  i.id as "instituteId", i.slug as "instituteSlug", i.name as "instituteName", i.address_line as "addressLine", i.postal_code as "postalCode", i.city, i.phone as "institutePhone", i.lat, i.lon, i.categories[1] as category, i.pay_at_salon as "payAtSalon",
  (select p.url from institute_pictures p where p.institute_id = i.id order by p.position limit 1) as "coverUrl"`
const appointmentTables = sql`appointments a join institutes i on i.id = a.institute_id left join customers c on c.id = a.customer_id`

/** Whose visits are read: those of one client, those of an institute, or of one team member there. */
export type VisitScope = SelfScope | DiaryReaderScope
export type DiaryReaderScope = InstituteScope<'diary.own'> | InstituteScope<'diary.read'> | InstituteScope<'diary.change'>
interface Reach {
  userId?: string
  instituteId?: string
  /** Only visits this team member has a part in. */
  memberId?: string
}
/** The team member whose column is all that somebody may see; null for who may see everybody's. Whoever is no member sees nobody's. */
export const columnOf = (scope: DiaryReaderScope): string | null =>
  mayAlso(scope, 'diary.read') || mayAlso(scope, 'diary.change') ? null : (scope.memberId ?? '00000000-0000-0000-0000-000000000000')
function reachOf(scope: VisitScope): Reach {
  if (scope.kind === 'self') return { userId: scope.userId }
  const memberId = columnOf(scope)
  return { instituteId: scope.instituteId, ...(memberId !== null && { memberId }) }
}
/** The condition that every reading of visits carries. */
function reached({ userId, instituteId, memberId }: Reach): RawBuilder<unknown> {
  if (userId !== undefined) return sql`a.user_id = ${userId}`
  if (memberId === undefined) return sql`a.institute_id = ${instituteId}`
  return sql`a.institute_id = ${instituteId} and exists (select from segments own where own.appointment_id = a.id and own.member_id = ${memberId})`
}
const reaches: Reach[] = [{ userId: someId }, { instituteId: someId }, { instituteId: someId, memberId: someId }]

const visit = statement(
  {
    name: 'visits.visit',
    row: appointmentRow,
    byId: true,
    tries: () => reaches.flatMap((reach) => [false, true].map((lock) => ({ reach, id: someId, lock }))),
  },
  ({ reach, id, lock }: { reach: Reach; id: string; lock: boolean }) =>
    sql`select ${appointmentColumns} from ${appointmentTables} where a.id = ${id} and ${reached(reach)} ${lock ? sql`for update of a` : sql``}`,
)
/** An appointment or hold; `lock` keeps others from changing it until the transaction ends. */
export const findVisit = (
  db: Db,
  scope: VisitScope,
  { id, lock = false }: { id: string; lock?: boolean },
): Promise<AppointmentRow | null> => visit.one(db, { reach: reachOf(scope), id, lock })

/** One visit with all that is shown of it. */
export interface ShownVisit {
  row: AppointmentRow
  segments: SegmentRow[]
  /** Another visit of the same person at the same time. */
  overlap: { id: string; instituteName: string; startsAt: string } | null
}

/** An instant as JSON of the database has it. */
const instantOf = (text: string): string => instantText(parseInstant(text))

const shownRow = {
  ...appointmentRow,
  segments: known(c.json(z.array(z.object(segmentFields)))),
  overlap: orNull(c.json(z.object({ id: z.string(), instituteName: z.string(), startsAt: z.string() }))),
}
const shownColumns = sql`${appointmentColumns},
      (select coalesce(json_agg(json_build_object('id', s.id, 'appointmentId', s.appointment_id, 'position', s.position, 'serviceId', s.service_id, 'memberId', s.member_id, 'resourceId', s.resource_id,
          'startsAt', s.starts_at, 'endsAt', s.ends_at, 'priceAmount', s.price_amount, 'snapshot', s.snapshot, 'memberName', m.name, 'memberImageUrl', m.image_url) order by s.position), '[]')
        from segments s join team_members m on m.id = s.member_id where s.appointment_id = a.id) as segments,
      (select json_build_object('id', o.id, 'instituteName', oi.name, 'startsAt', o.starts_at) from appointments o join institutes oi on oi.id = o.institute_id
        where o.user_id = a.user_id and o.id <> a.id and coalesce(o.life, o.status) not in ('held', 'cancelled') and o.starts_at < a.ends_at and o.ends_at > a.starts_at order by o.starts_at limit 1) as overlap`
const shown = statement(
  { name: 'visits.shownVisit', row: shownRow, byId: true, tries: () => reaches.map((reach) => ({ reach, id: someId })) },
  ({ reach, id }: { reach: Reach; id: string }) =>
    sql`select ${shownColumns} from ${appointmentTables} where a.id = ${id} and ${reached(reach)}`,
)
const shownOf = ({ segments, overlap, ...row }: RowOf<typeof shownRow>): ShownVisit => ({
  row,
  segments: segments.map((segment) => ({ ...segment, startsAt: instantOf(segment.startsAt), endsAt: instantOf(segment.endsAt) })),
  overlap: overlap && { ...overlap, startsAt: instantOf(overlap.startsAt) },
})
export async function findShown(db: Db, scope: VisitScope, id: string): Promise<ShownVisit | null> {
  const found = await shown.one(db, { reach: reachOf(scope), id })
  return found && shownOf(found)
}

const shownTogether = statement(
  { name: 'visits.shownVisits', row: shownRow, tries: [{ ids: [someId], instituteIds: [someId] }] },
  ({ ids, instituteIds }: { ids: readonly string[]; instituteIds: readonly string[] }) => sql`select ${shownColumns}
    from unnest(${ids}::uuid[], ${instituteIds}::uuid[]) as asked(id, institute_id)
      join appointments a on a.id = asked.id and a.institute_id = asked.institute_id join institutes i on i.id = a.institute_id left join customers c on c.id = a.customer_id`,
)
/** Visits by their ids, each reached by the scope in the same place; without those that are gone. */
export async function findAllShown(db: Db, scopes: readonly DiaryReaderScope[], ids: readonly string[]): Promise<Map<string, ShownVisit>> {
  const rows = await shownTogether.all(db, { ids, instituteIds: scopes.map(({ instituteId }) => instituteId) })
  return new Map(rows.map((row) => [row.id, shownOf(row)]))
}

const segments = statement(
  {
    name: 'visits.segments',
    row: segmentRow,
    byId: true,
    tries: () => reaches.flatMap((reach) => [[someId], [someId, someId]].map((appointmentIds) => ({ reach, appointmentIds }))),
  },
  ({
    reach,
    appointmentIds,
  }: {
    reach: Reach
    appointmentIds: readonly string[]
  }) => sql`select s.id, s.appointment_id as "appointmentId", s.position, s.service_id as "serviceId", s.member_id as "memberId", s.resource_id as "resourceId", s.starts_at as "startsAt", s.ends_at as "endsAt", s.price_amount as "priceAmount", s.snapshot, m.name as "memberName", m.image_url as "memberImageUrl"
    from segments s join appointments a on a.id = s.appointment_id join team_members m on m.id = s.member_id
    where ${isAmong(sql`s.appointment_id`, appointmentIds)} and ${reached(reach)} order by s.appointment_id, s.position`,
)
export async function segmentsOf(db: Db, scope: VisitScope, appointmentIds: string[]): Promise<Map<string, SegmentRow[]>> {
  const rows = await segments.all(db, { reach: reachOf(scope), appointmentIds })
  return Map.groupBy(rows, ({ appointmentId }) => appointmentId)
}

interface HoldsAsked {
  now: Date
  /** Also what is offered to them because they wait. */
  withOffers: boolean
}
const holds = statement(
  { name: 'visits.liveHolds', row: appointmentRow, tries: [{ userId: someId, now: new Date(0), withOffers: false }] },
  ({ userId, now, withOffers }: HoldsAsked & { userId: string }) =>
    sql`select ${appointmentColumns} from ${appointmentTables} where ${reached({ userId })} and a.expires_at > ${now} and (${withOffers}::bool or not a.is_offer) order by a.created_at desc limit 20`,
)
export const liveHolds = (db: Db, scope: SelfScope, asked: HoldsAsked): Promise<AppointmentRow[]> =>
  holds.all(db, { userId: scope.userId, ...asked })

export interface ListFilter {
  status: Status | null
  when: 'upcoming' | 'past' | 'over' | null
  now: Date
  offset: number
  limit: number
}

const rowWithTotal = { ...appointmentRow, total: known(c.int) }
interface Page {
  rows: AppointmentRow[]
  total: number
}

type OwnAsked = ListFilter & { userId: string }
const someOwn: OwnAsked = { userId: someId, status: 'pending', when: 'past', now: new Date(0), offset: 0, limit: 1 }
const isUpcoming = (now: Date) => sql`(a.ends_at > ${now} and ${life} <> 'cancelled')`
const isOfStatus = (status: Status | null) =>
  sql`(${status}::text is null or (${life} = 'booked' and ${payment} = any(${status ? paymentsOf(status) : []}::text[])) or (${life} = 'cancelled' and ${status} = 'cancelled'))`
const isOwn = ({
  userId,
  status: wanted,
  when,
  now,
}: OwnAsked) => sql`${reached({ userId })} and ${life} <> 'held' and ${isOfStatus(wanted)}
    and (${when}::text is null or (${when} = 'upcoming') = ${isUpcoming(now)}) and (${when}::text is distinct from 'over' or ${life} <> 'cancelled')`
const own = statement({ name: 'visits.own', row: rowWithTotal, tries: [someOwn] }, (asked: OwnAsked) => {
  const upcoming = isUpcoming(asked.now)
  return sql`select ${appointmentColumns}, count(*) over ()::int as total from ${appointmentTables} where ${isOwn(asked)}
    order by ${upcoming} desc, case when ${upcoming} then a.starts_at end asc, a.starts_at desc, a.id limit ${asked.limit} offset ${asked.offset}`
})
const countOwn = statement(
  { name: 'visits.countOwn', row: { total: known(c.int) }, tries: [someOwn] },
  (asked: OwnAsked) => sql`select count(*)::int as total from appointments a where ${isOwn(asked)}`,
)
/** Upcoming: not over and not cancelled, soonest first. Past: over or cancelled, newest first; over: those that were not cancelled. */
export async function listOwn(db: Db, scope: SelfScope, filter: ListFilter): Promise<Page> {
  const asked = { userId: scope.userId, ...filter }
  const rows = await own.all(db, asked)
  return { rows, total: await totalOf(rows, asked, () => countOwn.one(db, asked)) }
}

/** How many there are, also for a page past the last; nothing on the first page means none. */
async function totalOf(
  rows: readonly { total: number }[],
  { offset }: { offset: number },
  count: () => Promise<{ total: number } | null>,
): Promise<number> {
  return rows[0]?.total ?? (offset === 0 ? 0 : ((await count())?.total ?? 0))
}

interface NextAsked {
  reach: Reach
  /** Those that end after this, and begin before `until` where there is one. */
  now: Date
  until: Date | null
  offset: number
  limit: number
}
const someNext = (): NextAsked[] =>
  reaches
    .filter(({ userId }) => userId === undefined)
    .flatMap((reach) => [null, new Date(1)].map((until) => ({ reach, now: new Date(0), until, offset: 0, limit: 1 })))
const isNext = ({ reach, now, until }: NextAsked) =>
  sql`${reached(reach)} and a.ends_at > ${now} and ${until === null ? sql`true` : sql`a.starts_at < ${until}`} and ${life} = 'booked'`
const next = statement(
  { name: 'visits.ofInstitute', row: rowWithTotal, tries: someNext },
  (asked: NextAsked) =>
    sql`select ${appointmentColumns}, count(*) over ()::int as total from ${appointmentTables} where ${isNext(asked)} order by a.starts_at, a.id limit ${asked.limit} offset ${asked.offset}`,
)
const countNext = statement(
  { name: 'visits.countOfInstitute', row: { total: known(c.int) }, tries: someNext },
  (asked: NextAsked) => sql`select count(*)::int as total from appointments a where ${isNext(asked)}`,
)
/** The next visits of an institute, or those between two instants. */
export async function listOfInstitute(
  db: Db,
  scope: DiaryReaderScope,
  params: { now: Date; until?: Date | null; offset: number; limit: number },
): Promise<Page> {
  const asked = { reach: reachOf(scope), until: null, ...params }
  const rows = await next.all(db, asked)
  return { rows, total: await totalOf(rows, asked, () => countNext.one(db, asked)) }
}

const fillStandings = statement(
  {
    name: 'visits.fillStandings',
    row: { id: c.uuid, rows: known(c.int) },
    tries: [{ after: someId, rows: 1 }],
  },
  ({
    after,
    rows,
  }: {
    after: string
    rows: number
  }) => sql`with next as materialized (select id from appointments where id > ${after} order by id limit ${rows}),
      filled as (update appointments a set life = life_of_status(a.status), payment = payment_of_status(a.status, null) from next where a.id = next.id and a.life is null)
    select id, (count(*) over ())::int as rows from next order by id desc limit 1`,
)
/** Visits from before life and payment were two things. */
export const standings: Fill = {
  name: '0024_standings_of_visits',
  rowsAtOnce: 1000,
  fill: async (transaction, after, rows) => {
    const filled = await fillStandings.one(transaction, { after: after ?? '00000000-0000-0000-0000-000000000000', rows })
    return filled && { cursor: filled.id, rows: filled.rows }
  },
}

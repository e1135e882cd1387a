// Reads what the time engine needs of any number of institutes: one statement for what they set, one for what is taken.
import { type RawBuilder, sql } from 'kysely'
import type { Venue } from '@soigne/contract/wire'
import type { Db } from '#/platform/database.ts'
import { isAmong } from '#/platform/prepared.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import { busyJson, closuresJson, membersJson, openingHoursJson, resourcesJson, servicesJson, sessionsJson } from './diary-json.ts'

export type LocalizedText = Partial<Record<string, string>>

/** `[fromDay, toDay, opensAt, closesAt]`; the hours are null for whole days. */
export type DaysRow = [fromDay: string, toDay: string, opensAt: number | null, closesAt: number | null]
export interface ShiftJson {
  opensAt: number
  closesAt: number
  breaks?: { opensAt: number; closesAt: number }[]
}

export interface ServiceJson {
  id: string
  category: string
  section: LocalizedText
  name: LocalizedText
  audience: string
  priceKind: 'fixed' | 'from' | 'on_request'
  priceAmount: number | null
  parts: [active: number, idle: number, activeAfter: number]
  buffers: [before: number, after: number]
  isSequential: boolean
  latestStart: number | null
  noticeMinutes: number | null
  minimumAge: number | null
  resourceType: string | null
  /** `[requiredServiceId, minHours, maxMonths]` */
  prerequisites: [string, number, number][] | null
  /** Prices dated ahead, the next first. */
  laterPrices: [fromDay: string, kind: 'fixed' | 'from', amount: number][] | null
  capacity: number | null
  venue: Venue
  /** The owner's choice of what the institute leads with. */
  isSignature: boolean
  /** 1 for what was booked most of late; null for what was not. */
  bookedRank: number | null
}

export interface MemberJson {
  id: string
  name: string
  title: LocalizedText
  imageUrl: string
  bookableOnline: boolean
  /** `[serviceId, active, idle, activeAfter, price]`; null where the menu's hold. */
  performs: [string, number | null, number | null, number | null, number | null][] | null
  rotas:
    | {
        weeks: number
        anchorDay: string
        validFrom: string | null
        validTo: string | null
        shifts: [week: number, weekday: number, opensAt: number, closesAt: number, breaks: { opensAt: number; closesAt: number }[]][] | null
      }[]
    | null
  overrides: [day: string, shifts: ShiftJson[]][] | null
  absences: DaysRow[] | null
}

export interface ResourceJson {
  id: string
  type: string
  closures: [fromDay: string, toDay: string][] | null
}

/** `[id, serviceId, memberId, resourceId, from, to, seats, taken]`, in epoch minutes. */
export type SessionJson = [string, string, string, string | null, number, number, number, number]

export const diaryRow = {
  id: c.uuid,
  slug: c.text,
  name: c.text,
  state: c.oneOf(['draft', 'published', 'suspended']),
  claimed: c.bool,
  ownerId: orNull(c.uuid),
  timeZone: c.text,
  currency: c.text,
  city: c.text,
  lat: c.float,
  lon: c.float,
  /** How far it comes to people's homes; null where it does not. */
  homeRadiusKm: orNull(c.int),
  homeTravelMinutes: c.int,
  quarter: orNull(c.text),
  categories: c.list(c.text),
  paymentMethods: c.list(c.text),
  payAtSalon: c.bool,
  gridMinutes: c.int,
  noticeMinutes: c.int,
  horizonDays: c.int,
  maxWaitMinutes: c.int,
  gapPolicy: c.oneOf(['off', 'rank', 'hide']),
  serviceOrder: c.oneOf(['given', 'best']),
  cancelWindowMinutes: orNull(c.int),
  rescheduleWindowMinutes: orNull(c.int),
  openingHours: orNull(c.json(openingHoursJson)),
  closures: orNull(c.json(closuresJson)),
  services: orNull(c.json(servicesJson)),
  members: orNull(c.json(membersJson)),
  resources: orNull(c.json(resourcesJson)),
  sessions: orNull(c.json(sessionsJson)),
}
export type DiaryRow = RowOf<typeof diaryRow>

/** Those on the menu, and those that a visit which is moved was booked with though they are on it no more. */
const services = (
  movedId: string | null,
) => sql`select json_agg(json_build_object('id', s.id, 'category', s.category, 'section', s.section, 'name', s.name, 'audience', s.audience,
    'priceKind', s.price_kind, 'priceAmount', s.price_amount, 'parts', json_build_array(s.active_minutes, s.idle_minutes, s.active_after_minutes),
    'buffers', json_build_array(s.buffer_before_minutes, s.buffer_after_minutes), 'isSequential', s.is_sequential, 'latestStart', s.latest_start, 'noticeMinutes', s.notice_minutes,
    'minimumAge', s.minimum_age, 'resourceType', s.resource_type, 'capacity', s.capacity, 'venue', s.venue, 'isSignature', s.is_signature, 'bookedRank', s.booked_rank,
    'prerequisites', (select json_agg(json_build_array(p.required_service_id, p.min_hours, p.max_months)) from service_prerequisites p where p.service_id = s.id),
    'laterPrices', (select json_agg(json_build_array(p.from_day, p.price_kind, p.price_amount) order by p.from_day) from service_prices p where p.service_id = s.id)
  ) order by s.position, s.id) from services s where s.institute_id = i.id
    and (s.active or (${movedId}::uuid is not null and exists (select from segments g where g.appointment_id = ${movedId} and g.service_id = s.id)))`

export const rotas = (
  fromDay: string,
  toDay: string,
) => sql`select json_agg(json_build_object('weeks', r.weeks, 'anchorDay', r.anchor_day, 'validFrom', r.valid_from, 'validTo', r.valid_to,
    'shifts', (select json_agg(json_build_array(h.week, h.weekday, h.opens_at, h.closes_at, h.breaks) order by h.week, h.weekday, h.opens_at) from rota_shifts h where h.rota_id = r.id)
  ) order by r.valid_from nulls first) from rotas r where r.member_id = m.id and daterange(r.valid_from, r.valid_to, '[]') && daterange(${fromDay}::date, ${toDay}::date, '[]')`

export const overrides = (fromDay: string, toDay: string) =>
  sql`select json_agg(json_build_array(o.day, o.shifts)) from shift_overrides o where o.member_id = m.id and o.day between ${fromDay}::date and ${toDay}::date`

const absences = (
  fromDay: string,
  toDay: string,
) => sql`select json_agg(json_build_array(a.from_day, a.to_day, a.opens_at, a.closes_at)) from absences a
  where a.member_id = m.id and a.to_day >= ${fromDay}::date and a.from_day <= ${toDay}::date`

/** Which seats count as taken: those of holds that have not run out, or without `now` all that are there. */
interface SeatsCounted {
  now: Date | null
  ignoreAppointmentId: string | null
}

const sessions = (fromDay: string, toDay: string, { now, ignoreAppointmentId }: SeatsCounted) =>
  sql`select json_agg(json_build_array(g.id, g.service_id, g.member_id, g.resource_id,
      floor(date_part('epoch', lower(g.during)) / 60)::int, ceil(date_part('epoch', upper(g.during)) / 60)::int, g.capacity,
      (select count(*) from session_seats t where t.session_id = g.id and (${now}::timestamptz is null or t.expires_at is null or t.expires_at > ${now})
        and (${ignoreAppointmentId}::uuid is null or t.appointment_id <> ${ignoreAppointmentId}::uuid))) order by g.id)
    from group_sessions g where g.institute_id = i.id
      and g.during && tstzrange(${`${fromDay}T00:00:00Z`}, ${`${toDay}T23:59:59Z`})`

/** How much is read: `hours` of opening, with `menus` (services, and who performs them), or the whole `diaries`. What is not read is empty. */
export type Depth = 'hours' | 'menus' | 'diaries'
const nothing = sql`null::json`

/** What is asked for: services, some with a member. */
export type Cart = readonly { serviceId: string; memberId?: string | undefined }[]

// Looking for a position says nothing to the planner, so that it makes one plan for all carts (see isAmong).
/** The members a cart names, and for lines that name none whoever performs the service. */
function mayServe(cart: Cart) {
  const named = cart.flatMap(({ memberId }) => memberId ?? [])
  const open = cart.filter(({ memberId }) => memberId === undefined).map(({ serviceId }) => serviceId)
  return sql`and (array_position(${named}::uuid[], m.id) is not null
    or exists (select from member_services p where p.member_id = m.id and array_position(${open}::uuid[], p.service_id) is not null))`
}

const areNeeded = (cart: Cart) =>
  sql`and exists (select from services s where s.institute_id = i.id and s.resource_type = r.type and array_position(${cart.map(({ serviceId }) => serviceId)}::uuid[], s.id) is not null)`

const members = (
  fromDay: string,
  toDay: string,
  dated: boolean,
  cart: Cart | null,
) => sql`select json_agg(json_build_object('id', m.id, 'name', m.name, 'title', m.title, 'imageUrl', m.image_url, 'bookableOnline', m.bookable_online,
    'performs', (select json_agg(json_build_array(ms.service_id, ms.active_minutes, ms.idle_minutes, ms.active_after_minutes, ms.price_amount)) from member_services ms where ms.member_id = m.id),
    'rotas', (${dated ? rotas(fromDay, toDay) : nothing}),
    'overrides', (${dated ? overrides(fromDay, toDay) : nothing}),
    'absences', (${dated ? absences(fromDay, toDay) : nothing})
  ) order by m.position, m.id) from team_members m where m.institute_id = i.id and m.active ${cart ? mayServe(cart) : sql``}`

const resources = (fromDay: string, toDay: string, cart: Cart | null) => sql`select json_agg(json_build_object('id', r.id, 'type', r.type,
    'closures', (select json_agg(json_build_array(c.from_day, c.to_day)) from resource_closures c where c.resource_id = r.id and c.to_day >= ${fromDay}::date and c.from_day <= ${toDay}::date)
  ) order by r.position, r.id) from resources r where r.institute_id = i.id and r.active ${cart ? areNeeded(cart) : sql``}`

export const diaryColumns = (
  fromDay: string,
  toDay: string,
  depth: Depth,
  cart: Cart | null = null,
  seats: SeatsCounted = { now: null, ignoreAppointmentId: null },
) => sql`i.id, i.slug, i.name, i.state, i.claimed, i.owner_id as "ownerId", i.time_zone as "timeZone", i.currency, i.city, i.quarter, i.categories, i.lat, i.lon,
      case when i.at_home then i.at_home_radius_km end as "homeRadiusKm", i.home_travel_minutes as "homeTravelMinutes",
      i.payment_methods as "paymentMethods", i.pay_at_salon as "payAtSalon",
      i.grid_minutes as "gridMinutes", i.notice_minutes as "noticeMinutes", i.horizon_days as "horizonDays", i.max_wait_minutes as "maxWaitMinutes",
      i.gap_policy as "gapPolicy", i.service_order as "serviceOrder", i.cancel_window_minutes as "cancelWindowMinutes", i.reschedule_window_minutes as "rescheduleWindowMinutes",
      (select json_agg(json_build_array(o.weekday, o.opens_at, o.closes_at) order by o.weekday, o.opens_at) from opening_hours o where o.institute_id = i.id) as "openingHours",
      (select json_agg(json_build_array(c.from_day, c.to_day, c.opens_at, c.closes_at)) from closures c where c.institute_id = i.id and c.to_day >= ${fromDay}::date and c.from_day <= ${toDay}::date) as closures,
      (${depth === 'hours' ? nothing : services(seats.ignoreAppointmentId)}) as services, (${depth === 'hours' ? nothing : members(fromDay, toDay, depth === 'diaries', cart)}) as members, (${depth === 'diaries' ? resources(fromDay, toDay, cart) : nothing}) as resources,
      (${depth === 'diaries' ? sessions(fromDay, toDay, seats) : nothing}) as sessions`

interface RowsAsked {
  instituteIds: readonly string[]
  fromDay: string
  toDay: string
  depth: Depth
  /** Of diaries: holds past their end count as free. */
  now: Date
}
const someRows: RowsAsked = { instituteIds: [someId], fromDay: '2026-05-01', toDay: '2026-05-02', depth: 'hours', now: new Date(0) }
const rowsOf = statement(
  {
    name: 'availability.diaryRows',
    row: diaryRow,
    tries: () =>
      [[someId], [someId, someId]].flatMap((instituteIds) =>
        (['hours', 'menus', 'diaries'] as const).map((depth) => ({ ...someRows, instituteIds, depth })),
      ),
  },
  ({ instituteIds, fromDay, toDay, depth, now }: RowsAsked) =>
    sql`select ${diaryColumns(fromDay, toDay, depth, null, { now, ignoreAppointmentId: null })} from institutes i where ${isAmong(sql`i.id`, instituteIds)}`,
)
/** What the institutes set, with everything dated that touches the days fromDay…toDay. Unknown ids are left out. */
export const readDiaryRows = (db: Db, asked: RowsAsked): Promise<DiaryRow[]> => rowsOf.all(db, asked)

const busyRow = { subjectId: known(c.uuid), starts: known(c.text), ends: known(c.text) }
/** Everything taken of one member or resource: starts and ends in epoch minutes, in the same order, each as the text `{1,2}`. */
export type BusyRow = RowOf<typeof busyRow>

/** Time taken that touches from…to; a hold past its end counts as free, but without `now` as taken. */
export interface TakenQuery {
  from: Date
  to: Date
  now: Date | null
  ignoreAppointmentId: string | null
}

// Leave is read as absences, on the wall clock. What was overbooked and what other calendars say has a table of its own.
const isTaken = ({ from, to, ignoreAppointmentId }: TakenQuery) =>
  sql`o.during && tstzrange(${from}, ${to}) and (${ignoreAppointmentId}::uuid is null or o.appointment_id is distinct from ${ignoreAppointmentId}::uuid)`
const isLive = ({ now }: TakenQuery) => sql`(${now}::timestamptz is null or o.expires_at is null or o.expires_at > ${now})`

/** Everything taken of an institute, in the wall and beside it. */
const takenOf = (instituteId: RawBuilder<unknown>, query: TakenQuery) =>
  sql`(select o.subject_id, o.during from occupations o where o.institute_id = ${instituteId} and o.kind <> 'leave' and ${isTaken(query)} and ${isLive(query)}
    union all select o.subject_id, o.during from soft_occupations o where o.institute_id = ${instituteId} and ${isTaken(query)}) t`

// date_part reckons in doubles, which is several times as fast as extract; arrays of integers are faster made than JSON.
export const takenColumns = sql`t.subject_id as "subjectId", array_agg(floor(date_part('epoch', lower(t.during)) / 60)::int)::text as starts,
  array_agg(ceil(date_part('epoch', upper(t.during)) / 60)::int)::text as ends`

type BusyAsked = TakenQuery & { instituteIds: readonly string[] }
const someTime: TakenQuery = { from: new Date(0), to: new Date(1), now: new Date(0), ignoreAppointmentId: someId }
const busy = statement(
  { name: 'availability.busy', row: busyRow, tries: [{ instituteIds: [], ...someTime }] },
  ({ instituteIds, ...query }: BusyAsked) => sql`select ${takenColumns} from unnest(${instituteIds}::uuid[]) as asked(id)
    cross join lateral ${takenOf(sql`asked.id`, query)} group by t.subject_id`,
)
export const readBusy = (db: Db, asked: BusyAsked): Promise<BusyRow[]> => busy.all(db, asked)

export interface DiariesAsked {
  instituteIds: readonly string[]
  fromDay: string
  toDay: string
  taken: TakenQuery
  /** Reads only the members and resources it could use; null for all. */
  cart: Cart | null
}

const diaryWithBusy = { ...diaryRow, busy: orNull(c.json(busyJson)) }
const diaries = statement(
  {
    name: 'availability.diaries',
    row: diaryWithBusy,
    tries: () =>
      [[someId], [someId, someId]].flatMap((instituteIds) =>
        [null, [], [{ serviceId: someId, memberId: someId }, { serviceId: someId }]].map((cart) => ({
          instituteIds,
          fromDay: '2026-05-01',
          toDay: '2026-05-02',
          taken: someTime,
          cart,
        })),
      ),
  },
  ({ instituteIds, fromDay, toDay, taken, cart }: DiariesAsked) => sql`select ${diaryColumns(fromDay, toDay, 'diaries', cart, taken)},
      (select json_agg(b) from (select ${takenColumns} from ${takenOf(sql`i.id`, taken)} group by t.subject_id) b) as busy
    from institutes i where ${isAmong(sql`i.id`, instituteIds)}`,
)
/** Diaries with what is taken, in one statement: everything as it was at one moment. */
export const readDiaries = (db: Db, asked: DiariesAsked): Promise<RowOf<typeof diaryWithBusy>[]> => diaries.all(db, asked)

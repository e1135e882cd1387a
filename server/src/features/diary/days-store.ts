/** What stands in the calendar of an institute between two instants, in a statement for the visits and one for all else. */
import { attendances } from '@soigne/contract/appointments'
import { blockedKinds } from '@soigne/contract/diary'
import { locales, priceKind } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { columnOf, type DiaryReaderScope } from '#/features/visits/service.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

/** Nothing lasts longer. */
const longest = sql`interval '3 days'`

const localizedText = z.partialRecord(z.enum(locales), z.string())
const part = z.object({
  position: z.int(),
  serviceId: z.string(),
  memberId: z.string(),
  memberName: z.string(),
  resourceId: z.nullable(z.string()),
  startsAt: z.string(),
  endsAt: z.string(),
  priceAmount: z.nullable(z.int()),
  snapshot: z.looseObject({
    name: localizedText,
    priceKind: z.exactOptional(priceKind),
    activeMinutes: z.exactOptional(z.int()),
    idleMinutes: z.exactOptional(z.int()),
    activeAfterMinutes: z.exactOptional(z.int()),
    travelMinutes: z.exactOptional(z.int()),
  }),
  bufferBefore: z.int(),
  bufferAfter: z.int(),
})
export type Part = z.output<typeof part>

const attendedAt: z.ZodMiniType<Partial<Record<(typeof attendances)[number], string>>> = z.partialRecord(z.enum(attendances), z.string())
const visitRow = {
  id: c.uuid,
  reference: c.text,
  life: known(c.oneOf(['held', 'booked', 'cancelled'])),
  payment: known(c.oneOf(['none', 'awaiting', 'failed', 'deposit_paid', 'paid', 'refunded'])),
  attendance: c.oneOf(attendances),
  attendedAt: orNull(c.json(attendedAt)),
  startsAt: c.instant,
  endsAt: c.instant,
  customerId: orNull(c.uuid),
  customerName: orNull(c.text),
  phone: orNull(c.text),
  noShows: known(c.int),
  pastVisits: known(c.int),
  parts: known(c.json(z.array(part))),
  totalAmount: c.int,
  currency: c.text,
  note: orNull(c.text),
  ownNote: orNull(c.text),
  overbooked: orNull(c.text),
  madeBy: known(c.oneOf(['client', 'institute', 'system'])),
  sessionId: orNull(c.uuid),
  isAtHome: known(c.bool),
  homeCity: orNull(c.text),
  revision: c.int,
  undoUntil: orNull(c.instant),
}
export type VisitRow = RowOf<typeof visitRow>

const life = sql`coalesce(a.life, life_of_status(a.status))`
/** Of the visits in `v`. */
const visitColumns = (
  now: Date,
) => sql`a.id, a.reference, ${life} as life, coalesce(a.payment, payment_of_status(a.status, null)) as payment, a.attendance, a.attended_at as "attendedAt",
  a.starts_at as "startsAt", a.ends_at as "endsAt", a.customer_id as "customerId", trim(c.first_name || ' ' || c.last_name) as "customerName", c.phone,
  coalesce(k.missed, 0) as "noShows", coalesce((select count(*)::int from appointments b where b.customer_id = a.customer_id and b.starts_at < a.starts_at
    and coalesce(b.life, b.status) not in ('held', 'cancelled') and b.attendance <> 'no_show'), 0) as "pastVisits",
  parts.list as parts, a.total_amount as "totalAmount", a.currency, a.note, a.own_note as "ownNote",
  (select min(o.reason) from soft_occupations o where o.appointment_id = a.id and o.kind = 'overbooked') as overbooked,
  coalesce(a.made_by, case when a.user_id is null then 'institute' else 'client' end) as "madeBy",
  (select t.session_id from session_seats t where t.appointment_id = a.id) as "sessionId",
  a.cart @> '[{"atHome": true}]' as "isAtHome", (select h.city from home_addresses h where h.appointment_id = a.id) as "homeCity", a.revision,
  (select max(u.due_at) from untold_changes u where u.appointment_id = a.id and u.revision = a.revision and u.due_at > ${now}) as "undoUntil"`
const visitTables = sql`appointments a left join customers c on c.id = a.customer_id
    left join lateral (select count(*)::int as missed from appointments b where b.customer_id = a.customer_id and b.attendance = 'no_show' and coalesce(b.life, b.status) <> 'cancelled') k on true
    cross join lateral (select coalesce(jsonb_agg(jsonb_build_object('position', s.position, 'serviceId', s.service_id, 'memberId', s.member_id, 'memberName', m.name, 'resourceId', s.resource_id,
      'startsAt', s.starts_at, 'endsAt', s.ends_at, 'priceAmount', s.price_amount, 'snapshot', s.snapshot,
      'bufferBefore', e.buffer_before_minutes, 'bufferAfter', e.buffer_after_minutes) order by s.position), '[]') as list
      from segments s join team_members m on m.id = s.member_id join services e on e.id = s.service_id where s.appointment_id = a.id) parts`

const isOwn = (memberId: string | null) =>
  memberId === null ? sql`true` : sql`exists (select from segments own where own.appointment_id = a.id and own.member_id = ${memberId})`

interface Between {
  instituteId: string
  memberId: string | null
  from: Date
  to: Date
  now: Date
}
const someTime = () =>
  [null, someId].map((memberId) => ({ instituteId: someId, memberId, from: new Date(0), to: new Date(1), now: new Date(0) }))
const visits = statement(
  { name: 'diary.visits', row: visitRow, tries: someTime },
  ({ instituteId, memberId, from, to, now }: Between) => sql`select ${visitColumns(now)} from ${visitTables}
    where a.institute_id = ${instituteId} and a.starts_at > ${from}::timestamptz - ${longest} and a.starts_at < ${to} and a.ends_at > ${from}
      and ${life} <> 'cancelled' and (a.expires_at is null or a.expires_at > ${now}) and ${isOwn(memberId)}
    order by a.starts_at, a.id`,
)
interface Stretch {
  from: Date
  to: Date
  now: Date
}
const between = (scope: DiaryReaderScope, stretch: Stretch): Between => ({
  instituteId: scope.instituteId,
  memberId: columnOf(scope),
  ...stretch,
})
/** Visits and live holds that touch a stretch of time, soonest first. */
export const readVisits = (db: Db, scope: DiaryReaderScope, stretch: Stretch): Promise<VisitRow[]> =>
  visits.all(db, between(scope, stretch))

const visit = statement(
  {
    name: 'diary.visit',
    row: visitRow,
    tries: () => [null, someId].map((memberId) => ({ instituteId: someId, memberId, id: someId, now: new Date(0) })),
  },
  ({ instituteId, memberId, id, now }: Omit<Between, 'from' | 'to'> & { id: string }) => sql`select ${visitColumns(now)} from ${visitTables}
    where a.id = ${id} and a.institute_id = ${instituteId} and (a.expires_at is null or a.expires_at > ${now}) and ${isOwn(memberId)}`,
)
/** One visit or live hold; null when there is none in the columns that may be seen. */
export const readVisit = (db: Db, scope: DiaryReaderScope, id: string, now: Date): Promise<VisitRow | null> =>
  visit.one(db, { instituteId: scope.instituteId, memberId: columnOf(scope), id, now })

const stretch = { startsAt: z.string(), endsAt: z.string() }
const besideRow = {
  version: known(c.count),
  resources: known(c.json(z.array(z.object({ _id: z.string(), name: z.string(), type: z.string() })))),
  blocked: known(
    c.json(
      z.array(
        z.object({
          id: z.string(),
          subjectKind: z.enum(['member', 'resource']),
          subjectId: z.string(),
          ...stretch,
          kind: z.enum(blockedKinds),
          note: z.nullable(z.string()),
        }),
      ),
    ),
  ),
  sessions: known(
    c.json(
      z.array(
        z.object({
          id: z.string(),
          serviceId: z.string(),
          name: localizedText,
          memberId: z.string(),
          resourceId: z.nullable(z.string()),
          ...stretch,
          capacity: z.int(),
          booked: z.int(),
          held: z.int(),
        }),
      ),
    ),
  ),
  external: known(c.json(z.array(z.object({ memberId: z.string(), ...stretch })))),
  absences: known(
    c.json(
      z.array(
        z.object({
          id: z.string(),
          memberId: z.string(),
          kind: z.enum(['on_holiday', 'sick_leave', 'other']),
          fromDay: z.string(),
          toDay: z.string(),
          opensAt: z.nullable(z.int()),
          closesAt: z.nullable(z.int()),
        }),
      ),
    ),
  ),
  closures: known(
    c.json(
      z.array(
        z.object({
          fromDay: z.string(),
          toDay: z.string(),
          isWhole: z.boolean(),
          reason: localizedText,
        }),
      ),
    ),
  ),
}
export type Beside = RowOf<typeof besideRow>
interface BesideAsked extends Between {
  fromDay: string
  toDay: string
}
const beside = statement(
  {
    name: 'diary.beside',
    row: besideRow,
    tries: () => someTime().map((asked) => ({ ...asked, fromDay: '2026-01-01', toDay: '2026-01-02' })),
  },
  ({ instituteId, memberId, from, to, now, fromDay, toDay }: BesideAsked) => {
    const during = sql`tstzrange(${from}, ${to})`
    const own = (column: string) => (memberId === null ? sql`true` : sql`${sql.ref(column)} = ${memberId}`)
    return sql`select pg_snapshot_xmin(pg_current_snapshot())::text::bigint as version,
      (select coalesce(jsonb_agg(jsonb_build_object('_id', r.id, 'name', r.name, 'type', r.type) order by r.position, r.id), '[]') from resources r where r.institute_id = ${instituteId} and r.active) as resources,
      (select coalesce(jsonb_agg(jsonb_build_object('id', b.id, 'subjectKind', b.subject_kind, 'subjectId', b.subject_id, 'startsAt', lower(b.during), 'endsAt', upper(b.during), 'kind', b.kind, 'note', b.note)
        order by lower(b.during), b.id), '[]') from blocked_times b where b.institute_id = ${instituteId} and b.during && ${during} and ${own('b.subject_id')}) as blocked,
      (select coalesce(jsonb_agg(jsonb_build_object('id', g.id, 'serviceId', g.service_id, 'name', s.name, 'memberId', g.member_id, 'resourceId', g.resource_id, 'startsAt', lower(g.during), 'endsAt', upper(g.during), 'capacity', g.capacity,
          'booked', (select count(*) from session_seats t where t.session_id = g.id and t.expires_at is null), 'held', (select count(*) from session_seats t where t.session_id = g.id and t.expires_at > ${now}))
        order by lower(g.during), g.id), '[]') from group_sessions g join services s on s.id = g.service_id where g.institute_id = ${instituteId} and g.during && ${during} and ${own('g.member_id')}) as sessions,
      (select coalesce(jsonb_agg(jsonb_build_object('memberId', o.subject_id, 'startsAt', lower(o.during), 'endsAt', upper(o.during)) order by lower(o.during)), '[]')
        from soft_occupations o where o.institute_id = ${instituteId} and o.kind = 'external' and o.during && ${during} and ${own('o.subject_id')}) as external,
      (select coalesce(jsonb_agg(jsonb_build_object('id', x.id, 'memberId', x.member_id, 'kind', x.kind, 'fromDay', x.from_day, 'toDay', x.to_day, 'opensAt', x.opens_at, 'closesAt', x.closes_at) order by x.from_day, x.id), '[]')
        from absences x where x.institute_id = ${instituteId} and x.to_day >= ${fromDay}::date and x.from_day <= ${toDay}::date and ${own('x.member_id')}) as absences,
      (select coalesce(jsonb_agg(jsonb_build_object('fromDay', l.from_day, 'toDay', l.to_day, 'isWhole', l.opens_at is null, 'reason', l.reason) order by l.from_day), '[]')
        from closures l where l.institute_id = ${instituteId} and l.to_day >= ${fromDay}::date and l.from_day <= ${toDay}::date) as closures`
  },
)
/** What stands there besides visits. */
export const readBeside = async (
  db: Db,
  scope: DiaryReaderScope,
  { fromDay, toDay, ...stretch }: Stretch & { fromDay: string; toDay: string },
): Promise<Beside> => {
  const row = await beside.one(db, { ...between(scope, stretch), fromDay, toDay })
  if (!row) throw new Error('a statement without a table gave no row')
  return row
}

const takenRow = {
  memberId: c.uuid,
  startsAt: c.instant,
  endsAt: c.instant,
  active: orNull(c.int),
  idle: orNull(c.int),
}
export type TakenRow = RowOf<typeof takenRow>
const taken = statement(
  { name: 'diary.taken', row: takenRow, tries: someTime },
  ({ instituteId, memberId, from, to }: Between) => sql`select s.member_id as "memberId", s.starts_at as "startsAt", s.ends_at as "endsAt",
      (s.snapshot ->> 'activeMinutes')::int as active, (s.snapshot ->> 'idleMinutes')::int as idle
    from appointments a join segments s on s.appointment_id = a.id where a.institute_id = ${instituteId}
      and a.starts_at > ${from}::timestamptz - ${longest} and a.starts_at < ${to} and a.ends_at > ${from}
      and ${life} = 'booked' and a.attendance <> 'no_show' and ${memberId === null ? sql`true` : sql`s.member_id = ${memberId}`}`,
)
/** Parts of visits that somebody came to, or may come to. */
export const readTaken = (db: Db, scope: DiaryReaderScope, stretch: Stretch): Promise<TakenRow[]> => taken.all(db, between(scope, stretch))

const startRow = { startsAt: c.instant, isCancelled: known(c.bool) }
const starts = statement(
  { name: 'diary.starts', row: startRow, tries: someTime },
  ({
    instituteId,
    memberId,
    from,
    to,
  }: Between) => sql`select a.starts_at as "startsAt", ${life} = 'cancelled' as "isCancelled" from appointments a
    where a.institute_id = ${instituteId} and a.starts_at >= ${from} and a.starts_at < ${to} and ${life} <> 'held' and ${isOwn(memberId)}`,
)
/** When visits begin, and which were cancelled. */
export const readStarts = (db: Db, scope: DiaryReaderScope, stretch: Stretch): Promise<RowOf<typeof startRow>[]> =>
  starts.all(db, between(scope, stretch))

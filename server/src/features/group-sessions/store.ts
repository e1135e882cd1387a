/** Group sessions as they are read and written, with the time they take and what is booked in them. */
import { sql } from 'kysely'
import { locales } from '@soigne/contract/wire'
import * as z from 'zod/mini'
import type { Terms } from '#/features/visits/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const sessionRow = {
  id: c.uuid,
  serviceId: c.uuid,
  serviceName: c.json(z.partialRecord(z.enum(locales), z.string())),
  memberId: c.uuid,
  memberName: c.text,
  resourceId: orNull(c.uuid),
  startsAt: known(c.instant),
  endsAt: known(c.instant),
  timeZone: c.text,
  capacity: c.int,
  booked: known(c.int),
  held: known(c.int),
}
export type SessionRow = RowOf<typeof sessionRow>

const columns = (
  now: Date,
) => sql`g.id, g.service_id as "serviceId", s.name as "serviceName", g.member_id as "memberId", m.name as "memberName", g.resource_id as "resourceId",
  lower(g.during) as "startsAt", upper(g.during) as "endsAt", i.time_zone as "timeZone", g.capacity,
  (select count(*)::int from session_seats t where t.session_id = g.id and t.expires_at is null) as booked,
  (select count(*)::int from session_seats t where t.session_id = g.id and t.expires_at > ${now}) as held`
const tables = sql`group_sessions g join services s on s.id = g.service_id join team_members m on m.id = g.member_id join institutes i on i.id = g.institute_id`

const found = statement(
  {
    name: 'groupSessions.find',
    row: sessionRow,
    tries: [{ id: someId, instituteId: someId, now: new Date(0) }],
  },
  ({ id, instituteId, now }: { id: string; instituteId: string; now: Date }) =>
    sql`select ${columns(now)} from ${tables} where g.id = ${id} and g.institute_id = ${instituteId} for update of g`,
)
/** A session of the unit's institute that nobody else changes until the unit ends. */
export const findSession = (unit: Unit, id: string): Promise<SessionRow | null> =>
  found.one(unit.db, { id, instituteId: unit.instituteId, now: new Date(unit.now) })

interface ListAsked {
  instituteId: string
  from: Date
  to: Date
  now: Date
}
const list = statement(
  { name: 'groupSessions.list', row: sessionRow, tries: [{ instituteId: someId, from: new Date(0), to: new Date(1), now: new Date(0) }] },
  ({ instituteId, from, to, now }: ListAsked) =>
    sql`select ${columns(now)} from ${tables} where g.institute_id = ${instituteId} and g.during && tstzrange(${from}, ${to}) order by lower(g.during), g.id`,
)
export const listSessions = (db: Db, scope: InstituteScope<'diary.read'>, asked: Omit<ListAsked, 'instituteId'>): Promise<SessionRow[]> =>
  list.all(db, { ...asked, instituteId: scope.instituteId })

const zone = statement(
  { name: 'groupSessions.zone', row: { timeZone: c.text }, tries: [{ instituteId: someId }] },
  ({ instituteId }: { instituteId: string }) => sql`select time_zone as "timeZone" from institutes where id = ${instituteId}`,
)
export const zoneOf = async (db: Db, scope: InstituteScope<'diary.read'>): Promise<string> =>
  (await zone.one(db, { instituteId: scope.instituteId }))?.timeZone ?? 'UTC'

const rooms = statement(
  { name: 'groupSessions.rooms', row: { _id: c.uuid, name: c.text }, tries: [{ instituteId: someId, serviceId: someId }] },
  ({ instituteId, serviceId }: { instituteId: string; serviceId: string }) =>
    sql`select r.id as _id, r.name from services s join resources r on r.institute_id = s.institute_id and r.type = s.resource_type and r.active
      where s.id = ${serviceId} and s.institute_id = ${instituteId} order by r.position, r.id`,
)
/** Rooms a service can be given in. */
export const roomsFor = (db: Db, scope: InstituteScope<'diary.change'>, serviceId: string): Promise<{ _id: string; name: string }[]> =>
  rooms.all(db, { instituteId: scope.instituteId, serviceId })

const busyOf = statement(
  {
    name: 'groupSessions.busyOf',
    row: { resourceId: orNull(c.uuid), from: known(c.instant), to: known(c.instant) },
    tries: [{ id: someId, instituteId: someId }],
  },
  ({ id, instituteId }: { id: string; instituteId: string }) =>
    sql`select g.resource_id as "resourceId", lower(o.during) as "from", upper(o.during) as "to" from group_sessions g
      join occupations o on o.source_id = g.id and o.kind = 'session' and o.subject_id = g.member_id where g.id = ${id} and g.institute_id = ${instituteId}`,
)
/** What a session takes of its member and its room, with buffers. */
export const timeOfSession = (
  db: Db,
  scope: InstituteScope<'diary.change'>,
  id: string,
): Promise<{ resourceId: string | null; from: string; to: string } | null> => busyOf.one(db, { id, instituteId: scope.instituteId })

/** Where a session is put. Instants, ISO; `busyFrom` and `busyTo` are with the buffers of its service. */
export interface Place {
  memberId: string
  resourceId: string | null
  startsAt: string
  endsAt: string
  busyFrom: string
  busyTo: string
}
interface OfUnit {
  id: string
  instituteId: string
}
const somePlace: Place = {
  memberId: someId,
  resourceId: null,
  startsAt: '2026-01-01T10:00:00Z',
  endsAt: '2026-01-01T11:00:00Z',
  busyFrom: '2026-01-01T10:00:00Z',
  busyTo: '2026-01-01T11:00:00Z',
}

const insert = statement(
  {
    name: 'groupSessions.insert',
    row: {},
    tries: [{ id: someId, instituteId: someId, serviceId: someId, capacity: 1, place: somePlace }],
  },
  ({ id, instituteId, serviceId, capacity, place }: OfUnit & { serviceId: string; capacity: number; place: Place }) =>
    sql`insert into group_sessions (id, institute_id, service_id, member_id, resource_id, during, capacity)
      values (${id}, ${instituteId}, ${serviceId}, ${place.memberId}, ${place.resourceId}, tstzrange(${place.startsAt}, ${place.endsAt}), ${capacity})`,
)
const takeTime = statement(
  { name: 'groupSessions.takeTime', row: {}, tries: [{ id: someId, instituteId: someId, place: somePlace }] },
  ({ id, instituteId, place }: OfUnit & { place: Place }) =>
    sql`insert into occupations (institute_id, kind, source_id, subject_kind, subject_id, during)
      select ${instituteId}, 'session', ${id}, s.kind, s.id, tstzrange(${place.busyFrom}, ${place.busyTo})
      from (values ('member', ${place.memberId}::uuid), ('resource', ${place.resourceId}::uuid)) as s(kind, id) where s.id is not null`,
)
/** @throws where something in the wall overlaps */
export async function insertSession(unit: Unit, session: { id: string; serviceId: string; capacity: number; place: Place }): Promise<void> {
  await insert.run(unit.db, { ...session, instituteId: unit.instituteId })
  await takeTime.run(unit.db, { ...session, instituteId: unit.instituteId })
}

const leaveTime = statement(
  { name: 'groupSessions.freeTime', row: {}, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: OfUnit) =>
    sql`delete from occupations where source_id = ${id} and institute_id = ${instituteId} and kind = 'session'`,
)
/** Gives back what a session takes, so that its own time is no obstacle to its move. */
export const freeSessionTime = async (unit: Unit, id: string): Promise<void> =>
  void (await leaveTime.run(unit.db, { id, instituteId: unit.instituteId }))

const move = statement(
  { name: 'groupSessions.move', row: {}, tries: [{ id: someId, instituteId: someId, place: somePlace }] },
  ({ id, instituteId, place }: OfUnit & { place: Place }) =>
    sql`update group_sessions set member_id = ${place.memberId}, resource_id = ${place.resourceId}, during = tstzrange(${place.startsAt}, ${place.endsAt})
      where id = ${id} and institute_id = ${instituteId}`,
)
/** To where there is time; what it took before has been given back. @throws where something in the wall overlaps */
export async function placeSession(unit: Unit, id: string, place: Place): Promise<void> {
  await move.run(unit.db, { id, instituteId: unit.instituteId, place })
  await takeTime.run(unit.db, { id, instituteId: unit.instituteId, place })
}

const renumber = statement(
  { name: 'groupSessions.renumberSeats', row: {}, tries: [{ id: someId, instituteId: someId, capacity: 1 }] },
  ({ id, instituteId, capacity }: OfUnit & { capacity: number }) => sql`with above as (
      select seat, row_number() over (order by seat) as n from session_seats where session_id = ${id} and institute_id = ${instituteId} and seat > ${capacity}),
    free as (select s::smallint as seat, row_number() over (order by s) as n from generate_series(1, ${capacity}::int) s
      where not exists (select from session_seats t where t.session_id = ${id} and t.seat = s))
    update session_seats t set seat = free.seat from above join free using (n) where t.session_id = ${id} and t.institute_id = ${instituteId} and t.seat = above.seat`,
)
const resize = statement(
  { name: 'groupSessions.resize', row: {}, tries: [{ id: someId, instituteId: someId, capacity: 1 }] },
  ({ id, instituteId, capacity }: OfUnit & { capacity: number }) =>
    sql`update group_sessions set capacity = ${capacity} where id = ${id} and institute_id = ${instituteId}`,
)
/** The seats taken get numbers within the new capacity. @throws where more are taken */
export async function resizeTo(unit: Unit, id: string, capacity: number): Promise<void> {
  await renumber.run(unit.db, { id, instituteId: unit.instituteId, capacity })
  await resize.run(unit.db, { id, instituteId: unit.instituteId, capacity })
}

const remove = statement(
  { name: 'groupSessions.remove', row: {}, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: OfUnit) => sql`delete from group_sessions where id = ${id} and institute_id = ${instituteId}`,
)
/** Its time goes with it; its seats have to be given back before. */
export const removeSession = async (unit: Unit, id: string): Promise<void> =>
  void (await remove.run(unit.db, { id, instituteId: unit.instituteId }))

const terms: z.ZodMiniType<Terms> = z.object({
  cancelWindowMinutes: z.nullable(z.int()),
  rescheduleWindowMinutes: z.nullable(z.int()),
  freeUntil: z.nullable(z.string()),
})
const seated = {
  id: c.uuid,
  life: known(c.oneOf(['held', 'booked', 'cancelled'])),
  payment: known(c.oneOf(['none', 'awaiting', 'failed', 'deposit_paid', 'paid', 'refunded'])),
  startsAt: c.instant,
  endsAt: c.instant,
  terms: c.json(terms),
}
export type Seated = RowOf<typeof seated>
const visitsIn = statement(
  { name: 'groupSessions.visits', row: seated, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: OfUnit) =>
    sql`select a.id, coalesce(a.life, life_of_status(a.status)) as life, coalesce(a.payment, payment_of_status(a.status, null)) as payment, a.starts_at as "startsAt", a.ends_at as "endsAt", a.terms
      from session_seats t join appointments a on a.id = t.appointment_id where t.session_id = ${id} and t.institute_id = ${instituteId} order by a.id for update of a`,
)
/** Holds and visits that have a seat; waits for those being confirmed this moment. */
export const visitsOf = (unit: Unit, id: string): Promise<Seated[]> => visitsIn.all(unit.db, { id, instituteId: unit.instituteId })

const endHoldStatement = statement(
  { name: 'groupSessions.endHold', row: {}, tries: [{ id: someId, instituteId: someId, now: new Date(0) }] },
  ({ id, instituteId, now }: OfUnit & { now: Date }) =>
    sql`update appointments set expires_at = ${now} where id = ${id} and institute_id = ${instituteId} and expires_at is not null`,
)
/** Ends a hold at once: whoever would confirm it is told that it has run out. */
export const endHold = async (unit: Unit, id: string): Promise<void> =>
  void (await endHoldStatement.run(unit.db, { id, instituteId: unit.instituteId, now: new Date(unit.now) }))

const moveSegment = statement(
  { name: 'groupSessions.moveSegment', row: {}, tries: [{ id: someId, instituteId: someId, place: somePlace }] },
  ({ id, instituteId, place }: OfUnit & { place: Place }) =>
    sql`update segments set starts_at = ${place.startsAt}, ends_at = ${place.endsAt}, member_id = ${place.memberId}, resource_id = ${place.resourceId}
      where appointment_id = ${id} and institute_id = ${instituteId}`,
)
/** The service of a visit that has a seat goes with its session. */
export const moveSegmentOf = async (unit: Unit, id: string, place: Place): Promise<void> =>
  void (await moveSegment.run(unit.db, { id, instituteId: unit.instituteId, place }))

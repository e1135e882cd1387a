/** Changes of visits that nobody was told of yet, with what taking them back restores. */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { Actor, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

export const untoldKinds = ['booked', 'moved', 'cancelled'] as const
export type UntoldKind = (typeof untoldKinds)[number]

interface VisitTime {
  startsAt: string
  endsAt: string
}
/** A visit as it was: the rows of its plan as the database has them. */
export interface VisitBefore {
  visit: VisitTime & { memberIds: string[] }
  rows: unknown
}
interface OfUnit {
  id: string
  instituteId: string
}

const visitTime = z.object({ startsAt: z.string(), endsAt: z.string() })
const visitBefore: z.ZodMiniType<VisitBefore> = z.object({
  visit: z.object({ startsAt: z.string(), endsAt: z.string(), memberIds: z.array(z.string()) }),
  rows: z.unknown(),
})

const asItIs = statement(
  { name: 'untold.asItIs', row: { before: known(c.json(visitBefore)) }, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: OfUnit) => sql`select jsonb_build_object(
      'visit', jsonb_build_object('startsAt', a.starts_at, 'endsAt', a.ends_at,
        'memberIds', (select coalesce(jsonb_agg(distinct s.member_id), '[]') from segments s where s.appointment_id = a.id)),
      'rows', jsonb_build_object('visit', to_jsonb(a),
        'segments', (select coalesce(jsonb_agg(to_jsonb(s)), '[]') from segments s where s.appointment_id = a.id),
        'times', (select coalesce(jsonb_agg(to_jsonb(o)), '[]') from occupations o where o.appointment_id = a.id),
        'beside', (select coalesce(jsonb_agg(to_jsonb(o)), '[]') from soft_occupations o where o.appointment_id = a.id),
        'seats', (select coalesce(jsonb_agg(to_jsonb(t)), '[]') from session_seats t where t.appointment_id = a.id))) as before
    from appointments a where a.id = ${id} and a.institute_id = ${instituteId}`,
)
/** What a change is about to replace. */
export const visitAsItIs = async (unit: Unit, id: string): Promise<VisitBefore | null> =>
  (await asItIs.one(unit.db, { id, instituteId: unit.instituteId }))?.before ?? null

interface Untold {
  id: string
  kind: UntoldKind
  after: VisitTime
  before: VisitBefore | null
  actor: Actor
  dueAt: Date
}
const someUntold: Untold = {
  id: someId,
  kind: 'moved',
  after: { startsAt: '2026-01-01T10:00:00Z', endsAt: '2026-01-01T11:00:00Z' },
  before: null,
  actor: { kind: 'system', job: 'a' },
  dueAt: new Date(0),
}
const keep = statement(
  { name: 'untold.keep', row: {}, tries: [{ ...someUntold, instituteId: someId, now: new Date(0) }] },
  ({ id, instituteId, kind, after, before, actor, dueAt, now }: Untold & { instituteId: string; now: Date }) => sql`
    insert into untold_changes (institute_id, appointment_id, kind, after, before, revision, actor, due_at, created_at)
    select institute_id, id, ${kind}, ${JSON.stringify(after)}::jsonb, ${before && JSON.stringify(before)}::jsonb, revision, ${JSON.stringify(actor)}::jsonb, ${dueAt}, ${now}
    from appointments where id = ${id} and institute_id = ${instituteId}`,
)
/** Keeps a change that was just made, until it is told or taken back. */
export const keepUntold = async (unit: Unit, untold: Untold): Promise<void> =>
  void (await keep.run(unit.db, { ...untold, instituteId: unit.instituteId, now: new Date(unit.now) }))

const lastRow = { id: c.uuid, kind: c.oneOf(untoldKinds), before: orNull(c.json(visitBefore)), revision: c.int, dueAt: c.instant }
const last = statement(
  { name: 'untold.last', row: lastRow, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: OfUnit) => sql`select id, kind, before, revision, due_at as "dueAt" from untold_changes
    where appointment_id = ${id} and institute_id = ${instituteId} order by id desc limit 1 for update`,
)
/** The last change of a visit that is still to be told; it is told by nobody until the unit ends. */
export const lastUntold = (unit: Unit, id: string): Promise<RowOf<typeof lastRow> | null> =>
  last.one(unit.db, { id, instituteId: unit.instituteId })

const booking = statement(
  { name: 'untold.booking', row: { id: c.uuid }, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: OfUnit) => sql`select id from untold_changes
    where appointment_id = ${id} and institute_id = ${instituteId} and kind = 'booked' for update`,
)
/** Whether nobody was told yet that a visit was booked; nobody is until the unit ends. */
export const isBookingUntold = async (unit: Unit, id: string): Promise<boolean> =>
  (await booking.one(unit.db, { id, instituteId: unit.instituteId })) !== null

const forget = statement(
  { name: 'untold.forget', row: {}, tries: [{ ids: [someId] }] },
  ({ ids }: { ids: readonly string[] }) => sql`delete from untold_changes where id = any(${ids}::uuid[])`,
)
export const forgetUntold = async (unit: Unit, ids: readonly string[]): Promise<void> => void (await forget.run(unit.db, { ids }))
export const markTold = async (db: Db, _scope: SystemScope, ids: readonly string[]): Promise<void> => void (await forget.run(db, { ids }))

const restore = statement(
  { name: 'untold.restore', row: {}, tries: [{ id: someId, instituteId: someId, rows: {} }] },
  ({ id, instituteId, rows }: OfUnit & { rows: unknown }) => sql`with was as materialized (select ${JSON.stringify(rows)}::jsonb as rows),
    parts as (insert into segments select r.* from was, jsonb_populate_recordset(null::segments, rows -> 'segments') r),
    times as (insert into occupations select r.* from was, jsonb_populate_recordset(null::occupations, rows -> 'times') r),
    beside as (insert into soft_occupations select r.* from was, jsonb_populate_recordset(null::soft_occupations, rows -> 'beside') r),
    seats as (insert into session_seats select r.* from was, jsonb_populate_recordset(null::session_seats, rows -> 'seats') r)
    update appointments a set starts_at = v.starts_at, ends_at = v.ends_at, cart = v.cart, total_amount = v.total_amount, terms = v.terms, moved_count = v.moved_count,
      life = v.life, cancelled_at = v.cancelled_at, cancelled_by = v.cancelled_by, cancel_reason = v.cancel_reason, revision = a.revision + 1
    from was, jsonb_populate_record(null::appointments, rows -> 'visit') v where a.id = ${id} and a.institute_id = ${instituteId}`,
)
/** Makes a visit, whose plan was removed, what it was. @throws where somebody has its time meanwhile */
export const restoreVisit = async (unit: Unit, id: string, { rows }: VisitBefore): Promise<void> =>
  void (await restore.run(unit.db, { id, instituteId: unit.instituteId, rows }))

const dueRow = {
  id: c.uuid,
  instituteId: c.uuid,
  appointmentId: c.uuid,
  kind: c.oneOf(untoldKinds),
  after: c.json(visitTime),
  before: orNull(c.json(visitBefore)),
  actor: c.json<Actor>(),
}
export type DueChange = RowOf<typeof dueRow>
const due = statement(
  { name: 'untold.due', row: dueRow, tries: [{ now: new Date(0), limit: 1 }] },
  ({ now, limit }: { now: Date; limit: number }) => sql`
    select u.id, u.institute_id as "instituteId", u.appointment_id as "appointmentId", u.kind, u.after, u.before, u.actor from untold_changes u
    where u.appointment_id in (select appointment_id from untold_changes group by appointment_id having max(due_at) <= ${now} limit ${limit})
    order by u.appointment_id, u.id for update skip locked`,
)
/** Changes of visits whose last one can be taken back no more; nobody else has them until the transaction ends. */
export const takeDue = (db: Db, _scope: SystemScope, asked: { now: Date; limit: number }): Promise<DueChange[]> => due.all(db, asked)

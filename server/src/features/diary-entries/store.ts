/** Blocked time and the busy time of other calendars as they are written, and what stands in the way of either. */
import { type BlockedKind, blockedKinds } from '@soigne/contract/diary'
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, someId, statement } from '#/platform/statement.ts'

/** A member or a resource. */
export interface Subject {
  kind: 'member' | 'resource'
  id: string
}

/** A stretch of time, ISO instants, half-open. */
export interface Stretch {
  startsAt: string
  endsAt: string
}

export interface BlockedTime extends Stretch {
  id: string
  subjectKind: Subject['kind']
  subjectId: string
  kind: BlockedKind
  note: string | null
}

const someStretch: Stretch = { startsAt: '2026-01-01T10:00:00Z', endsAt: '2026-01-01T11:00:00Z' }
const blockedColumns = sql`b.id, b.subject_kind as "subjectKind", b.subject_id as "subjectId", lower(b.during) as "startsAt", upper(b.during) as "endsAt", b.kind, b.note`
const blockedRow = {
  id: c.uuid,
  subjectKind: c.oneOf(['member', 'resource']),
  subjectId: c.uuid,
  startsAt: known(c.instant),
  endsAt: known(c.instant),
  kind: known(c.oneOf(blockedKinds)),
  note: orNull(c.text),
}

interface NewBlock extends Stretch {
  instituteId: string
  subject: Subject
  kind: BlockedKind
  note: string | null
  actor: object
}
const insertBlock = statement(
  {
    name: 'diaryEntries.insertBlock',
    row: { id: c.uuid },
    tries: [{ instituteId: someId, subject: { kind: 'member', id: someId }, ...someStretch, kind: 'other', note: null, actor: {} }],
  },
  ({ instituteId, subject, startsAt, endsAt, kind, note, actor }: NewBlock) => sql`with subject as (
      select 'member' as kind, id from team_members where id = ${subject.id} and institute_id = ${instituteId} and ${subject.kind} = 'member'
      union all select 'resource', id from resources where id = ${subject.id} and institute_id = ${instituteId} and ${subject.kind} = 'resource'),
    made as (insert into blocked_times (institute_id, subject_kind, subject_id, during, kind, note, actor)
      select ${instituteId}, subject.kind, id, tstzrange(${startsAt}, ${endsAt}), ${kind}, ${note}, ${JSON.stringify(actor)}::jsonb from subject
      returning id, institute_id, subject_kind, subject_id, during),
    taken as (insert into occupations (institute_id, kind, source_id, subject_kind, subject_id, during)
      select institute_id, 'blocked', id, subject_kind, subject_id, during from made)
    select id from made`,
)
/** The id; null when the institute has no such member or resource. @throws where something in the wall overlaps */
export const blockTimeOf = async (unit: Unit, block: Omit<NewBlock, 'instituteId'>): Promise<string | null> =>
  (await insertBlock.one(unit.db, { ...block, instituteId: unit.instituteId }))?.id ?? null

interface OfUnit {
  id: string
  instituteId: string
}
const lockBlock = statement(
  { name: 'diaryEntries.lockBlock', row: blockedRow, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: OfUnit) =>
    sql`select ${blockedColumns} from blocked_times b where b.id = ${id} and b.institute_id = ${instituteId} for update`,
)
/** Blocked time that nobody else changes until the unit ends; null when there is none. */
export const findBlock = (unit: Unit, id: string): Promise<BlockedTime | null> =>
  lockBlock.one(unit.db, { id, instituteId: unit.instituteId })

interface BlockTo extends Stretch {
  /** Of the same kind as before. */
  subjectId: string
  kind: BlockedKind
  note: string | null
}
const moveTime = statement(
  {
    name: 'diaryEntries.moveBlock',
    row: {},
    tries: [{ id: someId, instituteId: someId, ...someStretch, subjectId: someId, kind: 'other', note: null }],
  },
  ({ id, instituteId, startsAt, endsAt, subjectId, kind, note }: OfUnit & BlockTo) => sql`with moved as (
      update blocked_times set during = tstzrange(${startsAt}, ${endsAt}), subject_id = ${subjectId}, kind = ${kind}, note = ${note}
      where id = ${id} and institute_id = ${instituteId} returning id, during, subject_id)
    update occupations o set during = m.during, subject_id = m.subject_id from moved m where o.source_id = m.id and o.institute_id = ${instituteId}`,
)
/** @throws where something in the wall overlaps */
export const moveBlock = async (unit: Unit, id: string, to: BlockTo): Promise<void> =>
  void (await moveTime.run(unit.db, { id, instituteId: unit.instituteId, ...to }))

const removeTime = statement(
  { name: 'diaryEntries.removeBlock', row: {}, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: OfUnit) => sql`delete from blocked_times where id = ${id} and institute_id = ${instituteId}`,
)
/** Its time goes with it. */
export const removeBlock = async (unit: Unit, id: string): Promise<void> =>
  void (await removeTime.run(unit.db, { id, instituteId: unit.instituteId }))

/** What has time in the wall: a visit, a hold that has not run out, or one of the other kinds. */
export interface Taken extends Stretch {
  kind: 'visit' | 'hold' | 'blocked' | 'leave' | 'session'
  /** Of the visit, the blocked time, the absence or the session. */
  id: string
  /** Whose visit it is, where that is known. */
  customer: string | null
}

interface TakenAsked {
  instituteId: string
  subjectId: string
  stretches: readonly Stretch[]
  now: Date
}
const takenIn = statement(
  {
    name: 'diaryEntries.takenIn',
    row: {
      kind: known(c.oneOf<Taken['kind']>(['visit', 'hold', 'blocked', 'leave', 'session'])),
      id: known(c.uuid),
      startsAt: known(c.instant),
      endsAt: known(c.instant),
      customer: orNull(c.text),
    },
    tries: [{ instituteId: someId, subjectId: someId, stretches: [someStretch], now: new Date(0) }],
  },
  ({ instituteId, subjectId, stretches, now }: TakenAsked) => sql`with asked as (
      select range_agg(tstzrange("startsAt", "endsAt")) as during from jsonb_to_recordset(${JSON.stringify(stretches)}::jsonb) as s("startsAt" timestamptz, "endsAt" timestamptz)),
    found as (
      select o.kind, o.appointment_id, o.source_id, o.during from occupations o, asked
        where o.subject_id = ${subjectId} and o.institute_id = ${instituteId} and o.during && asked.during and (o.expires_at is null or o.expires_at > ${now})
      union all select 'visit', o.appointment_id, null, o.during from soft_occupations o, asked
        where o.kind = 'overbooked' and o.subject_id = ${subjectId} and o.institute_id = ${instituteId} and o.during && asked.during)
    select case when a.expires_at is not null then 'hold' else f.kind end as kind, coalesce(f.appointment_id, f.source_id) as id,
      coalesce(a.starts_at, min(lower(f.during))) as "startsAt", coalesce(a.ends_at, max(upper(f.during))) as "endsAt",
      nullif(trim(c.first_name || ' ' || c.last_name), '') as customer
    from found f left join appointments a on a.id = f.appointment_id left join customers c on c.id = a.customer_id
    group by f.kind, f.appointment_id, f.source_id, a.id, c.id order by "startsAt", id`,
)
/** Everything of a member or a resource that overlaps some stretches, in order of time. */
export const findTaken = (
  db: Db,
  scope: InstituteScope<'diary.own'> | InstituteScope<'diary.change'> | InstituteScope<'team.change'>,
  asked: Omit<TakenAsked, 'instituteId'>,
): Promise<Taken[]> => takenIn.all(db, { ...asked, instituteId: scope.instituteId })

interface Synced extends Stretch {
  instituteId: string
  memberId: string
  sourceId: string
  busy: readonly Stretch[]
  actor: object
}
const replaceBusy = statement(
  {
    name: 'diaryEntries.replaceBusy',
    row: { added: known(c.count), removed: known(c.count) },
    tries: [{ instituteId: someId, memberId: someId, sourceId: someId, ...someStretch, busy: [someStretch], actor: {} }],
  },
  ({ instituteId, memberId, sourceId, startsAt, endsAt, busy, actor }: Synced) => sql`with wanted as (
      select distinct tstzrange("startsAt", "endsAt") as during from jsonb_to_recordset(${JSON.stringify(busy)}::jsonb) as b("startsAt" timestamptz, "endsAt" timestamptz)),
    old as (select id, during from soft_occupations where source_id = ${sourceId} and institute_id = ${instituteId} and subject_id = ${memberId}
      and during && tstzrange(${startsAt}, ${endsAt})),
    gone as (delete from soft_occupations o using old where o.id = old.id and old.during not in (select during from wanted) returning 1),
    made as (insert into soft_occupations (institute_id, kind, source_id, subject_kind, subject_id, during, actor)
      select ${instituteId}, 'external', ${sourceId}, 'member', ${memberId}, during, ${JSON.stringify(actor)}::jsonb from wanted where during not in (select during from old) returning 1)
    select (select count(*) from made) as added, (select count(*) from gone) as removed`,
)
/** Makes the busy time of one calendar within a stretch what it says now; how much of it was new, and how much has gone. */
export const replaceExternal = async (unit: Unit, synced: Omit<Synced, 'instituteId'>): Promise<{ added: number; removed: number }> =>
  (await replaceBusy.one(unit.db, { ...synced, instituteId: unit.instituteId })) ?? { added: 0, removed: 0 }

const memberThere = statement(
  { name: 'diaryEntries.isMember', row: { id: c.uuid }, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: OfUnit) => sql`select id from team_members where id = ${id} and institute_id = ${instituteId}`,
)
export const isMember = async (unit: Unit, id: string): Promise<boolean> =>
  (await memberThere.one(unit.db, { id, instituteId: unit.instituteId })) !== null

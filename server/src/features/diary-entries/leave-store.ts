/** Absences with the instants they take. What they take in the wall follows from these by triggers, and gives way to whatever is there. */
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import type { Fill } from '#/platform/fills.ts'
import { c, known, orNull, someId, statement } from '#/platform/statement.ts'

export interface Absence {
  memberId: string
  kind: 'on_holiday' | 'sick_leave' | 'other'
  fromDay: string
  toDay: string
  /** Wall minutes of each day; null for whole days. */
  opensAt: number | null
  closesAt: number | null
}
/** The instants of one absence, as text of a multirange. */
export interface LeaveTimes {
  absenceId: string
  memberId: string
  during: string
}

interface NewAbsence extends Absence {
  instituteId: string
  note: string | null
}
const insert = statement(
  {
    name: 'leave.insert',
    row: { id: c.uuid },
    tries: [
      {
        instituteId: someId,
        memberId: someId,
        kind: 'other',
        fromDay: '2026-01-01',
        toDay: '2026-01-01',
        opensAt: null,
        closesAt: null,
        note: null,
      },
    ],
  },
  (a: NewAbsence) => sql`insert into absences (institute_id, member_id, kind, from_day, to_day, opens_at, closes_at, note)
    select institute_id, id, ${a.kind}, ${a.fromDay}::date, ${a.toDay}::date, ${a.opensAt}, ${a.closesAt}, ${a.note}
    from team_members where id = ${a.memberId} and institute_id = ${a.instituteId} returning id`,
)
/** The id; null when the institute has no such member. */
export const insertAbsence = async (unit: Unit, absence: Omit<NewAbsence, 'instituteId'>): Promise<string | null> =>
  (await insert.one(unit.db, { ...absence, instituteId: unit.instituteId }))?.id ?? null

const remove = statement(
  {
    name: 'leave.remove',
    row: {
      memberId: c.uuid,
      kind: c.oneOf(['on_holiday', 'sick_leave', 'other']),
      fromDay: c.day,
      toDay: c.day,
      opensAt: orNull(c.int),
      closesAt: orNull(c.int),
    },
    tries: [{ id: someId, instituteId: someId }],
  },
  ({ id, instituteId }: { id: string; instituteId: string }) => sql`delete from absences where id = ${id} and institute_id = ${instituteId}
    returning member_id as "memberId", kind, from_day as "fromDay", to_day as "toDay", opens_at as "opensAt", closes_at as "closesAt"`,
)
/** What it was; null when there is none. Its time goes with it. */
export const removeAbsence = (unit: Unit, id: string): Promise<Absence | null> => remove.one(unit.db, { id, instituteId: unit.instituteId })

const takeStrictly = statement(
  { name: 'leave.takeStrictly', row: {}, tries: [{ instituteId: someId, absenceId: someId, memberId: someId, during: '{}' }] },
  ({ instituteId, absenceId, memberId, during }: LeaveTimes & { instituteId: string }) => sql`
    insert into occupations (institute_id, kind, source_id, subject_kind, subject_id, during)
    select ${instituteId}, 'leave', ${absenceId}, 'member', ${memberId}, piece from unnest(${during}::tstzmultirange
      - coalesce((select range_agg(o.during) from occupations o where o.subject_id = ${memberId} and o.kind in ('leave', 'blocked')), '{}')) as piece`,
)
/** Takes all of it but what other leave and blocked time have. @throws where a visit, a hold or a session is in the way */
export const takeLeaveStrictly = async (unit: Unit, times: LeaveTimes): Promise<void> =>
  void (await takeStrictly.run(unit.db, { ...times, instituteId: unit.instituteId }))

const keep = statement(
  { name: 'leave.keepTimes', row: {}, tries: [{ instituteId: someId, times: [{ absenceId: someId, memberId: someId, during: '{}' }] }] },
  ({ instituteId, times }: { instituteId: string; times: readonly LeaveTimes[] }) => sql`
    insert into leave_times (absence_id, institute_id, member_id, during)
    select "absenceId", ${instituteId}, "memberId", during from jsonb_to_recordset(${JSON.stringify(times)}::jsonb) as t("absenceId" uuid, "memberId" uuid, during tstzmultirange)
    on conflict (absence_id) do update set during = excluded.during where leave_times.during <> excluded.during`,
)
/** Notes what absences of an institute take; they take what is free of it. */
export async function keepLeaveTimes(
  db: Db,
  _scope: SystemScope,
  { instituteId, times }: { instituteId: string; times: readonly LeaveTimes[] },
): Promise<void> {
  if (times.length > 0) await keep.run(db, { instituteId, times })
}

const takeMarks = statement(
  { name: 'leave.takeMarks', row: { memberId: c.uuid }, tries: [{ instituteId: someId }] },
  ({ instituteId }: { instituteId: string }) =>
    sql`delete from leave_marks where institute_id = ${instituteId} returning member_id as "memberId"`,
)
/** Takes the marks of an institute away and says whose leave they were about: who takes them reckons it in the same transaction. */
export async function takeLeaveMarks(db: Db, _scope: SystemScope, instituteId: string): Promise<string[]> {
  return [...new Set((await takeMarks.all(db, { instituteId })).map(({ memberId }) => memberId))]
}

const marked = statement(
  { name: 'leave.marked', row: { instituteId: known(c.uuid) }, tries: [{ limit: 1 }] },
  ({ limit }: { limit: number }) => sql`select distinct institute_id as "instituteId" from leave_marks limit ${limit}`,
)
/** Institutes with leave that has to be reckoned. */
export const institutesWithMarkedLeave = async (db: Db, _scope: SystemScope, limit: number): Promise<string[]> =>
  (await marked.all(db, { limit })).map(({ instituteId }) => instituteId)

const markNext = statement(
  { name: 'leave.markNext', row: { memberId: known(c.uuid), rows: known(c.count) }, tries: [{ after: someId, rows: 1 }] },
  ({ after, rows }: { after: string; rows: number }) => sql`with next as (
      select distinct member_id, institute_id from absences where member_id > ${after} order by member_id limit ${rows}),
    made as (insert into leave_marks (member_id, institute_id) select member_id, institute_id from next returning member_id)
    select max(member_id::text)::uuid as "memberId", count(*) as rows from made having count(*) > 0`,
)
/** Absences that were there before are marked, and reckoned with the others. */
export const markAbsences: Fill = {
  name: '0016_leave_of_absences',
  async fill(transaction, after, rows) {
    const filled = await markNext.one(transaction, { after: after ?? '00000000-0000-0000-0000-000000000000', rows })
    return filled && { cursor: filled.memberId, rows: filled.rows }
  },
}

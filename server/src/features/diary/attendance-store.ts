/** Who came, and notes of the institute, as they are written. */
import type { attendances } from '@soigne/contract/appointments'
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { c, known, someId, statement } from '#/platform/statement.ts'

interface OfUnit {
  id: string
  instituteId: string
}

interface Noted extends OfUnit {
  attendance: (typeof attendances)[number]
  attendedAt: object
}
const note = statement(
  { name: 'diary.noteAttendance', row: {}, tries: [{ id: someId, instituteId: someId, attendance: 'arrived', attendedAt: {} }] },
  ({ id, instituteId, attendance, attendedAt }: Noted) => sql`update appointments set attendance = ${attendance},
    attended_at = ${JSON.stringify(attendedAt)}::jsonb, revision = revision + 1 where id = ${id} and institute_id = ${instituteId}`,
)
export const markAttendance = async (unit: Unit, noted: Omit<Noted, 'instituteId'>): Promise<void> =>
  void (await note.run(unit.db, { ...noted, instituteId: unit.instituteId }))

interface Freed extends OfUnit {
  from: Date
}
const free = statement(
  { name: 'diary.freeRest', row: { rows: known(c.count) }, tries: [{ id: someId, instituteId: someId, from: new Date(0) }] },
  ({ id, instituteId, from }: Freed) => sql`with rest as materialized (
      select o.* from occupations o where o.appointment_id = ${id} and o.institute_id = ${instituteId} and upper(o.during) > ${from}),
    gone as (delete from occupations o using rest where o.id = rest.id and lower(rest.during) >= ${from}),
    cut as (update occupations o set during = tstzrange(lower(rest.during), ${from}) from rest where o.id = rest.id and lower(rest.during) < ${from}),
    kept as (update appointments set freed_time = (select jsonb_agg(to_jsonb(rest)) from rest) where id = ${id} and institute_id = ${instituteId})
    select count(*) as rows from rest`,
)
/** Gives back what a visit still takes from an instant on; says whether that was anything. */
export const freeRest = async (unit: Unit, id: string, from: Date): Promise<boolean> =>
  ((await free.one(unit.db, { id, instituteId: unit.instituteId, from }))?.rows ?? 0) > 0

const takeBack = statement(
  { name: 'diary.takeBackRest', row: {}, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: OfUnit) => sql`with freed as materialized (
      select r.* from appointments a, jsonb_populate_recordset(null::occupations, a.freed_time) r where a.id = ${id} and a.institute_id = ${instituteId}
        and not exists (select from occupations o where o.subject_id = r.subject_id and o.during && r.during and o.id <> r.id)),
    back as (insert into occupations select * from freed on conflict (id) do update set during = excluded.during)
    update appointments set freed_time = null where id = ${id} and institute_id = ${instituteId} and freed_time is not null`,
)
/** Takes what was given back once more, where nobody has it meanwhile. */
export const takeBackRest = async (unit: Unit, id: string): Promise<void> =>
  void (await takeBack.run(unit.db, { id, instituteId: unit.instituteId }))

const ownNote = statement(
  { name: 'diary.ownNote', row: {}, tries: [{ id: someId, instituteId: someId, text: null }] },
  ({ id, instituteId, text }: OfUnit & { text: string | null }) =>
    sql`update appointments set own_note = ${text} where id = ${id} and institute_id = ${instituteId}`,
)
export const writeOwnNote = async (unit: Unit, id: string, text: string | null): Promise<void> =>
  void (await ownNote.run(unit.db, { id, instituteId: unit.instituteId, text }))

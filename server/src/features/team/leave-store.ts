/** Absences that are taken back, and days replaced. Absences are made in `features/diary-entries`, and what they take follows from their rows. */
import { leaveKinds } from '@soigne/contract/team'
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { Db } from '#/platform/database.ts'
import { c, orNull, someId, statement } from '#/platform/statement.ts'
import type { TeamScope } from './team-store.ts'

const isMember = statement(
  { name: 'team.isMember', row: { id: c.uuid }, tries: [{ instituteId: someId, id: someId }] },
  ({ instituteId, id }: { instituteId: string; id: string }) =>
    sql`select id from team_members where id = ${id} and institute_id = ${instituteId} and active`,
)
export const isOfTeam = async (db: Db, scope: TeamScope, id: string): Promise<boolean> =>
  (await isMember.one(db, { instituteId: scope.instituteId, id })) !== null

interface Days {
  memberId: string
  fromDay: string
  toDay: string
}
const cut = statement(
  {
    name: 'team.cutLeave',
    row: { id: c.uuid, kind: c.oneOf(leaveKinds), fromDay: c.day, toDay: c.day, opensAt: orNull(c.int), closesAt: orNull(c.int) },
    tries: [{ instituteId: someId, memberId: someId, fromDay: '2026-01-01', toDay: '2026-01-01' }],
  },
  ({ instituteId, memberId, fromDay, toDay }: Days & { instituteId: string }) => sql`with gone as (
      delete from absences where member_id = ${memberId} and institute_id = ${instituteId} and from_day <= ${toDay}::date and to_day >= ${fromDay}::date
      returning id, institute_id, member_id, kind, from_day, to_day, opens_at, closes_at, note),
    before as (insert into absences (institute_id, member_id, kind, from_day, to_day, opens_at, closes_at, note)
      select institute_id, member_id, kind, from_day, ${fromDay}::date - 1, opens_at, closes_at, note from gone where from_day < ${fromDay}::date),
    after as (insert into absences (institute_id, member_id, kind, from_day, to_day, opens_at, closes_at, note)
      select institute_id, member_id, kind, ${toDay}::date + 1, to_day, opens_at, closes_at, note from gone where to_day > ${toDay}::date)
    select id, kind, from_day as "fromDay", to_day as "toDay", opens_at as "opensAt", closes_at as "closesAt" from gone order by from_day, id`,
)
/** Takes these days out of every absence of a member; the absences as they were. */
export const cutLeave = (unit: Unit, days: Days) => cut.all(unit.db, { ...days, instituteId: unit.instituteId })

interface Replaced {
  memberId: string
  day: string
  /** Minutes from midnight; null for as the rota says. */
  shifts: readonly object[] | null
}
const replaceDay = statement(
  { name: 'team.replaceDay', row: {}, tries: [{ instituteId: someId, memberId: someId, day: '2026-01-01', shifts: [] }] },
  ({
    instituteId,
    memberId,
    day,
    shifts,
  }: Replaced & { instituteId: string }) => sql`insert into shift_overrides (institute_id, member_id, day, shifts)
    values (${instituteId}, ${memberId}, ${day}::date, ${JSON.stringify(shifts)}::jsonb) on conflict (member_id, day) do update set shifts = excluded.shifts`,
)
const giveBack = statement(
  { name: 'team.giveBackDay', row: {}, tries: [{ instituteId: someId, memberId: someId, day: '2026-01-01' }] },
  ({ instituteId, memberId, day }: { instituteId: string; memberId: string; day: string }) =>
    sql`delete from shift_overrides where member_id = ${memberId} and institute_id = ${instituteId} and day = ${day}::date`,
)
export async function overrideDay(unit: Unit, { shifts, ...of }: Replaced): Promise<void> {
  const { instituteId } = unit
  await (shifts === null ? giveBack.run(unit.db, { ...of, instituteId }) : replaceDay.run(unit.db, { ...of, shifts, instituteId }))
}

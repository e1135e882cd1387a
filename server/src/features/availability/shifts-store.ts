// When members work and are away, whatever anybody asks for: what leave is reckoned from.
import { sql } from 'kysely'
import type { Db } from '#/platform/database.ts'
import { c, orNull, someId, statement } from '#/platform/statement.ts'
import { absencesJson, overridesJson, rotasJson } from './diary-json.ts'
import { overrides, rotas } from './store.ts'

/** Days between which clocks are known. */
const known = ['1995-01-01', '2099-12-31'] as const

const shiftsOfMembers = statement(
  {
    name: 'availability.shiftsOfMembers',
    row: {
      memberId: c.uuid,
      instituteId: c.uuid,
      timeZone: c.text,
      rotas: orNull(c.json(rotasJson)),
      overrides: orNull(c.json(overridesJson)),
      absences: orNull(c.json(absencesJson)),
    },
    tries: [{ memberIds: [someId] }],
  },
  ({ memberIds }: { memberIds: readonly string[] }) => sql`select m.id as "memberId", i.id as "instituteId", i.time_zone as "timeZone",
      (${rotas(...known)}) as rotas, (${overrides(...known)}) as overrides,
      (select json_agg(json_build_array(a.id, a.from_day, a.to_day, a.opens_at, a.closes_at) order by a.id) from absences a where a.member_id = m.id) as absences
    from team_members m join institutes i on i.id = m.institute_id where m.id = any(${memberIds}::uuid[])`,
)
/** Rotas, overrides and absences of members, also of those who are not active; unknown ids are left out. */
export const readShifts = (db: Db, memberIds: readonly string[]) => shiftsOfMembers.all(db, { memberIds })

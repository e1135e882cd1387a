/** Who of an institute is told of what: rows where that is not the usual. */
import { type Channel, channels, type TeamKind, teamKinds } from '@soigne/contract/notifications'
import { levels } from '@soigne/contract/members'
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const chosen = z.array(z.object({ kind: z.enum(teamKinds), channel: z.enum(channels), isOn: z.boolean() }))
const personRow = { userId: c.uuid, name: known(c.text), level: c.oneOf(levels), chosen: orNull(c.json(chosen)) }
export type TeamPersonRow = RowOf<typeof personRow>
const people = statement(
  { name: 'notifications.teamPeople', row: personRow, tries: [someId] },
  (instituteId: string) => sql`select p.user_id as "userId", trim(u.first_name || ' ' || u.last_name) as name, p.level,
      (select json_agg(json_build_object('kind', q.kind, 'channel', q.channel, 'isOn', q.is_on)) from team_notification_choices q
        where q.institute_id = p.institute_id and q.user_id = p.user_id) as chosen
    from institute_people p join users u on u.id = p.user_id where p.institute_id = ${instituteId}
    order by array_position(array['owner', 'manager', 'reception', 'staff'], p.level), u.first_name, p.user_id`,
)
/** Highest level first. */
export const listTeamPeople = (db: Db, scope: InstituteScope<'institute.change'>): Promise<TeamPersonRow[]> =>
  people.all(db, scope.instituteId)

export interface TeamChoiceRow {
  userId: string
  kind: TeamKind
  channel: Channel
  isOn: boolean
}
const write = statement(
  { name: 'notifications.writeTeamChoices', row: {}, tries: [{ instituteId: someId, rows: [] }] },
  ({ instituteId, rows }: { instituteId: string; rows: readonly TeamChoiceRow[] }) => sql`
    insert into team_notification_choices (institute_id, user_id, kind, channel, is_on)
    select ${instituteId}, "userId", kind, channel, "isOn"
    from json_to_recordset(${JSON.stringify(rows)}::json) as r("userId" uuid, kind text, channel text, "isOn" boolean)
    on conflict (institute_id, user_id, kind, channel) do update set is_on = excluded.is_on`,
)
export async function writeTeamChoices(unit: Unit, rows: readonly TeamChoiceRow[]): Promise<void> {
  if (rows.length > 0) await write.run(unit.db, { instituteId: unit.instituteId, rows })
}

/** Of something that is told: to whom it may be, of those who want letters of it. */
export interface TeamAsked {
  position: number
  instituteId: string
  kind: TeamKind
  levels: readonly string[]
  memberIds: readonly string[]
  exceptUserId: string | null
}
const readerRow = { position: known(c.int), userId: c.uuid, email: known(c.text), firstName: c.text, locale: c.oneOf(locales) }
export type TeamReader = RowOf<typeof readerRow>
const readers = statement(
  { name: 'notifications.teamReaders', row: readerRow, tries: [[]] },
  (asked: readonly TeamAsked[]) => sql`select n.position, u.id as "userId", u.email::text as email, u.first_name as "firstName", u.locale
    from json_to_recordset(${JSON.stringify(asked)}::json)
        as n(position int, "instituteId" uuid, kind text, levels jsonb, "memberIds" jsonb, "exceptUserId" uuid)
      join team_notification_choices q on q.institute_id = n."instituteId" and q.kind = n.kind and q.channel = 'mail' and q.is_on
      join institute_people p on p.institute_id = q.institute_id and p.user_id = q.user_id and p.user_id is distinct from n."exceptUserId"
        and n.levels ? p.level and (p.level <> 'staff' or n."memberIds" @> to_jsonb(p.member_id))
      join users u on u.id = p.user_id join institutes i on i.id = n."instituteId" left join users o on o.id = i.owner_id
    where (n.kind not in ('booked', 'moved', 'cancelled') or lower(u.email::text) is distinct from lower(coalesce(i.email, o.email::text)))
      and (n.kind <> 'reviews' or not exists (select from notification_choices s where s.user_id = u.id and s.kind = 'reviews' and s.channel = 'mail'))
    order by n.position, u.id`,
)
/** The address of an institute is written of its visits anyway; nobody reads the same letter twice. */
export const teamReaders = async (db: Db, _scope: SystemScope, asked: readonly TeamAsked[]): Promise<TeamReader[]> =>
  asked.length === 0 ? [] : readers.all(db, asked)

/** The team as it is read: members with what they perform, their absences and who signs in as them, and how busy they are. */
import { languages, locales } from '@soigne/contract/wire'
import { levels } from '@soigne/contract/members'
import { leaveKinds } from '@soigne/contract/team'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

/** Whoever may change the team. */
export type TeamScope = InstituteScope<'team.change'>

const words = z.partialRecord(z.enum(locales), z.string())
const number = z.nullable(z.int())
const absences = z.array(
  z.object({
    id: z.string(),
    kind: z.enum(leaveKinds),
    fromDay: z.string(),
    toDay: z.string(),
    opensAt: number,
    closesAt: number,
    note: z.nullable(z.string()),
  }),
)
/** `[serviceId, active, idle, activeAfter, price]`; null where the menu's hold. */
const performs = z.array(z.tuple([z.string(), number, number, number, number]))

const memberRow = {
  id: c.uuid,
  name: c.text,
  title: c.json(words),
  bio: c.json(words),
  languages: c.list(c.oneOf(languages)),
  imageUrl: c.text,
  bookableOnline: c.bool,
  lastDay: orNull(c.day),
  performs: orNull(c.json(performs)),
  absences: orNull(c.json(absences)),
  login: orNull(c.json(z.object({ state: z.enum(['joined', 'invited']), level: z.enum(levels) }))),
}
export type TeamRow = RowOf<typeof memberRow>

interface Asked {
  instituteId: string
  /** Absences that are over before it are left out. */
  fromDay: string
  now: Date
}
const list = statement(
  { name: 'team.list', row: memberRow, tries: [{ instituteId: someId, fromDay: '2026-01-01', now: new Date(0) }] },
  ({ instituteId, fromDay, now }: Asked) => sql`select m.id, m.name, m.title, m.bio, m.languages, m.image_url as "imageUrl",
      m.bookable_online as "bookableOnline", m.last_day as "lastDay",
      (select json_agg(json_build_array(p.service_id, p.active_minutes, p.idle_minutes, p.active_after_minutes, p.price_amount) order by p.service_id)
        from member_services p where p.member_id = m.id) as performs,
      (select json_agg(json_build_object('id', a.id, 'kind', a.kind, 'fromDay', a.from_day, 'toDay', a.to_day, 'opensAt', a.opens_at, 'closesAt', a.closes_at, 'note', a.note) order by a.from_day, a.id)
        from absences a where a.member_id = m.id and a.to_day >= ${fromDay}::date) as absences,
      coalesce((select json_build_object('state', 'joined', 'level', p.level) from institute_people p where p.member_id = m.id and p.institute_id = m.institute_id limit 1),
        (select json_build_object('state', 'invited', 'level', v.level) from institute_invitations v where v.member_id = m.id and v.institute_id = m.institute_id and v.expires_at > ${now} limit 1)) as login
    from team_members m where m.institute_id = ${instituteId} and m.active order by m.position, m.id`,
)
export const listTeam = (db: Db, scope: TeamScope, asked: Omit<Asked, 'instituteId'>): Promise<TeamRow[]> =>
  list.all(db, { ...asked, instituteId: scope.instituteId })

interface Within {
  instituteId: string
  from: Date
  to: Date
}
const busy = statement(
  {
    name: 'team.busy',
    row: { memberId: known(c.uuid), startsAt: known(c.instant), endsAt: known(c.instant) },
    tries: [{ instituteId: someId, from: new Date(0), to: new Date(1) }],
  },
  ({ instituteId, from, to }: Within) => sql`with parts as (
      select s.member_id, tstzrange(s.starts_at, s.starts_at + coalesce((s.snapshot ->> 'activeMinutes')::int * interval '1 minute', s.ends_at - s.starts_at)) as during,
          s.starts_at, s.ends_at, coalesce((s.snapshot ->> 'activeAfterMinutes')::int, 0) as after
        from segments s join appointments a on a.id = s.appointment_id
        where s.institute_id = ${instituteId} and s.starts_at < ${to} and s.ends_at > ${from}
          and a.status in ('pending', 'deposit_paid', 'completed') and a.attendance <> 'no_show'),
    active as (
      select member_id, tstzrange(lower(during), least(upper(during), ends_at)) as during from parts
      union all select member_id, tstzrange(ends_at - after * interval '1 minute', ends_at) from parts where after > 0
      union all select member_id, during from group_sessions where institute_id = ${instituteId} and during && tstzrange(${from}, ${to})),
    merged as (select member_id, range_agg(during) * tstzmultirange(tstzrange(${from}, ${to})) as during from active group by member_id)
    select member_id as "memberId", lower(piece) as "startsAt", upper(piece) as "endsAt" from merged, unnest(merged.during) as piece order by 1, 2`,
)
/** When members are at work on somebody: active parts of visits that are kept, and group sessions; what overlaps is once in it. */
export const busyTimes = (db: Db, scope: TeamScope, within: Omit<Within, 'instituteId'>) =>
  busy.all(db, { ...within, instituteId: scope.instituteId })

const visitsOfAway = statement(
  {
    name: 'team.visitsOfAway',
    row: { memberId: c.uuid, id: c.uuid, startsAt: c.instant, endsAt: c.instant },
    tries: [{ instituteId: someId, fromDay: '2026-01-01', now: new Date(0) }],
  },
  ({
    instituteId,
    fromDay,
    now,
  }: Asked) => sql`select s.member_id as "memberId", s.appointment_id as id, s.starts_at as "startsAt", s.ends_at as "endsAt"
    from segments s join appointments p on p.id = s.appointment_id
    where s.institute_id = ${instituteId} and s.ends_at > ${now} and p.status not in ('held', 'cancelled')
      and s.starts_at < (select max(a.to_day) + 2 from absences a where a.member_id = s.member_id and a.to_day >= ${fromDay}::date)`,
)
/** What lies ahead of members who are or will be away, until they are back. */
export const visitsAround = (db: Db, scope: TeamScope, asked: Omit<Asked, 'instituteId'>) =>
  visitsOfAway.all(db, { ...asked, instituteId: scope.instituteId })

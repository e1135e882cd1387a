/** What members have ahead: visits, holds and group sessions, with the parts they are at work on each. */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const aheadRow = {
  kind: known(c.oneOf(['visit', 'hold', 'session'])),
  id: known(c.uuid),
  startsAt: known(c.instant),
  endsAt: known(c.instant),
  customer: orNull(c.text),
  /** Instants between which the member works. */
  parts: known(c.json(z.array(z.tuple([z.string(), z.string()])))),
}
export type AheadRow = RowOf<typeof aheadRow>

interface Asked {
  instituteId: string
  memberId: string
  from: Date
  now: Date
}
const ahead = statement(
  { name: 'team.ahead', row: aheadRow, tries: [{ instituteId: someId, memberId: someId, from: new Date(0), now: new Date(0) }] },
  ({ instituteId, memberId, from, now }: Asked) => sql`with parts as (
      select s.appointment_id as id, s.starts_at, least(s.starts_at + coalesce((s.snapshot ->> 'activeMinutes')::int * interval '1 minute', s.ends_at - s.starts_at), s.ends_at) as ends_at
        from segments s where s.institute_id = ${instituteId} and s.member_id = ${memberId} and s.ends_at > ${from}
      union all
      select s.appointment_id, s.ends_at - (s.snapshot ->> 'activeAfterMinutes')::int * interval '1 minute', s.ends_at
        from segments s where s.institute_id = ${instituteId} and s.member_id = ${memberId} and s.ends_at > ${from} and (s.snapshot ->> 'activeAfterMinutes')::int > 0)
    select case when a.status = 'held' then 'hold' else 'visit' end as kind, a.id, a.starts_at as "startsAt", a.ends_at as "endsAt",
      nullif(trim(c.first_name || ' ' || c.last_name), '') as customer, json_agg(json_build_array(p.starts_at, p.ends_at) order by p.starts_at) as parts
    from parts p join appointments a on a.id = p.id left join customers c on c.id = a.customer_id
    where a.status <> 'cancelled' and (a.status <> 'held' or a.expires_at > ${now}) and a.attendance in ('expected', 'arrived')
    group by a.id, c.id
    union all
    select 'session', g.id, lower(g.during), upper(g.during), null, json_build_array(json_build_array(lower(g.during), upper(g.during)))
    from group_sessions g where g.institute_id = ${instituteId} and g.member_id = ${memberId} and upper(g.during) > ${from}
    order by "startsAt", id`,
)
/** In order of time. */
export const aheadOf = (db: Db, scope: InstituteScope<'team.change'>, asked: Omit<Asked, 'instituteId'>): Promise<AheadRow[]> =>
  ahead.all(db, { ...asked, instituteId: scope.instituteId })

const segmentRow = {
  kind: known(c.oneOf(['visit', 'hold', 'session'])),
  id: known(c.uuid),
  position: orNull(c.int),
  serviceId: known(c.uuid),
  name: known(c.json(z.record(z.string(), z.string()))),
  startsAt: known(c.instant),
  endsAt: known(c.instant),
  customer: orNull(c.text),
  priceAmount: orNull(c.int),
  parts: known(c.json(z.array(z.tuple([z.string(), z.string()])))),
}
export type SegmentAhead = RowOf<typeof segmentRow>

const ofMember = statement(
  {
    name: 'team.segmentsAhead',
    row: segmentRow,
    tries: [{ instituteId: someId, memberId: someId, from: new Date(0), now: new Date(0), limit: 1 }],
  },
  ({
    instituteId,
    memberId,
    from,
    now,
    limit,
  }: Asked & { limit: number }) => sql`select case when a.status = 'held' then 'hold' else 'visit' end as kind,
      a.id, s.position::int as position, s.service_id as "serviceId", s.snapshot -> 'name' as name, s.starts_at as "startsAt", s.ends_at as "endsAt",
      nullif(trim(c.first_name || ' ' || c.last_name), '') as customer, s.price_amount as "priceAmount",
      case when coalesce((s.snapshot ->> 'activeAfterMinutes')::int, 0) = 0 then json_build_array(json_build_array(s.starts_at, s.ends_at))
        else json_build_array(json_build_array(s.starts_at, s.starts_at + (s.snapshot ->> 'activeMinutes')::int * interval '1 minute'),
          json_build_array(s.ends_at - (s.snapshot ->> 'activeAfterMinutes')::int * interval '1 minute', s.ends_at)) end as parts
    from segments s join appointments a on a.id = s.appointment_id left join customers c on c.id = a.customer_id
    where s.institute_id = ${instituteId} and s.member_id = ${memberId} and s.ends_at > ${from}
      and a.status <> 'cancelled' and (a.status <> 'held' or a.expires_at > ${now}) and a.attendance in ('expected', 'arrived')
      and not exists (select from session_seats t where t.appointment_id = a.id)
    union all
    select 'session', g.id, null, g.service_id, v.name, lower(g.during), upper(g.during), null, null, json_build_array(json_build_array(lower(g.during), upper(g.during)))
    from group_sessions g join services v on v.id = g.service_id where g.institute_id = ${instituteId} and g.member_id = ${memberId} and upper(g.during) > ${from}
    order by "startsAt", id, position limit ${limit}`,
)
/** The parts of visits that a member does from a moment on, and group sessions, in order of time. */
export const segmentsAhead = (
  db: Db,
  scope: InstituteScope<'team.change'>,
  asked: Omit<Asked, 'instituteId'> & { limit: number },
): Promise<SegmentAhead[]> => ofMember.all(db, { ...asked, instituteId: scope.instituteId })

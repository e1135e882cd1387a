/** Visits that were hit: by a member's leave, by a closing day, or named. */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { InstituteScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, someId, statement } from '#/platform/statement.ts'

/** Two instants, ISO. */
export interface Stretch {
  from: string
  to: string
}

export interface HitsAsked {
  memberId: string | null
  /** Instants, ISO; both or none. */
  from: string | null
  to: string | null
  ids: readonly string[] | null
  /** When the institute is closed. */
  closed: readonly Stretch[]
  now: Date
}
const someHits: HitsAsked = { memberId: null, from: null, to: null, ids: null, closed: [], now: new Date(0) }

const isClosed = (closed: readonly Stretch[]) =>
  sql`exists (select from jsonb_to_recordset(${JSON.stringify(closed)}::jsonb) as k("from" timestamptz, "to" timestamptz) where k."from" < s.ends_at and k."to" > s.starts_at)`
const isAway = sql`exists (select from leave_times l where l.member_id = s.member_id and l.during && tstzrange(s.starts_at, s.ends_at))`
/** Something was proposed for the visit as it stands, or somebody has seen to it. */
const isSeenTo = sql`exists (select from rearrangements r where r.appointment_id = a.id and r.before_starts_at = a.starts_at)`

const hits = statement(
  {
    name: 'rearranging.hits',
    row: { id: c.uuid, positions: known(c.list(c.int)), memberId: orNull(c.uuid), startsAt: c.instant },
    tries: [
      { ...someHits, instituteId: someId },
      { ...someHits, instituteId: someId, ids: [someId], memberId: someId, from: '2026-01-01T00:00:00Z', to: '2026-01-02T00:00:00Z' },
    ],
  },
  ({ instituteId, memberId, from, to, ids, closed, now }: HitsAsked & { instituteId: string }) => sql`
    select a.id, array_agg(s.position order by s.position) as positions, (array_agg(s.member_id order by s.position))[1] as "memberId", a.starts_at as "startsAt"
    from appointments a join segments s on s.appointment_id = a.id
    where a.institute_id = ${instituteId} and coalesce(a.life, a.status) not in ('held', 'cancelled') and a.attendance = 'expected' and a.ends_at > ${now} and s.ends_at > ${now}
      and (${memberId}::uuid is null or s.member_id = ${memberId}::uuid)
      and case when ${ids}::uuid[] is not null then a.id = any(${ids}::uuid[])
        when ${from}::timestamptz is not null then tstzrange(s.starts_at, s.ends_at) && tstzrange(${from}::timestamptz, ${to}::timestamptz) and not ${isSeenTo}
        else (${isAway} or ${isClosed(closed)}) and not ${isSeenTo} end
    group by a.id order by a.starts_at, a.id limit 100`,
)
export interface HitRow {
  id: string
  /** Of the segments that are hit. */
  positions: number[]
  memberId: string | null
  startsAt: string
}
/** Soonest first. Those whose client is there already are none. */
export const findHits = (db: Db, scope: InstituteScope<'diary.change'>, asked: HitsAsked): Promise<HitRow[]> =>
  hits.all(db, { ...asked, instituteId: scope.instituteId })

const needed = statement(
  {
    name: 'rearranging.needed',
    row: {
      staffId: orNull(c.uuid),
      name: orNull(c.text),
      visits: known(c.int),
      firstAt: known(c.instant),
      lastAt: known(c.instant),
    },
    tries: [{ instituteId: someId, closed: [], now: new Date(0) }],
  },
  ({ instituteId, closed, now }: { instituteId: string; closed: readonly Stretch[]; now: Date }) => sql`
    select h.member_id as "staffId", m.name, count(distinct h.id)::int as visits, min(h.starts_at) as "firstAt", max(h.starts_at) as "lastAt"
    from (select distinct a.id, s.starts_at, case when ${isAway} then s.member_id end as member_id from appointments a join segments s on s.appointment_id = a.id
      where a.institute_id = ${instituteId} and coalesce(a.life, a.status) not in ('held', 'cancelled') and a.attendance = 'expected' and a.ends_at > ${now} and s.ends_at > ${now}
        and (${isAway} or ${isClosed(closed)}) and not ${isSeenTo}) h
      left join team_members m on m.id = h.member_id group by h.member_id, m.name order by min(h.starts_at) limit 50`,
)
/** Visits nobody has seen to, by who is away; those of closed days without anybody. */
export const neededOf = (db: Db, scope: InstituteScope<'diary.change'>, asked: { closed: readonly Stretch[]; now: Date }) =>
  needed.all(db, { ...asked, instituteId: scope.instituteId })

const closedDays = z.array(z.tuple([z.string(), z.string(), z.nullable(z.int()), z.nullable(z.int())]))
const closures = statement(
  {
    name: 'rearranging.closures',
    row: { timeZone: c.text, days: known(c.json(closedDays)) },
    tries: [{ instituteId: someId, now: new Date(0) }],
  },
  ({ instituteId, now }: { instituteId: string; now: Date }) => sql`select i.time_zone as "timeZone",
      (select coalesce(json_agg(json_build_array(k.from_day, k.to_day, k.opens_at, k.closes_at)), '[]') from closures k
        where k.institute_id = i.id and k.to_day >= ${now}::timestamptz::date - 1) as days from institutes i where i.id = ${instituteId}`,
)
/** The zone of an institute, and the days on which it is closed, with their wall minutes where it is not closed all day. */
export const closuresOf = (db: Db, scope: InstituteScope<never>, now: Date) => closures.one(db, { instituteId: scope.instituteId, now })

const spans = z.array(z.object({ from: z.string(), to: z.string() }))
const apart = statement(
  {
    name: 'rearranging.apart',
    row: { userId: known(c.uuid), spans: known(c.json(spans)) },
    tries: [{ userIds: [someId], not: [someId], now: new Date(0) }],
  },
  ({ userIds, not, now }: { userIds: readonly string[]; not: readonly string[]; now: Date }) => sql`
    select a.user_id as "userId", json_agg(json_build_object('from', a.starts_at, 'to', a.ends_at)) as spans from appointments a
    where a.user_id = any(${userIds}::uuid[]) and a.id <> all(${not}::uuid[]) and a.ends_at > ${now} and coalesce(a.life, a.status) <> 'cancelled'
      and (a.expires_at is null or a.expires_at > ${now}) group by a.user_id`,
)
/** What these clients have planned besides the visits named, wherever that is: only when they are taken, never where. */
export const apartOf = (db: Db, _scope: SystemScope, asked: { userIds: readonly string[]; not: readonly string[]; now: Date }) =>
  apart.all(db, asked)

const close = statement(
  { name: 'rearranging.close', row: { id: c.uuid }, tries: [{ instituteId: someId, fromDay: '2026-12-25', toDay: '2026-12-25' }] },
  ({ instituteId, fromDay, toDay }: { instituteId: string; fromDay: string; toDay: string }) => sql`
    insert into closures (institute_id, from_day, to_day) select ${instituteId}, ${fromDay}::date, ${toDay}::date
    where not exists (select from closures k where k.institute_id = ${instituteId} and k.opens_at is null and k.from_day <= ${fromDay}::date and k.to_day >= ${toDay}::date) returning id`,
)
/** Closes whole days, once. Why is for nobody to read: what stands in a closure is public. */
export const closeDays = (db: Db, scope: InstituteScope<never>, days: { fromDay: string; toDay: string }): Promise<number> =>
  close.run(db, { ...days, instituteId: scope.instituteId })

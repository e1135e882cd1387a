/** Who runs late, and whom that makes wait. */
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope, SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const restRow = {
  visitId: c.uuid,
  userId: orNull(c.uuid),
  position: c.int,
  memberId: c.uuid,
  resourceId: orNull(c.uuid),
  startsAt: c.instant,
  endsAt: c.instant,
  activeMinutes: known(c.int),
  idleMinutes: known(c.int),
  bufferBefore: c.int,
  bufferAfter: c.int,
}
export type RestRow = RowOf<typeof restRow>
const rest = statement(
  { name: 'rearranging.restOfDay', row: restRow, tries: [{ instituteId: someId, now: new Date(0), until: new Date(0) }] },
  ({ instituteId, now, until }: { instituteId: string; now: Date; until: Date }) => sql`
    select a.id as "visitId", a.user_id as "userId", s.position, s.member_id as "memberId", s.resource_id as "resourceId", s.starts_at as "startsAt", s.ends_at as "endsAt",
      coalesce((s.snapshot ->> 'activeMinutes')::int, v.active_minutes) as "activeMinutes", coalesce((s.snapshot ->> 'idleMinutes')::int, 0) as "idleMinutes",
      v.buffer_before_minutes as "bufferBefore", v.buffer_after_minutes as "bufferAfter"
    from appointments a join segments s on s.appointment_id = a.id join services v on v.id = s.service_id
    where a.institute_id = ${instituteId} and coalesce(a.life, a.status) not in ('held', 'cancelled') and a.attendance not in ('done', 'no_show')
      and s.ends_at > ${now} and s.starts_at < ${until} order by s.starts_at, a.id, s.position limit 2000`,
)
/** What is left of the day of the whole institute. */
export const restOfDay = (db: Db, scope: InstituteScope<never>, asked: { now: Date; until: Date }): Promise<RestRow[]> =>
  rest.all(db, { ...asked, instituteId: scope.instituteId })

const noticeRow = { id: c.uuid, memberId: c.uuid, minutes: c.int, saidAt: c.instant, endsAt: c.instant }
export type NoticeRow = RowOf<typeof noticeRow>
const noticeColumns = sql`n.id, n.member_id as "memberId", n.minutes, n.said_at as "saidAt", n.ends_at as "endsAt"`
const notices = statement(
  { name: 'rearranging.notices', row: noticeRow, tries: [{ instituteId: someId, now: new Date(0) }] },
  ({ instituteId, now }: { instituteId: string; now: Date }) => sql`select ${noticeColumns} from late_notices n
    where n.institute_id = ${instituteId} and n.ended_at is null and n.ends_at > ${now} order by n.said_at, n.id`,
)
/** Those of today that nobody has taken back. */
export const noticesOf = (db: Db, scope: InstituteScope<never>, now: Date): Promise<NoticeRow[]> =>
  notices.all(db, { instituteId: scope.instituteId, now })

const lateVisitRow = {
  noticeId: c.uuid,
  visitId: c.uuid,
  position: c.int,
  startsAt: c.instant,
  expectedAt: c.instant,
}
export type LateVisitRow = RowOf<typeof lateVisitRow>
const visits = statement(
  { name: 'rearranging.lateVisits', row: lateVisitRow, tries: [{ instituteId: someId, noticeIds: [someId] }] },
  ({ instituteId, noticeIds }: { instituteId: string; noticeIds: readonly string[] }) => sql`
    select l.notice_id as "noticeId", l.appointment_id as "visitId", l.position, l.starts_at as "startsAt", l.expected_at as "expectedAt"
    from late_visits l join late_notices n on n.id = l.notice_id where n.institute_id = ${instituteId} and l.notice_id = any(${noticeIds}::uuid[])
      and exists (select from segments s join appointments a on a.id = s.appointment_id where a.id = l.appointment_id and s.position = l.position
        and s.starts_at = l.starts_at and coalesce(a.life, a.status) not in ('held', 'cancelled')) order by l.starts_at, l.appointment_id`,
)
/** Without those who were moved or have left since. */
export const lateVisitsOf = (db: Db, scope: InstituteScope<never>, noticeIds: readonly string[]): Promise<LateVisitRow[]> =>
  visits.all(db, { instituteId: scope.instituteId, noticeIds })

const end = statement(
  { name: 'rearranging.endNotices', row: noticeRow, tries: [{ instituteId: someId, memberId: someId, now: new Date(0) }] },
  ({ instituteId, memberId, now }: { instituteId: string; memberId: string; now: Date }) => sql`update late_notices n set ended_at = ${now}
    where n.institute_id = ${instituteId} and n.member_id = ${memberId} and n.ended_at is null returning ${noticeColumns}`,
)
/** Ends what is said of a member; null when nothing is, or it was of another day. */
export async function endNotice(unit: Unit, memberId: string): Promise<NoticeRow | null> {
  const ended = await end.one(unit.db, { instituteId: unit.instituteId, memberId, now: new Date(unit.now) })
  return ended && Date.parse(ended.endsAt) > unit.now ? ended : null
}

interface NewNotice {
  instituteId: string
  memberId: string
  minutes: number
  now: Date
  endsAt: string
  visits: readonly { visitId: string; position: number; startsAt: string; expectedAt: string }[]
}
const insert = statement(
  {
    name: 'rearranging.insertNotice',
    row: { id: c.uuid },
    tries: [
      { instituteId: someId, memberId: someId, minutes: 5, now: new Date(0), endsAt: '2026-01-01T10:00:00Z', visits: [] } as NewNotice,
    ],
  },
  ({ instituteId, memberId, minutes, now, endsAt, visits: late }: NewNotice) => sql`with notice as (
      insert into late_notices (institute_id, member_id, minutes, said_at, ends_at) values (${instituteId}, ${memberId}, ${minutes}, ${now}, ${endsAt}) returning id),
    noted as (insert into late_visits (notice_id, appointment_id, position, starts_at, expected_at)
      select n.id, v."visitId", v.position, v."startsAt", v."expectedAt" from notice n,
        jsonb_to_recordset(${JSON.stringify(late)}::jsonb) as v("visitId" uuid, position smallint, "startsAt" timestamptz, "expectedAt" timestamptz))
    select id from notice`,
)
export async function insertNotice(unit: Unit, notice: Omit<NewNotice, 'instituteId' | 'now'>): Promise<string> {
  const made = await insert.one(unit.db, { ...notice, instituteId: unit.instituteId, now: new Date(unit.now) })
  if (!made) throw new Error('a notice was not written')
  return made.id
}

const ofVisit = statement(
  {
    name: 'rearranging.lateOfVisit',
    row: { startsAt: c.instant, expectedAt: c.instant, minutes: known(c.int) },
    tries: [{ id: someId, userId: someId, now: new Date(0) }],
  },
  ({ id, userId, now }: { id: string; userId: string; now: Date }) => sql`
    select l.starts_at as "startsAt", l.expected_at as "expectedAt", (extract(epoch from l.expected_at - l.starts_at) / 60)::int as minutes
    from late_visits l join late_notices n on n.id = l.notice_id join appointments a on a.id = l.appointment_id
      join segments s on s.appointment_id = a.id and s.position = l.position and s.starts_at = l.starts_at
    where a.id = ${id} and a.user_id = ${userId} and n.ended_at is null and n.ends_at > ${now} and l.expected_at > ${now}
      and coalesce(a.life, a.status) not in ('held', 'cancelled') and (a.attendance in ('expected', 'arrived') or a.attendance = 'in_service' and s.starts_at > a.starts_at)
    order by l.expected_at desc limit 1`,
)
/** How late a visit of one's own will begin, or a later service of it; null when it is not, or was moved since. */
export const findLate = (db: Db, scope: SelfScope, asked: { id: string; now: Date }) => ofVisit.one(db, { ...asked, userId: scope.userId })

const away = statement(
  { name: 'rearranging.away', row: { memberId: c.uuid }, tries: [{ instituteId: someId, day: '2026-01-01' }] },
  ({ instituteId, day }: { instituteId: string; day: string }) => sql`select distinct member_id as "memberId" from absences
    where institute_id = ${instituteId} and opens_at is null and from_day <= ${day}::date and to_day >= ${day}::date`,
)
/** Who is away all day. */
export const awayOn = async (db: Db, scope: InstituteScope<never>, day: string): Promise<Set<string>> =>
  new Set((await away.all(db, { instituteId: scope.instituteId, day })).map(({ memberId }) => memberId))

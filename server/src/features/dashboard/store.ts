/** What the first page of the dashboard counts. */
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { type TotalsScope, withinTotals } from '#/features/monthly-totals/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

type ReadScope = InstituteScope<'diary.read'>

const life = sql`coalesce(a.life, life_of_status(a.status))`
/** Kept, or taken for kept an hour after its end when nobody marked it. */
const isDone = (now: Date) =>
  sql`${life} = 'booked' and (a.attendance = 'done' or (a.attendance = 'expected' and a.ends_at <= ${now}::timestamptz - interval '1 hour'))`

interface Between {
  instituteId: string
  from: Date
  to: Date
}
const someBetween: Between = { instituteId: someId, from: new Date(0), to: new Date(1) }
const isBetween = ({ instituteId, from, to }: Between) =>
  sql`a.institute_id = ${instituteId} and a.starts_at >= ${from} and a.starts_at < ${to}`

const dayRow = { id: c.uuid, life: known(c.oneOf(['booked', 'cancelled'])), attendance: c.text, endsAt: c.instant }
const visitsOfDay = statement(
  { name: 'dashboard.visitsOfDay', row: dayRow, tries: [someBetween] },
  (asked: Between) => sql`select a.id, ${life} as life, a.attendance, a.ends_at as "endsAt" from appointments a
    where ${isBetween(asked)} and ${life} <> 'held' order by a.starts_at, a.id`,
)
export const visitsBetween = (db: Db, scope: ReadScope, from: Date, to: Date): Promise<RowOf<typeof dayRow>[]> =>
  visitsOfDay.all(db, { instituteId: scope.instituteId, from, to })

const busyRow = { memberId: c.uuid, from: known(c.float), to: known(c.float) }
const busy = statement(
  { name: 'dashboard.busy', row: busyRow, tries: [someBetween] },
  (asked: Between) => sql`select s.member_id as "memberId", p.at as "from", p.at + p.minutes as "to"
    from appointments a join segments s on s.appointment_id = a.id
      cross join lateral (select extract(epoch from s.starts_at)::float8 / 60 as starts, extract(epoch from s.ends_at - s.starts_at)::float8 / 60 as whole,
        (s.snapshot ->> 'activeMinutes')::float8 as active, coalesce((s.snapshot ->> 'activeAfterMinutes')::float8, 0) as after) as m
      cross join lateral (values (m.starts, case when m.after > 0 then m.active else m.whole end), (m.starts + m.whole - m.after, m.after)) as p(at, minutes)
    where ${isBetween(asked)} and ${life} = 'booked' and a.attendance <> 'no_show' and p.minutes > 0`,
)
/** Stretches in which members are at work on visits, in minutes: without idle parts, and not for those who did not come. */
export const busyBetween = (db: Db, scope: ReadScope, from: Date, to: Date): Promise<RowOf<typeof busyRow>[]> =>
  busy.all(db, { instituteId: scope.instituteId, from, to })

const waitingRow = {
  unmarked: known(c.count),
  unreadChats: known(c.count),
  unansweredReviews: known(c.count),
  leaveRequests: known(c.count),
  unpaid: known(c.count),
}
interface ToDoAsked {
  today: string
  now: Date
  /** From when on visits that are not paid are counted. */
  unpaidFrom: Date
}
const waiting = statement(
  {
    name: 'dashboard.toDo',
    row: waitingRow,
    tries: [{ instituteId: someId, today: '2026-01-01', now: new Date(0), unpaidFrom: new Date(0) }],
  },
  ({ instituteId, today, now, unpaidFrom }: ToDoAsked & { instituteId: string }) => sql`select
      (select count(*) from appointments a where a.institute_id = ${instituteId} and a.starts_at > ${now}::timestamptz - interval '1 day' and a.starts_at < ${now}
        and a.ends_at <= ${now} and ${life} = 'booked' and (a.attendance in ('arrived', 'in_service') or (a.attendance = 'expected' and a.ends_at > ${now}::timestamptz - interval '1 hour'))) as unmarked,
      (select count(*) from chats c where c.institute_id = ${instituteId} and c.institute_unread > 0 and not c.institute_archived) as "unreadChats",
      (select count(*) from reviews r where r.institute_id = ${instituteId} and r.state = 'shown' and r.reply is null) as "unansweredReviews",
      (select count(*) from leave_requests l join team_members m on m.id = l.member_id and m.active
        where l.institute_id = ${instituteId} and l.state = 'asked' and l.to_day >= ${today}::date) as "leaveRequests",
      (select count(*) from appointments a where a.institute_id = ${instituteId} and a.starts_at >= ${unpaidFrom} and a.starts_at < ${now}::timestamptz + interval '1 day' and ${life} = 'booked'
        and coalesce(a.payment, payment_of_status(a.status, null)) <> 'paid' and a.attendance <> 'no_show' and a.total_amount > 0
        and (a.attendance = 'done' or a.ends_at <= ${now}) and exists (select from sales s where s.institute_id = ${instituteId})) as unpaid`,
)
export const toDoOf = async (db: Db, scope: ReadScope, asked: ToDoAsked): Promise<RowOf<typeof waitingRow>> =>
  (await waiting.one(db, { instituteId: scope.instituteId, ...asked })) ?? {
    unmarked: 0,
    unreadChats: 0,
    unansweredReviews: 0,
    leaveRequests: 0,
    unpaid: 0,
  }

const slotRow = {
  slot: known(c.count),
  visits: known(c.count),
  done: known(c.count),
  cancelled: known(c.count),
  noShows: known(c.count),
  revenue: known(c.count),
}
export type Slot = RowOf<typeof slotRow>
const slots = statement(
  { name: 'dashboard.slots', row: slotRow, tries: [{ ...someBetween, now: new Date(0), minutes: 60 }] },
  (
    asked: Between & { now: Date; minutes: number },
  ) => sql`select (extract(epoch from g.at) / (60 * ${asked.minutes}::int))::int8 as slot, g.visits, g.done, g.cancelled, g."noShows", g.revenue from (
      select date_bin(make_interval(mins => ${asked.minutes}::int), a.starts_at, 'epoch'::timestamptz) as at,
        count(*) filter (where ${life} = 'booked') as visits, count(*) filter (where ${life} = 'cancelled') as cancelled,
        count(*) filter (where ${isDone(asked.now)}) as done, count(*) filter (where ${life} = 'booked' and a.attendance = 'no_show') as "noShows",
        coalesce(sum(a.total_amount) filter (where ${isDone(asked.now)}), 0)::int8 as revenue
      from appointments a where ${isBetween(asked)} and ${life} <> 'held' group by 1) g`,
)
/** Counted in steps of so many minutes since the epoch, by when visits begin. */
export const slotsBetween = (db: Db, scope: TotalsScope, asked: Between & { now: Date; minutes: number }): Promise<Slot[]> =>
  slots.all(db, withinTotals(scope, asked))

const sumRow = { amount: known(c.count) }
const revenue = statement(
  { name: 'dashboard.revenue', row: sumRow, tries: [{ ...someBetween, now: new Date(0) }] },
  (asked: Between & { now: Date }) =>
    sql`select coalesce(sum(a.total_amount), 0)::int8 as amount from appointments a where ${isBetween(asked)} and ${isDone(asked.now)}`,
)
/** Prices of visits that began between two instants and were done at a third. */
export const revenueBetween = async (db: Db, scope: ReadScope, asked: Omit<Between, 'instituteId'> & { now: Date }): Promise<number> =>
  (await revenue.one(db, { instituteId: scope.instituteId, ...asked }))?.amount ?? 0

const serviceRow = { id: c.uuid, visits: known(c.count), revenue: known(c.count) }
const services = statement(
  { name: 'dashboard.services', row: serviceRow, tries: [{ ...someBetween, now: new Date(0) }] },
  (asked: Between & { now: Date }) => sql`select s.service_id as id, count(*) as visits, coalesce(sum(s.price_amount), 0)::int8 as revenue
      from appointments a join segments s on s.appointment_id = a.id where ${isBetween(asked)} and ${isDone(asked.now)} group by s.service_id`,
)
export const servicesBetween = (db: Db, scope: TotalsScope, asked: Between & { now: Date }): Promise<RowOf<typeof serviceRow>[]> =>
  services.all(db, withinTotals(scope, asked))

const nameRow = { id: c.uuid, name: c.json(z.partialRecord(z.enum(locales), z.string())) }
const names = statement(
  { name: 'dashboard.serviceNames', row: nameRow, tries: [{ instituteId: someId, ids: [someId] }] },
  ({ instituteId, ids }: { instituteId: string; ids: readonly string[] }) =>
    sql`select v.id, v.name from services v where v.id = any(${ids}::uuid[]) and v.institute_id = ${instituteId}`,
)
export const namesOfServices = (db: Db, scope: ReadScope, ids: readonly string[]): Promise<RowOf<typeof nameRow>[]> =>
  names.all(db, { instituteId: scope.instituteId, ids })

const instituteRow = { timeZone: c.text, currency: c.text, firstAt: orNull(c.instant) }
const institute = statement(
  { name: 'dashboard.institute', row: instituteRow, tries: [someId] },
  (
    id: string,
  ) => sql`select i.time_zone as "timeZone", i.currency, (select min(a.starts_at) from appointments a where a.institute_id = i.id) as "firstAt"
    from institutes i where i.id = ${id}`,
)
export const instituteOf = (db: Db, scope: ReadScope): Promise<RowOf<typeof instituteRow> | null> => institute.one(db, scope.instituteId)

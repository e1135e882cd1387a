/** When people are reminded of their visits, and when they were. */
import { sql } from 'kysely'
import type { SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

export const reminderKinds = ['week', 'day'] as const
export type ReminderKind = (typeof reminderKinds)[number]

export interface PlannedReminder {
  appointmentId: string
  kind: ReminderKind
  userId: string
  startsAt: string
  dueAt: string
}

const dropOthers = statement(
  { name: 'reminders.dropOthers', row: {}, tries: [{ appointmentIds: [someId], kept: [] }] },
  ({ appointmentIds, kept }: { appointmentIds: readonly string[]; kept: readonly PlannedReminder[] }) => sql`
    delete from reminders r where r.appointment_id = any(${appointmentIds}::uuid[])
      and (r.sent_at is null or not exists (select from appointments a where a.id = r.appointment_id and a.starts_at = r.starts_at))
      and not exists (select from json_to_recordset(${JSON.stringify(kept)}::json) as k("appointmentId" uuid, kind text)
        where k."appointmentId" = r.appointment_id and k.kind = r.kind)`,
)
const put = statement(
  { name: 'reminders.put', row: {}, tries: [[]] },
  (planned: readonly PlannedReminder[]) => sql`
    insert into reminders as r (appointment_id, kind, user_id, starts_at, due_at)
    select "appointmentId", kind, "userId", "startsAt", "dueAt"
    from json_to_recordset(${JSON.stringify(planned)}::json) as p("appointmentId" uuid, kind text, "userId" uuid, "startsAt" timestamptz, "dueAt" timestamptz)
    on conflict (appointment_id, kind) do update set starts_at = excluded.starts_at, due_at = excluded.due_at, sent_at = null
      where r.starts_at <> excluded.starts_at`,
)
/** What is due of these visits from now on: these and no others. One that was sent for the time it still has stays as it is. */
export async function putReminders(
  db: Db,
  _scope: SystemScope,
  appointmentIds: readonly string[],
  planned: readonly PlannedReminder[],
): Promise<void> {
  if (appointmentIds.length === 0) return
  await dropOthers.run(db, { appointmentIds, kept: planned })
  if (planned.length > 0) await put.run(db, planned)
}

const takeTurn = statement(
  { name: 'reminders.takeTurn', row: { isMine: known(c.bool) } },
  () => sql`select pg_try_advisory_xact_lock(hashtext('reminders')) as "isMine"`,
)
/** Whether nobody else sends reminders until the transaction ends. */
export const takeTurnOfReminders = async (transaction: Db): Promise<boolean> => (await takeTurn.one(transaction))?.isMine === true

const dueRow = {
  appointmentId: c.uuid,
  kind: c.oneOf(reminderKinds),
  userId: c.uuid,
  instituteId: c.uuid,
  startsAt: c.instant,
  timeZone: c.text,
  /** Still booked for that time, which is to come. */
  isComing: known(c.bool),
}
export type DueReminder = RowOf<typeof dueRow>
const isBooked = sql`coalesce(a.life, life_of_status(a.status)) = 'booked'`
const due = statement(
  { name: 'reminders.due', row: dueRow, tries: [{ now: new Date(0), most: 1 }] },
  ({ now, most }: { now: Date; most: number }) => sql`select r.appointment_id as "appointmentId", r.kind, r.user_id as "userId",
      a.institute_id as "instituteId", a.starts_at as "startsAt", a.time_zone as "timeZone",
      ${isBooked} and a.starts_at = r.starts_at and a.starts_at > ${now} as "isComing"
    from reminders r join appointments a on a.id = r.appointment_id
    where r.sent_at is null and r.due_at <= ${now} order by r.due_at, r.appointment_id limit ${most}`,
)
/** What is due, longest first. */
export const dueReminders = (db: Db, _scope: SystemScope, asked: { now: Date; most: number }): Promise<DueReminder[]> => due.all(db, asked)

const visitRow = {
  appointmentId: c.uuid,
  kind: c.oneOf(reminderKinds),
  userId: known(c.uuid),
  instituteId: c.uuid,
  startsAt: c.instant,
  timeZone: c.text,
}
export type ComingVisit = RowOf<typeof visitRow>
const coming = statement(
  { name: 'reminders.comingVisits', row: visitRow, tries: [{ userIds: [someId], from: new Date(0), until: new Date(0) }] },
  ({
    userIds,
    from,
    until,
  }: {
    userIds: readonly string[]
    from: Date
    until: Date
  }) => sql`select a.id as "appointmentId", r.kind, a.user_id as "userId",
      a.institute_id as "instituteId", a.starts_at as "startsAt", a.time_zone as "timeZone"
    from appointments a join reminders r on r.appointment_id = a.id and r.starts_at = a.starts_at and r.sent_at is null
    where a.user_id = any(${userIds}::uuid[]) and a.starts_at > ${from} and a.starts_at < ${until} and ${isBooked}
    order by a.starts_at, a.id`,
)
/** What some people are still to be reminded of, of their booked visits between two instants, earliest first. */
export const comingVisits = (
  db: Db,
  _scope: SystemScope,
  asked: { userIds: readonly string[]; from: Date; until: Date },
): Promise<ComingVisit[]> => coming.all(db, asked)

interface Told {
  kind: ReminderKind
  visits: readonly Pick<ComingVisit, 'appointmentId' | 'startsAt'>[]
  now: Date
}
const sent = statement(
  { name: 'reminders.sent', row: {}, tries: [{ kind: 'day', visits: [], now: new Date(0) }] },
  ({ kind, visits, now }: Told) =>
    sql`update reminders r set sent_at = ${now} from json_to_recordset(${JSON.stringify(visits)}::json) as told("appointmentId" uuid, "startsAt" timestamptz)
      where r.kind = ${kind} and r.appointment_id = told."appointmentId" and r.starts_at = told."startsAt" and r.sent_at is null`,
)
/** These were told, of the times they had then: one that was moved meanwhile is still to be told. */
export const markReminded = (db: Db, _scope: SystemScope, told: Told): Promise<number> => sent.run(db, told)

interface Gone {
  appointmentIds: readonly string[]
  now: Date
}
const dropDue = statement(
  { name: 'reminders.drop', row: {}, tries: [{ appointmentIds: [someId], now: new Date(0) }] },
  ({ appointmentIds, now }: Gone) =>
    sql`delete from reminders where appointment_id = any(${appointmentIds}::uuid[]) and sent_at is null and due_at <= ${now}`,
)
/** Those due of visits that will not be at their time; what is planned for a time they have got meanwhile stays. */
export const dropReminders = (db: Db, _scope: SystemScope, gone: Gone): Promise<number> => dropDue.run(db, gone)

const ofVisitRow = { kind: c.oneOf(reminderKinds), dueAt: c.instant, sentAt: orNull(c.instant) }
const ofVisit = statement(
  { name: 'reminders.ofVisit', row: ofVisitRow, tries: [{ userId: someId, appointmentId: someId }] },
  ({ userId, appointmentId }: { userId: string; appointmentId: string }) => sql`select kind, due_at as "dueAt", sent_at as "sentAt"
    from reminders where appointment_id = ${appointmentId} and user_id = ${userId} order by due_at`,
)
/** Those of a visit of one's own, earliest first. */
export const remindersOfVisit = (db: Db, scope: SelfScope, appointmentId: string): Promise<RowOf<typeof ofVisitRow>[]> =>
  ofVisit.all(db, { userId: scope.userId, appointmentId })

const fill = statement(
  { name: 'reminders.fill', row: { id: c.uuid, rows: known(c.int) }, tries: [{ after: someId, rows: 1 }] },
  ({ after, rows }: { after: string; rows: number }) => sql`
    with next as materialized (select id from appointments where id > ${after} order by id limit ${rows}),
      planned as (insert into reminders (appointment_id, kind, user_id, starts_at, due_at)
        select a.id, k.kind, a.user_id, a.starts_at, a.starts_at - k.before
        from next join appointments a using (id) cross join (values ('week', interval '168 hours'), ('day', interval '24 hours')) as k(kind, before)
        where a.user_id is not null and ${isBooked} and a.starts_at - k.before > greatest(now(), a.created_at)
        on conflict do nothing)
    select id, (count(*) over ())::int as rows from next order by id desc limit 1`,
)
/** Plans those of visits that were there before there were reminders. */
export const fillReminders = (db: Db, asked: { after: string; rows: number }): Promise<{ id: string; rows: number } | null> =>
  fill.one(db, asked)

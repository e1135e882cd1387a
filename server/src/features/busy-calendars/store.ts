/** Where the calendars are that say when members are busy, and how reading them went. */
import { busyProblems, type BusyProblem } from '@soigne/contract/busy-calendars'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

type ChangeScope = InstituteScope<'team.change'>

const shownRow = {
  host: orNull(c.text),
  lastReadAt: orNull(c.instant),
  problem: orNull(c.oneOf(busyProblems)),
  busy: known(c.count),
  hits: known(c.json(z.array(z.object({ _id: z.string(), startsAt: z.string(), endsAt: z.string(), customer: z.nullable(z.string()) })))),
  timeZone: c.text,
}
interface Asked {
  instituteId: string
  memberId: string
  now: Date
}
const shown = statement(
  { name: 'busyCalendars.shown', row: shownRow, tries: [{ instituteId: someId, memberId: someId, now: new Date(0) }] },
  ({ instituteId, memberId, now }: Asked) => sql`with busy as (select o.during from busy_calendars b
        join soft_occupations o on o.source_id = b.id and o.kind = 'external' and o.subject_id = b.member_id and o.institute_id = b.institute_id
        where b.member_id = ${memberId} and b.institute_id = ${instituteId} and upper(o.during) > ${now}),
      hit as (select distinct a.id, a.starts_at, a.ends_at, nullif(trim(k.first_name || ' ' || k.last_name), '') as customer
        from busy join occupations o on o.subject_id = ${memberId} and o.institute_id = ${instituteId} and o.kind = 'visit' and o.during && busy.during
          join appointments a on a.id = o.appointment_id and coalesce(a.life, life_of_status(a.status)) = 'booked' and a.ends_at > ${now}
          left join customers k on k.id = a.customer_id order by a.starts_at, a.id limit 50)
    select b.host, b.answered_at as "lastReadAt", b.problem, (select count(*) from busy) as busy,
      coalesce((select json_agg(json_build_object('_id', id, 'startsAt', starts_at, 'endsAt', ends_at, 'customer', customer) order by starts_at, id) from hit), '[]'::json) as hits,
      i.time_zone as "timeZone"
    from team_members m join institutes i on i.id = m.institute_id left join busy_calendars b on b.member_id = m.id
    where m.id = ${memberId} and m.institute_id = ${instituteId}`,
)
/** Null when there is no such member; a member without a calendar has no host. */
export const findShown = (db: Db, scope: ChangeScope, memberId: string, now: Date): Promise<RowOf<typeof shownRow> | null> =>
  shown.one(db, { instituteId: scope.instituteId, memberId, now })

const calendarRow = {
  id: c.uuid,
  instituteId: c.uuid,
  memberId: c.uuid,
  addressSealed: c.text,
  etag: orNull(c.text),
  lastModified: orNull(c.text),
  readAt: orNull(c.instant),
  timeZone: c.text,
}
export type StoredCalendar = RowOf<typeof calendarRow>
const byId = statement(
  { name: 'busyCalendars.one', row: calendarRow, tries: [someId] },
  (id: string) => sql`select b.id, b.institute_id as "instituteId", b.member_id as "memberId", b.address_sealed as "addressSealed", b.etag,
      b.last_modified as "lastModified", b.read_at as "readAt", i.time_zone as "timeZone"
    from busy_calendars b join institutes i on i.id = b.institute_id where b.id = ${id}`,
)
export const findCalendar = (db: Db, _scope: SystemScope, id: string): Promise<StoredCalendar | null> => byId.one(db, id)

const due = statement(
  { name: 'busyCalendars.takeDue', row: { id: c.uuid }, tries: [{ now: new Date(0), next: new Date(1) }] },
  ({ now, next }: { now: Date; next: Date }) => sql`update busy_calendars set due_at = ${next} where id in (
      select b.id from busy_calendars b join team_members m on m.id = b.member_id and m.active
      where b.due_at <= ${now} order by b.due_at limit 200 for update of b skip locked) returning id`,
)
/** Those that are to be read now; they are due again at `next`. */
export const takeDue = (db: Db, _scope: SystemScope, now: Date, next: Date): Promise<{ id: string }[]> => due.all(db, { now, next })

/** What was read: another address may stand there by now. */
type Read = Pick<StoredCalendar, 'id' | 'addressSealed'>
/** How a reading went. */
export interface Outcome {
  now: Date
  problem: BusyProblem | null
  /** Of what was read in full; absent where nothing had changed, or nothing was read. */
  read?: { etag: string | null; lastModified: string | null }
}
const note = statement(
  {
    name: 'busyCalendars.note',
    row: {},
    tries: [{ id: someId, addressSealed: 'a', now: new Date(0), problem: null, etag: null, lastModified: null, isRead: true }],
  },
  ({
    id,
    addressSealed,
    now,
    problem,
    etag,
    lastModified,
    isRead,
  }: Omit<Outcome, 'read'> & Read & { etag: string | null; lastModified: string | null; isRead: boolean }) =>
    sql`update busy_calendars set asked_at = ${now}, problem = ${problem}::text,
      answered_at = case when ${problem}::text is null then ${now}::timestamptz else answered_at end,
      read_at = case when ${isRead}::boolean then ${now}::timestamptz else read_at end,
      etag = case when ${isRead}::boolean then ${etag}::text else etag end, last_modified = case when ${isRead}::boolean then ${lastModified}::text else last_modified end
    where id = ${id} and address_sealed = ${addressSealed}`,
)
const noteIn = async (db: Db, { id, addressSealed }: Read, { now, problem, read }: Outcome): Promise<boolean> =>
  (await note.run(db, {
    id,
    addressSealed,
    now,
    problem,
    etag: read?.etag ?? null,
    lastModified: read?.lastModified ?? null,
    isRead: read !== undefined,
  })) > 0
/** False when the calendar is there no more, or another is. */
export const noteOutcome = (db: Db, _scope: SystemScope, of: Read, outcome: Outcome): Promise<boolean> => noteIn(db, of, outcome)
export const noteRead = (unit: Unit, of: Read, outcome: Outcome): Promise<boolean> => noteIn(unit.db, of, outcome)

interface NewCalendar {
  memberId: string
  addressSealed: string
  host: string
  now: Date
  dueAt: Date
}
const put = statement(
  {
    name: 'busyCalendars.put',
    row: { id: c.uuid },
    tries: [{ instituteId: someId, memberId: someId, addressSealed: 'a', host: 'h', now: new Date(0), dueAt: new Date(0) }],
  },
  ({ instituteId, memberId, addressSealed, host, now, dueAt }: NewCalendar & { instituteId: string }) =>
    sql`insert into busy_calendars as b (institute_id, member_id, address_sealed, host, due_at, created_at)
      select institute_id, id, ${addressSealed}, ${host}, ${dueAt}, ${now} from team_members where id = ${memberId} and institute_id = ${instituteId}
      on conflict (member_id) do update set address_sealed = excluded.address_sealed, host = excluded.host, due_at = excluded.due_at, etag = null, last_modified = null
      returning b.id`,
)
/** The id; null when there is no such member. What another address took before is taken until it is read. */
export const putCalendar = async (db: Db, scope: ChangeScope, calendar: NewCalendar): Promise<string | null> =>
  (await put.one(db, { instituteId: scope.instituteId, ...calendar }))?.id ?? null

const ofMember = statement(
  { name: 'busyCalendars.ofMember', row: { id: c.uuid }, tries: [{ instituteId: someId, memberId: someId }] },
  ({ instituteId, memberId }: Omit<Asked, 'now'>) =>
    sql`select id from busy_calendars where member_id = ${memberId} and institute_id = ${instituteId}`,
)
export const calendarOf = async (db: Db, scope: ChangeScope, memberId: string): Promise<string | null> =>
  (await ofMember.one(db, { instituteId: scope.instituteId, memberId }))?.id ?? null

const remove = statement(
  { name: 'busyCalendars.remove', row: {}, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: { id: string; instituteId: string }) =>
    sql`delete from busy_calendars where id = ${id} and institute_id = ${instituteId}`,
)
export const removeCalendar = async (unit: Unit, id: string): Promise<boolean> =>
  (await remove.run(unit.db, { id, instituteId: unit.instituteId })) > 0

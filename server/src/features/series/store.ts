/** Which visits belong together, and visits that are made without having been held. */
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { type CartEntry, columnOf, type DiaryReaderScope, type Terms } from '#/features/visits/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, someId, statement } from '#/platform/statement.ts'

export interface NewVisit {
  id: string
  reference: string
  /** Who the person is to the institute. */
  customerId: string | null
  /** Instants, ISO. */
  startsAt: string
  endsAt: string
  timeZone: string
  cart: readonly CartEntry[]
  totalAmount: number
  currency: string
  terms: Terms
  now: string
}
interface Owned {
  instituteId: string
  userId: string
}
const someVisit: NewVisit & Owned = {
  id: someId,
  instituteId: someId,
  userId: someId,
  reference: '',
  customerId: someId,
  startsAt: '2026-01-01T10:00:00Z',
  endsAt: '2026-01-01T11:00:00Z',
  timeZone: '',
  cart: [],
  totalAmount: 0,
  currency: 'EUR',
  terms: { cancelWindowMinutes: null, rescheduleWindowMinutes: null, freeUntil: null },
  now: '2026-01-01T00:00:00Z',
}
const insert = statement(
  { name: 'series.insertVisit', row: {}, tries: [someVisit] },
  (v: NewVisit & Owned) =>
    sql`insert into appointments (id, institute_id, user_id, customer_id, reference, life, payment, starts_at, ends_at, time_zone, cart, total_amount, currency, terms, first_starts_at, created_at, confirmed_at)
      values (${v.id}, ${v.instituteId}, ${v.userId}, ${v.customerId}, ${v.reference}, 'booked', 'none', ${v.startsAt}, ${v.endsAt}, ${v.timeZone}, ${JSON.stringify(v.cart)}::jsonb, ${v.totalAmount},
        ${v.currency}, ${JSON.stringify(v.terms)}::jsonb, ${v.startsAt}, ${v.now}, ${v.now})`,
)
/** A booked visit that has no plan yet. */
export const insertVisit = async (unit: Unit, scope: SelfScope, visit: NewVisit): Promise<void> =>
  void (await insert.run(unit.db, { ...visit, instituteId: unit.instituteId, userId: scope.userId }))

/** The hour a visit was made for, where it has another now. The one that was repeated was made for no series: it says none. */
const movedFrom = sql`case when a.created_at >= s.created_at and a.first_starts_at <> a.starts_at then a.first_starts_at end as "movedFrom"`
const find = statement(
  {
    name: 'series.find',
    row: { seriesId: c.uuid, everyWeeks: c.int, id: c.uuid, movedFrom: orNull(c.instant) },
    tries: [{ id: someId, userId: someId }],
  },
  ({ id, userId }: { id: string; userId: string }) =>
    sql`select s.id as "seriesId", s.every_weeks as "everyWeeks", a.id, ${movedFrom} from series_visits of_one join visit_series s on s.id = of_one.series_id
      join series_visits v on v.series_id = s.id join appointments a on a.id = v.appointment_id
      where of_one.appointment_id = ${id} and a.user_id = ${userId} order by a.starts_at, a.id`,
)
/** The visits of one's own that belong to the series of a visit, this one with them, soonest first; none where it stands alone. */
export const findSeries = (db: Db, scope: SelfScope, id: string) => find.all(db, { id, userId: scope.userId })

const atInstitute = statement(
  {
    name: 'series.atInstitute',
    row: { everyWeeks: c.int, id: c.uuid, startsAt: c.instant, movedFrom: orNull(c.instant) },
    tries: [
      { id: someId, instituteId: someId, memberId: null },
      { id: someId, instituteId: someId, memberId: someId },
    ],
  },
  ({ id, instituteId, memberId }: { id: string; instituteId: string; memberId: string | null }) =>
    sql`select s.every_weeks as "everyWeeks", a.id, a.starts_at as "startsAt", ${movedFrom} from series_visits of_one join visit_series s on s.id = of_one.series_id
      join series_visits v on v.series_id = s.id join appointments a on a.id = v.appointment_id
      where of_one.appointment_id = ${id} and a.institute_id = ${instituteId} and a.life is distinct from 'cancelled'
        and (${memberId}::uuid is null or exists (select from segments g where g.appointment_id = a.id and g.member_id = ${memberId}))
      order by a.starts_at, a.id`,
)
/** The visits that still stand of the series of a visit, as the institute sees them; of who sees one column, those in it. */
export const seriesAtInstitute = (db: Db, scope: DiaryReaderScope, id: string) =>
  atInstitute.all(db, { id, instituteId: scope.instituteId, memberId: columnOf(scope) })

const make = statement(
  {
    name: 'series.make',
    row: { id: c.uuid },
    tries: [{ appointmentId: someId, instituteId: someId, everyWeeks: 1, now: new Date(0) }],
  },
  ({ appointmentId, instituteId, everyWeeks, now }: { appointmentId: string; instituteId: string; everyWeeks: number; now: Date }) =>
    sql`with made as (insert into visit_series (institute_id, every_weeks, created_at) values (${instituteId}, ${everyWeeks}, ${now}) returning id),
        first as (insert into series_visits (appointment_id, series_id) select ${appointmentId}, id from made)
      select id from made`,
)
/** A series that begins with a visit. */
export async function makeSeriesOf(unit: Unit, appointmentId: string, everyWeeks: number): Promise<string> {
  const made = await make.one(unit.db, { appointmentId, instituteId: unit.instituteId, everyWeeks, now: new Date(unit.now) })
  if (!made) throw new Error('a series that was made is not there')
  return made.id
}

const setWeeks = statement(
  { name: 'series.setWeeks', row: {}, tries: [{ id: someId, instituteId: someId, everyWeeks: 1 }] },
  ({ id, instituteId, everyWeeks }: { id: string; instituteId: string; everyWeeks: number }) =>
    sql`update visit_series set every_weeks = ${everyWeeks} where id = ${id} and institute_id = ${instituteId}`,
)
/** A series that is continued has the rhythm that was asked for last. */
export const setRhythm = async (unit: Unit, id: string, everyWeeks: number): Promise<void> =>
  void (await setWeeks.run(unit.db, { id, instituteId: unit.instituteId, everyWeeks }))

const add = statement(
  { name: 'series.add', row: {}, tries: [{ seriesId: someId, instituteId: someId, ids: [someId] }] },
  ({ seriesId, instituteId, ids }: { seriesId: string; instituteId: string; ids: readonly string[] }) =>
    sql`insert into series_visits (appointment_id, series_id)
      select a.id, ${seriesId} from appointments a where a.id = any(${ids}::uuid[]) and a.institute_id = ${instituteId}`,
)
export const addToSeries = async (unit: Unit, seriesId: string, ids: readonly string[]): Promise<void> =>
  void (await add.run(unit.db, { seriesId, instituteId: unit.instituteId, ids }))

const countAhead = statement(
  { name: 'series.countAhead', row: { count: known(c.int) }, tries: [{ userId: someId, now: new Date(0) }] },
  ({ userId, now }: { userId: string; now: Date }) =>
    sql`select count(*)::int as count from appointments a join series_visits v on v.appointment_id = a.id
      where a.user_id = ${userId} and a.ends_at > ${now} and coalesce(a.life, a.status) <> 'cancelled'`,
)
/** How many visits of series somebody has ahead, everywhere. */
export const visitsAhead = async (unit: Unit, scope: SelfScope): Promise<number> =>
  (await countAhead.one(unit.db, { userId: scope.userId, now: new Date(unit.now) }))?.count ?? 0

/** Totals that are kept of months that are over. */
import type { Day } from '@soigne/contract/time'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { InstituteScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

export type TotalsScope = InstituteScope<'diary.read'> | InstituteScope<'sales.read'> | SystemScope
/** What is asked for, as far as the scope reaches: an institute has its own totals, whatever is named. */
export const withinTotals = <Asked extends { instituteId: string }>(scope: TotalsScope, asked: Asked): Asked =>
  scope.kind === 'institute' ? { ...asked, instituteId: scope.instituteId } : asked

export const kinds = ['figures', 'sales'] as const
export type Kind = (typeof kinds)[number]

interface Wanted {
  instituteId: string
  kind: Kind
  timeZone: string
}
const someWanted: Wanted = { instituteId: someId, kind: 'figures', timeZone: 'UTC' }

const keptRow = { month: c.day, totals: c.json(z.unknown()) }
const kept = statement(
  { name: 'monthlyTotals.kept', row: keptRow, tries: [{ ...someWanted, before: '2026-01-01' }] },
  ({ instituteId, kind, timeZone, before }: Wanted & { before: Day }) => sql`select t.month, t.totals
    from monthly_totals t left join month_versions v on v.institute_id = t.institute_id and v.month = t.month
    where t.institute_id = ${instituteId} and t.kind = ${kind} and t.time_zone = ${timeZone} and t.version = coalesce(v.version, 0)
      and t.month < ${before}::date`,
)
/** Those that are still so, of months before one. */
export const keptMonths = (db: Db, scope: TotalsScope, wanted: Wanted & { before: Day }): Promise<RowOf<typeof keptRow>[]> =>
  kept.all(db, withinTotals(scope, wanted))

const stateRow = { version: known(c.count), isSettled: known(c.bool) }
interface AskedOfMonth {
  instituteId: string
  month: Day
  from: Date
  to: Date
  now: Date
}
const someMonth: AskedOfMonth = { instituteId: someId, month: '2026-01-01', from: new Date(0), to: new Date(1), now: new Date(2) }
const state = statement(
  { name: 'monthlyTotals.state', row: stateRow, tries: [someMonth] },
  ({ instituteId, month, from, to, now }: AskedOfMonth) => sql`select
      coalesce((select v.version from month_versions v where v.institute_id = ${instituteId} and v.month = ${month}::date), 0)::int8 as version,
      ${to}::timestamptz <= now() - interval '3 days' and not exists (select from appointments a where a.institute_id = ${instituteId}
        and a.starts_at >= ${from} and a.starts_at < ${to} and a.ends_at > ${now}::timestamptz - interval '1 day') as "isSettled"`,
)
/** Which version of a month it is, and whether time alone changes nothing of it any more. It has to be over by the clock of the database, which the triggers go by. */
export const stateOfMonth = (db: Db, _scope: SystemScope, asked: AskedOfMonth): Promise<RowOf<typeof stateRow> | null> =>
  state.one(db, asked)

const keep = statement(
  { name: 'monthlyTotals.keep', row: {}, tries: [{ ...someWanted, month: '2026-01-01', version: 0, totals: {} }] },
  ({ instituteId, kind, timeZone, month, version, totals }: Wanted & { month: Day; version: number; totals: unknown }) =>
    sql`insert into monthly_totals (institute_id, month, kind, time_zone, version, totals)
      select i.id, ${month}::date, ${kind}, ${timeZone}, ${version}, ${JSON.stringify(totals)}::jsonb from institutes i where i.id = ${instituteId}
    on conflict (institute_id, month, kind) do update set time_zone = excluded.time_zone, version = excluded.version, totals = excluded.totals`,
)
/** `version` is what it was before the totals were counted: what changed meanwhile makes them old. */
export const keepMonth = async (
  db: Db,
  _scope: SystemScope,
  wanted: Wanted & { month: Day; version: number; totals: unknown },
): Promise<void> => void (await keep.all(db, wanted))

const pastRow = { timeZone: c.text, firstAt: orNull(c.instant) }
const past = statement(
  { name: 'monthlyTotals.past', row: pastRow, tries: [someId] },
  (id: string) => sql`select i.time_zone as "timeZone", least((select min(a.starts_at) from appointments a where a.institute_id = i.id),
      (select min(s.sold_at) from sales s where s.institute_id = i.id), (select min(p.at) from payments p where p.institute_id = i.id)) as "firstAt"
    from institutes i where i.id = ${id}`,
)
/** When the first visit of an institute began, or the first money came. */
export const pastOf = (db: Db, _scope: SystemScope, instituteId: string): Promise<RowOf<typeof pastRow> | null> => past.one(db, instituteId)

const behindRow = { isBehind: known(c.bool) }
const behind = statement(
  { name: 'monthlyTotals.behind', row: behindRow, tries: [{ instituteId: someId, month: '2026-01-01', to: new Date(0) }] },
  ({ instituteId, month, to }: { instituteId: string; month: Day; to: Date }) => sql`select
      not exists (select from monthly_totals t where t.institute_id = ${instituteId} and t.month = ${month}::date)
      and exists (select from appointments a where a.institute_id = ${instituteId} and a.starts_at < ${to}) as "isBehind"`,
)
/** Whether there is a past until the end of a month which is not kept. */
export const isBehind = async (db: Db, scope: TotalsScope, wanted: { instituteId: string; month: Day; to: Date }): Promise<boolean> =>
  (await behind.one(db, withinTotals(scope, wanted)))?.isBehind ?? false

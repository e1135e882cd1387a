/** What was taken on a day, and its closing. */
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const dayRow = {
  cash: known(c.count),
  terminal: known(c.count),
  online: known(c.count),
  giftCards: known(c.count),
  tips: known(c.count),
  invoices: known(c.count),
  invoiced: known(c.count),
  vat: known(c.count),
  credited: known(c.count),
  kept: known(c.count),
  refunded: known(c.count),
}
type TakeScope = InstituteScope<'sales.take'>
interface OfDay {
  instituteId: string
  day: string
}
const some: OfDay = { instituteId: someId, day: '2026-01-01' }
const ofDay = statement(
  { name: 'till.day', row: dayRow, tries: [some] },
  ({ instituteId, day }: OfDay) => sql`with came as (
      select p.kind, p.method, case p.kind when 'refund' then -p.amount else p.amount end as amount from payments p where p.institute_id = ${instituteId} and p.day = ${day}),
    issued as (select d.kind, d.total, d.vat from documents d where d.institute_id = ${instituteId} and d.day = ${day})
    select (select coalesce(sum(amount) filter (where method = 'cash'), 0)::int8 from came) as cash,
      (select coalesce(sum(amount) filter (where method = 'terminal'), 0)::int8 from came) as terminal,
      (select coalesce(sum(amount) filter (where method not in ('cash', 'terminal', 'gift_card')), 0)::int8 from came) as online,
      (select coalesce(sum(amount) filter (where method = 'gift_card'), 0)::int8 from came) as "giftCards",
      (select coalesce(sum(t.amount), 0)::int8 from tips t where t.institute_id = ${instituteId} and t.day = ${day}) as tips,
      (select count(*) from issued where kind = 'invoice') as invoices,
      (select coalesce(sum(total) filter (where kind = 'invoice'), 0)::int8 from issued) as invoiced,
      (select coalesce(sum(vat), 0)::int8 from issued) as vat,
      (select coalesce(-sum(total) filter (where kind = 'credit_note'), 0)::int8 from issued) as credited,
      (select coalesce(sum(k.amount), 0)::int8 from kept_deposits k where k.institute_id = ${instituteId} and k.day = ${day}) as kept,
      (select coalesce(-sum(amount) filter (where kind = 'refund'), 0)::int8 from came) as refunded`,
)
export async function takenOn(db: Db, scope: TakeScope, day: string): Promise<RowOf<typeof dayRow>> {
  const row = await ofDay.one(db, { instituteId: scope.instituteId, day })
  if (!row) throw new Error('a day without a row')
  return row
}

const closingRow = {
  float: c.int,
  counted: c.int,
  cash: c.int,
  reason: orNull(c.text),
  closedAt: c.instant,
  by: orNull(known(c.text)),
}
const closing = statement(
  { name: 'till.closing', row: closingRow, tries: [some] },
  ({
    instituteId,
    day,
  }: OfDay) => sql`select t.float_amount as float, t.counted_amount as counted, t.cash_amount as cash, t.reason, t.closed_at as "closedAt",
      (select coalesce(m.name, nullif(concat_ws(' ', u.first_name, u.last_name), '')) from users u
        left join team_members m on m.user_id = u.id and m.institute_id = t.institute_id where u.id = (t.actor ->> 'userId')::uuid limit 1) as by
    from till_closings t where t.institute_id = ${instituteId} and t.day = ${day}`,
)
export const closingOf = (db: Db, scope: TakeScope, day: string): Promise<RowOf<typeof closingRow> | null> =>
  closing.one(db, { instituteId: scope.instituteId, day })

export interface NewClosing {
  day: string
  currency: string
  float: number
  cash: number
  counted: number
  terminal: number
  tips: number
  kept: number
  refunded: number
  reason: string | null
}
const insert = statement(
  {
    name: 'till.close',
    row: {},
    tries: [
      {
        instituteId: someId,
        now: new Date(0),
        actor: {},
        day: '2026-01-01',
        currency: 'EUR',
        float: 0,
        cash: 0,
        counted: 0,
        terminal: 0,
        tips: 0,
        kept: 0,
        refunded: 0,
        reason: null,
      },
    ],
  },
  (t: NewClosing & { instituteId: string; now: Date; actor: object }) => sql`
    insert into till_closings (institute_id, day, currency, float_amount, cash_amount, counted_amount, terminal_amount, tips_amount, kept_amount, refunded_amount, reason,
      closed_at, actor)
    values (${t.instituteId}, ${t.day}, ${t.currency}, ${t.float}, ${t.cash}, ${t.counted}, ${t.terminal}, ${t.tips}, ${t.kept}, ${t.refunded}, ${t.reason}, ${t.now},
      ${JSON.stringify(t.actor)}::jsonb)
    on conflict (institute_id, day) do nothing`,
)
/** False when somebody was faster. */
export const insertClosing = async (unit: Unit, scope: TakeScope, closed: NewClosing): Promise<boolean> =>
  (await insert.run(unit.db, { ...closed, instituteId: unit.instituteId, now: new Date(unit.now), actor: scope.actor })) > 0

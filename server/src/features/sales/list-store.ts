/** The list of sales: visits of the institute, and what was sold over the counter alone. A sale has a row once money or a document is there. */
import type { SaleMethod } from '@soigne/contract/sales'
import { saleMethods } from '@soigne/contract/sales'
import { type Status, statuses } from '@soigne/contract/appointments'
import { locales } from '@soigne/contract/wire'
import { type RawBuilder, sql } from 'kysely'
import * as z from 'zod/mini'
import { type TotalsScope, withinTotals } from '#/features/monthly-totals/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

export type SalesScope = InstituteScope<'sales.read'> | InstituteScope<'sales.take'> | InstituteScope<'sales.refund'>

export const words = z.partialRecord(z.enum(locales), z.string())

const life = sql`coalesce(a.life, life_of_status(a.status))`
/** The specification's word; what was sold over the counter is paid when it is there. */
const statusOf = sql`case when a.id is null then 'completed' else status_of_visit(${life}, coalesce(a.payment, payment_of_status(a.status, null))) end`
const nameOf = sql`nullif(concat_ws(' ', k.first_name, nullif(k.last_name, '')), '')`
const numberOf = sql`case when d.id is null then null else 'F-' || d.year || '-' || lpad(d.number::text, greatest(4, length(d.number::text)), '0') end`

/** Whoever did not come owes no price. */
const isDue = (
  now: Date,
): RawBuilder<unknown> => sql`${life} = 'booked' and coalesce(a.payment, payment_of_status(a.status, null)) <> 'paid'
  and a.attendance <> 'no_show' and a.total_amount > 0 and (a.attendance = 'done' or a.ends_at <= ${now})`

interface Span {
  instituteId: string
  from: Date
  to: Date
}
/** Sales and visits without one of a stretch: `id`, `at`. */
const within = ({ instituteId, from, to }: Span): RawBuilder<unknown> => sql`
  select s.id, s.sold_at as at from sales s where s.institute_id = ${instituteId} and s.sold_at >= ${from} and s.sold_at < ${to}
  union all
  select a.id, a.starts_at from appointments a where a.institute_id = ${instituteId} and a.starts_at >= ${from} and a.starts_at < ${to}
    and ${life} <> 'held' and not exists (select from sales s where s.id = a.id)`

/** Visits of a stretch that were over at an instant and are not paid in full, under the same names. */
const dueWithin = ({ instituteId, from, to }: Span, now: Date): RawBuilder<unknown> => sql`
  select a.id, a.starts_at as at from appointments a where a.institute_id = ${instituteId} and a.starts_at >= ${from} and a.starts_at < ${to} and ${isDue(now)}`

const names = sql`left join lateral (
    select coalesce(jsonb_agg(l.name order by l.position), '[]') as services, coalesce(jsonb_agg(distinct l.who) filter (where l.who is not null), '[]') as staff
    from (
      select l.position, l.name, coalesce(m.name, l.member_name) as who from document_lines l left join team_members m on m.id = l.member_id
        where l.document_id = d.id and l.kind <> 'discount'
      union all
      select g.position, g.snapshot -> 'name', m.name from segments g join team_members m on m.id = g.member_id where d.id is null and g.appointment_id = a.id) l) n on true`
const money = sql`left join lateral (
    select coalesce(sum(case p.kind when 'refund' then -p.amount else p.amount end), 0)::int8 as paid, coalesce(sum(p.amount) filter (where p.kind = 'refund'), 0)::int8 as refunded,
      coalesce(jsonb_agg(p.method order by p.at, p.id) filter (where p.kind <> 'refund'), '[]') as methods
    from payments p where p.sale_id = p0.id) m on true`

export const saleRowColumns = {
  id: known(c.uuid),
  appointmentId: orNull(c.uuid),
  number: orNull(c.text),
  at: known(c.instant),
  customerId: orNull(c.uuid),
  client: orNull(c.text),
  services: known(c.json(z.array(z.union([words, z.string()])))),
  staff: known(c.json(z.array(z.string()))),
  methods: known(c.json(z.array(z.enum(saleMethods)))),
  status: known(c.oneOf(statuses)),
  total: known(c.count),
  paid: known(c.count),
  refunded: known(c.count),
  tips: known(c.count),
}
const shownColumns = sql`p0.id, a.id as "appointmentId", ${numberOf} as number, p0.at, k.id as "customerId",
  coalesce(${nameOf}, d.parties ->> 'client') as client, n.services, n.staff, m.methods, ${statusOf} as status,
  coalesce(d.total, a.total_amount, 0)::int8 as total, m.paid, m.refunded,
  (select coalesce(sum(t.amount), 0)::int8 from tips t where t.sale_id = p0.id) as tips`
const joins = sql`left join sales s on s.id = p0.id left join appointments a on a.id = p0.id left join documents d on d.sale_id = p0.id and d.kind = 'invoice'
  left join customers k on k.id = coalesce(a.customer_id, s.customer_id)`

const listRow = { ...saleRowColumns, count: known(c.count) }
export type ListedSale = RowOf<typeof listRow>

export interface ListAsked extends Span {
  status: Status | null
  method: SaleMethod | null
  /** Only what was due by then. */
  due: Date | null
  memberId: string | null
  /** Folded words, and the text as typed for numbers. */
  words: string
  number: string
  offset: number
  limit: number
}
const someList: ListAsked = {
  instituteId: someId,
  from: new Date(0),
  to: new Date(1),
  status: null,
  method: null,
  due: null,
  memberId: null,
  words: '',
  number: '',
  offset: 0,
  limit: 10,
}
const like = (part: string): string => `%${part.replaceAll(/[\\%_]/g, '\\$&')}%`
/** What a sale has to be, and only what that asks for is looked at: of all time there are many. */
function conditions({ status, method, memberId, words, number }: ListAsked): { joins: RawBuilder<unknown>; where: RawBuilder<unknown> } {
  const ofMember = sql`(exists (select from segments g where g.appointment_id = a.id and g.member_id = ${memberId}::uuid)
    or exists (select from document_lines l where l.document_id = d.id and l.member_id = ${memberId}::uuid))`
  const ofWords = sql`(fold_name(coalesce(k.first_name || ' ' || k.last_name, d.parties ->> 'client', '')) like ${like(words)}
    or upper(${numberOf}) like ${like(number)}
    or exists (select from segments g where g.appointment_id = a.id and fold_name(concat_ws(' ', g.snapshot -> 'name' ->> 'en', g.snapshot -> 'name' ->> 'fr', g.snapshot -> 'name' ->> 'ar')) like ${like(words)})
    or exists (select from document_lines l where l.document_id = d.id and fold_name(l.name::text) like ${like(words)}))`
  const wanted = [
    ...(status === null ? [] : [sql`${statusOf} = ${status}::text`]),
    ...(method === null ? [] : [sql`exists (select from payments p where p.sale_id = p0.id and p.method = ${method}::text)`]),
    ...(memberId === null ? [] : [ofMember]),
    ...(words === '' ? [] : [ofWords]),
  ]
  return {
    joins: memberId === null && words === '' ? sql`left join appointments a on a.id = p0.id` : joins,
    where: wanted.length === 0 ? sql`true` : sql.join(wanted, sql` and `),
  }
}
/** One of each shape: what is not asked for is not in the statement. */
const shapes = (
  [{ status: 'pending' }, { method: 'cash' }, { memberId: someId }, { words: 'a', number: 'A' }, { due: new Date(0) }] as const
).reduce<readonly ListAsked[]>((all, one) => [...all, ...all.map((asked) => ({ ...asked, ...one }))], [someList])
const list = statement({ name: 'sales.list', row: listRow, tries: [someList, ...shapes.slice(1)] }, (asked: ListAsked) => {
  const { joins: looked, where } = conditions(asked)
  return sql`with found as materialized (
      select p0.id, p0.at, count(*) over () as count from (${asked.due === null ? within(asked) : dueWithin(asked, asked.due)}) p0 ${looked}
      where ${where} order by p0.at desc, p0.id desc offset ${asked.offset} limit ${asked.limit})
    select ${shownColumns}, p0.count from found p0 ${joins} ${names} ${money} order by p0.at desc, p0.id desc`
})
export const listSales = (db: Db, scope: SalesScope, asked: Omit<ListAsked, 'instituteId'>): Promise<ListedSale[]> =>
  list.all(db, { instituteId: scope.instituteId, ...asked })

type LatestAsked = Span & Pick<ListAsked, 'offset' | 'limit'>
const latest = statement(
  { name: 'sales.latest', row: saleRowColumns, tries: [{ instituteId: someId, from: new Date(0), to: new Date(1), offset: 0, limit: 10 }] },
  ({ instituteId, from, to, offset, limit }: LatestAsked) => sql`with found as materialized (
      select p0.id, p0.at from (
        (select s.id, s.sold_at as at from sales s where s.institute_id = ${instituteId} and s.sold_at >= ${from} and s.sold_at < ${to}
          order by s.sold_at desc, s.id desc limit ${offset + limit})
        union all
        (select a.id, a.starts_at from appointments a where a.institute_id = ${instituteId} and a.starts_at >= ${from} and a.starts_at < ${to}
          and ${life} <> 'held' and not exists (select from sales s where s.id = a.id) order by a.starts_at desc, a.id desc limit ${offset + limit})) p0
      order by p0.at desc, p0.id desc offset ${offset} limit ${limit})
    select ${shownColumns} from found p0 ${joins} ${names} ${money} order by p0.at desc, p0.id desc`,
)
/** A page of everything there is: read from the end of two indexes, without counting. */
export const latestSales = (db: Db, scope: SalesScope, asked: Omit<LatestAsked, 'instituteId'>): Promise<RowOf<typeof saleRowColumns>[]> =>
  latest.all(db, { instituteId: scope.instituteId, ...asked })

const one = statement(
  { name: 'sales.one', row: saleRowColumns, tries: [{ instituteId: someId, id: someId }] },
  ({ instituteId, id }: { instituteId: string; id: string }) => sql`
    select ${shownColumns} from (
      select coalesce(s.id, a.id) as id, coalesce(s.sold_at, a.starts_at) as at
      from (select ${id}::uuid as id) x left join sales s on s.id = x.id and s.institute_id = ${instituteId}
        left join appointments a on a.id = x.id and a.institute_id = ${instituteId} and ${life} <> 'held'
      where coalesce(s.id, a.id) is not null) p0 ${joins} ${names} ${money}`,
)
export const findSale = (db: Db, scope: SalesScope, id: string): Promise<RowOf<typeof saleRowColumns> | null> =>
  one.one(db, { instituteId: scope.instituteId, id })

const totalsRow = {
  count: known(c.count),
  taken: known(c.count),
  payments: known(c.count),
  refunded: known(c.count),
  tips: known(c.count),
  due: known(c.count),
  cancelledAmount: known(c.count),
  cancelledVisits: known(c.count),
  methods: known(c.json(z.array(z.object({ method: z.enum(saleMethods), amount: z.int() })))),
}
const totals = statement(
  { name: 'sales.totals', row: totalsRow, tries: [{ instituteId: someId, from: new Date(0), to: new Date(1) }] },
  ({ instituteId, from, to }: Span) => sql`with came as (
      select p.method, p.kind, p.amount from payments p where p.institute_id = ${instituteId} and p.at >= ${from} and p.at < ${to}),
    visit as (select a.id, ${life} as life, coalesce(a.payment, payment_of_status(a.status, null)) as payment, a.attendance, a.total_amount
      from appointments a where a.institute_id = ${instituteId} and a.starts_at >= ${from} and a.starts_at < ${to} and ${life} <> 'held')
    select (select count(*) from sales s where s.institute_id = ${instituteId} and s.sold_at >= ${from} and s.sold_at < ${to})
        + (select count(*) from visit v where not exists (select from sales s where s.id = v.id)) as count,
      (select coalesce(sum(case kind when 'refund' then -amount else amount end), 0)::int8 from came where method <> 'gift_card') as taken,
      (select count(*) from came where kind <> 'refund' and method <> 'gift_card') as payments,
      (select coalesce(sum(amount), 0)::int8 from came where kind = 'refund' and method <> 'gift_card') as refunded,
      (select coalesce(sum(t.amount), 0)::int8 from tips t join sales s on s.id = t.sale_id where t.institute_id = ${instituteId} and s.sold_at >= ${from} and s.sold_at < ${to}) as tips,
      (select coalesce(sum(greatest(v.total_amount - (select coalesce(sum(case p.kind when 'refund' then -p.amount else p.amount end), 0) from payments p where p.sale_id = v.id), 0)), 0)::int8
        from visit v where v.life = 'booked' and v.payment <> 'paid' and v.attendance <> 'no_show') as due,
      (select coalesce(sum(total_amount), 0)::int8 from visit where life = 'cancelled') as "cancelledAmount",
      (select count(*) from visit where life = 'cancelled') as "cancelledVisits",
      (select coalesce(jsonb_agg(jsonb_build_object('method', method, 'amount', amount) order by amount desc, method), '[]')
        from (select method, sum(case kind when 'refund' then -amount else amount end) as amount from came group by 1) m) as methods`,
)
/** What a stretch comes to; `count` is how many sales and visits without one there are. */
export const totalsBetween = async (db: Db, scope: TotalsScope, asked: Span): Promise<RowOf<typeof totalsRow>> => {
  const row = await totals.one(db, withinTotals(scope, asked))
  if (!row) throw new Error('totals without a row')
  return row
}

const takenRow = { taken: known(c.count) }
const taken = statement(
  { name: 'sales.taken', row: takenRow, tries: [{ instituteId: someId, from: new Date(0), to: new Date(1) }] },
  ({
    instituteId,
    from,
    to,
  }: Span) => sql`select coalesce(sum(case p.kind when 'refund' then -p.amount else p.amount end), 0)::int8 as taken
    from payments p where p.institute_id = ${instituteId} and p.at >= ${from} and p.at < ${to} and p.method <> 'gift_card'`,
)
export const takenBetween = async (db: Db, scope: SalesScope, from: Date, to: Date): Promise<number> =>
  (await taken.one(db, { instituteId: scope.instituteId, from, to }))?.taken ?? 0

const aboutRow = { timeZone: c.text, currency: c.text, firstAt: orNull(c.instant) }
const about = statement(
  { name: 'sales.institute', row: aboutRow, tries: [someId] },
  (id: string) => sql`select i.time_zone as "timeZone", i.currency,
      least((select min(a.starts_at) from appointments a where a.institute_id = i.id), (select min(s.sold_at) from sales s where s.institute_id = i.id),
        (select min(p.at) from payments p where p.institute_id = i.id)) as "firstAt"
    from institutes i where i.id = ${id}`,
)
export const instituteOf = (db: Db, scope: InstituteScope<never>): Promise<RowOf<typeof aboutRow> | null> =>
  about.one(db, scope.instituteId)

const member = statement(
  { name: 'sales.isMember', row: { id: c.uuid }, tries: [{ instituteId: someId, id: someId }] },
  ({ instituteId, id }: { instituteId: string; id: string }) =>
    sql`select id from team_members where id = ${id} and institute_id = ${instituteId}`,
)
export const isMember = async (db: Db, scope: SalesScope, id: string): Promise<boolean> =>
  (await member.one(db, { instituteId: scope.instituteId, id })) !== null

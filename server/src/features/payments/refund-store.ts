/** Money that goes back, as it is written, and what was paid online for a visit. */
import { locales, paymentMethods, type RefundRefusal, refundRefusals } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { isReached, type Reach, reachedBy } from '#/features/visits/service.ts'
import type { Actor, InstituteScope, SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

export const refundReasons = [
  'late_payment',
  'cancelled_by_client',
  'cancelled_by_institute',
  'credit_note',
  'fee_waived',
  'service_removed',
] as const
export type RefundReason = (typeof refundReasons)[number]

export interface NewRefund {
  checkoutId: string
  visitId: string
  amount: number
  currency: string
  reason: RefundReason
}
const someNew: NewRefund & { instituteId: string; now: Date } = {
  instituteId: someId,
  checkoutId: someId,
  visitId: someId,
  amount: 1,
  currency: 'EUR',
  reason: 'late_payment',
  now: new Date(0),
}
const insert = statement(
  { name: 'payments.insertRefund', row: { id: c.uuid }, tries: [someNew] },
  (r: typeof someNew) => sql`insert into refunds (institute_id, checkout_id, appointment_id, amount, currency, reason, made_at)
    values (${r.instituteId}, ${r.checkoutId}, ${r.visitId}, ${r.amount}, ${r.currency}, ${r.reason}, ${r.now}) returning id`,
)
export async function insertRefund(unit: Unit, refund: NewRefund): Promise<string> {
  const row = await insert.one(unit.db, { ...refund, instituteId: unit.instituteId, now: new Date(unit.now) })
  if (!row) throw new Error('a refund was not made')
  return row.id
}

const toSendRow = {
  id: c.uuid,
  instituteId: c.uuid,
  /** Of the checkout whose money it is. */
  accountId: orNull(c.text),
  amount: c.int,
  currency: c.text,
  provider: orNull(c.text),
  /** How the provider calls the payment. */
  reference: orNull(c.text),
  /** How often it was refused. */
  refusals: known(c.int),
}
export type RefundToSend = RowOf<typeof toSendRow>
const claim = statement(
  { name: 'payments.claimRefunds', row: toSendRow, tries: [{ leaseMs: 1, limit: 1 }] },
  ({ leaseMs, limit }: { leaseMs: number; limit: number }) => sql`
    with next as (select r.id from refunds r where r.state = 'waiting' and r.reference is null and (r.claimed_until is null or r.claimed_until < clock_timestamp())
        order by r.made_at limit ${limit} for update skip locked)
    update refunds r set claimed_until = clock_timestamp() + ${leaseMs} * interval '1 ms' from next, checkouts k
      where r.id = next.id and k.id = r.checkout_id
      returning r.id, r.institute_id as "instituteId", k.account_id as "accountId", r.amount, r.currency, k.provider, k.reference, cardinality(r.refused) as refusals`,
)
/** Those nobody sends at the moment; they are the caller's for a while. */
export const claimRefunds = (db: Db, _scope: SystemScope, asked: { leaseMs: number; limit: number }): Promise<RefundToSend[]> =>
  claim.all(db, asked)

interface Ended {
  id: string
  state: 'waiting' | 'done' | 'failed'
  reference: string | null
  why: RefundRefusal | null
}
const end = statement(
  {
    name: 'payments.endRefund',
    row: {},
    tries: [{ id: someId, instituteId: someId, state: 'done', reference: null, why: null, now: new Date(0) }],
  },
  ({ id, instituteId, state, reference, why, now }: Ended & { instituteId: string; now: Date }) => sql`
    update refunds set state = ${state}, reference = coalesce(${reference}::text, reference), why = ${state === 'failed' ? why : null},
      ended_at = case when ${state} = 'waiting' then null else ${now}::timestamptz end
    where id = ${id} and institute_id = ${instituteId} and state = 'waiting' and coalesce(${reference}::text <> all (refused), true)`,
)
/** False when it has ended before, and for what is said of a try that was refused. */
export const noteRefund = async (unit: Unit, ended: Ended): Promise<boolean> =>
  (await end.run(unit.db, { ...ended, instituteId: unit.instituteId, now: new Date(unit.now) })) > 0

const aboutRow = { instituteId: c.uuid, visitId: c.uuid, state: c.oneOf(['waiting', 'done', 'failed']), isSettled: known(c.bool) }
const about = statement(
  { name: 'payments.refund', row: aboutRow, tries: [{ id: someId, instituteId: null }] },
  ({ id, instituteId }: { id: string; instituteId: string | null }) =>
    sql`select institute_id as "instituteId", appointment_id as "visitId", state, settled_at is not null as "isSettled"
      from refunds where id = ${id} and (${instituteId}::uuid is null or institute_id = ${instituteId}::uuid)`,
)
export const findRefund = (
  db: Db,
  scope: SystemScope | InstituteScope<'sales.refund'>,
  id: string,
): Promise<RowOf<typeof aboutRow> | null> => about.one(db, { id, instituteId: scope.kind === 'institute' ? scope.instituteId : null })

/** People of the institute who see its money. */
export type MoneyScope = InstituteScope<never>

const refusedRow = {
  id: c.uuid,
  saleId: orNull(c.uuid),
  client: orNull(known(c.text)),
  amount: c.int,
  currency: c.text,
  method: c.oneOf(paymentMethods),
  at: known(c.instant),
  why: orNull(c.oneOf(refundRefusals)),
  how: orNull(c.text),
  settledAt: orNull(c.instant),
  settledBy: orNull(known(c.text)),
}
export type RefusedRow = RowOf<typeof refusedRow>
/** More of them at once say nothing more. */
const mostRefused = 20
interface OfRefused {
  instituteId: string
  saleId: string | null
}
const refused = statement(
  {
    name: 'payments.refused',
    row: refusedRow,
    tries: [
      { instituteId: someId, saleId: null },
      { instituteId: someId, saleId: someId },
    ],
  },
  ({ instituteId, saleId }: OfRefused) => sql`
    select r.id, s.id as "saleId", nullif(concat_ws(' ', u.first_name, u.last_name), '') as client, r.amount, r.currency, k.payment_method as method,
      r.ended_at as at, r.why, r.settled_how as how, r.settled_at as "settledAt",
      (select coalesce(t.name, nullif(concat_ws(' ', p.first_name, p.last_name), '')) from users p
        left join team_members t on t.user_id = p.id and t.institute_id = r.institute_id where p.id = (r.settled_by ->> 'userId')::uuid limit 1) as "settledBy"
    from refunds r join checkouts k on k.id = r.checkout_id left join users u on u.id = k.user_id left join sales s on s.id = r.appointment_id
    where r.institute_id = ${instituteId} and r.state = 'failed' and case when ${saleId}::uuid is null then r.settled_at is null else s.id = ${saleId} end
    order by r.ended_at desc, r.id limit ${mostRefused}`,
)
/** What providers refused to give back: all of one sale, or what waits for somebody; the last first. */
export const refusedRefunds = (db: Db, scope: MoneyScope, saleId: string | null): Promise<RefusedRow[]> =>
  refused.all(db, { instituteId: scope.instituteId, saleId })

const again = statement(
  { name: 'payments.refundAgain', row: {}, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: { id: string; instituteId: string }) => sql`
    update refunds set state = 'waiting', ended_at = null, claimed_until = null, refused = array_append(refused, coalesce(reference, '')), reference = null, why = null
    where id = ${id} and institute_id = ${instituteId} and state = 'failed' and settled_at is null`,
)
/** False for what was not refused, and for what was paid back otherwise. */
export const refundAgain = async (unit: Unit, id: string): Promise<boolean> =>
  (await again.run(unit.db, { id, instituteId: unit.instituteId })) > 0

const settle = statement(
  { name: 'payments.settleRefund', row: {}, tries: [{ id: someId, instituteId: someId, how: 'h', by: {}, now: new Date(0) }] },
  ({ id, instituteId, how, by, now }: { id: string; instituteId: string; how: string; by: object; now: Date }) => sql`
    update refunds set settled_how = ${how}, settled_by = ${JSON.stringify(by)}::jsonb, settled_at = ${now}
    where id = ${id} and institute_id = ${instituteId} and state = 'failed' and settled_at is null`,
)
/** False for what was not refused, and for what was settled before. */
export const settleRefund = async (unit: Unit, { id, how, by }: { id: string; how: string; by: Actor }): Promise<boolean> =>
  (await settle.run(unit.db, { id, how, by, instituteId: unit.instituteId, now: new Date(unit.now) })) > 0

const onlineRow = {
  checkoutId: c.uuid,
  method: c.oneOf(paymentMethods),
  /** What it took and has not given back. */
  left: known(c.count),
  /** The bank of its client took it back, or has not decided yet: a refund of it is refused. */
  isAtBank: known(c.bool),
}
export type OnlineMoney = RowOf<typeof onlineRow>
interface OfSale {
  instituteId: string
  saleId: string
}
const online = statement(
  { name: 'payments.online', row: onlineRow, tries: [{ instituteId: someId, saleId: someId }] },
  ({ instituteId, saleId }: OfSale) => sql`select k.id as "checkoutId", k.payment_method as method,
      sum(case p.kind when 'refund' then -p.amount else p.amount end)::int8 as left,
      exists (select from disputes d where d.checkout_id = k.id and d.state <> 'won') as "isAtBank"
    from payments p join checkouts k on k.id = p.checkout_id where p.sale_id = ${saleId} and p.institute_id = ${instituteId}
    group by k.id having sum(case p.kind when 'refund' then -p.amount else p.amount end) > 0 order by min(p.at) desc, k.id`,
)
/** What each checkout of a sale has left, the last first. */
export const onlineMoney = (db: Db, _scope: SystemScope, sale: OfSale): Promise<OnlineMoney[]> => online.all(db, sale)

const besideRow = { counter: known(c.count), kept: known(c.count), locale: orNull(known(c.oneOf(locales))) }
const beside = statement(
  { name: 'payments.beside', row: besideRow, tries: [{ instituteId: someId, saleId: someId }] },
  ({ instituteId, saleId }: OfSale) => sql`select
      (select coalesce(sum(case p.kind when 'refund' then -p.amount else p.amount end), 0)::int8 from payments p
        where p.sale_id = ${saleId} and p.institute_id = ${instituteId} and p.checkout_id is null) as counter,
      (select coalesce(sum(k.amount), 0)::int8 from kept_deposits k where k.sale_id = ${saleId} and k.institute_id = ${instituteId}) as kept,
      (select u.locale from appointments a join users u on u.id = a.user_id where a.id = ${saleId}) as locale`,
)
/** What was paid for a sale at the counter, what of it was kept, and the language of its client. */
export const besideOf = async (db: Db, _scope: SystemScope, sale: OfSale): Promise<RowOf<typeof besideRow>> =>
  (await beside.one(db, sale)) ?? { counter: 0, kept: 0, locale: null }

const back = statement(
  { name: 'payments.markRefunded', row: {}, tries: [{ id: someId, instituteId: someId }] },
  ({ id, instituteId }: { id: string; instituteId: string }) =>
    sql`update appointments set payment = 'refunded' where id = ${id} and institute_id = ${instituteId} and life = 'cancelled'`,
)
export const markRefunded = (unit: Unit, id: string): Promise<number> => back.run(unit.db, { id, instituteId: unit.instituteId })

const paidRow = { id: c.uuid, instituteId: c.uuid }
const cancelledPaid = statement(
  { name: 'payments.cancelledPaid', row: paidRow, tries: [[someId]] },
  (ids: readonly string[]) => sql`select id, institute_id as "instituteId" from appointments
    where id = any(${ids}::uuid[]) and life = 'cancelled' and payment in ('deposit_paid', 'paid') order by institute_id, id`,
)
/** Those of some visits that are cancelled while something is paid of them. */
export const cancelledWithMoney = (db: Db, _scope: SystemScope, ids: readonly string[]): Promise<RowOf<typeof paidRow>[]> =>
  cancelledPaid.all(db, ids)

const sumRow = {
  paid: known(c.count),
  /** By its cancellation. */
  refunded: known(c.count),
  /** Of that what a bank took back before. */
  atBank: known(c.count),
  kept: known(c.count),
  /** What neither went back at any time nor is kept. */
  left: known(c.count),
}
const sums = statement(
  { name: 'payments.sums', row: sumRow, tries: [{ instituteId: someId, saleId: someId, userId: null }] },
  ({ instituteId, saleId, userId }: OfSale & Reach) => sql`select m.paid, m.paid - m.back - k.kept as left, k.kept, b.refunded, b."atBank"
    from (select coalesce(sum(r.amount), 0)::int8 as refunded, coalesce(sum(r.amount) filter (where exists (
          select from disputes d where d.checkout_id = r.checkout_id and d.state <> 'won')), 0)::int8 as "atBank"
        from refunds r where r.appointment_id = ${saleId} and r.institute_id = ${instituteId}
          and r.reason in ('cancelled_by_client', 'cancelled_by_institute')) b,
      (select coalesce(sum(p.amount) filter (where p.kind <> 'refund'), 0)::int8 as paid, coalesce(sum(p.amount) filter (where p.kind = 'refund'), 0)::int8 as back
        from payments p where p.sale_id = ${saleId} and p.institute_id = ${instituteId}) m,
      (select coalesce(sum(k.amount), 0)::int8 as kept from kept_deposits k where k.sale_id = ${saleId} and k.institute_id = ${instituteId}) k
    where ${isReached(saleId, { userId })}`,
)
/** What was paid for a visit, went back and was kept. */
export const moneyOf = async (db: Db, scope: SystemScope | SelfScope, sale: OfSale): Promise<RowOf<typeof sumRow>> =>
  (await sums.one(db, reachedBy(scope, sale))) ?? { paid: 0, refunded: 0, atBank: 0, kept: 0, left: 0 }

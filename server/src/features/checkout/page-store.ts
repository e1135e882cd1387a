/** Pages on which somebody pays, what providers said of them, and what an institute asks for. */
import { locales, paymentMethods, refundRefusals } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import type { ProviderWord } from '#/features/payments/service.ts'
import { isReached, type Reach, reachedBy } from '#/features/visits/service.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import { checkoutKinds } from './store.ts'

const ruleRow = {
  currency: c.text,
  payAtSalon: known(c.bool),
  methods: known(c.list(c.oneOf(paymentMethods))),
  /** By the rules of its services and of the institute, and what has to be paid online first: that, or all. */
  deposit: known(c.int),
  first: known(c.int),
  /** What it charges whoever cancels late or does not come. */
  lateFee: known(c.int),
  noShowFee: known(c.int),
  graceMinutes: known(c.int),
}
export type PaymentRule = RowOf<typeof ruleRow>
interface RuleAsked {
  visitId: string
  needsAccount: boolean | null
}
const someRule: RuleAsked & { userId: string } = { visitId: someId, needsAccount: true, userId: someId }
const rule = statement(
  { name: 'checkout.rule', row: ruleRow, tries: [someRule] },
  ({ visitId, needsAccount, userId }: typeof someRule) => sql`select i.currency, i.pay_at_salon or not o.takes as "payAtSalon",
      case when o.takes then i.payment_methods else '{}' end as methods,
      case when o.takes then deposit_of_visit(a.id) else 0 end as deposit, case when o.takes then paid_first_of_visit(a.id) else 0 end as first,
      case when o.takes then f.late else 0 end as "lateFee", case when o.takes then f.no_show else 0 end as "noShowFee", f.grace_minutes as "graceMinutes"
    from appointments a join institutes i on i.id = a.institute_id cross join lateral fees_of(i.id, a.total_amount) f cross join lateral (select takes_online(i.id, ${needsAccount}) as takes) o
    where a.id = ${visitId} and a.user_id = ${userId}`,
)
/** What is asked for before a visit of one's own: nothing online where it needs an account and has none that takes money. */
export async function ruleOf(db: Db, scope: SelfScope, asked: RuleAsked): Promise<PaymentRule> {
  const row = await rule.one(db, { ...asked, userId: scope.userId })
  if (!row) throw new Error(`no visit ${asked.visitId}`)
  return row
}

const paidRow = { paid: known(c.count), tips: known(c.count) }
const paid = statement(
  { name: 'checkout.paid', row: paidRow, tries: [{ instituteId: someId, saleId: someId, userId: null }] },
  ({ instituteId, saleId, userId }: { instituteId: string; saleId: string } & Reach) => sql`select
      (select coalesce(sum(case p.kind when 'refund' then -p.amount else p.amount end), 0)::int8 from payments p where p.sale_id = ${saleId} and p.institute_id = ${instituteId}) as paid,
      (select coalesce(sum(t.amount), 0)::int8 from tips t where t.sale_id = ${saleId} and t.institute_id = ${instituteId}) as tips
    where ${isReached(saleId, { userId })}`,
)
/** What was paid for a visit so far. */
export const paidOf = async (db: Db, scope: SelfScope | SystemScope, instituteId: string, saleId: string): Promise<number> => {
  const row = await paid.one(db, reachedBy(scope, { instituteId, saleId }))
  return row ? row.paid - row.tips : 0
}

const orderRow = {
  id: c.uuid,
  instituteId: c.uuid,
  accountId: orNull(c.text),
  userId: orNull(c.uuid),
  visitId: c.uuid,
  state: c.text,
  amount: c.int,
  currency: c.text,
  method: c.oneOf(paymentMethods),
  until: c.instant,
  locale: orNull(known(c.oneOf(locales))),
  returnTo: orNull(c.text),
  kind: c.oneOf(checkoutKinds),
  keepsCard: c.bool,
  email: orNull(known(c.text)),
  institute: c.text,
  timeZone: c.text,
  startsAt: orNull(c.instant),
}
export type PageFacts = RowOf<typeof orderRow>
const order = statement(
  { name: 'checkout.pageFacts', row: orderRow, tries: [someId] },
  (
    id: string,
  ) => sql`select k.id, k.institute_id as "instituteId", k.account_id as "accountId", k.user_id as "userId", k.appointment_id as "visitId", k.state, k.amount, k.currency, k.payment_method as method, k.until,
      k.locale, k.return_to as "returnTo", k.kind, k.keeps_card as "keepsCard", u.email::text as email, i.name as institute, i.time_zone as "timeZone", a.starts_at as "startsAt"
    from checkouts k join institutes i on i.id = k.institute_id left join users u on u.id = k.user_id left join appointments a on a.id = k.appointment_id where k.id = ${id}`,
)
export const pageFacts = (db: Db, _scope: SystemScope, id: string): Promise<PageFacts | null> => order.one(db, id)

const page = statement(
  { name: 'checkout.setPage', row: {}, tries: [{ id: someId, provider: 'sandbox', pageId: 'p', url: 'u' }] },
  ({ id, provider, pageId, url }: { id: string; provider: string; pageId: string; url: string }) =>
    sql`update checkouts set provider = ${provider}, page_id = ${pageId}, url = ${url} where id = ${id}`,
)
export const setPage = (
  db: Db,
  _scope: SystemScope,
  asked: { id: string; provider: string; pageId: string; url: string },
): Promise<number> => page.run(db, asked)

const toAskRow = {
  id: c.uuid,
  instituteId: c.uuid,
  accountId: orNull(c.text),
  provider: orNull(c.text),
  pageId: orNull(c.text),
  /** Its time is over, or nobody waits for it any more. */
  isOver: known(c.bool),
  isLate: known(c.bool),
}
export type PageToAsk = RowOf<typeof toAskRow>
const toAsk = statement(
  { name: 'checkout.pagesToAsk', row: toAskRow, tries: [{ now: new Date(0), before: new Date(0), limit: 1 }] },
  ({ now, before, limit }: { now: Date; before: Date; limit: number }) => sql`
    with next as (select k.id from checkouts k where k.state = 'open' and k.kind <> 'charge' and k.begun_at <= ${before} order by k.asked_at nulls first, k.begun_at limit ${limit} for update skip locked)
    update checkouts k set asked_at = ${now} from next where k.id = next.id
      returning k.id, k.institute_id as "instituteId", k.account_id as "accountId", k.provider, k.page_id as "pageId", k.until <= ${now} as "isLate",
        k.until <= ${now} or not exists (select from appointments a where a.id = k.appointment_id
          and case k.kind when 'fee' then exists (select from fees f where f.id = k.fee_id and f.state in ('asked', 'unpaid')) when 'hold' then a.payment = 'awaiting' and a.expires_at is not null else a.life = 'booked' and a.payment <> 'paid' end) as "isOver"`,
)
/** Open checkouts that were begun before, those that were not asked about for the longest time first. */
export const pagesToAsk = (db: Db, _scope: SystemScope, asked: { now: Date; before: Date; limit: number }): Promise<PageToAsk[]> =>
  toAsk.all(db, asked)

interface Heard {
  provider: string
  subjectId: string | null
  word: ProviderWord
  now: Date
}
const hear = statement(
  {
    name: 'checkout.keepWord',
    row: {},
    tries: [{ provider: 'sandbox', subjectId: null, word: { id: 'w', at: 0, kind: 'other', name: 'n' }, now: new Date(0) } as Heard],
  },
  ({ provider, subjectId, word, now }: Heard) => sql`insert into payment_words (provider, id, subject_id, word, heard_at)
    values (${provider}, ${word.id}, ${subjectId}, ${JSON.stringify(word)}::jsonb, ${now}) on conflict do nothing`,
)
/** False for a word that was heard before. */
export const keepWord = async (db: Unit['db'], heard: Heard): Promise<boolean> => (await hear.run(db, heard)) > 0

const payerRow = { userId: known(c.uuid), institute: c.text }
const payer = statement(
  { name: 'checkout.payerOfRefund', row: payerRow, tries: [someId] },
  (
    id: string,
  ) => sql`select k.user_id as "userId", i.name as institute from refunds r join checkouts k on k.id = r.checkout_id join institutes i on i.id = r.institute_id
    where r.id = ${id} and k.user_id is not null`,
)
export const payerOfRefund = (db: Db, _scope: SystemScope, id: string): Promise<RowOf<typeof payerRow> | null> => payer.one(db, id)

const refusedRow = {
  /** Null where the money never was of a sale: it came too late. */
  saleId: orNull(c.uuid),
  amount: c.int,
  currency: c.text,
  why: orNull(c.oneOf(refundRefusals)),
  client: orNull(known(c.text)),
  institute: c.text,
  ownerId: c.uuid,
  email: known(c.text),
  firstName: c.text,
  locale: c.oneOf(locales),
}
const refusedRefund = statement(
  { name: 'checkout.refusedRefund', row: refusedRow, tries: [someId] },
  (
    id: string,
  ) => sql`select s.id as "saleId", r.amount, r.currency, r.why, nullif(concat_ws(' ', u.first_name, u.last_name), '') as client, i.name as institute,
      o.id as "ownerId", o.email::text as email, o.first_name as "firstName", o.locale
    from refunds r join institutes i on i.id = r.institute_id join users o on o.id = i.owner_id
      join checkouts k on k.id = r.checkout_id left join users u on u.id = k.user_id left join sales s on s.id = r.appointment_id
    where r.id = ${id}`,
)
/** Whose money a provider did not give back, and the owner who is told. */
export const refusedRefundOf = (db: Db, _scope: SystemScope, id: string): Promise<RowOf<typeof refusedRow> | null> =>
  refusedRefund.one(db, id)

const toSendRow = {
  id: c.uuid,
  instituteId: c.uuid,
  amount: c.int,
  currency: c.text,
  institute: c.text,
  /** Null where the card is gone. */
  token: orNull(c.text),
  provider: orNull(c.text),
  /** On which account it is kept. */
  accountId: orNull(c.text),
}
export type ChargeToSend = RowOf<typeof toSendRow>
interface ChargesAsked {
  leaseMs: number
  limit: number
  /** That of one fee alone. */
  feeId: string | null
}
const claim = statement(
  {
    name: 'checkout.claimCharges',
    row: toSendRow,
    tries: [
      { leaseMs: 1, limit: 1, feeId: null },
      { leaseMs: 1, limit: 1, feeId: someId },
    ],
  },
  ({ leaseMs, limit, feeId }: ChargesAsked) => sql`
    with next as (select k.id, k.appointment_id from checkouts k where k.state = 'open' and k.kind = 'charge' and (${feeId}::uuid is null or k.fee_id = ${feeId}) and (k.claimed_until is null or k.claimed_until < clock_timestamp())
        order by k.begun_at limit ${limit} for update skip locked)
    update checkouts k set claimed_until = clock_timestamp() + ${leaseMs} * interval '1 ms', provider = s.provider, account_id = s.account_id
      from next n join fee_terms t on t.appointment_id = n.appointment_id left join saved_cards s on s.id = t.card_id and s.removed_at is null, institutes i
      where k.id = n.id and i.id = k.institute_id
      returning k.id, k.institute_id as "instituteId", k.amount, k.currency, i.name as institute, s.token, s.provider, s.account_id as "accountId"`,
)
/** Those nobody sends at the moment; they are the caller's for a while. */
export const claimCharges = (db: Db, _scope: SystemScope, asked: ChargesAsked): Promise<ChargeToSend[]> => claim.all(db, asked)

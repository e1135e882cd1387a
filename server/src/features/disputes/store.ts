/** Disputes as rows. */
import { disputeReasons, locales, paymentMethods } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import type { InstituteScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import type { DisputeReason } from '#/platform/payment-provider.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

export const disputeStates = ['open', 'won', 'lost'] as const
export type DisputeState = (typeof disputeStates)[number]

const paymentRow = { instituteId: c.uuid, checkoutId: c.uuid, visitId: c.uuid, saleId: orNull(c.uuid) }
export type DisputedPayment = RowOf<typeof paymentRow>
interface Named {
  provider: string
  reference: string
  accountId: string | null
}
const payment = statement(
  { name: 'disputes.payment', row: paymentRow, tries: [{ provider: 'stripe', reference: 'r', accountId: null }] },
  ({
    provider,
    reference,
    accountId,
  }: Named) => sql`select k.institute_id as "instituteId", k.id as "checkoutId", k.appointment_id as "visitId",
      case when k.state = 'paid' then s.id end as "saleId"
    from checkouts k left join sales s on s.id = k.appointment_id
    where k.reference = ${reference} and k.provider = ${provider} and k.account_id is not distinct from ${accountId}::text and k.state in ('paid', 'refund_due') limit 1`,
)
/** The payment of this site that a provider calls so; null for one of somebody else. */
export const findPayment = (db: Db, _scope: SystemScope, named: Named): Promise<DisputedPayment | null> => payment.one(db, named)

const storedRow = { id: c.uuid, state: c.oneOf(disputeStates), amount: c.int, currency: c.text }
const stored = statement(
  { name: 'disputes.lock', row: storedRow, tries: [{ provider: 'stripe', reference: 'd', instituteId: someId }] },
  ({ provider, reference, instituteId }: { provider: string; reference: string; instituteId: string }) =>
    sql`select id, state, amount, currency from disputes where provider = ${provider} and reference = ${reference} and institute_id = ${instituteId} for update`,
)
export const lockDispute = (unit: Unit, provider: string, reference: string): Promise<RowOf<typeof storedRow> | null> =>
  stored.one(unit.db, { provider, reference, instituteId: unit.instituteId })

interface NewDispute {
  checkoutId: string
  visitId: string
  saleId: string | null
  provider: string
  reference: string
  amount: number
  currency: string
  state: DisputeState
  why: DisputeReason | null
  answerBy: Date | null
  openedAt: Date
}
const some: NewDispute = {
  checkoutId: someId,
  visitId: someId,
  saleId: null,
  provider: 'stripe',
  reference: 'd',
  amount: 1,
  currency: 'EUR',
  state: 'open',
  why: null,
  answerBy: null,
  openedAt: new Date(0),
}
const insert = statement(
  { name: 'disputes.insert', row: { id: c.uuid }, tries: [{ ...some, instituteId: someId }] },
  (d: NewDispute & { instituteId: string }) => sql`insert into disputes
      (institute_id, checkout_id, appointment_id, sale_id, provider, reference, amount, currency, state, why, answer_by, opened_at, ended_at)
    values (${d.instituteId}, ${d.checkoutId}, ${d.visitId}, ${d.saleId}, ${d.provider}, ${d.reference}, ${d.amount}, ${d.currency}, ${d.state}, ${d.why}, ${d.answerBy}, ${d.openedAt},
      case when ${d.state} = 'open' then null else ${d.openedAt}::timestamptz end) returning id`,
)
export async function insertDispute(unit: Unit, dispute: NewDispute): Promise<string> {
  const row = await insert.one(unit.db, { ...dispute, instituteId: unit.instituteId })
  if (!row) throw new Error('a dispute that was inserted is not there')
  return row.id
}

interface Change {
  id: string
  state: DisputeState
  answerBy: Date | null
  now: Date
}
const change = statement(
  { name: 'disputes.change', row: {}, tries: [{ id: someId, instituteId: someId, state: 'won', answerBy: null, now: new Date(0) }] },
  ({
    id,
    instituteId,
    state,
    answerBy,
    now,
  }: Change & { instituteId: string }) => sql`update disputes set state = ${state}, answer_by = coalesce(${answerBy}, answer_by),
      ended_at = case when ${state} = 'open' then null else ${now}::timestamptz end where id = ${id} and institute_id = ${instituteId}`,
)
export const changeDispute = async (unit: Unit, changed: Change): Promise<void> =>
  void (await change.run(unit.db, { ...changed, instituteId: unit.instituteId }))

const shownRow = {
  id: c.uuid,
  saleId: orNull(c.uuid),
  client: orNull(known(c.text)),
  amount: c.int,
  currency: c.text,
  method: c.oneOf(paymentMethods),
  state: c.oneOf(disputeStates),
  why: orNull(c.oneOf(disputeReasons)),
  openedAt: c.instant,
  answerBy: orNull(c.instant),
  endedAt: orNull(c.instant),
}
export type ShownDispute = RowOf<typeof shownRow>
/** More of them at once say nothing more. */
const mostShown = 20
const shown = statement(
  {
    name: 'disputes.shown',
    row: shownRow,
    tries: [
      { instituteId: someId, saleId: null },
      { instituteId: someId, saleId: someId },
    ],
  },
  ({ instituteId, saleId }: { instituteId: string; saleId: string | null }) => sql`
    select d.id, d.sale_id as "saleId", nullif(concat_ws(' ', u.first_name, u.last_name), '') as client, d.amount, d.currency, k.payment_method as method,
      d.state, d.why, d.opened_at as "openedAt", d.answer_by as "answerBy", d.ended_at as "endedAt"
    from disputes d join checkouts k on k.id = d.checkout_id left join users u on u.id = k.user_id
    where d.institute_id = ${instituteId} and case when ${saleId}::uuid is null then d.state = 'open' else d.sale_id = ${saleId} end
    order by d.answer_by nulls last, d.opened_at desc, d.id limit ${mostShown}`,
)
/** All of one sale, or those of the institute that are not decided; what has to be answered soonest first. */
export const readDisputes = (db: Db, scope: InstituteScope<never>, saleId: string | null): Promise<ShownDispute[]> =>
  shown.all(db, { instituteId: scope.instituteId, saleId })

const toldRow = {
  saleId: orNull(c.uuid),
  amount: c.int,
  currency: c.text,
  answerBy: orNull(c.instant),
  client: orNull(known(c.text)),
  institute: c.text,
  timeZone: c.text,
  ownerId: c.uuid,
  email: known(c.text),
  firstName: c.text,
  locale: c.oneOf(locales),
}
const told = statement(
  { name: 'disputes.told', row: toldRow, tries: [someId] },
  (
    id: string,
  ) => sql`select d.sale_id as "saleId", d.amount, d.currency, d.answer_by as "answerBy", nullif(concat_ws(' ', u.first_name, u.last_name), '') as client,
      i.name as institute, i.time_zone as "timeZone", o.id as "ownerId", o.email::text as email, o.first_name as "firstName", o.locale
    from disputes d join institutes i on i.id = d.institute_id join users o on o.id = i.owner_id
      join checkouts k on k.id = d.checkout_id left join users u on u.id = k.user_id where d.id = ${id}`,
)
/** What its letter says, and to whom: the owner. */
export const toldOf = (db: Db, _scope: SystemScope, id: string): Promise<RowOf<typeof toldRow> | null> => told.one(db, id)

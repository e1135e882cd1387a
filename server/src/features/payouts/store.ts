/** Payouts as rows. */
import { locales, type Money, money, payoutMoveKinds, payoutProblems, payoutStates } from '@soigne/contract/wire'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import type { InstituteScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import type { ProviderPayout, ProviderPayoutMove } from '#/platform/payment-provider.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

/** People who see what reaches the bank. */
export type PayoutScope = InstituteScope<'payouts.read'>

interface Due {
  provider: string
  /** Those that were paid since. */
  paidSince: Date
  /** Not tried since. */
  triedBefore: Date
}
const dueRow = { instituteId: c.uuid, accountId: orNull(c.text) }
const due = statement(
  {
    name: 'payouts.due',
    row: dueRow,
    tries: [{ provider: 'stripe', paidSince: new Date(0), triedBefore: new Date(1) }],
  },
  ({ provider, paidSince, triedBefore }: Due) => sql`select k.institute_id as "instituteId", k.account_id as "accountId" from (
      select distinct x.institute_id, x.account_id from checkouts x where x.provider = ${provider} and x.begun_at >= ${paidSince} and x.reference is not null) k
    where not exists (select from payout_reads r where r.institute_id = k.institute_id and r.provider = ${provider} and r.tried_at > ${triedBefore})
    order by k.institute_id, k.account_id nulls last limit 200`,
)
/** Institutes that were paid online, with their accounts, whose payouts were not asked for lately. */
export const payoutsDue = (db: Db, _scope: SystemScope, asked: Due): Promise<RowOf<typeof dueRow>[]> => due.all(db, asked)

interface Written {
  instituteId: string
  provider: string
}
const someWritten: Written = { instituteId: someId, provider: 'stripe' }
const somePayout: ProviderPayout = {
  reference: 'po',
  amount: 1,
  currency: 'EUR',
  state: 'coming',
  problem: null,
  at: 0,
  arrivesOn: '2026-11-28',
}
const putRow = { id: c.uuid, reference: c.text, amount: c.int, currency: c.text, isUnread: known(c.bool), isRefusedSince: known(c.bool) }
const put = statement(
  { name: 'payouts.put', row: putRow, tries: [{ ...someWritten, payouts: [somePayout] }] },
  ({ instituteId, provider, payouts }: Written & { payouts: readonly ProviderPayout[] }) => sql`
    insert into payouts as p (institute_id, provider, reference, amount, currency, state, problem, made_at, arrives_on)
    select ${instituteId}, ${provider}, g.reference, g.amount, g.currency, g.state, g.problem, to_timestamp(g.at / 1000.0), g."arrivesOn"
    from jsonb_to_recordset(${JSON.stringify(payouts)}::jsonb) as g(reference text, amount int, currency text, state text, problem text, at int8, "arrivesOn" date)
    on conflict (institute_id, provider, reference) do update set state = excluded.state, problem = excluded.problem, arrives_on = excluded.arrives_on
    returning new.id, new.reference, new.amount, new.currency, new.parts = 'unread' as "isUnread",
      new.state = 'failed' and old.state is distinct from 'failed' as "isRefusedSince"`,
)
/** Writes what the provider says of them now: whose parts nobody has read yet, and which were not known to be refused. */
export const putPayouts = (
  db: Db,
  _scope: SystemScope,
  written: Written & { payouts: readonly ProviderPayout[] },
): Promise<RowOf<typeof putRow>[]> => put.all(db, written)

interface Parts extends Written {
  payoutId: string
  accountId: string | null
  moves: readonly ProviderPayoutMove[]
}
const someParts: Parts = { ...someWritten, payoutId: someId, accountId: null, moves: [] }
const putParts = statement(
  { name: 'payouts.putMoves', row: {}, tries: [someParts] },
  ({ instituteId, provider, payoutId, accountId, moves }: Parts) => sql`
    insert into payout_moves (payout_id, institute_id, reference, kind, checkout_id, amount, provider_fee, site_fee, tax, said, moved_at)
    select ${payoutId}, ${instituteId}, g.reference, g.kind, k.id, g.amount, (g.fees ->> 'provider')::int, (g.fees ->> 'site')::int, (g.fees ->> 'tax')::int, g.said,
      to_timestamp(g.at / 1000.0)
    from jsonb_to_recordset(${JSON.stringify(moves)}::jsonb) as g(reference text, kind text, "paymentReference" text, amount int, fees jsonb, said text, at int8)
      left join checkouts k on k.reference = g."paymentReference" and k.institute_id = ${instituteId} and k.provider = ${provider}
        and k.account_id is not distinct from ${accountId}::text
    on conflict (payout_id, reference) do nothing`,
)
const noteParts = statement(
  { name: 'payouts.noteParts', row: {}, tries: [{ payoutId: someId, parts: 'read' }] },
  ({ payoutId, parts }: { payoutId: string; parts: 'read' | 'untold' }) =>
    sql`update payouts set parts = ${parts} where id = ${payoutId} and parts = 'unread'`,
)
/** The parts of one, for good; `moves` is null where the provider does not say them. */
export async function keepParts(
  transaction: Db,
  _scope: SystemScope,
  { moves, ...of }: Omit<Parts, 'moves'> & { moves: readonly ProviderPayoutMove[] | null },
): Promise<void> {
  if (moves !== null) await putParts.run(transaction, { ...of, moves })
  await noteParts.run(transaction, { payoutId: of.payoutId, parts: moves === null ? 'untold' : 'read' })
}

interface Tried extends Written {
  now: Date
  failed: string | null
  /** Null where it was not said: then what was said before stays. */
  waiting: readonly Money[] | null
}
const noteTry = statement(
  { name: 'payouts.noteTry', row: {}, tries: [{ ...someWritten, now: new Date(0), failed: null, waiting: [] }] },
  ({
    instituteId,
    provider,
    now,
    failed,
    waiting,
  }: Tried) => sql`insert into payout_reads as r (institute_id, provider, tried_at, read_at, failed, waiting, waiting_at)
    select ${instituteId}, ${provider}, ${now}, case when ${failed}::text is null then ${now}::timestamptz end, ${failed}, w.said, case when w.said is not null then ${now}::timestamptz end
    from (select ${waiting === null ? null : JSON.stringify(waiting)}::jsonb as said) w
    on conflict (institute_id, provider) do update set tried_at = excluded.tried_at, read_at = coalesce(excluded.read_at, r.read_at), failed = excluded.failed,
      waiting = coalesce(excluded.waiting, r.waiting), waiting_at = coalesce(excluded.waiting_at, r.waiting_at)`,
)
export const noteRead = async (db: Db, _scope: SystemScope, tried: Tried): Promise<void> => void (await noteTry.run(db, tried))

const payoutRow = {
  id: c.uuid,
  provider: known(c.oneOf(['sandbox', 'stripe'] as const)),
  amount: c.int,
  currency: c.text,
  state: c.oneOf(payoutStates),
  problem: orNull(c.oneOf(payoutProblems)),
  madeAt: c.instant,
  arrivesOn: c.day,
  reference: c.text,
  parts: orNull(c.count),
  payments: known(c.count),
  refunds: known(c.count),
  disputes: known(c.count),
  other: known(c.count),
  providerFee: known(c.count),
  siteFee: known(c.count),
  tax: known(c.count),
}
export type PayoutRow = RowOf<typeof payoutRow>
const shownColumns = sql`p.id, p.provider, p.amount, p.currency, p.state, p.problem, p.made_at as "madeAt", p.arrives_on as "arrivesOn", p.reference,
  case when p.parts = 'read' then m.many end as parts, m.payments, m.refunds, m.disputes, m.other, m."providerFee", m."siteFee", m.tax`
const sums = sql`cross join lateral (select count(*) as many,
    coalesce(sum(x.amount) filter (where x.kind = 'payment'), 0)::int8 as payments, coalesce(sum(x.amount) filter (where x.kind = 'refund'), 0)::int8 as refunds,
    coalesce(sum(x.amount) filter (where x.kind = 'dispute'), 0)::int8 as disputes, coalesce(sum(x.amount) filter (where x.kind = 'other'), 0)::int8 as other,
    coalesce(sum(x.provider_fee), 0)::int8 - coalesce(sum(x.amount) filter (where x.kind = 'fee'), 0)::int8 as "providerFee", coalesce(sum(x.site_fee), 0)::int8 as "siteFee", coalesce(sum(x.tax), 0)::int8 as tax
  from payout_moves x where x.payout_id = p.id) m`

interface Listed {
  instituteId: string
  limit: number
  offset: number
}
const list = statement(
  { name: 'payouts.list', row: { ...payoutRow, total: known(c.count) }, tries: [{ instituteId: someId, limit: 10, offset: 0 }] },
  ({ instituteId, limit, offset }: Listed) => sql`select ${shownColumns}, p.total from (
      select q.*, count(*) over () as total from payouts q where q.institute_id = ${instituteId} order by q.made_at desc, q.id desc limit ${limit} offset ${offset}) p ${sums}
    order by p.made_at desc, p.id desc`,
)
/** The last made first. */
export async function listPayouts(
  db: Db,
  scope: PayoutScope,
  asked: Omit<Listed, 'instituteId'>,
): Promise<{ rows: PayoutRow[]; total: number }> {
  const rows = await list.all(db, { ...asked, instituteId: scope.instituteId })
  return { rows, total: rows[0]?.total ?? 0 }
}

interface One {
  instituteId: string
  id: string
}
const someOne: One = { instituteId: someId, id: someId }
const one = statement(
  { name: 'payouts.one', row: payoutRow, tries: [someOne] },
  ({ instituteId, id }: One) => sql`select ${shownColumns} from payouts p ${sums} where p.id = ${id} and p.institute_id = ${instituteId}`,
)
export const findPayout = (db: Db, scope: PayoutScope, id: string): Promise<PayoutRow | null> =>
  one.one(db, { instituteId: scope.instituteId, id })

const moveRow = {
  reference: c.text,
  kind: c.oneOf(payoutMoveKinds),
  amount: c.int,
  providerFee: c.int,
  siteFee: c.int,
  tax: c.int,
  said: orNull(c.text),
  at: c.instant,
  saleId: orNull(known(c.uuid)),
  client: orNull(known(c.text)),
}
export type PayoutMoveRow = RowOf<typeof moveRow>
const movesOf = statement(
  {
    name: 'payouts.moves',
    row: moveRow,
    tries: [
      { ...someOne, limit: 1 },
      { ...someOne, limit: null },
    ],
  },
  ({
    instituteId,
    id,
    limit,
  }: One & {
    limit: number | null
  }) => sql`select m.reference, m.kind, m.amount, m.provider_fee as "providerFee", m.site_fee as "siteFee", m.tax,
      m.said, m.moved_at as at, s.id as "saleId",
      coalesce(nullif(concat_ws(' ', c.first_name, nullif(c.last_name, '')), ''), nullif(concat_ws(' ', u.first_name, u.last_name), '')) as client
    from payout_moves m left join checkouts k on k.id = m.checkout_id left join users u on u.id = k.user_id left join sales s on s.id = k.appointment_id
      left join customers c on c.id = s.customer_id
    where m.payout_id = ${id} and m.institute_id = ${instituteId} order by m.moved_at desc, m.reference limit ${limit}`,
)
/** The last moved first. */
export const movesOfPayout = (db: Db, scope: PayoutScope, id: string, limit: number | null): Promise<PayoutMoveRow[]> =>
  movesOf.all(db, { instituteId: scope.instituteId, id, limit })

const headRow = { timeZone: c.text, readAt: orNull(c.instant), waiting: orNull(c.json(z.array(money))), waitingReadAt: orNull(c.instant) }
const head = statement(
  { name: 'payouts.head', row: headRow, tries: [{ instituteId: someId, provider: 'stripe' }] },
  ({
    instituteId,
    provider,
  }: {
    instituteId: string
    provider: string | null
  }) => sql`select i.time_zone as "timeZone", r.read_at as "readAt", r.waiting, r.waiting_at as "waitingReadAt"
    from institutes i left join payout_reads r on r.institute_id = i.id and r.provider = ${provider} where i.id = ${instituteId}`,
)
export async function headOf(db: Db, scope: PayoutScope, provider: string | null): Promise<RowOf<typeof headRow>> {
  const row = await head.one(db, { instituteId: scope.instituteId, provider })
  if (!row) throw new Error('an institute is not there')
  return row
}

const toldRow = {
  provider: known(c.oneOf(['sandbox', 'stripe'] as const)),
  amount: c.int,
  currency: c.text,
  problem: orNull(c.oneOf(payoutProblems)),
  state: c.oneOf(payoutStates),
  institute: c.text,
  ownerId: c.uuid,
  email: known(c.text),
  firstName: c.text,
  locale: c.oneOf(locales),
}
const told = statement(
  { name: 'payouts.told', row: toldRow, tries: [someId] },
  (
    id: string,
  ) => sql`select p.provider, p.amount, p.currency, p.problem, p.state, i.name as institute, o.id as "ownerId", o.email::text as email,
      o.first_name as "firstName", o.locale
    from payouts p join institutes i on i.id = p.institute_id join users o on o.id = i.owner_id where p.id = ${id}`,
)
/** What a letter about it says, and to whom: the owner. */
export const toldOf = (db: Db, _scope: SystemScope, id: string): Promise<RowOf<typeof toldRow> | null> => told.one(db, id)

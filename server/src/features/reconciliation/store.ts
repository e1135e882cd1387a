/** What stands here of money that a provider moved, and what was found when both were compared. */
import { sql } from 'kysely'
import type { SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import { type Difference, differenceKinds, type OurPayment, type OurRefund } from './comparing.ts'

/** Money that was asked for on one account of a provider, between two instants. */
export interface Stretch {
  provider: string
  accountId: string | null
  from: Date
  until: Date
}
interface Asked extends Stretch {
  references: readonly string[]
  ids: readonly string[]
}
const someStretch: Stretch = { provider: 'stripe', accountId: null, from: new Date(0), until: new Date(1) }
const someAsked: Asked = { ...someStretch, references: ['r'], ids: [someId] }

const oursRow = {
  instituteId: c.uuid,
  checkoutId: c.uuid,
  reference: orNull(c.text),
  amount: c.int,
  currency: c.text,
  at: c.instant,
  isDue: known(c.bool),
}
const paymentRow = { ...oursRow, isPaid: known(c.bool) }
const payments = statement(
  { name: 'reconciliation.payments', row: paymentRow, tries: [someAsked] },
  ({
    provider,
    accountId,
    from,
    until,
    references,
    ids,
  }: Asked) => sql`select k.institute_id as "instituteId", k.id as "checkoutId", k.reference, k.amount, k.currency,
      k.begun_at as at, k.begun_at >= ${from} and k.begun_at < ${until} as "isDue", k.state in ('paid', 'refund_due') as "isPaid"
    from checkouts k where k.id in (
        select x.id from checkouts x where x.provider = ${provider} and x.begun_at >= ${from} and x.begun_at < ${until}
        union select x.id from checkouts x where x.reference = any(${references}::text[]) union select x.id from checkouts x where x.id = any(${ids}::uuid[]))
      and k.provider = ${provider} and k.account_id is not distinct from ${accountId}::text and k.amount > 0 order by k.begun_at, k.id`,
)
/** All that was asked for in that time, and whatever else the provider named. */
export const ourPayments = (db: Db, _scope: SystemScope, asked: Asked): Promise<OurPayment[]> => payments.all(db, asked)

const refundRow = { ...oursRow, refundId: c.uuid, isDone: known(c.bool) }
const refunds = statement(
  { name: 'reconciliation.refunds', row: refundRow, tries: [someAsked] },
  ({
    provider,
    accountId,
    from,
    until,
    references,
    ids,
  }: Asked) => sql`select r.institute_id as "instituteId", r.checkout_id as "checkoutId", r.id as "refundId", r.reference,
      r.amount, r.currency, r.made_at as at, r.made_at >= ${from} and r.made_at < ${until} as "isDue", r.state = 'done' as "isDone"
    from refunds r join checkouts k on k.id = r.checkout_id where r.id in (
        select x.id from refunds x where x.made_at >= ${from} and x.made_at < ${until}
        union select x.id from refunds x where x.reference = any(${references}::text[]) union select x.id from refunds x where x.id = any(${ids}::uuid[]))
      and k.provider = ${provider} and k.account_id is not distinct from ${accountId}::text order by r.made_at, r.id`,
)
export const ourRefunds = (db: Db, _scope: SystemScope, asked: Asked): Promise<OurRefund[]> => refunds.all(db, asked)

interface Night {
  provider: string
  day: string
  from: Date
}
const dueRow = { accountId: orNull(c.text) }
const due = statement(
  { name: 'reconciliation.accountsDue', row: dueRow, tries: [{ provider: 'stripe', day: '2026-11-27', from: new Date(0) }] },
  ({
    provider,
    day,
    from,
  }: Night) => sql`select k.account_id as "accountId" from (select distinct x.account_id from checkouts x where x.provider = ${provider} and x.begun_at >= ${from}) k
    where not exists (select from reconciliations r where r.provider = ${provider} and r.account_id = coalesce(k.account_id, '') and r.day = ${day}::date)
    order by k.account_id nulls last`,
)
/** Accounts on which something was asked for and that were not looked at that day; the site's own last. */
export const accountsDue = async (db: Db, _scope: SystemScope, night: Night): Promise<(string | null)[]> =>
  (await due.all(db, night)).map(({ accountId }) => accountId)

export interface Look extends Stretch {
  day: string
  payments: number
  refunds: number
  foreign: number
  differences: number
  failed: string | null
  now: Date
}
const note = statement(
  {
    name: 'reconciliation.noteLook',
    row: {},
    tries: [{ ...someStretch, day: '2026-11-27', payments: 0, refunds: 0, foreign: 0, differences: 0, failed: null, now: new Date(0) }],
  },
  (
    look: Look,
  ) => sql`insert into reconciliations (provider, account_id, day, since, until, payments, refunds, foreign_moves, differences, failed, done_at)
    values (${look.provider}, coalesce(${look.accountId}::text, ''), ${look.day}::date, ${look.from}, ${look.until}, ${look.payments}, ${look.refunds}, ${look.foreign}, ${look.differences},
      ${look.failed}, ${look.now}) on conflict (provider, account_id, day) do update set since = excluded.since, until = excluded.until, payments = excluded.payments,
      refunds = excluded.refunds, foreign_moves = excluded.foreign_moves, differences = excluded.differences, failed = excluded.failed, done_at = excluded.done_at`,
)
export const noteLook = async (db: Db, _scope: SystemScope, look: Look): Promise<void> => void (await note.run(db, look))

interface Found extends Stretch {
  differences: readonly Difference[]
  /** Names of those that were there and are not any more, because this site put them right. */
  healed: readonly string[]
  now: Date
}
const someFound: Found = { ...someStretch, differences: [], healed: [], now: new Date(0) }
const keep = statement(
  { name: 'reconciliation.keepDifferences', row: {}, tries: [someFound] },
  ({ provider, accountId, differences, now }: Found) => sql`insert into payment_differences
      (institute_id, provider, account_id, kind, checkout_id, refund_id, reference, ours, theirs, currency, about_at, found_at)
    select d."instituteId", ${provider}, coalesce(${accountId}::text, ''), d.kind, d."checkoutId", d."refundId", d.reference, d.ours, d.theirs, d.currency, d.at, ${now}
    from jsonb_to_recordset(${JSON.stringify(differences)}::jsonb) as d("instituteId" uuid, kind text, "checkoutId" uuid, "refundId" uuid, reference text, ours int, theirs int, currency text, at timestamptz)
    on conflict (kind, reference) do update set ours = excluded.ours, theirs = excluded.theirs, ended_at = null, ended_how = null`,
)
const end = statement(
  { name: 'reconciliation.endDifferences', row: {}, tries: [someFound] },
  ({
    provider,
    accountId,
    from,
    differences,
    healed,
    now,
  }: Found) => sql`update payment_differences d set ended_at = ${now}, ended_how = case when d.reference = any(${healed}::text[]) then 'healed' else 'gone' end
    where d.ended_at is null and d.provider = ${provider} and d.account_id = coalesce(${accountId}::text, '') and d.about_at >= ${from}
      and not exists (select from jsonb_to_recordset(${JSON.stringify(differences)}::jsonb) as n(kind text, reference text) where n.kind = d.kind and n.reference = d.reference)`,
)
export const putDifferences = async (transaction: Db, _scope: SystemScope, found: Found): Promise<void> =>
  void (await keep.run(transaction, found))
/** Of the time that was compared nothing else is different any more. */
export const endDifferences = async (transaction: Db, _scope: SystemScope, found: Found): Promise<void> =>
  void (await end.run(transaction, found))

const openRow = {
  institute: c.text,
  kind: c.oneOf(differenceKinds),
  provider: c.text,
  reference: c.text,
  ours: c.int,
  theirs: c.int,
  currency: c.text,
  at: c.instant,
}
export type OpenDifference = RowOf<typeof openRow>
const open = statement(
  { name: 'reconciliation.openDifferences', row: openRow, tries: [100] },
  (limit: number) => sql`select i.name as institute, d.kind, d.provider, d.reference, d.ours, d.theirs, d.currency, d.about_at as at
    from payment_differences d join institutes i on i.id = d.institute_id where d.ended_at is null order by d.about_at, d.id limit ${limit}`,
)
/** Those nobody has put right yet, the oldest first. */
export const openDifferences = (db: Db, _scope: SystemScope, limit: number): Promise<OpenDifference[]> => open.all(db, limit)

const missedRow = { last: c.uuid, rows: known(c.int), missed: known(c.list(c.uuid)), institutes: known(c.list(c.uuid)) }
const missed = statement(
  { name: 'reconciliation.missedDeposits', row: missedRow, tries: [{ after: someId, rows: 1 }] },
  ({ after, rows }: { after: string; rows: number }) => sql`with
      next as materialized (select a.id, a.institute_id, a.attendance = 'no_show' and coalesce(a.life, life_of_status(a.status)) = 'booked'
          and coalesce(a.payment, payment_of_status(a.status, null)) = 'deposit_paid' as missed
        from appointments a where a.id > ${after} order by a.id limit ${rows}),
      found as (select n.id, n.institute_id from next n where n.missed
        and not exists (select from kept_deposits k where k.sale_id = n.id group by k.sale_id having sum(k.amount) > 0))
    select n.id as last, (count(*) over ())::int as rows,
      coalesce((select array_agg(f.id order by f.institute_id, f.id) from found f), '{}') as missed,
      coalesce((select array_agg(f.institute_id order by f.institute_id, f.id) from found f), '{}') as institutes
    from next n order by n.id desc limit 1`,
)
/** The next visits in the order of their ids, and those of them that stand with their deposit paid, their client missed and nothing kept, by institute. */
export const missedAfter = (
  db: Db,
  _scope: SystemScope,
  { after, rows }: { after: string | null; rows: number },
): Promise<RowOf<typeof missedRow> | null> => missed.one(db, { after: after ?? '00000000-0000-0000-0000-000000000000', rows })

/** Money that a provider refused to give back, as its client and the operator read it. */
import { refundRefusals } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { SelfScope, SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const ownRow = { id: c.uuid, amount: c.int, currency: c.text, settledAt: orNull(c.instant), isAtBank: known(c.bool) }
const own = statement(
  { name: 'payments.refusedOfOwn', row: ownRow, tries: [{ userId: someId, visitId: someId }] },
  ({ userId, visitId }: { userId: string; visitId: string }) => sql`select r.id, r.amount, r.currency, r.settled_at as "settledAt",
      coalesce(r.why = 'disputed', false) as "isAtBank"
    from refunds r join checkouts k on k.id = r.checkout_id where r.appointment_id = ${visitId} and k.user_id = ${userId} and r.state = 'failed' order by r.made_at, r.id`,
)
/** Of a visit of one's own, also what was paid back otherwise. */
export const refusedOfOwn = (db: Db, scope: SelfScope, visitId: string): Promise<RowOf<typeof ownRow>[]> =>
  own.all(db, { userId: scope.userId, visitId })

const owedRow = {
  id: c.uuid,
  institute: c.text,
  owner: orNull(known(c.text)),
  visitId: c.uuid,
  amount: c.int,
  currency: c.text,
  provider: orNull(c.text),
  /** How the provider calls the payment. */
  payment: orNull(c.text),
  why: orNull(c.oneOf(refundRefusals)),
  at: known(c.instant),
}
export type OwedRefund = RowOf<typeof owedRow>
const owed = statement(
  { name: 'payments.owed', row: owedRow, tries: [1] },
  (
    limit: number,
  ) => sql`select r.id, i.name as institute, o.email::text as owner, r.appointment_id as "visitId", r.amount, r.currency, k.provider, k.reference as payment,
      r.why, r.ended_at as at
    from refunds r join checkouts k on k.id = r.checkout_id join institutes i on i.id = r.institute_id left join users o on o.id = i.owner_id
    where r.state = 'failed' and r.settled_at is null order by r.ended_at, r.id limit ${limit}`,
)
/** What waits for somebody at any institute, the oldest first. */
export const owedAnywhere = (db: Db, _scope: SystemScope, limit: number): Promise<OwedRefund[]> => owed.all(db, limit)

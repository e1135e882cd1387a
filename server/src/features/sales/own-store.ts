/** What the client of a visit reads of its money. */
import { paymentMethods } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, type RowOf, someId, statement } from '#/platform/statement.ts'

const ownRow = {
  instituteId: c.uuid,
  currency: c.text,
  total: known(c.count),
  isOpen: known(c.bool),
  /** Ways to pay online, in the institute's order; none where it cannot be paid so. */
  methods: known(c.list(c.oneOf(paymentMethods))),
  paid: known(c.count),
  tips: known(c.count),
}
const own = statement(
  { name: 'sales.own', row: ownRow, tries: [{ userId: someId, id: someId, needsAccount: true }] },
  ({
    userId,
    id,
    needsAccount,
  }: {
    userId: string
    id: string
    needsAccount: boolean | null
  }) => sql`select a.institute_id as "instituteId", a.currency, coalesce(d.total, a.total_amount)::int8 as total,
      d.id is null and a.status in ('pending', 'deposit_paid') as "isOpen", case when takes_online(i.id, ${needsAccount}) then i.payment_methods else '{}' end as methods,
      (select coalesce(sum(case p.kind when 'refund' then -p.amount else p.amount end), 0)::int8 from payments p where p.sale_id = a.id) as paid,
      (select coalesce(sum(t.amount), 0)::int8 from tips t where t.sale_id = a.id) as tips
    from appointments a join institutes i on i.id = a.institute_id left join documents d on d.sale_id = a.id and d.kind = 'invoice' where a.id = ${id} and a.user_id = ${userId} and a.status <> 'held'`,
)
export const ownSale = (
  db: Db,
  scope: SelfScope,
  asked: { id: string; needsAccount: boolean | null },
): Promise<RowOf<typeof ownRow> | null> => own.one(db, { userId: scope.userId, ...asked })

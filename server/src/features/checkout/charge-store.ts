/** Charges of fees that were begun and not answered. */
import { sql } from 'kysely'
import type { SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, orNull, type RowOf, statement } from '#/platform/statement.ts'

const toSendRow = {
  id: c.uuid,
  instituteId: c.uuid,
  amount: c.int,
  currency: c.text,
  institute: c.text,
  /** Null where the card is gone. */
  token: orNull(c.text),
  provider: orNull(c.text),
}
export type ChargeToSend = RowOf<typeof toSendRow>
const claim = statement(
  { name: 'checkout.claimCharges', row: toSendRow, tries: [{ leaseMs: 1, limit: 1 }] },
  ({ leaseMs, limit }: { leaseMs: number; limit: number }) => sql`
    with next as (select k.id, k.appointment_id from checkouts k where k.state = 'open' and k.kind = 'charge' and (k.claimed_until is null or k.claimed_until < clock_timestamp())
        order by k.begun_at limit ${limit} for update skip locked)
    update checkouts k set claimed_until = clock_timestamp() + ${leaseMs} * interval '1 ms', provider = s.provider
      from next n join fee_terms t on t.appointment_id = n.appointment_id left join saved_cards s on s.id = t.card_id and s.removed_at is null, institutes i
      where k.id = n.id and i.id = k.institute_id
      returning k.id, k.institute_id as "instituteId", k.amount, k.currency, i.name as institute, s.token, s.provider`,
)
/** Those nobody sends at the moment; they are the caller's for a while. */
export const claimCharges = (db: Db, _scope: SystemScope, asked: { leaseMs: number; limit: number }): Promise<ChargeToSend[]> =>
  claim.all(db, asked)

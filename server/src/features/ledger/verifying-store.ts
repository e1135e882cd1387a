/** What a verification of the books reads. */
import { sql } from 'kysely'
import { isReached, type PartyScope, type Reach, reachedBy } from '#/features/visits/service.ts'
import type { SystemScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import type { SealedLine } from './sealing.ts'

const ofInstitutes = statement(
  { name: 'ledger.institutes', row: { id: c.uuid, slug: c.text } },
  () => sql`select i.id, i.slug from institutes i where exists (select from sales s where s.institute_id = i.id) or exists (select from document_chains c where c.institute_id = i.id)
    order by i.slug`,
)
export const institutesWithSales = (db: Db, _scope: SystemScope): Promise<{ id: string; slug: string }[]> => ofInstitutes.all(db)

const documentRow = {
  id: c.uuid,
  saleId: c.uuid,
  kind: c.oneOf(['invoice', 'credit_note']),
  year: c.int,
  number: c.int,
  corrects: orNull(c.uuid),
  issuedAt: c.instant,
  day: c.day,
  currency: c.text,
  total: c.int,
  vat: c.int,
  parties: c.json<unknown>(),
  reason: orNull(c.text),
  actor: c.json<unknown>(),
  position: c.int,
  previousHash: c.bytes,
  hash: c.bytes,
  lines: known(c.json<SealedLine[]>()),
}
export type StoredDocument = RowOf<typeof documentRow>
interface Wanted {
  instituteId: string
  /** Of one sale alone. */
  saleId: string | null
  /** After this place in the chain. */
  after: number
}
const documents = statement(
  { name: 'ledger.documents', row: documentRow, tries: [{ instituteId: someId, saleId: null, after: 0, userId: null }] },
  ({
    instituteId,
    saleId,
    after,
    userId,
  }: Wanted &
    Reach) => sql`select d.id, d.sale_id as "saleId", d.kind, d.year, d.number, d.corrects, d.issued_at as "issuedAt", d.day, d.currency, d.total, d.vat,
      d.parties, d.reason, d.actor, d.position, d.previous_hash as "previousHash", d.hash,
      coalesce((select jsonb_agg(jsonb_build_object('position', l.position, 'kind', l.kind, 'name', l.name, 'serviceId', l.service_id, 'productId', l.product_id,
          'memberId', l.member_id, 'memberName', l.member_name, 'quantity', l.quantity, 'amount', l.amount, 'vatBasisPoints', l.vat_basis_points, 'vat', l.vat,
          'corrects', l.corrects) order by l.position) from document_lines l where l.document_id = d.id), '[]') as lines
    from documents d where d.institute_id = ${instituteId} and d.position > ${after} and (${saleId}::uuid is null or d.sale_id = ${saleId}::uuid)
      and ${isReached(saleId, { userId })}
    order by d.position limit 1000`,
)
/** For people of the institute, the client of a visit, and a verification. */
export const documentsAfter = (db: Db, scope: PartyScope, wanted: Wanted): Promise<StoredDocument[]> =>
  documents.all(db, reachedBy(scope, wanted))

const sumsRow = {
  /**
   * Entries that do not add up, sales whose prepayments are not what came, was invoiced, tipped and kept, accounts that are not what they are made of, and fees
   * that are not what was charged and given back.
   */
  entries: known(c.count),
  sales: known(c.count),
  accounts: known(c.count),
  /** Liabilities that are not the sum of what is left of gift cards and packages, and those with less than nothing. */
  vouchers: known(c.count),
  fees: known(c.count),
  chainPosition: known(c.count),
  documents: known(c.count),
  series: known(c.count),
  lines: known(c.count),
}
const sums = statement(
  { name: 'ledger.sums', row: sumsRow, tries: [someId] },
  (id: string) => sql`with
      came as (select p.sale_id, sum(case p.kind when 'refund' then -p.amount else p.amount end) as amount from payments p where p.institute_id = ${id} group by 1),
      billed as (select d.sale_id, sum(d.total) as amount, sum(d.vat) as vat from documents d where d.institute_id = ${id} group by 1),
      given as (select t.sale_id, sum(t.amount) as amount from tips t where t.institute_id = ${id} group by 1),
      held as (select k.sale_id, sum(k.amount) as amount from kept_deposits k where k.institute_id = ${id} group by 1),
      posted as (select l.sale_id, l.account, sum(l.amount) as amount from ledger_lines l where l.institute_id = ${id} group by 1, 2),
      account as (select p.account, sum(p.amount) as amount from posted p group by 1),
      fee as (select coalesce(sum(f.amount), 0) as amount from fee_payments f where f.institute_id = ${id}),
      taken as (select d.amount from disputes d where d.institute_id = ${id} and d.sale_id is not null and d.state <> 'won'),
      cards as (select sum(l.amount) as amount from document_lines l where l.institute_id = ${id} and l.kind = 'gift_card'),
      packs as (select sum(l.amount - l.vat) as amount from document_lines l where l.institute_id = ${id} and l.kind = 'package'),
      sessions as (select m.client_package_id, m.kind, sum(m.amount - m.vat) as amount, sum(m.sessions) as many from client_package_moves m
        where m.institute_id = ${id} group by 1, 2),
      moved as (select m.gift_card_id, m.kind, sum(m.amount) as amount from gift_card_moves m where m.institute_id = ${id} group by 1, 2),
      parts as (
        select case when p.method in ('cash', 'terminal') then p.method when p.method = 'gift_card' then 'gift_cards' else 'online' end as account,
            sum(case p.kind when 'refund' then -p.amount else p.amount end) as amount from payments p where p.institute_id = ${id} group by 1
        union all select 'revenue', -coalesce(sum(amount - vat), 0) from billed
        union all select 'revenue', coalesce(amount, 0) from cards
        union all select 'revenue', coalesce(amount, 0) from packs
        union all select 'revenue', coalesce(sum(amount), 0) from sessions where kind in ('used', 'undone')
        union all select 'packages', -coalesce(amount, 0) from packs
        union all select 'packages', -coalesce(sum(amount), 0) from sessions where kind in ('used', 'undone', 'expired')
        union all select 'expired', coalesce(sum(amount), 0) from sessions where kind = 'expired'
        union all select 'vat', -coalesce(sum(vat), 0) from billed
        union all select 'tips', -coalesce(sum(amount), 0) from given
        union all select 'kept', -coalesce(sum(amount), 0) from held
        union all select 'gift_cards', -coalesce(amount, 0) from cards
        union all select 'gift_cards', -coalesce(sum(amount), 0) from moved where kind = 'expired'
        union all select 'expired', coalesce(sum(amount), 0) from moved where kind = 'expired'
        union all select 'online', amount from fee union all select 'kept', -amount from fee
        union all select 'online', -coalesce(sum(amount), 0) from taken union all select 'disputed', coalesce(sum(amount), 0) from taken),
      expected as (select account, sum(amount) as amount from parts group by 1)
    select
      (select count(*) from (select from ledger_lines l where l.institute_id = ${id} group by l.entry, l.currency having sum(l.amount) <> 0) e) as entries,
      (select count(*) from sales s left join came on came.sale_id = s.id left join billed on billed.sale_id = s.id left join given on given.sale_id = s.id
          left join held on held.sale_id = s.id
          left join posted on posted.sale_id = s.id and posted.account = 'prepayments'
        where s.institute_id = ${id}
          and coalesce(posted.amount, 0) <> coalesce(billed.amount, 0) + coalesce(given.amount, 0) + coalesce(held.amount, 0) - coalesce(came.amount, 0)) as sales,
      (select count(*) from expected e left join account a on a.account = e.account where coalesce(a.amount, 0) <> e.amount) as accounts,
      (select count(*) from (select coalesce((select -a.amount from account a where a.account = 'gift_cards'), 0) as owed, coalesce((select sum(amount) from moved), 0) as left) v
        where v.owed <> v.left) + (select count(*) from (select from moved group by gift_card_id having sum(amount) < 0) m)
      + (select count(*) from (select coalesce((select -a.amount from account a where a.account = 'packages'), 0) as owed, coalesce((select sum(amount) from sessions), 0) as left) v
        where v.owed <> v.left) + (select count(*) from (select from sessions group by client_package_id having sum(many) < 0 or sum(amount) < 0) m) as vouchers,
      (select count(*) from fees f left join (select p.fee_id, sum(p.amount) as amount, max(p.amount) as came from fee_payments p where p.institute_id = ${id} group by 1) p on p.fee_id = f.id
        where f.institute_id = ${id} and (coalesce(p.amount, 0) <> case f.state when 'charged' then f.amount else 0 end
          or (p.came is not null) <> (f.state in ('charged', 'given_back')) or p.came <> f.amount)) as fees,
      coalesce((select k.position from document_chains k where k.institute_id = ${id}), 0)::int8 as "chainPosition",
      (select count(*) from documents d where d.institute_id = ${id}) as documents,
      (select count(*) from (select d.kind, d.year, count(*) as many, min(d.number) as least, max(d.number) as most from documents d where d.institute_id = ${id} group by 1, 2) n
          full join (select * from document_series s where s.institute_id = ${id}) s on s.kind = n.kind and s.year = n.year
        where n.many is distinct from s.last or n.least is distinct from 1 or n.most is distinct from s.last) as series,
      (select count(*) from documents d left join (select l.document_id, sum(l.amount) as total, sum(l.vat) as vat from document_lines l where l.institute_id = ${id} group by 1) s
          on s.document_id = d.id where d.institute_id = ${id} and (s.total is distinct from d.total or s.vat is distinct from d.vat)) as lines`,
)
export const sumsOf = async (db: Db, _scope: SystemScope, instituteId: string): Promise<RowOf<typeof sumsRow>> => {
  const row = await sums.one(db, instituteId)
  if (!row) throw new Error('sums without a row')
  return row
}

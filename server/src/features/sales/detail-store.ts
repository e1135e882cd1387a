/** A sale as it is opened: its lines, documents, payments and tips. */
import { attendances } from '@soigne/contract/appointments'
import { lineKinds, saleMethods } from '@soigne/contract/sales'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { isReached, type Reach, reachedBy } from '#/features/visits/service.ts'
import type { InstituteScope, SelfScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import { words } from './list-store.ts'

/** People of the institute, or the client of a visit with what was paid for it. */
type ReaderScope = InstituteScope<never> | SelfScope
const within = ({ instituteId }: InstituteScope<never>, { id }: Wanted): Wanted => ({ instituteId, id })

interface Wanted {
  instituteId: string
  id: string
}
const some: Wanted = { instituteId: someId, id: someId }
const nameOfActor = sql`(select coalesce(t.name, nullif(concat_ws(' ', u.first_name, u.last_name), '')) from users u left join team_members t on t.user_id = u.id and t.institute_id = x.institute_id
  where x.actor ->> 'kind' = 'institute' and u.id = (x.actor ->> 'userId')::uuid limit 1)`

const documentRow = {
  id: c.uuid,
  kind: c.oneOf(['invoice', 'credit_note']),
  year: c.int,
  number: c.int,
  issuedAt: c.instant,
  total: c.int,
  vat: c.int,
  reason: orNull(c.text),
  by: orNull(known(c.text)),
}
const documents = statement(
  { name: 'sales.documents', row: documentRow, tries: [{ ...some, userId: null }] },
  ({
    instituteId,
    id,
    userId,
  }: Wanted & Reach) => sql`select x.id, x.kind, x.year, x.number, x.issued_at as "issuedAt", x.total, x.vat, x.reason, ${nameOfActor} as by
    from documents x where x.sale_id = ${id} and x.institute_id = ${instituteId} and ${isReached(id, { userId })} order by x.position`,
)
export const documentsOf = (db: Db, scope: ReaderScope, wanted: Wanted): Promise<RowOf<typeof documentRow>[]> =>
  documents.all(db, reachedBy(scope, wanted))

const lineRow = {
  id: c.uuid,
  documentId: c.uuid,
  kind: c.oneOf(lineKinds),
  name: c.json(z.union([words, z.string()])),
  staffName: orNull(c.text),
  serviceId: orNull(c.uuid),
  productId: orNull(c.uuid),
  memberId: orNull(c.uuid),
  memberName: orNull(c.text),
  quantity: c.int,
  amount: c.int,
  vat: c.int,
  vatBasisPoints: c.int,
  refunded: known(c.count),
  refundedVat: known(c.count),
  /** The gift card that it sold; what of that, or of a package, was used or has expired; and whether a session of a package pays for it. */
  giftCardId: orNull(c.uuid),
  spent: known(c.count),
  spentVat: known(c.count),
  fromPackage: known(c.bool),
}
export type StoredLine = RowOf<typeof lineRow>
const lines = statement(
  { name: 'sales.lines', row: lineRow, tries: [some] },
  ({
    instituteId,
    id,
  }: Wanted) => sql`select l.id, l.document_id as "documentId", l.kind, l.name, coalesce(m.name, l.member_name) as "staffName", l.service_id as "serviceId",
      l.product_id as "productId", l.member_id as "memberId", l.member_name as "memberName", l.quantity, l.amount, l.vat,
      l.vat_basis_points as "vatBasisPoints",
      (select coalesce(-sum(r.amount), 0)::int8 from document_lines r where r.corrects = l.id) as refunded,
      (select coalesce(-sum(r.vat), 0)::int8 from document_lines r where r.corrects = l.id) as "refundedVat", g.id as "giftCardId",
      ((select coalesce(-sum(v.amount), 0) from gift_card_moves v where v.gift_card_id = g.id and v.kind in ('used', 'returned', 'expired')) + gone.amount)::int8 as spent,
      gone.vat::int8 as "spentVat",
      (select count(*) from client_package_moves u where u.line_id = l.id) = 1 as "fromPackage"
    from documents d join document_lines l on l.document_id = d.id left join team_members m on m.id = l.member_id
      left join gift_cards g on g.line_id = l.id left join client_packages p on p.line_id = l.id
      cross join lateral (select coalesce(-sum(v.amount), 0) as amount, coalesce(-sum(v.vat), 0) as vat from client_package_moves v
        where v.client_package_id = p.id and v.kind in ('used', 'undone', 'expired')) gone
    where d.sale_id = ${id} and d.institute_id = ${instituteId} order by d.position, l.position`,
)
export const linesOfSale = (db: Db, scope: InstituteScope<never>, wanted: Wanted): Promise<StoredLine[]> =>
  lines.all(db, within(scope, wanted))

const paymentRow = {
  id: c.uuid,
  kind: c.oneOf(['deposit', 'payment', 'refund']),
  method: c.oneOf(saleMethods),
  amount: c.int,
  at: c.instant,
  day: c.day,
  by: orNull(known(c.text)),
}
const payments = statement(
  { name: 'sales.payments', row: paymentRow, tries: [{ ...some, userId: null }] },
  ({ instituteId, id, userId }: Wanted & Reach) => sql`select x.id, x.kind, x.method, x.amount, x.at, x.day, ${nameOfActor} as by
    from payments x where x.sale_id = ${id} and x.institute_id = ${instituteId} and ${isReached(id, { userId })} order by x.at, x.id`,
)
export const paymentsOf = (db: Db, scope: ReaderScope, wanted: Wanted): Promise<RowOf<typeof paymentRow>[]> =>
  payments.all(db, reachedBy(scope, wanted))

const tipRow = { memberId: c.uuid, name: c.text, amount: known(c.count) }
const tips = statement(
  { name: 'sales.tips', row: tipRow, tries: [some] },
  ({
    instituteId,
    id,
  }: Wanted) => sql`select t.member_id as "memberId", m.name, sum(t.amount)::int8 as amount from tips t join team_members m on m.id = t.member_id
    where t.sale_id = ${id} and t.institute_id = ${instituteId} group by 1, 2 order by 3 desc, 1`,
)
export const tipsOf = (db: Db, scope: InstituteScope<never>, wanted: Wanted): Promise<RowOf<typeof tipRow>[]> =>
  tips.all(db, within(scope, wanted))

const visitRow = {
  startsAt: c.instant,
  endsAt: c.instant,
  attendance: c.oneOf(attendances),
  vatBasisPoints: orNull(c.int),
  countryCode: c.text,
  segments: known(
    c.json(
      z.array(
        z.object({
          position: z.int(),
          name: words,
          serviceId: z.string(),
          memberId: z.string(),
          memberName: z.string(),
          amount: z.nullable(z.int()),
        }),
      ),
    ),
  ),
}
export type VisitToPay = RowOf<typeof visitRow>
const visit = statement(
  { name: 'sales.visit', row: visitRow, tries: [some] },
  ({
    instituteId,
    id,
  }: Wanted) => sql`select a.starts_at as "startsAt", a.ends_at as "endsAt", a.attendance, i.vat_basis_points as "vatBasisPoints", i.country_code as "countryCode",
      (select coalesce(jsonb_agg(jsonb_build_object('position', g.position, 'name', g.snapshot -> 'name', 'serviceId', g.service_id, 'memberId', g.member_id, 'memberName', m.name,
          'amount', g.price_amount) order by g.position), '[]') from segments g join team_members m on m.id = g.member_id where g.appointment_id = a.id) as segments
    from appointments a join institutes i on i.id = a.institute_id where a.id = ${id} and a.institute_id = ${instituteId}`,
)
export const visitToPay = (db: Db, scope: InstituteScope<never>, wanted: Wanted): Promise<VisitToPay | null> =>
  visit.one(db, within(scope, wanted))

const reachRow = { phone: orNull(c.text), email: orNull(c.text) }
const reach = statement(
  { name: 'sales.reach', row: reachRow, tries: [{ instituteId: someId, userId: null }] },
  ({
    instituteId,
    userId,
  }: { instituteId: string } & Reach) => sql`select nullif(i.phone, '') as phone, nullif(i.email::text, '') as email from institutes i
    where i.id = ${instituteId}
      and (${userId}::uuid is null or exists (select from appointments own where own.institute_id = i.id and own.user_id = ${userId}::uuid))`,
)
/** How the seller of a document is reached, for its people and for whoever was there. */
export const reachOf = async (db: Db, scope: ReaderScope, instituteId: string): Promise<RowOf<typeof reachRow>> =>
  (await reach.one(db, reachedBy(scope, { instituteId }))) ?? { phone: null, email: null }

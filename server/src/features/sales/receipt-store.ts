/** Who is sent a document, and what its letter says. */
import { locales } from '@soigne/contract/wire'
import { sql } from 'kysely'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'

const receiptRow = {
  kind: c.oneOf(['invoice', 'credit_note']),
  year: c.int,
  number: c.int,
  institute: c.text,
  saleId: c.uuid,
  visitId: orNull(c.uuid),
  /** Whose account it is; null for somebody whom the institute alone knows. */
  userId: orNull(c.uuid),
  firstName: orNull(known(c.text)),
  email: orNull(known(c.text)),
  locale: known(c.oneOf(locales)),
}
export type Receipt = RowOf<typeof receiptRow>
const receipt = statement(
  { name: 'sales.receipt', row: receiptRow, tries: [{ instituteId: someId, id: someId }] },
  ({ instituteId, id }: { instituteId: string; id: string }) => sql`
    select d.kind, d.year, d.number, i.name as institute, d.sale_id as "saleId", s.appointment_id as "visitId", u.id as "userId",
      coalesce(nullif(u.first_name, ''), nullif(k.first_name, '')) as "firstName",
      coalesce(g.email, u.email, k.email)::text as email,
      coalesce(case when g.email is not null then coalesce(g.locale, gu.locale) end, u.locale, k.locale, o.locale, 'en') as locale
    from documents d join sales s on s.id = d.sale_id join institutes i on i.id = d.institute_id left join users o on o.id = i.owner_id
      left join appointments a on a.id = s.appointment_id
      left join customers f on f.id = coalesce(s.customer_id, a.customer_id)
      left join customers k on k.id = coalesce(f.merged_into, f.id)
      left join users u on u.id = coalesce(a.user_id, k.user_id)
      left join customer_relations r on r.customer_id = k.id and r.kind = 'guardian' and coalesce(k.birthday, u.birthday) + interval '18 years' > d.day
      left join customers g on g.id = r.related_id and g.merged_into is null and g.email is not null left join users gu on gu.id = g.user_id
    where d.id = ${id} and d.institute_id = ${instituteId} order by g.email limit 1`,
)
/** Of a minor, the guardian whom the institute knows is sent it. */
export const receiptOf = (db: Db, scope: InstituteScope<'sales.read'>, id: string): Promise<Receipt | null> =>
  receipt.one(db, { instituteId: scope.instituteId, id })

/** What of an invoice was not given back yet. */
import { sql } from 'kysely'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import type { SealedLine } from './sealing.ts'

const invoiceRow = {
  id: c.uuid,
  client: orNull(c.text),
  lines: known(c.json<(Omit<SealedLine, 'position' | 'corrects'> & { id: string })[]>()),
}
const invoice = statement(
  { name: 'ledger.invoiceLeft', row: invoiceRow, tries: [{ instituteId: someId, saleId: someId }] },
  ({ instituteId, saleId }: { instituteId: string; saleId: string }) => sql`select d.id, d.parties ->> 'client' as client,
      (select jsonb_agg(jsonb_build_object('id', l.id, 'kind', l.kind, 'name', l.name, 'serviceId', l.service_id, 'productId', l.product_id, 'memberId', l.member_id,
          'memberName', l.member_name, 'quantity', l.quantity, 'amount', l.amount + coalesce(b.amount, 0), 'vatBasisPoints', l.vat_basis_points, 'vat', l.vat + coalesce(b.vat, 0)) order by l.position)
        from document_lines l left join lateral (select sum(r.amount) as amount, sum(r.vat) as vat from document_lines r where r.corrects = l.id) b on true
        where l.document_id = d.id) as lines
    from documents d where d.sale_id = ${saleId} and d.institute_id = ${instituteId} and d.kind = 'invoice'`,
)
/** Of each line what is left, with the VAT in it. */
export const invoiceLeft = (unit: Unit, saleId: string): Promise<RowOf<typeof invoiceRow> | null> =>
  invoice.one(unit.db, { instituteId: unit.instituteId, saleId })

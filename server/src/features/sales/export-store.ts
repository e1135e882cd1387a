/** Lines of documents, for the books of an accountant. */
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { type TotalsScope, withinTotals } from '#/features/monthly-totals/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { c, known, orNull, type RowOf, someId, statement } from '#/platform/statement.ts'
import { words } from './list-store.ts'

const lineRow = {
  kind: c.oneOf(['invoice', 'credit_note']),
  year: c.int,
  number: c.int,
  day: c.day,
  client: orNull(c.text),
  name: c.json(z.union([words, z.string()])),
  staffName: orNull(c.text),
  quantity: c.int,
  amount: c.int,
  vat: c.int,
  vatBasisPoints: c.int,
  currency: c.text,
  methods: known(c.list(c.text)),
}
interface Asked {
  instituteId: string
  fromDay: string
  toDay: string
}
const lines = statement(
  { name: 'sales.exportedLines', row: lineRow, tries: [{ instituteId: someId, fromDay: '2026-01-01', toDay: '2026-01-01' }] },
  ({
    instituteId,
    fromDay,
    toDay,
  }: Asked) => sql`select d.kind, d.year, d.number, d.day, d.parties ->> 'client' as client, l.name, l.member_name as "staffName", l.quantity, l.amount,
      l.vat, l.vat_basis_points as "vatBasisPoints", d.currency,
      array(select distinct p.method from payments p where p.sale_id = d.sale_id and (p.kind = 'refund') = (d.kind = 'credit_note') order by 1) as methods
    from documents d join document_lines l on l.document_id = d.id
    where d.institute_id = ${instituteId} and d.day between ${fromDay} and ${toDay} order by d.position, l.position`,
)
export const exportedLines = (
  db: Db,
  scope: InstituteScope<'sales.read'>,
  fromDay: string,
  toDay: string,
): Promise<RowOf<typeof lineRow>[]> => lines.all(db, { instituteId: scope.instituteId, fromDay, toDay })

const sumsRow = { invoices: known(c.count), creditNotes: known(c.count), gross: known(c.count), vat: known(c.count) }
const sums = statement(
  { name: 'sales.invoiced', row: sumsRow, tries: [{ instituteId: someId, fromDay: '2026-01-01', toDay: '2026-01-01' }] },
  ({
    instituteId,
    fromDay,
    toDay,
  }: Asked) => sql`select count(*) filter (where d.kind = 'invoice') as invoices, count(*) filter (where d.kind = 'credit_note') as "creditNotes",
      coalesce(sum(d.total), 0)::int8 as gross, coalesce(sum(d.vat), 0)::int8 as vat
    from documents d where d.institute_id = ${instituteId} and d.day between ${fromDay} and ${toDay}`,
)
/** What those lines come to. */
export async function invoicedOn(db: Db, scope: TotalsScope, asked: Asked): Promise<RowOf<typeof sumsRow>> {
  const row = await sums.one(db, withinTotals(scope, asked))
  if (!row) throw new Error('sums without a row')
  return row
}

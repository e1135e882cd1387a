/** Invoices and credit notes as PDF, in the reader's language. */
import type { Locale } from '@soigne/contract/wire'
import { numberText, type StoredDocument, documentsAfter } from '#/features/ledger/service.ts'
import { type PrintedDocument, printDocument } from '#/features/invoice-print/service.ts'
import type { InstituteScope, SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { refuse } from '#/platform/refuse.ts'
import { paymentsOf, reachOf } from './detail-store.ts'
import { ownSale } from './own-store.ts'
import { nameIn } from './reading.ts'

interface Asked {
  id: string
  /** One of the credit notes; the invoice when absent. */
  document: string | undefined
}

interface Reader {
  scope: InstituteScope<'sales.read'> | SelfScope
  instituteId: string
}

interface Parties {
  seller: { name: string; legalName: string | null; vatNumber: string | null; address: string }
  client: string | null
}

async function printedOf(
  db: Db,
  { scope, instituteId }: Reader,
  wanted: StoredDocument,
  all: readonly StoredDocument[],
  locale: Locale,
): Promise<PrintedDocument> {
  const { seller, client } = wanted.parties as Parties
  const corrected = all.find(({ id }) => id === wanted.corrects)
  const isNote = wanted.kind === 'credit_note'
  const payments = await paymentsOf(db, scope, { instituteId, id: wanted.saleId })
  return {
    kind: wanted.kind,
    number: numberText(wanted),
    corrects: corrected ? { number: numberText(corrected), day: corrected.day } : null,
    day: wanted.day,
    locale,
    currency: wanted.currency,
    seller: { ...seller, ...(await reachOf(db, scope, instituteId)) },
    client,
    lines: wanted.lines.map(({ name, memberName, quantity, amount, vatBasisPoints, vat }) => ({
      name: nameIn(name as Parameters<typeof nameIn>[0], locale),
      staffName: memberName,
      quantity,
      amount,
      vatBasisPoints,
      vat,
    })),
    total: wanted.total,
    vat: wanted.vat,
    payments: payments
      .filter(({ kind }) => (kind === 'refund') === isNote)
      .map(({ kind, method, amount, day }) => ({ kind, method, amount, day })),
    reason: wanted.reason,
    seal: wanted.hash.toString('hex').slice(0, 16),
  }
}

/** Of a sale of the institute of `reader`. */
export async function print(db: Db, reader: Reader, { id, document }: Asked, locale: Locale): Promise<Uint8Array> {
  const all = await documentsAfter(db, reader.scope, { instituteId: reader.instituteId, saleId: id, after: 0 })
  const wanted = all.find((one) => (document === undefined ? one.kind === 'invoice' : one.id === document))
  if (!wanted) throw refuse('not_found')
  return printDocument(await printedOf(db, reader, wanted, all, locale))
}

/** @throws not_found for a sale of another institute, and before there is an invoice */
export const invoicePdf = (
  { database: { db } }: AppContext,
  scope: InstituteScope<'sales.read'>,
  asked: Asked,
  locale: Locale,
): Promise<Uint8Array> => print(db, { scope, instituteId: scope.instituteId }, asked, locale)

export async function ownInvoicePdf({ database: { db } }: AppContext, scope: SelfScope, asked: Asked, locale: Locale): Promise<Uint8Array> {
  const sale = await ownSale(db, scope, { id: asked.id, needsAccount: false })
  if (!sale) throw refuse('not_found')
  return print(db, { scope, instituteId: sale.instituteId }, asked, locale)
}

/** Sales as they are told. */
import type { Sale, SaleRow } from '@soigne/contract/sales'
import type { Locale } from '@soigne/contract/wire'
import { documentsAfter, isSealed, numberText, usualVat, vatWithin } from '#/features/ledger/service.ts'
import { disputesOfSale } from '#/features/disputes/service.ts'
import { refusedOfSale } from '#/features/payments/service.ts'
import { feeOfVisit, isOpenFee } from '#/features/fees/service.ts'
import { mayAlso } from '#/platform/access.ts'
import type { Db } from '#/platform/database.ts'
import { refuse } from '#/platform/refuse.ts'
import type { RowOf } from '#/platform/statement.ts'
import { localised } from '#/texts/translate.ts'
import { documentsOf, linesOfSale, paymentsOf, type StoredLine, tipsOf, type VisitToPay, visitToPay } from './detail-store.ts'
import { findSale, instituteOf, type SalesScope, type saleRowColumns } from './list-store.ts'

type StoredRow = RowOf<typeof saleRowColumns>

/** A name as it was then: in the caller's language where it has several. */
export const nameIn = (name: StoredLine['name'], locale: Locale): string =>
  typeof name === 'string' ? name : (localised(name, locale) ?? '')

export function rowForWire(row: StoredRow, currency: string, locale: Locale): SaleRow {
  const money = (amount: number) => ({ amount, currency })
  return {
    _id: row.id,
    appointmentId: row.appointmentId,
    number: row.number,
    at: row.at,
    client: row.client === null && row.customerId === null ? null : { _id: row.customerId, name: row.client ?? '' },
    services: row.services.map((name) => nameIn(name, locale)),
    staff: row.staff,
    methods: [...new Set(row.methods)],
    status: row.status,
    total: money(row.total),
    paid: money(row.paid - row.tips),
    refunded: money(row.refunded),
  }
}

const lineForWire = (line: StoredLine, locale: Locale): Sale['lines'][number] => ({
  _id: line.id,
  kind: line.kind,
  name: nameIn(line.name, locale),
  staffName: line.staffName,
  quantity: line.quantity,
  amount: line.amount,
  vat: line.vat,
  vatBasisPoints: line.vatBasisPoints,
  refunded: line.refunded,
  spent: line.spent,
  giftCardId: line.giftCardId,
  fromPackage: line.fromPackage,
})

/** The rate of an institute that says none of its own is that of its country. */
export const rateOf = ({ vatBasisPoints, countryCode }: { vatBasisPoints: number | null; countryCode: string }): number =>
  vatBasisPoints ?? usualVat(countryCode)

/** Services of a visit before there is an invoice: each at the price agreed, its place for an id. */
function agreedLines(visit: VisitToPay, locale: Locale): Sale['lines'] {
  const rate = rateOf(visit)
  return visit.segments.map(({ position, name, memberName, amount }) => ({
    _id: String(position),
    kind: 'service',
    name: nameIn(name, locale),
    staffName: memberName,
    quantity: 1,
    amount: amount ?? 0,
    vat: vatWithin(amount ?? 0, rate),
    vatBasisPoints: rate,
    refunded: 0,
    spent: 0,
    giftCardId: null,
    fromPackage: false,
  }))
}

async function isWhole(db: Db, scope: SalesScope, saleId: string): Promise<boolean | null> {
  const documents = await documentsAfter(db, scope, { instituteId: scope.instituteId, saleId, after: 0 })
  return documents.length === 0 ? null : documents.every(isSealed)
}

async function feeForWire(db: Db, scope: SalesScope, visitId: string | null): Promise<Sale['fee']> {
  const fee = visitId === null ? null : await feeOfVisit(db, scope, { visitId, instituteId: scope.instituteId })
  if (!fee) return null
  const { id: _id, kind, amount, currency, state, dueAt, reason } = fee
  return { _id, kind, amount: { amount, currency }, state, dueAt, reason, canWaive: isOpenFee(fee) && mayAlso(scope, 'sales.refund') }
}

/** @throws not_found for what is no sale of the scope's institute, holds among them */
export async function readSale(db: Db, scope: SalesScope, id: string, locale: Locale): Promise<Sale> {
  const wanted = { instituteId: scope.instituteId, id }
  const row = await findSale(db, scope, id)
  const institute = await instituteOf(db, scope)
  if (!row || !institute) throw refuse('not_found')
  const { currency, timeZone } = institute
  const visit = row.appointmentId === null ? null : await visitToPay(db, scope, wanted)
  const documents = await documentsOf(db, scope, wanted)
  const stored = await linesOfSale(db, scope, wanted)
  const linesOf = (documentId: string | undefined) => stored.filter((line) => line.documentId === documentId)
  const invoice = documents.find(({ kind }) => kind === 'invoice')
  const lines = invoice ? linesOf(invoice.id).map((line) => lineForWire(line, locale)) : visit ? agreedLines(visit, locale) : []
  const isOpen = !invoice && (row.status === 'pending' || row.status === 'deposit_paid')
  const money = (amount: number) => ({ amount, currency })
  return {
    ...rowForWire(row, currency, locale),
    startsAt: visit?.startsAt ?? null,
    endsAt: visit?.endsAt ?? null,
    attendance: visit?.attendance ?? null,
    currency,
    lines,
    vat: money(lines.reduce((sum, { vat }) => sum + vat, 0)),
    tips: (await tipsOf(db, scope, wanted)).map(({ memberId, name, amount }) => ({ staffId: memberId, staffName: name, amount })),
    due: money(isOpen ? Math.max(0, row.total - row.paid) : 0),
    documents: documents.map((document) => ({
      _id: document.id,
      kind: document.kind,
      number: numberText(document),
      issuedAt: document.issuedAt,
      total: document.total,
      vat: document.vat,
      reason: document.reason,
      by: document.by,
      lines: linesOf(document.id).map((line) => lineForWire(line, locale)),
    })),
    payments: (await paymentsOf(db, scope, wanted)).map(({ id: _id, kind, method, amount, at, by }) => ({
      _id,
      kind,
      method,
      amount,
      at,
      by,
    })),
    refusedRefunds: await refusedOfSale(db, scope, id),
    disputes: await disputesOfSale(db, scope, id),
    fee: await feeForWire(db, scope, row.appointmentId),
    sealed: await isWhole(db, scope, id),
    timeZone,
    can: {
      take: isOpen && mayAlso(scope, 'sales.take'),
      refund:
        invoice !== undefined &&
        mayAlso(scope, 'sales.refund') &&
        lines.some(({ amount, refunded, spent, fromPackage }) => fromPackage || amount > refunded + spent),
    },
  }
}

/** What was paid for a visit, as its client reads it. */
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { numberText } from '#/features/ledger/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { documentsOf, paymentsOf } from './detail-store.ts'
import { ownSale } from './own-store.ts'

/** @throws not_found for a visit of somebody else */
export async function ownPayments(
  { database: { db } }: AppContext,
  scope: SelfScope,
  id: string,
): Promise<Answer<Calls['appointmentPayments']>> {
  const sale = await ownSale(db, scope, id)
  if (!sale) throw refuse('not_found')
  const { instituteId, currency, total, isOpen, paid, tips } = sale
  return {
    total: { amount: total, currency },
    due: { amount: isOpen ? Math.max(0, total + tips - paid) : 0, currency },
    payments: (await paymentsOf(db, instituteId, id)).map(({ id: _id, kind, method, amount, at }) => ({ _id, kind, method, amount, at })),
    documents: (await documentsOf(db, instituteId, id)).map((document) => ({
      _id: document.id,
      kind: document.kind,
      number: numberText(document),
      issuedAt: document.issuedAt,
      total: document.total,
    })),
  }
}

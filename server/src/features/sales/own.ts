/** What was paid for a visit, as its client reads it. */
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { numberText } from '#/features/ledger/service.ts'
import { agreedFees, feeOfVisit } from '#/features/fees/service.ts'
import { ifCancelledNow, moneyOf, refusedOfOwn } from '#/features/payments/service.ts'
import { findVisit, lateCancelling, mayBeCancelled, mayCancel, sessionsForWire, sessionsOfVisit } from '#/features/visits/service.ts'
import type { SelfScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { instantText, parseInstant } from '#/platform/instants.ts'
import { needsAccount, takesAmount } from '#/platform/payment-provider.ts'
import { refuse } from '#/platform/refuse.ts'
import { documentsOf, paymentsOf } from './detail-store.ts'
import { ownSale } from './own-store.ts'

/** What was agreed of fees, and what came of it. */
async function ownFee(db: Db, scope: SelfScope, { currency, ...of }: { instituteId: string; visitId: string; currency: string }) {
  const agreed = await agreedFees(db, scope, of.visitId)
  const fee = await feeOfVisit(db, scope, of)
  const money = (amount: number) => ({ amount, currency })
  return {
    feeTerms: agreed && {
      lateCancel: money(agreed.late),
      noShow: money(agreed.noShow),
      card: agreed.brand === null || agreed.lastFour === null ? null : { brand: agreed.brand, lastFour: agreed.lastFour },
    },
    fee: fee && { _id: fee.id, kind: fee.kind, amount: money(fee.amount), state: fee.state, dueAt: fee.dueAt },
  }
}

/** @throws not_found for a visit of somebody else */
export async function ownPayments(
  { database: { db }, clock, payments }: AppContext,
  scope: SelfScope,
  id: string,
): Promise<Answer<Calls['appointmentPayments']>> {
  const sale = await ownSale(db, scope, { id, needsAccount: needsAccount(payments) })
  if (!sale) throw refuse('not_found')
  const { instituteId, currency, total, isOpen, paid, tips } = sale
  const due = isOpen ? Math.max(0, total + tips - paid) : 0
  const methods = due > 0 && takesAmount(payments, due, currency) ? sale.methods : []
  const money = (amount: number) => ({ amount, currency })
  const visit = await findVisit(db, scope, { id })
  const late = visit && lateCancelling(visit, parseInstant(visit.startsAt))
  const gone = visit?.life === 'cancelled' ? await moneyOf(db, scope, { instituteId, saleId: id }) : null
  const stays = gone && gone.kept + gone.left > 0 ? gone : null
  const used = await sessionsOfVisit(db, scope, { instituteId, visitId: id })
  const ifCancelled = visit && mayBeCancelled(visit, clock.now()) ? await ifCancelledNow(db, visit, clock.now()) : null
  return {
    total: money(total),
    due: money(due),
    payOnline: methods.length > 0,
    methods,
    ifCancelled: ifCancelled && {
      refunded: money(ifCancelled.refunded - ifCancelled.atBank),
      kept: money(ifCancelled.kept),
      charged: money(ifCancelled.charged),
      ...(ifCancelled.atSalon > 0 && { atSalon: money(ifCancelled.atSalon) }),
      ...(ifCancelled.atBank > 0 && { atBank: money(ifCancelled.atBank) }),
      ...(visit && visit.sessionsWorth !== null && { sessions: mayCancel(visit.terms, clock.now()) ? 'back' : 'gone' }),
    },
    ...(stays && { stays: { kept: money(stays.kept), atSalon: money(stays.left) } }),
    ...(visit && used.length > 0 && { sessions: sessionsForWire(used, visit) }),
    lateCancelling: late && { costs: money(late.costs), until: instantText(late.until) },
    ...(await ownFee(db, scope, { instituteId, visitId: id, currency })),
    payments: (await paymentsOf(db, scope, { instituteId, id })).map(({ id: _id, kind, method, amount, at }) => ({
      _id,
      kind,
      method,
      amount,
      at,
    })),
    refused: (await refusedOfOwn(db, scope, id)).map(({ id: _id, amount, currency: code, settledAt, isAtBank }) => ({
      _id,
      amount: { amount, currency: code },
      settledAt,
      ...(isAtBank && { isAtBank }),
    })),
    documents: (await documentsOf(db, scope, { instituteId, id })).map((document) => ({
      _id: document.id,
      kind: document.kind,
      number: numberText(document),
      issuedAt: document.issuedAt,
      total: document.total,
    })),
  }
}

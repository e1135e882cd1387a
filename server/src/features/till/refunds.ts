/** Money goes back for lines of an invoice. The invoice stays as it is; a credit note with a number of its own takes lines, or parts of them, back. */
import type { Calls } from '@soigne/contract/calls'
import type { Parsed } from '@soigne/contract/define'
import type { Sale, SaleMethod } from '@soigne/contract/sales'
import { type Requester, keyOf } from '#/features/booking/service.ts'
import { giveBack, issueDocument, type Movement, moveMoney, standingOfSale } from '#/features/ledger/service.ts'
import { refundForNote } from '#/features/payments/service.ts'
import { linesOfSale, readSale } from '#/features/sales/service.ts'
import { lockPackagesOf, lockSoldCards, returnToGiftCards } from '#/features/vouchers/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse } from '#/platform/refuse.ts'
import { creditedLines } from './crediting.ts'
import { takeFromShelf } from './product-store.ts'
import { lockInvoice } from './store.ts'

type Asked = Parsed<Calls['refundSale']>['body']

interface Back {
  method: SaleMethod
  amount: number
  documentId: string
}
/** Onto gift cards that it was paid with, and the rest the way that was chosen. @throws more_than_left */
async function giveAll(movement: Movement, { method, amount: all, documentId }: Back): Promise<void> {
  const amount = all === 0 ? 0 : await returnToGiftCards(movement, { amount: all, documentId })
  if (amount === 0) return
  if (method === 'gift_card') throw refuse('more_than_left', { left: all - amount })
  if (method === 'cash' || method === 'terminal') await giveBack(movement, { method, amount, documentId })
  else await refundForNote(movement, { method, amount, documentId })
}

/** @throws wrong_state for a sale without an invoice, more_than_left, till_closed */
export async function refundSale(
  context: AppContext,
  who: Requester<InstituteScope<'sales.refund'>>,
  id: string,
  asked: Asked,
): Promise<Sale> {
  const { scope, locale } = who
  const { instituteId } = scope
  const key = keyOf(who, { call: 'refundSale', id, ...asked })
  return changeInstitute(context, { instituteId, by: scope, key }, async (unit) => {
    const sale = await readSale(unit.db, scope, id, locale)
    const invoice = await lockInvoice(unit, id)
    if (!invoice) throw refuse('wrong_state')
    const { customerId, appointmentId, client } = invoice
    const movement = await moveMoney(unit, scope.actor, { id, appointmentId, customerId })
    const takeBack = await lockSoldCards(movement)
    const packages = await lockPackagesOf(movement)
    const stored = (await linesOfSale(unit.db, scope, { instituteId, id })).filter(({ documentId }) => documentId === invoice.id)
    const { chosen, lines } = creditedLines(asked.lines, stored)
    const { isTillClosed } = await standingOfSale(movement)
    if (isTillClosed && (asked.method === 'cash' || asked.method === 'terminal')) throw refuse('till_closed', { day: movement.day })
    const note = await issueDocument(movement, { kind: 'credit_note', corrects: invoice.id, reason: asked.reason, client, lines })
    await giveAll(movement, { method: asked.method, amount: -note.total, documentId: note.id })
    for (const [place, line] of chosen.entries()) {
      if (line.productId !== null && asked.lines[place]?.amount === undefined) await takeFromShelf(unit, line.productId, -line.quantity)
      const lineId = line.corrects ?? ''
      if (line.kind === 'gift_card') await takeBack({ lineId, amount: -line.amount })
      if (line.kind === 'package') await packages.giveBack({ lineId, amount: -line.amount, vat: -line.vat })
      if (stored.find(({ id: one }) => one === lineId)?.fromPackage) await packages.undo(lineId)
    }
    unit.record('sale.refunded', id, { documentId: note.id, amount: -note.total, currency: sale.currency })
    return readSale(unit.db, scope, id, locale)
  })
}

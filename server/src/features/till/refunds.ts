/** Money goes back for lines of an invoice. The invoice stays as it is; a credit note with a number of its own takes lines, or parts of them, back. */
import type { Calls } from '@soigne/contract/calls'
import type { Parsed } from '@soigne/contract/define'
import type { Sale } from '@soigne/contract/sales'
import { type Requester, keyOf } from '#/features/booking/service.ts'
import { type DocumentLine, giveBack, issueDocument, moveMoney, partOf, standingOfSale } from '#/features/ledger/service.ts'
import { refundForNote } from '#/features/payments/service.ts'
import { linesOfSale, readSale, type StoredLine } from '#/features/sales/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import type { InstituteScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { takeFromShelf } from './product-store.ts'
import { lockInvoice } from './store.ts'

type Asked = Parsed<Calls['refundSale']>['body']

/** @throws more_than_left */
function backLine(line: StoredLine, amount: number | undefined, place: number): DocumentLine {
  const left = line.amount - line.refunded
  const back = amount ?? left
  if (line.kind === 'discount' || back > left || back === 0)
    throw refuse('more_than_left', { left: Math.max(0, left), fields: { [`lines.${place}.amount`]: 'invalid' } })
  return {
    kind: line.kind,
    name: line.name,
    serviceId: line.serviceId,
    productId: line.productId,
    memberId: line.memberId,
    memberName: line.memberName,
    quantity: line.quantity,
    amount: -back,
    vatBasisPoints: line.vatBasisPoints,
    vat: -partOf(line, { amount: line.refunded, vat: line.refundedVat }, back),
    corrects: line.id,
  }
}

/** A discount goes back with the services it was given on: whoever gets all of them back gets what they paid, and no more. */
function withDiscount(chosen: DocumentLine[], stored: readonly StoredLine[]): DocumentLine[] {
  const discount = stored.find(({ kind }) => kind === 'discount')
  if (!discount) return chosen
  const services = stored.filter(({ kind }) => kind === 'service')
  const sum = services.reduce((all, { amount }) => all + amount, 0)
  const backBefore = services.reduce((all, { refunded }) => all + refunded, 0)
  const backNow = chosen.reduce((all, { kind, amount }) => (kind === 'service' ? all - amount : all), 0)
  // Of the discount what belongs to the services that went back, this time among them, less what went back with those before.
  const given = sum === 0 ? 0 : Math.round((-discount.amount * (backBefore + backNow)) / sum) + discount.refunded
  if (backNow === 0 || given === 0) return chosen
  const vat = partOf(discount, { amount: discount.refunded, vat: discount.refundedVat }, -given)
  return [
    ...chosen,
    { ...backLine({ ...discount, kind: 'service', amount: given, refunded: 0 }, given, 0), kind: 'discount', amount: given, vat: -vat },
  ]
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
    const stored = (await linesOfSale(unit.db, scope, { instituteId, id })).filter(({ documentId }) => documentId === invoice.id)
    if (new Set(asked.lines.map(({ _id }) => _id)).size < asked.lines.length) throw refuseField('lines', 'invalid')
    const chosen = asked.lines.map(({ _id, amount }, place) => {
      const line = stored.find((one) => one.id === _id)
      if (!line) throw refuse('not_found')
      return backLine(line, amount, place)
    })
    const lines = withDiscount(chosen, stored)
    const { customerId, appointmentId, client } = invoice
    const movement = await moveMoney(unit, scope.actor, { id, appointmentId, customerId })
    const { isTillClosed } = await standingOfSale(movement)
    if (isTillClosed && (asked.method === 'cash' || asked.method === 'terminal')) throw refuse('till_closed', { day: movement.day })
    const note = await issueDocument(movement, { kind: 'credit_note', corrects: invoice.id, reason: asked.reason, client, lines })
    const back = { method: asked.method, amount: -note.total, documentId: note.id }
    if (asked.method === 'cash' || asked.method === 'terminal') await giveBack(movement, back)
    else await refundForNote(movement, back)
    for (const [place, line] of chosen.entries())
      if (line.productId !== null && asked.lines[place]?.amount === undefined) await takeFromShelf(unit, line.productId, -line.quantity)
    unit.record('sale.refunded', id, { documentId: note.id, amount: -note.total, currency: sale.currency })
    return readSale(unit.db, scope, id, locale)
  })
}

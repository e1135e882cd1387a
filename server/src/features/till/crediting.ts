/** Which lines a credit note has: those that are asked for, or parts of them, and what of a discount goes with them. */
import type { Calls } from '@soigne/contract/calls'
import type { Parsed } from '@soigne/contract/define'
import { type DocumentLine, partOf } from '#/features/ledger/service.ts'
import type { StoredLine } from '#/features/sales/service.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'

type Asked = Parsed<Calls['refundSale']>['body']

/** @throws more_than_left */
function backLine(line: StoredLine, amount: number | undefined, place: number): DocumentLine {
  const left = line.amount - line.refunded - line.spent
  const back = amount ?? left
  // Of a package all sessions go back that are left.
  const isPart = line.kind === 'package' && back < left
  if (line.kind === 'discount' || isPart || back > left || (back === 0 && !line.fromPackage))
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
    vat: back === 0 ? 0 : -partOf(line, { amount: line.refunded + line.spent, vat: line.refundedVat + line.spentVat }, back),
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

/** Of the lines of an invoice: `chosen` are those that were asked for, `lines` all of the credit note. @throws not_found, bad_input for a line twice, more_than_left */
export function creditedLines(asked: Asked['lines'], stored: readonly StoredLine[]): { chosen: DocumentLine[]; lines: DocumentLine[] } {
  if (new Set(asked.map(({ _id }) => _id)).size < asked.length) throw refuseField('lines', 'invalid')
  const chosen = asked.map(({ _id, amount }, place) => {
    const line = stored.find((one) => one.id === _id)
    if (!line) throw refuse('not_found')
    return backLine(line, amount, place)
  })
  return { chosen, lines: withDiscount(chosen, stored) }
}

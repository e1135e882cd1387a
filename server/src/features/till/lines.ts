/** What was agreed at the counter as lines of an invoice, each rounded once. */
import type { Calls } from '@soigne/contract/calls'
import type { Parsed } from '@soigne/contract/define'
import { type DocumentLine, percentOf, sumOf, vatWithin } from '#/features/ledger/service.ts'
import { rateOf, type VisitToPay } from '#/features/sales/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { productsById } from './product-store.ts'
import { membersById, servicesById } from './store.ts'

export type Asked = Parsed<Calls['takeForVisit']>['body']
type Sold = Asked['lines'][number]

interface Priced {
  kind: 'service' | 'product'
  name: unknown
  serviceId?: string | null
  productId?: string | null
  memberId?: string | null
  memberName?: string | null
  quantity?: number
  amount: number
  rate: number
}
const lineOf = ({
  kind,
  name,
  serviceId = null,
  productId = null,
  memberId = null,
  memberName = null,
  quantity = 1,
  amount,
  rate,
}: Priced): DocumentLine => ({
  kind,
  name,
  serviceId,
  productId,
  memberId,
  memberName,
  quantity,
  amount,
  vatBasisPoints: rate,
  vat: vatWithin(amount, rate),
  corrects: null,
})

/** Rows of this institute for every id that was named. @throws not_found for any other */
async function found<Row extends { id: string }>(
  ids: (string | undefined)[],
  read: (ids: string[]) => Promise<Row[]>,
): Promise<(id: string) => Row> {
  const wanted = [...new Set(ids.filter((one) => one !== undefined))]
  const rows = new Map((wanted.length > 0 ? await read(wanted) : []).map((row) => [row.id, row]))
  return (id) => {
    const row = rows.get(id)
    if (!row) throw refuse('not_found')
    return row
  }
}

const idsOf = <Key extends 'serviceId' | 'productId' | 'staffId'>(lines: readonly Sold[], key: Key): (string | undefined)[] =>
  lines.map((line) => (key in line ? ((line as Record<Key, string | undefined>)[key] as string | undefined) : undefined))

/** What was sold, in the order it was said. @throws bad_input for a service of the visit twice, or one without a price */
async function soldLines(unit: Unit, lines: readonly Sold[], visit: VisitToPay | null, rate: number): Promise<DocumentLine[]> {
  const serviceOf = await found(idsOf(lines, 'serviceId'), (ids) => servicesById(unit, ids))
  const memberOf = await found(idsOf(lines, 'staffId'), (ids) => membersById(unit, ids))
  const productOf = await found(idsOf(lines, 'productId'), (ids) => productsById(unit, ids))
  const done = new Set<number>()
  return lines.map((line, place) => {
    const price = (agreed: number | null): number => {
      const amount = line.amount ?? agreed
      if (amount === null) throw refuseField(`lines.${place}.amount`, 'required')
      return amount
    }
    if ('segment' in line) {
      const segment = visit?.segments.find(({ position }) => position === line.segment)
      if (!segment || done.has(line.segment)) throw refuseField(`lines.${place}.segment`, 'invalid')
      done.add(line.segment)
      const { name, serviceId, memberId, memberName } = segment
      return lineOf({ kind: 'service', name, serviceId, memberId, memberName, amount: price(segment.amount), rate })
    }
    if ('productId' in line) {
      const product = productOf(line.productId)
      const { quantity } = line
      const amount = line.amount ?? product.priceAmount * quantity
      return lineOf({ kind: 'product', name: product.name, productId: product.id, quantity, amount, rate: product.vatBasisPoints ?? rate })
    }
    const service = serviceOf(line.serviceId)
    const member = line.staffId === undefined ? null : memberOf(line.staffId)
    const by = member ? { memberId: member.id, memberName: member.name } : {}
    return lineOf({ kind: 'service', name: service.name, serviceId: service.id, ...by, amount: price(service.priceAmount), rate })
  })
}

const discountNames = { en: 'Discount', fr: 'Remise', ar: 'خصم' }

/** On services alone, as one line below zero. */
function discountLine(discount: NonNullable<Asked['discount']>, lines: readonly DocumentLine[], rate: number): DocumentLine[] {
  const services = sumOf(lines.filter(({ kind }) => kind === 'service'))
  const amount = 'percent' in discount ? percentOf(services, discount.percent) : discount.amount
  if (amount > services) throw refuseField('discount.amount', 'invalid')
  if (amount === 0) return []
  const { reason } = discount
  return [{ ...lineOf({ kind: 'service', name: reason ?? discountNames, amount: -amount, rate }), kind: 'discount' }]
}

interface Selling {
  lines: Asked['lines']
  discount?: Asked['discount']
  visit: VisitToPay | null
  seller: { vatBasisPoints: number | null; countryCode: string }
}
export async function linesFor(unit: Unit, { lines, discount, visit, seller }: Selling): Promise<DocumentLine[]> {
  const rate = rateOf(seller)
  const sold = await soldLines(unit, lines, visit, rate)
  return discount ? [...sold, ...discountLine(discount, sold, rate)] : sold
}

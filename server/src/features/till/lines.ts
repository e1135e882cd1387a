/** What was agreed at the counter as lines of an invoice, each rounded once. */
import type { Calls } from '@soigne/contract/calls'
import type { Parsed } from '@soigne/contract/define'
import type { Locale } from '@soigne/contract/wire'
import { type DocumentLine, percentOf, sumOf, vatWithin } from '#/features/ledger/service.ts'
import { rateOf, type VisitToPay } from '#/features/sales/service.ts'
import type { Unit } from '#/features/unit-of-work/service.ts'
import { lockClientPackages, packagesById, type StoredPackage } from '#/features/vouchers/service.ts'
import { refuse, refuseField } from '#/platform/refuse.ts'
import { localised } from '#/texts/translate.ts'
import { productsById } from './product-store.ts'
import { membersById, servicesById } from './store.ts'

export type Asked = Parsed<Calls['takeForVisit']>['body']
type Sold = Asked['lines'][number]
type Words = Partial<Record<Locale, string>>

interface Priced {
  kind: 'service' | 'product' | 'gift_card' | 'package'
  name: unknown
  serviceId?: string | null
  productId?: string | null
  memberId?: string | null
  memberName?: string | null
  quantity?: number
  amount: number
  rate: number
}
/** Rounded once, here. */
export const lineOf = ({
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
  if (rows.size < wanted.length) throw refuse('not_found')
  return (id) => {
    const row = rows.get(id)
    if (!row) throw new Error(`${id} was not asked for`)
    return row
  }
}

/** VAT is due when it is used: what for, and at which rate, is not known before (Directive (EU) 2016/1065). */
const giftCardNames = {
  en: 'Gift card, VAT when it is used',
  fr: 'Carte cadeau, TVA à l’utilisation',
  ar: 'بطاقة هدية، الضريبة عند استعمالها',
}
const packageNames = ({ name, sessions }: StoredPackage): Words => ({
  en: `${name}, ${sessions} sessions`,
  fr: `${name}, ${sessions} séances`,
  ar: `${name}، عدد الجلسات: ${sessions}`,
})
/** A service that a session pays for. */
const sessionNames = (service: Words, name: string): Words => ({
  en: `${localised(service, 'en')}, from the package ${name}`,
  fr: `${localised(service, 'fr')}, sur le forfait ${name}`,
  ar: `${localised(service, 'ar')}، من الباقة ${name}`,
})

/** A line, and what it sells or uses beside what stands on it. */
export type TillLine = DocumentLine & { sells?: StoredPackage; clientPackageId?: string }

function giftCardLine({ amount, quantity }: Sold, place: number): TillLine {
  if (!amount) throw refuseField(`lines.${place}.amount`, 'required')
  if (quantity !== 1) throw refuseField(`lines.${place}.quantity`, 'invalid')
  return lineOf({ kind: 'gift_card', name: giftCardNames, amount, rate: 0 })
}
/** What it is for and at which rate is known, so VAT is due now. */
function packageLine(sold: StoredPackage, { amount, quantity }: Sold, place: number, rate: number): TillLine {
  if (quantity !== 1) throw refuseField(`lines.${place}.quantity`, 'invalid')
  if (amount === 0) throw refuseField(`lines.${place}.amount`, 'invalid')
  return { ...lineOf({ kind: 'package', name: packageNames(sold), amount: amount ?? sold.priceAmount, rate }), sells: sold }
}

/** Everything that lines name, of this institute. @throws not_found for any other */
async function namedIn(unit: Unit, lines: readonly Sold[]) {
  const idsOf = (key: 'serviceId' | 'staffId' | 'productId' | 'packageId' | 'fromPackage') => lines.map((line) => line[key])
  return {
    serviceOf: await found(idsOf('serviceId'), (ids) => servicesById(unit, ids)),
    memberOf: await found(idsOf('staffId'), (ids) => membersById(unit, ids)),
    productOf: await found(idsOf('productId'), (ids) => productsById(unit, ids)),
    packageOf: await found(idsOf('packageId'), (ids) => packagesById(unit, ids)),
    heldOf: await found(idsOf('fromPackage'), (ids) => lockClientPackages(unit, ids)),
  }
}

/** What was sold, in the order it was said. @throws bad_input for a service of the visit twice, or one without a price */
async function soldLines(unit: Unit, lines: readonly Sold[], visit: VisitToPay | null, rate: number): Promise<TillLine[]> {
  const { serviceOf, memberOf, productOf, packageOf, heldOf } = await namedIn(unit, lines)
  const done = new Set<number>()
  return lines.map((line, place) => {
    const { segment, serviceId, staffId, productId, packageId, giftCard, fromPackage, quantity } = line
    const isService = segment !== undefined || serviceId !== undefined
    if ([segment, serviceId, productId, packageId, giftCard].filter((one) => one !== undefined).length !== 1)
      throw refuseField(`lines.${place}`, 'invalid')
    if (fromPackage !== undefined && (!isService || line.amount !== undefined)) throw refuseField(`lines.${place}.fromPackage`, 'invalid')
    const price = (agreed: number | null): number => {
      const amount = line.amount ?? agreed
      if (amount === null) throw refuseField(`lines.${place}.amount`, 'required')
      return amount
    }
    /** At its price, or paid for by a session. */
    const serviceLine = (priced: Omit<Priced, 'kind' | 'amount' | 'rate'>, agreed: number | null): TillLine => {
      if (fromPackage === undefined) return lineOf({ kind: 'service', ...priced, amount: price(agreed), rate })
      const name = sessionNames(priced.name as Words, heldOf(fromPackage).name)
      return { ...lineOf({ kind: 'service', ...priced, name, amount: 0, rate }), clientPackageId: fromPackage }
    }
    if (giftCard) return giftCardLine(line, place)
    if (packageId !== undefined) return packageLine(packageOf(packageId), line, place, rate)
    if (productId !== undefined) {
      const { name, priceAmount, vatBasisPoints } = productOf(productId)
      return lineOf({ kind: 'product', name, productId, quantity, amount: price(priceAmount * quantity), rate: vatBasisPoints ?? rate })
    }
    if (serviceId !== undefined) {
      const { name, priceAmount } = serviceOf(serviceId)
      const member = staffId === undefined ? null : memberOf(staffId)
      return serviceLine({ name, serviceId, ...(member && { memberId: member.id, memberName: member.name }) }, priceAmount)
    }
    const part = visit?.segments.find(({ position }) => position === segment)
    if (!part || done.has(part.position)) throw refuseField(`lines.${place}.segment`, 'invalid')
    done.add(part.position)
    const { name, memberId, memberName, amount } = part
    return serviceLine({ name, serviceId: part.serviceId, memberId, memberName }, amount)
  })
}

const discountNames = { en: 'Discount', fr: 'Remise', ar: 'خصم' }

/** On services alone, as one line below zero. */
export function discountLine(discount: NonNullable<Asked['discount']>, lines: readonly DocumentLine[], rate: number): DocumentLine[] {
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
export async function linesFor(unit: Unit, { lines, discount, visit, seller }: Selling): Promise<TillLine[]> {
  const rate = rateOf(seller)
  const sold = await soldLines(unit, lines, visit, rate)
  return discount ? [...sold, ...discountLine(discount, sold, rate)] : sold
}

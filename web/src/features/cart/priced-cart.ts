// The chosen services with the price and duration of the chosen members, and what they come to.
import type { Institute, Member, Service } from '@soigne/contract/institutes'
import type { Money } from '@soigne/contract/wire'
import type { CartItem } from './choice.ts'
import type { Hold } from '@soigne/contract/appointments'

export type PricedLine = {
  service: Service
  member: Member | null
  durationMinutes: number
  price: Money | null
  /** The price may be higher: it starts there, or depends on who performs it. */
  isFrom: boolean
}

export type PricedCart = {
  lines: readonly PricedLine[]
  /** Null when nothing chosen has a price. */
  total: Money | null
  /** Some price is only known at the institute, or starts from the one shown. */
  isOpenEnded: boolean
  durationMinutes: number
}

/** What anyone of the team asks at least, and whether some ask more. */
function priceOfAnyone({ price, performers }: Service): { price: Money | null; isFrom: boolean } {
  const prices = performers.flatMap((performer) => (performer.price ? [performer.price] : []))
  if (prices.length === 0) return { price, isFrom: false }
  const amounts = prices.map(({ amount }) => amount)
  const least = Math.min(...amounts)
  return { price: { amount: least, currency: prices[0]?.currency ?? '' }, isFrom: Math.max(...amounts) > least }
}

function priceLine(institute: Institute, { serviceId, staffId }: CartItem): PricedLine[] {
  const service = institute.services.find(({ _id }) => _id === serviceId)
  if (!service) return []
  const performer = service.performers.find((one) => one.staffId === staffId)
  const member = institute.team.find(({ _id }) => _id === staffId) ?? null
  const { price, isFrom } = performer ? { price: performer.price ?? service.price, isFrom: false } : priceOfAnyone(service)
  return [
    {
      service,
      member,
      durationMinutes: performer?.durationMinutes ?? service.durationMinutes,
      price,
      isFrom: isFrom || service.priceKind === 'from',
    },
  ]
}

function sumOf(lines: readonly PricedLine[]): PricedCart {
  const prices = lines.flatMap(({ price }) => (price ? [price] : []))
  const [first] = prices
  return {
    lines,
    total: first ? { amount: prices.reduce((sum, { amount }) => sum + amount, 0), currency: first.currency } : null,
    isOpenEnded: lines.some(({ isFrom, price }) => isFrom || price === null),
    durationMinutes: lines.reduce((sum, line) => sum + line.durationMinutes, 0),
  }
}

export function priceCart(institute: Institute, items: readonly CartItem[]): PricedCart {
  return sumOf(items.flatMap((item) => priceLine(institute, item)))
}

/** The plan as a hold has settled it: who performs each service, and exactly what it comes to. */
export function priceByHold(plan: PricedCart, institute: Institute, hold: Hold): PricedCart {
  const lines = plan.lines.map((line) => {
    const segment = hold.segments.find(({ serviceId }) => serviceId === line.service._id)
    if (!segment) return line
    const member = institute.team.find(({ _id }) => _id === segment.staffId) ?? line.member
    return { ...line, member, price: segment.price, isFrom: line.service.priceKind === 'from' }
  })
  return { ...sumOf(lines), total: hold.total }
}

/** Members who perform every one of the services and can be booked online. */
export function membersForAll(institute: Institute, services: readonly Service[]): Member[] {
  return institute.team.filter((member) => services.every(({ performers }) => performers.some(({ staffId }) => staffId === member._id)))
}

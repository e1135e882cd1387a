// The chosen services with the price and duration of the chosen members, and what they come to.
import type { Institute, Member, Service } from '@soigne/contract/institutes'
import type { CartItem } from './choice.ts'
import type { Hold } from '@soigne/contract/appointments'
import { priceOfSegment, priceOfService, serviceOn, priceOfVisit, sumOfPrices, type PriceRange } from '#/prices.ts'

export type PricedLine = {
  service: Service
  member: Member | null
  durationMinutes: number
  price: PriceRange
}

export type PricedCart = {
  lines: readonly PricedLine[]
  total: PriceRange
  durationMinutes: number
}

function priceLine(institute: Institute, { serviceId, staffId }: CartItem, day: string | null): PricedLine[] {
  const service = institute.services.find(({ _id }) => _id === serviceId)
  if (!service) return []
  const performer = service.performers.find((one) => one.staffId === staffId)
  const member = institute.team.find(({ _id }) => _id === staffId) ?? null
  return [
    {
      service,
      member,
      durationMinutes: performer?.durationMinutes ?? service.durationMinutes,
      price: priceOfService(serviceOn(service, day), staffId),
    },
  ]
}

function sumOf(lines: readonly PricedLine[]): PricedCart {
  return {
    lines,
    total: sumOfPrices(lines.map(({ price }) => price)),
    durationMinutes: lines.reduce((sum, line) => sum + line.durationMinutes, 0),
  }
}

/** What is chosen, at the prices of the day that is looked at, today without one. */
export function priceCart(institute: Institute, items: readonly CartItem[], day: string | null = null): PricedCart {
  return sumOf(items.flatMap((item) => priceLine(institute, item, day)))
}

/** The plan as a hold has settled it: who performs each service, and exactly what it comes to. */
export function priceByHold(plan: PricedCart, institute: Institute, hold: Hold): PricedCart {
  const lines = plan.lines.map((line) => {
    const segment = hold.segments.find(({ serviceId }) => serviceId === line.service._id)
    if (!segment) return line
    const member = institute.team.find(({ _id }) => _id === segment.staffId) ?? line.member
    return { ...line, member, price: priceOfSegment(segment) }
  })
  return { ...sumOf(lines), total: priceOfVisit(hold) }
}

/** Members who perform every one of the services and can be booked online. */
export function membersForAll(institute: Institute, services: readonly Service[]): Member[] {
  return institute.team.filter((member) => services.every(({ performers }) => performers.some(({ staffId }) => staffId === member._id)))
}

// The chosen services with the price and duration of the chosen members, and what they come to.
import type { Institute, Member, Service } from '@soigne/contract/institutes'
import type { Money } from '@soigne/contract/wire'
import type { Wish } from './choice.ts'

export type PlanLine = { service: Service; member: Member | null; durationMinutes: number; price: Money | null }

export type VisitPlan = {
  lines: readonly PlanLine[]
  /** Null when nothing chosen has a price. */
  total: Money | null
  /** Some price is only known at the institute, or starts from the one shown. */
  isOpenEnded: boolean
  durationMinutes: number
}

function planLine(institute: Institute, wish: Wish): PlanLine[] {
  const service = institute.services.find(({ _id }) => _id === wish.serviceId)
  if (!service) return []
  const performer = service.performers.find(({ staffId }) => staffId === wish.staffId)
  const member = institute.team.find(({ _id }) => _id === wish.staffId) ?? null
  return [
    { service, member, durationMinutes: performer?.durationMinutes ?? service.durationMinutes, price: performer?.price ?? service.price },
  ]
}

export function planVisit(institute: Institute, wishes: readonly Wish[]): VisitPlan {
  const lines = wishes.flatMap((wish) => planLine(institute, wish))
  const prices = lines.flatMap(({ price }) => (price ? [price] : []))
  const [first] = prices
  return {
    lines,
    total: first ? { amount: prices.reduce((sum, { amount }) => sum + amount, 0), currency: first.currency } : null,
    isOpenEnded: prices.length < lines.length || lines.some(({ service }) => service.priceKind !== 'fixed'),
    durationMinutes: lines.reduce((sum, line) => sum + line.durationMinutes, 0),
  }
}

/** Members who perform every one of the services and can be booked online. */
export function membersForAll(institute: Institute, services: readonly Service[]): Member[] {
  return institute.team.filter((member) => services.every(({ performers }) => performers.some(({ staffId }) => staffId === member._id)))
}

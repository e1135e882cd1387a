// What is paid now and what at the salon, by what the institute asks for and what the client wishes.
import type { HoldPayment } from '@soigne/contract/payments'
import type { PaymentMethod } from '@soigne/contract/wire'

export type Way = PaymentMethod | 'salon'
/** What somebody chose; null where nothing yet. */
export type Wish = { part: 'deposit' | 'all' | null; way: Way | null }

/** The most that is charged whoever cancels late or does not come. */
export const feeOf = ({ fees }: HoldPayment): number => Math.max(fees.lateCancel.amount, fees.noShow.amount)

const isParted = ({ total, deposit }: HoldPayment): boolean => deposit.amount > 0 && deposit.amount < total.amount

/** Whether it can be chosen how much is paid now. */
export const isChoice = (plan: HoldPayment): boolean => isParted(plan) && plan.canPayAll

/** What may be paid now; all of it where there is nothing to choose. */
function partOf(plan: HoldPayment, wish: Wish): 'deposit' | 'all' {
  if (!isParted(plan)) return 'all'
  return isChoice(plan) ? (wish.part ?? 'deposit') : 'deposit'
}

/**
 * The ways there are: at the salon first, where nothing has to be paid before, and there alone where the whole sum cannot be moved.
 * A fee that is more than a deposit is charged to the card that pays it.
 */
export function waysOf(plan: HoldPayment, wish: Wish): Way[] {
  const { methods, deposit, payAtSalon, canPayAll } = plan
  if (deposit.amount === 0 && !canPayAll) return ['salon']
  const isCard = partOf(plan, wish) === 'deposit' && feeOf(plan) > deposit.amount
  const online = isCard ? methods.filter((method) => method === 'card') : methods
  return payAtSalon && deposit.amount === 0 ? ['salon', ...online] : online
}

/** `keepsCard`: a fee may be more than what is paid now. */
export type Split = { way: Way; part: 'deposit' | 'all'; now: number; later: number; keepsCard: boolean }

export function splitOf(plan: HoldPayment, wish: Wish): Split {
  const ways = waysOf(plan, wish)
  const way = ways.find((one) => one === wish.way) ?? ways[0] ?? 'salon'
  const { total, deposit } = plan
  const part = partOf(plan, wish)
  const now = way === 'salon' ? 0 : part === 'deposit' ? deposit.amount : total.amount
  return { way, part, now, later: total.amount - now, keepsCard: feeOf(plan) > now }
}

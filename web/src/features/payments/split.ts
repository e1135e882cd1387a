// What is paid now and what at the salon, by what the institute asks for and what the client wishes.
import type { HoldPayment } from '@soigne/contract/payments'
import type { PaymentMethod } from '@soigne/contract/wire'

export type Way = PaymentMethod | 'salon'
/** What somebody chose; null where nothing yet. */
export type Wish = { part: 'deposit' | 'all' | null; way: Way | null }

/** The ways there are: at the salon first, where nothing has to be paid before. */
export function waysOf({ methods, deposit, payAtSalon }: HoldPayment): Way[] {
  return payAtSalon && deposit.amount === 0 ? ['salon', ...methods] : methods
}

export type Split = { way: Way; part: 'deposit' | 'all'; now: number; later: number }

export function splitOf(plan: HoldPayment, wish: Wish): Split {
  const ways = waysOf(plan)
  const way = ways.find((one) => one === wish.way) ?? ways[0] ?? 'salon'
  const { total, deposit } = plan
  const isParted = deposit.amount > 0 && deposit.amount < total.amount
  const part = isParted ? (wish.part ?? 'deposit') : 'all'
  const now = way === 'salon' ? 0 : part === 'deposit' ? deposit.amount : total.amount
  return { way, part, now, later: total.amount - now }
}

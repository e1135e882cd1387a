/** What each class of cost may take: tokens that fill again, counted in the memory of this process. */
import { minuteMs } from '@soigne/contract/time'
import { refuse } from './refuse.ts'

export interface Budget {
  /** As many at once. */
  most: number
  perMinute: number
}
/** By who spends and by class of cost; what is not named costs nothing. */
export type BudgetTable = Readonly<Record<string, Readonly<Record<string, Budget>>>>

export interface Budgets {
  /** Spends `weight` of a class. @throws too_many_requests when there is not so much left, and then spends nothing */
  take(spender: string, cost: string, key: string, weight?: number): void
}

interface Purse {
  left: number
  at: number
}

/** So many are remembered; the one that came first is forgotten for one more. */
const mostRemembered = 100_000

/** @param share of the budgets: 1 as they are, Infinity for none */
export function openBudgets(table: BudgetTable, share: number, now: () => number = () => performance.now()): Budgets {
  const purses = new Map<string, Purse>()
  return {
    take(spender, cost, key, weight = 1) {
      const budget = share === Number.POSITIVE_INFINITY ? undefined : table[spender]?.[cost]
      if (!budget) return
      const most = budget.most * share
      const perMs = (budget.perMinute * share) / minuteMs
      const at = now()
      const name = `${cost} ${spender} ${key}`
      const known = purses.get(name)
      const left = known ? Math.min(most, known.left + (at - known.at) * perMs) : most
      // Whoever has a whole purse may always open it.
      const price = Math.min(weight, most)
      if (left < price) throw refuse('too_many_requests', undefined, { retryAfter: Math.max(1, Math.ceil((price - left) / perMs / 1000)) })
      if (known) {
        known.left = left - price
        known.at = at
        return
      }
      if (purses.size >= mostRemembered) purses.delete(purses.keys().next().value ?? '')
      purses.set(name, { left: left - price, at })
    },
  }
}

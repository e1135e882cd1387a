// What an institute asks for beforehand, as it is typed, as it is stored, and what it comes to.
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import { amountOf, typedAmount } from '#/amounts.ts'

type DepositRule = InstituteSettings['payments']['deposit']
/** As it is typed: an amount or a percentage need not be one yet. */
export type TypedDeposit = { kind: 'none' | 'fixed' | 'percent'; amount: string; percent: string }

/** The rule that was typed; null while it is none. */
export function depositRuleOf({ kind, amount, percent }: TypedDeposit, currency: string): DepositRule | null {
  if (kind === 'none') return { kind }
  if (kind === 'percent') {
    const part = amountOf(percent, 'JPY')
    return part !== null && part >= 1 && part <= 100 ? { kind, percent: part } : null
  }
  const fixed = amountOf(amount, currency)
  return fixed !== null && fixed >= 1 ? { kind, amount: fixed } : null
}

export function typedDeposit(rule: DepositRule, currency: string): TypedDeposit {
  return {
    kind: rule.kind,
    amount: rule.kind === 'fixed' ? typedAmount(rule.amount, currency) : '',
    percent: rule.kind === 'percent' ? String(rule.percent) : '',
  }
}

/** The part of a price that is asked beforehand, rounded once; never more than the price. */
export function depositFor(rule: DepositRule, price: number): number {
  switch (rule.kind) {
    case 'none':
      return 0
    case 'percent':
      return Math.round((price * rule.percent) / 100)
    case 'fixed':
      return Math.min(rule.amount, price)
  }
}

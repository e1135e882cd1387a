/** What happens to money, as entries of double entry: what an institute has is above zero, what it owes and earns below. Each entry adds up to nothing. */
import type { SaleMethod } from '@soigne/contract/sales'

/** `online` is what providers have taken for the institute; `prepayments` what was paid and not invoiced yet; `kept` are deposits of visits that were cancelled late, and fees. */
export type Account = 'cash' | 'terminal' | 'online' | 'prepayments' | 'revenue' | 'vat' | 'tips' | 'kept'
export interface Posting {
  account: Account
  amount: number
}

const accountOf = (method: SaleMethod): Account => (method === 'cash' || method === 'terminal' ? method : 'online')
const apart = (postings: readonly Posting[]): Posting[] => postings.filter(({ amount }) => amount !== 0)

/** Money came. */
export const paid = (method: SaleMethod, amount: number): Posting[] => [
  { account: accountOf(method), amount },
  { account: 'prepayments', amount: -amount },
]

/** Money went back. */
export const paidBack = (method: SaleMethod, amount: number): Posting[] => paid(method, -amount)

/** An invoice says what the money was for; a credit note, whose sums are below zero, takes that back. */
export const invoiced = ({ total, vat }: { total: number; vat: number }): Posting[] =>
  apart([
    { account: 'prepayments', amount: total },
    { account: 'revenue', amount: vat - total },
    { account: 'vat', amount: -vat },
  ])

/** What was given beside the price is owed to the team. */
export const tipped = (amount: number): Posting[] =>
  apart([
    { account: 'prepayments', amount },
    { account: 'tips', amount: -amount },
  ])

/** A fee was charged, or goes back below zero: compensation, without VAT. */
export const feePaid = (amount: number): Posting[] => [
  { account: 'online', amount },
  { account: 'kept', amount: -amount },
]

/** A deposit stays with the institute because its client cancelled late: nothing was sold for it, and no VAT is in it. */
export const kept = (amount: number): Posting[] =>
  apart([
    { account: 'prepayments', amount },
    { account: 'kept', amount: -amount },
  ])

/** What happens to money, as entries of double entry: what an institute has is above zero, what it owes and earns below. Each entry adds up to nothing. */
import type { SaleMethod } from '@soigne/contract/sales'

/**
 * `online` is what providers have taken for the institute; `prepayments` what was paid and not invoiced yet; `kept` are deposits of visits that were cancelled
 * late or missed, and fees. `disputed` is what banks of clients took back, for now or for good. `gift_cards` and `packages` are owed to whoever has them, until they are used or `expired`.
 */
export type Account =
  | 'cash'
  | 'terminal'
  | 'online'
  | 'prepayments'
  | 'revenue'
  | 'vat'
  | 'tips'
  | 'kept'
  | 'gift_cards'
  | 'packages'
  | 'expired'
  | 'disputed'
export interface Posting {
  account: Account
  amount: number
}

function accountOf(method: SaleMethod): Account {
  if (method === 'cash' || method === 'terminal') return method
  return method === 'gift_card' ? 'gift_cards' : 'online'
}
const apart = (postings: readonly Posting[]): Posting[] => postings.filter(({ amount }) => amount !== 0)

/** Money came. */
export const paid = (method: SaleMethod, amount: number): Posting[] => [
  { account: accountOf(method), amount },
  { account: 'prepayments', amount: -amount },
]

/** Money went back. */
export const paidBack = (method: SaleMethod, amount: number): Posting[] => paid(method, -amount)

/** What a document says of it, as far as the books ask. */
interface Invoiced {
  total: number
  vat: number
  /** Of the total what gift cards were sold for, and packages without their VAT: owed, not earned. */
  giftCards?: number
  packages?: number
}
/** An invoice says what the money was for; a credit note, whose sums are below zero, takes that back. */
export const invoiced = ({ total, vat, giftCards = 0, packages = 0 }: Invoiced): Posting[] =>
  apart([
    { account: 'prepayments', amount: total },
    { account: 'revenue', amount: vat + giftCards + packages - total },
    { account: 'vat', amount: -vat },
    { account: 'gift_cards', amount: -giftCards },
    { account: 'packages', amount: -packages },
  ])

/** A session of a package pays for a visit: its price without VAT, which was due when it was sold, is earned now. Below zero where that is taken back. */
export const packageUsed = (net: number): Posting[] =>
  apart([
    { account: 'packages', amount: net },
    { account: 'revenue', amount: -net },
  ])

/** The last day of a package is over: what was left of it stays. */
export const packageExpired = (net: number): Posting[] =>
  apart([
    { account: 'packages', amount: net },
    { account: 'expired', amount: -net },
  ])

/** The last day of a gift card is over: what was left stays, and no VAT is in it, since nothing was supplied. */
export const cardExpired = (amount: number): Posting[] =>
  apart([
    { account: 'gift_cards', amount },
    { account: 'expired', amount: -amount },
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

/** The bank of a client took money back; below zero it came again. */
export const disputed = (amount: number): Posting[] => [
  { account: 'online', amount: -amount },
  { account: 'disputed', amount },
]

/** A deposit stays with the institute because its client cancelled late or did not come: nothing was sold for it, and no VAT is in it. Below zero that is taken back. */
export const kept = (amount: number): Posting[] =>
  apart([
    { account: 'prepayments', amount },
    { account: 'kept', amount: -amount },
  ])

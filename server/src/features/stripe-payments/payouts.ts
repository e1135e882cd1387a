/** What Stripe sends to the bank of an institute, what it is made up of, and what is not sent yet: https://docs.stripe.com/api/payouts, /balance_transactions and /balance. */
import type Stripe from 'stripe'
import type { Money } from '@soigne/contract/wire'
import type { Instant } from '@soigne/contract/time'
import { instantText } from '#/platform/instants.ts'
import type { ProviderPayout, ProviderPayoutMove } from '#/platform/payment-provider.ts'
import { AmountOfNoUse, fromStripe } from './amounts.ts'
import { balance, balanceMove, payout } from './objects.ts'

interface Listing {
  stripe: Stripe
  accountId: string
  /** How far the clock of a trial is ahead of Stripe's. */
  aheadMs: number
}
const atOnce = 100

const states: Readonly<Record<string, ProviderPayout['state']>> = {
  pending: 'coming',
  in_transit: 'coming',
  paid: 'paid',
  failed: 'failed',
  canceled: 'cancelled',
}
const problems: Readonly<Record<string, NonNullable<ProviderPayout['problem']>>> = {
  account_closed: 'account_gone',
  no_account: 'account_gone',
  invalid_account_number: 'account_gone',
  account_frozen: 'account_blocked',
  bank_account_restricted: 'account_blocked',
  debit_not_authorized: 'account_blocked',
  bank_ownership_changed: 'other_owner',
  incorrect_account_holder_name: 'other_owner',
  incorrect_account_holder_address: 'other_owner',
  incorrect_account_holder_tax_id: 'other_owner',
  could_not_process: 'declined',
  declined: 'declined',
  insufficient_funds: 'declined',
  invalid_currency: 'declined',
  unsupported_card: 'declined',
}
/** By Stripe's own categories: https://docs.stripe.com/reports/reporting-categories */
const kinds: Readonly<Record<string, ProviderPayoutMove['kind']>> = {
  charge: 'payment',
  charge_failure: 'payment',
  refund: 'refund',
  partial_capture_reversal: 'refund',
  refund_failure: 'refund',
  dispute: 'dispute',
  dispute_reversal: 'dispute',
  fee: 'fee',
  platform_earning: 'fee',
  platform_earning_refund: 'fee',
  network_cost: 'fee',
  tax: 'fee',
}

export async function payoutsOf({ stripe, accountId, aheadMs }: Listing, from: Instant): Promise<ProviderPayout[]> {
  const made: ProviderPayout[] = []
  const asked = { created: { gte: Math.floor((from - aheadMs) / 1000) }, limit: atOnce }
  for await (const given of stripe.payouts.list(asked, { stripeAccount: accountId })) {
    const { id, amount, currency, status, failure_code: why, created, arrival_date: arrives } = payout.parse(given)
    const code = currency.toUpperCase()
    made.push({
      reference: id,
      amount: fromStripe(amount, code),
      currency: code,
      state: states[status] ?? 'coming',
      problem: problems[why ?? ''] ?? null,
      at: created * 1000 + aheadMs,
      arrivesOn: instantText(arrives * 1000 + aheadMs).slice(0, 10),
    })
  }
  return made
}

/** Null for one that was made by hand: Stripe does not say what it is made up of. */
export async function movesOfPayout({ stripe, accountId, aheadMs }: Listing, id: string): Promise<ProviderPayoutMove[] | null> {
  const on = { stripeAccount: accountId }
  const { automatic } = payout.parse(await stripe.payouts.retrieve(id, {}, on))
  if (!automatic) return null
  const moves: ProviderPayoutMove[] = []
  for await (const given of stripe.balanceTransactions.list({ payout: id, limit: atOnce, expand: ['data.source'] }, on)) {
    const {
      id: reference,
      type,
      amount,
      currency,
      fee_details: fees,
      created,
      description,
      reporting_category,
      source,
    } = balanceMove.parse(given)
    // The payout is one of its own moves.
    if (type === 'payout' || type === 'payout_failure' || type === 'payout_cancel') continue
    const code = currency.toUpperCase()
    const sumOf = (...of: string[]): number =>
      fees.reduce((sum, fee) => (of.includes(fee.type) ? sum + fromStripe(fee.amount, code) : sum), 0)
    const paymentReference = typeof source === 'object' ? (source?.payment_intent ?? null) : null
    const site = sumOf('application_fee')
    const tax = sumOf('tax')
    const all = fees.reduce((sum, fee) => sum + fromStripe(fee.amount, code), 0)
    moves.push({
      reference,
      kind: kinds[reporting_category] ?? 'other',
      paymentReference,
      amount: fromStripe(amount, code),
      fees: { provider: all - site - tax, site, tax },
      said: paymentReference === null ? (description ?? null) : null,
      at: created * 1000 + aheadMs,
    })
  }
  return moves
}

/** Null for what cannot be written here, such as coins that have no code of three letters: the rest is said all the same. */
function moneyHere(amount: number, currency: string): Money | null {
  try {
    return /^[A-Z]{3}$/.test(currency) ? { amount: fromStripe(amount, currency), currency } : null
  } catch (error) {
    if (error instanceof AmountOfNoUse) return null
    throw error
  }
}

/** What the account has, free to be sent or not yet. */
export async function waitingOf({ stripe, accountId }: Pick<Listing, 'stripe' | 'accountId'>): Promise<Money[]> {
  const { available, pending } = balance.parse(await stripe.balance.retrieve({}, { stripeAccount: accountId }))
  const sums = new Map<string, number>()
  for (const { amount, currency } of [...available, ...pending]) {
    const code = currency.toUpperCase()
    sums.set(code, (sums.get(code) ?? 0) + amount)
  }
  return [...sums].flatMap(([currency, amount]) => (amount === 0 ? [] : (moneyHere(amount, currency) ?? [])))
}

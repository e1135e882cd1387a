/** What is read of Stripe's answers and words, and what it means here. */
import { createHmac, hkdfSync } from 'node:crypto'
import * as z from 'zod/mini'
import type { RefundRefusal } from '@soigne/contract/wire'
import type { ChargeState, DisputeReason, KeptCard, PageState } from '#/platform/payment-provider.ts'
import { sameBytes } from '#/platform/tokens.ts'
import { fromStripe } from './amounts.ts'

const metadata = z.nullish(z.record(z.string(), z.string()))
const method = z.object({
  id: z.string(),
  customer: z.nullish(z.string()),
  card: z.nullish(z.object({ brand: z.string(), last4: z.string() })),
})
export const intent = z.object({
  id: z.string(),
  status: z.string(),
  amount: z.optional(z.int()),
  currency: z.optional(z.string()),
  payment_method: z.nullish(z.union([z.string(), method])),
  last_payment_error: z.nullish(z.object({ code: z.nullish(z.string()) })),
  metadata,
})
export type StripeIntent = z.output<typeof intent>

/** A page, as Stripe answers it; the payment is whole where it was asked for. */
export const session = z.object({
  id: z.string(),
  url: z.nullish(z.string()),
  status: z.nullable(z.enum(['open', 'complete', 'expired'])),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  payment_intent: z.nullish(z.union([z.string(), intent])),
  /** `setup`: nothing is paid, a card is kept. */
  mode: z.optional(z.string()),
  setup_intent: z.nullish(z.union([z.string(), intent])),
  amount_total: z.nullable(z.int()),
  currency: z.nullable(z.string()),
  client_reference_id: z.nullish(z.string()),
  metadata,
})
export type StripeSession = z.output<typeof session>

export const refund = z.object({ id: z.string(), status: z.nullable(z.string()), failure_reason: z.nullish(z.string()), metadata })
export type StripeRefund = z.output<typeof refund>

/** Payments and refunds as they are listed. */
export const listedIntent = z.object({
  id: z.string(),
  status: z.string(),
  amount_received: z.int(),
  currency: z.string(),
  created: z.int(),
  metadata,
})
export const listedRefund = z.object({
  id: z.string(),
  status: z.nullable(z.string()),
  amount: z.int(),
  currency: z.string(),
  created: z.int(),
  payment_intent: z.nullish(z.string()),
  metadata,
})

/** What the bank of a client takes back. */
export const disputed = z.object({
  id: z.string(),
  payment_intent: z.nullish(z.string()),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  reason: z.string(),
  evidence_details: z.nullish(z.object({ due_by: z.nullish(z.int()) })),
})

/** What was sent to a bank, and what moved on a balance. */
export const payout = z.object({
  id: z.string(),
  amount: z.int(),
  currency: z.string(),
  status: z.string(),
  failure_code: z.nullish(z.string()),
  created: z.int(),
  arrival_date: z.int(),
  automatic: z.boolean(),
})
export const balanceMove = z.object({
  id: z.string(),
  type: z.string(),
  reporting_category: z.string(),
  amount: z.int(),
  currency: z.string(),
  created: z.int(),
  description: z.nullish(z.string()),
  fee_details: z.array(z.object({ type: z.string(), amount: z.int() })),
  source: z.nullish(z.union([z.string(), z.object({ payment_intent: z.nullish(z.string()) })])),
})

const amounts = z.array(z.object({ amount: z.int(), currency: z.string() }))
/** What an account has: `pending` is not free to be sent yet. */
export const balance = z.object({ available: amounts, pending: amounts })

/** An account of an institute, and a page where its owner tells more. */
export const account = z.object({
  id: z.string(),
  charges_enabled: z.optional(z.boolean()),
  payouts_enabled: z.optional(z.boolean()),
})
export const page = z.object({ url: z.string() })

/** What of a payment decides about giving it back. */
export const payment = z.object({ id: z.string(), application_fee_amount: z.nullish(z.int()) })

export const word = z.object({
  id: z.string(),
  type: z.string(),
  created: z.int(),
  livemode: z.boolean(),
  account: z.optional(z.string()),
  data: z.object({ object: z.record(z.string(), z.unknown()) }),
})
export type Said = z.output<typeof word>

/** Proves that this site made it: an institute has its own account, and makes pages there as it likes. */
export function markOf(secret: string, account: string | null, id: string): string {
  const key = Buffer.from(hkdfSync('sha256', secret, '', 'stripe payments', 32))
  return createHmac('sha256', key)
    .update(JSON.stringify([account, id]))
    .digest('base64url')
}

export const isOurs = (secret: string, account: string | null, id: string, given: StripeSession['metadata']): boolean =>
  sameBytes(Buffer.from(given?.['mark'] ?? ''), Buffer.from(markOf(secret, account, id)))

const brands: Readonly<Record<string, string>> = {
  visa: 'Visa',
  mastercard: 'Mastercard',
  amex: 'American Express',
  cartes_bancaires: 'Carte Bancaire',
}

/** The card that was kept with it, where it is told; whom it is kept for stands in its name. */
function cardOf(by: string | StripeIntent): { card: KeptCard } | null {
  const used = typeof by === 'string' ? null : by.payment_method
  if (!used || typeof used === 'string' || !used.customer || !used.card) return null
  const { brand, last4 } = used.card
  return { card: { token: `${used.customer}/${used.id}`, brand: brands[brand] ?? brand, lastFour: last4 } }
}

/** @throws when Stripe says that it was paid, but not what */
export function paidBy(found: StripeSession): PageState {
  const { id, payment_intent, setup_intent, amount_total, currency } = found
  const by = found.mode === 'setup' ? setup_intent : payment_intent
  const amount = found.mode === 'setup' ? 0 : amount_total
  if (!by || amount === null || currency === null) throw new Error(`the page ${id} was paid with nothing`)
  const code = currency.toUpperCase()
  return { state: 'paid', reference: typeof by === 'string' ? by : by.id, amount: fromStripe(amount, code), currency: code, ...cardOf(by) }
}

/** A page that keeps a card needs no payment. */
export const isPaid = ({ mode, payment_status: status }: StripeSession): boolean =>
  status === 'paid' || (mode === 'setup' && status === 'no_payment_required')

/** What became of a charge without its client. */
export function chargeOf({ id, status, amount, currency, last_payment_error: problem }: StripeIntent): ChargeState {
  if (status === 'succeeded') {
    if (amount === undefined || currency === undefined) throw new Error(`the payment ${id} took nothing`)
    const code = currency.toUpperCase()
    return { state: 'paid', reference: id, amount: fromStripe(amount, code), currency: code }
  }
  if (status === 'requires_action' || problem?.code === 'authentication_required') return { state: 'asks' }
  return { state: 'failed' }
}

/** What became of a page that was asked for with its payment. */
export function stateOf(found: StripeSession): PageState {
  if (found.status === 'expired') return { state: 'expired' }
  if (found.status !== 'complete') return { state: 'open' }
  if (isPaid(found)) return paidBy(found)
  const status = typeof found.payment_intent === 'object' ? found.payment_intent?.status : null
  if (status === 'requires_payment_method') return { state: 'failed' }
  if (status === 'canceled') return { state: 'cancelled' }
  // Some ways to pay take days to say whether they did.
  return { state: 'open' }
}

export const refundStateOf = ({ status }: StripeRefund): 'done' | 'waiting' | 'failed' =>
  status === 'succeeded' ? 'done' : status === 'failed' || status === 'canceled' ? 'failed' : 'waiting'

const refusals: Readonly<Record<string, RefundRefusal>> = {
  lost_or_stolen_card: 'card_gone',
  expired_or_canceled_card: 'card_gone',
  insufficient_funds: 'no_balance',
  charge_for_pending_refund_disputed: 'disputed',
  declined: 'declined',
}
/** Why it does not go back, where Stripe says so in a word that has a meaning here. */
export const refusalOf = ({ failure_reason: reason }: StripeRefund): RefundRefusal | null => refusals[reason ?? ''] ?? null

const disputeStates: Readonly<Record<string, 'open' | 'won' | 'lost'>> = {
  needs_response: 'open',
  under_review: 'open',
  won: 'won',
  lost: 'lost',
}
/** Null for a question of the bank, by which nothing was taken back. */
export const disputeStateOf = (status: string): 'open' | 'won' | 'lost' | null => disputeStates[status] ?? null

const disputeReasons: Readonly<Record<string, DisputeReason>> = {
  fraudulent: 'not_theirs',
  unrecognized: 'not_theirs',
  product_not_received: 'not_received',
  product_unacceptable: 'not_as_told',
  duplicate: 'twice',
  credit_not_processed: 'not_returned',
}
export const disputeReasonOf = (reason: string): DisputeReason | null => disputeReasons[reason] ?? null

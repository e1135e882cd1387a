/** What is read of Stripe's answers and words, and what it means here. */
import { createHmac, hkdfSync } from 'node:crypto'
import * as z from 'zod/mini'
import type { PageState } from '#/platform/payment-provider.ts'
import { sameBytes } from '#/platform/tokens.ts'
import { fromStripe } from './amounts.ts'

const metadata = z.nullish(z.record(z.string(), z.string()))
const intent = z.object({ id: z.string(), status: z.string() })

/** A page, as Stripe answers it; the payment is whole where it was asked for. */
export const session = z.object({
  id: z.string(),
  url: z.nullish(z.string()),
  status: z.nullable(z.enum(['open', 'complete', 'expired'])),
  payment_status: z.enum(['paid', 'unpaid', 'no_payment_required']),
  payment_intent: z.nullish(z.union([z.string(), intent])),
  amount_total: z.nullable(z.int()),
  currency: z.nullable(z.string()),
  client_reference_id: z.nullish(z.string()),
  metadata,
})
export type StripeSession = z.output<typeof session>

export const refund = z.object({ id: z.string(), status: z.nullable(z.string()), metadata })
export type StripeRefund = z.output<typeof refund>

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

/** @throws when Stripe says that it was paid, but not what */
export function paidBy({ id, payment_intent: by, amount_total: amount, currency }: StripeSession): PageState {
  if (!by || amount === null || currency === null) throw new Error(`the page ${id} was paid with nothing`)
  const code = currency.toUpperCase()
  return { state: 'paid', reference: typeof by === 'string' ? by : by.id, amount: fromStripe(amount, code), currency: code }
}

/** What became of a page that was asked for with its payment. */
export function stateOf(found: StripeSession): PageState {
  if (found.status === 'expired') return { state: 'expired' }
  if (found.status !== 'complete') return { state: 'open' }
  if (found.payment_status === 'paid') return paidBy(found)
  const status = typeof found.payment_intent === 'object' ? found.payment_intent?.status : null
  if (status === 'requires_payment_method') return { state: 'failed' }
  if (status === 'canceled') return { state: 'cancelled' }
  // Some ways to pay take days to say whether they did.
  return { state: 'open' }
}

export const refundStateOf = ({ status }: StripeRefund): 'done' | 'waiting' | 'failed' =>
  status === 'succeeded' ? 'done' : status === 'failed' || status === 'canceled' ? 'failed' : 'waiting'

/** What came and went back on an account of Stripe, as it lists it. */
import type Stripe from 'stripe'
import type { Instant } from '@soigne/contract/time'
import type { ProviderMove } from '#/platform/payment-provider.ts'
import { fromStripe } from './amounts.ts'
import { isOurs, listedIntent, listedRefund } from './objects.ts'

/** As many as Stripe gives at once; it is asked for the next until there are none. */
const atOnce = 100

interface Listing {
  stripe: Stripe
  accountId: string | null
  siteSecret: string
  /** How far the clock of a trial is ahead of Stripe's. */
  aheadMs: number
}

const onAccount = ({ accountId }: Listing): { stripeAccount?: string } => (accountId === null ? {} : { stripeAccount: accountId })

/** Only what this site marked says whose it is: an institute uses its account for other things too. */
function ownIdOf(
  { siteSecret, accountId }: Listing,
  metadata: Record<string, string> | null | undefined,
  names: readonly string[],
): string | null {
  const id = names.map((name) => metadata?.[name]).find((one) => one !== undefined)
  return id !== undefined && isOurs(siteSecret, accountId, id, metadata) ? id : null
}

/** All of what was begun from one instant until before another. */
export async function movesOf(listing: Listing, from: Instant, until: Instant): Promise<ProviderMove[]> {
  const { stripe, aheadMs } = listing
  const second = (at: Instant): number => Math.ceil((at - aheadMs) / 1000)
  const asked = { created: { gte: second(from), lt: second(until) }, limit: atOnce }
  const moves: ProviderMove[] = []
  for await (const given of stripe.paymentIntents.list(asked, onAccount(listing))) {
    const { id, status, amount_received: amount, currency, created, metadata } = listedIntent.parse(given)
    if (status !== 'succeeded') continue
    const code = currency.toUpperCase()
    const ownId = ownIdOf(listing, metadata, ['page', 'charge'])
    moves.push({
      kind: 'payment',
      reference: id,
      paymentReference: id,
      ownId,
      amount: fromStripe(amount, code),
      currency: code,
      at: created * 1000 + aheadMs,
    })
  }
  for await (const given of stripe.refunds.list(asked, onAccount(listing))) {
    const { id, status, amount, currency, created, metadata, payment_intent: of } = listedRefund.parse(given)
    if (status !== 'succeeded' || !of) continue
    const code = currency.toUpperCase()
    const ownId = ownIdOf(listing, metadata, ['refundId'])
    moves.push({
      kind: 'refund',
      reference: id,
      paymentReference: of,
      ownId,
      amount: fromStripe(amount, code),
      currency: code,
      at: created * 1000 + aheadMs,
    })
  }
  return moves
}

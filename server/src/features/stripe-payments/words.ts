/** Reads what Stripe tells: signed with the secret of this site's address, or of that for the accounts of institutes. */
import type Stripe from 'stripe'
import type { Instant } from '@soigne/contract/time'
import type { PaymentProvider, ProviderWord } from '#/platform/payment-provider.ts'
import { fromStripe } from './amounts.ts'
import {
  chargeOf,
  disputed,
  disputeReasonOf,
  disputeStateOf,
  intent,
  isOurs,
  isPaid,
  paidBy,
  refund,
  refundStateOf,
  refusalOf,
  type Said,
  session,
  word,
} from './objects.ts'

const toleranceSeconds = 300

export class BadWord extends Error {}

export interface Reader {
  stripe: Stripe
  secrets: readonly string[]
  /** Whether real money is meant. */
  live: boolean
  /** Of this site, for what it marks. */
  siteSecret: string
  /** How far the clock of a trial is ahead of everybody else's. */
  aheadMs(): number
}

const pageChanges: ReadonlySet<string> = new Set(
  ['completed', 'async_payment_succeeded', 'async_payment_failed', 'expired'].map((change) => `checkout.session.${change}`),
)
const refundChanges: ReadonlySet<string> = new Set(['refund.created', 'refund.updated', 'refund.failed', 'charge.refund.updated'])

const chargeChanges: ReadonlySet<string> = new Set(['payment_intent.succeeded', 'payment_intent.payment_failed'])

const disputeChanges: ReadonlySet<string> = new Set(
  ['created', 'updated', 'closed', 'funds_withdrawn', 'funds_reinstated'].map((change) => `charge.dispute.${change}`),
)

/** The second: its owner took this site's access away. */
const accountChanges: ReadonlySet<string> = new Set(['account.updated', 'account.application.deauthorized'])

const payoutChanges: ReadonlySet<string> = new Set(['created', 'updated', 'paid', 'failed', 'canceled'].map((change) => `payout.${change}`))

type Meaning =
  | Omit<Extract<ProviderWord, { kind: 'charge' }>, 'id' | 'at'>
  | Omit<Extract<ProviderWord, { kind: 'page' }>, 'id' | 'at'>
  | Omit<Extract<ProviderWord, { kind: 'refund' }>, 'id' | 'at'>
  | Omit<Extract<ProviderWord, { kind: 'account' }>, 'id' | 'at'>
  | Omit<Extract<ProviderWord, { kind: 'dispute' }>, 'id' | 'at'>
  | Omit<Extract<ProviderWord, { kind: 'payout' }>, 'id' | 'at'>
  | null

function ofPage({ siteSecret }: Reader, said: Said): Meaning {
  const about = session.parse(said.data.object)
  const checkoutId = about.client_reference_id ?? ''
  if (!isOurs(siteSecret, said.account ?? null, checkoutId, about.metadata)) return null
  if (said.type === 'checkout.session.expired') return { kind: 'page', checkoutId, page: { state: 'expired' } }
  if (said.type === 'checkout.session.async_payment_failed') return { kind: 'page', checkoutId, page: { state: 'failed' } }
  // One that is complete but unpaid says later whether it was.
  return isPaid(about) ? { kind: 'page', checkoutId, page: paidBy(about) } : null
}

/** Pages have payments too, which say what they are by themselves: only a charge is marked as one. */
function ofCharge({ siteSecret }: Reader, said: Said): Meaning {
  const about = intent.parse(said.data.object)
  const checkoutId = about.metadata?.['charge'] ?? ''
  if (checkoutId === '' || !isOurs(siteSecret, said.account ?? null, checkoutId, about.metadata)) return null
  return { kind: 'charge', checkoutId, charge: chargeOf(about) }
}

function ofRefund({ siteSecret }: Reader, said: Said): Meaning {
  const about = refund.parse(said.data.object)
  const refundId = about.metadata?.['refundId'] ?? ''
  const state = refundStateOf(about)
  if (state === 'waiting' || !isOurs(siteSecret, said.account ?? null, refundId, about.metadata)) return null
  return { kind: 'refund', refundId, state, reference: about.id, why: refusalOf(about) }
}

/** It carries no mark: whose payment it is of is known by the name of that. */
function ofDispute({ aheadMs }: Reader, said: Said): Meaning {
  const { id, payment_intent: reference, amount, currency, status, reason, evidence_details: evidence } = disputed.parse(said.data.object)
  const state = disputeStateOf(status)
  if (!reference || state === null) return null
  const code = currency.toUpperCase()
  return {
    kind: 'dispute',
    disputeId: id,
    reference,
    accountId: said.account ?? null,
    amount: fromStripe(amount, code),
    currency: code,
    state,
    why: disputeReasonOf(reason),
    answerBy: evidence?.due_by ? evidence.due_by * 1000 + aheadMs() : null,
  }
}

/** Which account it is of is all that is taken from it. */
const ofAccount = (_reader: Reader, { account }: Said): Meaning => (account === undefined ? null : { kind: 'account', accountId: account })

const ofPayout = (_reader: Reader, { account }: Said): Meaning => (account === undefined ? null : { kind: 'payout', accountId: account })

const readers: readonly [ReadonlySet<string>, (reader: Reader, said: Said) => Meaning][] = [
  [pageChanges, ofPage],
  [refundChanges, ofRefund],
  [chargeChanges, ofCharge],
  [accountChanges, ofAccount],
  [disputeChanges, ofDispute],
  [payoutChanges, ofPayout],
]

function verified({ stripe, secrets, aheadMs }: Reader, bytes: Uint8Array, header: string, now: Instant): unknown {
  const problems: unknown[] = []
  for (const secret of secrets)
    try {
      return stripe.webhooks.constructEvent(bytes, header, secret, toleranceSeconds, undefined, now - aheadMs())
    } catch (error) {
      problems.push(error)
    }
  throw new BadWord('not signed with a secret of this site, or at another time', { cause: problems[0] })
}

/** @throws BadWord when it is forged, stale, of a test where real money is meant or the other way, or no word of Stripe */
export const readerOf = (reader: Reader): PaymentProvider['readWord'] =>
  function readWord(bytes, headers, now) {
    const header = headers['stripe-signature']
    if (typeof header !== 'string') throw new BadWord('not signed')
    const read = word.safeParse(verified(reader, bytes, header, now))
    if (!read.success) throw new BadWord('no word of Stripe')
    const said = read.data
    if (said.livemode !== reader.live) throw new BadWord(`of ${said.livemode ? 'real money' : 'a test'}`)
    const meaningOf = readers.find(([changes]) => changes.has(said.type))?.[1]
    const meaning = meaningOf?.(reader, said) ?? null
    return { id: said.id, at: said.created * 1000 + reader.aheadMs(), ...(meaning ?? { kind: 'other', name: said.type }) }
  }

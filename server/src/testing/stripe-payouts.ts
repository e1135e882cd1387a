/** Payouts of Stripe's stand-in: what an account was sent, the moves of its balance that each is made up of, and what it still has, in the shapes of the SDK's types. */
import type Stripe from 'stripe'

export type StandInPayout = Pick<
  Stripe.Payout,
  'id' | 'object' | 'amount' | 'currency' | 'status' | 'failure_code' | 'created' | 'arrival_date' | 'automatic'
>
export type StandInMove = Pick<
  Stripe.BalanceTransaction,
  'id' | 'object' | 'type' | 'reporting_category' | 'amount' | 'fee' | 'net' | 'currency' | 'created' | 'description'
> & {
  fee_details: Pick<Stripe.BalanceTransaction.FeeDetail, 'type' | 'amount' | 'currency'>[]
  source: { id: string; payment_intent: string | null } | string | null
}
export interface SentPayout {
  payout: StandInPayout
  moves: StandInMove[]
}

interface Listed {
  id: string
  created: number
}
type List = (all: readonly Listed[], query: URLSearchParams) => { status: number; body: object }

/** Null for a question about something else. */
function payoutAnswer(
  sent: readonly SentPayout[],
  { method, path, query, list }: { method: string; path: string; query: URLSearchParams; list: List },
): { status: number; body: object } | null {
  if (method !== 'GET') return null
  const ofPayout = (id: string | null): SentPayout | undefined => sent.find(({ payout }) => payout.id === id)
  if (path === '/v1/payouts')
    return list(
      sent.map(({ payout }) => payout),
      query,
    )
  if (path === '/v1/balance_transactions') {
    const found = ofPayout(query.get('payout'))
    const isManual = found?.payout.automatic === false
    if (isManual)
      return {
        status: 400,
        body: {
          error: { type: 'invalid_request_error', message: 'Balance transaction history can only be filtered on automatic transfers' },
        },
      }
    // The source is whole only where that was asked for.
    const isWhole = query.get('expand[0]') === 'data.source'
    const shown = (found?.moves ?? []).map((move) => ({
      ...move,
      source: isWhole || typeof move.source !== 'object' ? move.source : (move.source?.id ?? null),
    }))
    return list(shown, query)
  }
  const [, id] = /^\/v1\/payouts\/([\w-]+)$/.exec(path) ?? []
  if (id === undefined) return null
  const found = ofPayout(id)
  return found
    ? { status: 200, body: found.payout }
    : { status: 404, body: { error: { type: 'invalid_request_error', code: 'resource_missing', message: 'No such payout' } } }
}

export interface StandInBalance {
  available: Pick<Stripe.Balance.Available, 'amount' | 'currency'>[]
  pending: Pick<Stripe.Balance.Pending, 'amount' | 'currency'>[]
}
/** What it sent to banks, by account. */
export class SentToBanks extends Map<string, SentPayout[]> {
  /** What it did not send yet, by account: an account begins with nothing. */
  readonly balances = new Map<string, StandInBalance>()

  answer(account: string | null, asked: Parameters<typeof payoutAnswer>[1]): ReturnType<typeof payoutAnswer> {
    if (asked.method !== 'GET' || asked.path !== '/v1/balance') return payoutAnswer(this.get(account ?? '') ?? [], asked)
    const nothing = [{ amount: 0, currency: 'eur' }]
    const has = this.balances.get(account ?? '') ?? { available: nothing, pending: nothing }
    return { status: 200, body: { object: 'balance', livemode: false, ...has } }
  }
}

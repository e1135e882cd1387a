/** What the sandbox sends to the bank of an institute: each night, of all that came and went the day before. */
import type { Money, PaymentMethod } from '@soigne/contract/wire'
import { dayMs, hourMs, type Instant } from '@soigne/contract/time'
import { instantText, parseInstant } from '#/platform/instants.ts'
import type { ProviderPayout, ProviderPayoutMove } from '#/platform/payment-provider.ts'
import type { HouseMove } from './store.ts'

/** What the house keeps of a payment, in hundredths of a percent; of what goes back it gives nothing again, as real houses. */
const feeBasisPoints: Readonly<Record<PaymentMethod, number>> = { card: 150, paypal: 290, klarna: 390 }
/** A day is paid out two hours after its end, when no page that was opened on it takes money any more. */
const restMs = 2 * hourMs
/** So many days later the bank has it, at six in the morning UTC. */
const underWayDays = 2
const bankHour = 6

interface Made {
  payout: ProviderPayout
  moves: ProviderPayoutMove[]
}

const startOfDay = (at: Instant): Instant => Math.floor(at / dayMs) * dayMs

function moveOf({ kind, reference, paymentReference, method, amount, at }: HouseMove): ProviderPayoutMove {
  const fee = kind === 'payment' ? Math.floor((amount * feeBasisPoints[method] + 5_000) / 10_000) : 0
  return { reference, kind, paymentReference, amount, fees: { provider: fee, site: 0, tax: 0 }, said: null, at: parseInstant(at) }
}
const netOf = ({ amount, fees }: ProviderPayoutMove): number => amount - fees.provider - fees.site - fees.tax

/** One for a day's end, named so that no other of its institute is: null while there is nothing to send, which then goes with a later one. */
function payoutOf(
  waiting: readonly ProviderPayoutMove[],
  day: Instant,
  { currency, now }: { currency: string; now: Instant },
): Made | null {
  const amount = waiting.reduce((sum, move) => sum + netOf(move), 0)
  if (amount <= 0) return null
  const arrives = day + (1 + underWayDays) * dayMs
  const reference = `trial-${instantText(day).slice(0, 10)}-${currency.toLowerCase()}`
  const state = now >= arrives + bankHour * hourMs ? 'paid' : 'coming'
  const payout: ProviderPayout = {
    reference,
    amount,
    currency,
    state,
    problem: null,
    at: day + dayMs + restMs,
    arrivesOn: instantText(arrives).slice(0, 10),
  }
  return { payout, moves: [...waiting] }
}

/** All payouts of an institute, the first first: the same moves give the same ones, whenever somebody asks. */
export function payoutsOf(all: readonly HouseMove[], now: Instant): Made[] {
  const made: Made[] = []
  for (const currency of new Set(all.map((one) => one.currency))) {
    const moves = all.filter((one) => one.currency === currency).map(moveOf)
    const days = [...new Set(moves.map(({ at }) => startOfDay(at)))].toSorted((a, b) => a - b)
    let waiting: ProviderPayoutMove[] = []
    for (const day of days) {
      if (now < day + dayMs + restMs) break
      waiting.push(...moves.filter(({ at }) => startOfDay(at) === day))
      const payout = payoutOf(waiting, day, { currency, now })
      if (!payout) continue
      made.push(payout)
      waiting = []
    }
  }
  return made
}

/** What is in no payout yet, by currency: with all payouts it adds up to all that moved. */
export function waitingOf(all: readonly HouseMove[], now: Instant): Money[] {
  const sent = new Set(payoutsOf(all, now).flatMap(({ moves }) => moves.map(({ reference }) => reference)))
  const sums = new Map<string, number>()
  for (const move of all) if (!sent.has(move.reference)) sums.set(move.currency, (sums.get(move.currency) ?? 0) + netOf(moveOf(move)))
  return [...sums].flatMap(([currency, amount]) => (amount === 0 ? [] : { currency, amount }))
}

// What a payout adds up from, line by line: what came in and went out, less what was kept back.
import type { Payout, PayoutFees } from '@soigne/contract/payouts'

/** From 0, so that no fee is 0 and not −0. */
const keptBack = (amount: number): number => 0 - amount

/** All fees of something, as the amount they take from it. */
export const feeOf = ({ provider, site, tax }: PayoutFees): number => keptBack(provider + site + tax)

/** Lines that say nothing are left out. */
export function linesOf({ sums, fees }: Pick<Payout, 'sums' | 'fees'>) {
  const lines = [
    { name: 'payments', amount: sums.payments },
    { name: 'refunds', amount: sums.refunds },
    { name: 'disputes', amount: sums.disputes },
    { name: 'other', amount: sums.other },
    { name: 'provider', amount: keptBack(fees.provider) },
    { name: 'site', amount: keptBack(fees.site) },
    { name: 'tax', amount: keptBack(fees.tax) },
  ] as const
  return lines.filter(({ amount }) => amount !== 0)
}

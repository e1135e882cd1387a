/** Amounts as Stripe writes them: in the smallest unit of a currency, with its own exceptions. https://docs.stripe.com/currencies#minor-units */

/** Written whole. */
const without = new Set(['BIF', 'CLP', 'DJF', 'GNF', 'JPY', 'KMF', 'KRW', 'MGA', 'PYG', 'RWF', 'VND', 'VUV', 'XAF', 'XOF', 'XPF'])
/** Written with three digits of which the last is 0. */
const withThree = new Set(['BHD', 'JOD', 'KWD', 'OMR', 'TND'])
/** Written with two digits that are both 0. */
const wholeWithTwo = new Set(['ISK', 'UGX'])

const digitsThere = (currency: string): number => (without.has(currency) ? 0 : withThree.has(currency) ? 3 : 2)
const digitsHere = (currency: string): number =>
  new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2

/** What amounts are whole multiples of, as Stripe writes them. */
const stepOf = (currency: string): number => (withThree.has(currency) ? 10 : wholeWithTwo.has(currency) ? 100 : 1)

export class AmountOfNoUse extends Error {}

const written = (amount: number, currency: string): number => (amount * 10 ** digitsThere(currency)) / 10 ** digitsHere(currency)

/** Whether Stripe can take minor units of ours: 1.230 dinars, but not 1.234. Its minimum is left to Stripe, since it depends on the account. */
export function canTake(amount: number, currency: string): boolean {
  const there = written(amount, currency)
  return Number.isInteger(there) && there % stepOf(currency) === 0
}

/** Minor units of ours as Stripe's. @throws AmountOfNoUse for one that Stripe cannot take */
export function toStripe(amount: number, currency: string): number {
  if (!canTake(amount, currency)) throw new AmountOfNoUse(`Stripe takes no ${amount} of ${currency}`)
  return written(amount, currency)
}

/** And back. @throws AmountOfNoUse for one that cannot be written here */
export function fromStripe(amount: number, currency: string): number {
  const here = (amount * 10 ** digitsHere(currency)) / 10 ** digitsThere(currency)
  if (!Number.isInteger(here)) throw new AmountOfNoUse(`there is no ${amount} of ${currency}`)
  return here
}

/** Sums of money in whole minor units. Each line is rounded once; everything else is added up. */

/** Half a unit goes away from zero. */
function divided(amount: number, by: number): number {
  const size = Math.abs(amount)
  const rounded = Math.floor((2 * size + by) / (2 * by))
  return amount < 0 ? -rounded : rounded
}

/** The VAT within an amount that includes it; the rate in hundredths of a percent. */
export const vatWithin = (amount: number, basisPoints: number): number => divided(amount * basisPoints, 10_000 + basisPoints)

/** So many percent of an amount. */
export const percentOf = (amount: number, percent: number): number => divided(amount * percent, 100)

/** The VAT of a part of a line, after what was taken of it before: reckoned for all that is gone by then, so that small parts never add up to too much. */
export function partOf(line: { amount: number; vat: number }, taken: { amount: number; vat: number }, amount: number): number {
  // Exact: the product may be more than a number holds.
  const [above, below] = [BigInt(line.vat) * BigInt(taken.amount + amount), BigInt(line.amount)]
  const [size, by] = [above < 0n ? -above : above, below < 0n ? -below : below]
  const whole = Number((2n * size + by) / (2n * by))
  return (above < 0n === below < 0n ? whole : -whole) - taken.vat
}

export const sumOf = (amounts: readonly { amount: number }[]): number => amounts.reduce((sum, { amount }) => sum + amount, 0)

/** The usual rate of VAT of a country, in hundredths of a percent, as in force in 2026; none where we know of none. An institute may say another. */
const usualRates: Readonly<Record<string, number>> = {
  AE: 500,
  AT: 2000,
  AU: 1000,
  BE: 2100,
  CH: 810,
  CZ: 2100,
  DE: 1900,
  DK: 2500,
  DZ: 1900,
  EG: 1400,
  ES: 2100,
  FI: 2550,
  FR: 2000,
  GB: 2000,
  GR: 2400,
  IE: 2300,
  IT: 2200,
  JP: 1000,
  LU: 1700,
  MA: 2000,
  NL: 2100,
  NO: 2500,
  PL: 2300,
  PT: 2300,
  RO: 2100,
  SA: 1500,
  SE: 2500,
  SN: 1800,
  TN: 1900,
  TR: 2000,
}
export const usualVat = (countryCode: string): number => usualRates[countryCode] ?? 0

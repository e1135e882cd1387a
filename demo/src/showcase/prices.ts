// What a menu price of Lyon becomes in each country: local purchasing habits, then the steps people price in.

interface Custom {
  /** Units of the currency for one euro on a Lyon menu. */
  perEuro: number
  /** Prices end on multiples of this many minor units. */
  step: number
  /** Minor units in one unit of the currency. */
  minorUnits: number
}

const customs: Readonly<Record<string, Custom>> = {
  EUR: { perEuro: 1, step: 100, minorUnits: 100 },
  GBP: { perEuro: 0.9, step: 100, minorUnits: 100 },
  MAD: { perEuro: 4.2, step: 1000, minorUnits: 100 },
  TND: { perEuro: 1.3, step: 500, minorUnits: 1000 },
}

function customOf(currency: string): Custom {
  const custom = customs[currency]
  if (!custom) throw new Error(`no price custom for ${currency}`)
  return custom
}

/** The nearest amount (minor units) that people would put on a menu in this currency. */
export function nearestLocalPrice(amount: number, currency: string): number {
  const { step } = customOf(currency)
  return Math.max(step, Math.round(amount / step) * step)
}

/** A price in minor units of the currency, from whole euros and how dear the institute is (1 is usual). */
export function localPrice(euros: number, priceLevel: number, currency: string): number {
  const { perEuro, minorUnits } = customOf(currency)
  return nearestLocalPrice(euros * priceLevel * perEuro * minorUnits, currency)
}

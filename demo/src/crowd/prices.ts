// What a menu price of Lyon becomes in any currency: about what people pay there, in the round figures they price in.
import habits from './prices.json' with { type: 'json' }

/** Units of each currency for one euro on a Lyon menu. */
const perEuro: Readonly<Record<string, number>> = habits
const minor = new Map<string, number>()

function minorUnits(currency: string): number {
  let units = minor.get(currency)
  if (units === undefined) {
    units = 10 ** (new Intl.NumberFormat('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2)
    minor.set(currency, units)
  }
  return units
}

/** A menu price in minor units, of two figures that count. */
export function menuPrice(euros: number, level: number, currency: string): number {
  const units = euros * level * (perEuro[currency] ?? 1)
  const step = 10 ** Math.max(-1, Math.floor(Math.log10(units)) - 1)
  return Math.max(1, Math.round(Math.round(units / step) * step * minorUnits(currency)))
}

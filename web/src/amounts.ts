// Amounts as people type them: 12, 12.5 or 12,50 in whole units of a currency, kept in its minor units.
import { currencyDigits } from '#/platform/money.ts'

/** Digits of Arabic keyboards are read as well as Latin ones. */
export const latin = (text: string): string =>
  text.replaceAll(/[٠-٩۰-۹]/g, (digit) => String(digit.charCodeAt(0) & 0xf)).replaceAll('٫', '.')

/** Minor units; null where nothing or no amount is written, or more decimals than the currency has. */
export function amountOf(text: string, currency: string): number | null {
  const digits = currencyDigits(currency)
  const written = latin(text).replaceAll(/\s/g, '').replace(',', '.')
  const match = /^(\d{1,8})(?:\.(\d*))?$/.exec(written)
  if (!match) return null
  const [, whole = '', decimals = ''] = match
  if (decimals.length > digits) return null
  return Number(whole) * 10 ** digits + Number(decimals.padEnd(digits, '0') || 0)
}

/** As it stands in a field. */
export function typedAmount(amount: number | null, currency: string): string {
  return amount === null ? '' : (amount / 10 ** currencyDigits(currency)).toFixed(currencyDigits(currency))
}

/** A part of an amount in whole percent, halves up. */
export const percentOf = (amount: number, percent: number): number => Math.floor((amount * percent + 50) / 100)

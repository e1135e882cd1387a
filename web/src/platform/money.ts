// Amounts in words: minor units of any currency, without decimals unless there are some.
import type { Money } from '@soigne/contract/wire'
import { useCallback } from 'react'
import { useTranslation } from './translation.ts'

/** Arabic pages keep €28 as it is written in Europe. */
function styleOf(locale: string): string {
  return locale === 'ar' ? 'en' : locale
}

const formats = new Map<string, Intl.NumberFormat>()

/** Formats are costly to make, and a menu asks for dozens. */
function format(locale: string, options: Intl.NumberFormatOptions): Intl.NumberFormat {
  const key = `${locale} ${JSON.stringify(options)}`
  const known = formats.get(key)
  if (known) return known
  const made = new Intl.NumberFormat(locale, options)
  formats.set(key, made)
  return made
}

const digitsOf = new Map<string, number>()

/** Digits after the point: 2 for EUR, 3 for TND, 0 for JPY. */
export function currencyDigits(currency: string): number {
  const known = digitsOf.get(currency)
  if (known !== undefined) return known
  const digits = format('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2
  digitsOf.set(currency, digits)
  return digits
}

/** `exact` always shows the decimals, as sales and invoices do. */
export function moneyText({ amount, currency }: Money, locale: string, exact = false): string {
  const digits = currencyDigits(currency)
  const value = amount / 10 ** digits
  const shown = exact || !Number.isInteger(value) ? digits : 0
  return format(styleOf(locale), {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  }).format(value)
}

export function useMoney(): (money: Money, exact?: boolean) => string {
  const { i18n } = useTranslation()
  return useCallback((money, exact) => moneyText(money, i18n.language, exact), [i18n.language])
}

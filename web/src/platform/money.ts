// Amounts in words: minor units of any currency, without decimals unless there are some.
import type { Money } from '@soigne/contract/wire'
import { useCallback } from 'react'
import { formatted } from './formatted.ts'
import { useTranslation } from './translation.ts'

/** Currencies whose sign Arabic writes in its own letters; others stand as in Europe. */
const inArabicLetters: ReadonlySet<string> = new Set(['MAD', 'TND', 'DZD', 'AED', 'SAR', 'QAR', 'KWD'])

function styleOf(locale: string, currency: string): string {
  if (locale === 'ar' && inArabicLetters.has(currency)) return 'ar-u-nu-latn'
  return locale === 'fr' ? 'fr' : 'en-GB'
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

/** Digits after the point: 2 for EUR, 3 for TND, 0 for JPY. */
export const currencyDigits = (currency: string): number =>
  Number(
    formatted(`digits ${currency}`, () =>
      String(format('en', { style: 'currency', currency }).resolvedOptions().maximumFractionDigits ?? 2),
    ),
  )

/** Between two amounts of one currency: €38 – €44. */
const moneyRangeText = (least: Money, most: Money, locale: string): string =>
  formatted(`money ${least.amount} ${most.amount} ${least.currency} ${locale}`, () => spellRange(least, most, locale))

function spellRange(least: Money, most: Money, locale: string): string {
  const digits = currencyDigits(least.currency)
  const [from, to] = [least, most].map(({ amount }) => amount / 10 ** digits) as [number, number]
  const shown = Number.isInteger(from) && Number.isInteger(to) ? 0 : digits
  return format(styleOf(locale, least.currency), {
    style: 'currency',
    currency: least.currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  }).formatRange(from, to)
}

/** `exact` always shows the decimals, as sales and invoices do. */
export const moneyText = (money: Money, locale: string, exact = false): string =>
  formatted(`money ${money.amount} ${money.currency} ${locale}${exact ? ' exact' : ''}`, () => spellMoney(money, locale, exact))

function spellMoney({ amount, currency }: Money, locale: string, exact: boolean): string {
  const digits = currencyDigits(currency)
  const value = amount / 10 ** digits
  const shown = exact || !Number.isInteger(value) ? digits : 0
  return format(styleOf(locale, currency), {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    minimumFractionDigits: shown,
    maximumFractionDigits: shown,
  })
    .formatToParts(value)
    .map((part) => (part.type === 'minusSign' ? '−' : part.value))
    .join('')
}

/** The sign of a currency, for beside a field. */
export const currencySign = (currency: string, locale: string): string =>
  formatted(
    `sign ${currency} ${locale}`,
    () =>
      format(styleOf(locale, currency), { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
        .formatToParts(0)
        .find(({ type }) => type === 'currency')?.value ?? currency,
  )

export function useMoney(): (money: Money, exact?: boolean) => string {
  const { i18n } = useTranslation()
  return useCallback((money, exact) => moneyText(money, i18n.language, exact), [i18n.language])
}

export function useMoneyRange(): (least: Money, most: Money) => string {
  const { i18n } = useTranslation()
  return useCallback((least, most) => moneyRangeText(least, most, i18n.language), [i18n.language])
}

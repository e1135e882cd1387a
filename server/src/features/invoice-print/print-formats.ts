/** Amounts, rates and days as documents write them: all decimals of the currency, whole dates. */
import type { Locale } from '@soigne/contract/wire'

const tags: Record<Locale, string> = { en: 'en-GB', fr: 'fr', ar: 'ar-u-nu-latn-ca-gregory' }
/** Currencies whose sign Arabic writes in its own letters; others stand as in Europe. */
const inArabicLetters: ReadonlySet<string> = new Set(['MAD', 'TND', 'DZD', 'AED', 'SAR', 'QAR', 'KWD'])

/** No face has the narrow space that Intl writes in French, nor its marks of direction in Arabic. */
const printed = (text: string): string => text.replaceAll('\u202F', '\u00A0').replaceAll(/[\u061C\u200E\u200F]/g, '')

/** Minor units as an amount with all its decimals. Where its sign is Arabic the figures stand isolated, their minus before them. */
export function openAmounts(currency: string, locale: Locale): (minorUnits: number) => string {
  const isArabic = locale === 'ar' && inArabicLetters.has(currency)
  const tag = locale === 'ar' && !isArabic ? tags.en : tags[locale]
  const format = new Intl.NumberFormat(tag, { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2
  return (minorUnits) => {
    const parts = format.formatToParts(minorUnits / 10 ** digits)
    if (!isArabic) return printed(parts.map(({ type, value }) => (type === 'minusSign' ? '−' : value)).join(''))
    const sign = parts.find(({ type }) => type === 'currency')?.value ?? currency
    const figures = parts.filter(({ type }) => type !== 'currency' && type !== 'literal')
    return `\u2066${figures.map(({ type, value }) => (type === 'minusSign' ? '−' : value)).join('')}\u2069 ${printed(sign)}`
  }
}

/** `5.5%` of hundredths of a percent. */
export const rateText = (basisPoints: number, locale: Locale): string =>
  printed(new Intl.NumberFormat(tags[locale], { style: 'percent', maximumFractionDigits: 2 }).format(basisPoints / 10_000))

/** The French count from the first. */
const dayParts = (day: string, locale: Locale, month: 'long' | 'short'): string =>
  printed(
    new Intl.DateTimeFormat(tags[locale], { day: 'numeric', month, year: 'numeric' })
      .formatToParts(Temporal.PlainDate.from(day))
      .map(({ type, value }) => (type === 'day' && value === '1' && locale === 'fr' ? '1er' : value))
      .join(''),
  )

/** `20 November 2026` */
export const wholeDayText = (day: string, locale: Locale): string => dayParts(day, locale, 'long')
/** `20 Nov 2026` */
export const shortDayText = (day: string, locale: Locale): string => dayParts(day, locale, 'short')

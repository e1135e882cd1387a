/** Dates, times and money in the server's letters: 24 hours, the institute's zone, Latin digits in all three languages. */
import type { Locale, Money } from '@soigne/contract/wire'

const tags: Record<Locale, string> = { en: 'en-GB', fr: 'fr-FR', ar: 'ar-MA-u-nu-latn' }

/** Formats are costly to make, and there are few of them: one for each language and zone or currency. */
function kept<Format>(make: (locale: Locale, of: string) => Format): (locale: Locale, of: string) => Format {
  const formats = new Map<string, Format>()
  return (locale, of) => {
    const key = `${locale} ${of}`
    const known = formats.get(key)
    if (known) return known
    const made = make(locale, of)
    formats.set(key, made)
    return made
  }
}

const shortDays = kept(
  (locale, timeZone) => new Intl.DateTimeFormat(tags[locale], { timeZone, weekday: 'short', day: 'numeric', month: 'short' }),
)
const longDays = kept(
  (locale, timeZone) =>
    new Intl.DateTimeFormat(tags[locale], { timeZone, weekday: 'long', day: 'numeric', month: 'long', year: 'numeric' }),
)
const amounts = kept((locale, currency) => {
  const format = new Intl.NumberFormat(tags[locale], { style: 'currency', currency, currencyDisplay: 'narrowSymbol' })
  return { format, digits: format.resolvedOptions().maximumFractionDigits ?? 2 }
})

/** `Fri 20 Nov` */
export const dayWords = (instant: string, timeZone: string, locale: Locale): string =>
  shortDays(locale, timeZone).format(new Date(instant)).replace(',', '')

/** `Friday 20 November 2026` */
export const dayWordsLong = (instant: string, timeZone: string, locale: Locale): string =>
  longDays(locale, timeZone).format(new Date(instant)).replace(',', '')

/** `9:00` */
export function timeWords(instant: string, timeZone: string, _locale: Locale): string {
  const { hour, minute } = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone)
  return `${hour}:${String(minute).padStart(2, '0')}`
}

/** Minor units as an amount with its currency; digits after the point as the currency has them. */
export function moneyWords({ amount, currency }: Money, locale: Locale): string {
  const { format, digits } = amounts(locale, currency)
  return format.format(amount / 10 ** digits)
}

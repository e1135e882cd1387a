/** Dates, times and money in the server's letters: 24 hours, the institute's zone, Latin digits in all three languages. */
import type { Locale, Money } from '@soigne/contract/wire'

const tags: Record<Locale, string> = { en: 'en-GB', fr: 'fr', ar: 'ar-u-nu-latn-ca-gregory' }

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

/** Commas separate things, not the parts of a date; and the French count from the first. */
const dayParts = (format: Intl.DateTimeFormat, instant: string, locale: Locale): string =>
  format
    .formatToParts(new Date(instant))
    .map(({ type, value }) =>
      type === 'literal' ? value.replace(/[,،]/g, '') : type === 'day' && value === '1' && locale === 'fr' ? '1er' : value,
    )
    .join('')

/** Currencies whose sign Arabic writes in its own letters; others stand as in Europe. */
const inArabicLetters: ReadonlySet<string> = new Set(['MAD', 'TND', 'DZD', 'AED', 'SAR', 'QAR', 'KWD'])

const amounts = kept((locale, currency) => {
  const tag = locale === 'ar' && !inArabicLetters.has(currency) ? tags.en : tags[locale]
  const format = new Intl.NumberFormat(tag, {
    style: 'currency',
    currency,
    currencyDisplay: 'narrowSymbol',
    trailingZeroDisplay: 'stripIfInteger',
  })
  return { format, digits: format.resolvedOptions().maximumFractionDigits ?? 2 }
})

/** `Fri 20 Nov` */
export const dayText = (instant: string, timeZone: string, locale: Locale): string => dayParts(shortDays(locale, timeZone), instant, locale)

/** `Friday 20 November 2026` */
export const longDayText = (instant: string, timeZone: string, locale: Locale): string =>
  dayParts(longDays(locale, timeZone), instant, locale)

/** `4.7` for 4.75: cut down, so that 5.0 is nothing less. */
export const ratingText = (average: number, locale: Locale): string =>
  (Math.floor(average * 10 + 1e-6) / 10).toFixed(1).replace('.', locale === 'fr' ? ',' : '.')

/** `9:00` */
export function timeText(instant: string, timeZone: string): string {
  const { hour, minute } = Temporal.Instant.from(instant).toZonedDateTimeISO(timeZone)
  return `${hour}:${String(minute).padStart(2, '0')}`
}

/** Minor units as an amount with its currency; digits after the point as the currency has them, none when it is whole. */
export function moneyText({ amount, currency }: Money, locale: Locale): string {
  const { format, digits } = amounts(locale, currency)
  return format
    .formatToParts(amount / 10 ** digits)
    .map(({ type, value }) => (type === 'minusSign' ? '−' : value))
    .join('')
}

const minutes = kept(
  (locale) =>
    // The British unit has a plural, "80 mins", that menus do not.
    new Intl.NumberFormat(locale === 'en' ? 'en' : tags[locale], {
      style: 'unit',
      unit: 'minute',
      unitDisplay: locale === 'ar' ? 'long' : 'short',
    }),
)

/** `80 min` */
export const durationText = (length: number, locale: Locale): string => minutes(locale, 'minutes').format(length)

const lists = kept((locale) => new Intl.ListFormat(tags[locale], { type: 'conjunction' }))

/** `Cut, Colour and Blow-dry` */
export const listText = (things: readonly string[], locale: Locale): string => lists(locale, 'list').format(things)

// A filter in words, for the chips that take it away again.
import { useTranslation } from '#/platform/translation.ts'
import { kilometresText } from '#/platform/distance.ts'
import { inLine } from '#/platform/lists.ts'
import { currencyDigits, useMoney } from '#/platform/money.ts'
import { dayOf, dayText, useTimes } from '#/platform/time.ts'
import { audiences, categories, languages, partsOfDay, paymentMethods } from '#/contract/closed-lists.ts'
import { searchPath, type FilterName, type Filters } from '#/search-filters.ts'

export type ActiveFilter = { name: FilterName; label: string; without: string }

export type FilterContext = {
  filters: Filters
  now: number
  zone: string
  currency: string
  /** What is found costs about so many whole units of it. */
  typicalPrice?: number | undefined
}

function found<Value extends string>(values: readonly Value[], text: string | undefined): Value | undefined {
  return values.find((value) => value === text)
}

export function useDistanceText(): (kilometres: number) => string {
  const { t } = useTranslation('filters')
  const { locale } = useTimes()
  return (kilometres) => t('kilometres', { value: kilometresText(kilometres, locale) })
}

export function usePriceText(currency: string): (whole: string) => string {
  const money = useMoney()
  return (whole) => money({ amount: Math.round(Number(whole) * 10 ** currencyDigits(currency)), currency })
}

/** Today, in the afternoon. */
export function useWhenText({ filters, now, zone }: Pick<FilterContext, 'filters' | 'now' | 'zone'>): string | null {
  const { t } = useTranslation(['filters', 'search', 'labels'])
  const { locale } = useTimes()
  const part = found(partsOfDay, filters.part)
  const day = filters.day && dayText(filters.day, dayOf(now, zone), locale, 'short')
  const inPart = part && t(`search:parts.${part}`)
  return (
    inLine(
      [day, inPart].filter((one) => one !== undefined),
      locale,
    ) || null
  )
}

export function useActiveFilters(context: FilterContext): ActiveFilter[] {
  const { t } = useTranslation(['filters', 'search', 'labels'])
  const distance = useDistanceText()
  const { filters } = context
  const price = usePriceText(context.currency)
  const when = useWhenText(context)
  const active: ActiveFilter[] = []
  function add(name: FilterName, label: string | undefined | null | false, ...others: readonly FilterName[]) {
    if (!label) return
    const without = searchPath(filters, Object.fromEntries([name, ...others].map((one) => [one, null])))
    active.push({ name, label, without })
  }
  const category = found(categories, filters.category)
  const audience = found(audiences, filters.audience)
  const language = found(languages, filters.language)
  add('what', filters.what)
  add('day', when, 'part')
  const way = found(paymentMethods, filters.paymentMethod)
  add('category', category && t(`labels:categories.${category}`))
  add('audience', audience && t(`labels:audiences.${audience}`))
  add('atHome', filters.atHome && t('atHome'))
  add('language', language && t(`labels:languages.${language}`))
  add('maxPrice', filters.maxPrice && t('upTo', { price: price(filters.maxPrice) }))
  add('minRating', filters.minRating && t('andUp', { rating: Number(filters.minRating).toFixed(1) }))
  add('paymentMethod', way && t(`paidBy.${way}`))
  add('openNow', filters.openNow && t('openNow'))
  add('radiusKm', filters.radiusKm && t('within', { distance: distance(Number(filters.radiusKm)) }))
  add('area', filters.area && t('area'))
  return active
}

// The first line of the list: how many institutes, of what, where, and when they are free.
import { useTranslation } from '#/platform/translation.ts'
import { dayOf, dayText, daysBetween, useTimes } from '#/platform/time.ts'
import { categories } from '#/contract/closed-lists.ts'
import type { Filters } from '#/search-filters.ts'

/** `isPlaceUnknown`: nothing is enough like the place asked for. `isBookable`: none of the page is only listed from open data, which is never free. */
export type HeadingFacts = {
  filters: Filters
  total: number
  place: string | null
  isPlaceUnknown: boolean
  now: number
  zone: string
  isBookable: boolean
}

function useWhen({ filters, now, zone, isBookable }: HeadingFacts): string {
  const { t } = useTranslation(['institutes', 'labels'])
  const { locale } = useTimes()
  if (!filters.day) return isBookable ? t('heading.soon') : ''
  const today = dayOf(now, zone)
  const ahead = daysBetween(today, filters.day)
  if (ahead === 0) return t('heading.today')
  if (ahead === 1) return t('heading.tomorrow')
  return t('heading.on', { day: dayText(filters.day, today, locale, 'long') })
}

export function ResultsHeading(facts: HeadingFacts) {
  const { t } = useTranslation(['institutes', 'labels'])
  const { filters, total: count, place } = facts
  const when = useWhen(facts)
  const category = categories.find((one) => one === filters.category)
  const name = category && t(`labels:categories.${category}`)
  if (count === 0 && facts.isPlaceUnknown) return <h1 className="d2">{t('heading.unknownPlace', { place })}</h1>
  if (count === 0) {
    return <h1 className="d2">{name ? t('heading.nothingFor', { category: name }) : t('heading.nothing')}</h1>
  }
  if (name) {
    return (
      <h1 className="d2">
        {place ? t('heading.categoryNear', { category: name, place }) : t('heading.category', { category: name })}{' '}
        <i>{t('heading.counted', { count, when }).trim()}</i>
      </h1>
    )
  }
  return (
    <h1 className="d2">
      {place ? t('heading.countNear', { count, place }) : t('heading.count', { count })} <i>{when}</i>
    </h1>
  )
}

/** Title and description of the document, and the address it is known by. */
export function useResultsHead(filters: Filters, place: string | null) {
  const { t } = useTranslation(['institutes', 'labels'])
  const category = categories.find((one) => one === filters.category)
  const name = category && t(`labels:categories.${category}`)
  const title = name
    ? place
      ? t('page.titleCategoryNear', { category: name, place })
      : t('page.titleCategory', { category: name })
    : place
      ? t('page.titleNear', { place })
      : t('page.title')
  return { title, description: name ? t('page.descriptionCategory', { category: name }) : t('page.description') }
}

// The first line of the list: how many institutes, of what, where, and when they are free.
import { Trans } from '#/platform/marked-text.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { dayOf, dayText, daysBetween, useTimes } from '#/platform/time.ts'
import { categories } from '#/contract/closed-lists.ts'
import type { Filters } from '#/search-filters.ts'
import { preloadSlopingFace } from '#/theme/fonts.ts'

/** `isPlaceUnknown`: nothing is enough like the place asked for. Those only listed from open data, which are never free, are counted apart. */
export type HeadingFacts = {
  filters: Filters
  total: number
  /** How many of them are only listed. */
  listed: number
  place: string | null
  isPlaceUnknown: boolean
  now: number
  zone: string
}

/** The sentence for the day that was asked for. */
function useSentence({ filters, now, zone, total, listed }: HeadingFacts) {
  const { locale } = useTimes()
  if (total === 0) return { key: filters.day || filters.part ? ('heading.nothingFree' as const) : ('heading.nothing' as const), day: '' }
  if (!filters.day) return { key: total > listed ? ('heading.soon' as const) : ('heading.listed' as const), day: '' }
  const today = dayOf(now, zone)
  const ahead = daysBetween(today, filters.day)
  if (ahead === 0) return { key: 'heading.today' as const, day: '' }
  if (ahead === 1) return { key: 'heading.tomorrow' as const, day: '' }
  return { key: 'heading.on' as const, day: dayText(filters.day, today, locale, 'long') }
}

export function ResultsHeading(facts: HeadingFacts) {
  const { t, i18n } = useTranslation(['institutes', 'labels'])
  const { filters, total, listed, place } = facts
  const count = total > listed ? total - listed : total
  const { key, day } = useSentence(facts)
  const { title } = useResultsHead(filters, place)
  if (count === 0 && facts.isPlaceUnknown) return <h1 className="d2">{t('heading.unknownPlace', { place })}</h1>
  preloadSlopingFace(i18n.language)
  return (
    <div>
      <h1 className="d2">
        <Trans ns="institutes" i18nKey={key} count={count} values={{ what: title, day }} components={{ when: <i /> }} />
      </h1>
      {listed > 0 && total > listed && <p className="small muted">{t('heading.listedToo', { count: listed })}</p>}
    </div>
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

// Nothing was found: which single filter stands in the way, and how many institutes each would bring back.
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { paths } from '#/paths.ts'
import { mostRelaxed } from '#/contract/limits.ts'
import { ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import { Icon } from '#/theme/icons/icon.tsx'
import { activeFilters, filterNames, searchPath, type FilterName, type Filters } from '#/search-filters.ts'
import styles from './empty-result.module.css'

export type Relaxation = { filter: string; total: number }

/** Filters that only make sense together go together. */
const companions: { readonly [Name in FilterName]?: readonly FilterName[] } = {
  place: ['lat', 'lon', 'radiusKm'],
  lat: ['lon', 'place', 'radiusKm'],
  lon: ['lat', 'place', 'radiusKm'],
}

function isFilterName(name: string): name is FilterName {
  return (filterNames as readonly string[]).includes(name)
}

function withoutPath(filters: Filters, name: FilterName): string {
  const gone = [name, ...(companions[name] ?? [])]
  return searchPath(filters, Object.fromEntries(gone.map((one) => [one, null])))
}

/** `title`: why nothing was found, where that is known. */
export function EmptyResult({ filters, relax, title }: { filters: Filters; relax: readonly Relaxation[]; title: string | null }) {
  const { t } = useTranslation('filters')
  // Somewhere is no filter one would take away: nobody is there yet.
  const isOnlyPlace = !filters.what && !filters.radiusKm && activeFilters(filters).length === 0
  const ways = relax.flatMap(({ filter, total }) => (isFilterName(filter) && total > 0 ? [{ filter, total }] : []))
  return (
    <EmptyState
      vignette="bell"
      title={title ?? t(isOnlyPlace ? 'empty.titlePlace' : filters.day || filters.part ? 'empty.titleDay' : 'empty.title')}
      action={
        ways.length === 0 && (
          <ButtonLink to={paths.institutes} variant="soft">
            {t('empty.everything')}
          </ButtonLink>
        )
      }
    >
      {t(ways.length === 0 ? 'empty.nothing' : isOnlyPlace ? 'empty.elsewhere' : 'empty.nearest')}
      {ways.length > 0 && (
        <span className={styles.ways}>
          {ways.map(({ filter, total }) => (
            <Link key={filter} to={withoutPath(filters, filter)} className={styles.way}>
              {t(total < mostRelaxed ? 'empty.relax' : 'empty.relaxMany', {
                count: total,
                filter: t(`names.${filter}`, { value: filters[filter] }),
              })}
              <Icon name="chevron-end" size={18} />
            </Link>
          ))}
        </span>
      )}
    </EmptyState>
  )
}

/** The address asks for a page the list does not have. */
export function PastTheEnd({ filters }: { filters: Filters }) {
  const { t } = useTranslation('filters')
  return (
    <EmptyState
      vignette="pages"
      title={t('empty.beyond')}
      action={<ButtonLink to={searchPath(filters)}>{t('empty.firstPage')}</ButtonLink>}
    >
      {t('empty.beyondText')}
    </EmptyState>
  )
}

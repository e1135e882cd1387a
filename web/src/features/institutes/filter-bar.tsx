// The chips above the list: quick choices, what is chosen already (each taken away with one tap), and the rest.
import { useTranslation } from 'react-i18next'
import { Link } from 'react-router'
import { CategoryIcon } from '#/theme/icons/category-icon.tsx'
import { Icon } from '#/theme/icons/icon.tsx'
import { FilterChipLink } from '#/ui/tag.tsx'
import { audiences, categories, languages } from '#/platform/closed-lists.ts'
import { priceCeilings, ratingFloors } from './choices.ts'
import { useActiveFilters, usePriceWords, type FilterContext } from './filter-words.ts'
import { QuickMenu } from '#/ui/quick-menu.tsx'
import { searchPath, type FilterName } from './search-filters.ts'
import { filterPanelPath } from './filter-panel-path.ts'
import styles from './filter-bar.module.css'

function QuickMenus({ filters, currency }: FilterContext) {
  const { t } = useTranslation(['institutes', 'words'])
  const price = usePriceWords(currency)
  function item(name: FilterName, value: string, label: React.ReactNode) {
    return { key: value, to: searchPath(filters, { [name]: value }), label, current: filters[name] === value }
  }
  return (
    <>
      {!filters.category && (
        <QuickMenu
          label={t('filters.category')}
          icon="grid"
          wide
          items={categories.map((category) =>
            item(
              'category',
              category,
              <span>
                <CategoryIcon name={category} size={24} />
                {t(`words:categories.${category}`)}
              </span>,
            ),
          )}
        />
      )}
      {!filters.audience && (
        <QuickMenu
          label={t('filters.audience')}
          items={audiences.filter((one) => one !== 'All').map((one) => item('audience', one, t(`words:audiences.${one}`)))}
        />
      )}
      {!filters.atHome && (
        <FilterChipLink to={searchPath(filters, { atHome: 'true' })} icon="home-visit">
          {t('filters.atHome')}
        </FilterChipLink>
      )}
      {!filters.language && (
        <QuickMenu label={t('filters.language')} items={languages.map((one) => item('language', one, t(`words:languages.${one}`)))} />
      )}
      {!filters.maxPrice && (
        <QuickMenu
          label={t('filters.priceUpTo')}
          items={priceCeilings.map((one) => item('maxPrice', one, t('filters.upTo', { price: price(one) })))}
        />
      )}
      {!filters.minRating && (
        <QuickMenu
          label={t('filters.rating')}
          icon="star"
          items={ratingFloors.map((one) => item('minRating', one, t('filters.andUp', { rating: Number(one).toFixed(1) })))}
        />
      )}
    </>
  )
}

export function FilterBar(context: FilterContext) {
  const { t } = useTranslation(['institutes', 'words'])
  const { filters } = context
  const active = useActiveFilters(context)
  return (
    <nav className={styles.bar} aria-label={t('filters.quick')}>
      <Link to={filterPanelPath(filters)} state={{ fromList: true }} preventScrollReset className={styles.all}>
        <Icon name="filter" size={17} />
        {t('filters.all')}
        {active.length > 0 && (
          <>
            <span className={styles.count}>{active.length}</span>
            <span className="visually-hidden">{t('filters.inUse')}</span>
          </>
        )}
      </Link>
      {active.map(({ name, label, without }) => (
        <FilterChipLink key={name} to={without} selected removeLabel={t('filters.remove', { filter: label })}>
          <bdi className={styles.label}>{label}</bdi>
        </FilterChipLink>
      ))}
      <div className={styles.quick}>
        <QuickMenus {...context} />
      </div>
    </nav>
  )
}

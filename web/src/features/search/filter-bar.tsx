// The chips above the list: quick choices, what is chosen already (each taken away with one tap), and the rest.
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { CategoryIcon } from '#/theme/icons/category-icon.tsx'
import { Icon } from '#/theme/icons/icon.tsx'
import { classNames } from '#/ui/class-names.ts'
import { FilterChipLink } from '#/ui/tag.tsx'
import { audiences, categories, languages } from '#/contract/closed-lists.ts'
import { priceCeilings, ratingFloors } from './filter-choices.ts'
import { useActiveFilters, usePriceText, type FilterContext } from './filter-texts.ts'
import { QuickMenu } from '#/ui/quick-menu.tsx'
import { searchPath, type FilterName, type Filters } from '#/search-filters.ts'
import { filterPanelPath } from './filter-panel-path.ts'
import styles from './filter-bar.module.css'

function QuickMenus({ filters, currency, typicalPrice }: FilterContext) {
  const { t } = useTranslation(['filters', 'labels'])
  const price = usePriceText(currency)
  const ceilings = priceCeilings(typicalPrice)
  function item(name: FilterName, value: string, label: React.ReactNode) {
    return { key: value, to: searchPath(filters, { [name]: value }), label, current: filters[name] === value }
  }
  return (
    <>
      {!filters.category && (
        <QuickMenu
          label={t('category')}
          icon="grid"
          wide
          items={categories.map((category) =>
            item(
              'category',
              category,
              <span>
                <CategoryIcon name={category} size={24} />
                {t(`labels:categories.${category}`)}
              </span>,
            ),
          )}
        />
      )}
      {!filters.audience && (
        <QuickMenu
          label={t('audience')}
          items={audiences.filter((one) => one !== 'All').map((one) => item('audience', one, t(`labels:audiences.${one}`)))}
        />
      )}
      {!filters.language && (
        <QuickMenu label={t('language')} items={languages.map((one) => item('language', one, t(`labels:languages.${one}`)))} />
      )}
      {!filters.maxPrice && ceilings.length > 0 && (
        <QuickMenu label={t('priceUpTo')} items={ceilings.map((one) => item('maxPrice', one, t('upTo', { price: price(one) })))} />
      )}
      {!filters.minRating && (
        <QuickMenu
          label={t('rating')}
          icon="star"
          items={ratingFloors.map((one) => item('minRating', one, t('andUp', { rating: Number(one).toFixed(1) })))}
        />
      )}
    </>
  )
}

type AllFiltersProps = { filters: Filters; count: number; className: string | undefined; onNear: () => void }

function AllFilters({ filters, count, className, onNear }: AllFiltersProps) {
  const { t } = useTranslation('filters')
  return (
    <Link
      to={filterPanelPath(filters)}
      state={{ fromList: true }}
      preventScrollReset
      className={classNames(styles.all, className)}
      onPointerEnter={onNear}
      onFocus={onNear}
    >
      <Icon name="filter" size={17} />
      {t('all')}
      {count > 0 && (
        <>
          <span className={styles.count}>{count}</span>
          <span className="visually-hidden">{t('inUse')}</span>
        </>
      )}
    </Link>
  )
}

/**
 * All filters come first on a phone and last elsewhere. Each place has its own link, so that nothing jumps while the page is still coming.
 * `onNear` is called when a pointer or the focus comes to one of them.
 */
export function FilterBar({ onNear, ...context }: FilterContext & { onNear: () => void }) {
  const { t } = useTranslation(['filters', 'labels'])
  const { filters } = context
  const active = useActiveFilters(context)
  return (
    <nav className={styles.bar} aria-label={t('quick')}>
      <AllFilters filters={filters} count={active.length} className={styles.first} onNear={onNear} />
      {active.map(({ name, label, without }) => (
        <FilterChipLink key={name} to={without} selected removeLabel={t('remove', { filter: label })}>
          <bdi className={styles.label}>{label}</bdi>
        </FilterChipLink>
      ))}
      <div className={styles.quick}>
        <QuickMenus {...context} />
      </div>
      <AllFilters filters={filters} count={active.length} className={styles.last} onNear={onNear} />
    </nav>
  )
}

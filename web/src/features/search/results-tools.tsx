// Order and page size, beside the heading on wide windows.
import { useTranslation } from '#/platform/translation.ts'
import { pageSizes } from '#/ui/pagination.tsx'
import { QuickMenu } from '#/ui/quick-menu.tsx'
import { shownOrders } from './filter-choices.ts'
import { searchPath, type Filters } from '#/search-filters.ts'
import styles from './results-tools.module.css'

export function ResultsTools({ filters, pageSize }: { filters: Filters; pageSize: number }) {
  const { t } = useTranslation('filters')
  const sort = shownOrders.find((order) => order === filters.sort) ?? 'recommended'
  return (
    <div className={`small desktop-only ${styles.tools}`}>
      <div className={styles.tool}>
        <span className="muted">{t('order.label')}</span>
        <QuickMenu
          label={t(`order.${sort}`)}
          side="end"
          items={shownOrders.map((order) => ({
            key: order,
            to: searchPath(filters, { sort: order }),
            label: t(`order.${order}`),
            current: order === sort,
          }))}
        />
      </div>
      <div className={styles.tool}>
        <span className="muted">{t('pageSize')}</span>
        <QuickMenu
          label={<span className="tabular">{pageSize}</span>}
          side="end"
          items={pageSizes.map((size) => ({
            key: String(size),
            to: searchPath(filters, { pageSize: String(size) }),
            label: String(size),
            current: size === pageSize,
          }))}
        />
      </div>
    </div>
  )
}

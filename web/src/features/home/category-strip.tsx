// The fourteen categories, each with its own icon and a search behind it.
import type { Category } from '@soigne/contract/wire'
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { institutesPath } from '#/paths.ts'
import { CategoryIcon } from '#/theme/icons/category-icon.tsx'
import styles from './category-strip.module.css'

export type CategoryStripProps = { categories: readonly Category[]; place: { name: string; lat: number; lon: number } }

export function CategoryStrip({ categories, place }: CategoryStripProps) {
  const { t } = useTranslation(['home', 'labels'])
  const near = { place: place.name, lat: place.lat.toFixed(4), lon: place.lon.toFixed(4) }
  return (
    <nav aria-label={t('home:categories')}>
      <ul className={styles.strip}>
        {categories.map((category) => (
          <li key={category}>
            <Link to={institutesPath({ category, ...near })} className={styles.link}>
              <CategoryIcon name={category} size={32} />
              <span>{t(`labels:categories.${category}`)}</span>
            </Link>
          </li>
        ))}
      </ul>
    </nav>
  )
}

// Institutes with a time left today; when there is none, the way to tomorrow.
import { useTranslation } from '#/platform/translation.ts'
import type { ReactNode } from 'react'
import { Link } from 'react-router'
import { ButtonLink } from '#/ui/button.tsx'
import { EmptyState } from '#/ui/empty-state.tsx'
import styles from './free-today.module.css'

export type FreeTodayProps = {
  place: string
  allPath: string
  tomorrowPath: string
  empty: boolean
  /** The cards. */
  children: ReactNode
}

export function FreeToday({ place, allPath, tomorrowPath, empty, children }: FreeTodayProps) {
  const { t } = useTranslation('home')
  if (empty) {
    return (
      <section className={`page ${styles.section}`}>
        <EmptyState
          vignette="bell"
          title={t('today.none', { place })}
          action={
            <ButtonLink to={tomorrowPath} variant="soft">
              {t('today.tomorrow')}
            </ButtonLink>
          }
        >
          {t('today.noneText')}
        </EmptyState>
      </section>
    )
  }
  return (
    <section className={`page ${styles.section}`} aria-labelledby="today">
      <div className={styles.head}>
        <h2 className="d2" id="today">
          {t('today.title')}
        </h2>
        <Link to={allPath} className="link nowrap">
          {t('today.all')}
        </Link>
      </div>
      <div className={styles.cards}>{children}</div>
    </section>
  )
}

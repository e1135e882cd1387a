// Institutes with a time left today, or at night those free next; when there is none, the way to tomorrow.
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
  /** The day of the cards, null when there are none. */
  free: 'today' | 'tomorrow' | 'later' | null
  /** The cards. */
  children: ReactNode
}

const titles = { today: 'today.title', tomorrow: 'today.titleTomorrow', later: 'today.titleNext' } as const

export function FreeToday({ place, allPath, tomorrowPath, free, children }: FreeTodayProps) {
  const { t } = useTranslation('home')
  if (free === null) {
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
    <CardSection id="today" title={t(titles[free])} all={{ to: allPath, label: t('today.all') }}>
      {children}
    </CardSection>
  )
}

export type CardSectionProps = {
  id: string
  title: string
  all: { to: string; label: string }
  /** Cards of institutes, four in a row. */
  children: ReactNode
}

export function CardSection({ id, title, all, children }: CardSectionProps) {
  return (
    <section className={`page ${styles.section}`} aria-labelledby={id}>
      <div className={styles.head}>
        <h2 className="d2" id={id}>
          {title}
        </h2>
        <Link to={all.to} className="link nowrap">
          {all.label}
        </Link>
      </div>
      <div className={styles.cards}>{children}</div>
    </section>
  )
}

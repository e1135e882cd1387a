// What people say: the average, the four questions, and whatever else stands with them. Shown once somebody has answered.
import type { Institute } from '@soigne/contract/institutes'
import type { ReactNode } from 'react'
import { ratingText } from '#/platform/ratings.ts'
import { useTranslation } from '#/platform/translation.ts'
import { RatingBar } from '#/ui/rating.tsx'
import styles from './institute.module.css'

/** `children`: what they said in words. */
export function Grades({ institute, children }: { institute: Institute; children?: ReactNode }) {
  const { t, i18n } = useTranslation('institute')
  const { rating } = institute
  if (rating.count === 0) return null
  const grades = [
    ['welcoming', institute.averageWelcoming],
    ['hygiene', institute.averageHygiene],
    ['atmosphere', institute.averageAtmosphere],
    ['serviceQuality', institute.averageServiceQuality],
  ] as const
  return (
    <section id="reviews" aria-labelledby="reviews-title" className={styles.part}>
      <h2 id="reviews-title" className="d3">
        {t('grades.title')}
      </h2>
      <div className={styles.grades}>
        <div>
          <bdi className={`time ${styles.average}`}>{ratingText(rating.average, i18n.language)}</bdi>
          <p className="small muted">{t('grades.from', { count: rating.count })}</p>
        </div>
        <div className={styles.bars}>
          {grades.map(
            ([name, value]) =>
              value !== null && (
                <RatingBar key={name} label={t(`grades.${name}`)} value={ratingText(value, i18n.language)} share={value / 5} />
              ),
          )}
        </div>
      </div>
      {children}
    </section>
  )
}

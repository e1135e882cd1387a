// Reviews of an institute: the first few come with the page; all of them, with filters, when asked for.
import type { Institute } from '@soigne/contract/institutes'
import type { Review, ReviewPage } from '@soigne/contract/reviews'
import { Suspense, useState } from 'react'
import { Link } from 'react-router'
import { paths } from '#/paths.ts'
import { useTranslation } from '#/platform/translation.ts'
import { lazily } from '#/ui/lazily.tsx'
import { Button } from '#/ui/button.tsx'
import { ReviewActions } from './review-actions.tsx'
import { ReviewCard } from './review-card.tsx'
import styles from './reviews.module.css'

const AllReviews = lazily(async () => (await import('./all-reviews.tsx')).AllReviews)

export type ReviewsInstitute = Pick<Institute, '_id' | 'slug' | 'name' | 'timeZone'>

type CardsProps = { reviews: readonly Review[]; institute: ReviewsInstitute }

/** What was answered meanwhile takes the place of what came with the page. */
export function ReviewCards({ reviews, institute }: CardsProps) {
  const [changed, setChanged] = useState<Readonly<Record<string, Review>>>({})
  return (
    <ul>
      {reviews.map((one) => {
        const review = changed[one._id] ?? one
        return (
          <li key={one._id}>
            <ReviewCard
              review={review}
              institute={institute}
              actions={
                <ReviewActions
                  review={review}
                  instituteId={institute._id}
                  onChanged={(next) => setChanged((before) => ({ ...before, [next._id]: next }))}
                />
              }
            />
          </li>
        )
      })}
    </ul>
  )
}

type BreakdownProps = { page: ReviewPage; onStars: (stars: number) => void }

/** How many have how many stars; each row leads to those. */
function Breakdown({ page: { breakdown, rating }, onStars }: BreakdownProps) {
  const { t } = useTranslation('reviews')
  return (
    <ul className={styles.breakdown} aria-label={t('section.breakdown')}>
      {breakdown.map(({ stars, count }) => {
        return (
          <li key={stars}>
            <button type="button" className={styles.starsRow} disabled={count === 0} onClick={() => onStars(stars)}>
              <span>{t('section.stars', { count: stars })}</span>{' '}
              <span className={styles.track} aria-hidden="true">
                <span className={styles.bar} style={{ inlineSize: `${Math.round((count / Math.max(1, rating.count)) * 100)}%` }} />
              </span>
              <bdi className={`muted tabular ${styles.count}`}>{count}</bdi>
            </button>
          </li>
        )
      })}
    </ul>
  )
}

export type ReviewsListProps = { institute: ReviewsInstitute; page: ReviewPage }

export function ReviewsList({ institute, page }: ReviewsListProps) {
  const { t } = useTranslation('reviews')
  /** Not null: all of them are asked for, those with so many stars or any. */
  const [asked, setAsked] = useState<{ stars: number | null } | null>(null)
  const few = (
    <>
      <ReviewCards reviews={page.items} institute={institute} />
      {page.total > page.items.length && (
        <Button variant="outline" onClick={() => setAsked({ stars: null })} loading={asked !== null}>
          {t('section.all', { count: page.total })}
        </Button>
      )}
    </>
  )
  return (
    <>
      <Breakdown page={page} onStars={(stars) => setAsked({ stars })} />
      <p className={styles.method}>
        <Link to={paths.reviewsPolicy} className="link small">
          {t('section.method')}
        </Link>
      </p>
      {asked === null ? (
        few
      ) : (
        <Suspense fallback={few}>
          <AllReviews key={asked.stars ?? 0} institute={institute} page={page} stars={asked.stars} />
        </Suspense>
      )}
    </>
  )
}

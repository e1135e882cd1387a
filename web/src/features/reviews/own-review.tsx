// Below a visit of one's own: the invitation to say how it was, the form, or what was said.
import type { Appointment } from '@soigne/contract/appointments'
import { useQuery } from '@tanstack/react-query'
import { Suspense, useRef, useState } from 'react'
import { Link } from 'react-router'
import { paths, salonPath } from '#/paths.ts'
import { api } from '#/platform/api.ts'
import { Trans } from '#/platform/marked-text.tsx'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { queryKeys } from '#/query-keys.ts'
import { lazily } from '#/ui/lazily.tsx'
import { Button } from '#/ui/button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { Skeleton } from '#/ui/skeleton.tsx'
import { ReviewCard } from './review-card.tsx'
import styles from './review-form.module.css'

const ReviewForm = lazily(async () => (await import('./review-form.tsx')).ReviewForm)

function Failed({ onRetry }: { onRetry: () => void }) {
  const { t } = useTranslation('reviews')
  const retry = (
    <Button variant="soft" size="small" onClick={onRetry}>
      {t('section.retry')}
    </Button>
  )
  return (
    <Notice tone="error" announce action={retry}>
      {t('section.failed')}
    </Notice>
  )
}

export function OwnReview({ appointment: { _id: id, institute } }: { appointment: Appointment }) {
  const { t } = useTranslation(['review-form', 'reviews'])
  const times = useTimes()
  const [isWriting, setIsWriting] = useState(false)
  const heading = useRef<HTMLHeadingElement>(null)
  const { data, error, refetch } = useQuery({
    queryKey: queryKeys.reviews.ofVisit(id),
    queryFn: ({ signal }) => api.ownReview({ params: { id } }, { signal }),
  })
  if (!data) return error && <Failed onRetry={() => void refetch()} />
  const { review, mayReview, reason, until, author, isHidden } = data
  if (!review && !mayReview && reason !== 'too_late') return null
  const day = times.dayOfInstant(until, institute.timeZone, 'within')
  if (!review && !mayReview) return <p className={`small muted ${styles.over}`}>{t('review-form:own.tooLate', { day })}</p>
  const method = (
    <Link to={paths.reviewsPolicy} className="link">
      {t('reviews:section.method')}
    </Link>
  )
  return (
    <section className={styles.part} aria-labelledby="own-review">
      <h2 id="own-review" ref={heading} tabIndex={-1} className={review ? 'd4' : `d2 ${styles.title}`}>
        {review ? t('review-form:own.title') : <Trans ns="review-form" i18nKey="own.invite" components={{ second: <i /> }} />}
      </h2>
      {review && (
        <>
          {isHidden && <Notice tone="warning">{t('review-form:own.hidden')}</Notice>}
          <ReviewCard review={review} institute={institute} />
          {!isHidden && (
            <Link to={`${salonPath(institute.slug)}#reviews`} className="link small">
              {t('review-form:own.see')}
            </Link>
          )}
        </>
      )}
      {!review && (
        <p className={`muted ${styles.invite}`}>
          {t('review-form:own.inviteText', { day })} {method}
        </p>
      )}
      {!review && !isWriting && <Button onClick={() => setIsWriting(true)}>{t('review-form:own.write')}</Button>}
      {!review && isWriting && (
        <Suspense fallback={<Skeleton height={420} radius={16} />}>
          <ReviewForm id={id} author={author} onClose={() => setIsWriting(false)} onDone={() => heading.current?.focus()} />
        </Suspense>
      )}
    </section>
  )
}

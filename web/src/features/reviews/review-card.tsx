// What one person said: name, when and of what, the words, pictures, and what the institute answered.
import type { Review } from '@soigne/contract/reviews'
import { pictureOfSize } from '@soigne/contract/files'
import { useState, type ReactNode } from 'react'
import { ratingText } from '#/platform/ratings.ts'
import { dayOf, useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { ShownPictures } from '#/shown-pictures.tsx'
import { FaceImage } from '#/ui/face-image.tsx'
import { Rating } from '#/ui/rating.tsx'
import styles from './reviews.module.css'

const smallPx = 96

function Pictures({ pictures, author }: { pictures: Review['pictures']; author: string }) {
  const { t } = useTranslation('reviews')
  const [at, setAt] = useState<number | null>(null)
  if (pictures.length === 0) return null
  return (
    <>
      <ul className={styles.pictures} aria-label={t('card.pictures')}>
        {pictures.map(({ url }, index) => (
          <li key={url}>
            <button
              type="button"
              className={styles.open}
              aria-label={t('card.picture', { position: index + 1 })}
              onClick={() => setAt(index)}
            >
              <img src={pictureOfSize(url, 320)} alt="" width={smallPx} height={smallPx} loading="lazy" decoding="async" />
            </button>
          </li>
        ))}
      </ul>
      {at !== null && (
        <ShownPictures
          pictures={pictures.map(({ url }) => ({ src: url, alt: author, small: pictureOfSize(url, 96) }))}
          start={at}
          onClose={() => setAt(null)}
        />
      )}
    </>
  )
}

export type ReviewCardProps = { review: Review; institute: { name: string; timeZone: string }; actions?: ReactNode }

export function ReviewCard({ review, institute, actions }: ReviewCardProps) {
  const { t, i18n } = useTranslation('reviews')
  const times = useTimes()
  const author = review.author ?? t('card.gone')
  const value = ratingText(review.rating, i18n.language)
  const month = (instant: string): string => times.month(dayOf(instant, institute.timeZone))
  const [service] = review.services
  return (
    <article className={styles.card} aria-label={author}>
      <div className={styles.head}>
        <FaceImage name={author} size={44} />
        <div className={styles.who}>
          <h3 className="strong">
            <bdi>{author}</bdi>
          </h3>
          <p className="small muted">
            <time dateTime={review.createdAt}>{month(review.createdAt)}</time>
            {service && ' · '}
            {service && t('card.with', { service: service.name, member: service.staffName })}
          </p>
        </div>
        <Rating value={value} label={t('card.rating', { value })} />
      </div>
      {review.text !== '' && (
        <p className={styles.text} dir="auto" lang={review.language}>
          {review.text}
        </p>
      )}
      <Pictures pictures={review.pictures} author={author} />
      {review.reply && (
        <div className={styles.reply}>
          <p className="small">
            <span className="strong">{t('card.reply', { name: institute.name })}</span>
            <span className="muted"> · {month(review.reply.createdAt)}</span>
          </p>
          <p dir="auto" className={styles.replyText}>
            {review.reply.text}
          </p>
        </div>
      )}
      {actions && <div className={styles.actions}>{actions}</div>}
    </article>
  )
}

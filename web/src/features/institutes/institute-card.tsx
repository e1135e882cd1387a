// One institute among others on the home page: cover, name, one line of facts, its next three times.
import type { InstituteCard as Card } from '@soigne/contract/institutes'
import { Fragment, type ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { salonPath } from '#/paths.ts'
import { CoverImage } from '#/ui/cover-image.tsx'
import { Rating } from '#/ui/rating.tsx'
import { growCover, type CardCover } from './card-cover.ts'
import { useCardTexts } from './card-texts.ts'
import { NextTimes } from './next-times.tsx'
import styles from './institute-card.module.css'

export type InstituteCardProps = { card: Card; cover: CardCover; now: number; eager?: boolean; heart?: ReactNode }

export function InstituteCard({ card, cover, now, eager = false, heart }: InstituteCardProps) {
  const { t } = useTranslation('institutes')
  const texts = useCardTexts()
  const rating = texts.rating(card)
  const facts = [...texts.categories(card), texts.place(card)]
  return (
    <article className={styles.card}>
      <CoverImage {...cover} alt="" ratio="4 / 3.1" eager={eager}>
        {heart}
      </CoverImage>
      <div className={styles.head}>
        <h3 className={`d5 truncate ${styles.name}`}>
          <Link to={salonPath(card.slug)} className={styles.link} viewTransition onClick={growCover}>
            <bdi className={styles.bidi}>{card.name}</bdi>
          </Link>
        </h3>
        {rating ? (
          <Rating {...rating} className="small nowrap" />
        ) : (
          <span className="small muted">{t(card.claimed ? 'card.new' : 'card.listed')}</span>
        )}
      </div>
      <p className={`small muted ${styles.facts}`}>
        {facts.map((fact, index) => (
          <Fragment key={fact}>
            {index > 0 && ' · '}
            <span dir="auto">{fact}</span>
          </Fragment>
        ))}
        {card.distanceKm !== null && (
          <>
            {' · '}
            <bdi>{texts.distance(card.distanceKm)}</bdi>
          </>
        )}
      </p>
      {card.service && (
        <p className={`small ${styles.service}`}>
          {card.service.name} · <bdi className="nowrap">{texts.price(card)}</bdi>
        </p>
      )}
      <div className={styles.times}>
        <NextTimes card={card} now={now} layout="spread" />
      </div>
    </article>
  )
}

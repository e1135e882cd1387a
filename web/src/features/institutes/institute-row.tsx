// One institute of the list: cover, name, facts, tags, its next times and what the service costs.
import type { InstituteCard as Card } from '@soigne/contract/institutes'
import type { ReactNode } from 'react'
import { useList } from '#/platform/lists.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { salonPath } from '#/paths.ts'
import { classNames } from '#/ui/class-names.ts'
import { CoverImage } from '#/ui/cover-image.tsx'
import { Rating } from '#/ui/rating.tsx'
import { Tag } from '#/ui/tag.tsx'
import { growCover, type CardCover } from './card-cover.ts'
import { useCardTexts } from './card-texts.ts'
import { NextTimes } from './next-times.tsx'
import styles from './institute-row.module.css'

export type InstituteRowProps = {
  card: Card
  cover: CardCover
  now: number
  /** Among the first: its picture is fetched at once. */
  eager: boolean
  /** Its pin on the map is pointed at or chosen. */
  highlighted: boolean
  heart?: ReactNode
}

function Tags({ card }: { card: Card }) {
  const { t } = useTranslation(['institutes', 'labels'])
  const list = useList()
  return (
    <ul className={styles.tags} aria-label={t('card.tags')}>
      {card.audience.length > 0 && (
        <li>
          <Tag icon="user">{list(card.audience.map((one) => t(`labels:audiences.${one}`)))}</Tag>
        </li>
      )}
      {card.languages.length > 0 && (
        <li>
          <Tag icon="globe">{list(card.languages.map((one) => t(`labels:languages.${one}`)))}</Tag>
        </li>
      )}
      {card.atHome && (
        <li>
          <Tag icon="home-visit">{t('card.atHome')}</Tag>
        </li>
      )}
    </ul>
  )
}

function Facts({ card }: { card: Card }) {
  const texts = useCardTexts()
  return (
    <p className={`small muted ${styles.facts}`}>
      {[...texts.categories(card, 2), texts.place(card)].join(' · ')}
      {card.distanceKm !== null && (
        <>
          {' · '}
          <bdi>{texts.distance(card.distanceKm)}</bdi>
        </>
      )}
    </p>
  )
}

export function InstituteRow({ card, cover, now, eager, highlighted, heart }: InstituteRowProps) {
  const { t } = useTranslation(['institutes', 'labels'])
  const texts = useCardTexts()
  const rating = texts.rating(card)
  return (
    <article className={classNames(styles.row, !card.claimed && styles.listed, highlighted && styles.highlighted)}>
      <CoverImage {...cover} alt="" ratio={card.claimed ? '4 / 3.3' : '1 / 1'} eager={eager} className={styles.cover}>
        {heart}
      </CoverImage>
      <div className={styles.text}>
        <div className={styles.head}>
          <h2 className="d4">
            <Link to={salonPath(card.slug)} className={styles.link} viewTransition onClick={growCover}>
              <bdi className={styles.name}>{card.name}</bdi>
            </Link>
          </h2>
          {rating ? (
            <Rating {...rating} className="nowrap" />
          ) : (
            <span className="small muted nowrap">{t(card.claimed ? 'card.new' : 'card.listed')}</span>
          )}
        </div>
        <Facts card={card} />
        {card.claimed && <Tags card={card} />}
        <div className={styles.foot}>
          {card.service && (
            <p className={`small muted ${styles.service}`}>
              {card.service.name} · <bdi className={styles.price}>{texts.price(card)}</bdi>
            </p>
          )}
          <div className={styles.times}>
            <NextTimes card={card} now={now} layout="loose" />
          </div>
        </div>
      </div>
    </article>
  )
}

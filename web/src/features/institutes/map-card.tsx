// The institute behind the chosen pin, over the foot of the map.
import type { InstituteCard } from '@soigne/contract/institutes'
import type { ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { salonPath } from '#/paths.ts'
import { CoverImage } from '#/ui/cover-image.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Rating } from '#/ui/rating.tsx'
import type { CardCover } from './card-cover.ts'
import { useCardTexts } from './card-texts.ts'
import styles from './map-card.module.css'

export type MapCardProps = { card: InstituteCard; cover: CardCover; onClose: () => void; heart?: ReactNode }

export function MapCard({ card, cover, onClose, heart }: MapCardProps) {
  const { t } = useTranslation('institutes')
  const texts = useCardTexts()
  const rating = texts.rating(card)
  return (
    <article className={styles.card}>
      <CoverImage {...cover} alt="" className={styles.cover} />
      <div className={styles.text}>
        <h2 className="d5 truncate">
          <Link to={salonPath(card.slug)} className={styles.link}>
            <bdi className={styles.name}>{card.name}</bdi>
          </Link>
        </h2>
        <p className="small muted truncate">{[...texts.categories(card), texts.place(card)].join(' · ')}</p>
        <p className={`small ${styles.facts}`}>
          {rating ? <Rating {...rating} /> : <span className="muted">{t(card.claimed ? 'card.new' : 'card.listed')}</span>}
          {card.service && (
            <span className="muted truncate">
              {card.service.name} · <bdi>{texts.price(card)}</bdi>
            </span>
          )}
        </p>
      </div>
      <span className={styles.buttons}>
        <IconButton icon="close" iconSize={18} label={t('map.close', { name: card.name })} onClick={onClose} />
        {heart}
      </span>
    </article>
  )
}

// The pictures of an institute: one large, four small; on a phone the first alone. Each opens over the whole window.
import type { Institute } from '@soigne/contract/institutes'
import { pictureOfSize } from '@soigne/contract/files'
import { useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { ShownPictures } from '#/shown-pictures.tsx'
import { Icon } from '#/theme/icons/icon.tsx'
import { buttonClass } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { galleryPictures } from './institute-facts.ts'
import styles from './gallery.module.css'

export function Gallery({ institute }: { institute: Institute }) {
  const { t } = useTranslation('institute')
  const [at, setAt] = useState<number | null>(null)
  const pictures = galleryPictures(institute)
  const count = pictures.length
  return (
    <>
      <div className={classNames(styles.gallery, count < 5 && styles.few, count === 1 && styles.one)}>
        {pictures.map((picture, index) => (
          <button
            key={picture.url}
            type="button"
            className={styles.place}
            aria-label={t('gallery.open', { position: index + 1, total: count })}
            onClick={() => setAt(index)}
          >
            <img
              className={classNames(styles.picture, picture.isArt && 'art')}
              src={picture.url}
              alt={picture.isArt ? '' : picture.alt}
              width={index === 0 ? 620 : 300}
              height={index === 0 ? 440 : 215}
              fetchPriority={index === 0 ? 'high' : 'auto'}
              loading={index === 0 ? 'eager' : 'lazy'}
              decoding="async"
            />
          </button>
        ))}
        {count > 1 && (
          <button type="button" className={buttonClass({ variant: 'outline', size: 'small' }, styles.all)} onClick={() => setAt(0)}>
            <Icon name="image" size={18} />
            {t('gallery.all', { count })}
          </button>
        )}
      </div>
      {at !== null && (
        <ShownPictures
          pictures={pictures.map(({ url, alt }) => ({ src: url, alt: alt || institute.name, small: pictureOfSize(url, 96) }))}
          start={at}
          onClose={() => setAt(null)}
        />
      )}
    </>
  )
}

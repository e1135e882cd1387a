// The pictures of an institute: one large, four small; on a phone the first alone.
import type { Institute } from '@soigne/contract/institutes'
import { classNames } from '#/ui/class-names.ts'
import { galleryPictures } from './institute-facts.ts'
import styles from './gallery.module.css'

export function Gallery({ institute }: { institute: Institute }) {
  const pictures = galleryPictures(institute)
  return (
    <div className={classNames(styles.gallery, pictures.length < 5 && styles.few, pictures.length === 1 && styles.one)}>
      {pictures.map((picture, index) => (
        <div key={picture.url} className={styles.place}>
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
        </div>
      ))}
    </div>
  )
}

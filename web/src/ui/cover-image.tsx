// Cut-paper art for a place without pictures, or its own photo, which always replaces the art.
import type { ReactNode } from 'react'
import { coverAddress, type CoverShape } from '#/theme/art/art-address.ts'
import { classNames } from './class-names.ts'
import styles from './art-image.module.css'

export type CoverImageProps = {
  category: string
  /** The institute's id: it gives the papers and the ground. */
  seed: string
  /** Where the drawing lies, when many share a sheet. */
  artUrl?: string | undefined
  /** A real picture; nothing is drawn then. */
  photoUrl?: string | undefined
  /** The name of what the photo shows. Art is decoration and has none. */
  alt?: string
  shape?: CoverShape
  /** CSS aspect-ratio of the place it fills; without it the image fills its parent. */
  ratio?: string
  /** Above the fold: fetched first. */
  eager?: boolean
  className?: string | undefined
  /** Laid over the picture, such as a heart; never text. */
  children?: ReactNode
}

const sizes: Record<CoverShape, [number, number]> = {
  landscape: [400, 310],
  wide: [640, 300],
  square: [400, 400],
  panel: [260, 900],
}

export function CoverImage(props: CoverImageProps) {
  const { category, seed, artUrl, photoUrl, alt = '', shape = 'landscape', ratio, eager = false, className, children } = props
  const [width, height] = sizes[shape]
  return (
    <div className={classNames(styles.cover, className)} style={ratio ? { aspectRatio: ratio } : undefined}>
      <img
        className={classNames(styles.image, !photoUrl && 'art')}
        src={photoUrl ?? artUrl ?? coverAddress({ category, seed, shape })}
        alt={photoUrl ? alt : ''}
        width={width}
        height={height}
        loading={eager ? 'eager' : 'lazy'}
        fetchPriority={eager ? 'high' : 'auto'}
        decoding="async"
      />
      {children && <div className={styles.over}>{children}</div>}
    </div>
  )
}

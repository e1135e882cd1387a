// A person's picture, or their initials in the arch until there is one; the name stands beside it as text.
import { pickIndex, randomFrom } from '#/theme/art/random.ts'
import { classNames } from './class-names.ts'
import { initialsOf } from './initials.ts'
import styles from './art-image.module.css'

export type FaceImageProps = {
  name: string
  /** A photo, or a portrait drawn for somebody invented, whose style was chosen. */
  photoUrl?: string | null | undefined
  /** Round at this many pixels; "portrait" is the arched window of a team page. */
  size?: number | 'portrait'
  className?: string | undefined
}

/** What older releases stored for people without a photo: a face made from their id. */
const anyFace = /^\/art\/face\/[^?]*$/

const papers = [styles.plum, styles.forest, styles.brick, styles.teal, styles.wine]

export function FaceImage({ name, photoUrl, size = 40, className }: FaceImageProps) {
  const shape = size === 'portrait' ? styles.portrait : styles.face
  if (!photoUrl || anyFace.test(photoUrl)) {
    const paper = papers[pickIndex(randomFrom(`initials ${name}`), papers.length)]
    const sized = size === 'portrait' ? undefined : { inlineSize: size, blockSize: size, fontSize: size * 0.4 }
    return (
      <span aria-hidden="true" className={classNames(shape, styles.initials, paper, 'art', className)} style={sized}>
        <bdi data-initials={initialsOf(name)} />
      </span>
    )
  }
  return (
    <img
      className={classNames(shape, photoUrl.startsWith('/art/') && 'art', className)}
      src={photoUrl}
      alt=""
      width={size === 'portrait' ? 200 : size}
      height={size === 'portrait' ? 230 : size}
      loading="lazy"
      decoding="async"
    />
  )
}

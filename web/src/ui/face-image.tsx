// A person's picture, or a cut-paper face from their id; the name stands beside it as text.
import { faceAddress } from '#/theme/art/art-address.ts'
import { classNames } from './class-names.ts'
import styles from './art-image.module.css'

export type FaceImageProps = {
  seed: string
  photoUrl?: string | undefined
  /** Round at this many pixels; "portrait" is the arched window of a team page. */
  size?: number | 'portrait'
  className?: string | undefined
}

export function FaceImage({ seed, photoUrl, size = 40, className }: FaceImageProps) {
  const portrait = size === 'portrait'
  return (
    <img
      className={classNames(portrait ? styles.portrait : styles.face, !photoUrl && 'art', className)}
      src={photoUrl ?? faceAddress(seed)}
      alt=""
      width={portrait ? 200 : size}
      height={portrait ? 230 : size}
      loading="lazy"
      decoding="async"
    />
  )
}

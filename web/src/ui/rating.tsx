// One number with text: the star is decoration, the label says "4.9 of 5, 218 reviews".
import { Icon } from '#/theme/icons/icon.tsx'
import { classNames } from './class-names.ts'
import styles from './rating.module.css'

export type RatingProps = { value: string; label: string; count?: string | undefined; className?: string | undefined }

export function Rating({ value, label, count, className }: RatingProps) {
  return (
    <span className={classNames(styles.rating, className)}>
      <span className="visually-hidden">{label}</span>
      <span aria-hidden="true" className={styles.shown}>
        <Icon name="star" size={15} className={styles.star} />
        <bdi className={styles.value}>{value}</bdi>
        {count !== undefined && <bdi className={styles.count}>({count})</bdi>}
      </span>
    </span>
  )
}

export type RatingBarProps = { label: string; value: string; /** 0 to 1 */ share: number }

/** A row of the four questions: name, bar, serif figure. */
export function RatingBar({ label, value, share }: RatingBarProps) {
  return (
    <div className={styles.row}>
      <span>{label}</span>
      <span className={styles.track} aria-hidden="true">
        <span className={styles.bar} style={{ inlineSize: `${Math.round(Math.min(1, Math.max(0, share)) * 100)}%` }} />
      </span>
      <bdi className={styles.figure}>{value}</bdi>
    </div>
  )
}

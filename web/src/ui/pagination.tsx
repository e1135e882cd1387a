// Page size at the start, range and arrows at the end; everything is a link, so that it works without scripts.
import { Link, type To } from 'react-router'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { SegmentedLinks } from './segmented.tsx'
import styles from './pagination.module.css'

export const pageSizes = [10, 20, 30, 40, 50] as const

export type PaginationProps = {
  /** Counted from 1. */
  page: number
  pageSize: number
  total: number
  hrefFor: (place: { page: number; pageSize: number }) => To
  labels: {
    navigation: string
    previous: string
    next: string
    pageSize: string
    /** "1–20 of 214" */
    range: (from: number, to: number, total: number) => string
  }
}

type ArrowProps = { icon: IconName; label: string; to: To | undefined; rel: 'prev' | 'next' }

function Arrow({ icon, label, to, rel }: ArrowProps) {
  if (to === undefined) {
    return (
      <span className={styles.arrow} role="link" aria-disabled="true" aria-label={label}>
        <Icon name={icon} />
      </span>
    )
  }
  return (
    <Link className={styles.arrow} to={to} rel={rel} aria-label={label}>
      <Icon name={icon} />
    </Link>
  )
}

export function Pagination({ page, pageSize, total, hrefFor, labels }: PaginationProps) {
  const from = total === 0 ? 0 : (page - 1) * pageSize + 1
  const to = Math.min(total, page * pageSize)
  // The first thing seen stays in view when the size changes.
  const sizes = pageSizes.map((size) => ({
    to: hrefFor({ page: Math.max(1, Math.ceil(from / size)), pageSize: size }),
    label: String(size),
    current: size === pageSize,
  }))
  return (
    <div className={styles.footer}>
      <SegmentedLinks label={labels.pageSize} items={sizes} size="small" />
      <nav aria-label={labels.navigation} className={styles.pages}>
        <p className={styles.range}>
          <bdi>{labels.range(from, to, total)}</bdi>
        </p>
        <Arrow icon="chevron-start" label={labels.previous} rel="prev" to={page > 1 ? hrefFor({ page: page - 1, pageSize }) : undefined} />
        <Arrow icon="chevron-end" label={labels.next} rel="next" to={to < total ? hrefFor({ page: page + 1, pageSize }) : undefined} />
      </nav>
    </div>
  )
}

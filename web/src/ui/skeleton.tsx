// The shape of what is coming. It waits 200 ms before it shows, and once shown stays at least 400 ms.
import { useEffect, useRef, useState, type CSSProperties, type ReactNode } from 'react'
import { classNames } from './class-names.ts'
import styles from './skeleton.module.css'

export type LoadingPhase = 'quiet' | 'skeleton' | 'ready'

const patienceMs = 200
const leastShownMs = 400

/** quiet: loading, too early to say so; skeleton: say so; ready: show the content. */
export function useLoadingPhase(loading: boolean): LoadingPhase {
  const [shown, setShown] = useState(false)
  const shownAt = useRef(0)
  useEffect(() => {
    if (loading === shown) return
    const wait = loading ? patienceMs : Math.max(0, shownAt.current + leastShownMs - Date.now())
    const timer = setTimeout(() => {
      if (loading) shownAt.current = Date.now()
      setShown(loading)
    }, wait)
    return () => clearTimeout(timer)
  }, [loading, shown])
  if (shown) return 'skeleton'
  return loading ? 'quiet' : 'ready'
}

export type LoadingProps = {
  loading: boolean
  /** Read at once to those who cannot see the shapes, shown to others when it takes longer: "Loading appointments". */
  label: string
  skeleton: ReactNode
  children: ReactNode
}

export function Loading({ loading, label, skeleton, children }: LoadingProps) {
  const phase = useLoadingPhase(loading)
  if (phase === 'ready') return children
  return (
    <div aria-busy="true" className={phase === 'quiet' ? styles.quiet : undefined}>
      <p role="status" className={styles.word}>
        {phase === 'skeleton' ? label : ''}
      </p>
      {skeleton}
    </div>
  )
}

export type SkeletonProps = {
  width?: CSSProperties['width']
  height?: CSSProperties['height']
  radius?: number | string
  ratio?: string
  className?: string | undefined
}

export function Skeleton({ width, height, radius = 8, ratio, className }: SkeletonProps) {
  return (
    <span
      aria-hidden="true"
      className={classNames(styles.block, className)}
      style={{ inlineSize: width ?? '100%', blockSize: height, borderRadius: radius, aspectRatio: ratio }}
    />
  )
}

/** The geometry of a salon card. */
export function CardSkeleton() {
  return (
    <div className={styles.card}>
      <Skeleton ratio="4 / 3.1" radius={16} />
      <Skeleton width="62%" height={20} />
      <Skeleton width="84%" height={14} />
      <div className={styles.slots}>
        <Skeleton height={44} radius={10} />
        <Skeleton height={44} radius={10} />
        <Skeleton height={44} radius={10} />
      </div>
    </div>
  )
}

/** A row with a face, two lines and a chip. */
export function RowSkeleton() {
  return (
    <div className={styles.row}>
      <Skeleton width={40} height={40} radius="50%" />
      <div className={styles.lines}>
        <Skeleton width="56%" height={14} />
        <Skeleton width="80%" height={12} />
      </div>
      <Skeleton width={64} height={26} />
    </div>
  )
}

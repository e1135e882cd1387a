// What failed, what is safe, what to do. The drawing is inside, because the network may be what failed.
import type { ReactNode } from 'react'
import { threadVignette } from '#/theme/art/vignettes.ts'
import { Button } from './button.tsx'
import { classNames } from './class-names.ts'
import styles from './empty-state.module.css'

const drawing = `data:image/svg+xml,${encodeURIComponent(threadVignette())}`

export type ErrorStateProps = {
  title: ReactNode
  children?: ReactNode
  retryLabel?: string
  onRetry?: () => void
  /** Another way on, in place of trying again. */
  action?: ReactNode
  /** An id the people who keep the service can find. */
  reference?: string | undefined
  as?: 'h1' | 'h2' | 'h3'
  className?: string | undefined
}

export function ErrorState(props: ErrorStateProps) {
  const { title, children, retryLabel, onRetry, action, reference, as: Title = 'h2', className } = props
  return (
    <div role="alert" className={classNames(styles.state, className)}>
      <img className="art" src={drawing} alt="" width={240} height={150} />
      <Title className={classNames('d4', styles.title)}>{title}</Title>
      {children && <p className={styles.text}>{children}</p>}
      {(action || onRetry) && (
        <div className={styles.action}>
          {onRetry && (
            <Button variant="outline" onClick={onRetry}>
              {retryLabel}
            </Button>
          )}
          {action}
        </div>
      )}
      {reference && <bdi className={styles.reference}>{reference}</bdi>}
    </div>
  )
}

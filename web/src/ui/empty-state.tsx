// An empty page says what will live here and offers one way forward.
import type { ReactNode } from 'react'
import { vignetteAddress } from '#/theme/art/art-address.ts'
import type { VignetteName } from '#/theme/art/vignettes.ts'
import { classNames } from './class-names.ts'
import styles from './empty-state.module.css'

export type EmptyStateProps = {
  vignette?: VignetteName
  title: ReactNode
  children?: ReactNode
  /** One button or link. */
  action?: ReactNode
  /** The rank of the title in its page. */
  as?: 'h1' | 'h2' | 'h3'
  className?: string | undefined
}

export function EmptyState({ vignette = 'chair', title, children, action, as: Title = 'h2', className }: EmptyStateProps) {
  return (
    <div className={classNames(styles.state, className)}>
      <img className="art" src={vignetteAddress(vignette)} alt="" width={240} height={150} />
      <Title className={classNames('d4', styles.title)}>{title}</Title>
      {children && <p className={styles.text}>{children}</p>}
      {action && <div className={styles.action}>{action}</div>}
    </div>
  )
}

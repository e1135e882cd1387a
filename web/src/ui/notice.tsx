// A message that stays in the page: a fact, a warning, a kind suggestion.
import type { ReactNode } from 'react'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { classNames } from './class-names.ts'
import styles from './notice.module.css'

export type NoticeTone = 'info' | 'success' | 'warning' | 'error' | 'kind'

const icons: Record<NoticeTone, IconName> = {
  info: 'info',
  success: 'success',
  warning: 'warning',
  error: 'error',
  kind: 'bell',
}

export type NoticeProps = {
  tone?: NoticeTone
  icon?: IconName
  title?: ReactNode
  children?: ReactNode
  action?: ReactNode
  /** Announce it when it appears. */
  announce?: boolean
  className?: string | undefined
}

export function Notice({ tone = 'info', icon, title, children, action, announce, className }: NoticeProps) {
  const role = tone === 'error' ? 'alert' : 'status'
  return (
    <div role={announce ? role : undefined} className={classNames(styles.notice, styles[tone], className)}>
      <Icon name={icon ?? icons[tone]} size={22} className={styles.icon} />
      <div className={styles.body}>
        <div className={styles.text}>
          {title && <p className={styles.title}>{title}</p>}
          {children && <div className={styles.line}>{children}</div>}
        </div>
        {action}
      </div>
    </div>
  )
}

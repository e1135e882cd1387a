// One line and one button that stay in reach at the bottom of screens without room for the panel.
import type { ReactNode } from 'react'
import styles from './bottom-bar.module.css'

export type BottomBarProps = { title: ReactNode; line?: ReactNode; action: ReactNode }

export function BottomBar({ title, line, action }: BottomBarProps) {
  return (
    <div className={styles.bar}>
      <div className={`page ${styles.inside}`}>
        <div className={styles.text}>
          <p className={styles.title}>{title}</p>
          {line && <p className="small muted truncate">{line}</p>}
        </div>
        {action}
      </div>
    </div>
  )
}

// One line and one button that stay in reach at the bottom of screens without room for the panel.
import { useEffect, useRef, type ReactNode } from 'react'
import styles from './bottom-bar.module.css'

export type BottomBarProps = { title: ReactNode; line?: ReactNode; action: ReactNode }

/** Says how high the bar is, for what must not end up under it: toasts, and what the keyboard comes to. */
export function useKnownHeight<Bar extends HTMLElement>() {
  const bar = useRef<Bar>(null)
  useEffect(() => {
    const element = bar.current
    if (!element || typeof ResizeObserver === 'undefined') return
    const { style } = document.documentElement
    const observer = new ResizeObserver(() => style.setProperty('--bottom-bar', `${element.offsetHeight}px`))
    observer.observe(element)
    return () => {
      observer.disconnect()
      style.removeProperty('--bottom-bar')
    }
  }, [])
  return bar
}

export function BottomBar({ title, line, action }: BottomBarProps) {
  return (
    <div ref={useKnownHeight<HTMLDivElement>()} className={styles.bar}>
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

// A chip that opens a short list of links under it. It is the browser's own disclosure, so it works before scripts.
import { useEffect, useRef, type ReactNode } from 'react'
import { Link, useLocation } from 'react-router'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { classNames } from '#/ui/class-names.ts'
import styles from './quick-menu.module.css'

export type QuickItem = { key: string; to: string; label: ReactNode; current: boolean }

export type QuickMenuProps = {
  label: ReactNode
  icon?: IconName
  items: readonly QuickItem[]
  /** wide: two columns. */
  wide?: boolean
  side?: 'start' | 'end'
}

/** Near the edge of the window the list moves inwards. */
function keepInside(details: HTMLDetailsElement) {
  const list = details.querySelector('ul')
  if (!list) return
  list.style.translate = ''
  const { left, right } = list.getBoundingClientRect()
  const margin = 8
  const beyond = Math.max(0, right - document.documentElement.clientWidth + margin) - Math.max(0, margin - left)
  if (details.open && beyond !== 0) list.style.translate = `${-beyond}px 0`
}

export function QuickMenu({ label, icon, items, wide = false, side = 'start' }: QuickMenuProps) {
  const menu = useRef<HTMLDetailsElement>(null)
  const { key } = useLocation()
  const openedAt = useRef(key)
  useEffect(() => {
    // One that was opened before the scripts had come stays open.
    if (openedAt.current !== key) menu.current?.removeAttribute('open')
    openedAt.current = key
  }, [key])
  useEffect(() => {
    const details = menu.current
    function outside({ target }: Event) {
      if (target instanceof Node && !details?.contains(target)) details?.removeAttribute('open')
    }
    function escape({ key: pressed }: KeyboardEvent) {
      if (pressed !== 'Escape' || !details?.open) return
      details.removeAttribute('open')
      details.querySelector('summary')?.focus()
    }
    const placed = () => details && keepInside(details)
    document.addEventListener('pointerdown', outside)
    document.addEventListener('focusin', outside)
    details?.addEventListener('keydown', escape)
    details?.addEventListener('toggle', placed)
    return () => {
      document.removeEventListener('pointerdown', outside)
      document.removeEventListener('focusin', outside)
      details?.removeEventListener('keydown', escape)
      details?.removeEventListener('toggle', placed)
    }
  }, [])
  return (
    <details ref={menu} className={styles.menu} name="quick-filters">
      <summary className={styles.chip}>
        {icon && <Icon name={icon} size={17} />}
        {label}
        <Icon name="chevron-down" size={16} className={styles.chevron} />
      </summary>
      <ul className={classNames(styles.list, wide && styles.wide, styles[side])}>
        {items.map(({ key: itemKey, to, label: text, current }) => (
          <li key={itemKey}>
            <Link to={to} preventScrollReset className={styles.item} aria-current={current ? 'true' : undefined}>
              {text}
              {current && <Icon name="check" size={17} />}
            </Link>
          </li>
        ))}
      </ul>
    </details>
  )
}

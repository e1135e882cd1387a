// A button that opens a small panel under it: the account, a language, more actions. Escape closes it.
import { useEffect, useId, useRef, useState, type ReactNode } from 'react'
import { Link, type To } from 'react-router'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { classNames } from './class-names.ts'
import styles from './disclosure-menu.module.css'

export type DisclosureMenuProps = {
  /** What is in the button; with an icon or a face alone, give a label too. */
  button: ReactNode
  label?: string
  buttonClassName?: string | undefined
  panelClassName?: string | undefined
  /** The edge of the button the panel keeps to. */
  side?: 'start' | 'end'
  children: ReactNode | ((close: () => void) => ReactNode)
}

/** Closes on a press or focus elsewhere, and on Escape, which also gives focus back to the button. */
function useClosing(open: boolean, close: () => void) {
  const place = useRef<HTMLDivElement>(null)
  const trigger = useRef<HTMLButtonElement>(null)
  useEffect(() => {
    if (!open) return
    const listening = new AbortController()
    const { signal } = listening
    function outside(event: Event) {
      if (event.target instanceof Node && !place.current?.contains(event.target)) close()
    }
    function escape(event: KeyboardEvent) {
      if (event.key !== 'Escape') return
      event.preventDefault()
      close()
      trigger.current?.focus()
    }
    document.addEventListener('pointerdown', outside, { signal })
    document.addEventListener('focusin', outside, { signal })
    document.addEventListener('keydown', escape, { signal })
    return () => listening.abort()
  }, [open, close])
  return { place, trigger }
}

export function DisclosureMenu(props: DisclosureMenuProps) {
  const { button, label, buttonClassName, panelClassName, side = 'end', children } = props
  const id = useId()
  const [open, setOpen] = useState(false)
  const [close] = useState(() => () => setOpen(false))
  const { place, trigger } = useClosing(open, close)
  return (
    <div ref={place} className={styles.place}>
      <button
        ref={trigger}
        type="button"
        className={classNames(styles.button, buttonClassName)}
        aria-label={label}
        aria-expanded={open}
        aria-controls={id}
        onClick={() => setOpen(!open)}
      >
        {button}
      </button>
      <div id={id} hidden={!open} className={classNames(styles.panel, styles[side], panelClassName)}>
        {typeof children === 'function' ? children(close) : children}
      </div>
    </div>
  )
}

export type MenuItemProps = {
  icon?: IconName
  children: ReactNode
  /** With an address a link, else a button. */
  to?: To
  onClick?: () => void
  current?: boolean
  danger?: boolean
  end?: ReactNode
}

export function MenuItem({ icon, children, to, onClick, current, danger, end }: MenuItemProps) {
  const className = classNames(styles.item, current && styles.current, danger && styles.danger)
  const content = (
    <>
      {icon && <Icon name={icon} size={20} />}
      <span className={styles.itemText}>{children}</span>
      {end}
    </>
  )
  if (to !== undefined) {
    return (
      <Link to={to} className={className} aria-current={current ? 'page' : undefined} onClick={onClick}>
        {content}
      </Link>
    )
  }
  return (
    <button type="button" className={className} aria-pressed={current} onClick={onClick}>
      {content}
    </button>
  )
}

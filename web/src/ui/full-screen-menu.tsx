// The menu of a phone: the whole window, large serif links, actions at the bottom.
import type { ReactNode } from 'react'
import { Link, type To } from 'react-router'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import { Modal } from './modal.tsx'
import styles from './full-screen-menu.module.css'

export type FullScreenMenuProps = {
  open: boolean
  onClose: () => void
  label: string
  closeLabel: string
  /** The logo, at the start of the bar. */
  brand: ReactNode
  items: readonly { to: To; label: string; icon?: ReactNode; current?: boolean; end?: ReactNode }[]
  /** Above the links: whose menu it is. */
  head?: ReactNode
  /** Between the links and the foot: language, theme. */
  children?: ReactNode
  /** Login and Sign Up, or the account. */
  foot?: ReactNode
}

export function FullScreenMenu({ open, onClose, label, closeLabel, brand, items, head, children, foot }: FullScreenMenuProps) {
  return (
    <Modal open={open} onClose={onClose} label={label} placement="full">
      <div className={styles.menu}>
        <div className={styles.bar}>
          {brand}
          <IconButton icon="close" iconSize={24} label={closeLabel} onClick={onClose} />
        </div>
        {head && <div className={styles.head}>{head}</div>}
        <nav aria-label={label} className={styles.links}>
          {items.map((item) => (
            <Link
              key={item.label}
              to={item.to}
              className={classNames(styles.link, item.current && styles.current)}
              aria-current={item.current ? 'page' : undefined}
              onClick={onClose}
            >
              {item.icon && <span className={styles.icon}>{item.icon}</span>}
              <span className={styles.words}>{item.label}</span>
              {item.end}
            </Link>
          ))}
        </nav>
        {children && <div className={styles.middle}>{children}</div>}
        {foot && <div className={styles.foot}>{foot}</div>}
      </div>
    </Modal>
  )
}

// Links in a line with the current one underlined: the parts of a page or of an account.
import { Link, type To } from 'react-router'
import { classNames } from './class-names.ts'
import styles from './tabs-nav.module.css'

export type TabItem = { to: To; label: string; current?: boolean; /** A number beside it, such as unread. */ count?: string }

export type TabsNavProps = { label: string; items: readonly TabItem[]; className?: string | undefined }

export function TabsNav({ label, items, className }: TabsNavProps) {
  return (
    <nav aria-label={label} className={classNames(styles.tabs, className)}>
      {items.map((item) => (
        <Link
          key={item.label}
          to={item.to}
          preventScrollReset
          className={classNames(styles.tab, item.current && styles.current)}
          aria-current={item.current ? 'page' : undefined}
        >
          {item.label}
          {item.count !== undefined && <bdi className={styles.count}>{item.count}</bdi>}
        </Link>
      ))}
    </nav>
  )
}

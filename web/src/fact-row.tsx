// One thing that is verified about an account, or not: its name, its state, a line, and the way to mend it.
import type { ReactNode } from 'react'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import styles from './fact-row.module.css'

export interface Fact {
  icon: IconName
  title: string
  state: ReactNode
  /** Where it can be mended, or what else there is to it. */
  way?: ReactNode
  /** A part of the page that links lead to. */
  id?: string
  children?: ReactNode
}

export function FactRow({ icon, title, state, way, id, children }: Fact) {
  return (
    <li className={styles.row} id={id}>
      <span className={styles.mark}>
        <Icon name={icon} size={22} />
      </span>
      <div className={styles.what}>
        <div className={styles.head}>
          <h2 className="strong">{title}</h2>
          {state}
        </div>
        {children && <p className="small muted">{children}</p>}
        {way}
      </div>
    </li>
  )
}

/** A name or an address in the line of a fact. */
export const factName = styles.name

// A quiet fact about a thing (a language, an audience), and a chip that filters by one.
import type { ComponentProps, ReactNode } from 'react'
import { Link, type To } from 'react-router'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { classNames } from './class-names.ts'
import styles from './tag.module.css'

export type TagProps = { icon?: IconName; children: ReactNode; className?: string | undefined }

export function Tag({ icon, children, className }: TagProps) {
  return (
    <span className={classNames(styles.tag, className)}>
      {icon && <Icon name={icon} size={15} />}
      {children}
    </span>
  )
}

export type FilterChipProps = Omit<ComponentProps<'button'>, 'value'> & { icon?: IconName; selected?: boolean }

export function FilterChip({ icon, selected = false, children, className, ...button }: FilterChipProps) {
  return (
    <button type="button" aria-pressed={selected} {...button} className={classNames(styles.chip, selected && styles.selected, className)}>
      {selected ? <Icon name="check" size={16} /> : icon && <Icon name={icon} size={16} />}
      {children}
    </button>
  )
}

export type FilterChipLinkProps = {
  to: To
  icon?: IconName
  selected?: boolean
  children: ReactNode
  /** For a chip that takes a filter away: "Remove French". */
  removeLabel?: string
  className?: string | undefined
}

export function FilterChipLink(props: FilterChipLinkProps) {
  const { to, icon, selected = false, children, removeLabel, className } = props
  return (
    <Link
      to={to}
      preventScrollReset
      aria-label={removeLabel}
      aria-current={selected ? 'true' : undefined}
      className={classNames(styles.chip, selected && styles.selected, className)}
    >
      {icon && <Icon name={icon} size={16} />}
      {children}
      {removeLabel && <Icon name="close" size={15} />}
    </Link>
  )
}

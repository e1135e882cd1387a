// A choice among two to six short options: real radio buttons, or links where each option is an address.
import { useId } from 'react'
import { Link, type To } from 'react-router'
import { Icon } from '#/theme/icons/icon.tsx'
import type { IconName } from '#/theme/icons/interface-icons.ts'
import { classNames } from './class-names.ts'
import styles from './segmented.module.css'

export type SegmentedOption<Value extends string> = { value: Value; label: string; icon?: IconName }

export type SegmentedProps<Value extends string> = {
  label: string
  options: readonly SegmentedOption<Value>[]
  value: Value
  onChange: (value: Value) => void
  name?: string
  size?: 'medium' | 'small'
  className?: string | undefined
}

export function Segmented<Value extends string>(props: SegmentedProps<Value>) {
  const { label, options, value, onChange, name, size, className } = props
  const own = useId()
  return (
    <div role="radiogroup" aria-label={label} className={classNames(styles.track, size === 'small' && styles.small, className)}>
      {options.map((option) => (
        <label key={option.value} className={classNames(styles.option, option.value === value && styles.current)}>
          <input
            type="radio"
            className={styles.radio}
            name={name ?? own}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {option.icon && <Icon name={option.icon} size={18} />}
          {option.label}
        </label>
      ))}
    </div>
  )
}

export type SegmentedLinksProps = {
  label: string
  items: readonly { to: To; label: string; current?: boolean; icon?: IconName }[]
  size?: 'medium' | 'small'
  className?: string | undefined
}

export function SegmentedLinks({ label, items, size, className }: SegmentedLinksProps) {
  return (
    <nav aria-label={label} className={classNames(styles.track, size === 'small' && styles.small, className)}>
      {items.map((item) => (
        <Link
          key={item.label}
          to={item.to}
          preventScrollReset
          className={classNames(styles.option, item.current && styles.current)}
          aria-current={item.current ? 'true' : undefined}
        >
          {item.icon && <Icon name={item.icon} size={18} />}
          {item.label}
        </Link>
      ))}
    </nav>
  )
}

// The signature control: one free time. Cards show exactly the next three; a taken time stays, struck through.
import type { MouseEventHandler } from 'react'
import { Link, type To } from 'react-router'
import { classNames } from './class-names.ts'
import styles from './slot-chip.module.css'

export type SlotChipProps = {
  /** "16:40" */
  time: string
  /** "Today", "Fri": the small line above. */
  day?: string
  /** The whole of it for the ear, where no day is shown: "Today at 16:40". What shows its day is called what it shows. */
  label?: string
  selected?: boolean
  unavailable?: boolean
  /** Read after the time of an unavailable chip: "taken". */
  unavailableLabel?: string
  size?: 'medium' | 'large'
  className?: string | undefined
  /** With an address the chip is a link, else a button. */
  to?: To
  onClick?: MouseEventHandler<HTMLElement>
}

export function SlotChip(props: SlotChipProps) {
  const { time, day, selected = false, unavailable = false, unavailableLabel, size, to, onClick } = props
  const className = classNames(
    styles.slot,
    size === 'large' && styles.large,
    selected && styles.selected,
    unavailable && styles.unavailable,
    props.className,
  )
  const label = day === undefined ? props.label : undefined
  const content = (
    <>
      {day && <small className={styles.day}>{day}</small>}
      <bdi>{time}</bdi>
      {unavailable && unavailableLabel && <span className="visually-hidden">, {unavailableLabel}</span>}
    </>
  )
  if (to !== undefined && !unavailable) {
    return (
      <Link to={to} className={className} aria-label={label} aria-current={selected || undefined} onClick={onClick}>
        {content}
      </Link>
    )
  }
  return (
    <button
      type="button"
      className={className}
      aria-label={label}
      aria-pressed={unavailable ? undefined : selected}
      disabled={unavailable}
      onClick={onClick}
    >
      {content}
    </button>
  )
}

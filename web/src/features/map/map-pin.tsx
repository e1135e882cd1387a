// A pin that says when the place is free next. It is a button, so it can be reached without a mouse.
import { memo } from 'react'
import { classNames } from '#/ui/class-names.ts'
import type { Point } from './mercator.ts'
import styles from './map-pin.module.css'

export type MapPin = {
  id: string
  point: Point
  /** "15:20", "Sat"; short. */
  text: string
  /** Read aloud: "Maison Verveine, today at 15:20". */
  label: string
  /** later: free, but not today; none: no time to show. */
  tone: 'today' | 'later' | 'none'
  quarter: string | null
  city: string
}

export type MapPinButtonProps = {
  pin: MapPin
  selected: boolean
  highlighted: boolean
  onSelect?: ((id: string) => void) | undefined
  onHighlight?: ((id: string | null) => void) | undefined
}

export const MapPinButton = memo(function MapPinButton(props: MapPinButtonProps) {
  const { pin, selected, highlighted, onSelect, onHighlight } = props
  const className = classNames(
    styles.pin,
    pin.tone !== 'today' && styles.later,
    highlighted && styles.highlighted,
    selected && styles.selected,
  )
  if (!onSelect) {
    return (
      <span className={className}>
        <bdi>{pin.text}</bdi>
      </span>
    )
  }
  return (
    <button
      type="button"
      className={className}
      aria-label={pin.label}
      aria-pressed={selected}
      onClick={(event) => {
        event.stopPropagation()
        onSelect(pin.id)
      }}
      onPointerEnter={() => onHighlight?.(pin.id)}
      onPointerLeave={() => onHighlight?.(null)}
      onFocus={() => onHighlight?.(pin.id)}
      onBlur={() => onHighlight?.(null)}
    >
      <bdi>{pin.text}</bdi>
    </button>
  )
})

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
  /** soon: free today or on the day asked for; later: not so soon; none: no time to show; gathering: several places. */
  tone: 'soon' | 'later' | 'none' | 'gathering'
  quarter: string | null
  city: string
}

export type MapPinButtonProps = {
  pin: MapPin
  selected: boolean
  highlighted: boolean
  /** There is no room for its words: a dot, until it is pointed at or chosen. */
  crowded?: boolean
  onSelect?: ((id: string) => void) | undefined
  onHighlight?: ((id: string | null) => void) | undefined
}

export const MapPinButton = memo(function MapPinButton(props: MapPinButtonProps) {
  const { pin, selected, highlighted, crowded = false, onSelect, onHighlight } = props
  const isDot = pin.text === '' || (crowded && !selected && !highlighted)
  const className = classNames(
    styles.pin,
    (pin.tone === 'later' || pin.tone === 'none') && styles.later,
    pin.tone === 'gathering' && styles.gathering,
    isDot && styles.dot,
    pin.tone === 'none' && styles.none,
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
      aria-pressed={pin.tone === 'gathering' ? undefined : selected}
      onClick={(event) => {
        event.stopPropagation()
        onSelect(pin.id)
      }}
      onPointerEnter={() => onHighlight?.(pin.id)}
      onPointerLeave={() => onHighlight?.(null)}
      onFocus={() => onHighlight?.(pin.id)}
      onBlur={() => onHighlight?.(null)}
    >
      {!isDot && <bdi>{pin.text}</bdi>}
    </button>
  )
})

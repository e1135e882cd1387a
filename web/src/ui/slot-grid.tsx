// The times of a day as one radio group, by part of day. Taken times keep their place and are read as taken.
import { useId } from 'react'
import { classNames } from './class-names.ts'
import chip from './slot-chip.module.css'
import styles from './slot-grid.module.css'

export type SlotOption = {
  /** What onChange answers, such as the instant it starts. */
  value: string
  /** "16:40" */
  time: string
  taken?: boolean
  /** A small line below: "3 places left". */
  note?: string
  /** Read after the time, where the eye sees it elsewhere. */
  spoken?: string
}

export type SlotGroup = { label: string; slots: readonly SlotOption[] }

export type SlotGridProps = {
  /** "Times on Thursday 20 November" */
  label: string
  groups: readonly SlotGroup[]
  value?: string | undefined
  onChange: (value: string) => void
  /** Read after a taken time: "taken". */
  takenLabel: string
  name?: string
}

export function SlotGrid({ label, groups, value, onChange, takenLabel, name }: SlotGridProps) {
  const own = useId()
  return (
    <div role="radiogroup" aria-label={label} className={styles.day}>
      {groups
        .filter((group) => group.slots.length > 0)
        .map((group) => (
          <div key={group.label} role="group" aria-label={group.label}>
            <p className={styles.part} aria-hidden="true">
              {group.label}
            </p>
            <div className={classNames(styles.grid, group.slots.some(({ note }) => note !== undefined) && styles.noted)}>
              {group.slots.map((slot) => (
                <label
                  key={slot.value}
                  className={classNames(
                    chip.slot,
                    chip.large,
                    styles.slot,
                    slot.value === value && chip.selected,
                    slot.taken && chip.unavailable,
                  )}
                >
                  <input
                    type="radio"
                    className={styles.radio}
                    name={name ?? own}
                    value={slot.value}
                    checked={slot.value === value}
                    disabled={slot.taken}
                    onChange={() => onChange(slot.value)}
                  />
                  <bdi>{slot.time}</bdi>
                  {slot.note !== undefined && <small className={styles.note}>{slot.note}</small>}
                  {slot.spoken !== undefined && <span className="visually-hidden">, {slot.spoken}</span>}
                  {slot.taken && <span className="visually-hidden">, {takenLabel}</span>}
                </label>
              ))}
            </div>
          </div>
        ))}
    </div>
  )
}

// One of a few, as chips: real radio buttons of a form, so they answer to the keyboard and work before scripts.
import type { ReactNode } from 'react'
import styles from './choice-chips.module.css'

export type Choice = { value: string; label: ReactNode }

export type ChoiceChipsProps = {
  legend: string
  name: string
  choices: readonly Choice[]
  /** The value chosen when the form opens; empty is the first choice. */
  chosen: string | undefined
  /** Where a choice is not part of a form that is sent. */
  onChoose?: (value: string) => void
}

export function ChoiceChips({ legend, name, choices, chosen = '', onChoose }: ChoiceChipsProps) {
  return (
    <fieldset>
      <legend className={styles.legend}>{legend}</legend>
      <div className={styles.chips}>
        {choices.map(({ value, label }) => (
          <label key={value} className={styles.chip}>
            <input
              type="radio"
              name={name}
              value={value}
              defaultChecked={value === chosen}
              className={styles.radio}
              onChange={() => onChoose?.(value)}
            />
            {label}
          </label>
        ))}
      </div>
    </fieldset>
  )
}

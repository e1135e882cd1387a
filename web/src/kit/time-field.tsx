// A wall time of 24 hours, typed part by part.
import { parseTime } from '@internationalized/date'
import { DateInput, DateSegment, Group, TimeField as Field } from 'react-aria-components'
import { classNames } from './class-names.ts'
import { KitFieldFrame, type KitFieldProps } from './kit-field.tsx'
import styles from './kit-field.module.css'

export type TimeFieldProps = KitFieldProps & {
  /** `HH:MM`. */
  value: string | null
  onChange: (time: string | null) => void
  /** It ends something: midnight is 24:00, the end of the day, and not its beginning. */
  isEnd?: boolean
}

const endOfDay = '24:00'
const beginningOfDay = '00:00'

export function TimeField({ value, onChange, isEnd = false, label, hint, error, ...rest }: TimeFieldProps) {
  function change(time: string | null) {
    onChange(isEnd && time === beginningOfDay ? endOfDay : time)
  }
  return (
    <Field
      {...rest}
      className={classNames(styles.field)}
      value={value === null ? null : parseTime(value === endOfDay ? beginningOfDay : value)}
      onChange={(time) => change(time?.toString().slice(0, 5) ?? null)}
      {...(error !== undefined && { isInvalid: true })}
      hourCycle={24}
      shouldForceLeadingZeros
    >
      <KitFieldFrame label={label} hint={hint} error={error}>
        <Group className={classNames(styles.box)}>
          <DateInput className={classNames(styles.segments)}>
            {(segment) => <DateSegment segment={segment} className={classNames(styles.segment)} />}
          </DateInput>
        </Group>
      </KitFieldFrame>
    </Field>
  )
}

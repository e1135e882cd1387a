// Between which two times of a day somebody could come, in steps of half an hour.
import { minutesOfDay } from '@soigne/contract/time'
import { useId } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { SelectField } from '#/ui/select-field.tsx'
import { hourText } from './use-waiting.ts'
import styles from './waiting.module.css'

export type Hours = { from: string; to: string }

/** After work. */
export const usualHours: Hours = { from: '17:00', to: '19:00' }

const step = 30

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
const textOf = (minutes: number): string => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** Both included. */
function timesBetween(first: number, end: number) {
  return Array.from({ length: (end - first) / step + 1 }, (_, n) => textOf(first + n * step)).map((value) => ({
    value,
    label: hourText(value),
  }))
}

/** An end that the beginning has passed goes two hours after it. */
const beginning = (from: string, { to }: Hours): Hours => ({
  from,
  to: to > from ? to : textOf(Math.min(minutesOfDay, minutesOf(from) + 120)),
})

export function HoursFields({ hours, onChange }: { hours: Hours; onChange: (hours: Hours) => void }) {
  const { t } = useTranslation('appointments')
  const hint = useId()
  return (
    <div role="group" aria-label={t('waiting.setHours')} aria-describedby={hint}>
      <div className={styles.hours}>
        <SelectField
          label={t('waiting.hoursFrom')}
          options={timesBetween(0, minutesOfDay - step)}
          value={hours.from}
          onChange={({ target }) => onChange(beginning(target.value, hours))}
        />
        <SelectField
          label={t('waiting.hoursTo')}
          options={timesBetween(minutesOf(hours.from) + step, minutesOfDay)}
          value={hours.to}
          onChange={({ target }) => onChange({ ...hours, to: target.value })}
        />
      </div>
      <p id={hint} className="small muted">
        {t('waiting.hoursHint')}
      </p>
    </div>
  )
}

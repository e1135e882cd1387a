// When: a day of the next two weeks and a part of it, as the system's own lists.
import { useId } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { addDays, dayOf, dayText, useTimes } from '#/platform/time.ts'
import { partsOfDay } from '#/contract/closed-lists.ts'
import type { Filters } from '#/search-filters.ts'
import styles from './search-bar.module.css'

const daysAhead = 14

export type DayOption = { value: string; label: string }

/** Today, Tomorrow, then each day by its name; a day already chosen stays among them. */
export function dayOptions(now: number, zone: string, locale: string, chosen?: string): DayOption[] {
  const today = dayOf(now, zone)
  const days = Array.from({ length: daysAhead }, (_, ahead) => addDays(today, ahead))
  if (chosen && !days.includes(chosen)) days.push(chosen)
  return days.map((day) => ({ value: day, label: dayText(day, today, locale, 'long') }))
}

export type WhenFieldsProps = { filters: Filters; now: number; zone: string }

export function WhenFields({ filters, now, zone }: WhenFieldsProps) {
  const { t } = useTranslation('search')
  const { locale } = useTimes()
  const id = useId()
  return (
    <div className={styles.plain}>
      <label htmlFor={`${id}-day`}>{t('when')}</label>
      <span className={styles.selects}>
        <select id={`${id}-day`} name="day" defaultValue={filters.day ?? ''} className={styles.select}>
          <option value="">{t('anyDay')}</option>
          {dayOptions(now, zone, locale, filters.day).map(({ value, label }) => (
            <option key={value} value={value}>
              {label}
            </option>
          ))}
        </select>
        <select name="part" defaultValue={filters.part ?? ''} aria-label={t('part')} className={styles.select}>
          <option value="">{t('parts.any')}</option>
          {partsOfDay.map((part) => (
            <option key={part} value={part}>
              {t(`parts.${part}`)}
            </option>
          ))}
        </select>
      </span>
    </div>
  )
}

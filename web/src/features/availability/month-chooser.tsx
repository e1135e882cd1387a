// A month with the days that have room; loaded when somebody wants to look further.
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { useTimes } from '#/platform/time.ts'
import { queryKeys } from '#/query-keys.ts'
import { monthOf } from '#/ui/calendar-days.ts'
import { MonthGrid, type DayState } from '#/ui/month-grid.tsx'
import type { TimeSource } from './day-times.ts'
import styles from './time-chooser.module.css'

export type MonthChooserProps = { source: TimeSource; day: string; today: string; lastDay: string; onDay: (day: string) => void }

export function MonthChooser({ source, day, today, lastDay, onDay }: MonthChooserProps) {
  const { t } = useTranslation('availability')
  const { locale } = useTimes()
  const [month, setMonth] = useState(monthOf(day))
  const { data } = useQuery({ queryKey: queryKeys.times.month(source.key, month), queryFn: ({ signal }) => source.month(month, signal) })
  function dayState(one: string): DayState {
    if (one < today || one > lastDay) return 'past'
    if (!data) return 'loading'
    return data.some((known) => known.day === one && known.hasRoom) ? 'room' : 'none'
  }
  return (
    <div className={styles.month}>
      <MonthGrid
        month={month}
        onMonthChange={setMonth}
        selected={day}
        onSelect={onDay}
        today={today}
        dayState={dayState}
        locale={locale}
        minMonth={monthOf(today)}
        maxMonth={monthOf(lastDay)}
        labels={{
          previousMonth: t('previousMonth'),
          nextMonth: t('nextMonth'),
          state: (state) => t(`states.${state}`),
        }}
      />
    </div>
  )
}

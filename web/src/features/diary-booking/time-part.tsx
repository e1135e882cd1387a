// When: a day, a time, and the free starts around it.
import type { Diary } from '@soigne/contract/diary'
import { useState } from 'react'
import { DateField } from '#/kit/date-field.tsx'
import { TimeField } from '#/kit/time-field.tsx'
import { failureText } from '#/platform/api-error.ts'
import { instantAt } from '#/platform/dashboard-time.ts'
import { minutesBetween, timeText } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { Notice } from '#/ui/notice.tsx'
import { SlotChip } from '#/ui/slot-chip.tsx'
import type { BookingChoice } from './use-booking.ts'
import styles from './booking.module.css'

/** Starts shown at first: those around the one that is wanted. */
const mostShown = 12

export function TimePart({ booking, diary }: { booking: BookingChoice; diary: Diary }) {
  const { t } = useTranslation('diary')
  const [isAll, setIsAll] = useState(false)
  const zone = diary.timeZone
  const { choice, setChoice, free, wanted } = booking
  const times = free.data ?? []
  const near =
    wanted === null
      ? 0
      : Math.max(
          0,
          times.findIndex(({ startsAt }) => startsAt >= wanted),
        )
  const from = Math.max(0, Math.min(near - 3, times.length - mostShown))
  const shown = isAll ? times : times.slice(from, from + mostShown)
  return (
    <section className={styles.field} aria-label={t('fields.when')}>
      <div className={styles.two}>
        <DateField
          label={t('fields.day')}
          isRequired
          value={choice.day}
          onChange={(day) => day !== null && setChoice({ ...choice, day, startsAt: null })}
        />
        <TimeField
          label={t('fields.time')}
          value={wanted === null ? null : timeText(wanted, zone).padStart(5, '0')}
          error={booking.isTaken ? t('notFree') : undefined}
          onChange={(time) => {
            const [hours, minutes] = (time ?? '').split(':').map(Number)
            if (hours !== undefined && minutes !== undefined)
              setChoice({ ...choice, startsAt: instantAt(choice.day, hours * 60 + minutes, zone) })
          }}
        />
      </div>
      {free.error && <Notice tone="error">{failureText(free.error)}</Notice>}
      {choice.lines.length > 0 && times.length === 0 && free.data && <p className="muted">{t('noTimes')}</p>}
      <div className={styles.times} role="group" aria-label={t('freeTimes')}>
        {shown.map(({ startsAt }) => (
          <SlotChip
            key={startsAt}
            time={timeText(startsAt, zone)}
            selected={wanted !== null && minutesBetween(startsAt, wanted) === 0}
            onClick={() => setChoice({ ...choice, startsAt })}
          />
        ))}
      </div>
      {times.length > shown.length && (
        <button type="button" className="link" onClick={() => setIsAll(true)}>
          {t('allTimes', { count: times.length })}
        </button>
      )}
    </section>
  )
}

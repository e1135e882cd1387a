// Seven days side by side, each with how many times it has.
import { useState, type KeyboardEvent } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { weekdayNames, useTimes } from '#/platform/time.ts'
import { weekdayOf } from '#/ui/calendar-days.ts'
import { classNames } from '#/ui/class-names.ts'
import { IconButton } from '#/ui/icon-button.tsx'
import type { DayTimes } from './day-times.ts'
import styles from './time-chooser.module.css'

type WeekArrowProps = { to: 'earlier' | 'later'; day: string | null; onDay: (day: string) => void }

export function WeekArrow({ to, day, onDay }: WeekArrowProps) {
  const { t } = useTranslation('availability')
  return (
    <IconButton
      icon={to === 'earlier' ? 'chevron-start' : 'chevron-end'}
      label={t(`${to}`)}
      disabled={day === null}
      onClick={() => day !== null && onDay(day)}
    />
  )
}

export type WeekStripProps = {
  days: readonly string[]
  /** Undefined while they are on their way. */
  times: readonly DayTimes[] | undefined
  /** Of a class: a day without one need not be a closed day. */
  isClass?: boolean
  shown: string
  lastDay: string
  earlier: string | null
  later: string | null
  onDay: (day: string) => void
  /** To another week. */
  onTurn: (day: string) => void
}

function useDayTexts(isClass: boolean) {
  const { t } = useTranslation(['availability', 'classes'])
  return (dayTimes: DayTimes | undefined) => {
    if (!dayTimes) return ''
    const { times, taken } = dayTimes
    if (times.length > 0) return t('count', { count: times.length })
    if (taken.length > 0) return t('full')
    return isClass ? t('classes:none') : t('closed')
  }
}

const steps: Readonly<Record<string, number>> = { ArrowLeft: -1, ArrowRight: 1 }

/** The week is one stop of the keyboard: arrows go from day to day, and Tab on to the times. */
function goAlong(event: KeyboardEvent<HTMLButtonElement>) {
  const step = steps[event.key]
  if (step === undefined) return
  const days = [...(event.currentTarget.closest('ul')?.querySelectorAll<HTMLButtonElement>('button:not(:disabled)') ?? [])]
  const isMirrored = getComputedStyle(event.currentTarget).direction === 'rtl'
  days[days.indexOf(event.currentTarget) + (isMirrored ? -step : step)]?.focus()
  event.preventDefault()
}

export function WeekStrip({ days, times, isClass = false, shown, lastDay, earlier, later, onDay, onTurn }: WeekStripProps) {
  const { t } = useTranslation('availability')
  const { locale, month } = useTimes()
  const textOf = useDayTexts(isClass)
  const names = weekdayNames(locale)
  const [focused, setFocused] = useState(shown)
  const stop = days.includes(focused) ? focused : shown
  return (
    <div className={styles.strip}>
      <span className={styles.wide}>
        <WeekArrow to="earlier" day={earlier} onDay={onTurn} />
      </span>
      <ul className={styles.days} aria-label={t('week')}>
        {days.map((day) => {
          const dayTimes = times?.find((one) => one.day === day)
          const state = textOf(dayTimes)
          const isEmpty = dayTimes?.times.length === 0
          return (
            <li key={day}>
              <button
                type="button"
                className={classNames(styles.day, day === shown && styles.shown, isEmpty && styles.empty)}
                aria-pressed={day === shown}
                disabled={day > lastDay}
                tabIndex={day === stop ? 0 : -1}
                onFocus={() => setFocused(day)}
                onKeyDown={goAlong}
                onClick={() => onDay(day)}
              >
                <span className={styles.weekday}>{names[weekdayOf(day) - 1]}</span>{' '}
                <bdi className={styles.date}>{Number(day.slice(8))}</bdi>
                <span className="visually-hidden">
                  {' '}
                  {month(day)}
                  {state && ', '}
                </span>
                <span className={styles.count}>{state || '\u00a0'}</span>
              </button>
            </li>
          )
        })}
      </ul>
      <span className={styles.wide}>
        <WeekArrow to="later" day={later} onDay={onTurn} />
      </span>
    </div>
  )
}

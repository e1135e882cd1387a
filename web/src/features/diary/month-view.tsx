// A month: a date, one number and a bar for each open hour. Never the visits themselves.
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { dateText } from '#/platform/dashboard-time.ts'
import { useTimes } from '#/platform/time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { addDays, weeksOf } from '#/ui/calendar-days.ts'
import { classNames } from '#/ui/class-names.ts'
import styles from './views.module.css'

type Month = Answer<Calls['diaryMonth']>
type MonthDay = Month['days'][number]

function Bars({ hours }: { hours: MonthDay['hours'] }) {
  return (
    <span className={styles.bars} aria-hidden="true">
      {hours.map(({ hour, taken }) => (
        <i key={hour}>
          <b style={{ blockSize: `${Math.round(100 * Math.min(1, taken))}%` }} />
        </i>
      ))}
    </span>
  )
}

/** Free hours are worth naming when they are many. */
const muchFreeHours = 12

function Cell({ day, today, onDay }: { day: MonthDay; today: string; onDay: (day: string) => void }) {
  const { t } = useTranslation('diary')
  const times = useTimes()
  const isClosed = day.visits === 0 && (day.closure !== null || day.hours.length === 0)
  const isPast = day.day < today
  const free = Math.floor(Math.max(0, day.shiftMinutes - day.busyMinutes) / 60)
  const words = isClosed ? (day.closure ?? t('closed')) : t('visits', { count: day.visits })
  return (
    <td className={classNames(isClosed && styles.closedDay, isPast && styles.past)} data-today={day.day === today || undefined}>
      <button
        type="button"
        className={styles.monthDay}
        aria-current={day.day === today ? 'date' : undefined}
        onClick={() => onDay(day.day)}
      >
        <span className="visually-hidden">{times.day(day.day, 'UTC', 'full')}, </span>
        <span className={styles.monthDate} aria-hidden="true">
          {Number(day.day.slice(8))}
        </span>
        {isClosed ? (
          <span className={styles.closedWord}>{words}</span>
        ) : (
          <>
            <span>
              <b className={styles.monthCount}>{day.visits}</b>{' '}
              <span className={classNames('fine muted', styles.word)}>{t('visitsWord', { count: day.visits })}</span>
            </span>
            <Bars hours={day.hours} />
            {!isPast && (
              <span className={classNames('fine', styles.word, free >= muchFreeHours ? styles.much : 'muted')}>
                {free === 0 ? t('full') : t('hoursFree', { hours: free })}
              </span>
            )}
          </>
        )}
      </button>
    </td>
  )
}

/** How many visits, and how full. */
function useMonthLine(days: readonly MonthDay[]): string {
  const { t } = useTranslation('diary')
  const sum = (pick: (day: MonthDay) => number) => days.reduce((all, day) => all + pick(day), 0)
  const [visits, shift, busy] = [sum((day) => day.visits), sum((day) => day.shiftMinutes), sum((day) => day.busyMinutes)]
  return shift === 0 ? t('visits', { count: visits }) : t('monthLine', { count: visits, percent: Math.round((100 * busy) / shift) })
}

export function MonthView({ answer, month, today, onDay }: { answer: Month; month: string; today: string; onDay: (day: string) => void }) {
  const { t } = useTranslation('diary')
  const { locale, weekdays } = useTimes()
  const byDay = new Map(answer.days.map((day) => [day.day, day]))
  const line = useMonthLine(answer.days)
  const first = weeksOf(month, 1)[0] ?? []
  const offset = first.findIndex((day) => day !== undefined)
  return (
    <>
      <p className={styles.monthLine}>{line}</p>
      <div className={styles.tableFrame}>
        <table className={styles.month}>
          <thead>
            <tr>
              {weekdays(locale === 'ar' ? 'narrow' : 'short').map((name, index) => (
                <th key={weekdays('long')[index]} scope="col" aria-label={weekdays('long')[index]}>
                  {name}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {weeksOf(month, 1).map((week, row) => (
              <tr key={week.find((day) => day !== undefined)}>
                {week.map((date, place) => {
                  const day = date === undefined ? undefined : byDay.get(date)
                  if (day) return <Cell key={day.day} day={day} today={today} onDay={onDay} />
                  const outside = addDays(`${month}-01`, row * 7 + place - offset)
                  return (
                    <td key={outside} className={styles.outside}>
                      <span aria-hidden="true">{dateText(outside, locale, { day: 'numeric' })}</span>
                    </td>
                  )
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <p className={classNames('small muted', styles.monthKey)}>
        <i aria-hidden="true" /> {t('barsMean')}
      </p>
    </>
  )
}

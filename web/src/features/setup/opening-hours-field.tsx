// The hours of a week: a switch for each day and up to three ranges in it.
import type { Weekday } from '@soigne/contract/wire'
import { useRef } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { weekdays } from '#/contract/closed-lists.ts'
import { Button } from '#/ui/button.tsx'
import { Switch } from '#/ui/checkbox.tsx'
import { FieldError } from '#/ui/field-frame.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Notice } from '#/ui/notice.tsx'
import type { OpeningHours, OpeningRange } from './draft.ts'
import styles from './opening-hours-field.module.css'

const mostRanges = 3
const usualDay: OpeningRange = { opensAt: '09:00', closesAt: '18:00' }
/** The days on which most institutes are open. */
const usualDays: readonly Weekday[] = ['Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** After the last range, an hour later and three hours long at most. */
function nextRange(ranges: readonly OpeningRange[]): OpeningRange {
  const last = ranges.at(-1)
  if (!last) return usualDay
  const hour = Number(last.closesAt.slice(0, 2))
  const wall = (value: number) => `${String(Math.min(24, value)).padStart(2, '0')}:00`
  return { opensAt: wall(hour + 1), closesAt: wall(hour + 4) }
}

/** The last hour of the day is no start for another range. */
const hasRoomAfter = (ranges: readonly OpeningRange[]): boolean => (ranges.at(-1)?.closesAt ?? '') < '23:00'

/** Ranges end after they begin and follow one another. */
export function rangesAreInOrder(ranges: readonly OpeningRange[]): boolean {
  return ranges.every(({ opensAt, closesAt }, index) => {
    const before = ranges[index - 1]
    return opensAt < closesAt && (!before || before.closesAt <= opensAt)
  })
}

type DayProps = { weekday: Weekday; ranges: OpeningRange[]; onChange: (ranges: OpeningRange[]) => void }

/** Quarters of an hour from 00:00 to 24:00; the browser's own time field would show AM and PM to some. */
const wallTimes = Array.from({ length: 97 }, (_, quarter) => {
  const hour = String(Math.floor(quarter / 4)).padStart(2, '0')
  return `${hour}:${String((quarter % 4) * 15).padStart(2, '0')}`
})

function WallTime({ label, value, onChange }: { label: string; value: string; onChange: (value: string) => void }) {
  return (
    <select className={styles.time} aria-label={label} value={value} onChange={(event) => onChange(event.target.value)}>
      {wallTimes.map((time) => (
        <option key={time} value={time}>
          {time.replace(/^0/, '')}
        </option>
      ))}
    </select>
  )
}

type RangeProps = { day: string; range: OpeningRange; onChange: (range: OpeningRange) => void }

function Range({ day, range, onChange }: RangeProps) {
  const { t } = useTranslation('setup')
  return (
    <span className={styles.range}>
      <WallTime label={t('hours.opensAt', { day })} value={range.opensAt} onChange={(opensAt) => onChange({ ...range, opensAt })} />
      <span className="muted">{t('hours.to')}</span>
      <WallTime label={t('hours.closesAt', { day })} value={range.closesAt} onChange={(closesAt) => onChange({ ...range, closesAt })} />
    </span>
  )
}

function Day({ weekday, ranges, onChange }: DayProps) {
  const { t } = useTranslation('setup')
  const { t: label } = useTranslation('labels')
  const day = label(`weekdays.${weekday}`)
  const isOpen = ranges.length > 0
  return (
    <li className={styles.day} data-open={isOpen || undefined}>
      <Switch className={styles.name} label={day} checked={isOpen} onChange={() => onChange(isOpen ? [] : [usualDay])} />
      <div className={styles.ranges}>
        {!isOpen && <span className="muted">{t('hours.closed')}</span>}
        {ranges.map((range, index) => (
          <span key={index} className={styles.line}>
            <Range day={day} range={range} onChange={(changed) => onChange(ranges.map((one, at) => (at === index ? changed : one)))} />
            {index > 0 && (
              <IconButton
                icon="close"
                iconSize={18}
                label={t('hours.removeRange', { day })}
                onClick={() => onChange(ranges.filter((_, at) => at !== index))}
              />
            )}
          </span>
        ))}
        {!rangesAreInOrder(ranges) && <FieldError>{t('hours.order')}</FieldError>}
      </div>
      {isOpen && ranges.length < mostRanges && hasRoomAfter(ranges) && (
        <IconButton icon="plus" label={t('hours.addRange', { day })} onClick={() => onChange([...ranges, nextRange(ranges)])} />
      )}
    </li>
  )
}

export type OpeningHoursFieldProps = { hours: OpeningHours; onChange: (hours: OpeningHours) => void }

export function OpeningHoursField({ hours, onChange }: OpeningHoursFieldProps) {
  const { t } = useTranslation('setup')
  const isEmpty = weekdays.every((weekday) => hours[weekday].length === 0)
  const week = useRef<HTMLUListElement>(null)
  function fill() {
    onChange({ ...hours, ...Object.fromEntries(usualDays.map((weekday) => [weekday, [usualDay]])) })
    // The button is gone then.
    week.current?.focus()
  }
  return (
    <>
      {isEmpty && (
        <Notice
          icon="clock"
          title={t('hours.empty')}
          action={
            <Button variant="outline" size="small" onClick={fill}>
              {t('hours.fill')}
            </Button>
          }
        >
          {t('hours.emptyHint')}
        </Notice>
      )}
      <ul className={styles.week} aria-label={t('hours.title')} tabIndex={-1} ref={week}>
        {weekdays.map((weekday) => (
          <Day key={weekday} weekday={weekday} ranges={hours[weekday]} onChange={(ranges) => onChange({ ...hours, [weekday]: ranges })} />
        ))}
      </ul>
    </>
  )
}

// The usual week: a switch for each day, ranges as two times, a bar drawn to scale, and a way to copy a day to others.
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import { minutesOfDay } from '@soigne/contract/time'
import { useState } from 'react'
import { Popover } from '#/kit/popover.tsx'
import { TimeField } from '#/kit/time-field.tsx'
import { useTranslation } from '#/platform/translation.ts'
import { Button } from '#/ui/button.tsx'
import { Checkbox, Switch } from '#/ui/checkbox.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import styles from './institute-settings.module.css'

export type Week = InstituteSettings['openingHours']
type DayHours = Week[number]
type Range = DayHours['ranges'][number]

const mostRanges = 4
/** What the bar shows, minutes of the day. */
const barFrom = 7 * 60
const barTo = 21 * 60

const minutesOf = (text: string): number => Number(text.slice(0, 2)) * 60 + Number(text.slice(3))
const textOf = (minutes: number): string => `${String(Math.floor(minutes / 60)).padStart(2, '0')}:${String(minutes % 60).padStart(2, '0')}`

/** As a clock shows it: two o'clock of the night after is 02:00. */
const shownEnd = (closesAt: string): string => (minutesOf(closesAt) > minutesOfDay ? textOf(minutesOf(closesAt) - minutesOfDay) : closesAt)

/** An end at or before the beginning is one of the night after. */
function endFor(opensAt: string, shown: string): string {
  return minutesOf(shown) <= minutesOf(opensAt) ? textOf(minutesOf(shown) + minutesOfDay) : shown
}

function Bar({ ranges }: { ranges: readonly Range[] }) {
  const part = (minutes: number) => Math.min(1, Math.max(0, (minutes - barFrom) / (barTo - barFrom))) * 100
  return (
    <span className={styles.bar} aria-hidden>
      {ranges.map(({ opensAt, closesAt }) => {
        const from = part(minutesOf(opensAt))
        return <i key={opensAt} style={{ insetInlineStart: `${from}%`, inlineSize: `${part(minutesOf(closesAt)) - from}%` }} />
      })}
    </span>
  )
}

type CopyProps = { from: DayHours; week: Week; onCopy: (days: readonly string[]) => void }

function CopyDays({ from, week, onCopy }: CopyProps) {
  const { t } = useTranslation('institute-settings')
  const { t: label } = useTranslation('labels')
  const [chosen, setChosen] = useState<readonly string[]>([])
  const others = week.filter(({ weekday }) => weekday !== from.weekday)
  const toggle = (day: string) => setChosen(chosen.includes(day) ? chosen.filter((one) => one !== day) : [...chosen, day])
  return (
    <Popover label={t('hours.copy', { day: label(`weekdays.${from.weekday}`) })} icon="copy" labelHidden>
      {(close) => (
        <div className={styles.copy}>
          <p className="strong">{t('hours.copyTo')}</p>
          {others.map(({ weekday }) => (
            <Checkbox
              key={weekday}
              label={label(`weekdays.${weekday}`)}
              checked={chosen.includes(weekday)}
              onChange={() => toggle(weekday)}
            />
          ))}
          <Button
            size="small"
            onClick={() => {
              onCopy(chosen)
              setChosen([])
              close()
            }}
          >
            {t('hours.copyNow')}
          </Button>
        </div>
      )}
    </Popover>
  )
}

type RangeFieldsProps = { day: string; range: Range; onChange: (range: Range) => void; onRemove?: (() => void) | undefined }

function RangeFields({ day, range, onChange, onRemove }: RangeFieldsProps) {
  const { t } = useTranslation('institute-settings')
  const { opensAt, closesAt } = range
  return (
    <span className={styles.range}>
      <TimeField
        label={t('hours.opens', { day })}
        value={opensAt}
        onChange={(time) => time && onChange({ opensAt: time, closesAt: endFor(time, shownEnd(closesAt)) })}
      />
      <span className="small muted">{t('hours.to')}</span>
      <TimeField
        label={t('hours.closes', { day })}
        isEnd
        value={shownEnd(closesAt)}
        onChange={(time) => time && onChange({ opensAt, closesAt: endFor(opensAt, time) })}
      />
      {onRemove && <IconButton icon="close" iconSize={16} label={t('hours.remove', { day })} onClick={onRemove} />}
    </span>
  )
}

type DayProps = { hours: DayHours; week: Week; error: string | undefined; onChange: (ranges: Range[]) => void; onCopy: CopyProps['onCopy'] }

function Day({ hours, week, error, onChange, onCopy }: DayProps) {
  const { t } = useTranslation('institute-settings')
  const { t: label } = useTranslation('labels')
  const { weekday, ranges } = hours
  const day = label(`weekdays.${weekday}`)
  const isOpen = ranges.length > 0
  const isOvernight = ranges.some(({ closesAt }) => minutesOf(closesAt) > minutesOfDay)
  function add() {
    const end = minutesOf(ranges.at(-1)?.closesAt ?? '09:00')
    const from = Math.min(end + 60, minutesOfDay - 120)
    onChange([...ranges, { opensAt: textOf(from), closesAt: textOf(Math.min(from + 120, minutesOfDay)) }])
  }
  return (
    <li className={styles.day}>
      <Switch label={day} labelHidden checked={isOpen} onChange={() => onChange(isOpen ? [] : [{ opensAt: '09:00', closesAt: '18:00' }])} />
      <span className={styles.dayName}>{day}</span>
      <div className={styles.ranges}>
        {!isOpen && <span className="muted">{t('hours.closed')}</span>}
        {ranges.map((range, at) => (
          <RangeFields
            // Ranges have no name of their own; their place is what they are.
            key={at}
            day={day}
            range={range}
            onChange={(changed) => onChange(ranges.map((one, place) => (place === at ? changed : one)))}
            onRemove={at === 0 ? undefined : () => onChange(ranges.filter((_, place) => place !== at))}
          />
        ))}
        {isOpen && <Bar ranges={ranges} />}
        {isOvernight && <p className="fine muted">{t('hours.overnight')}</p>}
        {error && (
          <p className={`small ${styles.problem}`} role="alert">
            {error}
          </p>
        )}
      </div>
      {isOpen && (
        <span className={styles.dayTools}>
          <IconButton icon="plus" iconSize={18} label={t('hours.add', { day })} disabled={ranges.length >= mostRanges} onClick={add} />
          <CopyDays from={hours} week={week} onCopy={onCopy} />
        </span>
      )}
    </li>
  )
}

/** Days whose ranges run into each other, by weekday. */
export function overlaps(week: Week): ReadonlySet<string> {
  const wrong = week.filter(({ ranges }) => {
    const inOrder = ranges.toSorted((a, b) => minutesOf(a.opensAt) - minutesOf(b.opensAt))
    return inOrder.some(({ opensAt }, at) => at > 0 && minutesOf(inOrder[at - 1]?.closesAt ?? '') > minutesOf(opensAt))
  })
  return new Set(wrong.map(({ weekday }) => weekday))
}

export function WeekEditor({ week, onChange }: { week: Week; onChange: (week: Week) => void }) {
  const { t } = useTranslation('institute-settings')
  const wrong = overlaps(week)
  const put = (days: readonly string[], ranges: Range[]) =>
    onChange(week.map((one) => (days.includes(one.weekday) ? { ...one, ranges } : one)))
  return (
    <ul className={styles.week} aria-label={t('hours.week')}>
      {week.map((hours) => (
        <Day
          key={hours.weekday}
          hours={hours}
          week={week}
          error={wrong.has(hours.weekday) ? t('hours.overlap') : undefined}
          onChange={(ranges) => put([hours.weekday], ranges)}
          onCopy={(days) => put(days, hours.ranges)}
        />
      ))}
    </ul>
  )
}

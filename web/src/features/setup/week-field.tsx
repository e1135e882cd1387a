// The hours of a week: a switch for each day, ranges in it with their bar, and a way to copy a day to others.
import type { Weekday } from '@soigne/contract/wire'
import { useId, useRef, useState } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { weekdays } from '#/contract/closed-lists.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { Button } from '#/ui/button.tsx'
import { Switch } from '#/ui/checkbox.tsx'
import { DisclosureMenu } from '#/ui/disclosure-menu.tsx'
import { FieldError } from '#/ui/field-frame.tsx'
import { IconButton } from '#/ui/icon-button.tsx'
import { Notice } from '#/ui/notice.tsx'
import { FilterChip } from '#/ui/tag.tsx'
import { breakWithin, hasRoomAfter, nextRange, usualDay, wallMinutes } from './draft/day-ranges.ts'
import type { OpeningHours, OpeningRange } from './draft/draft.ts'
import { shiftsAreInOrder } from './draft/send-draft.ts'
import styles from './week-field.module.css'

const mostRanges = 3
/** The days on which most institutes are open. */
const usualDays: readonly Weekday[] = ['Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday']

/** A range of opening, or a shift with its breaks. */
type Range = OpeningRange & { breaks?: OpeningRange[] }
type Week<R extends Range> = Record<Weekday, R[]>

/** Tens and quarters of an hour from 00:00 to 24:00; the browser's own time field would show AM and PM to some. */
const minutesOfHour = ['00', '10', '15', '20', '30', '40', '45', '50']
const wallTimes = [
  ...Array.from({ length: 24 }, (_, hour) => minutesOfHour.map((minute) => `${String(hour).padStart(2, '0')}:${minute}`)).flat(),
  '24:00',
].map((time) => (
  <option key={time} value={time}>
    {time.replace(/^0/, '')}
  </option>
))

/** Hours of open data may be of any minute. */
const known = new Set(wallTimes.map(({ key }) => key))

type WallTimeProps = { label: string; value: string; wrong: string | undefined; onChange: (value: string) => void }

function WallTime({ label, value, wrong, onChange }: WallTimeProps) {
  return (
    <select
      className={styles.time}
      aria-label={label}
      aria-invalid={wrong === undefined ? undefined : true}
      aria-describedby={wrong}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    >
      {!known.has(value) && <option value={value}>{value.replace(/^0/, '')}</option>}
      {wallTimes}
    </select>
  )
}

/** `wrong`: id of what is said to be wrong with them. */
type TimesProps = { name: string; range: OpeningRange; wrong: string | undefined; onChange: (range: OpeningRange) => void }

function Times({ name, range, wrong, onChange }: TimesProps) {
  const { t } = useTranslation('setup')
  return (
    <span className={styles.range}>
      <WallTime
        label={t('hours.opensAt', { day: name })}
        value={range.opensAt}
        wrong={wrong}
        onChange={(opensAt) => onChange({ ...range, opensAt })}
      />
      <span className="muted">{t('hours.to')}</span>
      <WallTime
        label={t('hours.closesAt', { day: name })}
        value={range.closesAt}
        wrong={wrong}
        onChange={(closesAt) => onChange({ ...range, closesAt })}
      />
    </span>
  )
}

const firstShown = 7 * 60
const lastShown = 21 * 60

/** Where in the day the hours lie, from 7:00 to 21:00; breaks are left out. */
function Bar({ ranges }: { ranges: readonly Range[] }) {
  const parts = ranges.flatMap(({ opensAt, closesAt, breaks = [] }) => {
    const edges = [opensAt, ...breaks.flatMap((one) => [one.opensAt, one.closesAt]), closesAt].map(wallMinutes)
    return edges.flatMap((edge, at) => (at % 2 === 0 ? [[edge, edges[at + 1] ?? edge] as const] : []))
  })
  const percent = (minutes: number) => ((Math.min(lastShown, Math.max(firstShown, minutes)) - firstShown) / (lastShown - firstShown)) * 100
  return (
    <span className={styles.bar} aria-hidden="true">
      {parts.map(([from, to], at) => (
        <i key={at} style={{ insetInlineStart: `${percent(from)}%`, inlineSize: `${Math.max(0, percent(to) - percent(from))}%` }} />
      ))}
    </span>
  )
}

type BreaksProps = { day: string; shift: Range; wrong: string | undefined; onChange: (breaks: OpeningRange[]) => void }

function Breaks({ day, shift, wrong, onChange }: BreaksProps) {
  const { t } = useTranslation('setup')
  const { breaks = [] } = shift
  return (
    <>
      {breaks.map((one, at) => (
        <span key={at} className={styles.line}>
          <span className="small muted">{t('hours.break')}</span>
          <Times
            name={`${day}, ${t('hours.break')}`}
            range={one}
            wrong={wrong}
            onChange={(changed) => onChange(breaks.map((each, index) => (index === at ? changed : each)))}
          />
          <IconButton
            icon="close"
            iconSize={18}
            label={t('hours.removeBreak', { day })}
            onClick={() => onChange(breaks.filter((_, index) => index !== at))}
          />
        </span>
      ))}
      {breaks.length === 0 && (
        <Button variant="text" size="small" onClick={() => onChange([breakWithin(shift)])}>
          {t('hours.addBreak')}
        </Button>
      )}
    </>
  )
}

/** Whom a day is copied to: the open days are chosen beforehand, or the other working days where none is open yet. */
function Copy<R extends Range>({ weekday, week, onCopy }: { weekday: Weekday; week: Week<R>; onCopy: (to: readonly Weekday[]) => void }) {
  const { t } = useTranslation('setup')
  const { t: label } = useTranslation('labels')
  const others = weekdays.filter((one) => one !== weekday)
  const open = others.filter((one) => week[one].length > 0)
  const [chosen, setChosen] = useState<readonly Weekday[] | null>(null)
  const to = chosen ?? (open.length > 0 ? open : usualDays.filter((one) => one !== weekday))
  const day = label(`weekdays.${weekday}`)
  return (
    <DisclosureMenu
      button={<Icon name="copy" size={20} />}
      label={t('hours.copy', { day })}
      buttonClassName={styles.copy}
      panelClassName={styles.panel}
    >
      {(close) => (
        <>
          <p className="small strong">{t('hours.copyTo', { day })}</p>
          <div className={styles.days}>
            {others.map((one) => (
              <FilterChip
                key={one}
                selected={to.includes(one)}
                onClick={() => setChosen(to.includes(one) ? to.filter((each) => each !== one) : [...to, one])}
              >
                {label(`weekdays.${one}`)}
              </FilterChip>
            ))}
          </div>
          <Button
            variant="soft"
            size="small"
            disabled={to.length === 0}
            onClick={() => {
              onCopy(to)
              setChosen(null)
              close()
            }}
          >
            {t('hours.copyNow')}
          </Button>
        </>
      )}
    </DisclosureMenu>
  )
}

type DayProps<R extends Range> = { weekday: Weekday; week: Week<R>; withBreaks: boolean; onChange: (week: Week<R>) => void }

function Day<R extends Range>({ weekday, week, withBreaks, onChange }: DayProps<R>) {
  const { t } = useTranslation('setup')
  const { t: label } = useTranslation('labels')
  const day = label(`weekdays.${weekday}`)
  const ranges = week[weekday]
  const isOpen = ranges.length > 0
  const errorId = useId()
  const wrong = shiftsAreInOrder(ranges) ? undefined : errorId
  const made = (range: OpeningRange) => (withBreaks ? { ...range, breaks: [] } : range) as R
  const change = (next: R[]) => onChange({ ...week, [weekday]: next })
  const changeAt = (at: number, part: Partial<Range>) => change(ranges.map((one, index) => (index === at ? { ...one, ...part } : one)))
  return (
    <li className={styles.day} data-open={isOpen || undefined}>
      <Switch className={styles.name} label={day} checked={isOpen} onChange={() => change(isOpen ? [] : [made(usualDay)])} />
      <div className={styles.ranges}>
        {!isOpen && <span className="muted">{t(withBreaks ? 'hours.off' : 'hours.closed')}</span>}
        {ranges.map((range, index) => (
          <span key={index} className={styles.line}>
            <Times name={day} range={range} wrong={wrong} onChange={({ opensAt, closesAt }) => changeAt(index, { opensAt, closesAt })} />
            {index > 0 && (
              <IconButton
                icon="close"
                iconSize={18}
                label={t('hours.removeRange', { day })}
                onClick={() => change(ranges.filter((_, at) => at !== index))}
              />
            )}
            {withBreaks && <Breaks day={day} shift={range} wrong={wrong} onChange={(breaks) => changeAt(index, { breaks })} />}
          </span>
        ))}
        {isOpen && <Bar ranges={ranges} />}
        <div role="status">{wrong && <FieldError id={errorId}>{t('hours.order')}</FieldError>}</div>
      </div>
      {isOpen && (
        <span className={styles.ways}>
          {ranges.length < mostRanges && hasRoomAfter(ranges) && (
            <IconButton icon="plus" label={t('hours.addRange', { day })} onClick={() => change([...ranges, made(nextRange(ranges))])} />
          )}
          <Copy
            weekday={weekday}
            week={week}
            onCopy={(to) => onChange({ ...week, ...Object.fromEntries(to.map((one) => [one, structuredClone(ranges)])) })}
          />
        </span>
      )}
    </li>
  )
}

export type WeekFieldProps<R extends Range> = { label: string; week: Week<R>; withBreaks?: boolean; onChange: (week: Week<R>) => void }

/** A week of ranges, or of shifts with breaks. */
export function WeekField<R extends Range>({ label, week, withBreaks = false, onChange }: WeekFieldProps<R>) {
  return (
    <ul className={styles.week} aria-label={label} tabIndex={-1}>
      {weekdays.map((weekday) => (
        <Day key={weekday} weekday={weekday} week={week} withBreaks={withBreaks} onChange={onChange} />
      ))}
    </ul>
  )
}

export type OpeningHoursFieldProps = { hours: OpeningHours; onChange: (hours: OpeningHours) => void }

export function OpeningHoursField({ hours, onChange }: OpeningHoursFieldProps) {
  const { t } = useTranslation('setup')
  const isEmpty = weekdays.every((weekday) => hours[weekday].length === 0)
  const week = useRef<HTMLDivElement>(null)
  function fill() {
    onChange({ ...hours, ...Object.fromEntries(usualDays.map((weekday) => [weekday, [usualDay]])) })
    // The button is gone then.
    week.current?.querySelector('ul')?.focus()
  }
  return (
    <div ref={week}>
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
      <WeekField label={t('hours.title')} week={hours} onChange={onChange} />
    </div>
  )
}

// A month to choose a day from. Arrow keys move by day and week, Home and End within the week, Page keys by month.
import { useEffect, useId, useRef, useState, type KeyboardEvent } from 'react'
import { addDays, addMonths, firstWeekdayOf, monthOf, moveByMonths, placeInWeek, weeksOf } from './calendar-days.ts'
import { classNames } from './class-names.ts'
import { IconButton } from './icon-button.tsx'
import styles from './month-grid.module.css'

/** room: something is free; none: full or closed; past: gone or too far ahead; loading: not known yet. */
export type DayState = 'room' | 'none' | 'past' | 'loading'

export type MonthGridProps = {
  /** "2025-11" */
  month: string
  onMonthChange: (month: string) => void
  /** "2025-11-20" */
  selected?: string | undefined
  onSelect: (day: string) => void
  today: string
  dayState: (day: string) => DayState
  /** Names of months and weekdays, first day of the week. */
  locale: string
  firstWeekday?: number
  minMonth?: string
  maxMonth?: string
  labels: {
    previousMonth: string
    nextMonth: string
    /** Read after the date: "5 times", "full", "past", "loading". */
    state: (state: DayState, day: string) => string
  }
}

type DayFormats = { month: Intl.DateTimeFormat; day: Intl.DateTimeFormat; long: Intl.DateTimeFormat; brief: Intl.DateTimeFormat }

function formatsOf(locale: string): DayFormats {
  const shared = { timeZone: 'UTC', numberingSystem: 'latn' } as const
  return {
    month: new Intl.DateTimeFormat(locale, { ...shared, month: 'long', year: 'numeric' }),
    day: new Intl.DateTimeFormat(locale, { ...shared, weekday: 'long', day: 'numeric', month: 'long' }),
    long: new Intl.DateTimeFormat(locale, { ...shared, weekday: 'long' }),
    // Short weekday names in Arabic are whole words and would not fit.
    brief: new Intl.DateTimeFormat(locale, { ...shared, weekday: locale.startsWith('ar') ? 'narrow' : 'short' }),
  }
}

const utc = (day: string) => new Date(`${day}T00:00:00Z`)

function isRightToLeft(element: Element): boolean {
  return element.closest('[dir]')?.getAttribute('dir') === 'rtl'
}

/** The day a key leads to, or undefined when the key is not ours. */
export function dayAfterKey(key: string, day: string, firstWeekday: number, rightToLeft: boolean): string | undefined {
  const forward = rightToLeft ? 'ArrowLeft' : 'ArrowRight'
  const back = rightToLeft ? 'ArrowRight' : 'ArrowLeft'
  switch (key) {
    case forward:
      return addDays(day, 1)
    case back:
      return addDays(day, -1)
    case 'ArrowDown':
      return addDays(day, 7)
    case 'ArrowUp':
      return addDays(day, -7)
    case 'Home':
      return addDays(day, -placeInWeek(day, firstWeekday))
    case 'End':
      return addDays(day, 6 - placeInWeek(day, firstWeekday))
    case 'PageDown':
      return moveByMonths(day, 1)
    case 'PageUp':
      return moveByMonths(day, -1)
    default:
      return undefined
  }
}

type Bounds = Pick<MonthGridProps, 'minMonth' | 'maxMonth'>

function isWithin(month: string, { minMonth, maxMonth }: Bounds): boolean {
  return (minMonth === undefined || month >= minMonth) && (maxMonth === undefined || month <= maxMonth)
}

/** The one day the Tab key reaches, and moving it by keys. */
function useRovingDay(props: MonthGridProps, firstWeekday: number) {
  const { month, selected, today, onMonthChange } = props
  const [day, setDay] = useState(selected ?? today)
  const table = useRef<HTMLTableElement>(null)
  const moved = useRef(false)
  const inMonth = monthOf(day) === month
  const fallback = [selected, today].find((candidate) => candidate && monthOf(candidate) === month) ?? `${month}-01`
  const current = inMonth ? day : fallback
  useEffect(() => {
    if (!moved.current) return
    moved.current = false
    table.current?.querySelector<HTMLElement>(`[data-day="${current}"]`)?.focus()
  }, [current])
  function move(event: KeyboardEvent<HTMLElement>) {
    const next = dayAfterKey(event.key, current, firstWeekday, isRightToLeft(event.currentTarget))
    if (next === undefined) return
    event.preventDefault()
    if (!isWithin(monthOf(next), props)) return
    moved.current = true
    setDay(next)
    if (monthOf(next) !== month) onMonthChange(monthOf(next))
  }
  return { current, setDay, table, move }
}

/** A place of the first or last week that belongs to another month. */
const blank = '\u00a0'

function MonthHead({ id, ...props }: MonthGridProps & { id: string }) {
  const { month, onMonthChange, locale, labels } = props
  const turn = (by: number) => ({
    disabled: !isWithin(addMonths(month, by), props),
    onClick: () => onMonthChange(addMonths(month, by)),
  })
  return (
    <div className={styles.head}>
      <h3 className="d4" id={id} aria-live="polite">
        {formatsOf(locale).month.format(utc(`${month}-01`))}
      </h3>
      <div className={styles.arrows}>
        <IconButton icon="chevron-start" label={labels.previousMonth} {...turn(-1)} />
        <IconButton icon="chevron-end" label={labels.nextMonth} {...turn(1)} />
      </div>
    </div>
  )
}

export function MonthGrid(props: MonthGridProps) {
  const { month, selected, onSelect, today, dayState, locale, labels } = props
  const firstWeekday = props.firstWeekday ?? firstWeekdayOf(locale)
  const id = useId()
  const formats = formatsOf(locale)
  const { current, setDay, table, move } = useRovingDay(props, firstWeekday)
  const weeks = weeksOf(month, firstWeekday)
  // 2024-01-01 was a Monday.
  const weekdays = Array.from({ length: 7 }, (_, index) => utc(addDays('2024-01-01', firstWeekday - 1 + index)))

  function renderDay(day: string | undefined, place: number) {
    if (day === undefined) return <td key={place}>{blank}</td>
    const state = dayState(day)
    return (
      <td key={place}>
        <button
          type="button"
          data-day={day}
          className={classNames(styles.day, styles[state], day === today && styles.today, day === selected && styles.selected)}
          tabIndex={day === current ? 0 : -1}
          aria-pressed={day === selected}
          aria-disabled={state !== 'room'}
          aria-current={day === today ? 'date' : undefined}
          aria-label={`${formats.day.format(utc(day))}, ${labels.state(state, day)}`}
          onFocus={() => setDay(day)}
          onKeyDown={move}
          onClick={() => state === 'room' && onSelect(day)}
        >
          {Number(day.slice(8))}
        </button>
      </td>
    )
  }

  return (
    <div className={styles.calendar}>
      <MonthHead {...props} id={id} />
      <table ref={table} aria-labelledby={id} className={styles.grid}>
        <thead>
          <tr>
            {weekdays.map((date) => (
              <th key={date.getTime()} scope="col" abbr={formats.long.format(date)}>
                {formats.brief.format(date)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {weeks.map((week) => (
            <tr key={week.find(Boolean)}>{week.map(renderDay)}</tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}

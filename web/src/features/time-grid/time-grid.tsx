// The calendar's grid: columns by minutes, for a day of everybody or a week of one. What is dragged is drawn without rendering.
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState, type CSSProperties, type ReactNode } from 'react'
import { clock } from '#/platform/dashboard-time.ts'
import { useTranslation } from '#/platform/translation.ts'
import { ClockRange } from './grid-block.tsx'
import { Column, rangeStyle } from './grid-column.tsx'
import type { GridColumn, GridItem, MovableItem, Range } from './grid-model.ts'
import { type Change, type Geometry, type GridElements, minuteAt, type Place } from './grid-place.ts'
import { useGridDrag } from './use-grid-drag.ts'
import { useGridKeys } from './use-grid-keys.ts'
import styles from './grid.module.css'

export type TimeGridProps = {
  label: string
  columns: readonly GridColumn[]
  /** What stands above each column, and how it is called. */
  heads: readonly ReactNode[]
  names: readonly string[]
  /** As CSS says it: one for each column. */
  template: string
  hours: Range
  step: number
  today: string
  /** Minute of today. */
  now: number
  openVisit: string | null
  /** A move that waits for a word: its place, and what it comes from. */
  pending: { place: Place; key: string } | null
  /** Booked where it will stand, not yet sent. */
  drafted: Place | null
  isShort?: boolean
  /** Classes and breaks are moved by those who may change everybody's calendar. */
  mayChange: boolean
  onOpen: (item: GridItem) => void
  onChange: (change: Change, box: DOMRect) => void
  onCreate: (place: Place, isRange: boolean) => void
  onLift: (isLifted: boolean) => void
}

/** The parts that are moved by hand, found when they are needed. */
function useElements() {
  const frame = useRef<HTMLDivElement>(null)
  const get = useCallback((): GridElements | null => {
    const part = (name: string) => frame.current?.querySelector<HTMLElement>(`[data-part="${name}"]`) ?? null
    const [scroller, body, target, lifted] = [part('scroller'), part('body'), part('target'), part('lifted')]
    return scroller && body && target && lifted ? { scroller, body, target, lifted } : null
  }, [])
  return { frame, get }
}

/** Each step of moving by keys, in words. */
function useSpoken(names: readonly string[]) {
  const { t } = useTranslation('diary')
  const [spoken, setSpoken] = useState('')
  function whatIs(item: MovableItem): string {
    if (item.kind === 'visit') return item.services
    if (item.kind === 'session') return item.session.serviceName
    return item.kind === 'break' ? t('grounds.break') : item.blocked.note || t(`blockedKinds.${item.blocked.kind}`)
  }
  const say = ({ kind, place, item }: { kind: 'lifted' | 'dropped' | 'putBack' | 'at'; place: Place; item: MovableItem }) => {
    setSpoken(t(`spoken.${kind}`, { what: whatIs(item), who: names[place.column] ?? '', from: clock(place.from), to: clock(place.to) }))
  }
  return { spoken, say }
}

/** Opens where the day is now, or where it begins. */
function useStart(get: () => GridElements | null, { hours }: Geometry, minute: number | null, place: string) {
  const latest = useRef({ hours, minute })
  useEffect(() => {
    latest.current = { hours, minute }
  })
  useEffect(() => {
    const elements = get()
    const { hours: drawn, minute: at } = latest.current
    if (!elements || at === null) return
    const pixels = elements.body.clientHeight / (drawn.to - drawn.from)
    elements.scroller.scrollTop = Math.max(0, (at - drawn.from) * pixels - elements.scroller.clientHeight / 3)
  }, [get, place])
}

/** A visit moved to another column is a new element, and one that was asked about and put back lost it: focus follows it. */
function useFollowFocus(get: () => GridElements | null, { columns, pending }: Pick<TimeGridProps, 'columns' | 'pending'>) {
  const followed = useRef<string | null>(null)
  useEffect(() => {
    const key = followed.current
    if (!key || document.activeElement !== document.body) return
    get()
      ?.body.querySelector<HTMLElement>(`[data-key^="${CSS.escape(key)}"]`)
      ?.focus({ preventScroll: true })
  }, [columns, pending, get])
  return (item: MovableItem) => (followed.current = item.kind === 'visit' ? item.visit._id : item.key)
}

function Gutter({ hours, now }: { hours: Range; now: number | null }) {
  const first = Math.ceil(hours.from / 60)
  const marks = Array.from({ length: Math.max(0, Math.floor(hours.to / 60) - first + 1) }, (_, index) => (first + index) * 60)
  return (
    <div className={styles.gutter} aria-hidden="true">
      {marks
        .filter((minute) => minute > hours.from && minute < hours.to && (now === null || Math.abs(minute - now) > 12))
        .map((minute) => (
          <bdi key={minute} style={rangeStyle({ from: minute, to: minute })}>
            {clock(minute)}
          </bdi>
        ))}
      {now !== null && (
        <bdi className={styles.nowLabel} style={rangeStyle({ from: now, to: now })}>
          {clock(now)}
        </bdi>
      )}
    </div>
  )
}

type Listeners = { [Name in keyof HTMLElementEventMap]?: (event: HTMLElementEventMap[Name]) => void }

/** Listens to everything inside the grid at once, from when it is seen: 400 visits have no listener of their own. */
function useListeners(listeners: Listeners) {
  const body = useRef<HTMLDivElement>(null)
  const latest = useRef(listeners)
  useLayoutEffect(() => {
    latest.current = listeners
  })
  useLayoutEffect(() => {
    const listening = new AbortController()
    for (const name of Object.keys(latest.current) as (keyof Listeners)[]) {
      const hear = (event: Event) => (latest.current[name] as ((event: Event) => void) | undefined)?.(event)
      body.current?.addEventListener(name, hear, { signal: listening.signal })
    }
    return () => listening.abort()
  }, [])
  return body
}

function useGrid(props: TimeGridProps, get: () => GridElements | null) {
  const { columns, hours, step, onChange, onCreate, onLift, onOpen } = props
  const geometry = useMemo(() => ({ columns, hours, step }), [columns, hours, step])
  const { spoken, say } = useSpoken(props.names)
  const follow = useFollowFocus(get, props)
  const locate = (key: string) => {
    const column = columns.findIndex(({ items }) => items.some((one) => one.key === key))
    return { column, item: columns[column]?.items.find((one) => one.key === key) }
  }
  const find = (key: string) => {
    const { column, item } = locate(key)
    if (!item || ((item.kind === 'session' || item.kind === 'break') && !props.mayChange)) return null
    if (item.isCut) return null
    // Who did not come, a visit let go and one that is still being chosen stay where they are.
    if (item.kind === 'visit' && (item.visit.isHeld || item.visit.status === 'cancelled' || item.visit.attendance === 'no_show'))
      return null
    return { column, item }
  }
  const onDrop = (change: Change, box: DOMRect) => {
    follow(change.item)
    onChange(change, box)
  }
  const shared = { elements: get, geometry, find, onDrop, onCreate, onLift }
  const drag = useGridDrag(shared)
  const keys = useGridKeys({ ...shared, say })
  function click(event: MouseEvent) {
    if (drag.isDragClick() || !(event.target instanceof Element)) return
    const key = event.target.closest<HTMLElement>('[data-key]')?.dataset['key']
    if (key !== undefined) {
      const { item } = locate(key)
      return item && onOpen(item)
    }
    const column = Number(event.target.closest<HTMLElement>('[data-column]')?.dataset['column'] ?? NaN)
    const body = get()?.body
    if (Number.isNaN(column) || !body) return
    const gap = event.target.closest<HTMLElement>('[data-gap]')?.dataset['gap']
    const [from, to] = gap?.split('-').map(Number) ?? []
    if (from !== undefined && to !== undefined) return onCreate({ column, from, to }, false)
    const minute = Math.floor(minuteAt(event.clientY, body, geometry) / step) * step
    onCreate({ column, from: minute, to: minute + step }, false)
  }
  return { get, drag, keys, click, spoken, geometry }
}

type Grid = ReturnType<typeof useGrid>

const rangeAt = (place: Place): CSSProperties => ({ ...rangeStyle(place), gridColumn: `${place.column + 1} / ${place.column + 2}` })

/** What lies over the columns: where something waits to go, what is being booked, the cell of the keys, and what is dragged. */
function Over({
  pending,
  drafted,
  cell,
  step,
  name,
}: Pick<TimeGridProps, 'pending' | 'drafted' | 'step'> & { cell: { column: number; minute: number }; name: string }) {
  const { t } = useTranslation('diary')
  return (
    <>
      {pending && <div aria-hidden="true" className={styles.target} style={rangeAt(pending.place)} />}
      {drafted && (
        <div aria-hidden="true" className={styles.drafted} style={rangeAt(drafted)}>
          <ClockRange from={drafted.from} to={drafted.to} />
        </div>
      )}
      <button
        type="button"
        data-cursor
        className={styles.cursor}
        style={rangeAt({ column: cell.column, from: cell.minute, to: cell.minute + step })}
        aria-label={t('cell', { who: name, time: clock(cell.minute) })}
      >
        <bdi>{clock(cell.minute)}</bdi>
      </button>
      <div data-part="target" hidden aria-hidden="true" className={styles.moving} />
      <div data-part="lifted" hidden aria-hidden="true" className={styles.lifted} />
    </>
  )
}

function Rows({ grid, hasToday, ...props }: TimeGridProps & { grid: Grid; hasToday: boolean }) {
  const { columns, names, hours, step, today, now, isShort = false } = props
  const { keys } = grid
  const first = Math.max(
    0,
    columns.findIndex(({ day }) => day === today),
  )
  const start = { column: first, minute: hasToday ? Math.floor(now / step) * step : (columns[0]?.shifts[0]?.from ?? hours.from) }
  const cell = keys.cell ?? start
  const body = useListeners({ ...grid.drag.handlers, ...keys.handlers, click: grid.click, focusin: () => keys.enter(start) })
  return (
    <div className={styles.rows}>
      <Gutter hours={hours} now={hasToday ? now : null} />
      <div ref={body} data-part="body" role="group" aria-label={props.label} className={styles.body}>
        {columns.map((column, index) => (
          <Column
            key={column.key}
            column={column}
            index={index}
            label={names[index] ?? ''}
            now={hasToday && column.day === today ? now : null}
            isToday={isShort && column.day === today}
            openVisit={props.openVisit}
            isShort={isShort}
          />
        ))}
        <Over pending={props.pending} drafted={props.drafted} cell={cell} step={step} name={names[cell.column] ?? ''} />
      </div>
    </div>
  )
}

export function TimeGrid(props: TimeGridProps) {
  const { columns, heads, template, hours, step, today, now, isShort = false } = props
  const { frame, get } = useElements()
  const grid = useGrid(props, get)
  const hasToday = columns.some(({ day }) => day === today) && now >= hours.from && now <= hours.to
  useStart(get, grid.geometry, hasToday ? now : null, columns.map(({ key }) => key).join())
  const size = {
    '--hours-from': hours.from,
    '--hours': hours.to - hours.from,
    '--step': step,
    '--template': template,
    '--columns': template.split('minmax').length - 1,
  } as CSSProperties
  return (
    <div ref={frame} className={styles.frame} style={size} data-short={isShort || undefined}>
      <div data-part="scroller" className={styles.scroller}>
        {heads.length > 0 && (
          <div className={styles.heads}>
            <span className={styles.corner} />
            {heads}
          </div>
        )}
        <Rows {...props} grid={grid} hasToday={hasToday} />
      </div>
      <p role="status" className="visually-hidden">
        {grid.spoken}
      </p>
    </div>
  )
}

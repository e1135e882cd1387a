// The grid without a mouse: arrows go from cell to cell, Enter opens or books, Space lifts and the arrows then carry.
import { useEffect, useRef, useState } from 'react'
import type { GridItem, MovableItem } from './grid-model.ts'
import { clamped, drawTarget, isChange, pushed, type Change, type Geometry, type GridElements, type Place } from './grid-place.ts'

export type Cell = { column: number; minute: number }

export type KeyOptions = {
  elements: () => GridElements | null
  geometry: Geometry
  find: (key: string) => { item: MovableItem; column: number } | null
  onDrop: (change: Change, box: DOMRect) => void
  onCreate: (place: Place, isRange: boolean) => void
  /** Each step is spoken. */
  say: (what: { kind: 'lifted' | 'dropped' | 'putBack' | 'at'; place: Place; item: MovableItem }) => void
  onLift: (isLifted: boolean) => void
}

const isSame = (a: GridItem, minute: number): boolean => a.from <= minute && minute < a.to

/** Up, down and across as the page reads. */
function direction(key: string): { down: number; across: number } | null {
  const side = document.documentElement.dir === 'rtl' ? -1 : 1
  switch (key) {
    case 'ArrowDown':
      return { down: 1, across: 0 }
    case 'ArrowUp':
      return { down: -1, across: 0 }
    case 'ArrowRight':
      return { down: 0, across: side }
    case 'ArrowLeft':
      return { down: 0, across: -side }
    default:
      return null
  }
}

/** Where the next cell begins: past what the focus is on. */
function nextCell(cell: Cell, item: GridItem | null, { down, across }: { down: number; across: number }, geometry: Geometry): Cell {
  const { step, columns } = geometry
  const column = Math.max(0, Math.min(columns.length - 1, cell.column + across))
  const minute = down > 0 && item ? item.to : down < 0 && item ? item.from - step : cell.minute + down * step
  return { column, minute: clamped(Math.floor(minute / step) * step, step, geometry) }
}

function focusItem(elements: GridElements | null, key: string): void {
  elements?.body.querySelector<HTMLElement>(`[data-key="${CSS.escape(key)}"]`)?.focus({ preventScroll: false })
}

/** Their length is said elsewhere. */
const keepsLength = ({ kind }: MovableItem): boolean => kind === 'session' || kind === 'break'

type Lifted = { item: MovableItem; column: number; place: Place }

/** What is carried by keys, from the space bar that lifts it to the key that puts it down. */
class Carried {
  private lifted: Lifted | null = null
  options: KeyOptions

  constructor(options: KeyOptions) {
    this.options = options
  }

  get isLifted(): boolean {
    return this.lifted !== null
  }

  lift(item: MovableItem, column: number): void {
    const place = { column, ...item.whole }
    this.lifted = { item, column, place }
    this.options.onLift(true)
    this.draw(place)
    this.options.say({ kind: 'lifted', place, item })
  }

  press(event: KeyboardEvent): void {
    if (!this.lifted || event.key === 'Tab') return
    event.preventDefault()
    if (event.key === 'Escape') return this.putBack()
    if (event.key === 'Enter' || event.key === ' ') return this.drop()
    const way = direction(event.key)
    if (!way) return
    const { geometry } = this.options
    const place = pushed(
      this.lifted.place,
      { minutes: way.down * geometry.step, columns: way.across, end: event.shiftKey && !keepsLength(this.lifted.item) },
      geometry,
    )
    this.lifted.place = place
    this.draw(place)
    this.options.elements()?.target.scrollIntoView({ block: 'nearest', inline: 'nearest' })
    this.options.say({ kind: 'at', place, item: this.lifted.item })
  }

  putBack(): void {
    const now = this.end()
    if (now) this.options.say({ kind: 'putBack', place: now.place, item: now.item })
  }

  private drop(): void {
    const box = this.options.elements()?.target.getBoundingClientRect() ?? new DOMRect()
    const now = this.end()
    if (!now) return
    const { item, place } = now
    const isMove = place.to - place.from === item.whole.to - item.whole.from
    const change: Change = { item, place, mode: isMove ? 'move' : 'end' }
    if (!isChange(change, now.column)) return this.options.say({ kind: 'putBack', place, item })
    this.options.say({ kind: 'dropped', place, item })
    this.options.onDrop(change, box)
  }

  private end(): Lifted | null {
    const now = this.lifted
    this.lifted = null
    if (!now) return null
    this.options.onLift(false)
    this.draw(null)
    return now
  }

  private draw(place: Place | null): void {
    const elements = this.options.elements()
    if (elements) drawTarget(elements, this.options.geometry, place)
  }
}

function useCarried(options: KeyOptions): Carried {
  const [carried] = useState(() => new Carried(options))
  const latest = useRef(carried)
  useEffect(() => {
    latest.current.options = options
  })
  return carried
}

export function useGridKeys(options: KeyOptions) {
  const { elements, geometry, find, onCreate } = options
  const [cell, setCell] = useState<Cell | null>(null)
  const carried = useCarried(options)

  function go(event: KeyboardEvent, from: Cell, item: GridItem | null) {
    const way = direction(event.key)
    if (!way || event.ctrlKey || event.metaKey || event.altKey) return
    event.preventDefault()
    const to = nextCell(from, item, way, geometry)
    const there = geometry.columns[to.column]?.items.find((one) => isSame(one, to.minute))
    setCell(to)
    if (there && there !== item) focusItem(elements(), there.key)
    else elements()?.body.querySelector<HTMLElement>('[data-cursor]')?.focus({ preventScroll: true })
  }

  function pressCell(event: KeyboardEvent) {
    if (!cell) return
    if (event.key !== 'Enter' && event.key !== ' ') return go(event, cell, null)
    event.preventDefault()
    onCreate({ column: cell.column, from: cell.minute, to: cell.minute + geometry.step }, false)
  }

  function press(event: KeyboardEvent) {
    if (carried.isLifted) return carried.press(event)
    if (!(event.target instanceof HTMLElement)) return
    const { key, cursor } = event.target.dataset
    if (cursor !== undefined) return pressCell(event)
    const column = geometry.columns.findIndex(({ items }) => items.some((one) => one.key === key))
    const item = geometry.columns[column]?.items.find((one) => one.key === key)
    if (!item) return
    if (event.key !== ' ') return go(event, { column, minute: Math.floor(item.from / geometry.step) * geometry.step }, item)
    event.preventDefault()
    const movable = find(item.key)
    if (movable) carried.lift(movable.item, movable.column)
  }

  return {
    cell,
    handlers: {
      keydown: press,
      // A button answers the space bar when it comes up: here it has already lifted.
      keyup: (event: KeyboardEvent) => void (event.key === ' ' && event.preventDefault()),
      focusout: () => carried.putBack(),
    },
    /** Where the keys begin when the grid is reached by Tab. */
    enter: (start: Cell) => setCell((known) => known ?? start),
  }
}

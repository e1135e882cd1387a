// Where something is on the grid, and how a place becomes boxes on screen: both the pointer and the keys use it.
import type { GridColumn, MovableItem, Range } from './grid-model.ts'
import { clock } from '#/platform/dashboard-time.ts'

export type Place = { column: number; from: number; to: number }

export type Geometry = { columns: readonly GridColumn[]; hours: Range; step: number }

/** What a drop asks for. */
export type Change = { item: MovableItem; place: Place; mode: 'move' | 'end' }

export type GridElements = {
  scroller: HTMLElement
  body: HTMLElement
  /** Where it would land. */
  target: HTMLElement
  /** What hangs from the finger. */
  lifted: HTMLElement
}

export const columnElements = (body: HTMLElement): HTMLElement[] => [...body.querySelectorAll<HTMLElement>('[data-column]')]

/** What a height on screen means on the clock. */
export function minuteAt(y: number, body: HTMLElement, { hours }: Geometry): number {
  const box = body.getBoundingClientRect()
  return hours.from + ((y - box.top) / box.height) * (hours.to - hours.from)
}

export const clamped = (from: number, length: number, { hours }: Geometry): number =>
  Math.max(hours.from, Math.min(from, Math.max(hours.from, hours.to - length)))

/** Shows where something would land; hides it without a place. */
export function drawTarget(elements: GridElements, { hours }: Geometry, place: Place | null): void {
  const { body, target } = elements
  target.hidden = place === null
  if (!place) return
  const column = columnElements(body)[place.column]
  if (!column) return
  const pixels = body.clientHeight / (hours.to - hours.from)
  target.style.transform = `translate(${column.offsetLeft}px, ${(place.from - hours.from) * pixels}px)`
  target.style.inlineSize = `${column.offsetWidth}px`
  target.style.blockSize = `${(place.to - place.from) * pixels}px`
  target.textContent = `${clock(place.from)}–${clock(place.to)}`
}

/** The place after it is pushed by a step, a column or, with its end alone, a length. */
export function pushed(place: Place, by: { minutes: number; columns: number; end: boolean }, geometry: Geometry): Place {
  const { hours, step, columns } = geometry
  if (by.end) {
    const to = Math.max(place.from + step, Math.min(hours.to, place.to + by.minutes))
    return { ...place, to }
  }
  const from = clamped(place.from + by.minutes, place.to - place.from, geometry)
  const column = Math.max(0, Math.min(columns.length - 1, place.column + by.columns))
  return { column, from, to: from + place.to - place.from }
}

export const samePlace = (a: Place, b: Place): boolean => a.column === b.column && a.from === b.from && a.to === b.to

/** Whether anything but a look was asked for. */
export const isChange = ({ item, place }: Change, column: number): boolean =>
  !samePlace(place, { column, from: item.whole.from, to: item.whole.to })

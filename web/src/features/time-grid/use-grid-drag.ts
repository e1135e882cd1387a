// Moving, resizing and drawing with a finger or a mouse: one listener, boxes read once, and nothing is rendered before the drop.
import { useEffect, useRef, useState } from 'react'
import { clock } from '#/platform/dashboard-time.ts'
import type { MovableItem } from './grid-model.ts'
import {
  clamped,
  columnElements,
  drawTarget,
  isChange,
  minuteAt,
  samePlace,
  type Change,
  type Geometry,
  type GridElements,
  type Place,
} from './grid-place.ts'

/** A finger that rests so long lifts; one that moves before scrolls. */
const holdMs = 350
/** A mouse that moves less has clicked. */
const slackPixels = 5
const edgePixels = 56
const edgeSpeed = 0.22

type Box = { start: number; end: number }
type Lift = {
  /** The finger that carries it: another changes nothing. */
  pointer: number
  item: MovableItem | null
  mode: 'move' | 'end' | 'create'
  element: HTMLElement | null
  /** Where it was taken, in minutes from its start. */
  grip: number
  column: number
  start: number
  boxes: Box[]
  place: Place
  x: number
  y: number
  grabX: number
  grabY: number
}

type Pressed = {
  pointer: number
  type: string
  x: number
  y: number
  item: MovableItem | null
  mode: Lift['mode']
  element: HTMLElement | null
}

export type DragOptions = {
  elements: () => GridElements | null
  geometry: Geometry
  find: (key: string) => { item: MovableItem; column: number } | null
  onDrop: (change: Change, box: DOMRect) => void
  onCreate: (place: Place, isRange: boolean) => void
  /** While something is lifted nothing else may change the grid. */
  onLift: (isLifted: boolean) => void
}

const floored = (minute: number, step: number): number => Math.floor(minute / step) * step
const rounded = (minute: number, step: number): number => Math.round(minute / step) * step

/** Columns by where they begin and end beside the left edge of the body: so they hold while it scrolls. */
function boxesOf(body: HTMLElement): Box[] {
  const left = body.getBoundingClientRect().left
  return columnElements(body).map((column) => {
    const box = column.getBoundingClientRect()
    return { start: box.left - left, end: box.right - left }
  })
}

function columnAt(x: number, body: HTMLElement, boxes: readonly Box[]): number {
  const own = x - body.getBoundingClientRect().left
  return boxes.findIndex((box) => own >= box.start && own < box.end)
}

/** The copy that follows the finger. */
function hang(lift: Lift, elements: GridElements): void {
  const { lifted, body } = elements
  if (!lift.element || lift.mode !== 'move') return
  const box = lift.element.getBoundingClientRect()
  const copy = lift.element.cloneNode(true)
  if (copy instanceof HTMLElement) copy.removeAttribute('data-key')
  lifted.replaceChildren(copy)
  lifted.hidden = false
  lifted.style.inlineSize = `${box.width}px`
  lifted.style.blockSize = `${box.height}px`
  lift.grabX = lift.x - box.left
  lift.grabY = lift.y - box.top
  lift.element.dataset['lifted'] = ''
  body.dataset['dragging'] = ''
}

function follow(lift: Lift, { lifted, body }: GridElements): void {
  if (lifted.hidden) return
  const box = body.getBoundingClientRect()
  lifted.style.transform = `translate(${lift.x - box.left - lift.grabX}px, ${lift.y - box.top - lift.grabY}px)`
  const time = lifted.querySelector('[data-time]')
  if (time) time.textContent = `${clock(lift.place.from)}–${clock(lift.place.to)}`
}

function release(lift: Lift, { lifted, body }: GridElements): void {
  lifted.hidden = true
  lifted.replaceChildren()
  if (lift.element) delete lift.element.dataset['lifted']
  delete body.dataset['dragging']
}

/** Where it would land now. */
function placeOf(lift: Lift, { body }: GridElements, geometry: Geometry): Place {
  const { step, hours } = geometry
  const minute = minuteAt(lift.y, body, geometry)
  const { place, item } = lift
  if (lift.mode === 'create') {
    const at = Math.max(hours.from, Math.min(hours.to, minute))
    const [from, to] =
      at < lift.start ? [floored(at, step), lift.start + step] : [lift.start, Math.max(floored(at, step) + step, lift.start + step)]
    return { ...place, from, to: Math.min(hours.to, to) }
  }
  if (lift.mode === 'end') {
    const to = Math.max(place.from + Math.min(step, item ? item.whole.to - item.whole.from : step), rounded(minute, step))
    return { ...place, to: Math.min(hours.to, to) }
  }
  const length = place.to - place.from
  const from = clamped(rounded(minute - lift.grip, step), length, geometry)
  const found = columnAt(lift.x, body, lift.boxes)
  return { column: found < 0 ? place.column : found, from, to: from + length }
}

function edgeOf(at: number, start: number, end: number): number {
  if (at < start + edgePixels) return at - start - edgePixels
  return at > end - edgePixels ? at - end + edgePixels : 0
}

/** Near an edge what is seen moves on by itself. Says whether it did. */
function scrollAtEdge({ x, y }: Lift, { scroller }: GridElements): boolean {
  const box = scroller.getBoundingClientRect()
  const own = scroller.scrollHeight > scroller.clientHeight + 1
  const down = own ? edgeOf(y, box.top, box.bottom) : edgeOf(y, 0, window.innerHeight)
  const across = edgeOf(x, box.left, box.right)
  if (down === 0 && across === 0) return false
  scroller.scrollBy(across * edgeSpeed, own ? down * edgeSpeed : 0)
  if (!own) window.scrollBy(0, down * edgeSpeed)
  return true
}

/** What is under a finger, from when it is pressed until it is let go. */
class Drag {
  private lift: Lift | null = null
  private pressed: Pressed | null = null
  private timer = 0
  private frame = 0
  /** The click that follows a drag is none. */
  isDragClick = false
  options: DragOptions

  constructor(options: DragOptions) {
    this.options = options
  }

  get isLifted(): boolean {
    return this.lift !== null
  }

  down(event: PointerEvent): void {
    if (this.lift || event.button !== 0 || !(event.target instanceof Element) || !event.target.closest('[data-column]')) return
    const edge = event.target.closest<HTMLElement>('[data-edge]')
    const element = event.target.closest<HTMLElement>('[data-key]')
    const item = this.options.find(edge?.dataset['edge'] ?? element?.dataset['key'] ?? '')?.item ?? null
    // What stays where it is is not moved, and nothing is drawn over it.
    if (element && !item) return
    const mode = edge ? 'end' : item ? 'move' : 'create'
    const pressed: Pressed = { pointer: event.pointerId, type: event.pointerType, x: event.clientX, y: event.clientY, item, mode, element }
    this.pressed = pressed
    if (pressed.type === 'touch') this.timer = window.setTimeout(() => this.pressed === pressed && this.raise(pressed), holdMs)
  }

  move(event: PointerEvent): void {
    const { pressed, lift } = this
    if (lift) {
      if (lift.pointer !== event.pointerId) return
      lift.x = event.clientX
      lift.y = event.clientY
      this.step()
      this.frame ||= requestAnimationFrame(() => this.edges())
      return
    }
    if (!pressed || pressed.pointer !== event.pointerId) return
    if (Math.hypot(event.clientX - pressed.x, event.clientY - pressed.y) < slackPixels) return
    // A finger that moves before it lifts is scrolling.
    if (pressed.type === 'touch') return this.end(false)
    this.raise(pressed)
    this.move(event)
  }

  up(event: PointerEvent, isDrop: boolean): void {
    if (!this.lift || this.lift.pointer === event.pointerId) this.end(isDrop)
  }

  end(isDrop: boolean): void {
    this.stop()
    const { lift } = this
    const elements = this.options.elements()
    this.lift = null
    if (!lift || !elements) return
    this.isDragClick = true
    window.setTimeout(() => (this.isDragClick = false))
    const box = elements.target.getBoundingClientRect()
    release(lift, elements)
    drawTarget(elements, this.options.geometry, null)
    this.options.onLift(false)
    if (!isDrop) return
    if (!lift.item) return this.options.onCreate(lift.place, true)
    const change: Change = { item: lift.item, place: lift.place, mode: lift.mode === 'end' ? 'end' : 'move' }
    if (isChange(change, lift.column)) this.options.onDrop(change, box)
  }

  stop(): void {
    window.clearTimeout(this.timer)
    cancelAnimationFrame(this.frame)
    this.frame = 0
    this.pressed = null
  }

  private raise(pressed: Pressed): void {
    const elements = this.options.elements()
    if (!elements) return
    const { geometry, find } = this.options
    const boxes = boxesOf(elements.body)
    const column = pressed.item ? (find(pressed.item.key)?.column ?? -1) : columnAt(pressed.x, elements.body, boxes)
    if (column < 0) return
    const minute = minuteAt(pressed.y, elements.body, geometry)
    const start = floored(minute, geometry.step)
    const whole = pressed.item?.whole ?? { from: start, to: start + geometry.step }
    const lift: Lift = { ...pressed, start, boxes, column, grip: minute - whole.from, place: { column, ...whole }, grabX: 0, grabY: 0 }
    this.lift = lift
    elements.body.setPointerCapture(pressed.pointer)
    this.options.onLift(true)
    hang(lift, elements)
    drawTarget(elements, geometry, lift.place)
    follow(lift, elements)
  }

  private step(): void {
    const elements = this.options.elements()
    if (!this.lift || !elements) return
    const place = placeOf(this.lift, elements, this.options.geometry)
    if (!samePlace(place, this.lift.place)) {
      this.lift.place = place
      drawTarget(elements, this.options.geometry, place)
    }
    follow(this.lift, elements)
  }

  private edges(): void {
    this.frame = 0
    const elements = this.options.elements()
    if (!this.lift || !elements || !scrollAtEdge(this.lift, elements)) return
    this.step()
    this.frame = requestAnimationFrame(() => this.edges())
  }
}

export function useGridDrag(options: DragOptions) {
  const [drag] = useState(() => new Drag(options))
  const latest = useRef(drag)
  useEffect(() => {
    latest.current.options = options
  })
  useEffect(() => {
    const body = drag.options.elements()?.body
    // A lifted visit must not scroll: only a listener that may prevent can say so.
    const keep = (event: Event) => void (drag.isLifted && event.preventDefault())
    const escape = (event: KeyboardEvent) => void (event.key === 'Escape' && drag.isLifted && drag.end(false))
    body?.addEventListener('touchmove', keep, { passive: false })
    body?.addEventListener('contextmenu', keep)
    document.addEventListener('keydown', escape)
    return () => {
      body?.removeEventListener('touchmove', keep)
      body?.removeEventListener('contextmenu', keep)
      document.removeEventListener('keydown', escape)
      drag.stop()
    }
  }, [drag])
  return {
    handlers: {
      pointerdown: (event: PointerEvent) => drag.down(event),
      pointermove: (event: PointerEvent) => drag.move(event),
      pointerup: (event: PointerEvent) => drag.up(event, true),
      pointercancel: (event: PointerEvent) => drag.up(event, false),
    },
    isDragClick: () => drag.isDragClick,
  }
}

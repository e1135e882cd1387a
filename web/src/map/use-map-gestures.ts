// Moving the paper map: drag, pinch, the wheel with Ctrl (so that the page still scrolls), double click, and keys.
import { useEffect, useRef, type KeyboardEvent, type MouseEvent, type PointerEvent, type RefObject } from 'react'
import { moved, zoomedAt, type Pixel, type Size, type View } from './mercator.ts'

type Gesture = { view: View; size: Size; onView: (view: View) => void }

const keySteps: Readonly<Record<string, Pixel>> = {
  ArrowLeft: { x: -80, y: 0 },
  ArrowRight: { x: 80, y: 0 },
  ArrowUp: { x: 0, y: -80 },
  ArrowDown: { x: 0, y: 80 },
}
const keyZooms: Readonly<Record<string, number>> = { '+': 1, '=': 1, '-': -1 }

function placeIn(event: { currentTarget: Element; clientX: number; clientY: number }): Pixel {
  const { left, top } = event.currentTarget.getBoundingClientRect()
  return { x: event.clientX - left, y: event.clientY - top }
}

function between(one: Pixel, other: Pixel): { middle: Pixel; apart: number } {
  return {
    middle: { x: (one.x + other.x) / 2, y: (one.y + other.y) / 2 },
    apart: Math.hypot(one.x - other.x, one.y - other.y),
  }
}

type Latest = RefObject<Gesture>

/** The wheel with Ctrl, and the pinch of a touch pad that comes as one. */
function useWheel(latest: Latest): RefObject<HTMLDivElement | null> {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = place.current
    function wheel(event: WheelEvent) {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const { view: from, size: window, onView: show } = latest.current
      const { left, top } = (event.currentTarget as Element).getBoundingClientRect()
      show(zoomedAt(from, -event.deltaY / 240, { x: event.clientX - left, y: event.clientY - top }, window))
    }
    // React listens to the wheel passively and could not keep the page from zooming.
    element?.addEventListener('wheel', wheel, { passive: false })
    return () => element?.removeEventListener('wheel', wheel)
  }, [latest])
  return place
}

/** One finger drags, two pinch. */
function usePointers(latest: Latest) {
  const fingers = useRef(new Map<number, Pixel>())
  function down(event: PointerEvent) {
    if (event.button !== 0 || (event.target as Element).closest('button, a')) return
    event.currentTarget.setPointerCapture(event.pointerId)
    fingers.current.set(event.pointerId, placeIn(event))
  }
  function move(event: PointerEvent) {
    const before = fingers.current.get(event.pointerId)
    if (!before) return
    const now = placeIn(event)
    const { view: from, size: window, onView: show } = latest.current
    const other = [...fingers.current].find(([id]) => id !== event.pointerId)?.[1]
    fingers.current.set(event.pointerId, now)
    if (!other) {
      show(moved(from, { x: before.x - now.x, y: before.y - now.y }))
      return
    }
    const was = between(before, other)
    const is = between(now, other)
    const closer = Math.log2(Math.max(1, is.apart) / Math.max(1, was.apart))
    const shifted = moved(from, { x: was.middle.x - is.middle.x, y: was.middle.y - is.middle.y })
    show(zoomedAt(shifted, closer, is.middle, window))
  }
  function up(event: PointerEvent) {
    fingers.current.delete(event.pointerId)
  }
  return { onPointerDown: down, onPointerMove: move, onPointerUp: up, onPointerCancel: up }
}

export function useMapGestures({ view, size, onView }: Gesture) {
  const latest = useRef({ view, size, onView })
  useEffect(() => {
    latest.current = { view, size, onView }
  }, [view, size, onView])
  const place = useWheel(latest)
  const pointers = usePointers(latest)
  function key(event: KeyboardEvent) {
    if (event.target !== event.currentTarget || event.ctrlKey || event.metaKey || event.altKey) return
    const step = keySteps[event.key]
    const zoom = keyZooms[event.key]
    if (step) onView(moved(view, step))
    else if (zoom) onView(zoomedAt(view, zoom, { x: size.width / 2, y: size.height / 2 }, size))
    else return
    event.preventDefault()
  }
  function doubleClick(event: MouseEvent) {
    if ((event.target as Element).closest('button, a')) return
    onView(zoomedAt(view, 1, placeIn(event), size))
  }
  return {
    ref: place,
    tabIndex: 0,
    role: 'group',
    ...pointers,
    onKeyDown: key,
    onDoubleClick: doubleClick,
  }
}

// One pin on a map that can be put where the door is: dragged, by a tap on the place, or moved with the arrow keys; the map is moved under it.
import { Suspense, useEffect, useRef, useState, type KeyboardEvent, type MouseEvent, type PointerEvent } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { usePageSettings } from '#/platform/page-settings.ts'
import { IconButton } from '#/ui/icon-button.tsx'
import { lazily } from '#/ui/lazily.tsx'
import { pointAt, project, worldPixel, zoomedAt, type Pixel, type Point, type Size, type View } from './mercator.ts'
import { PaperMap } from './paper-map.tsx'
import { useStreetStyle } from './street-style.ts'
import mapStyles from './institute-map.module.css'
import styles from './pin-map.module.css'

const StreetMap = lazily(async () => (await import('./street-map.tsx')).StreetMap)

const height = 320
const firstZoom = 15
const keyStep = 8

const arrows: Readonly<Record<string, Pixel>> = {
  ArrowLeft: { x: -keyStep, y: 0 },
  ArrowRight: { x: keyStep, y: 0 },
  ArrowUp: { x: 0, y: -keyStep },
  ArrowDown: { x: 0, y: keyStep },
}

/** The point so many pixels away. */
function pointBeside(point: Point, view: View, by: Pixel): Point {
  const at = worldPixel(point, view.zoom)
  return pointAt({ x: at.x + by.x, y: at.y + by.y }, view.zoom)
}

type PinProps = {
  point: Point
  view: View
  size: Size
  label: string
  /** Where it is while it is dragged; null when the drag was broken off. */
  onMove: (point: Point | null) => void
  onDrop: (point: Point) => void
}

/** A drag: where the finger and the pin were at first, and where the pin is now. Several moves may come between two pictures. */
type Drag = { from: Pixel; start: Point; at: Point }

function Pin({ point, view, size, label, onMove, onDrop }: PinProps) {
  const { x, y } = project(point, view, size)
  const dragged = useRef<Drag | null>(null)
  function drag(event: PointerEvent<HTMLButtonElement>) {
    const now = dragged.current
    if (!now) return
    now.at = pointBeside(now.start, view, { x: event.clientX - now.from.x, y: event.clientY - now.from.y })
    onMove(now.at)
  }
  function drop() {
    const { at, start } = dragged.current ?? {}
    dragged.current = null
    if (at && at !== start) onDrop(at)
  }
  function press(event: KeyboardEvent) {
    const by = arrows[event.key]
    if (!by) return
    event.preventDefault()
    onDrop(pointBeside(point, view, by))
  }
  return (
    <button
      type="button"
      className={styles.pin}
      style={{ transform: `translate(${x}px, ${y}px)` }}
      aria-label={label}
      onPointerDown={(event) => {
        event.currentTarget.setPointerCapture(event.pointerId)
        dragged.current = { from: { x: event.clientX, y: event.clientY }, start: point, at: point }
      }}
      onPointerMove={drag}
      onPointerUp={drop}
      onPointerCancel={() => {
        dragged.current = null
        onMove(null)
      }}
      onKeyDown={press}
    >
      <svg viewBox="0 0 44 52" width="44" height="52" aria-hidden="true">
        <path className={styles.drop} d="M22 2a18 18 0 0 0-18 18c0 12 18 30 18 30s18-18 18-30A18 18 0 0 0 22 2z" />
        <path className={styles.petal} d="M15 28c-.3-9 6-17.4 14.6-20.2C29.9 16.8 24 25 15 28z" />
      </svg>
    </button>
  )
}

export type PinMapProps = {
  point: Point
  /** Read aloud of the map and of the pin. */
  label: string
  pinLabel: string
  hint: string
  /** What follows from the place, over the foot of the map. */
  facts?: string | undefined
  /** Where the pin was put. */
  onDrop: (point: Point) => void
}

/** How wide the map is, and what of the world it shows. */
function useView(point: Point) {
  const place = useRef<HTMLElement>(null)
  const [width, setWidth] = useState(0)
  const [view, setView] = useState<View>({ ...point, zoom: firstZoom })
  // Another place was chosen: the map goes there. Where the pin is dropped, it stays as it is.
  const [shown, setShown] = useState(point)
  if (shown.lat !== point.lat || shown.lon !== point.lon) {
    setShown(point)
    const from = project(point, view, { width, height })
    if (from.x < 0 || from.y < 0 || from.x > width || from.y > height) setView({ ...point, zoom: view.zoom })
  }
  useEffect(() => {
    const element = place.current
    if (!element) return
    const watch = new ResizeObserver(() => setWidth(element.clientWidth))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return { place, width, view, setView }
}

/** Pixels a finger may stray and still tap. */
const stray = 4

/** A tap on the map puts the pin there, for those who cannot drag (WCAG 2.2, 2.5.7); what drags the map or zooms it does not. */
function useTap(onTap: (at: Pixel) => void) {
  const from = useRef<Pixel | null>(null)
  return {
    onPointerDownCapture: ({ clientX: x, clientY: y }: PointerEvent) => void (from.current = { x, y }),
    onClick({ target, currentTarget, detail, clientX, clientY }: MouseEvent<HTMLElement>) {
      const { x, y } = from.current ?? { x: Infinity, y: Infinity }
      const strayed = Math.hypot(clientX - x, clientY - y) > stray
      if (detail !== 1 || strayed || (target as Element).closest('button, a')) return
      const { left, top } = currentTarget.getBoundingClientRect()
      onTap({ x: clientX - left, y: clientY - top })
    },
  }
}

export function PinMap({ point, label, pinLabel, hint, facts, onDrop }: PinMapProps) {
  const { t } = useTranslation('map')
  const { map } = usePageSettings()
  const streets = useStreetStyle(map.styleUrl)
  const [failed, setFailed] = useState(false)
  const { place, width, view, setView } = useView(point)
  const [moving, setMoving] = useState<Point | null>(null)
  const [isTouched, setIsTouched] = useState(false)
  const size = { width, height }
  const surface = { view, size, onView: setView, pins: [], origin: null, selected: null, highlighted: null, fixed: false }
  const paper = <PaperMap {...surface} />
  function drop(next: Point) {
    setMoving(null)
    setIsTouched(true)
    onDrop(next)
  }
  const tap = useTap(({ x, y }) => drop(pointBeside(view, view, { x: x - width / 2, y: y - height / 2 })))
  const zoom = (by: number) => setView(zoomedAt(view, by, { x: width / 2, y: height / 2 }, size))
  return (
    <section ref={place} aria-label={label} className={styles.map} style={{ blockSize: height }} dir="ltr" {...tap}>
      {width > 0 && (
        <>
          {streets && map.styleUrl !== null && !failed ? (
            <Suspense fallback={paper}>
              <StreetMap {...surface} styleUrl={map.styleUrl} onFailure={() => setFailed(true)} />
            </Suspense>
          ) : (
            paper
          )}
          <Pin
            point={moving ?? point}
            view={view}
            size={size}
            label={pinLabel}
            onMove={(next) => {
              setMoving(next)
              setIsTouched(true)
            }}
            onDrop={drop}
          />
          {!isTouched && (
            <p className={styles.hint} aria-hidden="true">
              {hint}
            </p>
          )}
          <p role="status" className={facts ? styles.facts : undefined}>
            {facts}
          </p>
          <div className={mapStyles.controls}>
            <IconButton icon="plus" label={t('zoomIn')} onClick={() => zoom(1)} />
            <hr className="rule" />
            <IconButton icon="minus" label={t('zoomOut')} onClick={() => zoom(-1)} />
          </div>
        </>
      )}
    </section>
  )
}

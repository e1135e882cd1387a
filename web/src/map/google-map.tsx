// Google's map behind the props of our own. The pins stay ours: the same buttons, laid on Google's pane.
import { useEffect, useMemo, useRef, useState } from 'react'
import { createPortal } from 'react-dom'
import { useTranslation } from '#/platform/translation.ts'
import type { GoogleMaps } from '#/platform/google-maps.ts'
import { crowdedPins } from './crowded-pins.ts'
import { openGoogleSurface, type Drawn, type GoogleSurface } from './google-surface.ts'
import { MapPinButton } from './map-pin.tsx'
import type { MapSurfaceProps, Origin } from './map-props.ts'
import { pixelsPerKm, project, type Point, type Size } from './mercator.ts'
import styles from './google-map.module.css'

export type GoogleMapProps = MapSurfaceProps & { maps: GoogleMaps; onFailure: () => void }

const noSize: Size = { width: 0, height: 0 }

function placed(point: Point, { view, middle }: Drawn) {
  const { x, y } = project(point, view, noSize)
  return `translate(${x + middle.x}px, ${y + middle.y}px)`
}

/** Opens the map once and keeps it in step; answers where the pane lies, once it is drawn. */
function useGoogleSurface(props: GoogleMapProps, layer: HTMLElement) {
  const { maps, view, fixed } = props
  const [drawn, setDrawn] = useState<Drawn | null>(null)
  const frame = useRef<HTMLDivElement>(null)
  const surface = useRef<GoogleSurface>(null)
  const latest = useRef(props)
  useEffect(() => {
    latest.current = props
  })
  useEffect(() => {
    const element = frame.current
    if (!element) return
    const onFailure = () => latest.current.onFailure()
    try {
      surface.current = openGoogleSurface({
        maps,
        element,
        layer,
        view: latest.current.view,
        fixed,
        onView: (next) => latest.current.onView(next),
        onDrawn: setDrawn,
        onFailure,
      })
    } catch {
      onFailure()
    }
    return () => {
      surface.current?.close()
      surface.current = null
    }
  }, [maps, layer, fixed])
  useEffect(() => {
    try {
      surface.current?.show(view)
    } catch {
      latest.current.onFailure()
    }
  }, [view])
  return { frame, drawn }
}

function OriginMark({ origin, drawn }: { origin: Origin; drawn: Drawn }) {
  const radius = origin.radiusKm && origin.radiusKm * pixelsPerKm(origin.point.lat, drawn.view.zoom)
  return (
    <svg className={styles.origin} aria-hidden="true" style={{ transform: placed(origin.point, drawn) }}>
      {radius && <circle r={radius} className={styles.ring} />}
      <circle r="9" className={styles.originGround} />
      <circle r="5" className={styles.originDot} />
    </svg>
  )
}

function Pins({ drawn, ...props }: GoogleMapProps & { drawn: Drawn }) {
  const { view, size, pins, selected, highlighted, onSelect, onHighlight } = props
  const { t } = useTranslation('map')
  const crowded = useMemo(() => crowdedPins(pins, view, size), [pins, view, size])
  // The pane follows the map by itself; which pins are in sight, and so can be reached by keys, the view tells.
  const shown = pins.filter(({ point }) => {
    const { x, y } = project(point, view, size)
    return x > -60 && y > -20 && x < size.width + 60 && y < size.height + 60
  })
  return (
    <ul aria-label={t('pins')}>
      {shown.map((pin) => (
        <li
          key={pin.id}
          className={styles.place}
          style={{
            transform: placed(pin.point, drawn),
            zIndex: pin.id === selected ? 4 : pin.id === highlighted ? 3 : pin.tone === 'soon' ? 2 : 1,
          }}
        >
          <MapPinButton
            pin={pin}
            selected={pin.id === selected}
            highlighted={pin.id === highlighted}
            crowded={crowded.has(pin.id)}
            onSelect={onSelect}
            onHighlight={onHighlight}
          />
        </li>
      ))}
    </ul>
  )
}

export function GoogleMap(props: GoogleMapProps) {
  const [layer] = useState(() => document.createElement('div'))
  const { frame, drawn } = useGoogleSurface(props, layer)
  return (
    <>
      <div ref={frame} className={styles.map} dir="ltr" />
      {drawn &&
        createPortal(
          <>
            {props.origin && <OriginMark origin={props.origin} drawn={drawn} />}
            <Pins {...props} drawn={drawn} />
          </>,
          layer,
        )}
    </>
  )
}

// The paper map: drawn by ourselves from data that comes with the product, so it needs no network and no graphics card.
import { useMemo } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { landPath, scaleBar } from './paper-ground.ts'
import { crowdedPins } from './crowded-pins.ts'
import { MapPinButton } from './map-pin.tsx'
import type { MapSurfaceProps, Origin } from './map-props.ts'
import { areaOf, pixelsPerKm, project, type Size, type View } from './mercator.ts'
import { namesWithRoom, placeNames } from './place-names.ts'
import { useLand } from './use-land.ts'
import { useMapGestures } from './use-map-gestures.ts'
import styles from './paper-map.module.css'

function Ground({ view, size }: { view: View; size: Size }) {
  const land = useLand(areaOf(view, size))
  const outline = land ? landPath(land, view, size) : `M0 0H${size.width}V${size.height}H0Z`
  return (
    <svg className={styles.ground} width={size.width} height={size.height} aria-hidden="true">
      <path d={outline} className={styles.land} fillRule="evenodd" />
    </svg>
  )
}

/** Rings around the place that was asked for, with a petal where it is. */
function OriginMark({ origin, view, size }: { origin: Origin; view: View; size: Size }) {
  const { x, y } = project(origin.point, view, size)
  const perKm = pixelsPerKm(origin.point.lat, view.zoom)
  const bar = scaleBar(view).kilometres
  const rings = origin.radiusKm ? [origin.radiusKm] : [bar, bar * 2]
  return (
    <svg className={styles.ground} width={size.width} height={size.height} aria-hidden="true">
      {rings.map((kilometres) => (
        <circle key={kilometres} cx={x} cy={y} r={kilometres * perKm} className={styles.ring} />
      ))}
      <g transform={`translate(${x} ${y})`}>
        <circle r="13" className={styles.petalGround} />
        <path className={styles.petal} d="M-5 7.2C-5.2.5-.7-5.6 5.4-7.6 5.6-1.1 1.4 5-5 7.2z" />
      </g>
    </svg>
  )
}

type PlaceNamesProps = Pick<MapSurfaceProps, 'pins' | 'view' | 'size'> & { crowded: ReadonlySet<string> }

function PlaceNames({ pins, crowded, view, size }: PlaceNamesProps) {
  const names = useMemo(() => placeNames(pins, view.zoom), [pins, view.zoom])
  return namesWithRoom(names, pins, crowded, view, size).map(({ name, x, y }) => (
    <span key={name} aria-hidden="true" className={styles.name} style={{ transform: `translate(${x}px, ${y}px)` }}>
      <bdi>{name}</bdi>
    </span>
  ))
}

function Scale({ view }: { view: View }) {
  const { t } = useTranslation('map')
  const { kilometres, pixels } = scaleBar(view)
  return (
    <span className={styles.scale} aria-hidden="true" style={{ inlineSize: pixels }}>
      <bdi>{kilometres < 1 ? t('metres', { value: Math.round(kilometres * 1000) }) : t('kilometres', { value: kilometres })}</bdi>
    </span>
  )
}

export function PaperMap(props: MapSurfaceProps) {
  const { view, size, onView, pins, origin, selected, highlighted, onSelect, onHighlight, fixed } = props
  const { t } = useTranslation('map')
  const crowded = useMemo(() => crowdedPins(pins, view, size), [pins, view, size])
  const gestures = useMapGestures({ view, size, onView })
  const shown = pins
    .map((pin) => ({ pin, at: project(pin.point, view, size) }))
    .filter(({ at }) => at.x > -60 && at.y > -20 && at.x < size.width + 60 && at.y < size.height + 60)
    // Those further down lie on top; the chosen one above all.
    .sort((one, other) => one.at.y - other.at.y)
  return (
    <div className={styles.map} dir="ltr" {...(fixed ? {} : { ...gestures, 'aria-label': t('help') })}>
      <Ground view={view} size={size} />
      {origin && <OriginMark origin={origin} view={view} size={size} />}
      <PlaceNames pins={pins} crowded={crowded} view={view} size={size} />
      <ul aria-label={t('pins')}>
        {shown.map(({ pin, at }) => (
          <li
            key={pin.id}
            className={styles.place}
            style={{
              transform: `translate(${at.x}px, ${at.y}px)`,
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
      <Scale view={view} />
    </div>
  )
}

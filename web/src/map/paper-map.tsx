// The paper map: drawn by ourselves from data that comes with the product, so it needs no network and no graphics card.
import { useId, useMemo } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { landPath, scaleBar, sheets, threads } from './paper-ground.ts'
import { crowdedPins } from './crowded-pins.ts'
import { MapPinButton, type MapPin } from './map-pin.tsx'
import type { MapSurfaceProps, Origin } from './map-props.ts'
import { areaOf, pixelsPerKm, project, type Point, type Size, type View } from './mercator.ts'
import { useLand } from './use-land.ts'
import { useMapGestures } from './use-map-gestures.ts'
import styles from './paper-map.module.css'

function Ground({ view, size }: { view: View; size: Size }) {
  const id = useId()
  const land = useLand(areaOf(view, size))
  const outline = land ? landPath(land, view, size) : `M0 0H${size.width}V${size.height}H0Z`
  return (
    <svg className={styles.ground} width={size.width} height={size.height} aria-hidden="true">
      <defs>
        <clipPath id={`${id}-land`}>
          <path d={outline} clipRule="evenodd" />
        </clipPath>
      </defs>
      <path d={outline} className={styles.land} fillRule="evenodd" />
      <g clipPath={`url(#${id}-land)`}>
        {sheets(view, size).map(({ path, tone }, index) => (
          <path key={index} d={path} className={styles[tone]} />
        ))}
        {threads(view, size).map(({ path, strong }, index) => (
          <path key={index} d={path} className={strong ? styles.strongThread : styles.thread} />
        ))}
      </g>
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

type PlaceName = { name: string; point: Point }

function middleOf(points: readonly Point[]): Point {
  const sum = points.reduce((all, { lat, lon }) => ({ lat: all.lat + lat, lon: all.lon + lon }), { lat: 0, lon: 0 })
  return { lat: sum.lat / points.length, lon: sum.lon / points.length }
}

/** Quarters when near, towns when far: names of places that have something on the map. */
export function placeNames(pins: readonly MapPin[], zoom: number): PlaceName[] {
  const groups = new Map<string, Point[]>()
  for (const { quarter, city, point } of pins) {
    const name = zoom >= 10.2 ? quarter : city
    if (name) groups.set(name, [...(groups.get(name) ?? []), point])
  }
  // Where there is no room for all, the names of more places stay.
  return [...groups]
    .toSorted(([, one], [, other]) => other.length - one.length)
    .map(([name, points]) => ({ name, point: middleOf(points) }))
}

/** As the style sheet writes a name: spaced capitals on one line. */
const nameLetter = 9.5
const nameHeight = 18

/** Those that do not lie on one before them. */
export function namesWithRoom(names: readonly PlaceName[], view: View, size: Size): (PlaceName & { x: number; y: number })[] {
  const kept: (PlaceName & { x: number; y: number })[] = []
  for (const name of names) {
    const at = { ...name, ...project(name.point, view, size) }
    const lies = (other: (typeof kept)[number]) =>
      Math.abs(at.x - other.x) < (nameLetter * (at.name.length + other.name.length)) / 2 && Math.abs(at.y - other.y) < nameHeight
    if (!kept.some(lies)) kept.push(at)
  }
  return kept
}

function PlaceNames({ pins, view, size }: { pins: readonly MapPin[]; view: View; size: Size }) {
  const names = useMemo(() => placeNames(pins, view.zoom), [pins, view.zoom])
  return namesWithRoom(names, view, size).map(({ name, x, y }) => (
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
      <PlaceNames pins={pins} view={view} size={size} />
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

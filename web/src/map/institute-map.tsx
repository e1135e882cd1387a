// Places on a map, each pin with its next free time. Google's where the visitor chose it, else streets where a street
// map answers, paper where none does.
import { Suspense, useEffect, useMemo, useRef, useState, type ReactNode } from 'react'
import { useTranslation } from '#/platform/translation.ts'
import { Link } from 'react-router'
import { chooseGoogle, useGoogleChoice } from '#/platform/google-choice.ts'
import { giveUpGoogle, useGoogleMaps, type GoogleMaps } from '#/platform/google-maps.ts'
import { usePageSettings } from '#/platform/page-settings.ts'
import { Icon } from '#/theme/icons/icon.tsx'
import { lazily } from '#/ui/lazily.tsx'
import { Button, buttonClass } from '#/ui/button.tsx'
import { classNames } from '#/ui/class-names.ts'
import { IconButton } from '#/ui/icon-button.tsx'
import { gatherPins, middleOf } from './gathered-pins.ts'
import type { MapPin } from './map-pin.tsx'
import type { MapSurfaceProps, Origin } from './map-props.ts'
import { areaOf, cornersOf, viewOf, zoomedAt, type Area, type Point, type Size, type View } from './mercator.ts'
import { PaperMap } from './paper-map.tsx'
import { useStreetStyle } from './street-style.ts'
import styles from './institute-map.module.css'

const GoogleMap = lazily(async () => (await import('./google-map.tsx')).GoogleMap)
const StreetMap = lazily(async () => (await import('./street-map.tsx')).StreetMap)

export type InstituteMapProps = {
  label: string
  pins: readonly MapPin[]
  origin?: Origin | null
  /** The area that was searched; without it the map shows all pins. */
  area?: Area | null
  selected?: string | null
  highlighted?: string | null
  onSelect?: (id: string | null) => void
  onHighlight?: (id: string | null) => void
  /** The card of the selected pin, over the foot of the map. */
  card?: ReactNode
  /** Where a search of the shown area leads; without it none is offered. */
  searchAreaPath?: (area: Area) => string
  /** A picture of one place rather than a map to move. */
  fixed?: boolean
  className?: string | undefined
}

function useSize() {
  const place = useRef<HTMLElement>(null)
  const [size, setSize] = useState<Size | null>(null)
  useEffect(() => {
    const element = place.current
    if (!element) return
    const watch = new ResizeObserver(() => setSize({ width: element.clientWidth, height: element.clientHeight }))
    watch.observe(element)
    return () => watch.disconnect()
  }, [])
  return { place, size: size && size.width > 0 ? size : null }
}

type Shown = { pins: readonly MapPin[]; origin: Origin | null; area: Area | null; size: Size | null }

/** The view starts on the results and starts again with other results; in between it is the visitor's. */
function useView({ pins, origin, area, size }: Shown) {
  const results = [area?.join() ?? '', ...pins.map(({ id }) => id)].join(' ')
  const [moved, setMoved] = useState<{ results: string; view: View } | null>(null)
  const points = area ? cornersOf(area) : [...pins.map(({ point }) => point), ...(origin ? [origin.point] : [])]
  const isMoved = moved?.results === results
  const view = isMoved ? moved.view : size && viewOf(points, size, area ? 0 : 70)
  return { view, isMoved, setView: (next: View) => setMoved({ results, view: next }) }
}

/** Pins that gather from afar, each gathering a pin of its own; chosen, it is looked at more closely. */
function useGathered(props: Pick<InstituteMapProps, 'pins' | 'selected' | 'highlighted'>, view: View | null, size: Size | null) {
  const { t } = useTranslation('map')
  const { pins, selected = null, highlighted = null } = props
  const found = useMemo(() => view && size && gatherPins(pins, view, size, selected), [pins, view, size, selected])
  if (!found || found.gatherings.length === 0) return { pins, highlighted, looked: () => null }
  const gatherings = found.gatherings.map(({ id, pins: some }): MapPin => {
    const [first] = some
    const sameTown = some.every(({ city }) => city === first?.city)
    const text = String(some.length)
    const label = sameTown && first ? t('gatheredIn', { count: some.length, place: first.city }) : t('gathered', { count: some.length })
    return {
      id,
      text,
      label,
      tone: 'gathering',
      point: middleOf(some.map(({ point }) => point)),
      quarter: null,
      city: sameTown && first ? first.city : '',
    }
  })
  const holding = found.gatherings.find(({ pins: some }) => some.some(({ id }) => id === highlighted))
  return {
    pins: [...found.alone, ...gatherings],
    highlighted: holding?.id ?? highlighted,
    looked: (id: string | null) => found.gatherings.find((one) => one.id === id)?.pins.map(({ point }) => point) ?? null,
  }
}

function closerView(points: readonly Point[], view: View, size: Size): View {
  const closer = viewOf(points, size, 90)
  return { ...closer, zoom: Math.max(closer.zoom, view.zoom + 1) }
}

type SurfaceProps = MapSurfaceProps & { google: GoogleMaps | null; streets: string | null; onFailure: () => void }

function Surface({ google, streets, onFailure, ...props }: SurfaceProps) {
  const paper = <PaperMap {...props} />
  if (google) {
    return (
      <Suspense fallback={paper}>
        <GoogleMap {...props} maps={google} onFailure={giveUpGoogle} />
      </Suspense>
    )
  }
  if (!streets) return paper
  return (
    <Suspense fallback={paper}>
      <StreetMap {...props} styleUrl={streets} onFailure={onFailure} />
    </Suspense>
  )
}

function Controls({ view, size, onView }: { view: View; size: Size; onView: (view: View) => void }) {
  const { t } = useTranslation('map')
  const middle = { x: size.width / 2, y: size.height / 2 }
  return (
    <div className={styles.controls}>
      <IconButton icon="plus" label={t('zoomIn')} onClick={() => onView(zoomedAt(view, 1, middle, size))} />
      <hr className="rule" />
      <IconButton icon="minus" label={t('zoomOut')} onClick={() => onView(zoomedAt(view, -1, middle, size))} />
    </div>
  )
}

/** Only where the site has a key, and only while Google's map can be had. */
function GoogleChoiceButton({ chosen }: { chosen: boolean }) {
  const { t } = useTranslation('map')
  return (
    <Button
      variant="outline"
      size="small"
      className={styles.choice}
      title={chosen ? undefined : t('googleLearns')}
      onClick={() => chooseGoogle(!chosen)}
    >
      {t(chosen ? 'ownMap' : 'googleMap')}
    </Button>
  )
}

export function InstituteMap(props: InstituteMapProps) {
  const { label, pins, origin = null, area = null, card, searchAreaPath, fixed = false, className } = props
  const { t, i18n } = useTranslation('map')
  const { map } = usePageSettings()
  const choice = useGoogleChoice()
  const google = useGoogleMaps(choice.key, i18n.language)
  const { place, size } = useSize()
  const { view, isMoved, setView } = useView({ pins, origin, area, size })
  // Nothing is asked of another provider while Google's map is on its way or there.
  const streets = useStreetStyle(choice.key && !google.failed ? null : map.styleUrl)
  const [failed, setFailed] = useState(false)
  const shown = useGathered(props, view, size)
  /** A gathering is looked at more closely, at least a step; a pin is chosen. */
  function select(id: string | null): void {
    const points = shown.looked(id)
    if (points && view && size) setView(closerView(points, view, size))
    else props.onSelect?.(id)
  }
  return (
    <section ref={place} aria-label={label} className={classNames(styles.map, google.maps && styles.google, className)}>
      {view && size && (
        <>
          <Surface
            view={view}
            size={size}
            onView={setView}
            pins={shown.pins}
            origin={origin}
            selected={props.selected ?? null}
            highlighted={shown.highlighted}
            onSelect={props.onSelect && select}
            onHighlight={props.onHighlight}
            fixed={fixed}
            google={google.maps}
            streets={streets && !failed ? map.styleUrl : null}
            onFailure={() => setFailed(true)}
          />
          {!fixed && isMoved && searchAreaPath && (
            <Link
              to={searchAreaPath(areaOf(view, size))}
              preventScrollReset
              className={buttonClass({ variant: 'outline', size: 'small' }, styles.search)}
            >
              <Icon name="refresh" size={18} />
              {t('searchArea')}
            </Link>
          )}
          {!fixed && <Controls view={view} size={size} onView={setView} />}
          {choice.offered && !google.failed && !card && <GoogleChoiceButton chosen={choice.key !== null} />}
          {card && <div className={styles.card}>{card}</div>}
        </>
      )}
    </section>
  )
}

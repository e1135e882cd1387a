// Google's map under our pins: keeps its camera and our view together, and tells where pins lie on its pane.
import type { GoogleMaps, GoogleMapView, GoogleOverlay } from '#/platform/google-maps.ts'
import { leastZoom, mostZoom, type Pixel, type View } from './mercator.ts'

/** The pane Google moves along with the map: where the middle of a view lies on it. */
export type Drawn = { view: View; middle: Pixel }

export type GoogleSurface = { show: (view: View) => void; close: () => void }

export type GoogleSurfaceInput = {
  maps: GoogleMaps
  element: HTMLElement
  /** Holds the pins; Google puts it on its pane. */
  layer: HTMLElement
  view: View
  fixed: boolean
  onView: (view: View) => void
  onDrawn: (drawn: Drawn) => void
  onFailure: () => void
}

/** Google counts zoom in tiles of 256 px, we in tiles of 512. */
const zoomApart = 1

function camera({ lat, lon, zoom }: View) {
  return { center: { lat, lng: lon }, zoom: zoom + zoomApart }
}

function viewOfMap(map: GoogleMapView): View | null {
  const centre = map.getCenter()
  const zoom = map.getZoom()
  return centre && zoom !== undefined ? { lat: centre.lat(), lon: centre.lng(), zoom: zoom - zoomApart } : null
}

function isSame(one: View, other: View): boolean {
  return Math.abs(one.lat - other.lat) < 1e-6 && Math.abs(one.lon - other.lon) < 1e-6 && Math.abs(one.zoom - other.zoom) < 1e-3
}

function colorScheme(): 'LIGHT' | 'DARK' | 'FOLLOW_SYSTEM' {
  const { theme } = document.documentElement.dataset
  return theme === 'dark' ? 'DARK' : theme === 'light' ? 'LIGHT' : 'FOLLOW_SYSTEM'
}

function draw(map: GoogleMapView, overlay: GoogleOverlay, onDrawn: (drawn: Drawn) => void): void {
  const view = viewOfMap(map)
  const centre = map.getCenter()
  const middle = centre && overlay.getProjection()?.fromLatLngToDivPixel(centre)
  if (view && middle) onDrawn({ view, middle: { x: middle.x, y: middle.y } })
}

/** @throws whatever Google throws at the start; what it throws later goes to onFailure */
export function openGoogleSurface(input: GoogleSurfaceInput): GoogleSurface {
  const { maps, element, layer, view, fixed, onView, onDrawn, onFailure } = input
  const map = new maps.Map(element, {
    ...camera(view),
    minZoom: leastZoom + zoomApart,
    maxZoom: mostZoom + zoomApart,
    isFractionalZoomEnabled: true,
    disableDefaultUI: true,
    clickableIcons: false,
    keyboardShortcuts: !fixed,
    gestureHandling: fixed ? 'none' : 'cooperative',
    colorScheme: colorScheme(),
  })
  // What the map shows because we said so is not a move of the visitor, even where Google rounds it.
  let own = viewOfMap(map) ?? view
  let isOurs = false
  const told = new WeakSet<View>()
  const moves = map.addListener('bounds_changed', () => {
    const now = viewOfMap(map)
    if (!now || isOurs || isSame(now, own)) return
    own = now
    told.add(now)
    onView(now)
  })
  const overlay = new maps.OverlayView()
  const guarded = (act: () => void) => () => {
    try {
      act()
    } catch {
      onFailure()
    }
  }
  overlay.onAdd = guarded(() => {
    overlay.getPanes()?.overlayMouseTarget.append(layer)
    maps.OverlayView.preventMapHitsFrom(layer)
  })
  overlay.draw = guarded(() => draw(map, overlay, onDrawn))
  overlay.onRemove = guarded(() => layer.remove())
  overlay.setMap(map)
  return {
    show(next) {
      // A view the map itself told may be older than what it shows by now.
      if (told.has(next) || isSame(next, own)) return
      isOurs = true
      map.moveCamera(camera(next))
      isOurs = false
      own = viewOfMap(map) ?? next
    },
    close() {
      moves.remove()
      overlay.setMap(null)
      element.replaceChildren()
    },
  }
}

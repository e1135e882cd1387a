// Google's map script for component tests: what the product uses of it, with a camera and a pane that tests can read.
import type { GoogleMapOptions, GoogleOverlay, PlacePrediction } from '#/platform/google-maps.ts'

type Camera = Pick<GoogleMapOptions, 'center' | 'zoom'>
type Suggest = (request: { input: string; sessionToken: object }) => Promise<{ suggestions: { placePrediction: PlacePrediction }[] }>

/** The pane's own origin, which only Google knows. */
export const paneMiddle = { x: 1000, y: 2000 }

class FakeMap {
  readonly options: GoogleMapOptions
  readonly pane = document.createElement('div')
  private camera: Camera
  private readonly handlers = new Set<() => void>()

  constructor(element: HTMLElement, options: GoogleMapOptions) {
    this.options = options
    this.camera = options
    element.append(this.pane)
  }
  getCenter() {
    const { lat, lng } = this.camera.center
    return { lat: () => lat, lng: () => lng }
  }
  getZoom() {
    return this.camera.zoom
  }
  /** As the visitor's hand does, and as the product does: Google tells of both. */
  moveCamera(camera: Camera) {
    this.camera = camera
    for (const handler of this.handlers) handler()
  }
  addListener(_event: string, handler: () => void) {
    this.handlers.add(handler)
    return { remove: () => this.handlers.delete(handler) }
  }
}

class FakeOverlay implements GoogleOverlay {
  private map: FakeMap | null = null
  static preventMapHitsFrom(element: Element) {
    element.addEventListener('click', (event) => event.stopPropagation())
  }
  onAdd() {}
  draw() {}
  onRemove() {}
  setMap(map: unknown) {
    if (this.map) this.onRemove()
    this.map = map as FakeMap | null
    if (!this.map) return
    this.onAdd()
    this.draw()
  }
  getPanes() {
    return this.map && { overlayMouseTarget: this.map.pane }
  }
  getProjection() {
    return { fromLatLngToDivPixel: () => paneMiddle }
  }
}

export type FakeGoogle = { maps: FakeMap[]; asked: { input: string; sessionToken: object }[] }

export function googleScript(): HTMLScriptElement | null {
  return document.head.querySelector<HTMLScriptElement>('script[src^="https://maps.googleapis.com/"]')
}

/** The test's browser fetches nothing; left alone it would say at once that the script cannot be had. */
export function holdScripts(): void {
  const { settings } = (window as unknown as { happyDOM: { settings: { handleDisabledFileLoadingAsSuccess: boolean } } }).happyDOM
  settings.handleDisabledFileLoadingAsSuccess = true
}

/** The script arrives: its objects stand in the window, and it calls back. */
export function googleArrives(options: { suggest?: Suggest; breaks?: boolean } = {}): FakeGoogle {
  const fake: FakeGoogle = { maps: [], asked: [] }
  class Map extends FakeMap {
    constructor(element: HTMLElement, given: GoogleMapOptions) {
      super(element, given)
      if (options.breaks) throw new Error('no map today')
      fake.maps.push(this)
    }
  }
  class Token {}
  const places = {
    AutocompleteSessionToken: Token,
    AutocompleteSuggestion: {
      fetchAutocompleteSuggestions(request: { input: string; sessionToken: object }) {
        fake.asked.push(request)
        return options.suggest ? options.suggest(request) : Promise.resolve({ suggestions: [] })
      },
    },
  }
  window.google = {
    maps: { importLibrary: (name) => Promise.resolve(name === 'places' ? places : { Map, OverlayView: FakeOverlay }) },
  }
  window.soigneGoogleReady?.()
  return fake
}

/** Leaves neither script nor choice behind. */
export function forgetGoogle(): void {
  googleScript()?.remove()
  document.cookie = 'map=own; path=/'
  delete window.google
  delete window.soigneGoogleReady
  delete window.gm_authFailure
}

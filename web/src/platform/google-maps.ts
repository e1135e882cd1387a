// Google's map script: fetched once, when it is first needed, and given up for the rest of the visit at the first
// failure. Only what the product uses of it is declared here.
import { useEffect, useSyncExternalStore } from 'react'

type LatLngLiteral = { lat: number; lng: number }
type LatLng = { lat: () => number; lng: () => number }
type Listening = { remove: () => void }

export type GoogleMapView = {
  getCenter: () => LatLng | undefined
  getZoom: () => number | undefined
  moveCamera: (camera: { center: LatLngLiteral; zoom: number }) => void
  addListener: (event: string, handler: () => void) => Listening
}

export type GoogleMapOptions = {
  center: LatLngLiteral
  zoom: number
  minZoom: number
  maxZoom: number
  isFractionalZoomEnabled: boolean
  disableDefaultUI: boolean
  clickableIcons: boolean
  keyboardShortcuts: boolean
  gestureHandling: 'cooperative' | 'none'
  colorScheme: 'LIGHT' | 'DARK' | 'FOLLOW_SYSTEM'
}

export type GoogleOverlay = {
  onAdd: () => void
  draw: () => void
  onRemove: () => void
  setMap: (map: GoogleMapView | null) => void
  getPanes: () => { overlayMouseTarget: Element } | null | undefined
  getProjection: () => { fromLatLngToDivPixel: (at: LatLng) => { x: number; y: number } | null } | null | undefined
}

type MapsLibrary = {
  Map: new (element: HTMLElement, options: GoogleMapOptions) => GoogleMapView
  OverlayView: { new (): GoogleOverlay; preventMapHitsFrom: (element: Element) => void }
}

type FoundPlace = { fetchFields: (request: { fields: string[] }) => Promise<unknown>; location?: LatLng | null }

export type PlacePrediction = {
  placeId: string
  text: { text: string }
  mainText: { text: string } | null
  secondaryText: { text: string } | null
  toPlace: () => FoundPlace
}

type SuggestionRequest = { input: string; includedPrimaryTypes: string[]; language: string; sessionToken: object }

export type PlacesLibrary = {
  AutocompleteSessionToken: new () => object
  AutocompleteSuggestion: {
    fetchAutocompleteSuggestions: (request: SuggestionRequest) => Promise<{ suggestions: { placePrediction: PlacePrediction | null }[] }>
  }
}

/** Places are null when the key is not allowed to ask for them. */
export type GoogleMaps = MapsLibrary & { places: PlacesLibrary | null }

declare global {
  interface Window {
    google?: { maps: { importLibrary: (name: 'maps' | 'places') => Promise<unknown> } }
    /** Called by Google's script when it is ready. */
    soigneGoogleReady?: () => void
    /** Called by Google's script, by this name, when it does not accept the key. */
    gm_authFailure?: () => void
  }
}

const patienceMs = 10_000
const listeners = new Set<() => void>()
let state: 'unasked' | 'coming' | 'failed' | GoogleMaps = 'unasked'

function become(next: typeof state): void {
  // A failure is final: what comes after it comes too late.
  if (state === 'failed') return
  state = next
  for (const listener of listeners) listener()
}

/** Something of Google's threw or refused: our own map and our own places from here on. */
export function giveUpGoogle(): void {
  become('failed')
}

function scriptAddress(key: string, language: string): string {
  const query = new URLSearchParams({ key, libraries: 'places', loading: 'async', v: 'weekly', language, callback: 'soigneGoogleReady' })
  return `https://maps.googleapis.com/maps/api/js?${query}`
}

function fetchScript(key: string, language: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const script = document.createElement('script')
    script.async = true
    script.src = scriptAddress(key, language)
    script.addEventListener('error', () => reject(new Error('the map script did not come')))
    setTimeout(() => reject(new Error('the map script took too long')), patienceMs)
    globalThis.window.soigneGoogleReady = resolve
    globalThis.window.gm_authFailure = giveUpGoogle
    document.head.append(script)
  })
}

async function load(key: string, language: string): Promise<GoogleMaps> {
  await fetchScript(key, language)
  const maps = globalThis.window.google?.maps
  if (!maps) throw new Error('the map script brought nothing')
  const [drawing, places] = await Promise.all([maps.importLibrary('maps'), maps.importLibrary('places').catch(() => null)])
  return { ...(drawing as MapsLibrary), places: places as PlacesLibrary | null }
}

function ask(key: string, language: string): void {
  if (state !== 'unasked') return
  become('coming')
  load(key, language).then(become, giveUpGoogle)
}

function watch(listener: () => void): () => void {
  listeners.add(listener)
  return () => listeners.delete(listener)
}

export type GoogleState = { maps: GoogleMaps | null; failed: boolean }

/** Fetches the script as soon as there is a key; without one nothing is asked of Google, ever. */
export function useGoogleMaps(key: string | null, language: string): GoogleState {
  const now = useSyncExternalStore(
    watch,
    () => state,
    () => 'unasked' as const,
  )
  useEffect(() => {
    if (key) ask(key, language)
  }, [key, language])
  return { maps: key && typeof now === 'object' ? now : null, failed: now === 'failed' }
}

// Web Mercator at 512 px tiles, the scale MapLibre counts its zoom in, so both kinds of map share one view.

export type Point = { lat: number; lon: number }
export type View = Point & { zoom: number }
export type Size = { width: number; height: number }
/** West, south, east, north in degrees. */
export type Area = readonly [west: number, south: number, east: number, north: number]
export type Pixel = { x: number; y: number }

const tile = 512
const highestLatitude = 85.0511
const earthRadiusKm = 6371

export const leastZoom = 1
export const mostZoom = 16

function clamp(value: number, least: number, most: number): number {
  return Math.min(most, Math.max(least, value))
}

/** Position on the whole world drawn at a zoom, in pixels. */
export function worldPixel({ lat, lon }: Point, zoom: number): Pixel {
  const scale = tile * 2 ** zoom
  const sine = Math.sin((clamp(lat, -highestLatitude, highestLatitude) * Math.PI) / 180)
  return {
    x: ((lon + 180) / 360) * scale,
    y: (0.5 - Math.log((1 + sine) / (1 - sine)) / (4 * Math.PI)) * scale,
  }
}

export function pointAt({ x, y }: Pixel, zoom: number): Point {
  const scale = tile * 2 ** zoom
  const turned = Math.PI * (1 - (2 * y) / scale)
  return { lon: (x / scale) * 360 - 180, lat: (Math.atan(Math.sinh(turned)) * 180) / Math.PI }
}

/** Where a point lies in the window of a view. */
export function project(point: Point, view: View, size: Size): Pixel {
  const centre = worldPixel(view, view.zoom)
  const place = worldPixel(point, view.zoom)
  return { x: place.x - centre.x + size.width / 2, y: place.y - centre.y + size.height / 2 }
}

/** The view with the window moved by some pixels. */
export function moved(view: View, by: Pixel): View {
  const centre = worldPixel(view, view.zoom)
  return limited({ ...pointAt({ x: centre.x + by.x, y: centre.y + by.y }, view.zoom), zoom: view.zoom })
}

/** Zooms so that the point of the window stays where it is. */
export function zoomedAt(view: View, by: number, at: Pixel, size: Size): View {
  const zoom = clamp(view.zoom + by, leastZoom, mostZoom)
  const offset = { x: at.x - size.width / 2, y: at.y - size.height / 2 }
  const kept = moved(view, offset)
  return moved({ ...kept, zoom }, { x: -offset.x, y: -offset.y })
}

export function limited({ lat, lon, zoom }: View): View {
  return {
    lat: clamp(lat, -highestLatitude, highestLatitude),
    lon: clamp(lon, -180, 180),
    zoom: clamp(zoom, leastZoom, mostZoom),
  }
}

export function areaOf(view: View, size: Size): Area {
  const centre = worldPixel(view, view.zoom)
  const start = pointAt({ x: centre.x - size.width / 2, y: centre.y + size.height / 2 }, view.zoom)
  const end = pointAt({ x: centre.x + size.width / 2, y: centre.y - size.height / 2 }, view.zoom)
  return [clamp(start.lon, -180, 180), start.lat, clamp(end.lon, -180, 180), end.lat]
}

export function cornersOf([west, south, east, north]: Area): Point[] {
  return [
    { lon: west, lat: south },
    { lon: east, lat: north },
  ]
}

/** The closest view that shows all points inside a margin. */
export function viewOf(points: readonly Point[], size: Size, margin = 64, closest = 13.5): View {
  if (points.length === 0) return { lat: 30, lon: 8, zoom: leastZoom }
  const pixels = points.map((point) => worldPixel(point, 0))
  const xs = pixels.map(({ x }) => x)
  const ys = pixels.map(({ y }) => y)
  const [left, right, top, bottom] = [Math.min(...xs), Math.max(...xs), Math.min(...ys), Math.max(...ys)]
  const room = { x: Math.max(80, size.width - 2 * margin), y: Math.max(80, size.height - 2 * margin) }
  const zoom = Math.log2(Math.min(room.x / Math.max(right - left, 1e-9), room.y / Math.max(bottom - top, 1e-9)))
  const centre = pointAt({ x: (left + right) / 2, y: (top + bottom) / 2 }, 0)
  return limited({ ...centre, zoom: Math.min(zoom, closest) })
}

/** How many pixels a kilometre takes at a latitude. */
export function pixelsPerKm(lat: number, zoom: number): number {
  const around = 2 * Math.PI * earthRadiusKm * Math.cos((lat * Math.PI) / 180)
  return (tile * 2 ** zoom) / around
}

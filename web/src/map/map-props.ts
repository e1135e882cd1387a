// What both kinds of map are given.
import type { MapPin } from './map-pin.tsx'
import type { Point, Size, View } from './mercator.ts'

export type Origin = { name: string | null; point: Point; radiusKm: number | null }

export type MapSurfaceProps = {
  view: View
  size: Size
  onView: (view: View) => void
  pins: readonly MapPin[]
  origin: Origin | null
  selected: string | null
  highlighted: string | null
  onSelect?: ((id: string | null) => void) | undefined
  onHighlight?: ((id: string | null) => void) | undefined
  /** A picture of a place rather than a map to move. */
  fixed: boolean
}

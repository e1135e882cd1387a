// From afar, pins that would lie on each other gather into one that says how many there are; a step closer they part.
import type { MapPin } from './map-pin.tsx'
import { project, type Pixel, type Point, type Size, type View } from './mercator.ts'

export type Gathering = { id: string; pins: readonly MapPin[] }

export type GatheredPins = { alone: readonly MapPin[]; gatherings: readonly Gathering[] }

/** From here on every institute stands where it is, if only as a dot. */
const partZoom = 12

/** Closer than a pin is wide. */
const reach = 48

type Group = { at: Pixel; pins: MapPin[] }

function near(one: Pixel, other: Pixel): boolean {
  return Math.abs(one.x - other.x) < reach && Math.abs(one.y - other.y) < reach
}

/** The selected pin stays by itself, so that nobody loses what they chose. */
export function gatherPins(pins: readonly MapPin[], view: View, size: Size, selected: string | null): GatheredPins {
  if (view.zoom >= partZoom) return { alone: pins, gatherings: [] }
  const groups: Group[] = []
  const alone: MapPin[] = []
  for (const pin of pins) {
    if (pin.id === selected) {
      alone.push(pin)
      continue
    }
    const at = project(pin.point, view, size)
    const group = groups.find((other) => near(other.at, at))
    if (group) group.pins.push(pin)
    else groups.push({ at, pins: [pin] })
  }
  const gatherings: Gathering[] = []
  for (const { pins: found } of groups) {
    const [first] = found
    if (first && found.length > 1) gatherings.push({ id: `gathering ${first.id}`, pins: found })
    else alone.push(...found)
  }
  return { alone, gatherings }
}

export function middleOf(points: readonly Point[]): Point {
  const sum = points.reduce((all, { lat, lon }) => ({ lat: all.lat + lat, lon: all.lon + lon }), { lat: 0, lon: 0 })
  return { lat: sum.lat / points.length, lon: sum.lon / points.length }
}

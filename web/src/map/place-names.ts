// Names of quarters and towns on the paper map: of places that have something on it, clear of pins and of each other.
import { middleOf } from './gathered-pins.ts'
import type { MapPin } from './map-pin.tsx'
import { project, type Pixel, type Point, type Size, type View } from './mercator.ts'
import { boxOfPin, overlap, type Box } from './pin-boxes.ts'

type PlaceName = { name: string; point: Point }

/** Quarters when near, towns when far. */
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
const nameHeight = 16

/** Where a name may stand, from the middle of its pins: below, above, then further off. */
const steps = [14, -58, 38, -40, 58, -76]

function boxOfName(name: string, { x, y }: Pixel): Box {
  const half = (nameLetter * name.length) / 2 + 4
  return { left: x - half, right: x + half, top: y - nameHeight / 2, bottom: y + nameHeight / 2 }
}

export type PlacedName = { name: string; x: number; y: number }

/** Each name on the first free spot near its pins; one that finds none is left out. */
export function namesWithRoom(
  names: readonly PlaceName[],
  pins: readonly MapPin[],
  crowded: ReadonlySet<string>,
  view: View,
  size: Size,
): PlacedName[] {
  const taken = pins.map((pin) => boxOfPin(pin, crowded.has(pin.id), view, size))
  const kept: PlacedName[] = []
  for (const { name, point } of names) {
    const at = project(point, view, size)
    const spots = steps.map((down) => ({ x: at.x, y: at.y + down }))
    const spot = spots.find((one) => !taken.some((other) => overlap(boxOfName(name, one), other)))
    if (!spot) continue
    taken.push(boxOfName(name, spot))
    kept.push({ name, ...spot })
  }
  return kept
}

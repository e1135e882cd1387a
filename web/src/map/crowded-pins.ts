// Which pins have no room for their words: those that would lie on one that comes before them.
import type { MapPin } from './map-pin.tsx'
import { project, type Pixel, type Size, type View } from './mercator.ts'

/** As the style sheet draws a pin: its height with the foot, and its width around the words. */
const height = 41
const edges = 26
const letter = 8.5
const leastWidth = 46

type Placed = { at: Pixel; width: number }

function placed(pin: MapPin, view: View, size: Size): Placed {
  return { at: project(pin.point, view, size), width: Math.max(leastWidth, edges + letter * pin.text.length) }
}

function overlap(one: Placed, other: Placed): boolean {
  return Math.abs(one.at.x - other.at.x) < (one.width + other.width) / 2 && Math.abs(one.at.y - other.at.y) < height
}

/** Earlier pins keep their words; those of the nearer time come first. */
export function crowdedPins(pins: readonly MapPin[], view: View, size: Size): ReadonlySet<string> {
  const wordy = pins.filter(({ text }) => text !== '')
  const inOrder = [...wordy.filter(({ tone }) => tone === 'soon'), ...wordy.filter(({ tone }) => tone !== 'soon')]
  const roomy: Placed[] = []
  const crowded = new Set<string>()
  for (const pin of inOrder) {
    const here = placed(pin, view, size)
    if (roomy.some((other) => overlap(here, other))) crowded.add(pin.id)
    else roomy.push(here)
  }
  return crowded
}

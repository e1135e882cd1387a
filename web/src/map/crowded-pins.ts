// Which pins have no room for their words: those that would lie on one that comes before them.
import type { MapPin } from './map-pin.tsx'
import type { Size, View } from './mercator.ts'
import { boxOfPin, overlap, type Box } from './pin-boxes.ts'

const order: readonly MapPin['tone'][] = ['gathering', 'soon', 'later', 'none']

/** Earlier pins keep their words; those of the nearer time come first. */
export function crowdedPins(pins: readonly MapPin[], view: View, size: Size): ReadonlySet<string> {
  const inOrder = pins.filter(({ text }) => text !== '').toSorted((one, other) => order.indexOf(one.tone) - order.indexOf(other.tone))
  const roomy: Box[] = []
  const crowded = new Set<string>()
  for (const pin of inOrder) {
    const here = boxOfPin(pin, false, view, size)
    if (roomy.some((other) => overlap(here, other))) crowded.add(pin.id)
    else roomy.push(here)
  }
  return crowded
}

// The room a pin takes, as the style sheet draws it.
import type { MapPin } from './map-pin.tsx'
import { project, type Size, type View } from './mercator.ts'

export type Box = { left: number; right: number; top: number; bottom: number }

/** Its height with the foot, and its width around the words. */
const height = 41
const edges = 26
const letter = 8.5
const leastWidth = 46
const dot = 11
const disc = 26

export function boxOfPin(pin: MapPin, isDot: boolean, view: View, size: Size): Box {
  const { x, y } = project(pin.point, view, size)
  if (isDot || pin.text === '') return { left: x - dot, right: x + dot, top: y - dot, bottom: y + dot }
  if (pin.tone === 'gathering') return { left: x - disc, right: x + disc, top: y - disc, bottom: y + disc }
  const half = Math.max(leastWidth, edges + letter * pin.text.length) / 2
  return { left: x - half, right: x + half, top: y - height, bottom: y }
}

export function overlap(one: Box, other: Box): boolean {
  return one.left < other.right && other.left < one.right && one.top < other.bottom && other.top < one.bottom
}

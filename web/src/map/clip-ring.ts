// Cuts a closed ring to a rectangle, edge by edge (Sutherland and Hodgman).
import type { Area } from './mercator.ts'

export type Position = readonly [lon: number, lat: number]

type Edge = { inside: (at: Position) => boolean; meet: (from: Position, to: Position) => Position }

function along(from: Position, to: Position, share: number): Position {
  return [from[0] + (to[0] - from[0]) * share, from[1] + (to[1] - from[1]) * share]
}

function edgesOf([west, south, east, north]: Area): Edge[] {
  const atLon = (lon: number) => (from: Position, to: Position) => along(from, to, (lon - from[0]) / (to[0] - from[0]))
  const atLat = (lat: number) => (from: Position, to: Position) => along(from, to, (lat - from[1]) / (to[1] - from[1]))
  return [
    { inside: ([lon]) => lon >= west, meet: atLon(west) },
    { inside: ([lon]) => lon <= east, meet: atLon(east) },
    { inside: ([, lat]) => lat >= south, meet: atLat(south) },
    { inside: ([, lat]) => lat <= north, meet: atLat(north) },
  ]
}

function cutAt(ring: readonly Position[], { inside, meet }: Edge): Position[] {
  const kept: Position[] = []
  let before = ring.at(-1)
  for (const at of ring) {
    if (before && inside(at) !== inside(before)) kept.push(meet(before, at))
    if (inside(at)) kept.push(at)
    before = at
  }
  return kept
}

/** The part of the ring inside the area; empty when they do not meet. */
export function clipRing(ring: readonly Position[], area: Area): Position[] {
  let kept: readonly Position[] = ring
  for (const edge of edgesOf(area)) {
    if (kept.length === 0) return []
    kept = cutAt(kept, edge)
  }
  return [...kept]
}

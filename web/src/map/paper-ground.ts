// The drawing under the paper map: land cut out of the sea, faint sheets laid on it, and fine threads that give the eye
// something to measure by. Sheets and threads hold to places on earth, so they move with the map, but mean nothing.
import type { Land } from './land-area.ts'
import { areaOf, pixelsPerKm, project, type Point, type Size, type View } from './mercator.ts'

/** Repeatable chance from two whole numbers, 0 to 1. */
function chance(a: number, b: number, salt: number): number {
  const mixed = Math.sin(a * 127.1 + b * 311.7 + salt * 74.7) * 43758.5453
  return mixed - Math.floor(mixed)
}

function text(value: number): string {
  return value.toFixed(1)
}

export function landPath(land: Land, view: View, size: Size): string {
  const parts: string[] = []
  for (const ring of land.rings) {
    let path = ''
    let lastX = Number.NaN
    let lastY = Number.NaN
    for (let index = 0; index < ring.length; index += 2) {
      const { x, y } = project({ lon: ring[index] ?? 0, lat: ring[index + 1] ?? 0 }, view, size)
      // Points closer than a pixel are one.
      if (Math.abs(x - lastX) < 0.8 && Math.abs(y - lastY) < 0.8) continue
      path += `${path ? 'L' : 'M'}${text(x)} ${text(y)}`
      lastX = x
      lastY = y
    }
    parts.push(`${path}Z`)
  }
  return parts.join('')
}

export type Thread = { path: string; strong: boolean }

/** Degrees between threads, 50 to 100 px apart at every scale. */
function threadStep(view: View): number {
  return 360 / 2 ** (Math.round(view.zoom) + 2.8)
}

/** How far a thread swings to the side, in steps. */
function bend(along: number, number: number): number {
  return Math.sin(along * 0.62 + number * 1.7) * 0.24 + Math.sin(along * 0.23 + number * 0.2) * 0.42
}

/** Upright threads lean, so that the net does not look like graph paper. */
const lean = 0.22

function bentThread(points: readonly Point[], view: View, size: Size): string {
  return points
    .map((point, index) => {
      const { x, y } = project(point, view, size)
      return `${index === 0 ? 'M' : 'L'}${text(x)} ${text(y)}`
    })
    .join('')
}

export function threads(view: View, size: Size): Thread[] {
  const [west, south, east, north] = areaOf(view, size)
  const across = threadStep(view)
  const up = across * Math.cos((view.lat * Math.PI) / 180)
  const found: Thread[] = []
  const leanHere = (lat: number) => lean * (lat / up)
  const last = Math.ceil(east / across - leanHere(south)) + 2
  for (let number = Math.floor(west / across - leanHere(north)) - 2; number <= last; number += 1) {
    const points: Point[] = []
    for (let lat = south - up; lat <= north + up; lat += up / 2) {
      points.push({ lat, lon: (number + bend(lat / up, number) + leanHere(lat)) * across })
    }
    found.push({ path: bentThread(points, view, size), strong: Math.abs(number) % 5 === 0 })
  }
  for (let number = Math.floor(south / up) - 2; number * up < north + up * 2; number += 1) {
    const points: Point[] = []
    for (let lon = west - across; lon <= east + across; lon += across / 2) {
      points.push({ lon, lat: (number + bend(lon / across, number + 40)) * up })
    }
    found.push({ path: bentThread(points, view, size), strong: Math.abs(number) % 6 === 2 })
  }
  return found
}

export type Sheet = { path: string; tone: 'sand' | 'sage' }

function blob(x: number, y: number, radius: number, seed: number): string {
  const count = 7
  const at = (index: number) => {
    const turn = ((index % count) / count) * Math.PI * 2
    const reach = radius * (0.72 + 0.5 * chance(seed, index % count, 3))
    return { x: x + Math.cos(turn) * reach * 1.25, y: y + Math.sin(turn) * reach }
  }
  const middle = (one: { x: number; y: number }, other: { x: number; y: number }) =>
    `${text((one.x + other.x) / 2)} ${text((one.y + other.y) / 2)}`
  let path = `M${middle(at(count - 1), at(0))}`
  for (let index = 0; index < count; index += 1) {
    const corner = at(index)
    path += `Q${text(corner.x)} ${text(corner.y)} ${middle(corner, at(index + 1))}`
  }
  return `${path}Z`
}

/** A few large soft shapes; which ones follows from the place and the scale, never from the moment. */
export function sheets(view: View, size: Size): Sheet[] {
  const [west, south, east, north] = areaOf(view, size)
  const level = Math.round(view.zoom)
  const across = 360 / 2 ** (level + 0.6)
  const up = across * Math.cos((view.lat * Math.PI) / 180)
  const radius = pixelsPerKm(view.lat, view.zoom) * up * 111 * 0.3
  const found: Sheet[] = []
  for (let column = Math.floor(west / across) - 1; column * across < east + across; column += 1) {
    for (let row = Math.floor(south / up) - 1; row * up < north + up; row += 1) {
      if (chance(column, row, level) > 0.78) continue
      const point = {
        lon: (column + chance(column, row, 1)) * across,
        lat: (row + chance(column, row, 2)) * up,
      }
      const { x, y } = project(point, view, size)
      const reach = radius * (0.5 + chance(column, row, 5))
      found.push({
        path: blob(x, y, reach, column * 31 + row),
        tone: chance(column, row, 7) < 0.42 ? 'sage' : 'sand',
      })
    }
  }
  return found
}

/** A round number of kilometres of 55 to 140 px for the scale bar. */
export function scaleBar(view: View): { kilometres: number; pixels: number } {
  const perKm = pixelsPerKm(view.lat, view.zoom)
  const wanted = 140 / perKm
  const power = 10 ** Math.floor(Math.log10(wanted))
  const nice = [5, 2, 1].find((one) => one * power <= wanted) ?? 1
  const kilometres = nice * power
  return { kilometres, pixels: kilometres * perKm }
}

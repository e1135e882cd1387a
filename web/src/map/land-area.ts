// Which piece of the world's land to ask for: whole degrees around the window, so that few addresses serve everybody.
import type { Area } from './mercator.ts'

/** Rings of longitude and latitude, one after the other: lon, lat, lon, lat … */
export type Land = { area: Area; rings: readonly (readonly number[])[] }

const steps = [1, 5, 20, 180] as const

function stepFor([west, south, east, north]: Area): number {
  const span = Math.max(east - west, north - south)
  return steps.find((step) => span <= step * 2.5) ?? 180
}

/** The area of the land file that covers a window. */
export function landAreaFor(window: Area): Area {
  const step = stepFor(window)
  if (step === 180) return [-180, -90, 180, 90]
  const [west, south, east, north] = window
  const down = (degrees: number) => Math.floor(degrees / step) * step
  const up = (degrees: number) => Math.ceil(degrees / step) * step
  return [
    Math.max(-180, down(west) - step),
    Math.max(-90, down(south) - step),
    Math.min(180, up(east) + step),
    Math.min(90, up(north) + step),
  ]
}

export function landAddress(area: Area): string {
  return `/map/land/${area.join('_')}.json`
}

export function covers(area: Area, window: Area): boolean {
  return area[0] <= window[0] && area[1] <= window[1] && area[2] >= window[2] && area[3] >= window[3]
}

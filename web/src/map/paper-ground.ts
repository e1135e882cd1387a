// The drawing under the paper map: land cut out of the sea, and a bar to measure by. Nothing is drawn that is not there.
import type { Land } from './land-area.ts'
import { pixelsPerKm, project, type Size, type View } from './mercator.ts'

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

/** A round number of kilometres of 55 to 140 px for the scale bar. */
export function scaleBar(view: View): { kilometres: number; pixels: number } {
  const perKm = pixelsPerKm(view.lat, view.zoom)
  const wanted = 140 / perKm
  const power = 10 ** Math.floor(Math.log10(wanted))
  const nice = [5, 2, 1].find((one) => one * power <= wanted) ?? 1
  const kilometres = nice * power
  return { kilometres, pixels: kilometres * perKm }
}

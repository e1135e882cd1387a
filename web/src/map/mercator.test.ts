import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { clipRing } from './clip-ring.ts'
import { covers, landAreaFor } from './land-area.ts'
import { areaOf, moved, project, viewOf, zoomedAt } from './mercator.ts'

const size = { width: 500, height: 800 }
const lyon = { lat: 45.76, lon: 4.83 }
const marseille = { lat: 43.3, lon: 5.37 }

const points = fc.record({ lat: fc.double({ min: -70, max: 70, noNaN: true }), lon: fc.double({ min: -170, max: 170, noNaN: true }) })

describe('the view of a map', () => {
  it('shows every place it is made for, inside its margin', () => {
    fc.assert(
      fc.property(fc.array(points, { minLength: 1, maxLength: 6 }), (places) => {
        const view = viewOf(places, size, 60)
        if (view.zoom <= 1) return
        for (const place of places) {
          const { x, y } = project(place, view, size)
          expect(x).toBeGreaterThanOrEqual(59)
          expect(x).toBeLessThanOrEqual(441)
          expect(y).toBeGreaterThanOrEqual(59)
          expect(y).toBeLessThanOrEqual(741)
        }
      }),
    )
  })

  it('keeps the place under the pointer where it is when it comes closer', () => {
    const view = viewOf([lyon, marseille], size)
    const at = project(marseille, view, size)
    const after = project(marseille, zoomedAt(view, 1.5, at, size), size)
    expect(after.x).toBeCloseTo(at.x, 3)
    expect(after.y).toBeCloseTo(at.y, 3)
  })

  it('moves by as many pixels as the hand', () => {
    const view = viewOf([lyon], size)
    const before = project(lyon, view, size)
    const after = project(lyon, moved(view, { x: 30, y: -12 }), size)
    expect(after.x).toBeCloseTo(before.x - 30, 3)
    expect(after.y).toBeCloseTo(before.y + 12, 3)
  })

  it('asks for land that covers its window', () => {
    fc.assert(
      fc.property(points, fc.double({ min: 2, max: 15, noNaN: true }), (point, zoom) => {
        const window = areaOf({ ...point, zoom }, size)
        expect(covers(landAreaFor(window), window)).toBe(true)
      }),
    )
  })
})

describe('a ring cut to an area', () => {
  it('keeps what is inside and follows the edge where it was cut', () => {
    const ring = [
      [-5, -5],
      [5, -5],
      [5, 5],
      [-5, 5],
    ] as const
    expect(clipRing(ring, [0, 0, 10, 10])).toEqual(
      expect.arrayContaining([
        [0, 0],
        [5, 0],
        [5, 5],
        [0, 5],
      ]),
    )
    expect(clipRing(ring, [0, 0, 10, 10])).toHaveLength(4)
  })

  it('is empty when they do not meet', () => {
    expect(
      clipRing(
        [
          [20, 20],
          [30, 20],
          [25, 30],
        ],
        [0, 0, 10, 10],
      ),
    ).toEqual([])
  })
})

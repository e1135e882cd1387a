import { cleanup, fireEvent, screen } from '@testing-library/react'
import { useState } from 'react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { renderPart } from '#/testing/render-part.tsx'
import { loader } from './land-file.ts'
import { pointAt, worldPixel, type Point } from './mercator.ts'
import { PinMap } from './pin-map.tsx'

/** The page has a size from the start. */
class ToldAtOnce {
  private readonly told: () => void
  constructor(told: () => void) {
    this.told = told
  }
  observe() {
    this.told()
  }
  disconnect() {
    return undefined
  }
}

const firstZoom = 15
const croixRousse = { lat: 45.77315, lon: 4.8329 }
let dropped: Point[]
let captured: number[]

beforeEach(() => {
  dropped = []
  captured = []
  vi.stubGlobal('ResizeObserver', ToldAtOnce)
  vi.stubGlobal('fetch', (address: string) =>
    loader({ params: { '*': address.replace('/map/land/', '') } } as unknown as Parameters<typeof loader>[0]),
  )
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(360)
  vi.spyOn(HTMLElement.prototype, 'setPointerCapture').mockImplementation((id) => void captured.push(id))
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function Door() {
  const [point, setPoint] = useState<Point>(croixRousse)
  return (
    <PinMap
      point={point}
      label="Map with your pin"
      pinLabel="Pin"
      hint="Drag the pin to your door"
      facts="Europe/Paris · Euro"
      onDrop={(next) => {
        dropped.push(next)
        setPoint(next)
      }}
    />
  )
}

function open() {
  renderPart(<Door />)
  return screen.getByRole('button', { name: 'Pin' })
}

function expectMoved(from: Point, by: { x: number; y: number }) {
  const at = worldPixel(from, firstZoom)
  const { lat, lon } = pointAt({ x: at.x + by.x, y: at.y + by.y }, firstZoom)
  expect(dropped.at(-1)?.lat).toBeCloseTo(lat, 8)
  expect(dropped.at(-1)?.lon).toBeCloseTo(lon, 8)
}

describe('the pin at the door', () => {
  it('is put by one tap where it should be; what drags the map or zooms it leaves it', () => {
    open()
    const map = screen.getByRole('region', { name: 'Map with your pin' })
    const tap = (from: number, to: number, detail = 1) => {
      fireEvent.pointerDown(map, { clientX: from, clientY: 160 })
      fireEvent.click(map, { detail, clientX: to, clientY: 160 })
    }
    tap(240, 300)
    tap(240, 240, 2)
    expect(dropped).toEqual([])
    tap(240, 242)
    expectMoved(croixRousse, { x: 62, y: 0 })
    expect(dropped).toHaveLength(1)
  })

  it('[C-29] is dragged: it follows the finger, and is put once where it is let go', () => {
    const pin = open()
    expect(screen.getByText('Drag the pin to your door')).toBeTruthy()
    const before = pin.style.transform
    fireEvent.pointerDown(pin, { pointerId: 7, clientX: 180, clientY: 160 })
    fireEvent.pointerMove(pin, { pointerId: 7, clientX: 200, clientY: 150 })
    fireEvent.pointerMove(pin, { pointerId: 7, clientX: 220, clientY: 130 })
    expect(captured).toEqual([7])
    expect(pin.style.transform).not.toBe(before)
    expect(dropped).toEqual([])
    fireEvent.pointerUp(pin, { pointerId: 7, clientX: 220, clientY: 130 })
    expect(dropped).toHaveLength(1)
    expectMoved(croixRousse, { x: 40, y: -30 })
    expect(dropped[0]!.lat).toBeGreaterThan(croixRousse.lat)
    expect(dropped[0]!.lon).toBeGreaterThan(croixRousse.lon)
    // The finger is gone: nothing moves any more, and the hint has done its work.
    fireEvent.pointerMove(pin, { pointerId: 7, clientX: 300, clientY: 300 })
    expect(dropped).toHaveLength(1)
    expect(screen.queryByText('Drag the pin to your door')).toBeNull()
  })

  it('stays where it was when it is only touched, or the drag is broken off', () => {
    const pin = open()
    const before = pin.style.transform
    fireEvent.pointerDown(pin, { pointerId: 7, clientX: 180, clientY: 160 })
    fireEvent.pointerUp(pin, { pointerId: 7, clientX: 180, clientY: 160 })
    fireEvent.pointerDown(pin, { pointerId: 7, clientX: 180, clientY: 160 })
    fireEvent.pointerMove(pin, { pointerId: 7, clientX: 220, clientY: 130 })
    fireEvent.pointerCancel(pin, { pointerId: 7 })
    expect(dropped).toEqual([])
    expect(pin.style.transform).toBe(before)
  })

  it('is moved by the arrow keys, each press from where the last one left it', () => {
    const pin = open()
    fireEvent.keyDown(pin, { key: 'ArrowRight' })
    expectMoved(croixRousse, { x: 8, y: 0 })
    fireEvent.keyDown(pin, { key: 'ArrowUp' })
    expectMoved(croixRousse, { x: 8, y: -8 })
    fireEvent.keyDown(pin, { key: 'ArrowLeft' })
    fireEvent.keyDown(pin, { key: 'ArrowDown' })
    fireEvent.keyDown(pin, { key: 'a' })
    expect(dropped).toHaveLength(4)
    expectMoved(croixRousse, { x: 0, y: 0 })
  })

  it('what follows from its place is read out', () => {
    open()
    expect(screen.getByRole('status').textContent).toBe('Europe/Paris · Euro')
  })
})

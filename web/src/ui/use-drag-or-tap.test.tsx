import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { useDragOrTap } from './use-drag-or-tap.ts'

const moves: [number, number][] = []
function Frame() {
  return (
    <button type="button" {...useDragOrTap((across, down) => moves.push([across, down]))}>
      Picture
    </button>
  )
}

beforeEach(() => {
  moves.length = 0
  vi.spyOn(HTMLElement.prototype, 'setPointerCapture').mockImplementation(() => {})
  vi.spyOn(HTMLElement.prototype, 'clientWidth', 'get').mockReturnValue(200)
  vi.spyOn(HTMLElement.prototype, 'clientHeight', 'get').mockReturnValue(100)
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue({ left: 10, top: 20, width: 200, height: 100 } as DOMRect)
})
afterEach(() => {
  cleanup()
  vi.restoreAllMocks()
})

it('one tap brings what it points at to the middle; a key that presses the button, and the end of a drag, do not', () => {
  render(<Frame />)
  const frame = screen.getByRole('button', { name: 'Picture' })
  fireEvent.click(frame, { detail: 0 })
  expect(moves).toEqual([])
  fireEvent.pointerDown(frame, { pointerId: 1 })
  fireEvent.click(frame, { detail: 1, clientX: 160, clientY: 45 })
  expect(moves).toEqual([[-0.25, 0.25]])
  fireEvent.pointerDown(frame, { pointerId: 1 })
  fireEvent(frame, Object.assign(new Event('pointermove', { bubbles: true }), { buttons: 1, movementX: 40, movementY: 0 }))
  expect(moves.at(-1)).toEqual([0.2, 0])
  fireEvent.click(frame, { detail: 1, clientX: 200, clientY: 45 })
  expect(moves).toHaveLength(2)
})

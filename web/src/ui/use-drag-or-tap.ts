// What is moved behind a frame: dragged, or with one tap on what should be in its middle, for those who cannot drag (WCAG 2.2, 2.5.7).
import { useRef, type MouseEvent, type PointerEvent } from 'react'

/** Pixels a finger may stray and still tap. */
const stray = 4

/** `move` takes parts of the frame, as the picture follows the hand. */
export function useDragOrTap(move: (across: number, down: number) => void) {
  const gone = useRef(0)
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      gone.current = 0
      event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove({ buttons, movementX, movementY, currentTarget: { clientWidth, clientHeight } }: PointerEvent<HTMLElement>) {
      if (buttons !== 1 || clientWidth === 0) return
      gone.current += Math.abs(movementX) + Math.abs(movementY)
      move(movementX / clientWidth, movementY / clientHeight)
    },
    onClick({ detail, clientX, clientY, currentTarget }: MouseEvent<HTMLElement>) {
      const { left, top, width, height } = currentTarget.getBoundingClientRect()
      // A key that presses the button is no tap.
      if (detail === 0 || gone.current > stray || width === 0) return
      move(0.5 - (clientX - left) / width, 0.5 - (clientY - top) / height)
    },
  }
}

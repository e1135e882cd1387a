import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Countdown, formatCountdown } from './countdown.tsx'

const minute = 60_000
const start = Date.UTC(2025, 10, 20, 14, 0)
const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))

beforeEach(() => vi.useFakeTimers({ now: start }))

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('the time a hold is kept', () => {
  it('counts down in minutes and seconds', () => {
    render(<Countdown until={start + 10 * minute} warning="Two minutes left" />)
    expect(screen.getByRole('timer').textContent).toBe('10:00')
    pass(61_000)
    expect(screen.getByRole('timer').textContent).toBe('8:59')
  })

  it('warns at two minutes, not before', () => {
    render(<Countdown until={start + 10 * minute} warning="Two minutes left" />)
    pass(8 * minute - 1000)
    expect(screen.getByRole('status').textContent).toBe('')
    pass(1000)
    expect(screen.getByRole('status').textContent).toBe('Two minutes left')
  })

  it('says once that it ended', () => {
    const end = vi.fn()
    render(<Countdown until={start + minute} warning="w" ended="The time is up" onEnd={end} />)
    pass(2 * minute)
    expect(end).toHaveBeenCalledOnce()
    expect(screen.getByRole('status').textContent).toBe('The time is up')
  })

  it("follows the server's clock when this device's is wrong", () => {
    render(<Countdown until={start + 10 * minute} clockOffset={3 * minute} warning="w" />)
    expect(screen.getByRole('timer').textContent).toBe('7:00')
  })

  it('empties a petal with what is left of it', () => {
    const { container } = render(<Countdown until={start + 10 * minute} wholeMs={10 * minute} warning="w" ended="Over" />)
    const cut = () => container.querySelector<HTMLElement>('[style]')?.style.clipPath
    expect(cut()).toBe('inset(0% 0 0 0)')
    pass(2.5 * minute)
    expect(cut()).toBe('inset(25% 0 0 0)')
    pass(7.5 * minute)
    expect(container.querySelector('svg')).toBeNull()
    cleanup()
    expect(render(<Countdown until={start + 10 * minute} warning="w" />).container.querySelector('svg')).toBeNull()
  })

  it('writes seconds with two digits', () => {
    expect(formatCountdown(605)).toBe('10:05')
    expect(formatCountdown(9)).toBe('0:09')
  })
})

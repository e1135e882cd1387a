import { act, cleanup, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { Loading } from './skeleton.tsx'

const page = (loading: boolean) => (
  <Loading loading={loading} label="Loading appointments" skeleton={<i data-testid="shape" />}>
    <p>Appointments</p>
  </Loading>
)

const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
const announced = () => screen.queryByRole('status')?.textContent
const content = () => screen.queryByText('Appointments')

beforeEach(() => vi.useFakeTimers())

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('a loading page', () => {
  it('says nothing when the content comes within 200 ms', () => {
    const { rerender } = render(page(true))
    pass(199)
    expect(announced()).toBe('')
    rerender(page(false))
    expect(content()).not.toBeNull()
  })

  it('shows its shape after 200 ms', () => {
    render(page(true))
    pass(200)
    expect(announced()).toBe('Loading appointments')
    expect(screen.getByTestId('shape')).toBeTruthy()
  })

  it('keeps the shape at least 400 ms once it is shown', () => {
    const { rerender } = render(page(true))
    pass(210)
    rerender(page(false))
    pass(380)
    expect(content()).toBeNull()
    pass(20)
    expect(content()).not.toBeNull()
  })
})

import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ToastStack } from './toast-stack.tsx'
import { dismissAllToasts, dismissToast, showToast, updateToast, type ToastInput, type ToastType } from './toasts.ts'

function show(input: ToastInput): string {
  let id = ''
  act(() => {
    id = showToast(input)
  })
  return id
}

const pass = (ms: number) => act(() => void vi.advanceTimersByTime(ms))
const titles = () => [...document.querySelectorAll('[data-type]')].map((toast) => toast.querySelector('p')?.textContent)

beforeEach(() => {
  vi.useFakeTimers()
  render(<ToastStack label="Notifications" closeLabel="Close" />)
})

afterEach(() => {
  act(() => dismissAllToasts())
  cleanup()
  vi.useRealTimers()
})

describe('toasts', () => {
  it('[U-11] come in five types, errors as alerts and the others as status', () => {
    const types: ToastType[] = ['success', 'error', 'warning', 'info', 'loading']
    for (const type of types) show({ type, title: `A ${type}` })
    expect(screen.getByRole('alert').textContent).toContain('A error')
    expect(document.querySelectorAll('[role="status"]')).toHaveLength(4)
  })

  it('[U-11] stay five seconds unless told otherwise', () => {
    show({ type: 'success', title: 'Saved' })
    show({ type: 'info', title: 'Longer', durationMs: 8000 })
    pass(4999)
    expect(titles()).toEqual(['Saved', 'Longer'])
    pass(1)
    expect(titles()).toEqual(['Longer'])
    pass(3000)
    expect(titles()).toEqual([])
  })

  it('[U-11] can each be closed', () => {
    show({ type: 'success', title: 'One' })
    show({ type: 'error', title: 'Two' })
    fireEvent.click(screen.getAllByRole('button', { name: 'Close' })[0] ?? document.body)
    expect(titles()).toEqual(['Two'])
  })

  it('are not said twice: the time of the one on screen starts anew', () => {
    const first = show({ type: 'error', title: 'Wrong password' })
    pass(4000)
    expect(show({ type: 'error', title: 'Wrong password' })).toBe(first)
    show({ type: 'warning', title: 'Wrong password' })
    expect(titles()).toEqual(['Wrong password', 'Wrong password'])
    pass(4000)
    expect(screen.getAllByText('Wrong password')).toHaveLength(2)
    pass(1000)
    expect(titles()).toEqual([])
  })

  it('put the newest at the bottom', () => {
    show({ type: 'info', title: 'First' })
    show({ type: 'info', title: 'Second' })
    expect(titles()).toEqual(['First', 'Second'])
  })

  it('wait while the pointer or focus is on them', () => {
    show({ type: 'success', title: 'Saved' })
    pass(3000)
    fireEvent.pointerEnter(screen.getByRole('status'))
    pass(60_000)
    expect(titles()).toEqual(['Saved'])
    fireEvent.pointerLeave(screen.getByRole('status'))
    pass(1999)
    expect(titles()).toEqual(['Saved'])
    act(() => screen.getByRole('button', { name: 'Close' }).focus())
    pass(60_000)
    act(() => screen.getByRole('button', { name: 'Close' }).blur())
    pass(1)
    expect(titles()).toEqual([])
  })

  it('that load stay without a hairline until they are updated', () => {
    const id = show({ type: 'loading', title: 'Moving your appointment' })
    pass(60_000)
    expect(titles()).toEqual(['Moving your appointment'])
    expect(screen.queryByTestId('time-left')).toBeNull()
    act(() => void updateToast(id, { type: 'success', title: 'Moved' }))
    expect(titles()).toEqual(['Moved'])
    expect(screen.queryByTestId('time-left')).not.toBeNull()
    pass(5000)
    expect(titles()).toEqual([])
  })

  it('can be taken away by who showed them', () => {
    const id = show({ type: 'loading', title: 'Sending' })
    act(() => dismissToast(id))
    expect(titles()).toEqual([])
  })
})

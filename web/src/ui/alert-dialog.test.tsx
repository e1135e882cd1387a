import { act, cleanup, fireEvent, render, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { AlertDialog } from './alert-dialog.tsx'
import { alertStore, showAlert, type AlertType } from './alerts.ts'

// The little DOM has no canvas to throw petals on, so the thrower is watched instead.
const thrower = vi.hoisted(() => ({ launch: vi.fn(() => Promise.resolve()), reduced: false }))
vi.mock('canvas-confetti', () => ({
  default: { create: () => thrower.launch, shapeFromPath: () => ({ type: 'path' }) },
}))

const redirect = vi.fn()

beforeEach(() => {
  thrower.launch.mockClear()
  redirect.mockClear()
  thrower.reduced = false
  vi.spyOn(window, 'matchMedia').mockImplementation(
    (query) => ({ matches: thrower.reduced && query.includes('reduced-motion') }) as MediaQueryList,
  )
  render(<AlertDialog okLabel="Ok" closeLabel="Close" onRedirect={redirect} />)
})

afterEach(() => {
  act(() => alertStore.set([]))
  cleanup()
})

const open = (type: AlertType = 'success', redirectTo?: string) =>
  act(() => void showAlert({ type, title: 'See you at 16:40.', message: 'Inès expects you.', redirectTo }))

describe('the alert', () => {
  it('[U-12] is a modal with a title, a message, Ok and a close button', () => {
    expect(screen.queryByRole('alertdialog')).toBeNull()
    open()
    const dialog = screen.getByRole('alertdialog', { name: 'See you at 16:40.' })
    expect(dialog.getAttribute('aria-modal')).toBe('true')
    expect((dialog as HTMLDialogElement).open).toBe(true)
    expect(dialog.textContent).toContain('Inès expects you.')
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Ok' }))
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(screen.queryByRole('alertdialog')).toBeNull()
  })

  it('[U-12] throws a hundred petals when it shows, whatever its type', async () => {
    const types: AlertType[] = ['success', 'error', 'warning', 'info', 'loading']
    for (const [index, type] of types.entries()) {
      open(type)
      await waitFor(() => expect(thrower.launch).toHaveBeenCalledTimes(index + 1))
      fireEvent.click(screen.getByRole('button', { name: 'Ok' }))
    }
    expect(thrower.launch).toHaveBeenLastCalledWith(expect.objectContaining({ particleCount: 100 }))
  })

  it('[U-12] lays the hundred petals still where movement is unwelcome', () => {
    thrower.reduced = true
    open()
    const petals = document.querySelectorAll('dialog > svg path')
    expect(petals).toHaveLength(100)
    expect(thrower.launch).not.toHaveBeenCalled()
  })

  it('[U-12] holds the page still while it is open', () => {
    expect(document.documentElement.style.overflow).toBe('')
    open()
    expect(document.documentElement.style.overflow).toBe('hidden')
    fireEvent.click(screen.getByRole('button', { name: 'Ok' }))
    expect(document.documentElement.style.overflow).toBe('')
  })

  it('[U-12] redirects on Ok and only on Ok', () => {
    open('success', '/appointments')
    fireEvent.click(screen.getByRole('button', { name: 'Close' }))
    expect(redirect).not.toHaveBeenCalled()
    open('success', '/appointments')
    fireEvent.click(screen.getByRole('button', { name: 'Ok' }))
    expect(redirect).toHaveBeenCalledExactlyOnceWith('/appointments')
  })

  it('gives focus back to where it was', () => {
    const before = document.createElement('button')
    document.body.append(before)
    before.focus()
    open()
    fireEvent.click(screen.getByRole('button', { name: 'Ok' }))
    expect(document.activeElement).toBe(before)
    before.remove()
  })

  it('shows one at a time, in order', () => {
    open()
    act(() => void showAlert({ type: 'info', title: 'Second', message: 'After the first.' }))
    expect(screen.getAllByRole('alertdialog')).toHaveLength(1)
    fireEvent.click(screen.getByRole('button', { name: 'Ok' }))
    expect(screen.getByRole('alertdialog', { name: 'Second' })).toBeTruthy()
  })
})

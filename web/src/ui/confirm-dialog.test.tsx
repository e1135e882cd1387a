import { act, cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { ConfirmDialog } from './confirm-dialog.tsx'
import { askConfirm, confirmStore } from './confirms.ts'

function ask(title = 'Let this hour go?') {
  let answer!: Promise<boolean>
  act(() => {
    answer = askConfirm({ title, message: 'Gel manicure, today at 16:40.', details: 'Back on your card €15.00' })
  })
  return answer
}

beforeEach(() => {
  render(<ConfirmDialog cancelLabel="cancle" confirmLabel="confirm" hint="Press Enter to confirm" />)
})

afterEach(() => {
  act(() => confirmStore.set([]))
  cleanup()
})

const dialog = () => screen.queryByRole('alertdialog')

describe('the confirmation', () => {
  it('[U-13] is closed until somebody asks, and has a title, a message and two buttons', () => {
    expect(dialog()).toBeNull()
    void ask()
    expect(screen.getByRole('alertdialog', { name: 'Let this hour go?' }).textContent).toContain('today at 16:40')
    expect(screen.getByRole('button', { name: 'cancle' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'confirm' })).toBeTruthy()
  })

  it('[U-13] answers true on confirm and closes', async () => {
    const answer = ask()
    fireEvent.click(screen.getByRole('button', { name: 'confirm' }))
    expect(await answer).toBe(true)
    expect(dialog()).toBeNull()
  })

  it('[U-13] answers false on cancle and closes', async () => {
    const answer = ask()
    fireEvent.click(screen.getByRole('button', { name: 'cancle' }))
    expect(await answer).toBe(false)
    expect(dialog()).toBeNull()
  })

  it('[U-13] confirms with Enter as it opens', async () => {
    const answer = ask()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'confirm' }))
    await userEvent.keyboard('{Enter}')
    expect(await answer).toBe(true)
    expect(dialog()).toBeNull()
  })

  it('[U-13] confirms with Enter from its text, but not from the other button', async () => {
    const first = ask()
    fireEvent.keyDown(screen.getByText('Gel manicure, today at 16:40.'), { key: 'Enter' })
    expect(await first).toBe(true)
    const second = ask()
    act(() => screen.getByRole('button', { name: 'cancle' }).focus())
    await userEvent.keyboard('{Enter}')
    expect(await second).toBe(false)
  })

  it('[U-13] takes Escape for a no', async () => {
    const answer = ask()
    fireEvent(screen.getByRole('alertdialog'), new Event('cancel', { cancelable: true }))
    expect(await answer).toBe(false)
    expect(dialog()).toBeNull()
  })

  it('[U-13] is one for the whole page: a second question waits for the first', async () => {
    const first = ask('First?')
    const second = ask('Second?')
    expect(screen.getAllByRole('alertdialog')).toHaveLength(1)
    fireEvent.click(screen.getByRole('button', { name: 'cancle' }))
    expect(await first).toBe(false)
    expect(screen.getByRole('alertdialog', { name: 'Second?' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'confirm' }))
    expect(await second).toBe(true)
  })
})

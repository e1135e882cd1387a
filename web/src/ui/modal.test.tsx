import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { Modal } from './modal.tsx'

function Page({ autofocus = false }: { autofocus?: boolean }) {
  const [open, setOpen] = useState(false)
  return (
    <>
      <button type="button" onClick={() => setOpen(true)}>
        Pick a date
      </button>
      <Modal open={open} onClose={() => setOpen(false)} labelledBy="title" describedBy="text">
        <h2 id="title">When?</h2>
        <button type="button" onClick={() => setOpen(false)}>
          Close
        </button>
        <p id="text">Lyon time</p>
        <input aria-label="Day" data-autofocus={autofocus || undefined} />
      </Modal>
    </>
  )
}

const dialog = () => screen.queryByRole<HTMLDialogElement>('dialog', { name: 'When?' })
const opener = () => screen.getByRole('button', { name: 'Pick a date' })

afterEach(cleanup)

describe('a dialog', () => {
  it('is not in the page until it is opened', async () => {
    render(<Page />)
    expect(dialog()).toBeNull()
    await userEvent.click(opener())
    expect(dialog()?.open).toBe(true)
  })

  it('takes focus as a whole, or where the caller says', async () => {
    render(<Page />)
    await userEvent.click(opener())
    expect(document.activeElement?.parentElement).toBe(dialog())
    cleanup()
    render(<Page autofocus />)
    await userEvent.click(opener())
    expect(document.activeElement).toBe(screen.getByLabelText('Day'))
  })

  it('closes by its button, Escape and the ground behind it, and gives focus back', async () => {
    render(<Page />)
    const ways = [
      () => fireEvent.click(screen.getByRole('button', { name: 'Close' })),
      () => fireEvent(dialog() ?? document.body, new Event('cancel', { cancelable: true })),
      () => fireEvent.mouseDown(dialog() ?? document.body),
    ]
    for (const close of ways) {
      await userEvent.click(opener())
      expect(document.documentElement.style.overflow).toBe('hidden')
      close()
      expect(dialog()).toBeNull()
      expect(document.activeElement).toBe(opener())
      expect(document.documentElement.style.overflow).toBe('')
    }
  })

  it('stays open when something inside is pressed', async () => {
    render(<Page />)
    await userEvent.click(opener())
    fireEvent.mouseDown(screen.getByLabelText('Day'))
    expect(dialog()).not.toBeNull()
  })

  it('is described by its text', async () => {
    render(<Page />)
    await userEvent.click(opener())
    expect(document.getElementById(dialog()?.getAttribute('aria-describedby') ?? '')?.textContent).toBe('Lyon time')
  })
})

import { act, cleanup, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { MemoryRouter } from 'react-router'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { DisclosureMenu, MenuItem } from './disclosure-menu.tsx'

const logout = vi.fn()

function show() {
  render(
    <MemoryRouter>
      <DisclosureMenu button="Camille" label="Account">
        {(close) => (
          <>
            <MenuItem to="/settings" onClick={close}>
              Settings
            </MenuItem>
            <MenuItem onClick={logout}>Logout</MenuItem>
          </>
        )}
      </DisclosureMenu>
      <button type="button">Elsewhere</button>
    </MemoryRouter>,
  )
}

const trigger = () => screen.getByRole('button', { name: 'Account' })
const isOpen = () => trigger().getAttribute('aria-expanded') === 'true'

afterEach(cleanup)

describe('the account menu', () => {
  it('opens and closes with its button', async () => {
    show()
    expect(screen.queryByRole('link', { name: 'Settings' })).toBeNull()
    await userEvent.click(trigger())
    expect(isOpen()).toBe(true)
    expect(screen.getByRole('link', { name: 'Settings' })).toBeTruthy()
    await userEvent.click(trigger())
    expect(isOpen()).toBe(false)
  })

  it('closes with Escape and gives focus back to its button', async () => {
    show()
    await userEvent.click(trigger())
    act(() => screen.getByRole('button', { name: 'Logout' }).focus())
    await userEvent.keyboard('{Escape}')
    expect(isOpen()).toBe(false)
    expect(document.activeElement).toBe(trigger())
  })

  it('closes when one goes elsewhere or follows a link', async () => {
    show()
    await userEvent.click(trigger())
    act(() => screen.getByRole('button', { name: 'Elsewhere' }).focus())
    expect(isOpen()).toBe(false)
    await userEvent.click(trigger())
    await userEvent.click(screen.getByRole('link', { name: 'Settings' }))
    expect(isOpen()).toBe(false)
  })

  it('runs its actions', async () => {
    show()
    await userEvent.click(trigger())
    await userEvent.click(screen.getByRole('button', { name: 'Logout' }))
    expect(logout).toHaveBeenCalledOnce()
  })
})

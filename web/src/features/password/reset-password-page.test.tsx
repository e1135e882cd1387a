import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import ResetPasswordPage from './reset-password-page.tsx'

const pages = { '/reset-password': <ResetPasswordPage /> }

beforeEach(() => localStorage.clear())
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

async function change(password: string) {
  await userEvent.type(await screen.findByLabelText('New password'), password)
  await userEvent.click(screen.getByRole('button', { name: 'Change my password' }))
}

describe('a forgotten password', () => {
  it('[C-06] asks for a link and shows the answer', async () => {
    const seen = fakeServer({ requestPasswordReset: () => ({ message: 'A mail is on its way.' }) })
    renderSite('/reset-password', pages)
    await userEvent.type(screen.getByLabelText('Email'), 'ann@example.test')
    await userEvent.click(screen.getByRole('button', { name: 'Send the link' }))
    expect(await screen.findByText('A mail is on its way.')).toBeTruthy()
    expect(seen[0]?.body).toEqual({ email: 'ann@example.test' })
  })

  it('[C-08] asks whether the link is good before a password is typed, and offers another when it is not', async () => {
    const seen = fakeServer({ validateResetToken: () => refused(422, { code: 'link_expired', message: 'This link is too old.' }) })
    renderSite('/reset-password?token=old', pages)
    expect(await screen.findByText('This link is too old.')).toBeTruthy()
    expect(seen[0]?.query.get('token')).toBe('old')
    expect(screen.getByRole('link', { name: 'Send a new link' }).getAttribute('href')).toBe('/reset-password')
  })

  it('[C-07] sets the new password and goes to login', async () => {
    const seen = fakeServer({
      validateResetToken: () => ({ message: 'Good' }),
      resetPassword: () => ({ message: 'Your password is changed.' }),
    })
    const { place } = renderSite('/reset-password?token=good', pages)
    await change('another sentence')
    expect(await screen.findByText('Your password is changed.')).toBeTruthy()
    // The link works once: its form is gone however the alert is closed.
    expect(screen.queryByLabelText('New password')).toBeNull()
    expect(seen[1]?.body).toEqual({ token: 'good', password: 'another sentence' })
    await userEvent.click(screen.getByRole('button', { name: 'Ok' }))
    await waitFor(() => expect(place()).toBe('/login'))
  })

  it('[C-07] says why a password is refused and keeps it in its field', async () => {
    fakeServer({
      validateResetToken: () => ({ message: 'Good' }),
      resetPassword: () => refused(422, { code: 'password_common', message: 'Too many people use this one.' }),
    })
    renderSite('/reset-password?token=good', pages)
    await change('password1234')
    await waitFor(() => expect(screen.getByLabelText('New password').getAttribute('aria-invalid')).toBe('true'))
    expect(screen.getByLabelText<HTMLInputElement>('New password').value).toBe('password1234')
  })
})

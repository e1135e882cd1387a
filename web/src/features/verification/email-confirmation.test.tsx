import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { client, owner, professional, unverified } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'

type Handlers = Parameters<typeof fakeServer>[0]

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

async function openGate(handlers: Handlers, address = '/appointment/list', user = client) {
  const state = { verified: false }
  const seen = fakeServer({
    me: () => (state.verified ? user : unverified(user)),
    currentHolds: () => ({ items: [] }),
    verifyEmail: () => {
      state.verified = true
      return { message: 'Your email is confirmed.' }
    },
    ...handlers,
  })
  const site = renderSite(address)
  await screen.findByRole('heading', { name: 'Email Confirmation' })
  return { seen, ...site }
}

const code = () => screen.getByRole<HTMLInputElement>('textbox', { name: '6-digit code' })
const confirm = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Confirm' })

describe('Email Confirmation', () => {
  it('[R-19] [U-05] stands in place of the page with a code input, Resend, Cancel and Confirm', async () => {
    await openGate({})
    expect(screen.queryByText('The page asked for')).toBeNull()
    expect(screen.getByRole('button', { name: 'Resend' })).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Cancel' })).toBeTruthy()
    expect(screen.getByText('ann@example.test', { selector: 'main *' })).toBeTruthy()
  })

  it('[V-01] takes digits only, six at most, and confirms only six', async () => {
    await openGate({})
    await userEvent.type(code(), '12a 34-5')
    expect(code().value).toBe('12345')
    expect(confirm().disabled).toBe(true)
    await userEvent.type(code(), '678')
    expect(code().value).toBe('123456')
    expect(confirm().disabled).toBe(false)
  })

  it('[V-02] shows Invalid code while a refused code is entered', async () => {
    await openGate({ verifyEmail: () => refused(422, { code: 'code_wrong', message: 'Not right.' }) })
    await userEvent.type(code(), '482913')
    await userEvent.click(confirm())
    expect(await screen.findByText('Invalid code')).toBeTruthy()
    expect(code().getAttribute('aria-invalid')).toBe('true')
    await userEvent.clear(code())
    expect(screen.queryByText('Invalid code')).toBeNull()
  })

  it('[E-18] [U-06] [C-21] shows the answer, refreshes the session and opens the page that was asked for', async () => {
    const { seen, place } = await openGate({}, '/appointment/list?when=past')
    await userEvent.type(code(), '482913')
    await userEvent.click(confirm())
    expect(await screen.findByRole('heading', { name: 'The page asked for' })).toBeTruthy()
    expect(place()).toBe('/appointment/list?when=past')
    expect(screen.getByText('Your email is confirmed.')).toBeTruthy()
    expect(seen.find(({ name }) => name === 'verifyEmail')?.body).toEqual({ code: '482913' })
    expect(seen.filter(({ name }) => name === 'me').length).toBe(2)
  })

  it('[U-06] goes to My Salon or home when there is no page to come back to', async () => {
    const first = await openGate({}, '/login', owner)
    await userEvent.type(code(), '482913')
    await userEvent.click(confirm())
    await waitFor(() => expect(first.place()).toBe('/mysalon'))
    cleanup()
    const second = await openGate({}, '/register', client)
    await userEvent.type(code(), '482913')
    await userEvent.click(confirm())
    await waitFor(() => expect(second.place()).toBe('/'))
  })

  it('[U-05] Cancel signs out', async () => {
    const { seen, place } = await openGate({ logout: () => ({ message: 'Bye' }) }, '/mysalon', professional)
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await waitFor(() => expect(place()).toBe('/'))
    expect(seen.some(({ name }) => name === 'logout')).toBe(true)
    expect(localStorage.getItem('AuthToken')).toBeNull()
  })

  it('[V-05] [E-19] [V-04] a new code starts a minute in which no other can be asked for', async () => {
    const { seen } = await openGate({ resendVerification: () => ({ message: 'sent' }) })
    vi.useFakeTimers({ shouldAdvanceTime: true })
    fireEvent.click(screen.getByRole('button', { name: 'Resend' }))
    expect(await screen.findByText('A new code has been sent.')).toBeTruthy()
    expect(screen.getByText('Please try again in 60 seconds')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Resend' })).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(18_000))
    expect(screen.getByText(/Please try again in 4[12] seconds/)).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(43_000))
    expect(screen.getByRole('button', { name: 'Resend' })).toBeTruthy()
    expect(seen.filter(({ name }) => name === 'resendVerification').length).toBe(1)
  })

  it('[E-20] [V-04] a refused resend waits as long as the server says', async () => {
    await openGate({ resendVerification: () => refused(429, { code: 'resend_cooldown', message: 'Wait', timeLeft: 42_000 }) })
    await userEvent.click(screen.getByRole('button', { name: 'Resend' }))
    expect((await screen.findAllByText('Please try again in 42 seconds')).length).toBeGreaterThan(0)
    expect(screen.queryByRole('button', { name: 'Resend' })).toBeNull()
  })

  it('[V-08] shows the raw error when a new code could not be asked for, and lets one try again', async () => {
    await openGate({
      resendVerification: () => {
        throw new TypeError('Failed to fetch')
      },
    })
    await userEvent.click(screen.getByRole('button', { name: 'Resend' }))
    expect(await screen.findByText('Failed to fetch')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Resend' })).toBeTruthy()
  })
})

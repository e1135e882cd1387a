import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { client, owner, unverified } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { LoginContent } from './login-content.tsx'

const pages = { '/login': <LoginContent /> }
const welcome = (role: 'isClient' | 'isPro') => ({
  message: 'Welcome back.',
  token: 'token-1',
  user: { role, hasGoogleCalendarAccess: false },
})

beforeEach(() => localStorage.clear())
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

async function typeAndSend(email = 'ann@example.test') {
  await userEvent.type(screen.getByLabelText('Email'), email)
  await userEvent.type(screen.getByLabelText('Password'), 'a short sentence')
  await userEvent.click(screen.getByRole('button', { name: 'Login' }))
}

describe('login', () => {
  it('[U-01] offers Professionnel and Client and sends the choice', async () => {
    const seen = fakeServer({ login: () => welcome('isPro'), me: () => owner })
    renderSite('/login', pages)
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /Client/ }).checked).toBe(true)
    await userEvent.click(screen.getByRole('radio', { name: /Professionnel/ }))
    await typeAndSend('odile@example.test')
    await waitFor(() => expect(seen.length).toBeGreaterThan(0))
    expect(seen[0]?.body).toEqual({ email: 'odile@example.test', password: 'a short sentence', role: 'isPro' })
  })

  it('[E-16] stores the token and asks who it is', async () => {
    const seen = fakeServer({ login: () => welcome('isClient'), me: () => client })
    renderSite('/login', pages)
    await typeAndSend()
    await waitFor(() => expect(localStorage.getItem('AuthToken')).toBe('token-1'))
    expect(seen.map(({ name, headers }) => [name, headers.get('authorization')])).toEqual([
      ['login', null],
      ['me', 'Bearer token-1'],
    ])
  })

  it('[R-22] [R-18] brings a client back to the page they came from', async () => {
    fakeServer({ login: () => welcome('isClient'), me: () => client })
    const { place } = renderSite('/login?from=%2Fappointment%2Flist%3Fwhen%3Dpast%23june', pages)
    await typeAndSend()
    await waitFor(() => expect(place()).toBe('/appointment/list?when=past#june'))
  })

  it('[R-22] brings a professional to My Salon, wherever they came from', async () => {
    fakeServer({ login: () => welcome('isPro'), me: () => owner })
    const { place } = renderSite('/login?from=%2Fappointment%2Flist', pages)
    await userEvent.click(screen.getByRole('radio', { name: /Professionnel/ }))
    await typeAndSend()
    await waitFor(() => expect(place()).toBe('/mysalon'))
  })

  it('[R-18] brings nobody to another site', async () => {
    fakeServer({ login: () => welcome('isClient'), me: () => client })
    const { place } = renderSite('/login?from=%2F%2Fevil.test%2Fhome', pages)
    await typeAndSend()
    await waitFor(() => expect(localStorage.getItem('AuthToken')).toBe('token-1'))
    await waitFor(() => expect(place()).toBe('/'))
  })

  it("[V-03] shows the server's message as an error toast and keeps what was typed", async () => {
    fakeServer({ login: () => refused(401, { code: 'wrong_credentials', message: 'The email or the password is not right.' }) })
    renderSite('/login', pages)
    await typeAndSend()
    expect((await screen.findByRole('alert')).textContent).toContain('The email or the password is not right.')
    expect(screen.getByLabelText<HTMLInputElement>('Email').value).toBe('ann@example.test')
    expect(screen.getByLabelText<HTMLInputElement>('Password').value).toBe('a short sentence')
    expect(localStorage.getItem('AuthToken')).toBeNull()
  })

  it('[V-03] [V-08] shows the raw error when there is no message of the server', async () => {
    vi.stubGlobal('fetch', () => Promise.reject(new TypeError('Failed to fetch')))
    renderSite('/login', pages)
    await typeAndSend()
    expect((await screen.findByRole('alert')).textContent).toContain('Failed to fetch')
  })

  it('[U-01] offers the other role in one tap when the account has it', async () => {
    const seen = fakeServer({
      login: ({ body }) =>
        (body as { role: string }).role === 'isPro'
          ? welcome('isPro')
          : refused(403, { code: 'other_role', message: 'This account has the other role.', details: { role: 'isPro' } }),
      me: () => owner,
    })
    const { place } = renderSite('/login', pages)
    await typeAndSend('odile@example.test')
    expect(await screen.findByText('This email belongs to a professional account')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Log in as Professionnel' }))
    await waitFor(() => expect(place()).toBe('/mysalon'))
    expect(seen.filter(({ name }) => name === 'login').length).toBe(2)
  })

  it('says what is missing before it asks the server', async () => {
    const seen = fakeServer({})
    renderSite('/login', pages)
    await userEvent.click(screen.getByRole('button', { name: 'Login' }))
    expect(screen.getByText('Enter your email.')).toBeTruthy()
    expect(document.activeElement).toBe(screen.getByLabelText('Email'))
    expect(seen).toEqual([])
  })

  it('[R-06] is not for those who are signed in', async () => {
    localStorage.setItem('AuthToken', 't')
    fakeServer({ me: () => owner })
    const { place } = renderSite('/login', pages)
    await waitFor(() => expect(place()).toBe('/mysalon'))
  })

  it('[R-19] meets Email Confirmation when the email is not confirmed', async () => {
    fakeServer({ login: () => welcome('isClient'), me: () => unverified(client), currentHolds: () => ({ items: [] }) })
    const { place } = renderSite('/login?from=%2Fappointment%2Flist', pages)
    await typeAndSend()
    expect(await screen.findByRole('heading', { name: 'Email Confirmation' })).toBeTruthy()
    expect(place()).toBe('/appointment/list')
  })
})

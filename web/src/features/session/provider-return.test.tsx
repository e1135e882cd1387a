import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { client, owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { LoginContent } from './login-content.tsx'
import RegisterPage from './register-page.tsx'

const pages = { '/login': <LoginContent /> }
const known = { ...client, isConnectedGoogle: true }
const answer = (more: { isNew?: boolean; from?: string | null; role?: 'isClient' | 'isPro'; access?: boolean } = {}) => ({
  message: '',
  token: 'token-1',
  user: { role: more.role ?? ('isClient' as const), hasGoogleCalendarAccess: more.access ?? false },
  isNew: more.isNew ?? false,
  from: more.from ?? null,
})

vi.mock('#/platform/page-settings.ts', async (original) => ({
  ...(await original<object>()),
  usePageSettings: () => ({ signIn: 'Google' }),
}))

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

describe('coming back from a provider', () => {
  it('[C-04] [U-01] sends the code once, with the state, the issuer and the role that was chosen', async () => {
    const seen = fakeServer({ signInAtProvider: () => answer({ role: 'isPro' }), me: () => owner })
    const { place } = renderSite('/login?code=c1&state=isPro.s1&iss=https%3A%2F%2Fissuer.test', pages)
    await waitFor(() => expect(place()).toBe('/mysalon'))
    expect(seen.filter(({ name }) => name === 'signInAtProvider').map(({ body }) => body)).toEqual([
      { googleToken: 'c1', state: 'isPro.s1', iss: 'https://issuer.test', role: 'isPro' },
    ])
    expect(localStorage.getItem('AuthToken')).toBe('token-1')
  })

  it('[R-22] brings a client back to where they came from, and never to another site', async () => {
    fakeServer({ signInAtProvider: () => answer({ from: '/wishlists?page=2' }), me: () => known })
    const { place } = renderSite('/login?code=c1&state=isClient.s1', pages)
    await waitFor(() => expect(place()).toBe('/wishlists?page=2'))
    cleanup()
    localStorage.clear()
    fakeServer({ signInAtProvider: () => answer({ from: '//evil.test' }), me: () => known })
    const other = renderSite('/login?code=c1&state=isClient.s1', pages)
    await waitFor(() => expect(other.place()).toBe('/'))
  })

  it('[U-07] asks a new client for the calendar, once they let us in without it', async () => {
    fakeServer({ signInAtProvider: () => answer({ isNew: true, from: '/wishlists' }), me: () => known })
    const { place } = renderSite('/login?code=c1&state=isClient.s1', pages)
    await waitFor(() => expect(place()).toBe('/give-access?from=%2Fwishlists'))
  })

  it('[R-24] says that the calendar was not granted when that is what the login was for', async () => {
    fakeServer({ signInAtProvider: () => answer({ from: '/give-access?type=calendar' }), me: () => known })
    const { place } = renderSite('/login?code=c1&state=isClient.s1', pages)
    expect((await screen.findByRole('alert')).textContent).toContain('Calendar access is not granted.')
    await waitFor(() => expect(place()).toBe('/give-access?type=calendar'))
  })

  it('[R-24] asks for the calendar anew where that is what the login is for, on both pages, and nowhere else', () => {
    fakeServer({})
    const asksFor = (page: string) => {
      cleanup()
      renderSite(page, { ...pages, '/register': <RegisterPage /> })
      const way = screen.getByRole('link', { name: 'Continue with Google' }).getAttribute('href') ?? ''
      return new URL(way, 'http://soigne.test').searchParams.get('for')
    }
    const back = encodeURIComponent('/give-access?from=%2Fwishlists')
    expect([asksFor(`/login?from=${back}`), asksFor(`/register?from=${back}`)]).toEqual(['calendar', 'calendar'])
    expect([asksFor('/login'), asksFor('/login?from=%2Fwishlists'), asksFor('/register')]).toEqual([null, null, null])
  })

  it('[U-01] says that whoever goes on accepts the terms, on both pages: no box is ticked on this way', () => {
    for (const page of ['/login', '/register']) {
      cleanup()
      fakeServer({})
      renderSite(page, { ...pages, '/register': <RegisterPage /> })
      const line = screen.getByText(/^By continuing you accept the/)
      expect(within(line).getByRole('link', { name: 'Terms & Conditions' }).getAttribute('href')).toBe('/terms')
    }
  })

  it('[R-24] asks for the calendar anew with the other role too', async () => {
    sessionStorage.setItem('leftFrom', '/give-access')
    fakeServer({
      signInAtProvider: () => refused(403, { code: 'other_role', message: 'This account has the other role.', details: { role: 'isPro' } }),
    })
    const assign = vi.fn<(url: string) => void>()
    renderSite('/login?code=c1&state=isClient.s1', pages)
    const other = await screen.findByRole('button', { name: 'Log in as Professionnel' })
    vi.stubGlobal('location', { ...window.location, assign })
    await userEvent.click(other)
    expect(assign).toHaveBeenCalledWith('/api/v1/client/auth/google/start?role=isPro&from=%2Fgive-access&for=calendar')
  })

  it('[U-01] offers the role the account has, and clears the code from the address', async () => {
    fakeServer({
      signInAtProvider: () => refused(403, { code: 'other_role', message: 'This account has the other role.', details: { role: 'isPro' } }),
    })
    const { place } = renderSite('/login?code=c1&state=isClient.s1', pages)
    expect(await screen.findByText('This email belongs to a professional account')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Log in as Professionnel' })).toBeTruthy()
    expect(place()).toBe('/login')
  })

  it.each([
    ['error=access_denied&state=isClient.s1', 'You cancelled the login.'],
    ['code=c1&state=isClient.s1', 'Please try again.'],
  ])('keeps where they were going when nobody was let in: %s', async (query, text) => {
    fakeServer({ signInAtProvider: () => refused(422, { code: 'sign_in_failed', message: 'Please try again.' }) })
    renderSite('/login?from=%2Fsalon%2Fatelier-nacre%2Fbook%3Fservice%3D1', pages)
    const way = await screen.findByRole('link', { name: 'Continue with Google' })
    way.addEventListener('click', (event) => event.preventDefault())
    await userEvent.click(way)
    cleanup()
    const { place } = renderSite(`/login?${query}`, pages)
    expect((await screen.findByRole('alert')).textContent).toContain(text)
    await waitFor(() => expect(place()).toBe('/login?from=%2Fsalon%2Fatelier-nacre%2Fbook%3Fservice%3D1'))
  })

  it.each([
    ['error=access_denied&state=s', 'You cancelled the login.'],
    ['error=unavailable', 'The other site does not answer at the moment.'],
  ])('says what happened: %s', async (query, text) => {
    fakeServer({})
    const { place } = renderSite(`/login?${query}`, pages)
    expect((await screen.findByRole('alert')).textContent).toContain(text)
    await waitFor(() => expect(place()).toBe('/login'))
  })
})

import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { client } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import GiveAccessPage from './give-access-page.tsx'

const pages = { '/give-access': <GiveAccessPage /> }
const known = { ...client, isConnectedGoogle: true }

beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

describe('/give-access', () => {
  it('[R-09] is for who is signed in', async () => {
    localStorage.clear()
    fakeServer({})
    const { place } = renderSite('/give-access?type=calendar', pages)
    await waitFor(() => expect(place()).toBe('/login?from=%2Fgive-access%3Ftype%3Dcalendar'))
  })

  it('[U-08] offers to skip after five seconds, back to where it was opened from', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    fakeServer({ me: () => known })
    renderSite('/give-access?from=%2Fwishlists', pages)
    expect(await screen.findByRole('heading', { name: 'Connect your calendar' })).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(3900))
    expect(screen.queryByRole('link', { name: 'Skip for now' })).toBeNull()
    await act(() => vi.advanceTimersByTimeAsync(1100))
    expect(screen.getByRole('link', { name: 'Skip for now' }).getAttribute('href')).toBe('/wishlists')
  })

  it('[U-09] leads home who has a calendar already', async () => {
    fakeServer({ me: () => ({ ...known, hasGoogleCalendarAccess: true }) })
    const { place } = renderSite('/give-access', pages)
    await waitFor(() => expect(place()).toBe('/'))
  })

  it('[P-05] sends what the provider sent back, once, and goes on where it was begun', async () => {
    const seen = fakeServer({
      me: () => known,
      connectCalendar: () => ({ message: 'Your calendar is connected.', from: '/appointment/list' }),
    })
    // The provider sends everybody to the login; who is signed in was there for the calendar.
    const { place } = renderSite('/login?code=c1&state=isClient.s1', pages)
    await waitFor(() => expect(place()).toBe('/appointment/list'))
    expect(seen.filter(({ name }) => name === 'connectCalendar').map(({ body }) => body)).toEqual([
      { googleToken: 'c1', state: 'isClient.s1' },
    ])
  })

  it('[U-08] knows where it was opened from when the provider gave no access', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    sessionStorage.setItem('leftFrom', '/wishlists')
    fakeServer({ me: () => known })
    const { place } = renderSite('/give-access?error=access_denied&state=isClient.s1', pages)
    await waitFor(() => expect(place()).toBe('/give-access?from=%2Fwishlists'))
    await act(() => vi.advanceTimersByTimeAsync(5100))
    expect(screen.getByRole('link', { name: 'Skip for now' }).getAttribute('href')).toBe('/wishlists')
  })

  it.each([
    ['code=c1&state=isClient.s1', 'a grant without the calendar'],
    ['error=access_denied&state=isClient.s1', 'a refusal'],
  ])('[R-24] says that access was not granted: %s', async (query) => {
    fakeServer({
      me: () => known,
      connectCalendar: () => refused(422, { code: 'calendar_refused', message: 'Calendar access is not granted.' }),
    })
    const { place } = renderSite(`/give-access?${query}`, pages)
    expect((await screen.findByRole('alert')).textContent).toContain('Calendar access is not granted.')
    await waitFor(() => expect(place()).toBe('/give-access'))
  })
})

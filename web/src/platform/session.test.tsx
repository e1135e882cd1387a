import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { focusManager, onlineManager, QueryObserver } from '@tanstack/react-query'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { client, owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { sessionQuery } from './session.tsx'
import { removeStored, storageKeys, writeStored } from './storage.ts'

beforeEach(() => localStorage.clear())
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

async function leave() {
  await userEvent.click(await screen.findByRole('button', { name: /Account of/ }))
  await userEvent.click(screen.getByRole('button', { name: 'Logout' }))
}

describe('the session', () => {
  it('[K-05] is kept under the four keys of the product, and the samples of the bell, the chosen light and messages not sent yet under one more each', () => {
    expect(Object.values(storageKeys)).toEqual([
      'AuthToken',
      'locale',
      'instituteSetupForm',
      'skipRegistration',
      'sampleNotifications',
      'light',
      'unsentMessages',
    ])
  })

  it('[C-30] is fresh for ten seconds, kept for a minute, and never retried', () => {
    expect(sessionQuery('t')).toMatchObject({
      staleTime: 10_000,
      gcTime: 60_000,
      retry: false,
      refetchOnReconnect: true,
      refetchOnMount: true,
      refetchOnWindowFocus: false,
    })
  })

  it('[C-30] is asked for when a token is stored, and again on reconnect once stale, but not on focus', async () => {
    localStorage.setItem('AuthToken', 't')
    const seen = fakeServer({ me: () => client })
    const { queries } = renderSite('/terms')
    await screen.findByRole('button', { name: /Account of Ann/ })
    expect(seen.length).toBe(1)
    act(() => focusManager.setFocused(false))
    act(() => focusManager.setFocused(true))
    expect(seen.length).toBe(1)
    act(() => {
      queries.setQueryData(['session', 't'], client, { updatedAt: Date.now() - 11_000 })
    })
    act(() => onlineManager.setOnline(false))
    act(() => onlineManager.setOnline(true))
    await waitFor(() => expect(seen.length).toBe(2))
    focusManager.setFocused(undefined)
  })

  it('[C-30] is not asked for again when the server fails', async () => {
    localStorage.setItem('AuthToken', 't')
    const seen = fakeServer({ me: () => refused(503, { code: 'unavailable', message: 'Away' }) })
    renderSite('/appointment/list')
    await screen.findByRole('heading', { name: 'This page did not load.' })
    expect(seen.length).toBe(1)
  })

  it('that ends by itself, or is another in another tab, leaves no answers of its person behind', async () => {
    localStorage.setItem('AuthToken', 't')
    const others = { ...client, id: 'another', firstName: 'Bea' }
    fakeServer({ me: ({ headers }) => (headers.get('authorization') === 'Bearer t' ? client : others) })
    const { queries } = renderSite('/terms')
    await screen.findByRole('button', { name: /Account of Ann/ })
    queries.setQueryData(['ownProfile'], 'of Ann')
    // On screen for as long as the page is: anybody's page must not stop with the session.
    const read = vi.fn<() => Promise<string>>(async () => (localStorage.getItem('AuthToken') === 'u' ? 'of Bea' : 'of Ann'))
    const observer = new QueryObserver(queries, { queryKey: ['shown'], queryFn: read })
    const stop = observer.subscribe(() => {})
    await waitFor(() => expect(observer.getCurrentResult().data).toBe('of Ann'))
    act(() => removeStored(storageKeys.token))
    expect(queries.getQueryData(['ownProfile'])).toBeUndefined()
    expect([observer.getCurrentResult().data, read.mock.calls.length]).toEqual(['of Ann', 1])
    act(() => writeStored(storageKeys.token, 'u'))
    expect(observer.getCurrentResult().data).toBeUndefined()
    await screen.findByRole('button', { name: /Account of Bea/ })
    await waitFor(() => expect(observer.getCurrentResult().data).toBe('of Bea'))
    queries.setQueryData(['ownProfile'], 'of Bea')
    localStorage.setItem('AuthToken', 't')
    act(() => void window.dispatchEvent(new StorageEvent('storage')))
    expect(queries.getQueryData(['ownProfile'])).toBeUndefined()
    expect(await screen.findByRole('button', { name: /Account of Ann/ })).toBeDefined()
    stop()
  })

  it('that begins takes nothing away of what a guest read', async () => {
    fakeServer({ me: () => client })
    const { queries } = renderSite('/terms')
    queries.setQueryData(['institute', 'x'], 'of anybody')
    act(() => writeStored(storageKeys.token, 't'))
    await screen.findByRole('button', { name: /Account of Ann/ })
    expect(queries.getQueryData(['institute', 'x'])).toBe('of anybody')
  })

  it('ends when the server does not know the token, and asks to sign in', async () => {
    localStorage.setItem('AuthToken', 'gone')
    fakeServer({ me: () => refused(401, { code: 'unauthorized', message: 'Please sign in.' }) })
    const { place } = renderSite('/appointment/list?when=past')
    await waitFor(() => expect(place()).toBe('/login?from=%2Fappointment%2Flist%3Fwhen%3Dpast'))
    expect(localStorage.getItem('AuthToken')).toBeNull()
  })

  it('[E-17] ends with the token, the draft and the skip flag removed', async () => {
    localStorage.setItem('AuthToken', 't')
    localStorage.setItem('instituteSetupForm', '{}')
    localStorage.setItem('skipRegistration', 'true')
    localStorage.setItem('locale', 'en')
    localStorage.setItem('light', 'dark')
    localStorage.setItem('unsentMessages', '{}')
    let kept: string | null = 'never asked'
    const seen = fakeServer({
      me: () => owner,
      logout() {
        kept = localStorage.getItem('AuthToken')
        return { message: 'See you soon.' }
      },
    })
    const { place } = renderSite('/mysalon')
    await userEvent.click(await screen.findByRole('button', { name: 'Logout' }))
    await waitFor(() => expect(place()).toBe('/'))
    expect(Object.keys(localStorage).toSorted()).toEqual(['light', 'locale', 'sampleNotifications'])
    expect(seen.find(({ name }) => name === 'logout')?.headers.get('authorization')).toBe('Bearer t')
    // Gone before the server is told: nothing is asked with it meanwhile.
    expect(kept).toBeNull()
    expect(screen.getByRole('link', { name: 'Sign Up' })).toBeTruthy()
  })

  it("[E-17] [V-03] ends here with all that this window keeps even when the server fails, and says so with the server's message", async () => {
    localStorage.setItem('AuthToken', 't')
    sessionStorage.setItem('homeAddress', '{}')
    fakeServer({ me: () => client, logout: () => refused(503, { code: 'unavailable', message: 'A part of us is away.' }) })
    renderSite('/terms')
    await leave()
    expect(await screen.findByText('A part of us is away.')).toBeTruthy()
    expect(localStorage.getItem('AuthToken')).toBeNull()
    expect(sessionStorage.length).toBe(0)
  })
})

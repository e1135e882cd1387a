import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { ApiError } from '#/platform/api-error.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { client, owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { PageError } from './page-error.tsx'
import { PageSkeleton } from './page-skeleton.tsx'

type Handlers = Parameters<typeof fakeServer>[0]

beforeEach(() => localStorage.clear())
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

describe('a page that does not come', () => {
  it('that is not there leads to what is', () => {
    renderPart(<PageError error={new ApiError(404, { code: 'not_found', message: 'No.' })} />)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('This page doesn’t exist.')
    expect(screen.getByRole('link', { name: 'See institutes' }).getAttribute('href')).toBe('/institutes')
    expect(screen.queryByRole('button', { name: 'Try again' })).toBeNull()
  })

  it.each([
    ['a fault of ours', new ApiError(500, { message: 'x' })],
    ['a lost connection', new TypeError('Failed to fetch')],
    ['anything', undefined],
  ])('for %s can be tried again', (_, error) => {
    renderPart(<PageError error={error} />)
    expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('This page did not load.')
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'See institutes' })).toBeTruthy()
  })

  it.each([
    ['[V-08] the raw error of a lost connection', new TypeError('Failed to fetch'), 'Failed to fetch'],
    ['[V-07] the words of the server', new ApiError(500, { message: 'The lamp went out.' }), 'The lamp went out.'],
    ['[V-08] a call that was called off', new DOMException('The operation was aborted.', 'AbortError'), 'The operation was aborted.'],
  ])('a session that cannot be read shows %s', async (_, error, words) => {
    const retry = vi.fn<() => void>()
    renderPart(<PageError error={error} retry={retry} />)
    expect(screen.getByText(words)).toBeTruthy()
    expect(screen.queryByText(/Nothing you booked is lost/)).toBeNull()
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(retry).toHaveBeenCalledOnce()
  })
})

describe('a page that is waited for', () => {
  it.each([
    [true, 'Loading'],
    [false, 'You’re offline. This page loads once you’re connected.'],
  ])('says why, with a connection: %s', async (online, words) => {
    vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(online)
    renderPart(<PageSkeleton />)
    const word = await screen.findByText(words)
    expect(word.className).not.toContain('visually-hidden')
    vi.restoreAllMocks()
  })

  it('says so when the connection goes while it waits', async () => {
    const onLine = vi.spyOn(navigator, 'onLine', 'get').mockReturnValue(true)
    renderPart(<PageSkeleton />)
    await screen.findByText('Loading')
    onLine.mockReturnValue(false)
    act(() => void dispatchEvent(new Event('offline')))
    expect(await screen.findByText(/You’re offline/)).toBeTruthy()
    onLine.mockReturnValue(true)
    act(() => void dispatchEvent(new Event('online')))
    expect(await screen.findByText('Loading')).toBeTruthy()
    vi.restoreAllMocks()
  })
})

describe('the account in the header', () => {
  const signedIn = (handlers: Handlers = {}, user = client) => {
    localStorage.setItem('AuthToken', 't')
    const seen = fakeServer({ me: () => user, appointments: () => ({ items: [], page: 1, pageSize: 10, total: 0 }), ...handlers })
    return { seen, ...renderSite('/terms') }
  }
  const menu = async (name: string | RegExp) => {
    const button = await screen.findByRole('button', { name })
    await userEvent.click(button)
    return button
  }

  it('opens with the name, the address and the ways of whoever it is', async () => {
    signedIn()
    await menu('Account of Ann Lindqvist')
    expect(screen.getByText('ann@example.test')).toBeTruthy()
    expect(screen.getAllByRole('link', { name: 'Appointments' }).length).toBeGreaterThan(0)
  })

  it('[N-05] [N-10] leads an owner to MySalon', async () => {
    signedIn({}, owner)
    await menu(/^Account of Odile/)
    expect(screen.getAllByRole('link', { name: 'MySalon' }).map((link) => link.getAttribute('href'))).toEqual(['/mysalon'])
  })

  it('Escape closes it and gives the focus back', async () => {
    signedIn()
    const button = await menu(/^Account of Ann/)
    expect(button.getAttribute('aria-expanded')).toBe('true')
    await userEvent.keyboard('{Escape}')
    expect(button.getAttribute('aria-expanded')).toBe('false')
    expect(document.activeElement).toBe(button)
  })

  it('signs out: the token is gone and the way in is back', async () => {
    const { seen } = signedIn({ logout: () => ({ message: 'Bye.' }) })
    await menu(/^Account of Ann/)
    await userEvent.click(screen.getByRole('button', { name: 'Logout' }))
    await waitFor(() => expect(localStorage.getItem('AuthToken')).toBeNull())
    expect(seen.filter(({ name }) => name === 'logout')).toHaveLength(1)
    expect(within(screen.getByRole('banner')).getByRole('link', { name: 'Login' })).toBeTruthy()
  })

  it('signing out that the server did not hear of says so', async () => {
    signedIn({ logout: () => refused(503, { code: 'unavailable', message: 'Try again in a moment.' }) })
    await menu(/^Account of Ann/)
    await userEvent.click(screen.getByRole('button', { name: 'Logout' }))
    expect(await screen.findByText('Try again in a moment.')).toBeTruthy()
  })
})

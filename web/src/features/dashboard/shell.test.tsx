// What stands beside every page of the dashboard, whoever looks and however wide the screen is.
import { cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { client, owner, professional, unverified } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'

const noChats = { chats: () => ({ items: [], page: 1, pageSize: 10, total: 0, unread: 3 }) }
const page = { '/mysalon/settings': <h1>Settings here</h1> }

const linksIn = (place: HTMLElement): [string | null, string | null][] =>
  within(place)
    .getAllByRole('link')
    .map((link) => [link.getAttribute('href'), link.textContent])

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

describe('the sidebar', () => {
  it('[N-04] has the pages by the specification’s words and addresses, in its order, and a logout', async () => {
    const seen = fakeServer({ me: () => owner, logout: () => ({ message: 'Goodbye.' }), ...noChats })
    renderSite('/mysalon/settings', page)
    await screen.findByText('Settings here')
    await screen.findByText('3 unread conversations')
    const nav = screen.getByRole('navigation', { name: 'My Salon' })
    expect(linksIn(nav).map(([to, words]) => [to, words?.replace(/^Messages.*/, 'Messages')])).toEqual([
      ['/mysalon', 'Dashboard'],
      ['/mysalon/current', 'View Salon'],
      ['/mysalon/appointments/calendar', 'Calendar'],
      ['/mysalon/messages', 'Messages'],
      ['/mysalon/invoices', 'Sales'],
      ['/mysalon/customers', 'Clients'],
      ['/mysalon/services', 'Services'],
      ['/mysalon/staff', 'Team'],
      ['/mysalon/settings', 'Settings'],
    ])
    expect(within(nav).getByRole('link', { current: 'page' }).textContent).toBe('Settings')
    const aside = nav.closest('aside') as HTMLElement
    expect(within(aside).getByRole('link', { name: 'Soigné' }).getAttribute('href')).toBe('/')
    fireEvent.click(within(aside).getByRole('button', { name: 'Logout' }))
    await waitFor(() => expect(seen.some(({ name }) => name === 'logout')).toBe(true))
  })

  it('[N-10] leaves out the salon’s page and its messages as long as there is no salon', async () => {
    localStorage.setItem('skipRegistration', 'true')
    fakeServer({ me: () => professional })
    renderSite('/mysalon', {})
    await screen.findByRole('link', { name: 'Continue setup' })
    const words = linksIn(screen.getByRole('navigation', { name: 'My Salon' })).map(([, text]) => text)
    expect(words).toEqual(['Dashboard', 'Calendar', 'Sales', 'Clients', 'Services', 'Team', 'Settings'])
  })

  it('is there for who was added to a team with an account that was made for booking', async () => {
    fakeServer({ me: () => ({ ...owner, role: 'isClient' as const }), ...noChats })
    renderSite('/mysalon/settings', page)
    await screen.findByText('Settings here')
    expect(await screen.findByRole('navigation', { name: 'My Salon' })).toBeTruthy()
  })

  it('[R-11] is nobody’s who is not signed in, nor a client’s', async () => {
    localStorage.clear()
    fakeServer({})
    const guest = renderSite('/mysalon/settings', page)
    await waitFor(() => expect(guest.place()).toBe('/login?from=%2Fmysalon%2Fsettings'))
    cleanup()
    localStorage.setItem('AuthToken', 't')
    fakeServer({ me: () => client, home: () => ({}) as never })
    const visitor = renderSite('/mysalon/settings', page)
    await waitFor(() => expect(visitor.place()).toBe('/'))
  })

  it('[R-11] waits for a confirmed email', async () => {
    fakeServer({ me: () => unverified(owner) })
    renderSite('/mysalon/settings', page)
    await screen.findAllByText(/Email Confirmation/)
    expect(screen.queryByText('Settings here')).toBeNull()
  })
})

describe('the menu of phones', () => {
  it('[N-04] has the same links and the logout', async () => {
    fakeServer({ me: () => owner, ...noChats })
    renderSite('/mysalon/settings', page)
    await screen.findByText('Settings here')
    fireEvent.click(screen.getByRole('button', { name: 'Open the menu' }))
    const menu = await screen.findByRole('dialog', { name: 'My Salon' })
    expect(linksIn(menu).map(([to]) => to)).toEqual(expect.arrayContaining(['/mysalon', '/mysalon/current', '/mysalon/settings']))
    expect(within(menu).getByRole('button', { name: 'Logout' })).toBeTruthy()
    fireEvent.click(within(menu).getByRole('button', { name: 'Close the menu' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })
})

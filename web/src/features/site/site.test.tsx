import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { SessionUser } from '@soigne/contract/session'
import { fakeServer } from '#/testing/fake-server.ts'
import { client, owner, professional } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { accountLinks } from './account-links.ts'
import { userLinks, visitorLinks, type SiteLink } from './site-links.ts'

beforeEach(() => localStorage.clear())
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

function signIn(user: SessionUser) {
  localStorage.setItem('AuthToken', 't')
  fakeServer({ me: () => user, instituteVisits: () => ({ items: [], page: 1, pageSize: 10, total: 0 }) })
}

const addresses = (links: readonly SiteLink[]) => links.map(({ to }) => to)
const header = () => within(screen.getByRole('banner'))

describe('the links of the site', () => {
  it('[N-02] lead a visitor home, to the institutes, in, and to contact and terms', () => {
    expect(addresses(visitorLinks)).toEqual(['/', '/institutes', '/login', '/register', '/contact', '/terms'])
  })

  it('[N-01] [N-05] lead a client to settings, visits and messages, and from the account to favourites and settings', () => {
    expect(addresses(userLinks(client))).toEqual(['/', '/settings', '/institutes', '/appointment/list', '/chat'])
    expect(addresses(accountLinks(client))).toEqual(['/wishlists', '/settings'])
  })

  it('[N-05] lead a professional, who is a client elsewhere, from the account to their own visits and conversations', () => {
    expect(addresses(accountLinks(owner))).toEqual(['/wishlists', '/appointment/list', '/chat', '/mysalon', '/settings'])
    expect(addresses(accountLinks(professional))).toEqual(['/wishlists', '/appointment/list', '/chat', '/settings'])
  })

  it('[N-03] [N-10] lead only professionals to My Salon, and to the institute in the account menu only once there is one', () => {
    expect(addresses(userLinks(owner))).toEqual(['/', '/institutes', '/mysalon/messages', '/mysalon'])
    expect(addresses(userLinks(professional))).toEqual(['/', '/institutes', '/mysalon'])
    expect(addresses(accountLinks(client))).not.toContain('/mysalon')
    expect(addresses(accountLinks(professional))).not.toContain('/mysalon')
    expect(addresses(accountLinks(owner))).toContain('/mysalon')
  })
})

describe('the header', () => {
  it('[N-09] offers guests on home a toggle between the Client and the Pro view', () => {
    renderSite('/?view=pro')
    expect(header().getByRole('link', { name: 'Pro' }).getAttribute('aria-current')).toBe('true')
    expect(header().getByRole('link', { name: 'Client' }).getAttribute('href')).toBe('/')
    cleanup()
    renderSite('/terms')
    expect(header().queryByRole('link', { name: 'Pro' })).toBeNull()
  })

  it('[N-09] offers the toggle to nobody who is signed in', async () => {
    signIn(client)
    renderSite('/')
    await header().findByRole('button', { name: /Account of Ann/ })
    expect(header().queryByRole('link', { name: 'Pro' })).toBeNull()
    expect(header().queryByRole('link', { name: 'Sign Up' })).toBeNull()
    expect(header().getAllByRole('link', { name: 'Appointments' }).length).toBeGreaterThan(0)
  })

  it('[N-02] has the terms among the links of a visitor, and of nobody else', async () => {
    renderSite('/institutes')
    expect(header().getByRole('link', { name: 'Terms' }).getAttribute('href')).toBe('/terms')
    cleanup()
    signIn(client)
    renderSite('/institutes')
    await header().findByRole('button', { name: /Account of Ann/ })
    expect(header().queryByRole('link', { name: 'Terms' })).toBeNull()
  })

  it('signs in from where one is', () => {
    renderSite('/salon/atelier-nacre?service=1')
    expect(header().getByRole('link', { name: 'Login' }).getAttribute('href')).toBe('/login?from=%2Fsalon%2Fatelier-nacre%3Fservice%3D1')
  })

  it('[N-07] opens the full-screen menu with the links of whoever looks', async () => {
    renderSite('/terms')
    await userEvent.click(screen.getByRole('button', { name: 'Open the menu', hidden: true }))
    const menu = await screen.findByRole('dialog', { name: 'Menu' })
    const links = within(menu)
      .getAllByRole('link')
      .map((link) => link.getAttribute('href'))
    expect(links.filter((address) => address !== null)).toEqual(addresses(visitorLinks))
  })
})

describe('the footer', () => {
  it('[N-06] has the terms, the Help Center, social icons and the year 2025', () => {
    renderSite('/institutes')
    const footer = within(screen.getByRole('contentinfo'))
    expect(footer.getByRole('link', { name: 'Terms & Conditions' }).getAttribute('href')).toBe('/terms')
    expect(footer.getByRole('link', { name: 'Help Center' }).getAttribute('href')).toBe('/contact')
    expect(footer.getByRole('link', { name: 'Share on Facebook' }).getAttribute('href')).toContain('facebook.com/sharer/sharer.php?u=')
    expect(footer.getByRole('link', { name: 'Share on WhatsApp' })).toBeTruthy()
    expect(screen.getByRole('contentinfo').textContent).toContain('© 2025')
  })
})

describe('the document', () => {
  it('is marked by the token, so that the account place is reserved', async () => {
    renderSite('/terms')
    expect(document.documentElement.dataset['session']).toBe('guest')
    cleanup()
    signIn(client)
    renderSite('/terms')
    await waitFor(() => expect(document.documentElement.dataset['session']).toBe('user'))
  })
})

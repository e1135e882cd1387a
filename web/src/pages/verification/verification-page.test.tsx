import { cleanup, screen, within } from '@testing-library/react'
import type { CalendarsOfUser } from '@soigne/contract/calendars'
import type { SessionUser } from '@soigne/contract/session'
import type { OwnProfile } from '@soigne/contract/settings'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { client, professional, unverified } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import VerificationPage from './verification-page.tsx'

vi.mock('#/platform/page-settings.ts', () => ({ usePageSettings: () => ({ signIn: 'Google' }) }))

beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  cleanup()
  localStorage.clear()
  vi.unstubAllGlobals()
})

const none: CalendarsOfUser = { provider: 'Google', connection: null, feed: null }

const profile: OwnProfile = {
  email: client.email,
  firstName: 'Ann',
  lastName: 'Lindqvist',
  phone: '',
  locale: 'en',
  hasPassword: true,
  hasProvider: true,
}

function open(user: SessionUser, calendars: CalendarsOfUser = none, more: Parameters<typeof fakeServer>[0] = {}) {
  fakeServer({ me: () => user, calendars: () => calendars, currentHolds: () => ({ items: [] }), ownProfile: () => profile, ...more })
  renderSite('/verification', { '/verification': <VerificationPage /> })
}
async function row(title: string) {
  const heading = await screen.findByRole('heading', { level: 2, name: title })
  return within(heading.closest('li') as HTMLElement)
}

describe('[R-16] the account trust page', () => {
  it('is the code screen until the email is confirmed', async () => {
    open(unverified(client))
    expect(await screen.findByRole('heading', { name: 'Email Confirmation' })).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'Account trust' })).toBeNull()
  })

  it('says what is verified and what is not, and how to connect a calendar', async () => {
    open(client)
    expect((await row('Email')).getByText('Verified')).toBeTruthy()
    expect((await row('Email')).getByText('ann@example.test')).toBeTruthy()
    expect((await row('Google account')).getByText('Not used')).toBeTruthy()
    const link = (await row('Calendar')).getByRole('link', { name: 'Connect your calendar' })
    expect(link.getAttribute('href')).toBe('/give-access?from=/verification')
    expect(screen.queryByRole('heading', { name: 'Business check' })).toBeNull()
  })

  it('tells whose calendar is connected, or that it no longer is', async () => {
    const linked = { ...client, isConnectedGoogle: true, hasGoogleCalendarAccess: true }
    open(linked, { ...none, connection: { state: 'connected', account: 'ann@calendar.test', syncedAt: null } })
    expect((await row('Google account')).getByText('Verified')).toBeTruthy()
    expect((await row('Calendar')).getByText('ann@calendar.test')).toBeTruthy()
    cleanup()
    open(linked, { ...none, connection: { state: 'broken', account: null, syncedAt: null } })
    expect((await row('Calendar')).getByText('Interrupted')).toBeTruthy()
    expect((await row('Calendar')).getByRole('link', { name: 'Connect again' })).toBeTruthy()
  })

  it('does not say that a provider confirms who somebody is, where they have only connected a calendar of theirs', async () => {
    const connected = { ...client, isConnectedGoogle: true, hasGoogleCalendarAccess: true }
    const calendars: CalendarsOfUser = { ...none, connection: { state: 'connected', account: 'ann@calendar.test', syncedAt: null } }
    open(connected, calendars, { ownProfile: () => ({ ...profile, hasProvider: false }) })
    expect((await row('Google account')).getByText('Not used')).toBeTruthy()
    expect(screen.queryByText('Google confirms who you are when you log in.')).toBeNull()
    cleanup()
    let isAway = true
    open(connected, calendars, { ownProfile: () => (isAway ? refused(400, { code: 'bad_input', message: 'Not now.' }) : profile) })
    expect(await screen.findByText('Not now.')).toBeTruthy()
    isAway = false
    await userEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect((await row('Google account')).getByText('Verified')).toBeTruthy()
  })

  it('shows professionals their business beside it; no calendar where there is no provider', async () => {
    localStorage.setItem('skipRegistration', 'true')
    open(professional, { ...none, provider: null })
    expect((await row('Business check')).getByText('Not sent')).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'Calendar' })).toBeNull()
  })
})

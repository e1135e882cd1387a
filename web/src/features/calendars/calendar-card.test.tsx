import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import type { CalendarsOfUser } from '@soigne/contract/calendars'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { keptOrigin } from '#/left-from.ts'
import { fakeServer } from '#/testing/fake-server.ts'
import { client } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { CalendarCard } from './calendar-card.tsx'

const none: CalendarsOfUser = { provider: 'Google', connection: null, feed: null }
beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  localStorage.clear()
  sessionStorage.clear()
  vi.unstubAllGlobals()
})

function render(first: CalendarsOfUser) {
  let state = first
  const seen = fakeServer({
    me: () => client,
    calendars: () => state,
    disconnectCalendar() {
      state = { ...state, connection: null }
      return { message: 'Your calendar is disconnected.' }
    },
    makeCalendarFeed() {
      state = { ...state, feed: { createdAt: '2026-11-20T11:00:00.000Z' } }
      return { message: '', address: 'http://soigne.test/secret/visits.ics' }
    },
    removeCalendarFeed() {
      state = { ...state, feed: null }
      return { message: 'The address has ended.' }
    },
  })
  renderSite('/appointment/list', { '/appointment/list': <CalendarCard /> })
  return seen
}
const confirm = async () => userEvent.click(await screen.findByRole('button', { name: 'confirm' }))

describe('the calendar card', () => {
  it('[P-05] leads to the consent of the provider and back to its page', async () => {
    render(none)
    const link = await screen.findByRole('link', { name: 'Connect Google Calendar' })
    expect(link.getAttribute('href')).toBe('/api/v1/client/auth/google/start?role=isClient&from=%2Fappointment%2Flist&for=calendar')
  })

  it('[U-08] keeps its page, so that whoever is refused skips to where they came from and not to an earlier page', async () => {
    sessionStorage.setItem('leftFrom', '/wishlists')
    render(none)
    const link = await screen.findByRole('link', { name: 'Connect Google Calendar' })
    link.addEventListener('click', (event) => event.preventDefault())
    await userEvent.click(link)
    expect(keptOrigin()).toBe('/appointment/list')
  })

  it('[P-05] says whose calendar is connected and when it was synced, and disconnects after a question', async () => {
    render({ ...none, connection: { state: 'connected', account: 'ann@example.test', syncedAt: new Date().toISOString() } })
    expect(await screen.findByText('Google Calendar is connected: ann@example.test')).toBeTruthy()
    expect(screen.getByText('Last synced just now')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Disconnect' }))
    await confirm()
    expect(await screen.findByRole('link', { name: 'Connect Google Calendar' })).toBeTruthy()
  })

  it('[E-27] says that a connection is broken and how to mend it', async () => {
    render({ ...none, connection: { state: 'broken', account: null, syncedAt: null } })
    expect(await screen.findByText('Google Calendar is no longer connected')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Connect again' })).toBeTruthy()
  })

  it('[P-05] shows the secret address once, and ends it', async () => {
    const seen = render({ ...none, provider: null })
    await userEvent.click(await screen.findByRole('button', { name: 'Make an address' }))
    expect((await screen.findByLabelText<HTMLInputElement>('Your address')).value).toBe('http://soigne.test/secret/visits.ics')
    expect(screen.queryByRole('link', { name: /Connect/ })).toBeNull()
    await userEvent.click(await screen.findByRole('button', { name: 'End the address' }))
    await confirm()
    await waitFor(() => expect(screen.queryByLabelText('Your address')).toBeNull())
    expect(seen.filter(({ name }) => name === 'makeCalendarFeed')).toHaveLength(1)
  })
})

import type { CalendarsOfUser } from '@soigne/contract/calendars'
import { act, cleanup, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { client } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { confirmStore } from '#/ui/confirms.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { CalendarPart } from './calendar-part.tsx'

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  act(() => {
    dismissAllToasts()
    confirmStore.set([])
  })
  vi.unstubAllGlobals()
})

function open(given: Partial<CalendarsOfUser>) {
  const state: CalendarsOfUser = { provider: 'Google', connection: null, feed: null, ...given }
  const seen = fakeServer({
    me: () => client,
    calendars: () => state,
    disconnectCalendar() {
      state.connection = null
      return { message: 'Disconnected.' }
    },
  })
  renderPart(
    <CalendarPart
      part={(title, text, content) => (
        <section aria-label={title}>
          {text}
          {content}
        </section>
      )}
    />,
    { at: '/settings' },
  )
  return seen
}
const connection = { state: 'connected' as const, account: 'ann@calendar.test', syncedAt: null }

describe('the calendar of the settings', () => {
  it('[R-14] says whose is connected, and lets it go after one question', async () => {
    const seen = open({ connection })
    expect(await screen.findByText(/Google Calendar is connected: .*ann@calendar.test/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'your appointments' }).getAttribute('href')).toBe('/appointment/list')
    await userEvent.click(screen.getByRole('button', { name: 'Disconnect' }))
    expect(seen.some(({ name }) => name === 'disconnectCalendar')).toBe(false)
    await userEvent.click(await screen.findByRole('button', { name: 'confirm' }))
    expect(await screen.findByText('Disconnected.')).toBeTruthy()
    expect(await screen.findByText('Not connected')).toBeTruthy()
  })

  it.each([
    ['none', null, 'Not connected', 'Connect your calendar'],
    ['one that ended', { ...connection, state: 'broken' as const }, 'Google Calendar is no longer connected', 'Connect again'],
  ])('[R-14] leads to giving access where there is %s, and back', async (_which, given, state, way) => {
    open({ connection: given })
    expect(await screen.findByText(state)).toBeTruthy()
    expect(screen.getByRole('link', { name: way }).getAttribute('href')).toBe('/give-access?from=/settings')
  })

  it('offers no connection where no provider is set up', async () => {
    open({ provider: null })
    expect(await screen.findByText('Not connected')).toBeTruthy()
    expect(screen.queryByRole('link', { name: 'Connect your calendar' })).toBeNull()
  })
})

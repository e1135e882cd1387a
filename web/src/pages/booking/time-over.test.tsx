import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { forgetHeldTime } from '#/features/booking/held-time.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { gelManicure, nacre } from '#/testing/institutes.ts'
import { client } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { BookingFlow } from './booking-flow.tsx'

const at = '2031-03-18T15:40:00.000Z'
const address = `/salon/atelier-nacre/book?service=${gelManicure}&staff=any&at=${encodeURIComponent(at)}`

beforeEach(() => {
  localStorage.clear()
  forgetHeldTime()
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it.each(['guest', 'client'])('a kept address whose time has passed leads a %s to the free times, and says why', async (who) => {
  if (who === 'client') localStorage.setItem('AuthToken', 't')
  const seen = fakeServer({
    me: () => client,
    currentHolds: () => ({ items: [] }),
    appointments: () => ({ items: [], page: 1, pageSize: 50, total: 0 }),
    availability: () => ({ timeZone: nacre.timeZone, days: [] }),
    nextTimes: () => ({ timeZone: nacre.timeZone, times: [] }),
  })
  renderSite(address, { '/salon/:slug/book': <BookingFlow institute={nacre} now={Date.parse('2031-03-18T15:41:00Z')} /> })
  expect(await screen.findByText('The time you chose has passed.')).toBeTruthy()
  expect(screen.getByRole('heading', { name: 'When suits you?' })).toBeTruthy()
  expect(screen.queryByText(/we’ll hold 16:40/)).toBeNull()
  await waitFor(() => expect(seen.some(({ name }) => name === 'nextTimes' || name === 'availability')).toBe(true))
  expect(seen.some(({ name }) => name === 'makeHold')).toBe(false)
})

it.each([
  ['slot_taken', 409, '16:40 was just taken.'],
  ['not_offered', 422, '16:40 isn’t available.'],
] as const)('a time that is refused (%s) is not said to be somebody’s', async (code, status, said) => {
  localStorage.setItem('AuthToken', 't')
  fakeServer({
    me: () => client,
    currentHolds: () => ({ items: [] }),
    appointments: () => ({ items: [], page: 1, pageSize: 50, total: 0 }),
    makeHold: () => refused(status, { code, message: 'Not this one.', details: { nearest: [] } }),
  })
  renderSite(address, { '/salon/:slug/book': <BookingFlow institute={nacre} now={Date.parse('2031-03-18T08:00:00Z')} /> })
  expect(await screen.findByText(said)).toBeTruthy()
  expect(screen.getByRole('heading', { level: 1 }).textContent).toBe('Not booked yet')
})

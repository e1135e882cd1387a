import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { forgetHeldTime } from '#/features/booking/held-time.ts'
import { fakeServer } from '#/testing/fake-server.ts'
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

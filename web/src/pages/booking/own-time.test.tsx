import { cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { forgetHeldTime } from '#/features/booking/held-time.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { gelManicure, nacre } from '#/testing/institutes.ts'
import { client } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { holdAt } from '#/testing/visits.ts'
import { BookingFlow } from './booking-flow.tsx'

const at = '2031-03-18T15:40:00.000Z'
const later = '2031-03-18T16:00:00.000Z'
const address = `/salon/atelier-nacre/book?service=${gelManicure}&staff=any&at=${encodeURIComponent(at)}&step=time`

beforeEach(() => {
  localStorage.clear()
  forgetHeldTime()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

it('times that are read anew show the one that is held as theirs, not as taken', async () => {
  fakeServer({
    me: () => client,
    currentHolds: () => ({ items: [holdAt(at, 300_000)] }),
    appointments: () => ({ items: [], page: 1, pageSize: 50, total: 0 }),
    availability: () => ({
      timeZone: nacre.timeZone,
      days: [{ day: '2031-03-18', times: [{ startsAt: later, endsAt: later }], taken: [at] }],
    }),
  } as Parameters<typeof fakeServer>[0])
  renderSite(address, { '/salon/:slug/book': <BookingFlow institute={nacre} now={Date.parse('2031-03-18T08:00:00Z')} /> })
  await screen.findByText('We’re holding 16:40 for you.')
  const own = await screen.findByRole<HTMLInputElement>('radio', { name: /^16:40 ?, held for you$/ })
  expect([own.checked, own.disabled]).toEqual([true, false])
})

it('a time that could not be held leaves nothing waiting for the ways to pay it', async () => {
  const answer = Promise.withResolvers<void>()
  fakeServer({
    me: () => client,
    currentHolds: () => ({ items: [] }),
    appointments: () => ({ items: [], page: 1, pageSize: 50, total: 0 }),
    makeHold: async () => {
      await answer.promise
      return refused(409, { code: 'slot_taken', message: 'Taken.', details: { nearest: [later] } })
    },
  })
  renderSite(address.replace('&step=time', ''), {
    '/salon/:slug/book': <BookingFlow institute={nacre} now={Date.parse('2031-03-18T08:00:00Z')} />,
  })
  const waiting = () => document.querySelectorAll('form .block').length
  await screen.findByText('Holding 16:40 for you')
  await waitFor(() => expect(waiting()).toBe(1))
  answer.resolve()
  await screen.findByText('16:40 was just taken.')
  expect(waiting()).toBe(0)
})

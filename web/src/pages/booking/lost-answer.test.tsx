/** What is said and done when no answer comes to a booking that was sent. */
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { gelManicure, nacre } from '#/testing/institutes.ts'
import { client } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { holdAt, visitAt } from '#/testing/visits.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { forgetHeldTime } from '#/features/booking/held-time.ts'
import { BookingFlow } from './booking-flow.tsx'

const at = '2031-03-18T15:40:00.000Z'

beforeEach(() => {
  localStorage.clear()
  forgetHeldTime()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  act(dismissAllToasts)
  vi.unstubAllGlobals()
})

/** Answers to the booking in turn; what was sent. */
async function sent(answer: () => ReturnType<typeof visitAt>) {
  const seen = fakeServer({
    me: () => client,
    currentHolds: () => ({ items: [] }),
    makeHold: () => holdAt(at, 600_000),
    releaseHold: () => ({ message: 'Let go.' }),
    appointments: () => ({ items: [], page: 1, pageSize: 50, total: 0 }),
    book: answer,
  })
  const page = <BookingFlow institute={nacre} now={Date.parse('2031-03-18T08:00:00Z')} />
  const address = `/salon/atelier-nacre/book?service=${gelManicure}&staff=any&at=${encodeURIComponent(at)}`
  const { place } = renderSite(address, { '/salon/:slug/book': page })
  await screen.findByText('We’re holding 16:40 for you.')
  const button = await waitFor(() => {
    const [first] = screen.getAllByRole('button', { name: /^Book/ })
    expect(first?.getAttribute('aria-disabled')).toBeNull()
    return first as HTMLElement
  })
  await userEvent.click(button)
  return { place, tries: () => seen.filter(({ name }) => name === 'book') }
}

describe('a booking', () => {
  it('asks again with the same key when the answer was lost', async () => {
    const state = { tries: 0 }
    const { place, tries } = await sent(() => {
      state.tries += 1
      if (state.tries === 1) throw new TypeError('Failed to fetch')
      return visitAt(at)
    })
    await waitFor(() => expect(place()).toContain('booked='))
    const keys = tries().map(({ headers }) => headers.get('idempotency-key'))
    expect(keys).toHaveLength(2)
    expect(new Set(keys).size).toBe(1)
  })

  it('without an answer says that it is checking, never that it failed, and asks at once when the line is back', async () => {
    const state = { isCut: true }
    const { place, tries } = await sent(() => {
      if (state.isCut) throw new TypeError('Failed to fetch')
      return visitAt(at)
    })
    expect(await screen.findByText('Checking whether it’s booked.')).toBeTruthy()
    await waitFor(() => expect(tries().length).toBeGreaterThan(2))
    expect(screen.queryByText('Not booked yet.')).toBeNull()
    expect(screen.queryByText('Failed to fetch')).toBeNull()
    state.isCut = false
    window.dispatchEvent(new Event('online'))
    await waitFor(() => expect(place()).toContain('booked='))
    expect(new Set(tries().map(({ headers }) => headers.get('idempotency-key'))).size).toBe(1)
  })
})

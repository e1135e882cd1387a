import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetHeldTime } from '#/features/booking/held-time.ts'
import { fakeServer } from '#/testing/fake-server.ts'
import { gelManicure, handMassage, nacre } from '#/testing/institutes.ts'
import { client } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { holdAt } from '#/testing/visits.ts'
import { BookingFlow } from './booking-flow.tsx'

const at = '2031-03-18T15:40:00.000Z'
const later = '2031-03-18T16:00:00.000Z'
const address = `/salon/atelier-nacre/book?service=${gelManicure}&staff=any&at=${encodeURIComponent(at)}`

beforeEach(() => {
  localStorage.clear()
  forgetHeldTime()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function openBooking(handlers: Parameters<typeof fakeServer>[0] = {}, place = address) {
  fakeServer({
    me: () => client,
    currentHolds: () => ({ items: [] }),
    makeHold: () => holdAt(at, 600_000),
    appointments: () => ({ items: [], page: 1, pageSize: 50, total: 0 }),
    ...handlers,
  })
  return renderSite(place, { '/salon/:slug/book': <BookingFlow institute={nacre} now={Date.parse('2031-03-18T08:00:00Z')} /> })
}

describe('the last step', () => {
  it('says salon, service, person, day, time and price once more where the panel has no room', async () => {
    openBooking()
    await screen.findByText('We’re holding 16:40 for you.')
    const [check] = screen.getAllByRole('region', { name: 'What you chose' })
    for (const text of ['Atelier Nacre', 'Gel manicure', 'Inès', '18 March', '16:40–17:40', '€38'])
      expect(check?.textContent).toContain(text)
  })

  it('says as much to a guest', async () => {
    localStorage.clear()
    openBooking()
    await screen.findByRole('heading', { name: 'Almost yours' })
    const [check] = screen.getAllByRole('region', { name: 'What you chose' })
    for (const text of ['Atelier Nacre', 'Gel manicure', 'anyone', '18 March', '16:40', '€38']) expect(check?.textContent).toContain(text)
  })
})

describe('the steps', () => {
  const services = '/salon/atelier-nacre/book'

  it('choose services, anyone, a time: everything is in the address', async () => {
    localStorage.clear()
    const { place } = openBooking(
      {
        nextTimes: () => ({ timeZone: nacre.timeZone, times: [{ startsAt: at, endsAt: later }] }),
        availability: () => ({
          timeZone: nacre.timeZone,
          days: [{ day: '2031-03-18', times: [{ startsAt: at, endsAt: later }], taken: [later] }],
        }),
      },
      services,
    )
    const go = async (name: string) => userEvent.click(screen.getAllByRole('button', { name })[0] ?? document.body)
    await userEvent.click(await screen.findByRole('checkbox', { name: /Hand massage/ }))
    await userEvent.click(screen.getByRole('checkbox', { name: /Gel manicure/ }))
    await go('Choose a professional')
    expect(within(await screen.findByRole('radiogroup')).getByRole<HTMLInputElement>('radio', { name: /Anyone free/ }).checked).toBe(true)
    expect(document.activeElement).toBe(screen.getByRole('heading', { name: 'Who would you like?' }))
    await go('Choose a time')
    const slot = await screen.findByRole('radio', { name: '16:40' })
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /17:00/ }).disabled).toBe(true)
    await userEvent.click(slot)
    await go('Review and book')
    const last = await screen.findByRole('heading', { name: 'Almost yours' })
    expect(document.activeElement).toBe(last)
    // A step is shown at once; the address follows.
    const query = () => new URLSearchParams(place().split('?')[1])
    await waitFor(() => expect(query().get('at')).toBe(at))
    expect(query().getAll('service')).toEqual([handMassage, gelManicure])
  })
})

it('where nothing is chosen the bar says that alone, and counts once something is', async () => {
  openBooking({}, '/salon/atelier-nacre/book')
  expect(await screen.findAllByText('Nothing chosen yet')).not.toHaveLength(0)
  expect(screen.queryByText('0 services')).toBeNull()
  await userEvent.click(screen.getByRole('checkbox', { name: /^Gel manicure/ }))
  expect(await screen.findByText('1 service')).toBeTruthy()
})

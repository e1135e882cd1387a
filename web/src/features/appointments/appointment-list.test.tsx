import type { Appointment } from '@soigne/contract/appointments'
import { cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { client } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { visitAt } from '#/testing/visits.ts'
import { AppointmentList } from './appointment-list.tsx'

type Handlers = Parameters<typeof fakeServer>[0]

const soon = '2031-03-18T15:40:00.000Z'

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
})

function open(address: string, handlers: Handlers) {
  const seen = fakeServer({ me: () => client, ...handlers })
  return {
    ...renderSite(address, { '/appointment/list': <AppointmentList /> }),
    calls: (name: string) => seen.filter((one) => one.name === name),
  }
}

function openList(items: readonly Appointment[], address = '/appointment/list', total = items.length) {
  return open(address, {
    appointments: ({ query }) => ({ items: [...items], page: 1, pageSize: Number(query.get('pageSize') ?? 10), total }),
  })
}

describe('the list of appointments', () => {
  it('[E-10] names the states Paid, Deposit Paid, Pending and Cancelled', async () => {
    const states = ['pending', 'deposit_paid', 'completed', 'cancelled'] as const
    openList(states.map((status) => visitAt(soon, { _id: status, status })))
    await screen.findByText('Your appointments', { selector: 'h1' })
    const rows = await screen.findAllByRole('listitem')
    const text = rows.map((row) => row.textContent).join('\n')
    for (const label of ['Paid', 'Deposit Paid', 'Cancelled']) expect(text).toContain(label)
    // That it is booked is said first: Pending alone reads as not accepted.
    expect(screen.getByRole('region', { name: 'Your next visit' }).textContent).toMatch(/Booked · pay at the salon\s*Pending/)
  })

  it('[K-01] offers pages of 10, 20, 30, 40 and 50 and asks for the chosen size', async () => {
    const { calls } = openList([visitAt(soon)], '/appointment/list?pageSize=20', 70)
    const sizes = within(await screen.findByRole('navigation', { name: 'Appointments on a page' })).getAllByRole('link')
    expect(sizes.map((link) => link.textContent)).toEqual(['10', '20', '30', '40', '50'])
    expect(calls('appointments')[0]?.query.get('pageSize')).toBe('20')
    await userEvent.click(sizes[4] ?? document.body)
    await waitFor(() => expect(calls('appointments').at(-1)?.query.get('pageSize')).toBe('50'))
  })

  it('has one choice of three: coming up, past without what was cancelled, and cancelled', async () => {
    const { calls } = openList([visitAt(soon)])
    const asked = () => calls('appointments').at(-1)?.query
    const parts = within(await screen.findByRole('navigation', { name: 'Which appointments' }))
    expect(parts.getAllByRole('link').map(({ textContent }) => textContent)).toEqual(['Coming up', 'Past', 'Cancelled'])
    await userEvent.click(parts.getByRole('link', { name: 'Past' }))
    await waitFor(() => expect(asked()?.get('when')).toBe('over'))
    await userEvent.click(parts.getByRole('link', { name: 'Cancelled' }))
    await waitFor(() => expect([asked()?.get('status'), asked()?.get('when')]).toEqual(['cancelled', null]))
    expect(screen.queryByRole('navigation', { name: 'By status' })).toBeNull()
  })

  it('an empty list says what will live here and leads on', async () => {
    openList([])
    expect(await screen.findByText('No hour of your own yet.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Find a time' }).getAttribute('href')).toBe('/institutes')
  })

  it('goes to the last page there is, when the one of its address has nothing any more', async () => {
    const { place } = open('/appointment/list?page=3', {
      appointments: ({ query }) => ({ items: query.get('page') === '2' ? [visitAt(soon)] : [], page: 1, pageSize: 10, total: 11 }),
    })
    await waitFor(() => expect(place()).toBe('/appointment/list?page=2'))
    expect(await screen.findByRole('heading', { name: 'Coming up' })).toBeTruthy()
    expect(screen.queryByText('No hour of your own yet.')).toBeNull()
  })
})

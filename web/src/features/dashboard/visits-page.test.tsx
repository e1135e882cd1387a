import { act, cleanup, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner, professional } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import VisitsPage, { type Visit } from './visits-page.tsx'

const pages = { '/mysalon': <VisitsPage /> }

const visit: Visit = {
  _id: 'a-1',
  reference: 'K7QD-4M',
  status: 'deposit_paid',
  attendance: 'expected',
  startsAt: '2030-03-01T15:40:00Z',
  endsAt: '2030-03-01T16:20:00Z',
  customer: { name: 'Leïla Haddad', phone: '+216 71 000 000' },
  segments: [
    {
      serviceId: 's-1',
      serviceName: 'Brow shape',
      staffId: 'm-1',
      staffName: 'Inès B.',
      staffImageUrl: '/art/face/m-1.svg',
      startsAt: '2030-03-01T15:40:00Z',
      endsAt: '2030-03-01T16:20:00Z',
      price: { amount: 2850, currency: 'EUR' },
    },
  ],
  total: { amount: 2850, currency: 'EUR' },
  timeZone: 'Africa/Tunis',
  note: 'First visit.',
}

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

describe('My Salon', () => {
  it("lists the next visits with time in the institute's zone, customer, service, member, money and status", async () => {
    const seen = fakeServer({ me: () => owner, instituteVisits: () => ({ items: [visit], page: 2, pageSize: 20, total: 21 }) })
    renderSite('/mysalon?page=2&pageSize=20', pages)
    const row = (await screen.findByText('Leïla Haddad')).closest('li')
    for (const text of ['16:40', '17:20', 'Brow shape', 'Inès B.', 'First visit.', '€28.50', 'Deposit Paid', 'K7QD-4M'])
      expect(row?.textContent).toContain(text)
    expect(Object.fromEntries(seen.find(({ name }) => name === 'instituteVisits')?.query ?? [])).toEqual({ page: '2', pageSize: '20' })
  })

  it('heads each day with its date, today and tomorrow too', async () => {
    vi.spyOn(Date, 'now').mockReturnValue(Date.parse('2030-03-01T10:00:00Z'))
    const on = (day: string) => ({ ...visit, _id: day, startsAt: `${day}T15:40:00Z`, endsAt: `${day}T16:20:00Z` })
    const items = [on('2030-03-01'), on('2030-03-02'), on('2030-03-05'), on('2030-04-01')]
    fakeServer({ me: () => owner, instituteVisits: () => ({ items, page: 1, pageSize: 10, total: 4 }) })
    renderSite('/mysalon', pages)
    await screen.findAllByText('Leïla Haddad')
    expect(screen.getAllByRole('heading', { level: 2 }).map(({ textContent }) => textContent)).toEqual([
      'Today, Friday 1 March',
      'Tomorrow, Saturday 2 March',
      'Tuesday 5 March',
      'Monday 1 April',
    ])
  })

  it('says so when nothing is booked yet', async () => {
    fakeServer({ me: () => owner, instituteVisits: () => ({ items: [], page: 1, pageSize: 10, total: 0 }) })
    renderSite('/mysalon', pages)
    expect(await screen.findByRole('heading', { name: 'Nothing is booked yet.' })).toBeTruthy()
  })

  it('lets one try again when the visits did not load', async () => {
    fakeServer({ me: () => owner, instituteVisits: () => refused(503, { code: 'unavailable', message: 'A part of us is away.' }) })
    renderSite('/mysalon', pages)
    expect(await screen.findByText('A part of us is away.')).toBeTruthy()
    expect(screen.getByRole('button', { name: 'Try again' })).toBeTruthy()
  })

  it('[R-20] has one way into the wizard for a professional who skipped it', async () => {
    localStorage.setItem('skipRegistration', 'true')
    const seen = fakeServer({ me: () => professional })
    const { place } = renderSite('/mysalon', pages)
    const link = await screen.findByRole('link', { name: 'Continue setup' })
    expect(link.getAttribute('href')).toBe('/institute-register')
    await waitFor(() => expect(place()).toBe('/mysalon'))
    expect(seen.some(({ name }) => name === 'instituteVisits')).toBe(false)
  })
})

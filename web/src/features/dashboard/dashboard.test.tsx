import type { Dashboard, Figures } from '@soigne/contract/dashboard'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner, professional } from '#/testing/people.ts'
import { mayDo, refusedRefund } from '#/testing/sales.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { DashboardContent } from './dashboard.tsx'

const pages = { '/mysalon': <DashboardContent /> }

type Visit = Dashboard['visits'][number]
const visitAt = (hour: string, more: Partial<Visit> = {}): Visit => ({
  _id: hour,
  reference: 'K7QD-4M',
  status: 'deposit_paid',
  attendance: 'expected',
  startsAt: `2030-03-01T${hour}:00Z`,
  endsAt: `2030-03-01T${hour.slice(0, 3)}40:00Z`,
  customer: { name: 'Leïla Haddad', phone: null },
  segments: [
    {
      serviceId: 's-1',
      serviceName: 'Brow shape',
      staffId: 'm-1',
      staffName: 'Inès B.',
      staffImageUrl: '/art/face/m-1.svg',
      startsAt: `2030-03-01T${hour}:00Z`,
      endsAt: `2030-03-01T${hour.slice(0, 3)}40:00Z`,
      price: { amount: 2850, currency: 'EUR' },
    },
  ],
  total: { amount: 2850, currency: 'EUR' },
  timeZone: 'Africa/Tunis',
  version: 1,
  note: null,
  ...more,
})
const shift = { startsAt: '2030-03-01T08:00:00Z', endsAt: '2030-03-01T10:00:00Z' }
const member = {
  _id: 'm-1',
  name: 'Inès B.',
  imageUrl: '/art/face/m-1.svg',
  shifts: [shift],
  busy: [{ ...shift, endsAt: '2030-03-01T08:40:00Z' }],
  shiftMinutes: 120,
  busyMinutes: 40,
}
const day: Dashboard = {
  now: '2030-03-01T13:06:00Z',
  timeZone: 'Africa/Tunis',
  day: '2030-03-01',
  visits: [
    visitAt('09:00', { attendance: 'done', status: 'completed' }),
    visitAt('12:00', { attendance: 'no_show' }),
    visitAt('15:00'),
    visitAt('16:00', { status: 'pending' }),
  ],
  cancelled: 1,
  noShows: 1,
  occupancy: {
    shiftMinutes: 120,
    busyMinutes: 40,
    members: [member, { ...member, _id: 'm-2', name: 'Lucie', shifts: [], busy: [], shiftMinutes: 0, busyMinutes: 0 }],
  },
  toDo: { unmarked: 0, unreadChats: 2, unansweredReviews: 1, leaveRequests: 2, unpaid: 3, refusedRefunds: [], disputes: [] },
  revenue: {
    week: { amount: 284_600, currency: 'EUR' },
    weekBefore: { amount: 254_100, currency: 'EUR' },
    days: Array.from({ length: 28 }, (_, at) => ({ day: `2030-02-${String(at + 1).padStart(2, '0')}`, amount: at * 100 })),
  },
}
const figures: Figures = {
  fromDay: '2030-03-01',
  toDay: '2030-03-01',
  visits: 21,
  done: 16,
  cancelled: 2,
  noShows: 3,
  revenue: { amount: 90_000, currency: 'EUR' },
  hours: [
    { weekday: 5, hour: 9, visits: 4 },
    { weekday: 6, hour: 11, visits: 8 },
  ],
  services: [{ _id: 's-1', name: 'Brow shape', visits: 12, revenue: { amount: 34_200, currency: 'EUR' } }],
}
const noGaps = () => ({ now: day.now, timeZone: day.timeZone, day: day.day, isNight: false, items: [], more: 0, kept: null })
const noChats = { chats: () => ({ items: [], page: 1, pageSize: 10, total: 0, unread: 0 }) }
const ownPermissions = () => mayDo('diary.read', 'diary.change')
const server = (given: Dashboard = day) =>
  fakeServer({ me: () => owner, dashboard: () => given, dashboardFigures: () => figures, gaps: noGaps, ...noChats, ownPermissions })

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
  it('[R-11] greets by the clock of the institute and says what is true of the day', async () => {
    server()
    renderSite('/mysalon', pages)
    expect(await screen.findByRole('heading', { level: 1, name: 'Good afternoon, Odile.' })).toBeTruthy()
    expect(screen.getByText('4 visits today. 2 are behind you.')).toBeTruthy()
    const linkTo = async (name: string) => (await screen.findByRole('link', { name })).getAttribute('href')
    expect(await linkTo('Appointment')).toBe('/mysalon/appointments/calendar?new=1')
    expect(await linkTo('Block time')).toBe('/mysalon/appointments/calendar?block=1')
  })

  it('has the visits around the present, with who came and what is paid', async () => {
    server()
    renderSite('/mysalon', pages)
    const today = await screen.findByRole('region', { name: 'Today' })
    const rows = within(today)
      .getAllByRole('listitem')
      .map(({ textContent }) => textContent ?? '')
    expect(rows).toHaveLength(5)
    expect(rows[0]).toMatch(/^10:00.*Paid/)
    expect(rows[1]).toMatch(/^13:00.*Brow shape.*Leïla Haddad.*Did not come/)
    expect(rows[2]).toBe('14:06 now')
    expect(rows[3]).toMatch(/^16:00.*Deposit Paid/)
    expect(rows[4]).toMatch(/Pending/)
  })

  it('compares the week with the one before until this hour, and says what it counts', async () => {
    server()
    renderSite('/mysalon', pages)
    const card = await screen.findByRole('region', { name: 'Revenue this week' })
    expect(card.textContent).toMatch(/€2,846.*12% up/)
    expect(card.textContent).toContain('Last week until this hour: €2,541')
    expect(card.textContent).toContain('The prices of visits that are done.')
    expect(within(card).getAllByRole('row')).toHaveLength(28)
  })

  it('leaves money out for those who may not see it', async () => {
    server({ ...day, revenue: null })
    renderSite('/mysalon', pages)
    await screen.findByRole('region', { name: 'Occupancy' })
    expect(screen.queryByRole('region', { name: 'Revenue this week' })).toBeNull()
  })

  it('has a lane for each person; who is off has no percentage', async () => {
    server()
    renderSite('/mysalon', pages)
    const card = await screen.findByRole('region', { name: 'Occupancy' })
    expect(
      within(card)
        .getAllByRole('row')
        .map(({ textContent }) => textContent),
    ).toEqual([expect.stringMatching(/Inès B\..*33%/), expect.stringMatching(/Lucie.*off/)])
    // Her lane is hatched from end to end.
    const lucie = within(card).getByRole('row', { name: /Lucie/ })
    expect([...lucie.querySelectorAll('[data-state]')].map((cell) => cell.getAttribute('data-state'))).toEqual(Array(6).fill('off'))
  })

  it('lists only what really waits', async () => {
    server()
    renderSite('/mysalon', pages)
    const list = await screen.findByRole('region', { name: 'Waiting for you' })
    expect(
      within(list)
        .getAllByRole('link')
        .map((link) => [link.textContent, link.getAttribute('href')]),
    ).toEqual([
      ['3 visits are over and not paid', '/mysalon/invoices?period=last7days&due=true'],
      ['2 unread conversations', '/mysalon/messages'],
      ['1 review to answer', '/mysalon/current'],
      ['2 requests for time off', '/mysalon/staff#requests'],
    ])
  })

  it('tells of each refund that was refused, and leads to its sale', async () => {
    server({ ...day, toDo: { ...day.toDo, refusedRefunds: [refusedRefund(), refusedRefund({ _id: 'r2', saleId: null, client: null })] } })
    renderSite('/mysalon', pages)
    const card = await screen.findByRole('region', { name: '2 refunds were refused' })
    expect(
      within(card)
        .getAllByRole('link')
        .map((link) => [link.textContent, link.getAttribute('href')]),
    ).toEqual([['€15.00 to Camille Renaud', '/mysalon/invoices/v1']])
    expect(within(card).getByText('€15.00 to a client')).toBeTruthy()
    cleanup()
    server({ ...day, toDo: { ...day.toDo, refusedRefunds: null } })
    renderSite('/mysalon', pages)
    await screen.findByRole('region', { name: 'Today' })
    expect(screen.queryByRole('region', { name: /refused/ })).toBeNull()
  })

  it('leads from unpaid visits to the sales, and who sees none of those to the calendar', async () => {
    server()
    renderSite('/mysalon', pages)
    const ofWeek = await screen.findByRole('link', { name: '3 visits are over and not paid' })
    expect(ofWeek.getAttribute('href')).toBe('/mysalon/invoices?period=last7days&due=true')
    cleanup()
    server({ ...day, revenue: null })
    renderSite('/mysalon', pages)
    const ofToday = await screen.findByRole('link', { name: '3 visits are over and not paid' })
    expect(ofToday.getAttribute('href')).toBe('/mysalon/appointments/calendar')
  })

  it('says nothing of unpaid visits to who may not take money', async () => {
    server({ ...day, toDo: { ...day.toDo, unpaid: null } })
    renderSite('/mysalon', pages)
    await screen.findByRole('region', { name: 'Today' })
    expect(screen.queryByRole('link', { name: /not paid/ })).toBeNull()
  })

  it('has the days off of who signs in, but for who may mark themselves away', async () => {
    const withDays = { '/mysalon': <DashboardContent timeOff={<p>My days off</p>} /> }
    server()
    renderSite('/mysalon', withDays)
    await screen.findByRole('region', { name: 'Today' })
    expect(screen.queryByText('My days off')).toBeNull()
    cleanup()
    server({ ...day, toDo: { ...day.toDo, leaveRequests: null } })
    renderSite('/mysalon', withDays)
    expect(await screen.findByText('My days off')).toBeTruthy()
    cleanup()
    fakeServer({ me: () => owner, dashboard: () => refused(403, { code: 'forbidden', message: 'This is not for you.' }), ...noChats })
    renderSite('/mysalon', withDays)
    expect(await screen.findByText('Your visits are in the calendar.')).toBeTruthy()
    expect(screen.getByText('My days off')).toBeTruthy()
  })

  it('[K-03] asks figures by the six date filters', async () => {
    const seen = server()
    renderSite('/mysalon', pages)
    const choice = await screen.findByRole('radiogroup', { name: 'Period' })
    expect(
      within(choice)
        .getAllByRole('radio')
        .map((radio) => radio.closest('label')?.textContent),
    ).toEqual(['Today', 'Yesterday', 'Last 7 Days', 'This Month', 'Last Month', 'All Time'])
    fireEvent.click(within(choice).getByLabelText('All Time'))
    await waitFor(() =>
      expect(seen.filter(({ name }) => name === 'dashboardFigures').map(({ query }) => query.get('period'))).toEqual([
        'thisMonth',
        'allTime',
      ]),
    )
    const card = screen.getByRole('region', { name: 'Figures' })
    const numbers = within(card).getAllByRole('definition')
    expect(numbers.map(({ textContent }) => textContent)).toEqual(['21', '16', '€900', '2', '3'])
    expect(within(card).getAllByRole('term')[1]?.textContent).toBe('Done')
    const heat = screen.getByRole('table', { name: 'Visits by weekday and hour' })
    expect(
      within(heat)
        .getAllByRole('columnheader')
        .map(({ textContent }) => textContent),
    ).toEqual(['Weekday', '9', '10', '11'])
    expect(screen.getByRole('table', { name: 'Done most' }).textContent).toContain('Brow shape12€342')
  })

  it('says so when nothing is booked, and lets one try again when the day did not load', async () => {
    server({ ...day, visits: [] })
    renderSite('/mysalon', pages)
    expect((await screen.findAllByText('Nothing is booked today.')).length).toBeGreaterThan(0)
    cleanup()
    fakeServer({ me: () => owner, dashboard: () => refused(503, { code: 'unavailable', message: 'A part of us is away.' }), ...noChats })
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
    expect(seen.some(({ name }) => name === 'dashboard')).toBe(false)
  })
})

// The visits of today beside the present, where many work at once, and what stands below them.
import type { Dashboard } from '@soigne/contract/dashboard'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { mayDo } from '#/testing/sales.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { DashboardContent } from './dashboard.tsx'
import { TodayCard } from './today-card.tsx'

afterEach(() => {
  cleanup()
  vi.unstubAllGlobals()
  localStorage.clear()
})

const visit = (name: string, from: string, to: string): Dashboard['visits'][number] => ({
  _id: name,
  reference: 'K7QD-4M',
  status: 'pending',
  attendance: 'expected',
  startsAt: `2030-03-01T${from}:00.000Z`,
  endsAt: `2030-03-01T${to}:00.000Z`,
  customer: { name, phone: null },
  segments: [],
  total: { amount: 0, currency: 'EUR' },
  timeZone: 'UTC',
  version: 1,
  note: null,
})

it('keeps who is still in the chair, however many that came later are done', () => {
  const short = Array.from({ length: 14 }, (_, at) => visit(`Done ${at}`, `09:${10 + at}`, `09:${40 + at}`))
  const visits = [visit('Long colour', '09:00', '13:00'), ...short, visit('To come', '14:00', '15:00')]
  renderSite('/', { '/': <TodayCard data={{ now: '2030-03-01T12:00:00.000Z', timeZone: 'UTC', visits } as Dashboard} /> })
  const rows = within(screen.getByRole('list')).getAllByRole('listitem')
  expect(rows.slice(-4).map(({ textContent }) => /Done 13|12:00 now|Long colour|To come/.exec(textContent ?? '')?.[0])).toEqual([
    'Done 13',
    '12:00 now',
    'Long colour',
    'To come',
  ])
  expect(screen.queryByText(/more today/)).toBeNull()
})

it.each([
  ['below a short list', 3, true],
  ['beside a long one', 4, false],
])('has gaps %s', async (_where, count, isBelow) => {
  localStorage.setItem('AuthToken', 't')
  const at = { now: '2030-03-01T12:00:00.000Z', timeZone: 'UTC', day: '2030-03-01' }
  const visits = Array.from({ length: count }, (_, n) => visit(`Client ${n}`, `1${n + 3}:00`, `1${n + 3}:40`))
  const toDo = {
    unmarked: 0,
    unreadChats: null,
    unansweredReviews: null,
    leaveRequests: 0,
    unpaid: null,
    refusedRefunds: null,
    disputes: null,
  }
  const occupancy = { shiftMinutes: 0, busyMinutes: 0, members: [] }
  const gap = {
    member: { _id: 'm-1', name: 'Inès B.', imageUrl: '/art/face/m-1.svg' },
    startsAt: at.now,
    endsAt: '2030-03-01T13:00:00.000Z',
  }
  fakeServer({
    me: () => owner,
    dashboard: () => ({ ...at, visits, cancelled: 0, noShows: 0, occupancy, toDo, revenue: null }),
    gaps: () => ({
      ...at,
      isNight: false,
      items: [{ ...gap, services: ['Cut'], moreServices: 0, waiting: [], moreWaiting: 0 }],
      more: 0,
      kept: null,
    }),
    chats: () => ({ items: [], page: 1, pageSize: 10, total: 0, unread: 0 }),
    ownPermissions: () => mayDo('diary.read', 'diary.change'),
  })
  renderSite('/mysalon', { '/mysalon': <DashboardContent /> })
  const card = await screen.findByRole('region', { name: '1 gap to fill' })
  expect(screen.getByRole('region', { name: 'Today' }).parentElement?.contains(card)).toBe(isBelow)
})

// The visits of today beside the present, where many work at once.
import type { Dashboard } from '@soigne/contract/dashboard'
import { cleanup, screen, within } from '@testing-library/react'
import { afterEach, expect, it } from 'vitest'
import { renderSite } from '#/testing/render-site.tsx'
import { TodayCard } from './today-card.tsx'

afterEach(cleanup)

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

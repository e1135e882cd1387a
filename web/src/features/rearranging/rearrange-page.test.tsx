import type { ProposalRow, Rearrangement } from '@soigne/contract/rearranging'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import RearrangePage from './rearrange-page.tsx'

const path = '/mysalon/appointments/rearrange'
const timeZone = 'Europe/Paris'
const now = '2030-03-01T09:00:00Z'
const visit = (id: string, name: string, phone: string | null): ProposalRow['visit'] => ({
  _id: id,
  reference: 'K7QD-4M',
  startsAt: '2030-03-02T10:20:00Z',
  endsAt: '2030-03-02T11:00:00Z',
  customer: { name, phone, hasAccount: true },
  segments: [],
  total: { amount: 4200, currency: 'EUR' },
})
const inOrder: ProposalRow['options'] = ['2030-03-04T10:20:00Z', '2030-03-05T10:20:00Z'].map((startsAt) => ({
  startsAt,
  endsAt: startsAt,
  staff: [{ staffId: 'm-1', name: 'Lucie', imageUrl: '' }],
  reason: 'same_person_same_hour',
}))
const rows: ProposalRow[] = [
  { visit: visit('a-1', 'Zoé L.', null), options: inOrder, fullUntil: null },
  { visit: visit('a-2', 'Claire B.', '+33 6 12 34 56 78'), options: [], fullUntil: null },
]
const answered: Rearrangement = {
  _id: 'r-1',
  state: 'no_answer',
  visit: visit('a-3', 'Tom R.', '+33 6 00 00 00 00'),
  before: { startsAt: now, endsAt: now },
  proposed: null,
  until: null,
  note: 'boiler',
  createdAt: now,
  answeredAt: null,
}
const serve = (items: ProposalRow[], answers: Rearrangement[] = []) =>
  fakeServer({
    me: () => owner,
    proposals: () => ({ timeZone, now, items }),
    rearrangements: () => ({ timeZone, now, items: answers, needed: [] }),
    lateMembers: () => ({ timeZone, now, items: [], team: [] }),
    rearrange: () => ({ items: [] }),
    changeRearrangement: () => ({ ...answered, state: 'settled' }),
  })

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

it('closes a day with what is proposed for each; what nothing fits is called', async () => {
  const seen = serve(rows)
  renderSite(`${path}?day=2030-03-02`, { [path]: <RearrangePage /> })
  const send = await screen.findByRole('button', { name: 'Close and send one proposal' })
  expect((await screen.findByText('Nothing fits')).closest('li')?.querySelector('a')?.href).toBe('tel:+33612345678')
  expect(screen.getByText('Same hands, same hour')).toBeTruthy()
  fireEvent.click(send)
  await waitFor(() => expect(seen.some(({ name }) => name === 'rearrange')).toBe(true))
  expect(seen.find(({ name }) => name === 'rearrange')?.body).toMatchObject({
    items: [
      { appointmentId: 'a-1', how: 'propose', startsAt: '2030-03-04T10:20:00Z', staff: ['m-1'] },
      { appointmentId: 'a-2', how: 'call' },
    ],
    close: { fromDay: '2030-03-02', toDay: '2030-03-02' },
  })
})

it('says how clients answered', async () => {
  serve([], [answered])
  renderSite(path, { [path]: <RearrangePage /> })
  expect((await screen.findByText('No answer')).closest('li')?.textContent).toContain('Tom R.')
  expect(screen.getByText('Every visit has its time.')).toBeTruthy()
})

import type { LateNotice, LateVisit, ProposalRow, Rearrangement } from '@soigne/contract/rearranging'
import { act, cleanup, fireEvent, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { fakeServer } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
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
  { visit: visit('a-1', 'Zoé L.', null), options: inOrder, fullUntil: null, refunded: { amount: 900, currency: 'EUR' } },
  { visit: visit('a-2', 'Claire B.', '+33 6 12 34 56 78'), options: [], fullUntil: null, refunded: { amount: 1260, currency: 'EUR' } },
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
  vi.useRealTimers()
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

it('says before it is sent what goes back to whose visit is cancelled, and the sum of it', async () => {
  const seen = serve(rows)
  renderSite(path, { [path]: <RearrangePage /> })
  const claire = (await screen.findByText('Nothing fits')).closest('li')
  const zoe = screen.getByText('Zoé L.').closest('li')
  const side = within(screen.getByRole('complementary', { name: 'What is sent' }))
  expect(claire?.textContent).toContain('If it is cancelled, €12.60 goes back.')
  expect(zoe?.textContent).not.toContain('€9.00')
  expect(side.queryByText('Goes back')).toBeNull()
  const cancel = async (name: string) => {
    await userEvent.click(screen.getByRole('button', { name: `Other times for ${name}` }))
    await userEvent.click(await screen.findByRole('menuitem', { name: 'Cancel the visit' }))
  }
  await cancel('Claire B.')
  expect(claire?.textContent).toContain('The client is told, and €12.60 goes back.')
  expect(side.getByText('Goes back').nextElementSibling?.textContent).toBe('€12.60')
  expect(screen.getByRole('button', { name: 'Send one proposal' })).toBeTruthy()
  await cancel('Zoé L.')
  expect(screen.getByRole('button', { name: 'Cancel 2 visits' })).toBeTruthy()
  expect(zoe?.textContent).toContain('€9.00 goes back')
  expect(side.getByText('Goes back').nextElementSibling?.textContent).toBe('€21.60')
  expect(seen.some(({ name }) => name === 'rearrange')).toBe(false)
})

it('says how clients answered', async () => {
  serve([], [answered])
  renderSite(path, { [path]: <RearrangePage /> })
  expect((await screen.findByText('No answer')).closest('li')?.textContent).toContain('Tom R.')
  expect(screen.getByText('Every visit has its time.')).toBeTruthy()
})

it('points from the time that was to the one proposed in the way the language is read', async () => {
  const { startsAt, endsAt } = answered.before
  serve([], [{ ...answered, proposed: { startsAt, endsAt, staff: [] } }])
  renderPart(<RearrangePage />, { at: path, locale: 'ar' })
  const row = (await screen.findByText('دون رد')).closest('li')
  expect([row?.textContent.includes('←'), row?.textContent.includes('→')]).toEqual([true, false])
})

it('names a day within a sentence as the language writes it there', async () => {
  vi.useFakeTimers({ now: Date.parse('2031-12-03T09:00:00Z'), toFake: ['Date'] })
  const tomorrow = '2031-12-04T09:00:00.000Z'
  serve([], [{ ...answered, state: 'sent', until: tomorrow }])
  renderPart(<RearrangePage />, { at: `${path}?day=2031-12-05`, locale: 'fr' })
  expect((await screen.findByRole('heading', { level: 1 })).textContent).toBe('Fermer le vendredi 5 décembre')
  cleanup()
  serve([], [{ ...answered, state: 'sent', until: tomorrow }])
  renderPart(<RearrangePage />, { at: path, locale: 'fr' })
  expect((await screen.findByText(/^Gardé jusqu’au/)).textContent).toMatch(/^Gardé jusqu’au jeudi 4 décembre/)
})

it('proposes again to whoever did not answer, a time that fits now', async () => {
  const before = { startsAt: '2030-03-05T09:00:00Z', endsAt: '2030-03-05T10:00:00Z' }
  const again = { visit: answered.visit, options: inOrder, fullUntil: null, refunded: { amount: 0, currency: 'EUR' } }
  const seen = fakeServer({
    me: () => owner,
    proposals: ({ query }) => ({ timeZone, now, items: query.get('visit') === 'a-3' ? [again] : [] }),
    rearrangements: () => ({
      timeZone,
      now,
      items: [
        { ...answered, before },
        { ...answered, _id: 'r-2', state: 'declined', before },
      ],
      needed: [],
    }),
    lateMembers: () => ({ timeZone, now, items: [], team: [] }),
    changeRearrangement: () => ({ ...answered, state: 'sent' }),
  })
  renderSite(path, { [path]: <RearrangePage /> })
  // What was given up is no visit any more.
  await userEvent.click(await screen.findByRole('button', { name: 'Propose again' }))
  await userEvent.click(await screen.findByRole('button', { name: /4 Mar.* at 11:20, Lucie/ }))
  await waitFor(() => expect(seen.some(({ name }) => name === 'changeRearrangement')).toBe(true))
  const sent = seen.find(({ name }) => name === 'changeRearrangement')
  expect([sent?.params, sent?.body]).toEqual([{ id: 'r-1' }, { how: 'propose', startsAt: '2030-03-04T10:20:00Z', staff: ['m-1'] }])
})

const person = (staffId: string, name: string) => ({ staffId, name, imageUrl: '' })
const waits = (name: string, minutes: number, isTold: boolean): LateVisit => ({
  _id: name,
  customer: name,
  serviceName: 'Cut',
  staffId: 'm-1',
  startsAt: '2030-03-01T10:00:00Z',
  expectedAt: '2030-03-01T10:20:00Z',
  minutes,
  isTold,
  phone: isTold ? null : '+33 6 00 00 00 01',
})
const noticeOf = (minutes: number, more: Partial<LateNotice> = {}): LateNotice => ({
  _id: null,
  staffId: 'm-1',
  name: 'Lucie',
  minutes,
  saidAt: null,
  endsAt: now,
  affected: [waits('Zoé', minutes, true), waits('Tom', minutes, false)],
  unaffected: [waits('Emma', 0, true)],
  ...more,
})

it('says who has to wait before anybody is told, and tells them; on time again it is taken back', async () => {
  let late: LateNotice[] = []
  const seen = fakeServer({
    me: () => owner,
    proposals: () => ({ timeZone, now, items: [] }),
    rearrangements: () => ({ timeZone, now, items: [], needed: [] }),
    lateMembers: () => ({ timeZone, now, items: late, team: [person('m-1', 'Lucie'), person('m-2', 'Nora')] }),
    runLate({ query, body }) {
      const notice = noticeOf((body as { minutes: number }).minutes)
      if (query.get('dryRun') !== '1') late = [{ ...notice, _id: 'n-1', saidAt: now }]
      return notice
    },
    runOnTime() {
      late = []
      return { message: 'On time again.' }
    },
  })
  renderSite(path, { [path]: <RearrangePage /> })
  const [opener] = await screen.findAllByRole('button', { name: /Running late/ })
  if (!opener) throw new Error('nothing opens it')
  await userEvent.click(opener)
  const dialog = within(await screen.findByRole('dialog'))
  const waiting = (await dialog.findByText('Have to wait')).closest('section')
  expect(waiting?.textContent).toContain('By phone +33 6 00 00 00 01')
  expect(dialog.getByText('Keep their time').closest('section')?.textContent).toContain('Emma')
  await userEvent.click(dialog.getByRole('radio', { name: '30' }))
  await userEvent.click(await dialog.findByRole('button', { name: 'Tell one client' }))
  const told = () => seen.filter(({ name, query }) => name === 'runLate' && query.get('dryRun') === null)
  await waitFor(() => expect(told().map(({ params, body }) => [params, body])).toEqual([[{ id: 'm-1' }, { minutes: 30 }]]))
  await userEvent.click(await screen.findByRole('button', { name: /30 minutes late/ }))
  await userEvent.click(await screen.findByRole('button', { name: 'On time again' }))
  await waitFor(() => expect(screen.queryByRole('button', { name: /30 minutes late/ })).toBeNull())
})

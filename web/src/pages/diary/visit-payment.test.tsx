// A visit in the calendar: the way to its till, or to its sale once it is paid.
import { type Permission, permissions } from '@soigne/contract/access'
import type { DiaryVisit } from '@soigne/contract/diary'
import type { OpenFee } from '@soigne/contract/fees'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { diaryDay, diaryOf, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()

/** The open visit, and a wait until it is known what may be done. */
async function openVisit(part: Partial<DiaryVisit>, own: Permission[] = [...permissions], more: Parameters<typeof fakeServer>[0] = {}) {
  const seen = fakeServer({
    me: () => owner,
    diary: () => diaryOf({ visits: [diaryVisit('v1', '16:40', '17:40', part)] }),
    diaryVisit: () => refused(404, { code: 'not_found', message: 'Not yet.' }),
    ownPermissions: () => ({ permissions: [...permissions], levels: [], own }),
    ...more,
  })
  renderSite(`${path}?day=${diaryDay}`, { [path]: <DiaryPage /> })
  fireEvent.click(await screen.findByRole('button', { name: /Camille Renaud/ }))
  const drawer = within(await screen.findByRole('dialog'))
  await waitFor(() => expect(seen.some(({ name }) => name === 'ownPermissions')).toBe(true))
  await act(() => Promise.resolve())
  return drawer
}

it('[P-10] leads from a visit to its till, also when it is over', async () => {
  const drawer = await openVisit({ attendance: 'done' })
  expect((await drawer.findByRole('link', { name: 'Take payment' })).getAttribute('href')).toBe('/mysalon/appointments/v1/till')
  expect(drawer.queryByRole('button', { name: 'Move to' })).toBeNull()
})

it('[P-10] says of a paid visit that it is paid, and leads to its sale', async () => {
  const drawer = await openVisit({ status: 'completed' })
  expect((await drawer.findByRole('link', { name: 'See the sale' })).getAttribute('href')).toBe('/mysalon/invoices/v1')
  expect(drawer.getByText('Paid')).toBeTruthy()
  expect(drawer.queryByRole('link', { name: 'Take payment' })).toBeNull()
})

it.each([
  ['whoever may not take money', {}, ['diary.read', 'diary.change'] as Permission[]],
  ['a visit nobody came to', { attendance: 'no_show' as const }, undefined],
  ['a visit that was let go', { status: 'cancelled' as const }, undefined],
])('offers no payment for %s', async (_who, part, own) => {
  const drawer = await openVisit(part, own)
  expect(drawer.queryByRole('link', { name: 'Take payment' })).toBeNull()
  expect(drawer.queryByRole('link', { name: 'See the sale' })).toBeNull()
})

/** The open visit of who did not come, with its fee: €12.60 of €21.00 was paid before. */
const missed = (fee: Partial<OpenFee>, own?: Permission[], more: Parameters<typeof fakeServer>[0] = {}) => {
  const euros = (amount: number) => ({ amount, currency: 'EUR' })
  const times = { dueAt: '2025-11-21T13:16:00.000Z', startsAt: '2025-11-20T13:00:00.000Z' }
  const card = { brand: 'Visa', lastFour: '4242' }
  const of = { _id: 'f1', visitId: 'v1', client: 'Camille', kind: 'no_show' as const, state: 'due' as const, ...times }
  const items = [{ ...of, amount: euros(840), held: euros(1260), card, ...fee }]
  return openVisit({ attendance: 'no_show' }, own, { openFees: () => ({ items }), ...more })
}

it('[E-10] says of a visit that was missed what is due, what is held, and what is charged of which card and when', async () => {
  const drawer = await missed({})
  expect(await drawer.findByText('€21.00 due, €12.60 held')).toBeTruthy()
  expect(drawer.getByText(/^€8\.40 is charged to Visa ending in 4242: .*14:16, unless it is waived before$/)).toBeTruthy()
  expect(drawer.getByRole('link', { name: 'See the sale' }).getAttribute('href')).toBe('/mysalon/invoices/v1')
})

it.each([
  ['stays open where no card is saved', { card: null }, '€21.00 due, €12.60 held', '€8.40 stays open: no card is saved'],
  [
    'is all of it where nothing is held',
    { held: { amount: 0, currency: 'EUR' }, card: null },
    '€8.40 due',
    '€8.40 stays open: no card is saved',
  ],
  [
    'is unpaid where the card was declined',
    { state: 'unpaid' as const },
    '€21.00 due, €12.60 held',
    '€8.40: Unpaid: the card was declined',
  ],
])('[E-10] says that what is due %s', async (_what, fee, sum, next) => {
  const drawer = await missed(fee)
  expect(await drawer.findByText(sum)).toBeTruthy()
  expect(drawer.getByText(next)).toBeTruthy()
})

it('[E-10] waives it right there, with a reason, and takes it back', async () => {
  const waived: unknown[] = []
  const takenBack = vi.fn(() => ({ message: 'The fee is due again.' }))
  const drawer = await missed({}, undefined, {
    undoWaiver: takenBack,
    waiveFee: ({ body }) => {
      waived.push(body)
      return { message: 'The fee is waived.' }
    },
  })
  fireEvent.click(await drawer.findByRole('button', { name: 'Waive the fee' }))
  const dialog = within(await screen.findByRole('dialog', { name: 'Waive the fee' }))
  fireEvent.change(dialog.getByLabelText('Reason'), { target: { value: 'Their train stood still.' } })
  fireEvent.click(dialog.getByRole('button', { name: 'Waive' }))
  expect(await screen.findByText('The fee is waived.')).toBeTruthy()
  expect(waived).toEqual([{ reason: 'Their train stood still.' }])
  fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
  expect(await screen.findByText('The fee is due again.')).toBeTruthy()
  expect(takenBack).toHaveBeenCalledOnce()
})

it('[E-10] takes it now after one question, under one key however often it is pressed, and leads to the sale that can give it back', async () => {
  const charged: (string | null)[] = []
  const answer = Promise.withResolvers<{ state: 'charged' }>()
  const drawer = await missed({}, undefined, {
    chargeFee: ({ headers }) => {
      charged.push(headers.get('idempotency-key'))
      return answer.promise
    },
  })
  fireEvent.click(await drawer.findByRole('button', { name: 'Take €8.40 now' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Take €8.40 now?' }))
  expect(question.getByText(/^Visa ending in 4242 is charged at once.*It can be given back, not undone\.$/)).toBeTruthy()
  expect(charged).toEqual([])
  const yes = question.getByRole('button', { name: 'confirm' })
  act(() => {
    fireEvent.click(yes)
    fireEvent.click(yes)
  })
  await waitFor(() => expect(charged).toHaveLength(1))
  await act(async () => answer.resolve({ state: 'charged' }))
  expect(await screen.findByText('€8.40 taken.')).toBeTruthy()
  expect(screen.queryByRole('button', { name: 'Undo' })).toBeNull()
  expect(charged).toEqual([expect.any(String)])
})

it('[E-10] says it where the card did not pay', async () => {
  const drawer = await missed({}, undefined, { chargeFee: () => ({ state: 'unpaid' }) })
  fireEvent.click(await drawer.findByRole('button', { name: 'Take €8.40 now' }))
  fireEvent.click(within(await screen.findByRole('alertdialog')).getByRole('button', { name: 'confirm' }))
  expect(await screen.findByText('€8.40: Unpaid: the card was declined')).toBeTruthy()
})

it.each([
  ['without a card', { card: null }],
  ['before the grace after the start is over', { dueAt: '2099-11-21T13:16:00.000Z' }],
  ['that is charged already', { state: 'charging' as const }],
])('[E-10] takes no fee now %s', async (_what, fee) => {
  const drawer = await missed(fee)
  expect(await drawer.findByRole('button', { name: 'Waive the fee' })).toBeTruthy()
  expect(drawer.queryByRole('button', { name: /^Take/ })).toBeNull()
})

it('[E-10] offers no waiving to whoever may not give money back', async () => {
  const drawer = await missed({}, ['diary.read', 'sales.read'])
  expect(await drawer.findByText('€21.00 due, €12.60 held')).toBeTruthy()
  expect(drawer.queryByRole('button', { name: 'Waive the fee' })).toBeNull()
  expect(drawer.queryByRole('button', { name: /^Take/ })).toBeNull()
})

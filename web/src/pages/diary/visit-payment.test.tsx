// A visit in the calendar: the way to its till, or to its sale once it is paid.
import { type Permission, permissions } from '@soigne/contract/access'
import type { DiaryVisit } from '@soigne/contract/diary'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
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

it('[E-10] says of a visit that was missed what is due and until when it can be waived, and leads there', async () => {
  const fee = {
    _id: 'f1',
    visitId: 'v1',
    client: 'Camille',
    kind: 'no_show' as const,
    state: 'due' as const,
    amount: { amount: 840, currency: 'EUR' },
  }
  const times = { dueAt: '2025-11-21T13:16:00.000Z', startsAt: '2025-11-20T13:00:00.000Z' }
  const drawer = await openVisit({ attendance: 'no_show' }, undefined, { openFees: () => ({ items: [{ ...fee, ...times }] }) })
  expect(await drawer.findByText('€8.40')).toBeTruthy()
  expect(drawer.getByText(/unless it is waived before$/)).toBeTruthy()
  expect(drawer.getByRole('link', { name: 'See or waive' }).getAttribute('href')).toBe('/mysalon/invoices/v1')
})

// A visit of several services in the calendar: one is taken out of it.
import type { DiaryVisit } from '@soigne/contract/diary'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { at, diaryDay, diaryOf, diarySegment, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { handMassage } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()

const euros = (amount: number) => ({ amount, currency: 'EUR' })
const manicure = diarySegment('16:40', '17:40')
const massage = diarySegment('17:40', '18:00', { position: 1, serviceId: handMassage, serviceName: 'Hand massage', price: euros(1400) })

async function openVisit(part: Partial<DiaryVisit>, handlers: Parameters<typeof fakeServer>[0] = {}) {
  const seen = fakeServer({
    me: () => owner,
    diary: () => diaryOf({ visits: [diaryVisit('v1', '16:40', '18:00', { segments: [manicure, massage], ...part })] }),
    diaryVisit: () => refused(404, { code: 'not_found', message: 'Not yet.' }),
    ...handlers,
  })
  renderSite(`${path}?day=${diaryDay}`, { [path]: <DiaryPage /> })
  fireEvent.click(await screen.findByRole('button', { name: /Camille Renaud/ }))
  return { seen, drawer: within(await screen.findByRole('dialog')) }
}

it('says what is left and what goes back to the client, and is of the visit that was seen', async () => {
  const left = diaryVisit('v1', '16:40', '17:40', { version: 4 })
  const state = { visit: diaryVisit('v1', '16:40', '18:00', { segments: [manicure, massage], status: 'deposit_paid', version: 3 }) }
  const { seen, drawer } = await openVisit(
    {},
    {
      diary: () => diaryOf({ visits: [state.visit] }),
      diaryServiceRemoval: () => ({ startsAt: at('16:40'), endsAt: at('17:40'), total: euros(3800), refunded: euros(404) }),
      removeDiaryVisitService: () => (state.visit = left),
    },
  )
  fireEvent.click(await drawer.findByRole('button', { name: 'Remove Hand massage' }))
  const question = within(await screen.findByRole('alertdialog', { name: 'Remove Hand massage?' }))
  expect(question.getByText('€4.04 of the deposit goes back to the client.')).toBeTruthy()
  expect(question.getByText(/16:40–17:40/)).toBeTruthy()
  fireEvent.click(question.getByRole('button', { name: 'confirm' }))
  expect(await screen.findByText('Hand massage removed')).toBeTruthy()
  const asked = seen.filter(({ name }) => name === 'removeDiaryVisitService').map(({ body }) => body)
  expect(asked).toEqual([{ segment: 1, serviceId: handMassage, version: 3 }])
  await waitFor(() => expect(drawer.queryByRole('button', { name: /^Remove / })).toBeNull())
})

it.each([
  ['its only service', { segments: [manicure] }],
  ['what is paid in full', { status: 'completed' as const }],
  ['somebody who is there', { attendance: 'arrived' as const }],
  ['a visit at home', { atHome: { city: 'Lyon' } }],
  ['a visit that has begun', { startsAt: at('14:00') }],
])('takes nothing out of %s', async (_what, part) => {
  const { drawer } = await openVisit(part)
  expect(await drawer.findByText('What is planned')).toBeTruthy()
  expect(drawer.queryByRole('button', { name: /^Remove / })).toBeNull()
})

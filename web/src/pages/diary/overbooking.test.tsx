// A time that is not free: why, what is, and the way past it for those who may.
import { type Permission, permissions } from '@soigne/contract/access'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { at, diaryDay, diaryOf, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer } from '#/testing/fake-server.ts'
import { ines, maud, nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()

const times = {
  timeZone: 'Europe/Paris',
  days: [{ day: diaryDay, times: ['14:20', '14:40', '15:00'].map((time) => ({ startsAt: at(time), endsAt: at(time) })) }],
}
const bodiesOf = (seen: ReturnType<typeof fakeServer>, name: string) => seen.filter((one) => one.name === name).map(({ body }) => body)

/** 15:20 with Inès is wanted, and is not free. */
async function wantsTakenTime(own: Permission[]) {
  const seen = fakeServer({
    me: () => owner,
    diary: () => diaryOf({ visits: [diaryVisit('v-camille', '16:40', '17:40')] }),
    institute: () => nacre,
    diaryTimes: () => times,
    ownPermissions: () => ({ permissions: [...permissions], levels: [], own }),
    whyNot: () => ({
      isFree: false,
      startsAt: at('15:20'),
      endsAt: at('16:20'),
      refusedBy: [{ reason: 'taken', lane: 'person', startsAt: at('15:40'), endsAt: at('16:40'), what: 'Emma C.' }],
      next: { staffId: ines, startsAt: at('17:40'), endsAt: at('18:40') },
      others: [{ staffId: maud, startsAt: at('15:20'), endsAt: at('16:20') }],
      toClient: 'Free from 17:40.',
    }),
    bookForClient: () => diaryVisit('v-new', '15:20', '16:20'),
  })
  renderSite(`${path}?day=${diaryDay}`, { [path]: <DiaryPage /> })
  const block = await screen.findByRole('button', { name: /Camille Renaud/ })
  block.focus()
  for (let steps = 0; steps < 4; steps += 1) fireEvent.keyDown(document.activeElement ?? block, { key: 'ArrowUp' })
  fireEvent.keyDown(document.activeElement ?? block, { key: 'Enter' })
  const form = await screen.findByRole('dialog', { name: 'New appointment' })
  fireEvent.click(await within(form).findByRole('button', { name: /Gel manicure/ }))
  fireEvent.click(screen.getByRole('button', { name: 'Walk-in' }))
  return { seen, why: await screen.findByRole('region', { name: 'Why not 15:20?' }) }
}

it('says why a time is not free, what works, and overbooks only with a reason', async () => {
  const { seen, why } = await wantsTakenTime(['diary.change', 'diary.overbook'])
  expect(why.textContent).toContain('Inès is busy 15:40–16:40: Emma C.')
  expect(why.textContent).toContain('Free from 17:40.')
  expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Book 15:20' }).disabled).toBe(true)
  fireEvent.click(await screen.findByRole('button', { name: 'Overbook' }))
  fireEvent.change(screen.getByRole('textbox', { name: 'Why overbook?' }), { target: { value: 'Only a repair' } })
  fireEvent.click(screen.getByRole('button', { name: 'Overbook 15:20' }))
  await waitFor(() =>
    expect(bodiesOf(seen, 'bookForClient')[0]).toMatchObject({ startsAt: at('15:20'), overbook: { reason: 'Only a repair' } }),
  )
})

it('offers no overbooking to whoever may not', async () => {
  const { seen } = await wantsTakenTime(['diary.change'])
  await waitFor(() => expect(bodiesOf(seen, 'ownPermissions')).toHaveLength(1))
  await act(() => Promise.resolve())
  expect(screen.queryByRole('button', { name: 'Overbook' })).toBeNull()
})

// Moving a visit by its form: the times it can take, those that it takes itself among them.
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { expect, it } from 'vitest'
import { at, diaryDay, diaryOf, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()

it('offers what lies within its own time, but not where it is [P-07]', async () => {
  const camille = diaryVisit('v-camille', '16:40', '18:00')
  const seen = fakeServer({
    me: () => owner,
    diary: () => diaryOf({ visits: [camille] }),
    diaryVisit: () => refused(404, { code: 'not_found', message: 'Not yet.' }),
    diaryTimes: () => ({
      timeZone: 'Europe/Paris',
      days: [{ day: diaryDay, times: ['16:20', '16:40', '17:00'].map((time) => ({ startsAt: at(time), endsAt: at(time) })) }],
    }),
    moveInstituteVisit: () => ({ ...camille, timeZone: 'Europe/Paris', customer: { name: 'Camille', phone: null }, segments: [] }),
  })
  renderSite(`${path}?day=${diaryDay}&visit=v-camille`, { [path]: <DiaryPage /> })
  const drawer = within(await screen.findByRole('dialog'))
  fireEvent.click(await drawer.findByRole('button', { name: 'Move to another time' }))
  const times = within(await drawer.findByRole('group', { name: 'Time' }))
  fireEvent.click(await times.findByRole('button', { name: '17:00' }))
  expect(times.getAllByRole('button').map(({ textContent }) => textContent)).toEqual(['16:20', '17:00'])
  expect(seen.find(({ name }) => name === 'diaryTimes')?.query.get('visit')).toBe('v-camille')
  fireEvent.click(drawer.getByRole('button', { name: 'Move to 17:00' }))
  await waitFor(() => expect(seen.find(({ name }) => name === 'moveInstituteVisit')?.body).toEqual({ startsAt: at('17:00'), version: 1 }))
})

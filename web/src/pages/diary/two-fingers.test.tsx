// A visit that one finger carries while another touches the grid.
import { fireEvent, screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { diaryDay, diaryOf, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()

it('stays with the finger that lifted it: another neither moves it nor puts it down', async () => {
  // Ten hours of the day on 600 pixels: one for each minute.
  vi.spyOn(HTMLElement.prototype, 'getBoundingClientRect').mockReturnValue(new DOMRect(0, 0, 200, 600))
  HTMLElement.prototype.setPointerCapture = () => {}
  fakeServer({ me: () => owner, diary: () => diaryOf({ visits: [diaryVisit('v-camille', '16:40', '17:40')] }) })
  renderSite(`${path}?day=${diaryDay}`, { [path]: <DiaryPage /> })
  const block = await screen.findByRole('button', { name: /Camille Renaud/ })
  const at = (pointerId: number, clientY: number) => ({ pointerId, clientX: 50, clientY, button: 0, pointerType: 'mouse', bubbles: true })
  fireEvent.pointerDown(block, at(1, 470))
  fireEvent.pointerMove(block, at(1, 450))
  fireEvent.pointerDown(block, at(2, 100))
  fireEvent.pointerMove(block, at(2, 90))
  fireEvent.pointerUp(block, at(2, 90))
  expect(screen.queryByRole('dialog')).toBeNull()
  fireEvent.pointerUp(block, at(1, 450))
  expect(await screen.findByRole('dialog', { name: 'Move Camille to 16:20?' })).toBeTruthy()
  vi.restoreAllMocks()
})

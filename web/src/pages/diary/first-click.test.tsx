// A click on the calendar in the very moment it is drawn: whoever is quick loses nothing.
import { screen } from '@testing-library/react'
import { expect, it, vi } from 'vitest'
import { diaryDay, diaryOf, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer } from '#/testing/fake-server.ts'
import { ines, nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()

/** Clicks once it is in the document and laid out, and before the effects that React runs after drawing. */
function clickOnceDrawn(selector: string): Promise<void> {
  return new Promise((clicked) => {
    let isOver = false
    const look = () => {
      const found = isOver ? null : document.querySelector<HTMLElement>(selector)
      if (!found) return
      isOver = true
      found.click()
      clicked()
    }
    for (const name of ['appendChild', 'insertBefore'] as const) {
      const insert = Node.prototype[name] as (...given: unknown[]) => Node
      vi.spyOn(Node.prototype, name).mockImplementation(function (this: Node, ...given: unknown[]) {
        queueMicrotask(look)
        return insert.apply(this, given)
      } as never)
    }
  })
}

it('opens the visit that is clicked as soon as another view shows it [P-07]', async () => {
  const visit = diaryVisit('v-camille', '16:40', '17:40')
  fakeServer({
    me: () => owner,
    diary: () => diaryOf({ visits: [visit] }),
    diaryVisit: () => ({ ...visit, timeZone: 'Europe/Paris', terms: { cancelWindowHours: null, freeUntil: null }, history: [] }),
    institute: () => nacre,
  })
  const { router, place } = renderSite(`${path}?day=${diaryDay}&view=agenda`, { [path]: <DiaryPage /> })
  await screen.findByRole('button', { name: /Camille Renaud/ })
  const clicked = clickOnceDrawn('[data-key*="v-camille"]')
  void router.navigate(`${path}?day=${diaryDay}&view=week&staff=${ines}`)
  await clicked
  expect(await screen.findByRole('dialog')).toBeTruthy()
  expect(place()).toContain('visit=v-camille')
})

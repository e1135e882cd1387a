// A visit that comes again says so where it is opened: its dates, and which was moved by itself.
import type { Answer } from '@soigne/contract/define'
import type { Calls } from '@soigne/contract/calls'
import { screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { describe, expect, it, vi } from 'vitest'
import { at, diaryDay, diaryOf, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer } from '#/testing/fake-server.ts'
import { nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()

async function openVisit(series?: Answer<Calls['diaryVisit']>['series']) {
  vi.setSystemTime(new Date(at('09:00')))
  const visit = diaryVisit('v-anna', '14:00', '15:40')
  const terms = { cancelWindowHours: 24, freeUntil: null }
  const history = [{ kind: 'visit.booked', by: 'Anna', at: at('08:00'), startsAt: null }]
  fakeServer({
    me: () => owner,
    institute: () => nacre,
    diary: () => diaryOf({ now: at('09:00'), visits: [visit] }),
    diaryVisit: () => ({ ...visit, timeZone: 'Europe/Paris', terms, history, ...(series && { series }) }),
  })
  const { place } = renderSite(`${path}?day=${diaryDay}&visit=v-anna`, { [path]: <DiaryPage /> })
  const drawer = within(await screen.findByRole('dialog'))
  await drawer.findByText('What happened')
  return { drawer, place }
}

describe('an open visit of a series', () => {
  it('has its dates with the way to each, and says from where one was moved', async () => {
    const visits = [
      { _id: 'v-anna', startsAt: at('14:00'), movedFrom: null },
      { _id: 'v-next', startsAt: at('15:20', '2026-12-11'), movedFrom: at('14:00', '2026-12-10') },
      { _id: 'v-last', startsAt: at('14:00', '2026-12-24'), movedFrom: null },
    ]
    const { drawer, place } = await openVisit({ everyWeeks: 2, visits })
    const part = within(drawer.getByText('Every 2 weeks').closest('details')!)
    expect(part.getByText('Each visit can be moved or cancelled by itself. The others stay.')).toBeTruthy()
    const rows = part.getAllByRole('listitem', { hidden: true }).map(({ textContent }) => textContent)
    expect(rows).toEqual([
      expect.stringContaining('14:00 this visit'),
      expect.stringMatching(/11 Dec.*15:20moved, was .*10 Dec.*14:00$/),
      expect.stringMatching(/24 Dec.*14:00$/),
    ])
    await userEvent.click(part.getByRole('link', { name: /11 Dec/, hidden: true }))
    expect(place()).toBe(`${path}?day=2026-12-11&visit=v-next`)
  })

  it('says nothing of one that stands alone', async () => {
    const { drawer } = await openVisit()
    expect(drawer.queryByText(/^Every/)).toBeNull()
  })
})

// Somebody comes late: how late, and who waits for it, is said where it is noted.
import type { DiaryVisit } from '@soigne/contract/diary'
import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { at, diaryDay, diaryOf, diaryVisit, resetDiaryPage, stubWidth } from '#/testing/diary.ts'
import { fakeServer } from '#/testing/fake-server.ts'
import { nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()

const named = (name: string): Partial<DiaryVisit> => ({ customer: { _id: null, name, phone: null, noShows: 0, pastVisits: 1 } })
const roux = diaryVisit('v-roux', '09:40', '10:20', named('Mme Roux'))
const come = (visit: DiaryVisit): DiaryVisit => ({ ...visit, attendance: 'arrived', attendedAt: { arrived: at('09:52') } })
const withRoom = diaryVisit('v-lea', '10:40', '11:20', named('Léa Martin'))
const rightBehind = diaryVisit('v-lea', '10:20', '11:00', named('Léa Martin'))

/** At 9:52, with who comes behind her. */
function open(query: string, visits: DiaryVisit[]) {
  vi.setSystemTime(new Date(at('09:52')))
  const detail = (visit: DiaryVisit) => ({
    ...visit,
    timeZone: 'Europe/Paris',
    terms: { cancelWindowHours: 24, freeUntil: null },
    history: [],
  })
  let first = visits[0] ?? roux
  fakeServer({
    me: () => owner,
    institute: () => nacre,
    diary: () => diaryOf({ now: at('09:52'), visits: [first, ...visits.slice(1)] }),
    diaryVisit: () => detail(first),
    noteAttendance: () => (first = come(first)),
  })
  renderSite(`${path}?day=${diaryDay}${query}`, { [path]: <DiaryPage /> })
}

describe('Arrived by one tap on a phone', () => {
  async function tap(behind: DiaryVisit) {
    stubWidth(390)
    open('', [roux, behind])
    const next = await screen.findByRole('region', { name: 'Next to come' })
    expect(next.textContent).toContain('Mme Roux')
    fireEvent.click(within(next).getByRole('button', { name: 'Arrived' }))
    return (await screen.findByText('Mme Roux has arrived')).parentElement?.textContent
  }

  it('says that nobody behind waits [P-07]', async () => {
    expect(await tap(withRoom)).toContain('12 min late, nobody behind is affected')
  })

  it('says who may have to wait', async () => {
    expect(await tap(rightBehind)).toContain('12 min late: Léa Martin at 10:20 may have to wait')
  })

  it('says nothing of it to who came in time', async () => {
    stubWidth(390)
    open('', [diaryVisit('v-roux', '10:00', '10:20', named('Mme Roux')), rightBehind])
    fireEvent.click(within(await screen.findByRole('region', { name: 'Next to come' })).getByRole('button', { name: 'Arrived' }))
    expect((await screen.findByText('Mme Roux has arrived')).parentElement?.textContent).not.toContain('late')
  })
})

describe('an open visit', () => {
  it.each([
    [withRoom, '12 min late, nobody behind is affected'],
    [rightBehind, '12 min late: Léa Martin at 10:20 may have to wait'],
  ])('of who came late says so', async (behind, words) => {
    open('&visit=v-roux', [come(roux), behind])
    expect(await within(await screen.findByRole('dialog')).findByText(words)).toBeTruthy()
  })
})

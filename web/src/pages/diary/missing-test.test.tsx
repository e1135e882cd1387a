// A visit whose test was cancelled or missed since says so where it is opened.
import { screen, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { at, diaryDay, diaryOf, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer } from '#/testing/fake-server.ts'
import { nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()

async function openVisit(missing?: { serviceName: string; testName: string }[]) {
  vi.setSystemTime(new Date(at('09:00')))
  const visit = diaryVisit('v-anna', '14:00', '15:40')
  const terms = { cancelWindowHours: 24, freeUntil: null }
  const history = [{ kind: 'visit.booked', by: 'Anna', at: at('08:00'), startsAt: null }]
  fakeServer({
    me: () => owner,
    institute: () => nacre,
    diary: () => diaryOf({ now: at('09:00'), visits: [visit] }),
    diaryVisit: () => ({ ...visit, timeZone: 'Europe/Paris', terms, history, ...(missing && { missing }) }),
  })
  renderSite(`${path}?day=${diaryDay}&visit=v-anna`, { [path]: <DiaryPage /> })
  const drawer = within(await screen.findByRole('dialog'))
  await drawer.findAllByText(/Anna/)
  return drawer
}

describe('an open visit', () => {
  it('says which test its client does not have', async () => {
    const drawer = await openVisit([{ serviceName: 'Root colour', testName: 'Patch test' }])
    expect(await drawer.findByText('Patch test is missing')).toBeTruthy()
    expect(drawer.getByText('Root colour needs it first, and none is booked in time.')).toBeTruthy()
  })

  it('says nothing of one that has all it needs', async () => {
    const drawer = await openVisit()
    expect(drawer.queryByText(/is missing/)).toBeNull()
  })
})

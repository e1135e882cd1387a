// A test that another visit needs: the desk reads which one, and goes on on purpose or not at all.
import type { DiaryVisit } from '@soigne/contract/diary'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { at, diaryDay, diaryOf, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import DiaryPage from './diary-page.tsx'

resetDiaryPage()

const anna: DiaryVisit = {
  ...diaryVisit('v-anna', '16:40', '17:20'),
  customer: { _id: null, name: 'Anna Roy', phone: null, noShows: 0, pastVisits: 1 },
}
const colour = {
  _id: 'c',
  serviceName: 'Root colour',
  startsAt: '2031-03-20T08:20:00.000Z',
  testId: 't',
  from: at('00:00'),
  by: at('09:00'),
}
const needed = refused(409, {
  code: 'needed_by',
  message: 'Root colour needs this visit first.',
  details: { visits: [colour], timeZone: 'Europe/Paris' },
})

function open(place: string) {
  const answer = ({ body }: { body: unknown }) => ((body as { anyway?: true }).anyway ? anna : needed) as never
  const seen = fakeServer({
    me: () => owner,
    institute: () => nacre,
    diary: () => diaryOf({ visits: [anna] }),
    cancelInstituteVisit: answer,
    moveInstituteVisit: answer,
  })
  renderPart(<DiaryPage />, { at: `/mysalon/appointments/calendar?day=${diaryDay}${place}` })
  return (name: string) => seen.filter((one) => one.name === name).map(({ body }) => body)
}
async function answer(which: 'confirm' | 'cancle', title?: string) {
  const question = await screen.findByRole('alertdialog', title === undefined ? {} : { name: title })
  fireEvent.click(within(question).getByRole('button', { name: which }))
}
const title = 'Go on without this test?'
const sentence = /^Root colour, Thursday 20 March.* at 9:20, needs this visit first\. It stays booked, and its test is then missing\.$/

describe('a test that another visit needs', () => {
  it('is cancelled only once it was said by name what needs it', async () => {
    const sent = open('&visit=v-anna')
    const drawer = await screen.findByRole('dialog')
    fireEvent.click(await within(drawer).findByRole('button', { name: 'Cancel' }))
    await answer('confirm')
    expect(await screen.findByText(sentence)).toBeTruthy()
    expect(sent('cancelInstituteVisit')).toEqual([{ version: anna.version }])
    await answer('confirm', title)
    await waitFor(() => expect(sent('cancelInstituteVisit').at(-1)).toEqual({ version: anna.version, anyway: true }))
    expect(await screen.findByText(/^Anna Roy/, { selector: '[role=status] *' })).toBeTruthy()
  })

  it('stays where it is for whoever does not go on, with the server’s words', async () => {
    const sent = open('&visit=v-anna')
    const drawer = await screen.findByRole('dialog')
    fireEvent.click(await within(drawer).findByRole('button', { name: 'Cancel' }))
    await answer('confirm')
    await screen.findByText(sentence)
    await answer('cancle', title)
    expect(await screen.findByText('Root colour needs this visit first.')).toBeTruthy()
    expect(sent('cancelInstituteVisit')).toHaveLength(1)
  })

  it('is dragged to a time that is too late on purpose alone', async () => {
    const sent = open('')
    const lifted = await screen.findByRole('button', { name: /Anna Roy/ })
    lifted.focus()
    for (const key of [' ', 'ArrowDown', 'Enter']) fireEvent.keyDown(lifted, { key })
    fireEvent.click(await screen.findByRole('button', { name: 'Move visit' }))
    expect(await screen.findByText(sentence)).toBeTruthy()
    await answer('confirm', title)
    await waitFor(() => expect(sent('moveInstituteVisit')).toHaveLength(2))
    expect(sent('moveInstituteVisit').at(-1)).toMatchObject({ anyway: true })
  })
})

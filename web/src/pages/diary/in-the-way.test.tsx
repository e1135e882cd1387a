// What was dropped or kept is refused: the message names whatever has that time.
import type { Diary, DiaryVisit } from '@soigne/contract/diary'
import type { Locale } from '@soigne/contract/wire'
import { fireEvent, screen, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { at, diaryDay, diaryOf, diarySegment, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { ines, maud, nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderPart } from '#/testing/render-part.tsx'
import DiaryPage from './diary-page.tsx'

resetDiaryPage()

const plainWords = 'Something else is in the diary at this time.'
const named = (name: string): Partial<DiaryVisit> => ({ customer: { _id: null, name, phone: null, noShows: 0, pastVisits: 1 } })
const lunch: Diary['blocked'][number] = {
  _id: 'b-lunch',
  staffId: ines,
  resourceId: null,
  startsAt: at('15:00'),
  endsAt: at('15:40'),
  kind: 'break',
  note: 'Lunch',
}
type Handlers = Parameters<typeof fakeServer>[0]

function open(diary: () => Diary, handlers: Handlers, locale: Locale = 'en') {
  const seen = fakeServer({ me: () => owner, institute: () => nacre, diary, ...handlers })
  renderPart(<DiaryPage />, { at: `/mysalon/appointments/calendar?day=${diaryDay}`, locale })
  return seen
}

/** By keys, which send what a drag sends. */
async function press(block: RegExp, ...keys: { key: string; shiftKey?: boolean }[]) {
  const lifted = await screen.findByRole('button', { name: block })
  lifted.focus()
  for (const one of [{ key: ' ' }, ...keys, { key: 'Enter' }]) fireEvent.keyDown(lifted, one)
}
const [up, down, right] = [{ key: 'ArrowUp' }, { key: 'ArrowDown' }, { key: 'ArrowRight' }]

const taken = (...list: object[]) => refused(409, { code: 'time_taken', message: plainWords, details: { taken: list } })
const hold = { kind: 'hold', id: 'h', startsAt: at('14:40'), endsAt: at('15:20'), customer: null }
const emma = { kind: 'visit', id: 'v-emma', startsAt: at('14:20'), endsAt: at('15:00'), customer: 'Emma Costa' }

describe('a break moved onto time that is not free', () => {
  it.each<[Locale, object, string]>([
    ['en', hold, 'Someone is holding 14:40 just now.'],
    ['en', { ...hold, customer: 'Zoé Petit' }, 'Zoé Petit is holding 14:40 just now.'],
    ['en', emma, 'Taken: Emma Costa, 14:20–15:00.'],
    ['en', { ...emma, customer: null }, 'Taken: Walk-in, 14:20–15:00.'],
    ['en', { ...emma, kind: 'leave', customer: null }, 'Taken: Away, 14:20–15:00.'],
    ['fr', hold, 'Quelqu’un est en train de réserver 14:40.'],
    ['fr', emma, 'Déjà pris : Emma Costa, 14:20–15:00.'],
    ['ar', { ...hold, customer: 'Zoé Petit' }, 'موعد 14:40 قيد الحجز الآن باسم Zoé Petit.'],
    ['ar', emma, 'محجوز: Emma Costa، 14:20–15:00.'],
  ])('is put back, with what is in the way [P-07]: %s %o', async (locale, one, words) => {
    open(() => diaryOf({ blocked: [lunch] }), { moveBlockedTime: () => taken(one) }, locale)
    await press(/^Lunch 15:00/, up)
    // Spaces of any kind are read as one; marks around names are not read.
    expect(await screen.findByText((text) => text.replace(/[\u2066-\u2069]/g, '') === words)).toBeTruthy()
    expect(screen.queryByText(plainWords)).toBeNull()
  })

  it('names two of many, and what the calendar knows of them', async () => {
    const meeting = { ...lunch, _id: 'b-meeting', staffId: maud, kind: 'meeting' as const, note: null }
    const blocked = { kind: 'blocked', id: 'b-meeting', startsAt: at('15:00'), endsAt: at('15:40'), customer: null }
    open(() => diaryOf({ blocked: [lunch, meeting] }), { moveBlockedTime: () => taken(hold, blocked, emma) })
    await press(/^Lunch 15:00/, right)
    expect(await screen.findByText('Someone is holding 14:40 just now. Taken: Meeting, 15:00–15:40.')).toBeTruthy()
  })

  it('keeps the server’s words where nothing is named', async () => {
    open(() => diaryOf({ blocked: [lunch] }), { moveBlockedTime: () => taken() })
    await press(/^Lunch 15:00/, up)
    expect(await screen.findByText(plainWords)).toBeTruthy()
  })
})

it('time to be kept free says in its form who is there', async () => {
  open(() => diaryOf(), { blockTime: () => taken(emma) })
  await screen.findByRole('list', { name: 'Inès' })
  fireEvent.keyDown(document.body, { key: 'b' })
  const form = await screen.findByRole('dialog', { name: 'Block time' })
  fireEvent.click(within(form).getByRole('button', { name: 'Block time' }))
  expect(await within(form).findByText('Taken: Emma Costa, 14:20–15:00.')).toBeTruthy()
})

describe('a visit dropped where it cannot stand', () => {
  const camille = diaryVisit('v-camille', '16:40', '17:20')
  const slotTaken = () => refused(409, { code: 'slot_taken', message: 'This time was taken.', details: { nearest: [] } })
  const withMaud = (from: string, to: string, part: object = {}) => [diarySegment(from, to, { staffId: maud, ...part })]

  /** Moved to Maud; the calendar read after the refusal has what came meanwhile. */
  async function drop(...meanwhile: DiaryVisit[]) {
    let visits = [camille]
    const moveInstituteVisit = () => {
      visits = [camille, ...meanwhile]
      return slotTaken()
    }
    open(() => diaryOf({ visits }), { moveInstituteVisit })
    await press(/Camille Renaud/, right)
    fireEvent.click(await screen.findByRole('button', { name: 'Move visit' }))
    return screen.findByRole('dialog', { name: 'Move Camille to 16:40?' })
  }

  it('says who holds that time just now', async () => {
    const question = await drop(diaryVisit('h', '17:00', '17:40', { ...named(''), isHeld: true, segments: withMaud('17:00', '17:40') }))
    expect(await within(question).findByText('Someone is holding 17:00 just now.')).toBeTruthy()
  })

  it('says whose visit is there, not who waits or cleans up beside it', async () => {
    const idle = { idle: { startsAt: at('16:30'), endsAt: at('17:30') } }
    const question = await drop(
      diaryVisit('v-anna', '16:00', '18:00', { ...named('Anna Roux'), segments: withMaud('16:00', '18:00', idle) }),
      diaryVisit('v-tom', '16:00', '16:40', { ...named('Tom'), segments: withMaud('16:00', '16:40', { bufferAfterMinutes: 10 }) }),
      diaryVisit('v-emma', '16:40', '17:00', { ...named('Emma Costa'), segments: withMaud('16:40', '17:00') }),
      diaryVisit('v-gone', '16:40', '17:00', { ...named('Paul'), status: 'cancelled', segments: withMaud('16:40', '17:00') }),
    )
    expect(await within(question).findByText('Taken: Emma Costa, 16:40–17:00.')).toBeTruthy()
  })

  it('says whose clean-up it is too near', async () => {
    const question = await drop(
      diaryVisit('v-tom', '16:00', '16:40', { ...named('Tom'), segments: withMaud('16:00', '16:40', { bufferAfterMinutes: 10 }) }),
    )
    expect(await within(question).findByText('Taken: Tom, 16:00–16:40.')).toBeTruthy()
  })

  it('says the server’s words where the calendar knows nothing of it', async () => {
    expect(await within(await drop()).findByText('This time was taken.')).toBeTruthy()
  })

  it('or made longer says who comes next', async () => {
    const next = diaryVisit('v-emma', '17:20', '18:00', named('Emma Costa'))
    open(() => diaryOf({ visits: [camille, next] }), { resizeVisit: slotTaken })
    await press(/Camille Renaud/, { ...down, shiftKey: true })
    expect(await screen.findByText('Taken: Emma Costa, 17:20–18:00.')).toBeTruthy()
  })
})

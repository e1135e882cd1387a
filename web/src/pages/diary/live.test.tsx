// What a client does online is drawn in the day that is open: the server tells that it changed, and that day is read again.
import type { DiaryChanged, DiaryVisit } from '@soigne/contract/diary'
import { act, screen, waitFor } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { closeLive, openLive } from '#/platform/live-socket.ts'
import { at, diaryDay, diaryOf, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer } from '#/testing/fake-server.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()

/** Stands for the library of sockets: says what the server would. */
const library = vi.hoisted(() => ({ say: (_name: string, _payload: unknown): void => {} }))
vi.mock('socket.io-client', async (importOriginal) => ({
  ...(await importOriginal<object>()),
  io: () => ({
    io: { engine: { readyState: 'open', transport: { name: 'websocket' } } },
    off() {},
    offAny() {},
    on() {},
    disconnect() {},
    onAny(listener: typeof library.say) {
      library.say = listener
    },
  }),
}))
afterEach(closeLive)

const anna = diaryVisit('v-anna', '10:00', '11:00', { customer: { _id: 'c-anna', name: 'Anna', phone: null, noShows: 0, pastVisits: 0 } })
const asAnna = '10:00 – 11:00 Gel manicure Anna, Pending'

async function open() {
  let state: { version: number; visits: DiaryVisit[] } = { version: 7, visits: [] }
  fakeServer({ me: () => owner, diary: () => diaryOf(state) })
  renderSite(`${path}?day=${diaryDay}`, { [path]: <DiaryPage /> })
  await screen.findByRole('list', { name: 'Inès' })
  await openLive('/chat', 't')
  const told = (kind: string): DiaryChanged => ({
    instituteId: 'i',
    version: state.version,
    startsAt: at('10:00'),
    endsAt: at('11:00'),
    kind,
    subjectId: 'v-anna',
  })
  return {
    /** The server has something else now, and says so. */
    async change(kind: string, visits: DiaryVisit[]) {
      state = { version: state.version + 1, visits }
      await act(async () => library.say('diaryChanged', told(kind)))
    },
  }
}

describe('the open day', () => {
  it('draws a visit that a client books, where they move it, and takes away what they cancel [P-07]', async () => {
    const { change } = await open()
    expect(screen.queryByRole('button', { name: asAnna })).toBeNull()
    await change('visit.booked', [anna])
    expect(await screen.findByRole('button', { name: asAnna })).toBeTruthy()
    await change('visit.moved', [diaryVisit('v-anna', '11:00', '12:00', { customer: anna.customer })])
    expect(await screen.findByRole('button', { name: '11:00 – 12:00 Gel manicure Anna, Pending' })).toBeTruthy()
    expect(screen.queryByRole('button', { name: asAnna })).toBeNull()
    await change('visit.cancelled', [])
    await waitFor(() => expect(screen.queryByRole('button', { name: /Anna/ })).toBeNull())
  })
})

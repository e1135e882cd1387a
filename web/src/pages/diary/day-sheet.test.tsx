// The calendar of a device that lost its connection, and what somebody chooses when it is back.
import { type Permission, permissions } from '@soigne/contract/access'
import { act, fireEvent, screen, waitFor, within } from '@testing-library/react'
import { beforeEach, expect, it, vi } from 'vitest'
import { at, diaryDay, diaryOf, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { gelManicure, nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()
let isOnline = true
beforeEach(() => {
  isOnline = true
  vi.spyOn(navigator, 'onLine', 'get').mockImplementation(() => isOnline)
})

function setOnline(next: boolean) {
  isOnline = next
  act(() => void dispatchEvent(new Event(next ? 'online' : 'offline')))
}

const away = () => {
  if (!isOnline) throw new TypeError('no connection')
}
const bodiesOf = (seen: ReturnType<typeof fakeServer>, name: string) => seen.filter((one) => one.name === name)

async function open(handlers: Parameters<typeof fakeServer>[0]) {
  const visits = [diaryVisit('v-camille', '16:40', '17:40')]
  const own: Permission[] = ['diary.change', 'diary.overbook']
  const seen = fakeServer({
    me: () => owner,
    diary: () => {
      away()
      return diaryOf({ visits })
    },
    institute: () => nacre,
    ownPermissions: () => ({ permissions: [...permissions], levels: [], own }),
    diaryTimes: () => ({
      timeZone: 'Europe/Paris',
      days: [{ day: diaryDay, times: ['14:20', '15:40'].map((time) => ({ startsAt: at(time), endsAt: at(time) })) }],
    }),
    ...handlers,
  })
  renderSite(`${path}?day=${diaryDay}`, { [path]: <DiaryPage /> })
  await screen.findByRole('button', { name: /Camille Renaud/ })
  return seen
}

it('notes who came without a connection, says that it waits, and sends it once with its key and its time', async () => {
  const seen = await open({ noteAttendance: () => diaryVisit('v-camille', '16:40', '17:40', { attendance: 'arrived', version: 2 }) })
  setOnline(false)
  expect(await screen.findByText(/^No connection\. As of 14:06/)).toBeTruthy()
  const block = screen.getByRole('button', { name: /Camille Renaud/ })
  fireEvent.click(block)
  fireEvent.keyDown(block, { key: 'Enter' })
  const visit = await screen.findByRole('dialog', { name: 'Camille Renaud' })
  expect(within(visit).getByText(/need a connection/)).toBeTruthy()
  fireEvent.click(within(visit).getByRole('button', { name: 'Arrived' }))
  expect(await screen.findByText('1 change is waiting')).toBeTruthy()
  expect(await screen.findByRole('button', { name: /Camille Renaud, .*waiting for the connection/ })).toBeTruthy()
  expect(bodiesOf(seen, 'noteAttendance')).toEqual([])
  setOnline(true)
  await waitFor(() => expect(screen.queryByText('1 change is waiting')).toBeNull())
  const [sent, ...more] = bodiesOf(seen, 'noteAttendance')
  expect(sent?.body).toMatchObject({ attendance: 'arrived', was: 'expected', at: expect.any(String) })
  expect(sent?.headers.get('idempotency-key')).toMatch(/^[0-9a-f-]{36}$/)
  expect(more).toEqual([])
})

it('shows a move that was refused beside what is there, until somebody chooses another time', async () => {
  let isTaken = true
  const seen = await open({
    moveInstituteVisit: ({ body }) =>
      isTaken
        ? refused(409, { code: 'slot_taken', message: 'That time has just been taken.' })
        : {
            ...diaryVisit('v-camille', '15:40', '16:40'),
            timeZone: 'Europe/Paris',
            ...(body as object),
            version: 2,
            segments: [],
            customer: { name: '', phone: null },
          },
  })
  setOnline(false)
  const block = await screen.findByRole('button', { name: /Camille Renaud/ })
  block.focus()
  fireEvent.keyDown(block, { key: ' ' })
  for (let steps = 0; steps < 4; steps += 1) fireEvent.keyDown(document.activeElement ?? block, { key: 'ArrowUp' })
  fireEvent.keyDown(document.activeElement ?? block, { key: 'Enter' })
  fireEvent.click(await screen.findByRole('button', { name: 'Move visit' }))
  await screen.findByText('1 change is waiting')
  setOnline(true)
  fireEvent.click(await screen.findByRole('button', { name: 'See both and choose' }))
  const choice = await screen.findByRole('dialog', { name: 'Choose what happens' })
  expect(within(choice).getByText('That time has just been taken.')).toBeTruthy()
  expect(await within(choice).findByText(/16:40–17:40 · Camille Renaud · Gel manicure/)).toBeTruthy()
  isTaken = false
  fireEvent.click(await within(choice).findByRole('button', { name: '15:40' }))
  fireEvent.click(within(choice).getByRole('button', { name: 'Take 15:40' }))
  expect(await within(choice).findByText('Everything is settled.')).toBeTruthy()
  const sent = bodiesOf(seen, 'moveInstituteVisit')
  expect(sent.map(({ body }) => (body as { startsAt: string }).startsAt)).toEqual([at('15:20'), at('15:40')])
  expect(new Set(sent.map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2)
  expect(bodiesOf(seen, 'diaryTimes')[0]?.query.get('service')).toBe(gelManicure)
})

// A break of somebody's shift on one day, moved in the calendar.
import { type Permission, permissions } from '@soigne/contract/access'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { at, diaryDay, diaryOf, diaryVisit, resetDiaryPage } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { ines, nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()

/** Inès pauses from 12 to 13 between her shifts. */
const pause = { startsAt: at('12:00'), endsAt: at('13:00') }
const earlier = { startsAt: at('11:40'), endsAt: at('12:40') }

async function open(handlers: Parameters<typeof fakeServer>[0] = {}, own: Permission[] = ['diary.change']) {
  const seen = fakeServer({
    me: () => owner,
    institute: () => nacre,
    diary: () => diaryOf({ visits: [diaryVisit('v-gone', '12:20', '12:40', { status: 'cancelled' })] }),
    diaryTimes: () => ({ timeZone: 'Europe/Paris', days: [] }),
    ownPermissions: () => ({ permissions: [...permissions], levels: [], own }),
    moveBreak: ({ body }) => ({ staffId: ines, ...(body as { to: typeof pause }).to }),
    ...handlers,
  })
  renderSite(`${path}?day=${diaryDay}`, { [path]: <DiaryPage /> })
  const column = await screen.findByRole('list', { name: 'Inès' })
  await waitFor(() => expect(seen.some(({ name }) => name === 'ownPermissions')).toBe(true))
  const block = within(column).getByRole('button', { name: /^Break 12:00 – 13:00$/ })
  return { block, column, sent: () => seen.filter(({ name }) => name === 'moveBreak').map(({ body }) => body) }
}

function press(block: HTMLElement, ...keys: { key: string; shiftKey?: boolean }[]) {
  block.focus()
  for (const one of [{ key: ' ' }, ...keys, { key: 'Enter' }]) fireEvent.keyDown(block, one)
}

/** Two columns of a hundred pixels, a pixel for a minute from nine to seven. */
function layOut() {
  vi.spyOn(Element.prototype, 'getBoundingClientRect').mockImplementation(function boxOf(this: Element) {
    const column = this.getAttribute('data-column')
    return column === null ? new DOMRect(0, 0, 200, 600) : new DOMRect(Number(column) * 100, 0, 100, 600)
  })
  HTMLElement.prototype.setPointerCapture = () => {}
}
afterEach(() => vi.restoreAllMocks())

/** Taken ten minutes after its start. */
function drag(block: HTMLElement, to: { x: number; y: number }) {
  const mouse = (x: number, y: number) => ({ clientX: x, clientY: y, button: 0, pointerId: 1, pointerType: 'mouse' })
  fireEvent.pointerDown(block, mouse(50, 190))
  fireEvent.pointerMove(block, mouse(50, 180))
  fireEvent.pointerMove(block, mouse(to.x, to.y))
  fireEvent.pointerUp(block, mouse(to.x, to.y))
}

describe('a break', () => {
  it('is moved by keys and can be undone [P-07]', async () => {
    const { block, column, sent } = await open()
    press(block, { key: 'ArrowUp' })
    expect(await screen.findByText('Moved to 11:40–12:40')).toBeTruthy()
    expect(screen.getByText('Break dropped: Inès, 11:40 to 12:40')).toBeTruthy()
    expect(sent()).toEqual([{ staffId: ines, from: pause, to: earlier }])
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(sent()[1]).toEqual({ staffId: ines, from: earlier, to: pause }))
    // A visit let go is seen beside it still.
    expect(within(column).getByRole('button', { name: /Camille Renaud, Cancelled$/ })).toBeTruthy()
  })

  it('is dragged by the mouse to the step it is dropped at, and not to somebody else', async () => {
    const { block, sent } = await open()
    layOut()
    drag(block, { x: 50, y: 168 })
    expect(await screen.findByText('Moved to 11:40–12:40')).toBeTruthy()
    drag(block, { x: 150, y: 168 })
    expect(await screen.findByText('A break stays with its person and its day.')).toBeTruthy()
    expect(sent()).toEqual([{ staffId: ines, from: pause, to: earlier }])
  })

  it('is put back where somebody holds the time just now, who is said to', async () => {
    const taken = [{ kind: 'hold', id: 'h', startsAt: at('11:40'), endsAt: at('12:20'), customer: null }]
    const { block } = await open({
      moveBreak: () => refused(409, { code: 'time_taken', message: 'Something else is in the diary at this time.', details: { taken } }),
    })
    press(block, { key: 'ArrowUp' })
    expect(await screen.findByText('Put back where it was')).toBeTruthy()
    expect(screen.getByText('Someone is holding 11:40 just now.')).toBeTruthy()
  })

  it('goes to nobody else, and gets no longer', async () => {
    const { block, sent } = await open()
    press(block, { key: 'ArrowRight' })
    expect(await screen.findByText('A break stays with its person and its day.')).toBeTruthy()
    press(block, { key: 'ArrowDown', shiftKey: true })
    expect(await screen.findByText('Moved to 12:20–13:20')).toBeTruthy()
    expect(sent()).toEqual([{ staffId: ines, from: pause, to: { startsAt: at('12:20'), endsAt: at('13:20') } }])
  })

  it('stays where it is for who may not change the calendar', async () => {
    const { block, sent } = await open({}, ['diary.own'])
    press(block, { key: 'ArrowUp' })
    expect(screen.queryByText(/lifted/)).toBeNull()
    expect(sent()).toEqual([])
  })

  it('opens a visit at its hour by a click', async () => {
    const { block } = await open()
    fireEvent.click(block)
    const form = await screen.findByRole('dialog', { name: 'New appointment' })
    expect(await within(form).findByRole('button', { name: /Gel manicure/ })).toBeTruthy()
  })
})

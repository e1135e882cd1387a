import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { renderPart } from '#/testing/render-part.tsx'
import { groupTimes, partOf, type DayTimes } from './day-times.ts'
import { NearestTimes } from './nearest-times.tsx'
import { WeekStrip, type WeekStripProps } from './week-strip.tsx'

const days = ['2031-03-16', '2031-03-17', '2031-03-18']
const one = (day: string, times: number, taken: number): DayTimes => ({
  day,
  times: Array.from({ length: times }, (_, at) => ({ startsAt: `${day}T1${at}:00:00Z`, endsAt: `${day}T1${at}:40:00Z` })),
  taken: Array.from({ length: taken }, (_, at) => `${day}T0${at}:00:00Z`),
})

afterEach(() => {
  cleanup()
  vi.useRealTimers()
})

describe('the days of a week', () => {
  function open(part: Partial<WeekStripProps> = {}) {
    const onDay = vi.fn<(day: string) => void>()
    const onTurn = vi.fn<(day: string) => void>()
    renderPart(
      <WeekStrip
        days={days}
        times={[one('2031-03-16', 2, 0), one('2031-03-17', 0, 3), one('2031-03-18', 0, 0)]}
        shown="2031-03-16"
        lastDay="2031-03-18"
        earlier={null}
        later="2031-03-19"
        onDay={onDay}
        onTurn={onTurn}
        {...part}
      />,
    )
    return { onDay, onTurn }
  }
  const buttons = () => within(screen.getByRole('list', { name: 'Days' })).getAllByRole<HTMLButtonElement>('button')

  it('say how many times each has, which is full and which is closed', () => {
    open()
    // The name begins with what is seen, for those who say it to their computer.
    for (const name of ['Sun 16 March 2031, 2 times', 'Mon 17 March 2031, Full', 'Tue 18 March 2031, Closed'])
      expect(screen.getByRole('button', { name })).toBeTruthy()
    expect(buttons().map((button) => button.getAttribute('aria-pressed'))).toEqual(['true', 'false', 'false'])
  })

  it('claim nothing while the answer is on its way', () => {
    open({ times: undefined })
    expect(buttons()[1]).toBe(screen.getByRole('button', { name: 'Mon 17 March 2031' }))
    expect(buttons()[1]?.disabled).toBe(false)
  })

  it('a day beyond what can be booked cannot be chosen', async () => {
    const { onDay } = open({ lastDay: '2031-03-17' })
    expect(buttons().map(({ disabled }) => disabled)).toEqual([false, false, true])
    await userEvent.click(buttons()[2]!)
    expect(onDay).not.toHaveBeenCalled()
  })

  it('are chosen by hand and by keyboard', async () => {
    const { onDay } = open()
    await userEvent.click(buttons()[1]!)
    expect(onDay).toHaveBeenLastCalledWith('2031-03-17')
    buttons()[2]?.focus()
    await userEvent.keyboard('{Enter}')
    expect(onDay).toHaveBeenLastCalledWith('2031-03-18')
  })

  it('are one stop of the keyboard, gone along with the arrows', async () => {
    open({ shown: '2031-03-17' })
    expect(buttons().map(({ tabIndex }) => tabIndex)).toEqual([-1, 0, -1])
    buttons()[1]?.focus()
    await userEvent.keyboard('{ArrowRight}')
    expect(document.activeElement).toBe(buttons()[2])
    await userEvent.keyboard('{ArrowRight}{ArrowLeft}{ArrowLeft}')
    expect(document.activeElement).toBe(buttons()[0])
    await userEvent.tab()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Later days' }))
  })

  it('turn only where there is another week', async () => {
    const { onTurn } = open()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Earlier days' }).disabled).toBe(true)
    await userEvent.click(screen.getByRole('button', { name: 'Later days' }))
    expect(onTurn).toHaveBeenCalledExactlyOnceWith('2031-03-19')
  })
})

describe('the times of a day', () => {
  it.each([
    ['0:00', 'morning'],
    ['11:59', 'morning'],
    ['12:00', 'afternoon'],
    ['16:59', 'afternoon'],
    ['17:00', 'evening'],
    ['23:40', 'evening'],
  ])('%s is in the %s', (time, part) => {
    expect(partOf(time)).toBe(part)
  })

  it('stand by part of day on the clock of the institute, taken ones among the free', () => {
    const day: DayTimes = {
      day: '2031-03-18',
      times: [
        { startsAt: '2031-03-18T16:00:00Z', endsAt: '' },
        { startsAt: '2031-03-18T08:00:00Z', endsAt: '' },
      ],
      taken: ['2031-03-18T11:00:00Z', '2031-03-18T16:00:00.000Z'],
    }
    const groups = groupTimes(day, 'Europe/Paris', (part) => part, String)
    expect(groups.map(({ label, slots }) => [label, slots.map(({ time, taken }) => `${time}${taken ? ' taken' : ''}`)])).toEqual([
      ['morning', ['9:00']],
      ['afternoon', ['12:00 taken']],
      ['evening', ['17:00']],
    ])
  })

  it('a class says how many places are left', () => {
    const day: DayTimes = { day: '2031-03-18', times: [{ startsAt: '2031-03-18T08:00:00Z', endsAt: '', seatsLeft: 3 }], taken: [] }
    const [morning] = groupTimes(
      day,
      'Europe/Paris',
      (part) => part,
      (count) => `${count} left`,
    )
    expect(morning?.slots[0]).toMatchObject({ time: '9:00', note: '3 left' })
  })

  it('in the hour that comes twice both are there, in their order', () => {
    const day: DayTimes = {
      day: '2031-10-26',
      times: [
        { startsAt: '2031-10-26T01:30:00Z', endsAt: '' },
        { startsAt: '2031-10-26T00:30:00Z', endsAt: '' },
      ],
      taken: [],
    }
    const [morning] = groupTimes(day, 'Europe/Paris', (part) => part, String)
    expect(morning?.slots.map(({ time, value }) => `${time} ${value}`)).toEqual([
      '2:30 2031-10-26T00:30:00.000Z',
      '2:30 2031-10-26T01:30:00.000Z',
    ])
  })
})

describe('the nearest times', () => {
  it('name day and time, and one tap takes one', async () => {
    vi.useFakeTimers({ now: Date.parse('2031-03-18T08:00:00Z'), toFake: ['Date'] })
    const onChoose = vi.fn<(startsAt: string) => void>()
    renderPart(<NearestTimes nearest={['2031-03-18T15:40:00Z', '2031-03-19T09:00:00Z']} timeZone="Europe/Paris" onChoose={onChoose} />)
    const chips = screen.getAllByRole('button')
    expect(chips.map(({ textContent }) => textContent)).toEqual([expect.stringMatching(/Today/), expect.stringMatching(/Tomorrow/)])
    expect(chips[0]?.textContent).toContain('16:40')
    await userEvent.click(chips[1]!)
    expect(onChoose).toHaveBeenCalledExactlyOnceWith('2031-03-19T09:00:00Z')
  })
})

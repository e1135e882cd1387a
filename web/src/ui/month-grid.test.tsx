import { cleanup, fireEvent, render, screen } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useState } from 'react'
import { afterEach, describe, expect, it } from 'vitest'
import { addMonths, firstWeekdayOf, moveByMonths, weeksOf } from './calendar-days.ts'
import { MonthGrid, type DayState } from './month-grid.tsx'

const state = (day: string): DayState => (day < '2025-11-19' ? 'past' : day === '2025-11-24' ? 'none' : 'room')

function Calendar({ locale = 'en-GB' }: { locale?: string }) {
  const [month, setMonth] = useState('2025-11')
  const [selected, setSelected] = useState<string | undefined>('2025-11-20')
  return (
    <>
      <MonthGrid
        month={month}
        onMonthChange={setMonth}
        selected={selected}
        onSelect={setSelected}
        today="2025-11-19"
        dayState={state}
        locale={locale}
        minMonth="2025-11"
        labels={{ previousMonth: 'Earlier', nextMonth: 'Later', state: (name) => name }}
      />
      <output>{selected}</output>
    </>
  )
}

const focused = () => (document.activeElement as HTMLElement).dataset.day
const start = () => fireEvent.focus(document.querySelector('[data-day="2025-11-20"]') ?? document.body)

async function press(keys: string) {
  document.querySelector<HTMLElement>('[tabindex="0"]')?.focus()
  await userEvent.keyboard(keys)
}

afterEach(() => {
  cleanup()
  document.body.removeAttribute('dir')
})

describe('the month', () => {
  it('lets the Tab key reach one day, the chosen one first', () => {
    render(<Calendar />)
    const reachable = [...document.querySelectorAll<HTMLElement>('[data-day]')].filter((day) => day.tabIndex === 0)
    expect(reachable.map((day) => day.dataset.day)).toEqual(['2025-11-20'])
  })

  it("moves by day, week, week's ends and month with the keys", async () => {
    render(<Calendar />)
    await press('{ArrowRight}')
    expect(focused()).toBe('2025-11-21')
    await press('{ArrowDown}')
    expect(focused()).toBe('2025-11-28')
    await press('{Home}')
    expect(focused()).toBe('2025-11-24')
    await press('{End}')
    expect(focused()).toBe('2025-11-30')
    await press('{ArrowRight}')
    expect(focused()).toBe('2025-12-01')
    await press('{PageDown}')
    expect(focused()).toBe('2026-01-01')
    await press('{PageUp}{PageUp}')
    expect(focused()).toBe('2025-11-01')
    await press('{PageUp}')
    expect(focused()).toBe('2025-11-01')
  })

  it('turns the side arrows round from right to left', async () => {
    document.body.dir = 'rtl'
    render(<Calendar locale="ar" />)
    await press('{ArrowLeft}')
    expect(focused()).toBe('2025-11-21')
  })

  it('chooses only a day with room and reads out why another is not', async () => {
    render(<Calendar />)
    start()
    const full = screen.getByRole('button', { name: 'Monday 24 November, none' })
    expect(full.getAttribute('aria-disabled')).toBe('true')
    await userEvent.click(full)
    expect(screen.getByRole('status').textContent).toBe('2025-11-20')
    await userEvent.click(screen.getByRole('button', { name: 'Friday 21 November, room' }))
    expect(screen.getByRole('status').textContent).toBe('2025-11-21')
  })

  it("starts the week where the reader's does", () => {
    expect(firstWeekdayOf('fr')).toBe(1)
    expect(firstWeekdayOf('en-US')).toBe(7)
    expect(firstWeekdayOf('ar-EG')).toBe(6)
    render(<Calendar locale="en-US" />)
    expect(screen.getAllByRole('columnheader')[0]?.textContent).toBe('Sun')
  })
})

describe('calendar dates', () => {
  it('move by months without spilling over short ones', () => {
    expect(moveByMonths('2026-01-31', 1)).toBe('2026-02-28')
    expect(moveByMonths('2028-01-31', 1)).toBe('2028-02-29')
    expect(addMonths('2025-12', 1)).toBe('2026-01')
  })

  it('fill whole weeks with every day of the month once', () => {
    for (let month = '2024-01'; month < '2027-01'; month = addMonths(month, 1)) {
      for (const first of [1, 6, 7]) {
        const weeks = weeksOf(month, first)
        expect(weeks.every((week) => week.length === 7)).toBe(true)
        const days = weeks.flat().filter((day) => day !== undefined)
        expect(days).toEqual([...days].sort())
        expect(days[0]).toBe(`${month}-01`)
        expect(new Date(`${days.at(-1)}T00:00:00Z`).getTime() + 86_400_000).toBe(new Date(`${addMonths(month, 1)}-01T00:00:00Z`).getTime())
      }
    }
  })
})

import { cleanup, screen, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { closedWeek, type OpeningHours } from './draft/draft.ts'
import { renderDraft } from '#/testing/render-draft.tsx'
import { OpeningHoursField } from './week-field.tsx'

beforeEach(() => localStorage.clear())
afterEach(cleanup)

describe('the opening hours', () => {
  function open(initial: Partial<OpeningHours> = {}) {
    const { kept } = renderDraft({ openingHours: { ...closedWeek(), ...initial } }, ({ openingHours }, change) => (
      <OpeningHoursField hours={openingHours} onChange={(next) => change({ openingHours: next })} />
    ))
    return () => kept().openingHours
  }
  const range = (opensAt: string, closesAt: string) => ({ opensAt, closesAt })

  it('[E-13] begin closed, and a day that opens has the usual hours', async () => {
    const hours = open()
    expect(screen.getAllByText('Closed')).toHaveLength(7)
    await userEvent.click(screen.getByRole('switch', { name: 'Tuesday' }))
    expect(hours().Tuesday).toEqual([range('09:00', '18:00')])
    expect(screen.getAllByText('Closed')).toHaveLength(6)
    await userEvent.click(screen.getByRole('switch', { name: 'Tuesday' }))
    expect(hours().Tuesday).toEqual([])
  })

  it('an empty week is filled with the usual hours by one tap, and says so only while it is empty', async () => {
    const hours = open()
    await userEvent.click(screen.getByRole('button', { name: 'Fill in these hours' }))
    expect(Object.entries(hours()).filter(([, ranges]) => ranges.length > 0)).toEqual(
      ['Tuesday', 'Wednesday', 'Thursday', 'Friday', 'Saturday'].map((weekday) => [weekday, [range('09:00', '18:00')]]),
    )
    expect(screen.queryByText('When are you open?')).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('list', { name: 'Opening hours' }))
    for (const [weekday, ranges] of Object.entries(hours()))
      if (ranges.length > 0) await userEvent.click(screen.getByRole('switch', { name: weekday }))
    expect(screen.getByText('When are you open?')).toBeDefined()
  })

  it('take a midday break: a second range follows the first', async () => {
    const hours = open({ Friday: [range('09:00', '12:00')] })
    await userEvent.click(screen.getByRole('button', { name: 'Add a range on Friday' }))
    expect(hours().Friday).toEqual([range('09:00', '12:00'), range('13:00', '16:00')])
    await userEvent.selectOptions(screen.getAllByRole('combobox', { name: 'Friday, closes at' })[1]!, '20:00')
    expect(hours().Friday[1]).toEqual(range('13:00', '20:00'))
    await userEvent.click(screen.getByRole('button', { name: 'Remove this range on Friday' }))
    expect(hours().Friday).toEqual([range('09:00', '12:00')])
  })

  it('have three ranges a day at most', async () => {
    open({ Monday: [range('08:00', '10:00'), range('11:00', '13:00'), range('14:00', '16:00')] })
    expect(screen.queryByRole('button', { name: 'Add a range on Monday' })).toBeNull()
  })

  it('offer no further range where the day has no room for it', () => {
    open({ Monday: [range('09:00', '23:00')], Tuesday: [range('18:00', '24:00')], Wednesday: [range('09:00', '22:45')] })
    expect(screen.queryByRole('button', { name: 'Add a range on Monday' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Add a range on Tuesday' })).toBeNull()
    expect(screen.getByRole('button', { name: 'Add a range on Wednesday' })).toBeTruthy()
  })

  it('a range that is added is never wrong from the start', async () => {
    const hours = open({ Wednesday: [range('09:00', '22:45')] })
    await userEvent.click(screen.getByRole('button', { name: 'Add a range on Wednesday' }))
    expect(hours().Wednesday[1]).toEqual(range('23:00', '24:00'))
    expect(screen.queryByText(/Each range ends/)).toBeNull()
  })

  it('[E-13] are copied to other days in two taps: the usual days are chosen beforehand', async () => {
    const hours = open({ Tuesday: [range('09:00', '12:20'), range('13:10', '19:00')] })
    await userEvent.click(screen.getByRole('button', { name: 'Copy Tuesday to other days' }))
    await userEvent.click(screen.getByRole('button', { name: 'Copy' }))
    for (const day of ['Wednesday', 'Thursday', 'Friday', 'Saturday'] as const) expect(hours()[day]).toEqual(hours().Tuesday)
    expect(hours().Monday).toEqual([])
  })

  it('say what is wrong with ranges out of order and keep what was chosen', async () => {
    const hours = open({ Monday: [range('09:00', '18:00')] })
    await userEvent.selectOptions(screen.getByRole('combobox', { name: 'Monday, closes at' }), '8:00')
    expect(screen.getByText('Each range ends after it begins, and before the next one.')).toBeTruthy()
    expect(hours().Monday).toEqual([range('09:00', '08:00')])
  })

  it('offer tens and quarters of an hour to the end of the day, without AM and PM', () => {
    open({ Monday: [range('09:00', '18:00')] })
    const options = within(screen.getByRole('combobox', { name: 'Monday, opens at' })).getAllByRole('option')
    expect([options.length, options[0]?.textContent, options.at(-1)?.textContent]).toEqual([193, '0:00', '24:00'])
  })

  it('[E-13] of a Tuesday are on three days in three taps: copy, Saturday off, done', async () => {
    const hours = open({ Tuesday: [range('09:00', '12:30'), range('13:10', '19:00')] })
    let taps = 0
    const tap = async (name: string) => {
      taps += 1
      await userEvent.click(screen.getByRole('button', { name }))
    }
    await tap('Copy Tuesday to other days')
    await tap('Saturday')
    await tap('Copy')
    expect(taps).toBe(3)
    for (const day of ['Wednesday', 'Thursday', 'Friday'] as const) expect(hours()[day]).toEqual(hours().Tuesday)
    for (const day of ['Saturday', 'Sunday', 'Monday'] as const) expect(hours()[day]).toEqual([])
    // Each day is its own: one that is changed leaves the others.
    await userEvent.selectOptions(screen.getAllByRole('combobox', { name: 'Friday, closes at' })[1]!, '20:00')
    expect([hours().Friday[1], hours().Tuesday[1]]).toEqual([range('13:10', '20:00'), range('13:10', '19:00')])
  })

  it('[E-13] that overlap are refused beside their own fields, until they no longer do', async () => {
    open({ Thursday: [range('09:00', '18:00')], Friday: [range('09:00', '14:00'), range('15:00', '19:00')] })
    const opens = () => screen.getAllByRole('combobox', { name: 'Friday, opens at' })[1]!
    expect(opens().getAttribute('aria-invalid')).toBeNull()
    await userEvent.selectOptions(opens(), '13:00')
    const said = screen.getByText('Each range ends after it begins, and before the next one.')
    const friday = screen.getByRole('switch', { name: 'Friday' }).closest('li')
    expect(said.closest('li')).toBe(friday)
    expect(said.closest('[role="status"]')).toBeTruthy()
    expect(opens().getAttribute('aria-invalid')).toBe('true')
    expect(document.getElementById(opens().getAttribute('aria-describedby') ?? '')?.textContent).toBe(said.textContent)
    expect(screen.getByRole('combobox', { name: 'Thursday, opens at' }).getAttribute('aria-invalid')).toBeNull()
    await userEvent.selectOptions(opens(), '14:00')
    expect(screen.queryByText('Each range ends after it begins, and before the next one.')).toBeNull()
    expect(opens().getAttribute('aria-invalid')).toBeNull()
  })
})

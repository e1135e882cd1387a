import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { at, diaryDay, diaryOf, diaryVisit, resetDiaryPage, stubWidth } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { ines, maud } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
const lunch = {
  _id: 'b-lunch',
  staffId: ines,
  resourceId: null,
  startsAt: at('15:00'),
  endsAt: at('15:40'),
  kind: 'break' as const,
  note: 'Lunch',
}
const visits = [diaryVisit('v-camille', '14:40', '15:00', { status: 'deposit_paid' }), diaryVisit('v-emma', '16:20', '17:20')]

resetDiaryPage()

function open(query: string, handlers: Parameters<typeof fakeServer>[0] = {}) {
  const seen = fakeServer({ me: () => owner, diary: () => diaryOf({ visits, blocked: [lunch] }), ...handlers })
  return { seen, ...renderSite(`${path}${query}`, { [path]: <DiaryPage /> }) }
}

describe('the week', () => {
  it('of everybody counts visits and free time, and leads to the day', async () => {
    const { place } = open(`?view=week&day=${diaryDay}`)
    fireEvent.click(await screen.findByRole('button', { name: /^Inès ?, Thursday 26 November, 2 visits 4 h 30 free$/ }))
    await waitFor(() => expect(place()).toBe(`${path}?staff=${ines}`))
    expect(await screen.findByRole('list', { name: 'Inès' })).toBeTruthy()
  })

  it('shows what somebody who is away still has, and a day on which nobody works but somebody is booked', async () => {
    const diary = diaryOf({ visits })
    const [day] = diary.days
    if (!day) throw new Error('a day')
    const off = { shifts: [], shiftMinutes: 0, busyMinutes: 0 }
    const [first, second] = day.members.map((member) => ({ ...member, ...off }))
    if (!first || !second) throw new Error('two people')
    const sick = { ...first, away: [{ _id: 'l', kind: 'sick_leave' as const, startsAt: at('00:00'), endsAt: at('23:59') }] }
    const closed = { ...day, opens: [], members: [sick, second] }
    const { place } = open(`?view=week&day=${diaryDay}`, { diary: () => ({ ...diary, days: [closed] }) })
    expect(await screen.findByRole('cell', { name: 'Off' })).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: /^Inès ?, Thursday 26 November, 2 visits Sick Leave$/ }))
    await waitFor(() => expect(place()).toBe(`${path}?staff=${ines}`))
  })

  it('on a phone says of whoever is away what they still have, not that they are full', async () => {
    stubWidth(390)
    const diary = diaryOf({ visits })
    const days = diary.days.map((one) => ({
      ...one,
      members: one.members.map((member) => ({ ...member, shiftMinutes: 0, busyMinutes: 0 })),
    }))
    open(`?view=week&day=${diaryDay}`, { diary: () => ({ ...diary, days }) })
    expect(await screen.findByText('2 visits')).toBeTruthy()
    expect(screen.queryByText(/full/i)).toBeNull()
  })

  it('of one person is a grid of days', async () => {
    open(`?view=week&day=${diaryDay}&staff=${ines}`)
    const column = await screen.findByRole('list', { name: 'Thursday 26 November' })
    expect(within(column).getByRole('button', { name: /^14:40 – 15:00 .*, Deposit Paid$/ })).toBeTruthy()
  })

  it('on a phone is a row for each day', async () => {
    stubWidth(390)
    open(`?view=week&day=${diaryDay}`)
    expect(await screen.findByText('2 visits')).toBeTruthy()
  })
})

describe('the month', () => {
  it('has a number for each day and leads to it', async () => {
    const day = (date: string, count: number, closure: string | null = null) => ({
      day: date,
      closure,
      visits: count,
      cancelled: 0,
      shiftMinutes: closure === null ? 600 : 0,
      busyMinutes: 300,
      hours: closure === null ? [{ hour: 9, taken: 0.5 }] : [],
    })
    const { place } = open(`?view=month&day=${diaryDay}`, {
      diaryMonth: () => ({
        timeZone: 'Europe/Paris',
        now: at('14:06'),
        days: [day('2026-11-11', 0, 'Armistice Day'), day('2026-11-26', 21), day('2026-11-27', 1)],
      }),
    })
    expect(await screen.findByRole('button', { name: 'Wednesday 11 November, Armistice Day' })).toBeTruthy()
    expect(screen.getByText('22 visits, 75% full')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Friday 27 November, 1 visit 5 h free' }))
    await waitFor(() => expect(place()).toBe(`${path}?day=2026-11-27`))
  })
})

describe('the list', () => {
  it('tells visits in order, the present and what is free between', async () => {
    open(`?view=agenda&day=${diaryDay}`)
    const day = (await screen.findByRole('heading', { name: /^Today/ })).closest('section')
    expect([...(day?.querySelectorAll('li') ?? [])].map((row) => row.textContent?.slice(0, 5))).toEqual(
      ['14:06', '14:40', '15:40', '16:20'].map((time) => expect.stringContaining(time.slice(0, 4))),
    )
    expect(day?.textContent).toContain('40 min free with Inès')
  })
})

describe('time kept', () => {
  it('is blocked with a kind and a note, and can be given back at once', async () => {
    const { seen } = open(`?day=${diaryDay}`, { blockTime: () => lunch, unblockTime: () => ({ message: 'done' }) })
    await screen.findByRole('list', { name: 'Inès' })
    fireEvent.keyDown(document.body, { key: 'b' })
    const form = await screen.findByRole('dialog', { name: 'Block time' })
    fireEvent.click(within(form).getByRole('radio', { name: 'Meeting' }))
    fireEvent.change(within(form).getByRole('combobox', { name: 'Whose time' }), { target: { value: maud } })
    fireEvent.change(within(form).getByRole('textbox', { name: /^Note/ }), { target: { value: 'Supplier' } })
    fireEvent.click(within(form).getByRole('button', { name: 'Block time' }))
    await screen.findByText('Time blocked')
    expect(seen.find(({ name }) => name === 'blockTime')?.body).toEqual({
      startsAt: at('14:20'),
      endsAt: at('15:20'),
      staffId: maud,
      kind: 'meeting',
      note: 'Supplier',
    })
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(seen.some(({ name }) => name === 'unblockTime')).toBe(true))
  })

  it('is moved by keys; what is in the way puts it back with why', async () => {
    const taken = [{ kind: 'hold', id: 'h', startsAt: at('14:40'), endsAt: at('15:20'), customer: null }]
    open(`?day=${diaryDay}`, {
      moveBlockedTime: () =>
        refused(409, { code: 'time_taken', message: 'Something else is in the diary at this time.', details: { taken } }),
    })
    const block = await screen.findByRole('button', { name: /^Lunch 15:00 – 15:40 Blocked$/ })
    block.focus()
    for (const key of [' ', 'ArrowUp', 'Enter']) fireEvent.keyDown(block, { key })
    expect(await screen.findByText('Put back where it was')).toBeTruthy()
    expect(screen.getByText('Someone is holding 14:40 just now.')).toBeTruthy()
  })

  it('that goes on after midnight keeps its end where its note alone is changed', async () => {
    const night = { ...lunch, note: 'Inventory', startsAt: at('23:00'), endsAt: at('01:00', '2026-11-27') }
    const { seen } = open(`?day=${diaryDay}`, { diary: () => diaryOf({ blocked: [night] }), moveBlockedTime: () => night })
    fireEvent.click(await screen.findByRole('button', { name: /^Inventory/ }))
    const form = await screen.findByRole('dialog', { name: /time/i })
    fireEvent.change(within(form).getByRole('textbox', { name: /^Note/ }), { target: { value: 'Stock' } })
    fireEvent.click(within(form).getByRole('button', { name: 'Save' }))
    await waitFor(() =>
      expect(seen.find(({ name }) => name === 'moveBlockedTime')?.body).toMatchObject({
        startsAt: night.startsAt,
        endsAt: night.endsAt,
        note: 'Stock',
      }),
    )
  })

  it('opens its form by a click, and is given back', async () => {
    const { seen } = open(`?day=${diaryDay}`, { unblockTime: () => ({ message: 'done' }) })
    fireEvent.click(await screen.findByRole('button', { name: /^Lunch 15:00 – 15:40 Blocked$/ }))
    fireEvent.click(await screen.findByRole('button', { name: 'Free this time' }))
    expect(await screen.findByText('Time is free again')).toBeTruthy()
    expect(seen.find(({ name }) => name === 'unblockTime')?.params).toEqual({ id: 'b-lunch' })
  })
})

describe('the keys', () => {
  it('are told to whoever asks', async () => {
    open(`?day=${diaryDay}`)
    await screen.findByRole('list', { name: 'Inès' })
    fireEvent.keyDown(document.body, { key: '?' })
    expect((await screen.findByRole('dialog', { name: 'Keys' })).textContent).toContain('Lift a visit')
  })
})

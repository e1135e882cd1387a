import type { DiaryVisit } from '@soigne/contract/diary'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it, vi } from 'vitest'
import { at, diaryDay, diaryOf, diaryVisit, resetDiaryPage, stubWidth } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { maud, nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
const pages = { [path]: <DiaryPage /> }
resetDiaryPage()

const camille = diaryVisit('v-camille', '16:40', '17:40', { status: 'deposit_paid' })
const nadia = diaryVisit('v-nadia', '14:00', '15:00', {
  status: 'completed',
  customer: { _id: 'c-nadia', name: 'Nadia Kacem', phone: null, noShows: 2, pastVisits: 5 },
})

type Handlers = Parameters<typeof fakeServer>[0]

function open(query: string, visits: DiaryVisit[], handlers: Handlers = {}) {
  const detail = (visit: DiaryVisit) => ({
    ...visit,
    timeZone: 'Europe/Paris',
    terms: { cancelWindowHours: 24, freeUntil: null },
    history: [{ kind: 'booked', by: 'Camille', at: at('09:00'), startsAt: null }],
  })
  const seen = fakeServer({
    me: () => owner,
    diary: () => diaryOf({ visits }),
    diaryVisit: ({ params }) => detail(visits.find(({ _id }) => _id === params['id']) ?? camille),
    institute: () => nacre,
    ...handlers,
  })
  return { seen, ...renderSite(`${path}${query}`, pages) }
}

const bodies = (seen: ReturnType<typeof fakeServer>, name: string) => seen.filter((one) => one.name === name).map(({ body }) => body)

describe('the day', () => {
  it('shows a column for each person, with what is paid in words [E-10 P-07]', async () => {
    open(`?day=${diaryDay}`, [
      camille,
      nadia,
      diaryVisit('v-inga', '10:00', '11:00', { status: 'cancelled' }),
      diaryVisit('v-lou', '11:00', '12:00'),
    ])
    const column = await screen.findByRole('list', { name: 'Inès' })
    for (const name of [
      '16:40 – 17:40 Gel manicure Camille Renaud, Deposit Paid',
      '14:00 – 15:00 Gel manicure Nadia Kacem, Paid',
      '10:00 – 11:00 Gel manicure Camille Renaud, Cancelled',
      '11:00 – 12:00 Gel manicure Camille Renaud, Pending',
    ])
      expect(within(column).getByRole('button', { name })).toBeTruthy()
    expect(screen.getByRole('list', { name: 'Maud' })).toBeTruthy()
    expect(screen.getByRole('heading', { level: 1 }).textContent).toContain('26 November')
  })

  it('says who is on holiday and who is on sick leave [E-12]', async () => {
    const diary = diaryOf()
    const [first, second] = diary.days[0]?.members ?? []
    if (first) first.away = [{ _id: 'l', kind: 'on_holiday', startsAt: at('00:00'), endsAt: at('23:59') }]
    if (second) second.away = [{ _id: 'm', kind: 'sick_leave', startsAt: at('13:40'), endsAt: at('23:59') }]
    open(`?day=${diaryDay}`, [], { diary: () => diary })
    expect(await screen.findAllByText('Holiday')).toHaveLength(2)
    expect(screen.getByText('Sick Leave')).toBeTruthy()
    expect(screen.getByText('Sick Leave from 13:40')).toBeTruthy()
  })

  it('names no hour of a leave that takes a whole day off [E-12]', async () => {
    const diary = diaryOf()
    const [first, second] = diary.days[0]?.members ?? []
    if (first) Object.assign(first, { shifts: [], away: [{ _id: 'l', kind: 'sick_leave', startsAt: at('00:00'), endsAt: at('23:59') }] })
    if (second) Object.assign(second, { shifts: [], away: [{ _id: 'm', kind: 'on_holiday', startsAt: at('15:00'), endsAt: at('23:59') }] })
    open(`?day=${diaryDay}`, [], { diary: () => diary })
    expect(await within(await screen.findByRole('list', { name: 'Inès' })).findByText('Sick Leave')).toBeTruthy()
    expect(within(screen.getByRole('list', { name: 'Maud' })).getByText('Holiday from 15:00')).toBeTruthy()
  })

  it('goes on to the next day and back by the arrow keys, and keeps the place in the address', async () => {
    const { place } = open(`?day=${diaryDay}`, [camille])
    await screen.findByRole('list', { name: 'Inès' })
    fireEvent.keyDown(document.body, { key: 'ArrowRight' })
    await waitFor(() => expect(place()).toBe(`${path}?day=2026-11-27`))
    fireEvent.keyDown(document.body, { key: 'w' })
    await waitFor(() => expect(place()).toBe(`${path}?day=2026-11-27&view=week`))
  })

  it('shows one person on a phone, and Arrived is one tap away', async () => {
    stubWidth(390)
    const { seen } = open(`?day=${diaryDay}`, [diaryVisit('v-next', '14:20', '15:00')], {
      noteAttendance: () => ({ ...camille, attendance: 'arrived' }),
    })
    await screen.findByRole('list', { name: 'Inès' })
    expect(screen.queryByRole('list', { name: 'Maud' })).toBeNull()
    fireEvent.click(within(screen.getByRole('region', { name: 'Next to come' })).getByRole('button', { name: 'Arrived' }))
    await waitFor(() => expect(bodies(seen, 'noteAttendance')).toEqual([{ attendance: 'arrived' }]))
  })

  it('says what failed, and reads again', async () => {
    let isDown = true
    open(`?day=${diaryDay}`, [], { diary: () => (isDown ? refused(503, 'the database rests') : diaryOf({ visits: [camille] })) })
    await screen.findByText('The calendar could not be read')
    isDown = false
    fireEvent.click(screen.getByRole('button', { name: 'Try again' }))
    expect(await screen.findByRole('list', { name: 'Inès' })).toBeTruthy()
  })
})

describe('an open visit', () => {
  it('says who, what is known, and takes the next step; the step can be taken back', async () => {
    let attendance: DiaryVisit['attendance'] = 'expected'
    const { seen } = open(`?day=${diaryDay}&visit=v-nadia`, [nadia], {
      noteAttendance: ({ body }) => {
        attendance = (body as { attendance: DiaryVisit['attendance'] }).attendance
        return { ...nadia, attendance, attendedAt: { arrived: at('14:12') } }
      },
    })
    const drawer = await screen.findByRole('dialog')
    await within(drawer).findByText('Did not come 2 times')
    fireEvent.click(within(drawer).getAllByRole('button', { name: /^Arrived/ })[0] ?? drawer)
    await screen.findByText('Nadia Kacem has arrived')
    fireEvent.click(screen.getByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(attendance).toBe('expected'))
    expect(bodies(seen, 'noteAttendance')).toEqual([{ attendance: 'arrived' }, { attendance: 'expected' }])
  })

  it('is let go after the one question, spelt as it is, and offers the way back', async () => {
    const cancelled = vi.fn()
    open(`?day=${diaryDay}&visit=v-camille`, [camille], {
      cancelInstituteVisit: ({ body }) => {
        cancelled(body)
        return refused(409, { code: 'changed_meanwhile', message: 'Sofia moved it to 11:00.' })
      },
    })
    const drawer = await screen.findByRole('dialog')
    fireEvent.click(await within(drawer).findByRole('button', { name: 'Cancel' }))
    const question = await screen.findByRole('alertdialog')
    expect(within(question).getByRole('heading').textContent).not.toMatch(/cancel/i)
    expect(within(question).getByRole('button', { name: 'cancle' })).toBeTruthy()
    fireEvent.click(within(question).getByRole('button', { name: 'confirm' }))
    expect(await screen.findByText('Sofia moved it to 11:00.')).toBeTruthy()
    expect(cancelled).toHaveBeenCalledWith({ version: 1 })
  })
})

describe('moving by keys', () => {
  it('lifts with the space bar, carries with arrows, asks with old and new, and can be undone [P-07]', async () => {
    const { seen } = open(`?day=${diaryDay}`, [camille], {
      moveInstituteVisit: () => ({ ...camille, timeZone: 'Europe/Paris', customer: { name: 'Camille', phone: null }, segments: [] }),
      undoVisitChange: () => camille,
    })
    const block = await screen.findByRole('button', { name: /Camille Renaud/ })
    block.focus()
    fireEvent.keyDown(block, { key: ' ' })
    expect(await screen.findByText(/Gel manicure lifted/)).toBeTruthy()
    fireEvent.keyDown(block, { key: 'ArrowUp' })
    fireEvent.keyDown(block, { key: 'ArrowRight' })
    expect(await screen.findByText('Maud, 16:20 to 17:20')).toBeTruthy()
    fireEvent.keyDown(block, { key: 'Enter' })
    const question = await screen.findByRole('dialog', { name: 'Move Camille to 16:20?' })
    expect(question.textContent).toContain('16:40')
    expect(question.textContent).toContain('€38.00')
    fireEvent.click(within(question).getByRole('button', { name: 'Move visit' }))
    await waitFor(() => expect(bodies(seen, 'moveInstituteVisit')).toEqual([{ startsAt: at('16:20'), staffId: maud, version: 1 }]))
    fireEvent.click(await screen.findByRole('button', { name: 'Undo' }))
    await waitFor(() => expect(seen.some(({ name }) => name === 'undoVisitChange')).toBe(true))
  })

  it('puts back with Escape, and says why a move was refused', async () => {
    const { seen } = open(`?day=${diaryDay}`, [camille], {
      moveInstituteVisit: () => refused(409, { code: 'slot_taken', message: 'Maud is with Emma C. until 17:00.' }),
    })
    const block = await screen.findByRole('button', { name: /Camille Renaud/ })
    block.focus()
    fireEvent.keyDown(block, { key: ' ' })
    fireEvent.keyDown(block, { key: 'ArrowDown' })
    fireEvent.keyDown(block, { key: 'Escape' })
    expect(await screen.findByText(/put back/)).toBeTruthy()
    fireEvent.keyDown(block, { key: ' ' })
    fireEvent.keyDown(block, { key: 'ArrowRight' })
    fireEvent.keyDown(block, { key: 'Enter' })
    fireEvent.click(await screen.findByRole('button', { name: 'Move visit' }))
    expect(await screen.findByText('Maud is with Emma C. until 17:00.')).toBeTruthy()
    fireEvent.click(screen.getByRole('button', { name: 'Put back' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
    expect(bodies(seen, 'moveInstituteVisit')).toHaveLength(1)
  })

  it('makes a service longer with Shift', async () => {
    const { seen } = open(`?day=${diaryDay}`, [camille], { resizeVisit: () => camille })
    const block = await screen.findByRole('button', { name: /Camille Renaud/ })
    block.focus()
    fireEvent.keyDown(block, { key: ' ' })
    fireEvent.keyDown(block, { key: 'ArrowDown', shiftKey: true })
    fireEvent.keyDown(block, { key: 'Enter' })
    await waitFor(() => expect(bodies(seen, 'resizeVisit')).toEqual([{ segment: 0, durationMinutes: 80, version: 1 }]))
  })
})

describe('booking at the desk', () => {
  const times = {
    timeZone: 'Europe/Paris',
    days: [{ day: diaryDay, times: ['14:20', '14:40', '15:00'].map((time) => ({ startsAt: at(time), endsAt: at(time) })) }],
  }

  it('takes a walk-in without a name in four clicks and no field [P-07]', async () => {
    const { seen } = open(`?day=${diaryDay}`, [], {
      diaryTimes: () => times,
      bookForClient: () =>
        diaryVisit('v-new', '14:20', '14:40', { customer: { _id: null, name: '', phone: null, noShows: 0, pastVisits: 0 } }),
    })
    await screen.findByRole('list', { name: 'Inès' })
    fireEvent.click(screen.getByRole('button', { name: 'New appointment' }))
    fireEvent.click(await screen.findByRole('button', { name: /Hand massage/ }))
    fireEvent.click(screen.getByRole('button', { name: 'Walk-in' }))
    fireEvent.click(await screen.findByRole('button', { name: /^Book 14:/ }))
    await screen.findByText(/Walk-in booked/)
    expect(bodies(seen, 'bookForClient')).toHaveLength(1)
    expect(bodies(seen, 'bookForClient')[0]).not.toHaveProperty('customer')
  })

  it('takes somebody new in two fields, and somebody known from the search', async () => {
    const known = { _id: 'c-1', name: 'Hélène Vidal', phone: '+33 6 00', visits: 31, noShows: 0 }
    const row = {
      ...known,
      firstName: 'Hélène',
      lastName: 'Vidal',
      email: null,
      imageUrl: null,
      lastVisitAt: null,
      nextVisitAt: null,
      spend: { amount: 0, currency: 'EUR' },
      tags: [],
      isBlocked: false,
    }
    const { seen } = open(`?day=${diaryDay}`, [], {
      diaryTimes: () => times,
      customers: () => ({ items: [row], page: 1, pageSize: 10, total: 1, tags: [], timeZone: 'Europe/Paris', now: at('14:06') }),
      bookForClient: () => diaryVisit('v-new', '14:20', '15:20'),
    })
    await screen.findByRole('list', { name: 'Inès' })
    fireEvent.keyDown(document.body, { key: '/' })
    const type = (role: string, name: string, value: string) => fireEvent.change(screen.getByRole(role, { name }), { target: { value } })
    await screen.findByRole('searchbox', { name: 'Client' })
    type('searchbox', 'Client', 'hel')
    fireEvent.click(await screen.findByRole('button', { name: /Hélène Vidal/ }))
    fireEvent.click(screen.getByRole('button', { name: 'Change' }))
    fireEvent.click(screen.getByRole('button', { name: 'New client' }))
    type('textbox', 'Name', 'Anna Roux Martin')
    type('textbox', 'Phone', '06 12 44 80 17')
    fireEvent.click(await screen.findByRole('button', { name: /Gel manicure/ }))
    fireEvent.click(await screen.findByRole('button', { name: /^Book 14:/ }))
    await waitFor(() =>
      expect(bodies(seen, 'bookForClient')[0]).toMatchObject({
        customer: { firstName: 'Anna', lastName: 'Roux Martin', phone: '06 12 44 80 17' },
      }),
    )
  })

  it('opens with a visit for a client where a link asks for it, and booked it is not asked again', async () => {
    const { seen, place } = open(`?day=${diaryDay}&new=1&customer=c-9`, [], {
      diaryTimes: () => times,
      customer: () => ({ _id: 'c-9', name: 'Hélène Vidal', phone: null, visits: 4, noShows: 0 }) as never,
      bookForClient: () => diaryVisit('v-new', '14:20', '15:20'),
    })
    await screen.findByText('Hélène Vidal')
    fireEvent.click(await screen.findByRole('button', { name: /Gel manicure/ }))
    fireEvent.click(await screen.findByRole('button', { name: /^Book 14:/ }))
    await waitFor(() => expect(bodies(seen, 'bookForClient')[0]).toMatchObject({ customerId: 'c-9' }))
    await waitFor(() => expect(place()).toBe(`${path}?day=${diaryDay}`))
  })

  it('opens with time to block where a link asks for it', async () => {
    open(`?day=${diaryDay}&block=1`, [])
    await screen.findByRole('heading', { name: 'Block time' })
    // The next step of the day the institute has, whatever day it is where this is read.
    const parts = screen.getAllByRole('spinbutton', { name: /From/ })
    expect(parts.map(({ textContent }) => textContent)).toEqual(['14', '20'])
  })
})

// Classes on the calendar: opened for a term, filled, noted one by one, moved, given other seats, cancelled.
import { type Permission, permissions } from '@soigne/contract/access'
import type { DiarySession } from '@soigne/contract/diary'
import { fireEvent, screen, waitFor, within } from '@testing-library/react'
import { describe, expect, it } from 'vitest'
import { at, diaryDay, diaryOf, diaryVisit, resetDiaryPage, stubWidth } from '#/testing/diary.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { gelManicure, ines, maud, nacre } from '#/testing/institutes.ts'
import { owner } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import DiaryPage from './diary-page.tsx'

const path = '/mysalon/appointments/calendar'
resetDiaryPage()

const workshop: DiarySession = {
  _id: 's-1',
  serviceId: gelManicure,
  serviceName: 'Workshop',
  staffId: ines,
  resourceId: null,
  startsAt: at('15:00'),
  endsAt: at('16:00'),
  capacity: 12,
  booked: 2,
  held: 1,
}
const seat = (id: string, name: string, part: Parameters<typeof diaryVisit>[3] = {}) =>
  diaryVisit(id, '15:00', '16:00', {
    sessionId: 's-1',
    customer: { _id: `c-${id}`, name, phone: null, noShows: 0, pastVisits: 0 },
    ...part,
  })
const seats = [seat('v-1', 'Léa Garnier'), seat('v-2', 'Tom Adler', { attendance: 'no_show' }), seat('v-3', '', { isHeld: true })]
const [, massage] = nacre.services
const withClass = { ...nacre, services: [{ ...nacre.services[0], name: 'Workshop', capacity: 12 }, massage] }
const full = { ...workshop, timeZone: 'Europe/Paris', staffName: 'Inès' }

type Handlers = Parameters<typeof fakeServer>[0]

function open({ own = ['diary.change'], handlers = {}, query = '' }: { own?: Permission[]; handlers?: Handlers; query?: string } = {}) {
  const seen = fakeServer({
    me: () => owner,
    diary: () => diaryOf({ visits: seats, sessions: [workshop] }),
    institute: () => withClass as typeof nacre,
    ownPermissions: () => ({ permissions: [...permissions], levels: [], own }),
    ...handlers,
  })
  renderSite(`${path}?day=${diaryDay}${query}`, { [path]: <DiaryPage /> })
  return (name: string) => seen.filter((one) => one.name === name)
}
const block = () => screen.findByRole('button', { name: /Workshop/ })
const openDrawer = async () => {
  fireEvent.click(await block())
  return screen.findByRole('dialog', { name: 'Workshop' })
}

describe('a class on the calendar', () => {
  it('is one block with its seats; opened, it lists who comes, each with their own attendance', async () => {
    const arrived = seat('v-1', 'Léa Garnier', { attendance: 'arrived' })
    const now = { seats }
    const calls = open({
      handlers: {
        diary: () => diaryOf({ visits: now.seats, sessions: [workshop] }),
        noteAttendance: () => {
          now.seats = [arrived, ...seats.slice(1)]
          return arrived
        },
      },
    })
    expect((await block()).textContent).toContain('2 of 12 seats')
    const drawer = await openDrawer()
    expect(drawer.textContent).toContain('2 of 12 seats taken')
    expect(within(drawer).getByText('1 seat is being booked')).toBeTruthy()
    expect(within(drawer).getByRole('button', { name: /Tom Adler/ }).textContent).toContain('Did not come')
    expect(within(drawer).getByRole('button', { name: 'Léa Garnier did not come' })).toBeTruthy()
    fireEvent.click(within(drawer).getByRole('button', { name: 'Arrived Léa Garnier' }))
    await waitFor(() => expect(calls('noteAttendance').map(({ body }) => body)).toEqual([{ attendance: 'arrived' }]))
    expect(await within(drawer).findByRole('button', { name: 'Done Léa Garnier' })).toBeTruthy()
  })

  it('takes one more by a search or as a walk-in, and says when somebody was faster with the last seat', async () => {
    const state = { isFull: true }
    const calls = open({
      handlers: {
        bookForClient: () =>
          state.isFull
            ? refused(409, { code: 'slot_taken', message: 'That time was just taken.', details: { nearest: [{ startsAt: at('17:00') }] } })
            : seat('v-9', ''),
      },
    })
    const drawer = await openDrawer()
    fireEvent.click(within(drawer).getByRole('button', { name: 'Add someone' }))
    fireEvent.click(within(drawer).getByRole('button', { name: 'Walk-in' }))
    fireEvent.click(within(drawer).getByRole('button', { name: 'Book 15:00' }))
    expect((await within(drawer).findByRole('alert')).textContent).toContain('17:00')
    state.isFull = false
    fireEvent.click(within(drawer).getByRole('button', { name: 'Book 15:00' }))
    expect(await screen.findByText(/^Walk-in booked/)).toBeTruthy()
    expect(calls('bookForClient')[0]?.body).toEqual({ services: [{ serviceId: gelManicure, staffId: ines }], startsAt: at('15:00') })
  })

  it('gets other seats, never fewer than are taken', async () => {
    open({ handlers: { resizeGroupSession: () => refused(409, { code: 'seats_taken', message: 'More seats.', details: { taken: 3 } }) } })
    const drawer = await openDrawer()
    fireEvent.click(within(drawer).getByRole('button', { name: 'Seats' }))
    const field = within(drawer).getByRole('textbox', { name: 'Seats' })
    fireEvent.change(field, { target: { value: '2' } })
    fireEvent.blur(field)
    fireEvent.click(within(drawer).getByRole('button', { name: 'Save' }))
    expect(await within(drawer).findByText('3 seats are taken. Fewer won’t do.')).toBeTruthy()
  })

  it('whose seats are paid says what goes back to all of them, before it is cancelled', async () => {
    const euros = (amount: number) => ({ amount, currency: 'EUR' })
    const paid = [
      seat('v-1', 'Léa Garnier', { status: 'completed' }),
      seat('v-2', 'Tom Adler', { status: 'deposit_paid' }),
      seat('v-3', 'Ada Roy'),
    ]
    const calls = open({
      handlers: {
        diary: () => diaryOf({ visits: paid, sessions: [workshop] }),
        visitCancellation: ({ params }) =>
          params['id'] === 'v-1' ? { refunded: euros(3800), sessions: 1 } : { refunded: euros(700), atSalon: euros(500), sessions: 1 },
      },
    })
    const drawer = await openDrawer()
    fireEvent.click(within(drawer).getByRole('button', { name: 'Cancel' }))
    expect(await within(drawer).findByText('€45.00 goes back to the clients, each the way they paid.')).toBeTruthy()
    expect(within(drawer).getByText(/^€5\.00 was paid, at least in part at the counter\..*in each sale\.$/)).toBeTruthy()
    expect(within(drawer).getByText('2 sessions go back to their packages.')).toBeTruthy()
    expect([calls('visitCancellation').length, calls('cancelGroupSession').length]).toEqual([2, 0])
  })

  it('is cancelled with a reason that everybody reads', async () => {
    const calls = open({ handlers: { cancelGroupSession: () => ({ message: 'ok' }) } })
    const drawer = await openDrawer()
    fireEvent.click(within(drawer).getByRole('button', { name: 'Cancel' }))
    expect(drawer.textContent).toContain('2 people have booked.')
    fireEvent.change(within(drawer).getByRole('textbox', { name: 'Why?' }), { target: { value: 'The heating is off' } })
    fireEvent.click(within(drawer).getByRole('button', { name: 'Cancel the class' }))
    await waitFor(() => expect(calls('cancelGroupSession')[0]?.body).toEqual({ reason: 'The heating is off' }))
    await waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
  })

  it('is moved by a form that says first what is in the way', async () => {
    const conflict = 'Something else is in the diary at this time.'
    const calls = open({
      handlers: {
        planGroupSessions: ({ query }) => ({
          timeZone: 'Europe/Paris',
          rooms: [],
          items: [{ startsAt: at('15:00'), endsAt: at('16:00'), conflict: query.get('staffId') === maud ? conflict : null }],
        }),
        moveGroupSession: () => full,
      },
    })
    const drawer = await openDrawer()
    fireEvent.click(within(drawer).getByRole('button', { name: 'Move' }))
    fireEvent.click(within(drawer).getByRole('radio', { name: 'Maud' }))
    expect(await within(drawer).findByText(conflict)).toBeTruthy()
    expect(within(drawer).getByRole<HTMLButtonElement>('button', { name: 'Move to 15:00' }).disabled).toBe(true)
    expect(calls('planGroupSessions')[0]?.query.get('sessionId')).toBe('s-1')
    expect(drawer.textContent).toContain('2 people move along and are told.')
  })

  it('is carried by keys to somebody else, after a question', async () => {
    const calls = open({ handlers: { moveGroupSession: () => full } })
    const carried = await block()
    await waitFor(() => expect(calls('ownPermissions')).toHaveLength(1))
    carried.focus()
    await waitFor(() => {
      fireEvent.keyDown(carried, { key: ' ' })
      expect(screen.getByText(/Workshop lifted/)).toBeTruthy()
    })
    fireEvent.keyDown(carried, { key: 'ArrowRight' })
    fireEvent.keyDown(carried, { key: 'ArrowDown', shiftKey: true })
    fireEvent.keyDown(carried, { key: 'Enter' })
    const question = await screen.findByRole('dialog', { name: 'Move Workshop to 15:20?' })
    expect(question.textContent).toContain('2 people move along and are told.')
    fireEvent.click(within(question).getByRole('button', { name: 'Move class' }))
    await waitFor(() => expect(calls('moveGroupSession')[0]?.body).toEqual({ startsAt: at('15:20'), staffId: maud }))
  })

  it('is only looked at by whoever may not change it, and takes their clients all the same', async () => {
    open({ own: ['diary.own'] })
    const drawer = await openDrawer()
    expect(within(drawer).getByRole('button', { name: 'Add someone' })).toBeTruthy()
    for (const name of ['Cancel', 'Seats', 'Move']) expect(within(drawer).queryByRole('button', { name })).toBeNull()
    fireEvent.click(screen.getByRole('button', { name: 'New appointment' }))
    await screen.findByRole('button', { name: 'Walk-in' })
    expect(screen.queryByRole('button', { name: 'New class instead' })).toBeNull()
  })

  it('stands once in the list of a phone, not once for each seat', async () => {
    stubWidth(390)
    open({ query: '&view=agenda' })
    const row = await screen.findByRole('button', { name: /Workshop/ })
    expect(row.textContent).toContain('2 of 12 seats')
    expect(screen.queryByText('Léa Garnier')).toBeNull()
    fireEvent.click(row)
    expect(await screen.findByRole('button', { name: 'Arrived Léa Garnier' })).toBeTruthy()
  })
})

describe('new classes', () => {
  const weekly = (count: number) =>
    Array.from({ length: count }, (_, week) => ({
      startsAt: at('18:00', `2026-12-${String(3 + 7 * week).padStart(2, '0')}`),
      endsAt: at('19:00', `2026-12-${String(3 + 7 * week).padStart(2, '0')}`),
      conflict: week === 1 ? 'The institute is closed that day.' : null,
    }))

  it('are planned for weeks, each date with what is in its way, and opened together', async () => {
    const calls = open({
      handlers: {
        planGroupSessions: ({ query }) => ({
          timeZone: 'Europe/Paris',
          rooms: [
            { _id: 'r-1', name: 'Studio' },
            { _id: 'r-2', name: 'Loft' },
          ],
          items: weekly(Number(query.get('times'))),
        }),
        openGroupSessions: () => ({ items: [full, full] }),
      },
    })
    await block()
    fireEvent.click(screen.getByRole('button', { name: 'New appointment' }))
    fireEvent.click(await screen.findByRole('button', { name: 'New class instead' }))
    const form = await screen.findByRole('dialog', { name: 'New class' })
    fireEvent.change(within(form).getByRole('combobox', { name: 'Comes again' }), { target: { value: '1' } })
    fireEvent.change(within(form).getByRole('combobox', { name: 'How many' }), { target: { value: '4' } })
    expect(await within(form).findByText('1 date doesn’t fit and is left out.')).toBeTruthy()
    expect(within(form).getByText('The institute is closed that day.')).toBeTruthy()
    fireEvent.change(within(form).getByRole('combobox', { name: 'Room' }), { target: { value: 'r-2' } })
    fireEvent.click(await within(form).findByRole('checkbox', { name: /24 December/ }))
    fireEvent.click(await within(form).findByRole('button', { name: 'Open 2 classes' }))
    await screen.findByText('2 classes are open for booking')
    expect(calls('openGroupSessions')[0]?.body).toEqual({
      serviceId: gelManicure,
      staffId: ines,
      capacity: 12,
      resourceId: 'r-2',
      startsAt: [at('18:00', '2026-12-03'), at('18:00', '2026-12-17')],
    })
  })

  it('keep what was chosen when the calendar has changed meanwhile', async () => {
    open({
      handlers: {
        planGroupSessions: () => ({ timeZone: 'Europe/Paris', rooms: [], items: weekly(1) }),
        openGroupSessions: () => refused(409, { code: 'time_taken', message: 'Something else is in the diary at this time.' }),
      },
    })
    await block()
    fireEvent.click(screen.getByRole('button', { name: 'New appointment' }))
    fireEvent.click(await screen.findByRole('button', { name: 'New class instead' }))
    const form = await screen.findByRole('dialog', { name: 'New class' })
    fireEvent.click(within(form).getByRole('radio', { name: 'Maud' }))
    const send = await within(form).findByRole<HTMLButtonElement>('button', { name: 'Open class' })
    await waitFor(() => expect(send.disabled).toBe(false))
    fireEvent.click(send)
    expect(await within(form).findByText('Something else is in the diary at this time.')).toBeTruthy()
    expect(within(form).getByRole<HTMLInputElement>('radio', { name: 'Maud' }).checked).toBe(true)
  })
})

import type { Appointment } from '@soigne/contract/appointments'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { ines } from '#/testing/institutes.ts'
import { client } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { visitAt } from '#/testing/visits.ts'
import { confirmStore } from '#/ui/confirms.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import AppointmentPage from './appointment-page.tsx'

type Handlers = Parameters<typeof fakeServer>[0]

const soon = '2031-03-18T15:40:00.000Z'
const moved = '2031-03-19T09:00:00.000Z'

beforeEach(() => {
  localStorage.clear()
  localStorage.setItem('AuthToken', 't')
  // The page asks how near the map is; nothing is near here.
  vi.stubGlobal(
    'IntersectionObserver',
    class {
      observe() {}
      disconnect() {}
    },
  )
})
afterEach(() => {
  cleanup()
  act(() => {
    dismissAllToasts()
    confirmStore.set([])
  })
  vi.unstubAllGlobals()
})

function open(address: string, handlers: Handlers) {
  const seen = fakeServer({ me: () => client, ...handlers })
  return {
    ...renderSite(address, { '/appointment/:id': <AppointmentPage /> }),
    calls: (name: string) => seen.filter((one) => one.name === name),
  }
}

function openVisit(visit: Appointment, handlers: Handlers = {}) {
  return open(`/appointment/${visit._id}`, { appointment: () => visit, ...handlers })
}

describe('letting a visit go', () => {
  it('asks first, without the verb cancel in the title, and says what it costs', async () => {
    openVisit(visitAt(soon))
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    const dialog = await screen.findByRole('alertdialog', { name: 'Let this hour go?' })
    expect(within(dialog).getByRole('heading').textContent).not.toMatch(/cancel/i)
    expect(within(dialog).getByText(/To pay: €0/)).toBeTruthy()
    expect(within(dialog).getByRole('button', { name: 'cancle' })).toBeTruthy()
  })

  it('keeps the visit on cancle and lets it go on confirm', async () => {
    const state = { visit: visitAt(soon) }
    const { calls } = openVisit(state.visit, {
      cancelAppointment: () => visitAt(soon, { status: 'cancelled', canCancel: false, canReschedule: false, cancelledAt: soon }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    await userEvent.click(await screen.findByRole('button', { name: 'cancle' }))
    expect(calls('cancelAppointment')).toHaveLength(0)
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    await userEvent.click(await screen.findByRole('button', { name: 'confirm' }))
    expect(await screen.findByText('Cancelled')).toBeTruthy()
    expect(await screen.findByText('The hour is free again.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
  })

  it('what was cancelled meanwhile, in another tab or by the salon, is shown as it is then', async () => {
    let visit = visitAt(soon)
    open(`/appointment/${visit._id}`, {
      appointment: () => visit,
      cancelAppointment() {
        visit = visitAt(soon, { status: 'cancelled', canCancel: false, canReschedule: false, cancelledAt: soon })
        return refused(409, { code: 'wrong_state', message: 'That cannot be done any more.' })
      },
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    await userEvent.click(await screen.findByRole('button', { name: 'confirm' }))
    expect(await screen.findByText('That cannot be done any more.')).toBeTruthy()
    expect(await screen.findByText('Cancelled. Nothing to pay.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
  })

  it('too late is explained with the number to call', async () => {
    openVisit(visitAt(soon), { cancelAppointment: () => refused(422, { code: 'too_late', message: 'Too late.' }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Cancel' }))
    await userEvent.click(await screen.findByRole('button', { name: 'confirm' }))
    expect(await screen.findByText('It’s too late to change this online.')).toBeTruthy()
    expect(screen.getAllByRole('link', { name: '+33 4 00 00 10 18' })[0]?.getAttribute('href')).toBe('tel:+33400001018')
  })

  it('offers neither moving nor letting go when both are over', async () => {
    openVisit(visitAt(soon, { canCancel: false, canReschedule: false }))
    expect(await screen.findByText('It’s too late to change this online.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Move' })).toBeNull()
    expect(screen.queryByRole('button', { name: 'Cancel' })).toBeNull()
  })
})

describe('moving a visit', () => {
  const reschedulePlan = () => ({ ...visitAt(moved), staff: [ines] })
  /** What it comes to is told before it can be pressed. */
  async function press(name: RegExp) {
    await waitFor(() => expect(screen.getByRole<HTMLButtonElement>('button', { name }).disabled).toBe(false))
    await userEvent.click(screen.getByRole('button', { name }))
  }
  const days = () => ({ timeZone: 'Europe/Paris', days: [{ day: '2031-03-19', times: [{ startsAt: moved, endsAt: moved }], taken: [] }] })

  it('shows old and new before anything changes, then moves it', async () => {
    const { calls } = openVisit(visitAt(soon), { rescheduleTimes: days, reschedulePlan, rescheduleAppointment: () => visitAt(moved) })
    await userEvent.click(await screen.findByRole('button', { name: 'Move' }))
    await userEvent.click(await screen.findByRole('radio', { name: '10:00' }))
    expect(calls('rescheduleAppointment')).toHaveLength(0)
    await press(/^Move to .*10:00/)
    await waitFor(() => expect(calls('rescheduleAppointment')[0]?.body).toEqual({ startsAt: moved }))
    expect(await screen.findByText(/^Moved to .*10:00\.$/)).toBeTruthy()
  })

  it('a time taken meanwhile leaves the visit where it was and names free ones', async () => {
    openVisit(visitAt(soon), {
      rescheduleTimes: days,
      reschedulePlan,
      rescheduleAppointment: () =>
        refused(409, { code: 'slot_taken', message: 'Taken.', details: { nearest: [{ startsAt: soon, endsAt: soon }] } }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Move' }))
    await userEvent.click(await screen.findByRole('radio', { name: '10:00' }))
    await press(/^Move to/)
    expect(await screen.findByText('That time was just taken.')).toBeTruthy()
    expect(screen.getByRole('button', { name: /16:40/ })).toBeTruthy()
  })

  it('cancelled while another time is being chosen closes the choice, asks for no more times, and focus is at the title', async () => {
    const gone = visitAt(soon, { status: 'cancelled', canCancel: false, canReschedule: false, cancelledAt: soon })
    const state = { visit: visitAt(soon) }
    const { calls } = open(`/appointment/${gone._id}`, {
      appointment: () => state.visit,
      rescheduleTimes: () => (state.visit === gone ? refused(409, { code: 'wrong_state', message: 'Cancelled.' }) : days()),
      cancelAppointment: () => (state.visit = gone),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Move' }))
    await screen.findByRole('radio', { name: '10:00' })
    const asked = calls('rescheduleTimes').length
    await userEvent.click(screen.getByRole('button', { name: 'Cancel' }))
    await userEvent.click(await screen.findByRole('button', { name: 'confirm' }))
    expect(await screen.findByText('Cancelled')).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'When would suit you better?' })).toBeNull()
    expect(calls('rescheduleTimes')).toHaveLength(asked)
    await waitFor(() => expect(document.activeElement).toBe(screen.getByRole('heading', { level: 1 })))
  })

  it('that is given up with Escape leaves the focus where it was opened', async () => {
    openVisit(visitAt(soon), { rescheduleTimes: days })
    await userEvent.click(await screen.findByRole('button', { name: 'Move' }))
    await screen.findByRole('radio', { name: '10:00' })
    await userEvent.keyboard('{Escape}')
    expect(screen.queryByRole('radio', { name: '10:00' })).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Move' }))
  })
})

it('an appointment of somebody else is an unknown one', async () => {
  open('/appointment/nobody', { appointment: () => refused(404, { code: 'not_found', message: 'Unknown.' }) })
  expect(await screen.findByText('We can’t find this appointment.')).toBeTruthy()
})

describe('repeating a visit', () => {
  const plan = {
    timeZone: 'Europe/Paris',
    items: [{ startsAt: moved, endsAt: moved, conflict: null, nearest: [], segments: [], total: null }],
  }

  it('opens on its button, one sheet at a time, and gives the focus back', async () => {
    const { calls } = openVisit(visitAt(soon), { seriesPlan: () => plan, rescheduleTimes: () => ({ timeZone: 'Europe/Paris', days: [] }) })
    expect(calls('seriesPlan')).toHaveLength(0)
    await userEvent.click(await screen.findByRole('button', { name: 'Move' }))
    await userEvent.click(screen.getByRole('button', { name: 'Repeat this visit' }))
    expect(await screen.findByRole('heading', { name: 'How often would you like to come?' })).toBeTruthy()
    expect(screen.queryByRole('heading', { name: 'When would suit you better?' })).toBeNull()
    expect(await screen.findByRole('checkbox', { name: /Wednesday 19 March 2031 at 10:00/ })).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Not now' }))
    expect(screen.queryByRole('heading', { name: 'How often would you like to come?' })).toBeNull()
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'Repeat this visit' }))
  })

  it('is open at once for who comes from the screen of a booking', async () => {
    const visit = visitAt(soon)
    open(`/appointment/${visit._id}#repeat`, { appointment: () => visit, seriesPlan: () => plan })
    expect(await screen.findByRole('heading', { name: 'How often would you like to come?' })).toBeTruthy()
  })

  it('is not offered for what is over or let go', async () => {
    openVisit(visitAt(soon, { status: 'cancelled', canCancel: false, canReschedule: false, cancelledAt: soon }))
    expect(await screen.findByText('Cancelled. Nothing to pay.')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Repeat this visit' })).toBeNull()
  })

  it('says that there is nothing to pay only where no money was paid, kept or charged', async () => {
    const visit = visitAt(soon, { status: 'cancelled', canCancel: false, canReschedule: false, cancelledAt: soon })
    const zero = { amount: 0, currency: 'EUR' }
    const [total, none] = [
      { amount: 3800, currency: 'EUR' },
      { ifCancelled: null, lateCancelling: null, feeTerms: null, fee: null },
    ]
    const kept = { _id: 'p1', kind: 'deposit' as const, method: 'card' as const, amount: 1500, at: soon }
    openVisit(visit, {
      appointmentPayments: () => ({ total, due: zero, payOnline: false, methods: [], ...none, payments: [kept], documents: [] }),
    })
    expect(await screen.findByText(/15/)).toBeTruthy()
    expect(screen.getByText('Cancelled.')).toBeTruthy()
    expect(screen.queryByText(/Nothing to pay/)).toBeNull()
  })

  it('says which other visits belong to it', async () => {
    const visit = visitAt(soon)
    const next = { ...visitAt(moved, { _id: 'next' }), movedFrom: null }
    openVisit(visit, { series: () => ({ everyWeeks: 2, items: [{ ...visit, movedFrom: null }, next] }) })
    expect(await screen.findByRole('heading', { name: 'Every 2 weeks' })).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Wednesday 19 March 2031 at 10:00' }).getAttribute('href')).toBe('/appointment/next')
    expect(screen.queryByText(/^moved, was/)).toBeNull()
  })

  it('says of one that was moved by itself where it was before', async () => {
    const visit = visitAt(soon)
    const next = { ...visitAt(moved, { _id: 'next' }), movedFrom: '2031-03-20T15:40:00.000Z' }
    openVisit(visit, { series: () => ({ everyWeeks: 2, items: [{ ...visit, movedFrom: null }, next] }) })
    const row = (await screen.findByRole('link', { name: 'Wednesday 19 March 2031 at 10:00' })).closest('li')
    expect(row?.textContent).toContain('moved, was Thursday 20 March 2031 at 16:40')
  })
})

describe('a visit at home', () => {
  const home = { line: '8 rue des Acacias', postalCode: '69100', city: 'Villeurbanne' }

  it('[F-26] has its address put right where it stands, as long as it can be', async () => {
    const visit = visitAt(soon, { atHome: true, home, canCorrectHome: true })
    openVisit(visit, { places: () => ({ items: [] }), correctHome: () => visitAt(soon, { atHome: true }) })
    const place = within(await screen.findByRole('complementary'))
    await userEvent.click(await place.findByRole('button', { name: 'Correct the address' }))
    const line = await place.findByLabelText('Street and number')
    await userEvent.clear(line)
    await userEvent.type(line, '18 rue des Acacias{Enter}')
    expect(await screen.findByText('Address corrected')).toBeTruthy()
    // The answer repeats no address, and says that it can be put right no more.
    expect(await place.findByText('18 rue des Acacias')).toBeTruthy()
    expect(place.queryByRole('button', { name: 'Correct the address' })).toBeNull()
  })
})

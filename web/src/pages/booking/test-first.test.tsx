import type { Institute } from '@soigne/contract/institutes'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetHeldTime } from '#/features/booking/held-time.ts'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { gelManicure as colour, handMassage as test, ines, nacre } from '#/testing/institutes.ts'
import { client } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { holdAt, visitAt } from '#/testing/visits.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { Booked } from './booked.tsx'
import { BookingFlow } from './booking-flow.tsx'

/** The colour needs the test 48 hours before. */
const salon: Institute = {
  ...nacre,
  services: nacre.services.map((service) => {
    if (service._id !== colour) return { ...service, name: 'Patch test' }
    return { ...service, name: 'Root colour', needs: [{ serviceId: test, minHours: 48, maxMonths: 6 }] }
  }),
}
/** A Tuesday; the test is over at 9:20 on the clock of the institute. */
const now = Date.parse('2031-03-17T08:00:00Z')
const testAt = '2031-03-18T08:00:00.000Z'
const ahead = visitAt(testAt, {
  endsAt: '2031-03-18T08:20:00.000Z',
  segments: [{ ...visitAt(testAt).segments[0]!, serviceId: test, serviceName: 'Patch test', endsAt: '2031-03-18T08:20:00.000Z' }],
})
const book = '/salon/atelier-nacre/book'
const needed = 'Root colour needs Patch test at least 48 hours before.'
type Handlers = Parameters<typeof fakeServer>[0]

beforeEach(() => {
  localStorage.clear()
  forgetHeldTime()
})
afterEach(() => {
  cleanup()
  act(dismissAllToasts)
  vi.unstubAllGlobals()
})

const starts = ['2031-03-20T08:00:00.000Z', '2031-03-20T08:20:00.000Z', '2031-03-20T08:40:00.000Z'].map((startsAt) => ({
  startsAt,
  endsAt: startsAt,
}))

function open(place: string, handlers: Handlers = {}, page = <BookingFlow institute={salon} now={now} />) {
  fakeServer({
    me: () => client,
    currentHolds: () => ({ items: [] }),
    makeHold: () => holdAt(starts[1]!.startsAt, 600_000),
    releaseHold: () => ({ message: 'Let go.' }),
    appointments: () => ({ items: [], page: 1, pageSize: 50, total: 0 }),
    availability: () => ({ timeZone: nacre.timeZone, days: [{ day: '2031-03-20', times: starts, taken: [] }] }),
    nextTimes: () => ({ timeZone: nacre.timeZone, times: starts }),
    ...handlers,
  })
  return renderSite(place, { '/salon/:slug/book': page })
}
const query = (place: string) => new URLSearchParams(place.split('?')[1])

describe('a service that needs a test first', () => {
  it('[P-01] says so by name before a time is chosen, and the test is booked with what was wanted kept', async () => {
    const { place } = open(`${book}?service=${colour}&staff=${ines}&step=time`)
    expect(await screen.findByText(needed)).toBeTruthy()
    await userEvent.click(screen.getByRole('link', { name: 'Book Patch test first' }))
    await waitFor(() => expect(query(place()).getAll('service')).toEqual([test]))
    const kept = new URLSearchParams(query(place()).get('next') ?? '')
    expect([kept.get('service'), kept.get('staff'), kept.get('at')]).toEqual([colour, ines, null])
    expect(screen.queryByText(needed)).toBeNull()
  })

  it('tells a guest as well, with the way to the times that a test they had leaves, and names it where the time was refused', async () => {
    const asked = `${book}?service=${colour}&staff=any&step=time`
    open(asked)
    expect(await screen.findByText(needed)).toBeTruthy()
    const login = await screen.findByRole('link', { name: 'Log in' })
    expect(new URL(login.getAttribute('href') ?? '', 'http://soigne.test').searchParams.get('from')).toBe(asked)
    cleanup()
    localStorage.setItem('AuthToken', 't')
    const prerequisite = { kind: 'prior_service', serviceId: test, serviceName: 'Patch test', minHours: 48, maxMonths: 6 }
    open(`${book}?service=${colour}&staff=any&at=${encodeURIComponent(starts[0]!.startsAt)}`, {
      makeHold: () => refused(422, { code: 'prerequisite_missing', message: 'Something before.', details: { prerequisite } }),
    })
    expect(await screen.findByText('It needs Patch test at least 48 hours before.')).toBeTruthy()
    expect(screen.queryByText('Something before.')).toBeNull()
    expect(screen.queryByRole('link', { name: 'Log in' })).toBeNull()
    expect(screen.getByRole('link', { name: 'Book Patch test first' })).toBeTruthy()
  })

  it('shows who has the test booked what begins 48 hours after its end, and nothing before', async () => {
    localStorage.setItem('AuthToken', 't')
    open(`${book}?service=${colour}&staff=any&step=time`, { appointments: () => ({ items: [ahead], page: 1, pageSize: 50, total: 1 }) })
    expect(await screen.findByText(/^Earliest time for Root colour: .*20 March.* at 9:20$/)).toBeTruthy()
    expect(screen.queryByText(needed)).toBeNull()
    await screen.findByRole('radio', { name: '9:20' })
    await waitFor(() => expect(screen.queryByRole('radio', { name: '9:00' })).toBeNull())
    expect(screen.getByRole('radio', { name: '9:40' })).toBeTruthy()
  })

  it('takes no test that was cancelled or missed, or that was elsewhere, and asks for nothing once it is long enough ago', async () => {
    localStorage.setItem('AuthToken', 't')
    const others = [
      { ...ahead, status: 'cancelled' as const },
      { ...ahead, attendance: 'no_show' as const },
      { ...ahead, institute: { ...ahead.institute, _id: 'elsewhere' } },
    ]
    const address = `${book}?service=${colour}&staff=any&step=time`
    open(address, { appointments: () => ({ items: others, page: 1, pageSize: 50, total: 3 }) })
    expect(await screen.findByText(needed)).toBeTruthy()
    expect(await screen.findByRole('radio', { name: '9:00' })).toBeTruthy()
    cleanup()
    const [segment] = ahead.segments
    const old = { ...ahead, segments: [{ ...segment!, endsAt: '2031-03-10T08:20:00.000Z' }] }
    open(address, { appointments: () => ({ items: [old], page: 1, pageSize: 50, total: 1 }) })
    expect(await screen.findByRole('radio', { name: '9:00' })).toBeTruthy()
    await waitFor(() => expect(screen.queryByText(needed)).toBeNull())
  })

  it('promises a guest to hold the time where nothing has to come first, and says what has to where something does', async () => {
    const promise = 'Log in and we’ll hold 9:00 for ten minutes.'
    const at = `&staff=any&at=${encodeURIComponent(starts[0]!.startsAt)}`
    open(`${book}?service=${test}${at}`)
    expect(await screen.findByText(promise)).toBeTruthy()
    cleanup()
    open(`${book}?service=${colour}${at}`)
    expect(await screen.findByText(needed)).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Almost yours' })).toBeTruthy()
    expect(screen.queryByText(promise)).toBeNull()
  })

  it('is one tap away once the test is booked, on the day on which it can begin', async () => {
    localStorage.setItem('AuthToken', 't')
    const next = new URLSearchParams({ service: colour, staff: ines }).toString()
    const address = `${book}?${new URLSearchParams({ booked: ahead._id, next })}`
    const { place } = open(address, { appointment: () => ahead }, <Booked id={ahead._id} institute={salon} />)
    await userEvent.click(await screen.findByRole('link', { name: 'Now book Root colour' }))
    await waitFor(() => expect(query(place()).get('service')).toBe(colour))
    expect([query(place()).get('staff'), query(place()).get('day'), query(place()).get('step')]).toEqual([ines, '2031-03-20', 'time'])
  })

  it('is led back to after the booking of the test itself', async () => {
    localStorage.setItem('AuthToken', 't')
    const next = new URLSearchParams({ service: colour }).toString()
    const address = `${book}?${new URLSearchParams({ service: test, staff: 'any', at: testAt, next })}`
    const held = { ...holdAt(testAt, 600_000), segments: ahead.segments }
    const { place } = open(address, { makeHold: () => held, book: () => ahead })
    await screen.findByText('We’re holding 9:00 for you.')
    await userEvent.click(screen.getAllByRole('button', { name: /^Book/ })[0]!)
    await waitFor(() => expect(query(place()).get('booked')).toBe(ahead._id))
    expect(query(place()).get('next')).toBe(next)
  })

  it('says what the test takes and costs, beside the way to book it', async () => {
    open(`${book}?service=${colour}&staff=any&step=time`)
    await screen.findByText(needed)
    expect(screen.getByText('Patch test', { selector: 'bdi' }).parentElement?.textContent).toMatch(/^Patch test · 20 min · €14/)
  })

  it('is named on the list of services already, before anything is chosen', async () => {
    open(book)
    expect(await screen.findByRole('checkbox', { name: /Root colour.*Needs Patch test first/ })).toBeTruthy()
    expect(screen.queryByRole('checkbox', { name: /Patch test.*Needs/ })).toBeNull()
  })

  it('shows whose test runs out soon no time after that, and says until when it holds', async () => {
    localStorage.setItem('AuthToken', 't')
    const [segment] = ahead.segments
    const old = { ...ahead, segments: [{ ...segment!, endsAt: '2030-09-20T08:20:00.000Z' }] }
    const days = ['2031-03-20T08:00:00.000Z', '2031-03-20T23:30:00.000Z'].map((startsAt) => ({ startsAt, endsAt: startsAt }))
    open(`${book}?service=${colour}&staff=any&step=time`, {
      appointments: () => ({ items: [old], page: 1, pageSize: 50, total: 1 }),
      availability: () => ({ timeZone: nacre.timeZone, days: [{ day: '2031-03-20', times: days, taken: [] }] }),
      nextTimes: () => ({ timeZone: nacre.timeZone, times: days }),
    })
    expect(await screen.findByText(/^Patch test is valid until .*20 March/)).toBeTruthy()
    expect(await screen.findByRole('radio', { name: '9:00' })).toBeTruthy()
    await waitFor(() => expect(screen.queryByRole('radio', { name: '0:30' })).toBeNull())
    expect(screen.queryByText(needed)).toBeNull()
    expect(screen.getByRole('link', { name: 'Book Patch test first' })).toBeTruthy()
  })
})

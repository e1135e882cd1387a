import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { gelManicure, ines, nacre } from '#/testing/institutes.ts'
import { client, unverified } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { holdAt, visitAt } from '#/testing/visits.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { forgetHeldTime } from '#/features/booking/held-time.ts'
import { BookingFlow } from './booking-flow.tsx'

type Handlers = Parameters<typeof fakeServer>[0]

const at = '2031-03-18T15:40:00.000Z'
const later = '2031-03-18T16:00:00.000Z'
const address = `/salon/atelier-nacre/book?service=${gelManicure}&staff=any&at=${encodeURIComponent(at)}`
const who = `/salon/atelier-nacre/book?service=${gelManicure}&step=professional`
const minutes = 60_000

beforeEach(() => {
  localStorage.clear()
  forgetHeldTime()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  act(dismissAllToasts)
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

function openBooking(handlers: Handlers = {}, place = address, institute = nacre) {
  const seen = fakeServer({
    me: () => client,
    currentHolds: () => ({ items: [] }),
    makeHold: () => holdAt(at, 10 * minutes),
    releaseHold: () => ({ message: 'Let go.' }),
    appointments: () => ({ items: [], page: 1, pageSize: 50, total: 0 }),
    ...handlers,
  })
  const page = <BookingFlow institute={institute} now={Date.parse('2031-03-18T08:00:00Z')} />
  return { seen, ...renderSite(place, { '/salon/:slug/book': page }), calls: (name: string) => seen.filter((one) => one.name === name) }
}

const bookButton = () => screen.getAllByRole('button', { name: /^Book/ })[0] ?? null
const book = async () => {
  const button = bookButton()
  if (!button) throw new Error('no button to book')
  await userEvent.click(button)
}

describe('holding the chosen time', () => {
  it('holds it at once for the signed-in person and shows the countdown', async () => {
    const { calls } = openBooking()
    await screen.findByText('We’re holding 16:40 for you.')
    await waitFor(() => expect(screen.getByRole('timer').textContent).toMatch(/^(10:00|9:\d\d)$/))
    expect(calls('makeHold')).toHaveLength(1)
    expect(calls('makeHold')[0]?.body).toEqual({
      instituteId: nacre._id,
      services: [{ serviceId: gelManicure, staffId: 'any' }],
      startsAt: at,
    })
    expect(calls('makeHold')[0]?.headers.get('idempotency-key')).toBeTruthy()
  })

  it('takes up the hold the person has already instead of making another', async () => {
    const { calls } = openBooking({ currentHolds: () => ({ items: [holdAt(at, 5 * minutes)] }) })
    await screen.findByText('We’re holding 16:40 for you.')
    expect(calls('makeHold')).toHaveLength(0)
  })

  it('offers ten more minutes once, at two minutes', async () => {
    const { calls } = openBooking({
      currentHolds: () => ({ items: [holdAt(at, 1.9 * minutes)] }),
      extendHold: () => holdAt(at, 11.9 * minutes, { extended: true }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Ten more minutes' }))
    await waitFor(() => expect(screen.getByRole('timer').textContent).toMatch(/^11:/))
    expect(calls('extendHold')).toHaveLength(1)
    expect(screen.queryByRole('button', { name: 'Ten more minutes' })).toBeNull()
  })

  it('does not offer more time while there is plenty, nor a second time', async () => {
    openBooking({ currentHolds: () => ({ items: [holdAt(at, 1.5 * minutes, { extended: true })] }) })
    await screen.findByText('We’re holding 16:40 for you.')
    await waitFor(() => expect(screen.getByText('Two minutes left to confirm.')).toBeTruthy())
    expect(screen.queryByRole('button', { name: 'Ten more minutes' })).toBeNull()
  })

  it('when it ran out nothing can be booked, and the same time can be held again', async () => {
    const holds = [holdAt(at, 300)]
    const { calls } = openBooking({ currentHolds: () => ({ items: holds }) })
    const again = await screen.findByRole('button', { name: 'Hold 16:40 again' })
    expect(bookButton()?.getAttribute('aria-disabled')).toBe('true')
    holds.length = 0
    await userEvent.click(again)
    await screen.findByText('We’re holding 16:40 for you.')
    expect(calls('makeHold')).toHaveLength(1)
  })

  it('a time taken meanwhile shows the nearest free ones in place and loses nothing', async () => {
    const taken = { code: 'slot_taken' as const, message: 'Taken.', details: { nearest: [{ startsAt: later, endsAt: later }] } }
    const { place, calls } = openBooking({
      makeHold: ({ body }) => (JSON.stringify(body).includes(at) ? refused(409, taken) : holdAt(later, 10 * minutes)),
    })
    await screen.findByText('16:40 was just taken.')
    await userEvent.click(await screen.findByRole('button', { name: /17:00/ }))
    await screen.findByText('We’re holding 17:00 for you.')
    expect(place()).toContain(gelManicure)
    expect(calls('releaseHold')).toHaveLength(0)
  })

  it('a time that is not offered says why in the server’s words', async () => {
    openBooking({
      makeHold: () => refused(422, { code: 'not_offered', message: 'The institute is closed then.', details: { nearest: [] } }),
    })
    expect(await screen.findByText('The institute is closed then.')).toBeTruthy()
  })

  it('is let go when the person goes on to another page', async () => {
    const { calls, router } = openBooking()
    await screen.findByText('We’re holding 16:40 for you.')
    await act(() => router.navigate('/institutes'))
    await waitFor(() => expect(calls('releaseHold')).toHaveLength(1))
  })

  it('stays when the window is closed or read anew, and when the way leads back', async () => {
    const { calls, router } = openBooking({}, '/salon/atelier-nacre')
    await act(() => router.navigate(address))
    await screen.findByText('We’re holding 16:40 for you.')
    fireEvent(window, new Event('pagehide'))
    await act(() => router.navigate(-1))
    await waitFor(() => expect(screen.queryByText('We’re holding 16:40 for you.')).toBeNull())
    expect(calls('releaseHold')).toHaveLength(0)
  })

  it('is let go when what is wanted changes, not when somebody steps back to change it', async () => {
    const { calls, router } = openBooking(
      { nextTimes: () => ({ timeZone: nacre.timeZone, times: [{ startsAt: at, endsAt: later }] }) },
      who,
    )
    await screen.findByRole('radio', { name: /Anyone free/ })
    await act(() => router.navigate(address))
    await screen.findByText('We’re holding 16:40 for you.')
    await act(() => router.navigate(-1))
    await screen.findByRole('radio', { name: /Anyone free/ })
    expect(calls('releaseHold')).toHaveLength(0)
    await act(() => router.navigate(address))
    await screen.findByText('We’re holding 16:40 for you.')
    await act(() => router.navigate(who))
    await waitFor(() => expect(calls('releaseHold')).toHaveLength(1))
  })

  it('ended in another window is seen when somebody looks at this one again', async () => {
    const holds = [holdAt(at, 5 * minutes)]
    openBooking({ currentHolds: () => ({ items: holds }) })
    await screen.findByText('We’re holding 16:40 for you.')
    holds[0] = holdAt(at, 14 * minutes, { extended: true })
    fireEvent(document, new Event('visibilitychange'))
    await waitFor(() => expect(screen.getByRole('timer').textContent).toMatch(/^1[34]:/))
    holds.length = 0
    fireEvent(document, new Event('visibilitychange'))
    expect(await screen.findByRole('button', { name: 'Hold 16:40 again' })).toBeTruthy()
  })
})

describe('who may confirm', () => {
  it('a guest is sent to sign in with everything chosen in the location to come back to', async () => {
    localStorage.clear()
    const { calls } = openBooking()
    const login = await screen.findAllByRole('link', { name: 'Login' })
    const from = login.map((link) => new URL(link.getAttribute('href') ?? '', 'http://soigne.test').searchParams.get('from'))
    expect(from).toContain(address)
    expect(calls('makeHold')).toHaveLength(0)
  })

  it('the time is held before the email is confirmed, and confirming it goes on here', async () => {
    const state = { verified: false }
    const hold = holdAt(at, 10 * minutes)
    const { calls } = openBooking({
      me: () => (state.verified ? client : unverified(client)),
      makeHold: () => hold,
      currentHolds: ({ headers }) => ({ items: headers.has('authorization') && calls('makeHold').length > 0 ? [hold] : [] }),
      verifyEmail: () => {
        state.verified = true
        return { message: 'Confirmed.' }
      },
    })
    await screen.findByRole('heading', { name: 'Email Confirmation' })
    await waitFor(() => expect(calls('makeHold')).toHaveLength(1))
    expect(await screen.findByRole('timer')).toBeTruthy()
    await userEvent.type(screen.getByRole('textbox', { name: '6-digit code' }), '123456')
    await userEvent.click(screen.getByRole('button', { name: 'Confirm' }))
    await screen.findByRole('heading', { name: 'Check, and it’s yours' })
    expect(calls('releaseHold')).toHaveLength(0)
  })

  it('shows the countdown although the first look at the holds was answered late, from before the hold', async () => {
    const hold = holdAt(at, 10 * minutes)
    const late = Promise.withResolvers<{ items: [] }>()
    const { calls } = openBooking({
      me: () => unverified(client),
      makeHold: () => hold,
      currentHolds() {
        if (calls('makeHold').length > 0) return { items: [hold] }
        return calls('currentHolds').length === 1 ? late.promise : { items: [] }
      },
    })
    await screen.findByRole('heading', { name: 'Email Confirmation' })
    await waitFor(() => expect(calls('makeHold')).toHaveLength(1))
    await act(async () => undefined)
    late.resolve({ items: [] })
    expect(await screen.findByRole('timer')).toBeTruthy()
  })
})

describe('booking', () => {
  it('sends the note with the hold, keeps the hold, and lands on the booked screen', async () => {
    const { calls, place } = openBooking({ book: () => visitAt(at) })
    await screen.findByText('We’re holding 16:40 for you.')
    await userEvent.type(screen.getByRole('textbox', { name: /A note for/ }), 'Short, please.')
    await book()
    await waitFor(() => expect(place()).toContain('booked='))
    expect(calls('book')[0]?.body).toEqual({ holdId: holdAt(at, 0)._id, note: 'Short, please.' })
    expect(calls('releaseHold')).toHaveLength(0)
  })

  it('a hold that is over on the server is offered again', async () => {
    openBooking({ book: () => refused(409, { code: 'hold_expired', message: 'Too late.' }) })
    await screen.findByText('We’re holding 16:40 for you.')
    await book()
    expect(await screen.findByRole('button', { name: 'Hold 16:40 again' })).toBeTruthy()
  })

  it('warns of another visit at that time and still books', async () => {
    openBooking({
      appointments: () => ({ items: [visitAt('2031-03-18T16:10:00.000Z', { _id: 'other' })], page: 1, pageSize: 50, total: 1 }),
    })
    expect(await screen.findByText('You already have a visit at that time.')).toBeTruthy()
    expect(bookButton()?.getAttribute('aria-disabled')).toBeNull()
  })
})

describe('booking a visit again', () => {
  const again = (query: string) => `/salon/atelier-nacre/book?${query}`

  it('opens at the time, with the same service and person', async () => {
    const { calls } = openBooking(
      { nextTimes: () => ({ timeZone: nacre.timeZone, times: [] }) },
      again(`service=${gelManicure}&staff=${ines}`),
    )
    expect(await screen.findByRole('heading', { name: 'When suits you?' })).toBeTruthy()
    expect(screen.getByRole('complementary', { name: 'What you chose' }).textContent).toMatch(/Gel manicure.*with Inès.*€38/)
    await waitFor(() => expect(calls('nextTimes')[0]?.query.getAll('staff')).toEqual([ines]))
    expect(screen.queryByText(/no longer|any more/)).toBeNull()
  })

  it('says plainly what is there no more: a service, a person, or all of it', async () => {
    openBooking({}, again(`service=gone&service=${gelManicure}&staff=${ines}`))
    expect(await screen.findByText('1 service you had can no longer be booked online.')).toBeTruthy()
    expect(screen.getByText('Everything else is chosen as before.')).toBeTruthy()
    cleanup()
    openBooking({}, again(`service=${gelManicure}&staff=gone`))
    expect(await screen.findByText('The professional you had can’t be booked for this any more.')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'Who would you like?' })).toBeTruthy()
    cleanup()
    openBooking({}, again('service=gone&staff=gone'))
    expect(await screen.findByText('Choose what you’d like instead.')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'What shall we look after?' })).toBeTruthy()
  })

  it('names what took the place of a service that is offered no more', async () => {
    const nextTimes = () => ({ timeZone: nacre.timeZone, times: [] })
    const replaced = { ...nacre, successors: { old: gelManicure }, formerNames: { old: 'Shellac' } }
    openBooking({ nextTimes }, again(`service=old&staff=${ines}`), replaced)
    expect(await screen.findByText('“Shellac” is no longer offered; “Gel manicure” takes its place.')).toBeTruthy()
    expect(screen.getByRole('heading', { name: 'When suits you?' })).toBeTruthy()
  })
})

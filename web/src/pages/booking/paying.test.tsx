// Paying with a booking: what is said before the click, the way to the provider, and the way back.
import { type HoldPayment, returnPath } from '@soigne/contract/payments'
import { act, cleanup, screen, waitFor } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { useSearchParams } from 'react-router'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { forgetHeldTime } from '#/features/booking/held-time.ts'
import { Returned } from '#/features/payments/returned.tsx'
import { fakeServer, refused, noFees } from '#/testing/fake-server.ts'
import { gelManicure, ines, nacre } from '#/testing/institutes.ts'
import { client } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { holdAt, visitAt } from '#/testing/visits.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { BookingFlow } from './booking-flow.tsx'

type Handlers = Parameters<typeof fakeServer>[0]

const at = '2031-03-18T15:40:00.000Z'
const address = `/salon/atelier-nacre/book?service=${gelManicure}&staff=any&at=${encodeURIComponent(at)}`
const hold = holdAt(at, 600_000)
const euros = (amount: number) => ({ amount: amount * 100, currency: 'EUR' })
const plan = (part: Partial<HoldPayment> = {}): HoldPayment => ({
  total: euros(38),
  deposit: euros(15),
  payAtSalon: true,
  canPayAll: true,
  methods: ['card', 'paypal', 'klarna'],
  fees: noFees,
  checkout: null,
  booked: false,
  ...part,
})
const checkout = (state: NonNullable<HoldPayment['checkout']>['state']): HoldPayment['checkout'] => ({
  _id: 'c-1',
  state,
  method: 'card',
  amount: euros(15),
  url: state === 'open' ? '#provider' : null,
})

beforeEach(() => {
  localStorage.clear()
  sessionStorage.clear()
  forgetHeldTime()
  localStorage.setItem('AuthToken', 't')
})
afterEach(() => {
  cleanup()
  act(dismissAllToasts)
  vi.useRealTimers()
  vi.unstubAllGlobals()
  location.hash = ''
})

/** As the page of a booking does it. */
function Page() {
  const [params] = useSearchParams()
  if (params.has('hold') || params.has('booked')) return <Returned slug={nacre.slug} holdId={hold._id} />
  return <BookingFlow institute={nacre} now={Date.parse('2031-03-18T08:00:00Z')} />
}

function open(handlers: Handlers, place = address) {
  const seen = fakeServer({
    me: () => client,
    currentHolds: () => ({ items: [hold] }),
    releaseHold: () => ({ message: 'Let go.' }),
    appointments: () => ({ items: [], page: 1, pageSize: 50, total: 0 }),
    ...handlers,
  })
  return { seen, ...renderSite(place, { '/salon/:slug/book': <Page /> }), calls: (name: string) => seen.filter((one) => one.name === name) }
}
const payButton = async (name: string) => (await screen.findAllByRole('button', { name }))[0]!

describe('before the click', () => {
  it('[E-11] [U-16] says what is paid now and what at the salon, by card unless another way is chosen', async () => {
    open({ holdPayment: () => plan() })
    expect(await screen.findByText('€15.00 now, €23.00 at the salon.')).toBeTruthy()
    expect(screen.getByRole<HTMLInputElement>('radio', { name: /^Card/ }).checked).toBe(true)
    expect(screen.getByText('€23.00 to pay')).toBeTruthy()
    expect(await payButton('Pay €15.00')).toBeTruthy()
    await userEvent.click(screen.getByRole('radio', { name: 'Pay in full €38.00' }))
    expect(await payButton('Pay €38.00')).toBeTruthy()
    expect(screen.getByText('Nothing left to pay')).toBeTruthy()
  })

  it('offers no sum that the provider cannot move: the deposit alone, and without one to pay at the salon', async () => {
    open({ holdPayment: () => plan({ canPayAll: false }) })
    expect(await screen.findByText('€15.00 now, €23.00 at the salon.')).toBeTruthy()
    expect(screen.queryByRole('radio', { name: /Pay in full/ })).toBeNull()
    expect(await payButton('Pay €15.00')).toBeTruthy()
    cleanup()
    const { calls, place } = open({ holdPayment: () => plan({ canPayAll: false, deposit: euros(0) }), book: () => visitAt(at) })
    expect(await screen.findByText('Nothing to pay now: you pay at the salon.')).toBeTruthy()
    expect(screen.queryByRole('radio', { name: /^Card/ })).toBeNull()
    await userEvent.click(await payButton('Book 16:40'))
    await waitFor(() => expect(place()).toContain('booked='))
    expect(calls('book')[0]?.body).toEqual({ holdId: hold._id })
  })

  it('keeps a card for fees also where the visit itself is paid at the salon alone', async () => {
    const fees = { lateCancel: euros(0), noShow: euros(38), graceMinutes: 15 }
    open({ holdPayment: () => plan({ canPayAll: false, deposit: euros(0), fees }) })
    expect(await screen.findByText('If you do not come, €38.00 is charged.')).toBeTruthy()
    expect(screen.getAllByRole('radio')).toHaveLength(1)
  })

  it('books as before where nothing has to be paid, and offers to pay online', async () => {
    const { calls, place } = open({ holdPayment: () => plan({ deposit: euros(0) }), book: () => visitAt(at) })
    expect(await screen.findByText('Nothing to pay now: you pay at the salon.')).toBeTruthy()
    await userEvent.click(await payButton('Book 16:40'))
    await waitFor(() => expect(place()).toContain('booked='))
    expect(calls('book')[0]?.body).toEqual({ holdId: hold._id })
  })

  it('says that the hold ran out when it is gone before its ways to pay have come', async () => {
    const { calls } = open({ holdPayment: () => refused(404, { code: 'not_found', message: 'We couldn’t find that.' }) })
    expect(await screen.findByText('The time we held ran out.')).toBeTruthy()
    expect(screen.queryByText('We couldn’t find that.')).toBeNull()
    expect(calls('book')).toEqual([])
  })

  it('where it is not known how it is paid nothing can be booked, and asking again is one tap', async () => {
    const state = { isUp: false }
    const { calls } = open({ holdPayment: () => (state.isUp ? plan() : refused(500, { code: 'internal', message: 'Out of order.' })) })
    const again = await screen.findByRole('button', { name: 'Try again' })
    expect((await payButton('Book 16:40')).getAttribute('aria-disabled')).toBe('true')
    state.isUp = true
    await userEvent.click(again)
    expect(await payButton('Pay €15.00')).toBeTruthy()
    expect(calls('book')).toHaveLength(0)
  })
})

describe('where a card is kept for fees', () => {
  const fees = { lateCancel: euros(19), noShow: euros(38), graceMinutes: 15 }

  it('[E-10] says before the click what is charged and when, and goes to keep the card', async () => {
    const { calls } = open({
      holdPayment: () => plan({ deposit: euros(0), fees }),
      book: () => visitAt(at, { payment: { url: '#provider' } }),
    })
    expect(await screen.findByText('Your card is kept. Nothing is taken from it now.')).toBeTruthy()
    expect(screen.getByText(/^If you cancel( after .*)?, €19\.00 is charged\.$/)).toBeTruthy()
    expect(screen.getByText('If you do not come, €38.00 is charged.')).toBeTruthy()
    // What the summary says follows what the step has found.
    expect(await screen.findByText('Cancelling late costs €19.00.')).toBeTruthy()
    expect(screen.queryByText('Changes by phone only')).toBeNull()
    await userEvent.click(await payButton('Keep a card and book'))
    await waitFor(() => expect(location.hash).toBe('#provider'))
    const body = calls('book')[0]?.body as { returnTo: string }
    expect(Object.keys(body).toSorted()).toEqual(['holdId', 'returnTo'])
  })

  it('beside a deposit says what is charged more; all paid, what of it is kept', async () => {
    open({ holdPayment: () => plan({ fees }) })
    expect(await screen.findByText(/^If you cancel( after .*)?, €4\.00 more is charged\.$/)).toBeTruthy()
    expect(screen.getByText('If you do not come, €23.00 more is charged.')).toBeTruthy()
    expect(screen.queryByRole('radio', { name: /^Klarna/ })).toBeNull()
    await userEvent.click(screen.getByRole('radio', { name: 'Pay in full €38.00' }))
    expect(await screen.findByText(/^If you cancel( after .*)?, €19\.00 of it is kept\.$/)).toBeTruthy()
    expect(screen.queryByText('Your card is kept. Nothing is taken from it now.')).toBeNull()
    expect(screen.getByRole('radio', { name: /^Klarna/ })).toBeTruthy()
  })

  it('begun and not ended: it is gone on with', async () => {
    const kept: HoldPayment['checkout'] = { _id: 'c-1', state: 'open', method: 'card', amount: euros(0), url: '#keep' }
    open({ holdPayment: () => plan({ deposit: euros(0), fees, checkout: kept }) })
    expect(await screen.findByText('Keeping your card is still open.')).toBeTruthy()
    await userEvent.click(await payButton('Go on: keep a card'))
    await waitFor(() => expect(location.hash).toBe('#keep'))
  })
})

describe('the way to the provider', () => {
  it('sends the part, the way and the address to come back to, and goes where it is paid', async () => {
    const { calls } = open({ holdPayment: () => plan(), book: () => visitAt(at, { payment: { url: '#provider' } }) })
    await userEvent.click(await screen.findByRole('radio', { name: /^Klarna/ }))
    await userEvent.type(screen.getByRole('textbox', { name: /A note for/ }), 'Short.')
    await userEvent.click(await payButton('Pay €15.00'))
    await waitFor(() => expect(location.hash).toBe('#provider'))
    const body = calls('book')[0]?.body as { returnTo: string }
    expect(body).toMatchObject({ holdId: hold._id, note: 'Short.', pay: 'deposit', paymentMethod: 'klarna' })
    expect(body.returnTo).toMatch(new RegExp(`^/salon/atelier-nacre/book\\?.*hold=${hold._id}$`))
    expect(calls('releaseHold')).toHaveLength(0)
  })

  it('when nobody takes the money it says so once, keeps what was typed, and trying again is another request', async () => {
    const { calls } = open({
      holdPayment: () => plan(),
      book: () => refused(503, { code: 'payment_unavailable', message: 'The payment provider does not answer. Nothing was taken.' }),
    })
    await userEvent.type(await screen.findByRole('textbox', { name: /A note for/ }), 'Short.')
    await userEvent.click(await payButton('Pay €15.00'))
    expect(await screen.findByText('The payment provider does not answer. Nothing was taken.')).toBeTruthy()
    expect(screen.getByRole<HTMLTextAreaElement>('textbox', { name: /A note for/ }).value).toBe('Short.')
    await userEvent.click(await payButton('Pay €15.00'))
    await waitFor(() => expect(calls('book')).toHaveLength(2))
    expect(new Set(calls('book').map(({ headers }) => headers.get('idempotency-key'))).size).toBe(2)
  })

  it.each([
    ['booked', plan({ deposit: euros(0), booked: true })],
    ['paid', plan({ checkout: checkout('paid') })],
  ])('what turns out to be %s meanwhile is gone on to, and never let go', async (_what, then) => {
    const state = { plan: plan({ deposit: euros(0) }) }
    const { calls, place, queries } = open({ holdPayment: () => state.plan })
    await payButton('Book 16:40')
    expect(await screen.findByText('Nothing to pay now: you pay at the salon.')).toBeTruthy()
    state.plan = then
    await act(() => queries.invalidateQueries())
    await waitFor(() => expect(place()).toMatch(new RegExp(`\\b(hold|booked)=${hold._id}`)))
    expect(calls('releaseHold')).toEqual([])
  })

  it('a payment that is open is gone on with, or given up for another way', async () => {
    open({ holdPayment: () => plan({ checkout: checkout('open') }), giveUpPayment: () => plan({ checkout: checkout('cancelled') }) })
    expect(await screen.findByText('Your payment is still open: €15.00, Card.')).toBeTruthy()
    expect(await payButton('Go on: pay €15.00')).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Pay another way' }))
    expect(await screen.findByText('Nothing was taken. You can pay another way.')).toBeTruthy()
    expect(await payButton('Pay €15.00')).toBeTruthy()
  })
})

describe('the way back', () => {
  const back = `${address}&hold=${hold._id}&payment=c-1`

  it('asks until there is word, and lands on what was booked', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    const answers = [
      plan({ checkout: checkout('open') }),
      plan({ checkout: checkout('paid') }),
      plan({ checkout: checkout('paid'), booked: true }),
    ]
    const { calls, place } = open({ holdPayment: () => (answers.length > 1 ? answers.shift()! : answers[0]!) }, back)
    expect(await screen.findByText('Checking with the payment provider')).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(1000))
    expect(place()).not.toContain('booked=')
    await act(() => vi.advanceTimersByTimeAsync(1000))
    await waitFor(() => expect(place()).toContain(`booked=${hold._id}`))
    expect(calls('holdPayment')).toHaveLength(3)
  })

  it('goes on to the service whose test it was, also where the whole of what was wanted makes a long address', async () => {
    const wanted = new URLSearchParams([...Array(8)].map((_, at) => ['service', `${gelManicure.slice(0, -1)}${at}`]))
    const next = `${wanted}&${new URLSearchParams([...Array(8)].map(() => ['staff', ines]))}`
    const { calls } = open(
      { holdPayment: () => plan(), book: () => visitAt(at, { payment: { url: '#provider' } }) },
      `${address}&next=${encodeURIComponent(next)}`,
    )
    await userEvent.click(await payButton('Pay €15.00'))
    await waitFor(() => expect(location.hash).toBe('#provider'))
    const sent = calls('book')[0]?.body as { returnTo: string }
    const { returnTo } = sent
    expect(returnPath.safeParse(returnTo).success).toBe(true)
    cleanup()
    const { place } = open({ holdPayment: () => plan({ checkout: checkout('paid'), booked: true }) }, `${returnTo}&payment=c-1`)
    await waitFor(() => expect(place()).toContain(`booked=${hold._id}`))
    expect(new URLSearchParams(place().split('?')[1]).get('next')).toBe(next)
  })

  it.each(['cancelled', 'failed', 'expired'] as const)('%s: goes back to the last step, without the hold in the address', async (state) => {
    const { place } = open({ holdPayment: () => plan({ checkout: checkout(state) }) }, back)
    await waitFor(() => expect(place()).toBe(address))
  })

  it('says that the time was gone and the money goes back', async () => {
    open({ holdPayment: () => plan({ checkout: checkout('refund_due') }) }, back)
    expect(await screen.findByText(/Your €15.00 goes back by itself/)).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Choose another time' })).toBeTruthy()
  })

  it('after a minute says that no word has come, and where to look', async () => {
    vi.useFakeTimers({ shouldAdvanceTime: true })
    open({ holdPayment: () => plan({ checkout: checkout('open') }) }, back)
    expect(await screen.findByText('Checking with the payment provider')).toBeTruthy()
    await act(() => vi.advanceTimersByTimeAsync(61_000))
    expect(await screen.findByText('No word from the payment provider yet.')).toBeTruthy()
    expect(screen.getByRole('link', { name: 'Your appointments' })).toBeTruthy()
  })
})

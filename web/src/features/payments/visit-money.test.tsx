import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { act, cleanup, screen, waitFor, within } from '@testing-library/react'
import userEvent from '@testing-library/user-event'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, noFees } from '#/testing/fake-server.ts'
import { client } from '#/testing/people.ts'
import { renderSite } from '#/testing/render-site.tsx'
import { visitAt } from '#/testing/visits.ts'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { VisitMoney } from './visit-money.tsx'

const at = '2031-03-18T15:40:00.000Z'
const euros = (amount: number) => ({ amount: amount * 100, currency: 'EUR' })
const payment = { _id: 'p-1', kind: 'deposit' as const, method: 'card' as const, amount: 1500, at: '2031-03-10T09:00:00Z' }
const paid = (part: Partial<Answer<Calls['appointmentPayments']>> = {}): Answer<Calls['appointmentPayments']> => ({
  total: euros(38),
  due: euros(23),
  payOnline: true,
  methods: ['card'],
  ifCancelled: null,
  lateCancelling: null,
  feeTerms: null,
  fee: null,
  payments: [payment],
  documents: [],
  ...part,
})

beforeEach(() => localStorage.setItem('AuthToken', 't'))
afterEach(() => {
  cleanup()
  act(dismissAllToasts)
  vi.unstubAllGlobals()
  location.hash = ''
})

function open(handlers: Parameters<typeof fakeServer>[0], visit = visitAt(at, { status: 'deposit_paid' }), query = '') {
  const seen = fakeServer({ me: () => client, ...handlers })
  renderSite(`/appointment/${visit._id}${query}`, { '/appointment/:id': <VisitMoney appointment={visit} /> })
  return (name: string) => seen.filter((one) => one.name === name)
}
const lines = () => screen.getAllByRole('listitem').map(({ textContent }) => textContent)

describe('the money of a visit', () => {
  it('is what was paid, how, and what is left', async () => {
    open({ appointmentPayments: () => paid() })
    await screen.findByText('Deposit, Card')
    expect(lines().filter((text) => text?.includes('€'))).toEqual([
      expect.stringMatching(/^Deposit, Card.*€15\.00$/),
      'Left to pay at the salon€23.00',
    ])
  })

  it('is what is left to pay at the salon where nothing was paid, also while nobody answers', async () => {
    open({ appointmentPayments: () => paid({ payments: [], due: euros(38), payOnline: false, methods: [] }) }, visitAt(at))
    expect(await screen.findByText('To pay at the salon')).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Pay the rest online' })).toBeNull()
  })

  it('pays the rest where the provider says', async () => {
    const calls = open({ appointmentPayments: () => paid(), payVisit: () => ({ payment: { url: '#provider' } }) })
    await userEvent.click(await screen.findByRole('button', { name: 'Pay the rest online' }))
    await waitFor(() => expect(location.hash).toBe('#provider'))
    expect(calls('payVisit')[0]?.body).toEqual({ returnTo: `/appointment/${visitAt(at)._id}`, paymentMethod: 'card' })
    expect(screen.queryByRole('radio')).toBeNull()
  })

  it('can be pressed again by whoever comes back from the provider with the browser’s own button', async () => {
    const calls = open({ appointmentPayments: () => paid(), payVisit: () => ({ payment: { url: '#provider' } }) })
    const press = async () => userEvent.click(await screen.findByRole('button', { name: 'Pay the rest online' }))
    await press()
    await waitFor(() => expect(location.hash).toBe('#provider'))
    await press()
    expect(calls('payVisit')).toHaveLength(1)
    act(() => void dispatchEvent(Object.assign(new Event('pageshow'), { persisted: true })))
    await waitFor(() => expect(screen.getByRole('button', { name: 'Pay the rest online' }).getAttribute('aria-busy')).toBeNull())
    await press()
    await waitFor(() => expect(calls('payVisit')).toHaveLength(2))
  })

  it('pays the rest the way that is chosen, where the institute takes several', async () => {
    const calls = open({
      appointmentPayments: () => paid({ methods: ['klarna', 'card', 'paypal'] }),
      payVisit: () => ({ payment: { url: '#provider' } }),
    })
    const ways = within(await screen.findByRole('radiogroup', { name: 'Pay with' }))
    expect(ways.getAllByRole<HTMLInputElement>('radio').map(({ value, checked }) => [value, checked])).toEqual([
      ['klarna', true],
      ['card', false],
      ['paypal', false],
    ])
    await userEvent.click(ways.getByRole('radio', { name: 'PayPal' }))
    await userEvent.click(screen.getByRole('button', { name: 'Pay the rest online' }))
    await waitFor(() => expect(calls('payVisit')[0]?.body).toMatchObject({ paymentMethod: 'paypal' }))
  })

  it.each([
    [15, 0, /^€15\.00 stays with the institute, because cancelling was no longer free\.$/, /settled/],
    [0, 60, /^The €60\.00 you paid is settled at the salon\.$/, /stays/],
  ])('of one that was cancelled says what did not go back: kept %i, at the salon %i', async (kept, atSalon, said, unsaid) => {
    const stays = { kept: euros(kept), atSalon: euros(atSalon) }
    open({ appointmentPayments: () => paid({ payOnline: false, methods: [], due: euros(0), stays }) }, visitAt(at, { status: 'cancelled' }))
    expect(await screen.findByText(said)).toBeTruthy()
    expect(screen.queryByText(unsaid)).toBeNull()
  })

  it('says what its provider did not send back: owed, or given back another way', async () => {
    const refund = { ...payment, _id: 'p-2', kind: 'refund' as const }
    const one = { _id: 'r-1', amount: euros(15), settledAt: null }
    const answer = paid({ due: euros(0), payOnline: false, methods: [], payments: [payment, refund] })
    const cancelledVisit = visitAt(at, { status: 'cancelled' })
    open({ appointmentPayments: () => ({ ...answer, refused: [one, { ...one, _id: 'r-2', settledAt: at }] }) }, cancelledVisit)
    expect((await screen.findByText(/couldn’t be sent back to you/)).textContent).toMatch(/€15\.00.* owes you this amount/)
    expect(screen.getByText(/back another way/).textContent).toMatch(/^.+: .+ noted that you got €15\.00 back another way\.$/)
  })

  it('says of what its own bank took back that it is not sent once more, and that nobody owes it', async () => {
    const refund = { ...payment, _id: 'p-2', kind: 'refund' as const }
    const refused = [{ _id: 'r-1', amount: euros(15), settledAt: null, isAtBank: true as const }]
    const answer = paid({ due: euros(0), payOnline: false, methods: [], payments: [payment, refund], refused })
    open({ appointmentPayments: () => answer }, visitAt(at, { status: 'cancelled' }))
    expect((await screen.findByText(/your bank took it back/)).textContent).toMatch(/^€15\.00 isn’t sent back to you/)
    expect(screen.queryByText(/owes you/)).toBeNull()
  })

  it('gives the documents as files, and tells what went back', async () => {
    vi.stubGlobal('URL', Object.assign(URL, { createObjectURL: () => 'blob:x', revokeObjectURL: () => {} }))
    const document = { _id: 'd-1', kind: 'invoice' as const, number: 'F-2031-0001', issuedAt: at, total: 3800 }
    const calls = open({
      appointmentPayments: () =>
        paid({
          due: euros(0),
          payOnline: false,
          methods: [],
          payments: [payment, { ...payment, _id: 'p-2', kind: 'refund' }],
          documents: [document],
        }),
      appointmentInvoice: () => new Blob(['pdf'], { type: 'application/pdf' }),
    })
    await userEvent.click(await screen.findByRole('button', { name: 'Invoice F-2031-0001' }))
    await waitFor(() => expect(calls('appointmentInvoice')[0]?.query.get('document')).toBe('d-1'))
    expect(lines().some((text) => /^Refund, Card.*−€15\.00$/.test(text ?? ''))).toBe(true)
  })

  it.each([
    ['paid', 'Paid: €23.00.'],
    ['cancelled', 'Nothing was taken. You can pay another way.'],
  ] as const)('back from the provider, %s: %s', async (state, said) => {
    const checkout = { _id: 'c-1', state, method: 'card' as const, amount: euros(23), url: null }
    open(
      {
        appointmentPayments: () => paid(),
        holdPayment: () => ({
          total: euros(38),
          deposit: euros(15),
          payAtSalon: true,
          canPayAll: true,
          methods: ['card'],
          fees: noFees,
          checkout,
          booked: true,
        }),
      },
      undefined,
      '?payment=c-1',
    )
    expect(await screen.findByText(said)).toBeTruthy()
  })
})

describe('the fee of a visit', () => {
  const due = '2031-03-19T15:40:00.000Z'
  const fee = (state: 'due' | 'asked' | 'unpaid' | 'charged') => ({
    _id: 'f-1',
    kind: 'no_show' as const,
    amount: euros(19),
    state,
    dueAt: due,
  })

  it('before there is one: what was agreed, and the card that is kept', async () => {
    const card = { brand: 'Visa', lastFour: '4242' }
    open({ appointmentPayments: () => paid({ feeTerms: { lateCancel: euros(19), noShow: euros(38), card } }) })
    expect(await screen.findByText('Cancelling late costs €19.00. Not coming costs €38.00.')).toBeTruthy()
    expect(screen.getByText('Kept: Visa ending in 4242')).toBeTruthy()
  })

  it('says when the card is charged, also of a visit that was cancelled', async () => {
    open({ appointmentPayments: () => paid({ payments: [], fee: fee('due') }) }, visitAt(at, { status: 'cancelled' }))
    expect(await screen.findByText('Fee: did not come')).toBeTruthy()
    expect(screen.getByText(/^Charged to your card, at the latest: /)).toBeTruthy()
    expect(screen.queryByRole('button', { name: 'Pay €19.00' })).toBeNull()
  })

  it.each([
    ['asked', 'Your bank wants you to confirm it'],
    ['unpaid', 'Your card was declined'],
  ] as const)('%s: it is paid where the provider says', async (state, said) => {
    const calls = open({
      appointmentPayments: () => paid({ payments: [], fee: fee(state) }),
      payFee: () => ({ payment: { url: '#provider' } }),
    })
    expect(await screen.findByText(said)).toBeTruthy()
    await userEvent.click(screen.getByRole('button', { name: 'Pay €19.00' }))
    await waitFor(() => expect(location.hash).toBe('#provider'))
    expect(calls('payFee')[0]?.body).toMatchObject({ returnTo: expect.stringContaining('/appointment/') })
  })
})

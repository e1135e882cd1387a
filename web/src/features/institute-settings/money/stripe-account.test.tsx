// The account of an institute at Stripe: what its state means, the way to Stripe and back, and who may go.
import type { InstituteSettings } from '@soigne/contract/institute-settings'
import { act, cleanup, fireEvent, screen, waitFor } from '@testing-library/react'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fakeServer, refused } from '#/testing/fake-server.ts'
import { nacre } from '#/testing/institutes.ts'
import { renderPart } from '#/testing/render-part.tsx'
import { dismissAllToasts } from '#/ui/toasts.ts'
import { PaymentsPart } from './payments-part.tsx'
import { StripeAccount } from './stripe-account.tsx'

type Account = NonNullable<InstituteSettings['paymentAccount']>
const account = (state: Account['state'], mayConnect = true): Account => ({ state, mayConnect })
const button = (name: string) => screen.queryByRole('button', { name })

beforeEach(() => {
  localStorage.setItem('AuthToken', 't')
  location.hash = ''
})
afterEach(() => {
  act(dismissAllToasts)
  cleanup()
  vi.unstubAllGlobals()
})

describe('the account at Stripe', () => {
  it.each([
    ['none', 'Not connected', 'Connect with Stripe'],
    ['incomplete', 'Stripe needs more from you', 'Continue with Stripe'],
    ['ready', 'Clients can pay you online', null],
    ['payouts_stopped', 'Payouts to your bank are stopped', 'Continue with Stripe'],
  ] as const)('that is %s says so', (state, title, way) => {
    fakeServer({})
    renderPart(<StripeAccount account={account(state)} />)
    expect(screen.getByRole('status').textContent).toContain(title)
    expect(screen.queryAllByRole('button').map(({ textContent }) => textContent)).toEqual(
      way === null ? [] : [way, ...(state === 'none' ? [] : ['Check again'])],
    )
  })

  it('is connected at Stripe, where its owner is sent', async () => {
    const seen = fakeServer({ connectPaymentAccount: () => ({ url: '#stripe' }) })
    renderPart(<StripeAccount account={account('none')} />)
    fireEvent.click(screen.getByRole('button', { name: 'Connect with Stripe' }))
    await waitFor(() => expect(location.hash).toBe('#stripe'))
    expect(seen.map(({ name }) => name)).toContain('connectPaymentAccount')
  })

  it('stays as it is while Stripe does not answer', async () => {
    const silent = refused(503, { code: 'account_unavailable', message: 'Stripe cannot be reached for this right now.' })
    fakeServer({ connectPaymentAccount: () => silent })
    renderPart(<StripeAccount account={account('none')} />)
    fireEvent.click(screen.getByRole('button', { name: 'Connect with Stripe' }))
    expect(await screen.findByText('Stripe cannot be reached for this right now.')).toBeTruthy()
    expect(location.hash).toBe('')
  })

  it('is asked about when its owner comes back, and at the button', async () => {
    let state: Account['state'] = 'incomplete'
    fakeServer({ readPaymentAccount: () => ({ state }) })
    renderPart(<StripeAccount account={account('none')} />, { at: '/here?account=asked' })
    expect(await screen.findByText('Stripe needs more from you')).toBeTruthy()
    state = 'ready'
    fireEvent.click(screen.getByRole('button', { name: 'Check again' }))
    expect(await screen.findByText('Clients can pay you online')).toBeTruthy()
    expect(button('Continue with Stripe')).toBeNull()
  })

  it('is connected by owners alone', () => {
    fakeServer({})
    renderPart(<StripeAccount account={account('none', false)} />)
    expect(button('Connect with Stripe')).toBeNull()
    expect(screen.getByText('Only an owner can connect it.')).toBeTruthy()
  })

  it('is nothing where institutes need none', async () => {
    fakeServer({ institute: () => nacre })
    const settings = {
      slug: 'atelier-nacre',
      currency: 'EUR',
      payments: { payAtSalon: true, paymentMethods: ['card'], deposit: { kind: 'none' } },
      paymentAccount: null,
    } as unknown as InstituteSettings
    renderPart(<PaymentsPart settings={settings} />)
    expect(await screen.findByRole('heading', { name: 'Online' })).toBeTruthy()
    expect(screen.queryByText('Your Stripe account')).toBeNull()
    cleanup()
    renderPart(<PaymentsPart settings={{ ...settings, paymentAccount: account('none') }} />)
    expect(await screen.findByText('Your Stripe account')).toBeTruthy()
  })
})

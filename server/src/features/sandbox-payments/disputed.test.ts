/** A payment of the sandbox that the bank of its client took back: nobody gives it back once more. */
import { minuteMs } from '@soigne/contract/time'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { disputePayment, sandboxProvider, settle } from './service.ts'

let t: TestApp
let provider: ReturnType<typeof sandboxProvider>
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z' })
  provider = sandboxProvider(t.context)
})
afterAll(() => t.close())

/** A page that was paid, and giving that back. */
async function paid(method: 'card' | 'paypal') {
  const order = {
    checkoutId: method,
    instituteId: '00000000-0000-7000-8000-000000000000',
    accountId: null,
    amount: 1500,
    currency: 'EUR',
    method,
    description: 'Maison Lila',
    email: null,
    locale: 'en' as const,
    returnUrl: 'http://soigne.test/back',
    until: t.clock.now() + 30 * minuteMs,
    keepsCard: false,
  }
  const { pageId } = await provider.openPage(order, method)
  await settle(t.context, pageId, 'paid')
  const page = await provider.pageState(pageId, null)
  const reference = page.state === 'paid' ? page.reference : ''
  const asked = { refundId: method, accountId: null, reference, amount: 1500, currency: 'EUR' }
  return { pageId, giveBack: () => provider.refund(asked, `refund ${method}`) }
}
const refused = { reference: null, state: 'failed', why: 'disputed' }

it('is refused while the bank has it, and goes back once it came again', async () => {
  const { pageId, giveBack } = await paid('card')
  await disputePayment(t.context, pageId, 'open')
  expect(await giveBack()).toEqual(refused)
  await disputePayment(t.context, pageId, 'won')
  expect(await giveBack()).toMatchObject({ state: 'done' })
})

it('is refused for good where the bank decided for its client', async () => {
  const { pageId, giveBack } = await paid('paypal')
  for (const state of ['open', 'lost'] as const) await disputePayment(t.context, pageId, state)
  expect(await giveBack()).toEqual(refused)
})

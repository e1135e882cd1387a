import { minuteMs } from '@soigne/contract/time'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { PageOrder, PaymentProvider } from '#/platform/payment-provider.ts'
import { parseInstant } from '#/platform/instants.ts'
import type { Settings } from '#/platform/settings.ts'
import { readSettings } from '#/settings.ts'
import { StripeServer, stripeWord } from '#/testing/stripe-server.ts'
import { canTake, fromStripe, toStripe } from './amounts.ts'
import { openStripe } from './service.ts'

const key = 'sk_test_abcdefgh1234'
const account = 'acct_maison'
const now = parseInstant('2026-11-20T11:00:00Z')
const dataDir = mkdtempSync(join(tmpdir(), 'soigne-stripe-'))
const stripe = new StripeServer(key)
let base: string
let provider: PaymentProvider
let count = 0

const settingsWith = (more: Record<string, string> = {}): Settings =>
  readSettings({
    DATA_DIR: dataDir,
    STRIPE_SECRET_KEY: key,
    STRIPE_WEBHOOK_SECRET: 'whsec_ofthesite,whsec_ofaccounts',
    STRIPE_API_BASE: base,
    STRIPE_FEE_BASIS_POINTS: '250',
    ...more,
  })
const opened = (more: Record<string, string> = {}): Promise<PaymentProvider> =>
  openStripe({ settings: settingsWith(more), trialClock: null }, { timeout: 1000, maxNetworkRetries: 1 })

beforeAll(async () => {
  base = await stripe.listen()
  stripe.accounts.set(account, { charges: true, payouts: true })
  provider = await opened()
})
afterAll(() => {
  stripe.close()
  rmSync(dataDir, { recursive: true, force: true })
})
beforeEach(() => {
  stripe.plant(null)
  stripe.asked.length = 0
})

const order = (given: Partial<PageOrder> = {}): PageOrder => ({
  checkoutId: `checkout-${++count}`,
  instituteId: '00000000-0000-7000-8000-000000000000',
  accountId: account,
  amount: 4550,
  currency: 'EUR',
  method: 'card',
  description: 'Maison Lila, Friday 20 November at 14:00',
  email: 'camille@example.test',
  locale: 'fr',
  returnUrl: 'https://soigne.example/back?payment=1',
  until: now + 20 * minuteMs,
  keepsCard: false,
  ...given,
})
const openedPage = async (given: Partial<PageOrder> = {}) => {
  const asked = order(given)
  const { pageId, url } = await provider.openPage(asked, `page ${asked.checkoutId}`)
  return { pageId, url, asked }
}
const paidPage = async (given: Partial<PageOrder> = {}) => {
  const page = await openedPage(given)
  stripe.pay(page.asked.accountId, page.pageId)
  const state = await provider.pageState(page.pageId, page.asked.accountId)
  if (state.state !== 'paid') throw new Error('not paid')
  return { ...page, reference: state.reference }
}

describe('a page', () => {
  it('is asked for on the account of the institute, with the part of the site', async () => {
    const { url, asked } = await openedPage()
    expect(url).toMatch(/^https:\/\/checkout\.stripe\.com\//)
    expect(stripe.asked).toMatchObject([
      {
        path: '/v1/checkout/sessions',
        account,
        key: `page ${asked.checkoutId}`,
        form: {
          mode: 'payment',
          'allowed_payment_method_types[0]': 'card',
          'line_items[0][price_data][currency]': 'eur',
          'line_items[0][price_data][unit_amount]': '4550',
          'line_items[0][price_data][product_data][name]': asked.description,
          'payment_intent_data[application_fee_amount]': '113',
          client_reference_id: asked.checkoutId,
          customer_email: 'camille@example.test',
          locale: 'fr',
          success_url: asked.returnUrl,
          cancel_url: asked.returnUrl,
          // Stripe lets no page live for less than half an hour.
          expires_at: String((now + 51 * minuteMs) / 1000),
        },
      },
    ])
  })

  it('of an institute without an account is on that of the site, which keeps no part of its own money', async () => {
    await openedPage({ accountId: null, email: null, locale: 'ar', method: 'klarna' })
    const [asked] = stripe.asked
    expect(asked).toMatchObject({ account: null, form: { locale: 'auto', 'allowed_payment_method_types[0]': 'klarna' } })
    expect(Object.keys(asked?.form ?? {}).filter((name) => name.includes('fee') || name.includes('email'))).toEqual([])
  })

  it('is the same for the same key, also when an answer was lost, and another order of that key is refused', async () => {
    const asked = order()
    stripe.plant({ status: 'hang', times: 1, afterEffect: true })
    const one = await provider.openPage(asked, 'lost')
    expect(await provider.openPage(asked, 'lost')).toEqual(one)
    expect(stripe.asked).toHaveLength(3)
    await expect(provider.openPage({ ...asked, amount: 1 }, 'lost')).rejects.toMatchObject({ type: 'StripeIdempotencyError' })
  })

  it('is open, paid, failed, given up or over', async () => {
    const state = async (given: Awaited<ReturnType<typeof openedPage>>) => provider.pageState(given.pageId, account)
    expect(await state(await openedPage())).toEqual({ state: 'open' })
    const paid = await openedPage()
    stripe.pay(account, paid.pageId)
    expect(await state(paid)).toEqual({ state: 'paid', reference: `pi_${paid.pageId}`, amount: 4550, currency: 'EUR' })
    const outcomes = { processing: 'open', requires_payment_method: 'failed', canceled: 'cancelled' } as const
    for (const [status, becomes] of Object.entries(outcomes)) {
      const page = await openedPage({ method: 'klarna' })
      stripe.pay(account, page.pageId, 'unpaid', status as keyof typeof outcomes)
      expect(await state(page)).toEqual({ state: becomes })
    }
    await expect(provider.pageState('cs_nobody', account)).rejects.toMatchObject({ code: 'resource_missing' })
    // Of another account.
    await expect(provider.pageState(paid.pageId, null)).rejects.toMatchObject({ code: 'resource_missing' })
  })

  it('that is closed says what became of it', async () => {
    const page = await openedPage()
    expect(await provider.closePage(page.pageId, account)).toEqual({ state: 'expired' })
    expect(await provider.closePage(page.pageId, account)).toEqual({ state: 'expired' })
    const paid = await paidPage()
    expect(await provider.closePage(paid.pageId, account)).toMatchObject({ state: 'paid', amount: 4550 })
  })
})

describe('a refund', () => {
  it('is the same for the same key, and gives back the part of the site too', async () => {
    const { reference } = await paidPage()
    const asked = { refundId: 'r1', accountId: account, reference, amount: 1000, currency: 'EUR' }
    const one = await provider.refund(asked, 'refund r1')
    expect(one.state).toBe('done')
    expect(await provider.refund(asked, 'refund r1')).toEqual(one)
    expect(stripe.of(account).refunds.filter(({ payment_intent: by }) => by === reference)).toHaveLength(1)
    expect(stripe.asked.at(-1)).toMatchObject({ path: '/v1/refunds', account, form: { refund_application_fee: 'true', amount: '1000' } })
    await expect(provider.refund({ ...asked, refundId: 'r2', amount: 3551 }, 'refund r2')).rejects.toThrow(/greater/)
  })

  it('asks for no part back where there was none', async () => {
    const { reference } = await paidPage({ accountId: null })
    await provider.refund({ refundId: 'r3', accountId: null, reference, amount: 1, currency: 'EUR' }, 'refund r3')
    expect(stripe.asked.at(-1)?.form).not.toHaveProperty('refund_application_fee')
  })

  it.each([
    ['pending', 'waiting'],
    ['failed', 'failed'],
  ] as const)('that is %s there is %s', async (status, state) => {
    const { reference } = await paidPage()
    stripe.of(account).refundStatus = status
    const given = await provider.refund({ refundId: status, accountId: account, reference, amount: 1, currency: 'EUR' }, status)
    stripe.of(account).refundStatus = 'succeeded'
    expect(given.state).toBe(state)
  })
})

describe('what goes wrong at Stripe', () => {
  it.each([
    [402, { type: 'card_error', code: 'card_declined' }, 'StripeCardError', 1],
    [429, { type: 'invalid_request_error', code: 'rate_limit' }, 'StripeRateLimitError', 1],
    [409, { type: 'invalid_request_error', code: 'idempotency_key_in_use' }, 'StripeAPIError', 2],
    [500, { type: 'api_error' }, 'StripeAPIError', 2],
    ['hang', {}, 'StripeConnectionError', 2],
  ] as const)('%s is thrown', async (status, problem, type, asked) => {
    stripe.plant({ status, problem, times: 9 })
    await expect(provider.openPage(order(), `fails ${status}`)).rejects.toMatchObject({ type })
    expect(stripe.asked).toHaveLength(asked)
    expect(new Set(stripe.asked.map((one) => one.key))).toEqual(new Set([`fails ${status}`]))
  })

  it('is got over when it passes', async () => {
    stripe.plant({ status: 500, times: 1, afterEffect: true })
    const asked = order()
    const page = await provider.openPage(asked, 'passes')
    expect(await provider.openPage(asked, 'passes')).toEqual(page)
  })

  it('is a wrong key', async () => {
    const stranger = await opened({ STRIPE_SECRET_KEY: 'sk_test_somebodyelse' })
    await expect(stranger.openPage(order(), 'k')).rejects.toMatchObject({ type: 'StripeAuthenticationError' })
  })
})

describe('amounts', () => {
  it.each([
    ['EUR', 4550, 4550],
    ['JPY', 4500, 4500],
    ['TND', 45_500, 45_500],
    ['ISK', 4500, 450_000],
    ['UGX', 4500, 450_000],
    // Counted in whole forints here.
    ['HUF', 4500, 450_000],
  ])('of %s', (currency, here, there) => {
    expect(toStripe(here, currency)).toBe(there)
    expect(fromStripe(there, currency)).toBe(here)
  })

  it('that Stripe cannot take are refused before it is asked', async () => {
    expect([canTake(45_510, 'TND'), canTake(45_501, 'TND')]).toEqual([true, false])
    expect(() => toStripe(45_501, 'TND')).toThrow(/takes no/)
    await expect(provider.openPage(order({ amount: 45_501, currency: 'TND' }), 'k')).rejects.toThrow(/takes no/)
    expect(stripe.asked).toEqual([])
  })
})

describe('a word', () => {
  const read = (said: Parameters<typeof stripeWord>[2], secret = 'whsec_ofaccounts', at = now) => {
    const { bytes, headers } = stripeWord(secret, at, said)
    return provider.readWord(bytes, headers, now)
  }
  const ofPage = async (type: string, change: object = {}) => {
    const { pageId, asked } = await openedPage()
    const object = { ...stripe.of(account).sessions.get(pageId), ...change }
    return { checkoutId: asked.checkoutId, said: { type: `checkout.session.${type}`, account, object } }
  }
  const paid = { status: 'complete', payment_status: 'paid', payment_intent: 'pi_1' }

  it.each([
    ['completed', paid, { state: 'paid', reference: 'pi_1', amount: 4550, currency: 'EUR' }],
    ['async_payment_succeeded', paid, { state: 'paid', reference: 'pi_1', amount: 4550, currency: 'EUR' }],
    ['async_payment_failed', { status: 'complete' }, { state: 'failed' }],
    ['expired', { status: 'expired' }, { state: 'expired' }],
  ])('of a page that is %s', async (type, change, page) => {
    const { checkoutId, said } = await ofPage(type, change)
    expect(read(said)).toEqual({ id: 'evt_1', at: now, kind: 'page', checkoutId, page })
  })

  it('that a page is complete but unpaid, or that somebody else made it, is kept alone', async () => {
    const unpaid = await ofPage('completed', { ...paid, payment_status: 'unpaid' })
    expect(read(unpaid.said)).toMatchObject({ kind: 'other', name: 'checkout.session.completed' })
    const { said } = await ofPage('completed', paid)
    // The same page on another account, and another checkout with the same mark.
    for (const forged of [
      { ...said, account: 'acct_other' },
      { ...said, object: { ...said.object, client_reference_id: 'checkout-of-others' } },
      { ...said, object: { ...said.object, metadata: {} } },
    ])
      expect(read(forged)).toMatchObject({ kind: 'other' })
  })

  it('of a refund, when it is over', async () => {
    const { reference } = await paidPage()
    await provider.refund({ refundId: 'r7', accountId: account, reference, amount: 1, currency: 'EUR' }, 'refund r7')
    const object = stripe.of(account).refunds.at(-1) ?? {}
    const said = (type: string, status: string) => read({ type, account, object: { ...object, status } })
    expect(said('refund.updated', 'succeeded')).toMatchObject({ kind: 'refund', refundId: 'r7', state: 'done' })
    expect(said('refund.failed', 'failed')).toMatchObject({ kind: 'refund', refundId: 'r7', state: 'failed' })
    expect(said('refund.updated', 'pending')).toMatchObject({ kind: 'other' })
  })

  it.each([
    ['lost_or_stolen_card', 'card_gone'],
    ['expired_or_canceled_card', 'card_gone'],
    ['insufficient_funds', 'no_balance'],
    ['charge_for_pending_refund_disputed', 'disputed'],
    ['declined', 'declined'],
    ['unknown', null],
  ])('of a refund, which try was refused and why: %s', async (reason, why) => {
    const { reference } = await paidPage()
    const order = { refundId: 'r8', accountId: account, reference, amount: 1, currency: 'EUR' }
    const given = await provider.refund(order, `refund r8 ${reason}`)
    const object = { ...stripe.of(account).refunds.at(-1), status: 'failed', failure_reason: reason }
    expect(read({ type: 'refund.failed', account, object })).toMatchObject({ state: 'failed', reference: given.reference, why })
  })

  it('of what nobody asked about is kept alone', () => {
    for (const name of ['charge.refunded', 'charge.captured', 'payment_intent.created'])
      expect(read({ type: name, account, object: {} })).toMatchObject({ kind: 'other', name })
  })

  it('is read with each secret of the site, and refused when it is forged, stale or of real money', async () => {
    const { said } = await ofPage('expired')
    expect(read(said, 'whsec_ofthesite')).toMatchObject({ kind: 'page' })
    expect(() => read(said, 'whsec_ofnobody')).toThrow(/not signed/)
    expect(read(said, 'whsec_ofthesite', now - 5 * minuteMs)).toMatchObject({ kind: 'page' })
    expect(() => read(said, 'whsec_ofthesite', now - 5 * minuteMs - 1000)).toThrow(/not signed/)
    expect(() => read({ ...said, livemode: true })).toThrow(/real money/)
    const { bytes, headers } = stripeWord('whsec_ofthesite', now, said)
    expect(() => provider.readWord(bytes.subarray(1), headers, now)).toThrow(/not signed/)
    expect(() => provider.readWord(bytes, {}, now)).toThrow(/not signed/)
    const live = await opened({ STRIPE_SECRET_KEY: 'sk_live_abcdefgh1234' })
    expect(() => live.readWord(bytes, headers, now)).toThrow(/of a test/)
    const signed = stripeWord('whsec_ofthesite', now, { type: 'a', object: [] as unknown as object })
    expect(() => provider.readWord(signed.bytes, signed.headers, now)).toThrow(/no word/)
  })
})

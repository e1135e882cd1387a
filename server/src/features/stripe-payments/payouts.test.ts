import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { dayMs } from '@soigne/contract/time'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { parseInstant } from '#/platform/instants.ts'
import type { PaymentProvider } from '#/platform/payment-provider.ts'
import { readSettings } from '#/settings.ts'
import type { StandInMove, StandInPayout } from '#/testing/stripe-payouts.ts'
import { StripeServer, stripeWord } from '#/testing/stripe-server.ts'
import { openStripe } from './service.ts'

const accountId = 'acct_maison'
const of = { instituteId: '00000000-0000-7000-8000-000000000000', accountId }
const now = parseInstant('2026-11-20T11:00:00Z')
const second = now / 1000
const dataDir = mkdtempSync(join(tmpdir(), 'soigne-stripe-payouts-'))
const stripe = new StripeServer('sk_test_abcdefgh1234')
let provider: PaymentProvider
beforeAll(async () => {
  const base = await stripe.listen()
  stripe.accounts.set(accountId, { charges: true, payouts: true })
  const settings = readSettings({
    DATA_DIR: dataDir,
    STRIPE_SECRET_KEY: 'sk_test_abcdefgh1234',
    STRIPE_WEBHOOK_SECRET: 'whsec_ofthesite',
    STRIPE_API_BASE: base,
  })
  provider = await openStripe({ settings, trialClock: null }, { timeout: 1000, maxNetworkRetries: 1 })
})
afterAll(() => {
  stripe.close()
  rmSync(dataDir, { recursive: true, force: true })
})
beforeEach(() => {
  stripe.sent.clear()
  stripe.sent.balances.clear()
})

const payout = (more: Partial<StandInPayout> = {}): StandInPayout => ({
  id: 'po_1',
  object: 'payout',
  amount: 4313,
  currency: 'eur',
  status: 'in_transit',
  failure_code: null,
  created: second,
  arrival_date: Date.parse('2026-11-24T00:00:00Z') / 1000,
  automatic: true,
  ...more,
})
function move(id: string, amount: number, more: Partial<StandInMove> = {}): StandInMove {
  const fees = more.fee_details ?? []
  const fee = fees.reduce((sum, one) => sum + one.amount, 0)
  return {
    id,
    object: 'balance_transaction',
    type: 'charge',
    reporting_category: 'charge',
    amount,
    fee,
    net: amount - fee,
    currency: 'eur',
    created: second - 3600,
    description: null,
    source: null,
    ...more,
    fee_details: fees,
  }
}
const fee = (type: string, amount: number) => ({ type, amount, currency: 'eur' })

it('says what was sent to the bank, and why the bank did not take it', async () => {
  const all = [
    payout(),
    payout({ id: 'po_2', status: 'failed', failure_code: 'account_closed', created: second - 86_400 }),
    payout({ id: 'po_3', status: 'failed', failure_code: 'something_new', created: second - 86_401 }),
    payout({ id: 'po_yen', currency: 'jpy', amount: 1200, status: 'paid', created: second - 86_402 }),
    payout({ id: 'po_old', created: second - 60 * 86_400 }),
  ]
  stripe.sent.set(
    accountId,
    all.map((one) => ({ payout: one, moves: [] })),
  )
  const listed = await provider.payouts(of, now - 30 * dayMs)
  expect(listed.map(({ reference, amount, currency, state, problem }) => [reference, amount, currency, state, problem])).toEqual([
    ['po_1', 4313, 'EUR', 'coming', null],
    ['po_2', 4313, 'EUR', 'failed', 'account_gone'],
    ['po_3', 4313, 'EUR', 'failed', null],
    ['po_yen', 1200, 'JPY', 'paid', null],
  ])
  expect(listed[0]).toMatchObject({ at: now, arrivesOn: '2026-11-24' })
})

it('says what one is made up of, over as many pages as there are, so that its parts add up', async () => {
  const many = Array.from({ length: 120 }, (_, n) =>
    move(`txn_${String(n).padStart(3, '0')}`, 1000, {
      fee_details: [fee('stripe_fee', 40), fee('application_fee', 25), fee('tax', 8)],
      source: { id: `ch_${n}`, payment_intent: `pi_${n}` },
    }),
  )
  const others = [
    move('txn_a', -500, { type: 'refund', reporting_category: 'refund', source: { id: 're_1', payment_intent: 'pi_1' } }),
    move('txn_b', -700, {
      type: 'adjustment',
      reporting_category: 'dispute',
      source: { id: 'dp_1', payment_intent: 'pi_2' },
      fee_details: [fee('stripe_fee', 1500)],
    }),
    move('txn_c', -200, { type: 'stripe_fee', reporting_category: 'fee', description: 'Billing - usage fee', source: 'fee_1' }),
    move('txn_d', 90, { type: 'topup', reporting_category: 'topup', description: 'Top-up' }),
  ]
  const amount = [...many, ...others].reduce((sum, { net }) => sum + net, 0)
  const itself = move('txn_po', -amount, { type: 'payout', reporting_category: 'payout', source: 'po_1' })
  stripe.sent.set(accountId, [{ payout: payout({ amount }), moves: [itself, ...many, ...others] }])
  const moves = (await provider.payoutMoves(of, 'po_1')) ?? []
  expect(moves).toHaveLength(124)
  expect(moves.reduce((sum, one) => sum + one.amount - one.fees.provider - one.fees.site - one.fees.tax, 0)).toBe(amount)
  const named = (reference: string) => moves.find((one) => one.reference === reference)
  expect(named('txn_007')).toMatchObject({
    kind: 'payment',
    paymentReference: 'pi_7',
    amount: 1000,
    fees: { provider: 40, site: 25, tax: 8 },
    said: null,
  })
  expect(named('txn_a')).toMatchObject({ kind: 'refund', paymentReference: 'pi_1', amount: -500 })
  expect(named('txn_b')).toMatchObject({ kind: 'dispute', paymentReference: 'pi_2', fees: { provider: 1500 } })
  expect(named('txn_c')).toMatchObject({ kind: 'fee', paymentReference: null, said: 'Billing - usage fee' })
  expect(named('txn_d')).toMatchObject({ kind: 'other', said: 'Top-up', amount: 90 })
})

it('does not say it of one that was made by hand, and knows none of the account of the site', async () => {
  stripe.sent.set(accountId, [{ payout: payout({ automatic: false }), moves: [] }])
  expect(await provider.payoutMoves(of, 'po_1')).toBeNull()
  expect(await provider.payouts({ ...of, accountId: null }, 0)).toEqual([])
})

it('says what is not sent yet, free to be sent or not, in every currency that can be written here', async () => {
  const inAll = (...amounts: [amount: number, currency: string][]) => amounts.map(([amount, currency]) => ({ amount, currency }))
  stripe.sent.balances.set(accountId, {
    available: inAll([4313, 'eur'], [-900, 'usd'], [1200, 'jpy'], [12_340, 'tnd'], [150, 'isk'], [5000, 'usdc'], [700, 'gbp'], [0, 'chf']),
    pending: inAll([8527, 'eur'], [-100, 'usd'], [-700, 'gbp'], [0, 'chf']),
  })
  // Half a króna is nothing here, and coins have no code of three letters.
  expect(await provider.waiting(of)).toEqual([
    { amount: 12_840, currency: 'EUR' },
    { amount: -1000, currency: 'USD' },
    { amount: 1200, currency: 'JPY' },
    { amount: 12_340, currency: 'TND' },
  ])
  expect(stripe.asked.at(-1)).toMatchObject({ path: '/v1/balance', account: accountId })
})

it('says that nothing waits of an account that has nothing, and nothing of the account of the site', async () => {
  expect(await provider.waiting(of)).toEqual([])
  const asked = stripe.asked.length
  expect(await provider.waiting({ ...of, accountId: null })).toBeNull()
  expect(stripe.asked).toHaveLength(asked)
})

it('tells when one has changed, of which account', () => {
  const word = (type: string, account?: string) => {
    const { bytes, headers } = stripeWord('whsec_ofthesite', now, { type, object: payout(), ...(account && { account }) })
    return provider.readWord(bytes, headers, now)
  }
  for (const change of ['created', 'updated', 'paid', 'failed', 'canceled'])
    expect(word(`payout.${change}`, accountId)).toMatchObject({ kind: 'payout', accountId })
  expect(word('payout.paid')).toMatchObject({ kind: 'other' })
})

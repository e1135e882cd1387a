import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { minuteMs } from '@soigne/contract/time'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { parseInstant } from '#/platform/instants.ts'
import type { PaymentProvider } from '#/platform/payment-provider.ts'
import { readSettings } from '#/settings.ts'
import { StripeServer, stripeWord } from '#/testing/stripe-server.ts'
import { openStripe } from './service.ts'

const account = 'acct_maison'
const now = parseInstant('2026-11-20T11:00:00Z')
const dataDir = mkdtempSync(join(tmpdir(), 'soigne-stripe-moves-'))
const stripe = new StripeServer('sk_test_abcdefgh1234')
let provider: PaymentProvider
beforeAll(async () => {
  const base = await stripe.listen()
  stripe.accounts.set(account, { charges: true, payouts: true })
  stripe.now = () => now
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

async function pays(checkoutId: string, accountId: string | null, currency = 'EUR', amount = 4550): Promise<string> {
  const { pageId } = await provider.openPage(
    {
      checkoutId,
      instituteId: '00000000-0000-7000-8000-000000000000',
      accountId,
      amount,
      currency,
      method: 'card',
      description: 'Maison Lila',
      email: null,
      locale: 'fr',
      returnUrl: 'https://soigne.example/back',
      until: now + 20 * minuteMs,
      keepsCard: false,
    },
    `page ${checkoutId}`,
  )
  stripe.pay(accountId, pageId)
  return `pi_${pageId}`
}
const listed = (accountId: string | null, from = now - minuteMs, until = now + minuteMs) => provider.moves(accountId, from, until)

it('lists what came and went back on an account, with what this site marked, over as many pages as there are', async () => {
  const references: string[] = []
  for (let at = 0; at < 130; at++) references.push(await pays(`many-${at}`, account))
  const [first = ''] = references
  const { reference } = await provider.refund(
    { refundId: 'back-1', accountId: account, reference: first, amount: 500, currency: 'EUR' },
    'back-1',
  )
  stripe.asked.length = 0
  const moves = await listed(account)
  expect(
    moves
      .filter(({ kind }) => kind === 'payment')
      .map((one) => one.reference)
      .toSorted(),
  ).toEqual(references.toSorted())
  expect(moves.find((one) => one.reference === first)).toEqual({
    kind: 'payment',
    reference: first,
    paymentReference: first,
    ownId: 'many-0',
    amount: 4550,
    currency: 'EUR',
    at: now,
  })
  expect(moves.filter(({ kind }) => kind === 'refund')).toEqual([
    { kind: 'refund', reference, paymentReference: first, ownId: 'back-1', amount: 500, currency: 'EUR', at: now },
  ])
  // Two pages of payments and one of refunds.
  expect(stripe.asked.map(({ path }) => path)).toEqual(['/v1/payment_intents', '/v1/payment_intents', '/v1/refunds'])
  expect(await listed(account, now + minuteMs, now + 2 * minuteMs)).toEqual([])
})

it('leaves alone what is of no account of this site, is not paid, or is marked by somebody else', async () => {
  const paid = await pays('own-1', null, 'TND', 52_010)
  const copied = await pays('own-2', null)
  const books = stripe.of(null)
  const of = (reference: string) => books.payments.get(reference)
  Object.assign(of(copied) ?? {}, { metadata: { ...of(paid)?.metadata, page: 'own-2' } })
  const waiting = await pays('own-3', null)
  Object.assign(of(waiting) ?? {}, { status: 'processing' })
  expect(
    (await listed(null))
      .map(({ reference, ownId, amount, currency }) => ({ reference, ownId, amount, currency }))
      .toSorted((a, b) => a.amount - b.amount),
  ).toEqual([
    { reference: copied, ownId: null, amount: 4550, currency: 'EUR' },
    { reference: paid, ownId: 'own-1', amount: 52_010, currency: 'TND' },
  ])
})

it.each([
  ['created', 'needs_response', 'fraudulent', 'open', 'not_theirs'],
  ['updated', 'under_review', 'product_not_received', 'open', 'not_received'],
  ['closed', 'won', 'product_unacceptable', 'won', 'not_as_told'],
  ['closed', 'lost', 'duplicate', 'lost', 'twice'],
  ['closed', 'lost', 'something_new', 'lost', null],
] as const)('reads a dispute that is %s: %s, %s', (change, status, reason, state, why) => {
  const object = {
    id: 'dp_1',
    payment_intent: 'pi_1',
    amount: 52_010,
    currency: 'tnd',
    status,
    reason,
    evidence_details: { due_by: now / 1000 + 60 },
  }
  const { bytes, headers } = stripeWord('whsec_ofthesite', now, { type: `charge.dispute.${change}`, object, account })
  expect(provider.readWord(bytes, headers, now)).toEqual({
    id: 'evt_1',
    at: now,
    kind: 'dispute',
    disputeId: 'dp_1',
    reference: 'pi_1',
    accountId: account,
    amount: 52_010,
    currency: 'TND',
    state,
    why,
    answerBy: now + minuteMs,
  })
})

it.each(['warning_needs_response', 'warning_closed'])('a question of the bank takes nothing, and is kept alone: %s', (status) => {
  const object = { id: 'dp_2', payment_intent: 'pi_1', amount: 100, currency: 'eur', status, reason: 'general' }
  const { bytes, headers } = stripeWord('whsec_ofthesite', now, { type: 'charge.dispute.created', object })
  expect(provider.readWord(bytes, headers, now)).toMatchObject({ kind: 'other', name: 'charge.dispute.created' })
})

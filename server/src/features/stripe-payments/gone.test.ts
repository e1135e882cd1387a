/** Money that should go back and has gone already: the bank of its client took it, or somebody gave it back at Stripe by hand. Stripe says so every time. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { cancelled, hold, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, hasAccount, tryBook } from '#/testing/paid-visits.ts'
import { StripeServer, stripeWord } from '#/testing/stripe-server.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { openStripe } from './service.ts'

const key = 'sk_test_abcdefgh1234'
const secret = 'whsec_ofthesite'
const stripe = new StripeServer(key)
let t: TestApp
let owner: MadeUser
let client: MadeUser
let account: string
let visitId: string
let payment: string
let said = 0

beforeAll(async () => {
  const settings = { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, STRIPE_API_BASE: await stripe.listen() }
  t = await openTestApp({ at: '2026-11-20T11:00:00Z', settings })
  t.context.payments = await openStripe(t.context, { timeout: 1000, maxNetworkRetries: 0 })
})
afterAll(async () => {
  stripe.close()
  await t.close()
})
/** A visit with a deposit, in the free window. */
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  client = await makeUser(t.db)
  const institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services: [{ price: 5200 }], cancelWindow: 1440 })
  await asksFor(t, institute, 'fixed', 1500)
  account = await hasAccount(t, institute, `acct_taken${++said}`)
  stripe.accounts.set(account, { charges: true, payouts: true })
  visitId = (await hold(t, client, institute, { startsAt: wall('2026-11-24T10:00') }))._id
  const { body } = await tryBook(t, client, { holdId: visitId })
  const session = stripe.pay(account, String(body['payment']?.['url']).split('/').at(-1) ?? '')
  payment = `pi_${session.id}`
  const word = { type: 'checkout.session.completed', object: session, account, id: `evt_taken${++said}` }
  const { bytes, headers } = stripeWord(secret, t.clock.now(), word)
  const sent = { payload: bytes, headers: { 'content-type': 'application/json', ...headers } }
  expect((await t.inject('POST', '/api/v1/webhooks/stripe', sent)).status).toBe(200)
})

it.each([
  ['disputed', () => stripe.of(account).disputed.add(payment)],
  [null, () => stripe.of(account).refund({ payment_intent: payment, amount: '1500' })],
] as const)('is refused once with its reason (%s), its owner is told, and it is not asked for again by itself', async (why, take) => {
  take()
  await cancelled(t, client, visitId)
  const asked = () => stripe.asked.filter(({ path }) => path === '/v1/refunds').length
  const before = asked()
  for (let n = 0; n < 3; n++) {
    await sql`update refunds set claimed_until = null where appointment_id = ${visitId}`.execute(t.db)
    await t.jobs['send_refunds']?.({})
  }
  await t.drainJobs()
  expect(asked() - before).toBe(1)
  const { rows } = await sql`select state, why, amount from refunds where appointment_id = ${visitId}`.execute(t.db)
  expect(rows).toEqual([{ state: 'failed', why, amount: 1500 }])
  const { body } = await t.inject('GET', `${visitsPath}/${visitId}/payments`, { token: client.token })
  const amount = { amount: 1500, currency: 'EUR' }
  expect(body['refused']).toEqual([{ _id: expect.any(String), amount, settledAt: null, ...(why === 'disputed' && { isAtBank: true }) }])
  expect((await t.mails(owner.email)).filter(({ kind }) => kind === 'refund_refused')).toHaveLength(1)
})

/** The whole way over HTTP with a stand-in of Stripe: booked, paid on a page of Checkout, made a visit by its word, cancelled and given back. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cancelled, hold, holdsPath, readVisit, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, hasAccount, isBalanced, tryBook } from '#/testing/paid-visits.ts'
import { StripeServer, stripeWord } from '#/testing/stripe-server.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { openStripe } from './service.ts'

const key = 'sk_test_abcdefgh1234'
const secret = 'whsec_ofthesite'
const account = 'acct_maison'
const stripe = new StripeServer(key)
let t: TestApp
let institute: MadeInstitute
let client: MadeUser
let asked = 0

beforeAll(async () => {
  const settings = { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, STRIPE_API_BASE: await stripe.listen() }
  t = await openTestApp({ at: '2026-11-20T11:00:00Z', settings })
  t.context.payments = await openStripe(t.context)
  institute = await makeInstitute(t.db, { members: 1, services: [{ price: 5200 }], cancelWindow: 1440 })
  await asksFor(t, institute, 'fixed', 1500)
  await hasAccount(t, institute, account)
  stripe.accounts.set(account, { charges: true, payouts: true })
  client = await makeUser(t.db)
})
afterAll(async () => {
  stripe.close()
  await t.close()
})

const said = (type: string, object: object): Promise<number> => {
  const { bytes, headers } = stripeWord(secret, t.clock.now(), { type, object, account, id: `evt_${++asked}` })
  return told(bytes, headers)
}
const told = async (payload: Buffer, headers: Record<string, string>): Promise<number> =>
  (await t.inject('POST', '/api/v1/webhooks/stripe', { payload, headers: { 'content-type': 'application/json', ...headers } })).status
const booked = async (startsAt: string): Promise<{ id: string; pageId: string }> => {
  const { _id: id } = await hold(t, client, institute, { startsAt: wall(startsAt) })
  const { body } = await t.inject('POST', visitsPath, { token: client.token, body: { holdId: id } })
  const pageId = String(body['payment']?.['url']).split('/').at(-1) ?? ''
  return { id, pageId }
}
const checkoutOf = async (id: string) =>
  (await sql<{ state: string }>`select state from checkouts where appointment_id = ${id}`.execute(t.db)).rows.map(({ state }) => state)
const refundsOf = async (id: string) => (await sql`select amount, state from refunds where appointment_id = ${id}`.execute(t.db)).rows

describe('a visit paid at Stripe', () => {
  it('is one by the word, told twice and out of order, and goes back as a refund', async () => {
    const { id, pageId } = await booked('2026-11-24T10:00')
    const paid = stripe.pay(account, pageId)
    expect(await said('checkout.session.completed', paid)).toBe(200)
    expect(await said('checkout.session.completed', paid)).toBe(200)
    expect(await said('checkout.session.expired', { ...paid, status: 'expired' })).toBe(200)
    expect([await checkoutOf(id), (await readVisit(t, client, id)).status]).toEqual([['paid'], 'deposit_paid'])
    stripe.of(account).refundStatus = 'pending'
    await cancelled(t, client, id)
    await t.drainJobs()
    expect(await refundsOf(id)).toEqual([{ amount: 1500, state: 'waiting' }])
    const [refund] = stripe.of(account).refunds
    expect(await said('refund.updated', { ...refund, status: 'succeeded' })).toBe(200)
    expect(await refundsOf(id)).toEqual([{ amount: 1500, state: 'done' }])
    expect(stripe.of(account).refunds).toHaveLength(1)
    await isBalanced(t)
  })

  it('is one without any word: Stripe is asked', async () => {
    const { id, pageId } = await booked('2026-11-25T10:00')
    stripe.pay(account, pageId)
    t.clock.set(t.clock.now() + 60_000)
    await t.jobs['settle_checkouts']?.({})
    expect([await checkoutOf(id), (await readVisit(t, client, id)).status]).toEqual([['paid'], 'deposit_paid'])
  })

  it('is none by a word of somebody else', async () => {
    const { id, pageId } = await booked('2026-11-26T10:00')
    const paid = { ...stripe.of(account).sessions.get(pageId), status: 'complete', payment_status: 'paid', payment_intent: 'pi_forged' }
    const forged = stripeWord('whsec_ofnobody', t.clock.now(), { type: 'checkout.session.completed', object: paid, account })
    expect(await told(forged.bytes, forged.headers)).toBe(400)
    expect(await said('checkout.session.completed', { ...paid, metadata: {} })).toBe(200)
    expect(await checkoutOf(id)).toEqual(['open'])
  })

  it('of dinars is offered whole, and its rest, only where Stripe can move such a sum', async () => {
    const sfax = await makeInstitute(t.db, { members: 1, services: [{ price: 52_001 }, { price: 52_010 }], currency: 'TND' })
    await hasAccount(t, sfax, 'acct_sfax')
    stripe.accounts.set('acct_sfax', { charges: true, payouts: true })
    await asksFor(t, sfax, 'fixed', 15_009)
    const offered = async (service: number, startsAt: string) => {
      const { _id: holdId } = await hold(t, client, sfax, { startsAt: wall(startsAt), lines: [[service, 0]] })
      const { body: plan } = await t.inject('GET', `${holdsPath}/${holdId}/payment`, { token: client.token })
      const { body } = await tryBook(t, client, { holdId })
      const paid = stripe.pay('acct_sfax', String(body['payment']?.['url']).split('/').at(-1) ?? '')
      const { bytes, headers } = stripeWord(secret, t.clock.now(), {
        type: 'checkout.session.completed',
        object: paid,
        account: 'acct_sfax',
        id: `evt_${++asked}`,
      })
      expect(await told(bytes, headers)).toBe(200)
      const { body: rest } = await t.inject('GET', `${visitsPath}/${holdId}/payments`, { token: client.token })
      return { plan, rest }
    }
    expect(await offered(0, '2026-11-30T10:00')).toMatchObject({
      plan: { total: { amount: 52_001 }, deposit: { amount: 15_000 }, methods: ['card', 'paypal'], canPayAll: false },
      rest: { due: { amount: 37_001 }, payOnline: false, methods: [] },
    })
    expect(await offered(1, '2026-12-01T10:00')).toMatchObject({
      plan: { total: { amount: 52_010 }, deposit: { amount: 15_000 }, methods: ['card', 'paypal'], canPayAll: true },
      rest: { due: { amount: 37_010 }, payOnline: true, methods: ['card', 'paypal'] },
    })
  })

  it('of dinars is asked for in hundredths; all of a price in thousandths is refused before Stripe is asked, and the hold goes on', async () => {
    const tunis = await makeInstitute(t.db, { members: 1, services: [{ price: 52_001 }], currency: 'TND' })
    await hasAccount(t, tunis, 'acct_tunis')
    stripe.accounts.set('acct_tunis', { charges: true, payouts: true })
    await asksFor(t, tunis, 'fixed', 15_009)
    const { _id: holdId } = await hold(t, client, tunis, { startsAt: wall('2026-11-27T10:00') })
    stripe.asked.length = 0
    const refused = await tryBook(t, client, { holdId, key: 'dinars', pay: 'all' })
    expect([refused.status, refused.body['code']]).toEqual([503, 'payment_unavailable'])
    expect([stripe.asked, await checkoutOf(holdId)]).toEqual([[], ['failed']])
    const { body } = await tryBook(t, client, { holdId, key: 'hundredths' })
    expect(body['payment']?.['url']).toBeTruthy()
    expect(stripe.asked.at(-1)?.form).toMatchObject({ 'line_items[0][price_data][unit_amount]': '15000' })
  })
})

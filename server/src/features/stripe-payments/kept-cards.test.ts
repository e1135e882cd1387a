/** Cards that are kept on pages of Checkout, and charged while their owner is away, with a stand-in of Stripe. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hold, later, readVisit, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, charges, hasAccount } from '#/testing/paid-visits.ts'
import { StripeServer, stripeWord } from '#/testing/stripe-server.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { openStripe } from './service.ts'

const key = 'sk_test_abcdefgh1234'
const secret = 'whsec_ofthesite'
const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
const salon = '/api/v1/secure/mysalon'
const stripe = new StripeServer(key)
let t: TestApp
let institute: MadeInstitute
let owner: MadeUser
let client: MadeUser
let said = 0
/** Accounts of institutes, that of the running test the last. */
const accounts: string[] = []
let mine: string

beforeAll(async () => {
  const apiBase = await stripe.listen()
  const settings = { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, STRIPE_API_BASE: apiBase, STRIPE_FEE_BASIS_POINTS: '270' }
  t = await openTestApp({ at: now, settings })
  t.context.payments = await openStripe(t.context, { timeout: 1000, maxNetworkRetries: 1 })
})
afterAll(async () => {
  stripe.close()
  await t.close()
})
beforeEach(async () => {
  t.clock.set(now)
  stripe.plant(null)
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services: [{ price: 4200 }], cancelWindow: 1440 })
  await charges(t, institute, { noShow: { percent: 50 } })
  mine = await hasAccount(t, institute, `acct_kept${accounts.length}`)
  accounts.push(mine)
  stripe.accounts.set(mine, { charges: true, payouts: true })
  client = await makeUser(t.db)
})

async function tells(type: string, object: object, id = `evt_kept_${++said}`): Promise<number> {
  const { bytes, headers } = stripeWord(secret, t.clock.now(), { type, object, account: mine, id })
  const sent = { payload: bytes, headers: { 'content-type': 'application/json', ...headers } }
  return (await t.inject('POST', '/api/v1/webhooks/stripe', sent)).status
}
async function begun(): Promise<{ id: string; pageId: string }> {
  const { _id: id } = await hold(t, client, institute, { startsAt: ten })
  const { body } = await t.inject('POST', visitsPath, { token: client.token, body: { holdId: id } })
  return { id, pageId: String(body['payment']?.['url']).split('/').at(-1) ?? '' }
}
/** Booked with a card of this kind, and missed; its fee is about to be charged. */
async function missedVisit(card: 'good' | 'asking' | 'empty' = 'good'): Promise<string> {
  const { id, pageId } = await begun()
  expect(await tells('checkout.session.completed', stripe.pay(mine, pageId, 'paid', 'succeeded', card))).toBe(200)
  t.clock.set(later(ten, 20))
  await t.inject('PUT', `${salon}/appointments/${id}/attendance`, { token: owner.token, body: { attendance: 'no_show' } })
  t.clock.set(later(ten, 20 + 24 * 60))
  return id
}
const runs = async (): Promise<void> => t.jobs['charge_fees']?.({})
const money = async (id: string) => (await t.inject('GET', `${visitsPath}/${id}/payments`, { token: client.token })).body
const chargesOf = () => [...stripe.of(mine).payments.values()].filter(({ id }) => id.startsWith('pi_charge_')).length

const instituteId = '00000000-0000-7000-8000-000000000000'

describe('a card kept at Stripe', () => {
  it('is kept by a page in setup mode; the word names no card, so Stripe is asked', async () => {
    const { id, pageId } = await begun()
    const asked = stripe.asked.find(({ path }) => path === '/v1/checkout/sessions')
    expect(stripe.asked.at(-1)).toMatchObject({ form: { mode: 'setup', currency: 'eur', customer_creation: 'always' } })
    expect(asked?.form).not.toHaveProperty('line_items[0][quantity]')
    expect(await tells('checkout.session.completed', stripe.pay(mine, pageId))).toBe(200)
    expect(await readVisit(t, client, id)).toMatchObject({ status: 'pending' })
    expect((await money(id))['feeTerms']).toMatchObject({ noShow: { amount: 2100 }, card: { brand: 'Visa', lastFour: '4242' } })
  })

  it('is kept with a deposit by one page', async () => {
    await asksFor(t, institute, 'fixed', 1000)
    const { id, pageId } = await begun()
    expect(stripe.asked.at(-1)).toMatchObject({ form: { mode: 'payment', 'payment_intent_data[setup_future_usage]': 'off_session' } })
    await tells('checkout.session.completed', stripe.pay(mine, pageId))
    expect(await readVisit(t, client, id)).toMatchObject({ status: 'deposit_paid' })
    expect((await money(id))['feeTerms']).toMatchObject({ card: { lastFour: '4242' } })
  })

  it('is charged once while its owner is away, also where the answer was lost, and given back', async () => {
    const id = await missedVisit()
    const before = chargesOf()
    stripe.plant({ status: 'hang', times: 2, afterEffect: true })
    await runs()
    stripe.plant(null)
    await sql`update checkouts set claimed_until = null`.execute(t.db)
    await runs()
    expect(chargesOf() - before).toBe(1)
    const fee = (await money(id))['fee']
    expect(fee).toMatchObject({ state: 'charged', amount: { amount: 2100 } })
    const [paid] = [...stripe.of(mine).payments.values()].filter((one) => one.id.startsWith('pi_charge_')).slice(-1)
    // Its word comes after, twice, and as a failure that is not so.
    expect(await tells('payment_intent.succeeded', { ...paid })).toBe(200)
    expect(await tells('payment_intent.payment_failed', { ...paid, status: 'requires_payment_method' })).toBe(200)
    await t.inject('PUT', `${salon}/fees/${String(fee?.['_id'])}/waive`, { token: owner.token, body: { reason: 'A mistake.' } })
    await t.drainJobs()
    expect(stripe.of(mine).refunds.at(-1)).toMatchObject({ payment_intent: paid?.id, amount: 2100 })
    expect((await money(id))['fee']).toMatchObject({ state: 'given_back' })
    await isBalancedHere()
  })

  it.each([
    ['asking', 'asked'],
    ['empty', 'unpaid'],
  ] as const)('that is %s: %s, and its client pays on a page', async (card, state) => {
    const id = await missedVisit(card)
    await runs()
    expect((await money(id))['fee']).toMatchObject({ state })
    const { body } = await t.inject('POST', `${visitsPath}/${id}/fee/payments`, { token: client.token, body: {} })
    const pageId = String(body['payment']?.['url']).split('/').at(-1) ?? ''
    expect(await tells('checkout.session.completed', stripe.pay(mine, pageId))).toBe(200)
    expect((await money(id))['fee']).toMatchObject({ state: 'charged' })
    await isBalancedHere()
  })

  it('that was taken off at Stripe is a fee unpaid', async () => {
    const id = await missedVisit()
    stripe.of(mine).cards.clear()
    await runs()
    expect((await money(id))['fee']).toMatchObject({ state: 'unpaid' })
  })

  it('of a word somebody else marked changes nothing', async () => {
    const id = await missedVisit()
    stripe.plant({ status: 500, times: 9 })
    await runs()
    stripe.plant(null)
    const { rows } = await sql<{ id: string }>`select id from checkouts where appointment_id = ${id} and kind = 'charge'`.execute(t.db)
    const forged = { id: 'pi_forged', status: 'succeeded', amount: 2100, currency: 'eur', metadata: { charge: rows[0]?.id, mark: 'x' } }
    expect(await tells('payment_intent.succeeded', forged)).toBe(200)
    expect((await money(id))['fee']).toMatchObject({ state: 'charging' })
    await sql`update checkouts set claimed_until = null`.execute(t.db)
    await runs()
    expect((await money(id))['fee']).toMatchObject({ state: 'charged' })
  })

  it('is charged on the account where it is kept, with the part of the site, which goes back with it', async () => {
    const [one, other] = ['acct_one', 'acct_other']
    for (const id of [one, other]) stripe.accounts.set(id, { charges: true, payouts: true })
    const payer = t.context.payments
    if (!payer) throw new Error('nothing takes money')
    stripe.of(one).cards.set('pm_mine', 'good')
    const order = {
      checkoutId: 'charge-of-one',
      instituteId,
      token: 'cus_mine/pm_mine',
      amount: 4207,
      currency: 'EUR',
      description: 'Maison Lila',
    }
    expect(await payer.charge({ ...order, accountId: other }, 'fee:other')).toEqual({ state: 'failed' })
    expect(stripe.of(other).payments.size).toBe(0)
    const charged = await payer.charge({ ...order, accountId: one }, 'fee:mine')
    expect(stripe.asked.at(-1)).toMatchObject({ account: one, form: { amount: '4207', application_fee_amount: '113' } })
    if (charged.state !== 'paid') throw new Error(charged.state)
    const back = { refundId: 'part', accountId: one, reference: charged.reference, amount: 1000, currency: 'EUR' }
    await payer.refund(back, 'part')
    expect(stripe.asked.at(-1)).toMatchObject({ path: '/v1/refunds', account: one, form: { refund_application_fee: 'true' } })
    stripe.of(null).cards.set('pm_site', 'good')
    await payer.charge({ ...order, token: 'cus_site/pm_site', accountId: null }, 'fee:site')
    expect(stripe.asked.at(-1)?.form).not.toHaveProperty('application_fee_amount')
  })

  it('is charged nothing that Stripe cannot take, and says so once and for all', async () => {
    const { payments: payer } = t.context
    stripe.of(mine).cards.set('pm_dinars', 'good')
    const order = {
      checkoutId: 'charge-of-dinars',
      instituteId,
      accountId: mine,
      token: 'cus_d/pm_dinars',
      currency: 'TND',
      description: 'Maison Lila',
    }
    stripe.asked.length = 0
    expect(await payer?.charge({ ...order, amount: 45_501 }, 'fee:dinars')).toEqual({ state: 'failed' })
    expect(stripe.asked).toEqual([])
    expect(await payer?.charge({ ...order, amount: 45_500 }, 'fee:tens')).toMatchObject({ state: 'paid', amount: 45_500, currency: 'TND' })
  })

  it('is detached when its owner removes it', async () => {
    const { pageId } = await begun()
    await tells('checkout.session.completed', stripe.pay(mine, pageId))
    t.clock.set(later(ten, 24 * 60))
    const { body } = await t.inject('GET', '/api/v1/secure/client/cards', { token: client.token })
    expect(stripe.of(mine).cards.has(`pm_${pageId}`)).toBe(true)
    expect(
      (await t.inject('DELETE', `/api/v1/secure/client/cards/${String(body['items']?.[0]?.['_id'])}`, { token: client.token })).status,
    ).toBe(200)
    expect(stripe.of(mine).cards.has(`pm_${pageId}`)).toBe(false)
  })
})

/** What Stripe has taken less what it gave back is what the books have online. */
async function isBalancedHere(): Promise<void> {
  const { rows } = await sql<{
    online: number
  }>`select coalesce(sum(amount), 0)::int as online from ledger_lines where account = 'online'`.execute(t.db)
  const payments = accounts.flatMap((one) => [...stripe.of(one).payments.values()])
  const refunds = accounts.flatMap((one) => stripe.of(one).refunds)
  const taken = payments.reduce((sum, { status, amount }) => (status === 'succeeded' && amount > 0 ? sum + amount : sum), 0)
  expect(taken - refunds.reduce((sum, { amount }) => sum + amount, 0)).toBe(rows[0]?.online)
}

/** The account of an institute at Stripe, with a stand-in of it: connected, read again, stopped, taken away, and what each means for its clients. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cancelled, hold, later, readVisit, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { asksFor, charges, hasAccount, tryBook } from '#/testing/paid-visits.ts'
import { StripeServer, stripeWord } from '#/testing/stripe-server.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { openStripe } from '#/features/stripe-payments/service.ts'

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

beforeAll(async () => {
  const apiBase = await stripe.listen()
  const settings = { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, STRIPE_API_BASE: apiBase, STRIPE_FEE_BASIS_POINTS: '250' }
  t = await openTestApp({ at: now, settings: { ...settings, LIMIT_HOLDS: '100' } })
  t.context.payments = await openStripe(t.context, { timeout: 1000, maxNetworkRetries: 1 })
})
afterAll(async () => {
  stripe.close()
  await t.close()
})
beforeEach(async () => {
  t.clock.set(now)
  stripe.plant(null)
  stripe.asked.length = 0
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services: [{ price: 5200 }], cancelWindow: 1440 })
  await asksFor(t, institute, 'fixed', 1500, false)
  client = await makeUser(t.db)
})

const connect = (token = owner.token) => t.inject('POST', `${salon}/payment-account`, { token, body: {} })
const readAgain = (token = owner.token) => t.inject('POST', `${salon}/payment-account/reading`, { token, body: {} })
const account = async (token = owner.token) => (await t.inject('GET', `${salon}/institute`, { token })).body['paymentAccount']
const connected = async (): Promise<string> =>
  String((await connect()).body['url'])
    .split('/')
    .at(-1) ?? ''
async function ready(): Promise<string> {
  const id = await connected()
  stripe.accounts.set(id, { charges: true, payouts: true })
  await readAgain()
  return id
}
async function tells(type: string, id: string, object: object = {}): Promise<number> {
  const { bytes, headers } = stripeWord(secret, t.clock.now(), { type, object, account: id, id: `evt_account_${++said}` })
  const sent = { payload: bytes, headers: { 'content-type': 'application/json', ...headers } }
  return (await t.inject('POST', '/api/v1/webhooks/stripe', sent)).status
}
const held = async (startsAt = ten): Promise<string> => (await hold(t, client, institute, { startsAt }))._id
/** Booked: where it is paid first, the name of its page. */
async function book(holdId: string): Promise<string | null> {
  const { body, status, text } = await tryBook(t, client, { holdId })
  expect(status, text).toBe(201)
  return body['payment'] ? (String(body['payment']['url']).split('/').at(-1) ?? '') : null
}
const asks = async (holdId: string) => (await t.inject('GET', `${visitsPath}/holds/${holdId}/payment`, { token: client.token })).body

describe('an account', () => {
  it('is made once, however often it is asked for and answers are lost, and its owner is led to Stripe and back', async () => {
    expect(await account()).toEqual({ state: 'none', mayConnect: true })
    stripe.plant({ status: 'hang', times: 2, afterEffect: true })
    expect([(await connect()).status, await account()]).toEqual([503, { state: 'none', mayConnect: true }])
    stripe.plant(null)
    const { body } = await connect()
    expect(body['url']).toMatch(/^https:\/\/connect\.stripe\.com\/setup\/acct_made\d+$/)
    expect((await connect()).body['url']).toBe(body['url'])
    expect(await account()).toEqual({ state: 'incomplete', mayConnect: true })
    expect(stripe.asked.at(-1)?.form).toMatchObject({
      type: 'account_onboarding',
      return_url: `${t.context.publicUrl()}/mysalon/settings/payments?account=asked`,
    })
    const made = stripe.asked.filter(({ path }) => path === '/v1/accounts')
    expect(new Set(made.map(({ key: one }) => one)).size).toBe(1)
    expect(made[0]?.form).toEqual(expect.objectContaining({ country: 'FR', 'metadata[institute]': institute.id }))
  })

  it('is what Stripe answers when it is asked', async () => {
    const id = await connected()
    const states = [
      [{ charges: true, payouts: true }, 'ready'],
      [{ charges: true, payouts: false }, 'payouts_stopped'],
      [{ charges: false, payouts: false }, 'incomplete'],
    ] as const
    for (const [now, state] of states) {
      stripe.accounts.set(id, now)
      expect((await readAgain()).body).toEqual({ state })
      expect(await account()).toMatchObject({ state })
    }
    stripe.plant({ status: 500, times: 9 })
    expect((await readAgain()).status).toBe(503)
  })

  it('is connected by owners alone, since its money goes there', async () => {
    const manager = await makePerson(t.db, institute.id, 'manager')
    expect((await connect(manager.token)).status).toBe(403)
    expect(await account(manager.token)).toEqual({ state: 'none', mayConnect: false })
    expect((await readAgain(manager.token)).body).toEqual({ state: 'none' })
    expect(stripe.asked).toEqual([])
  })

  it('is needed by nobody where the provider is the sandbox', async () => {
    const { payments } = t.context
    t.context.payments = t.payments
    try {
      expect(await account()).toBeNull()
      expect((await connect()).status).toBe(503)
      expect(await book(await held())).not.toBeNull()
    } finally {
      t.context.payments = payments
    }
  })
})

describe('a word about an account', () => {
  it('makes Stripe be asked; what it says itself is not believed', async () => {
    const id = await connected()
    expect(await tells('account.updated', id, { id, charges_enabled: true, payouts_enabled: true })).toBe(200)
    expect(await account()).toMatchObject({ state: 'incomplete' })
    stripe.accounts.set(id, { charges: true, payouts: true })
    expect(await tells('account.updated', id, { id, charges_enabled: false })).toBe(200)
    expect(await account()).toMatchObject({ state: 'ready' })
    const asked = stripe.asked.length
    expect(await tells('account.updated', 'acct_ofnobody', { charges_enabled: true })).toBe(200)
    expect(stripe.asked).toHaveLength(asked)
  })

  it('is told again by Stripe where it could not be asked', async () => {
    const id = await connected()
    stripe.accounts.set(id, { charges: true, payouts: true })
    stripe.plant({ status: 500, times: 9 })
    expect(await tells('account.updated', id)).toBe(503)
    stripe.plant(null)
    expect(await tells('account.updated', id)).toBe(200)
    expect(await account()).toMatchObject({ state: 'ready' })
  })

  it('that this site may ask no more leaves none, and the next one is another', async () => {
    const id = await ready()
    stripe.accounts.leave(id)
    expect(await tells('account.application.deauthorized', id)).toBe(200)
    expect(await account()).toMatchObject({ state: 'none' })
    expect(await book(await held())).toBeNull()
    expect(await connected()).not.toBe(id)
  })

  it('may be lost: accounts are asked about by themselves twice a day, and one that does not answer keeps no other from it', async () => {
    const [id, silent] = [await ready(), 'acct_silent']
    const other = await makeInstitute(t.db, { ownerId: (await makeUser(t.db, { role: 'isPro' })).id })
    const read = (): Promise<unknown> => t.jobs['read_payment_accounts']?.({}) ?? Promise.reject(new Error('no such job'))
    stripe.accounts.set(id, { charges: false, payouts: false })
    await read()
    expect(await account()).toMatchObject({ state: 'ready' })
    t.clock.set(t.clock.now() + 13 * 3_600_000)
    // Before it in their order, and known to nobody at Stripe as long as everything there fails once.
    await sql`insert into payment_accounts (id, institute_id, account_id, made_at) values ('00000000-0000-7000-8000-000000000001', ${other.id}, ${silent}, '2026-11-01')`.execute(
      t.db,
    )
    stripe.plant({ status: 500, times: 2 })
    await read()
    expect(await account()).toMatchObject({ state: 'incomplete' })
    const asked = stripe.asked.length
    await read()
    expect(stripe.asked).toHaveLength(asked)
    t.clock.set(t.clock.now() + 13 * 3_600_000)
    await read()
    const { rows } = await sql`select from payment_accounts where account_id = ${silent}`.execute(t.db)
    expect(rows).toHaveLength(0)
  })

  it('an answer that was asked for before another does not undo it', async () => {
    const id = await ready()
    await sql`update payment_accounts set read_at = ${new Date(t.clock.now() + 60_000)} where account_id = ${id}`.execute(t.db)
    stripe.accounts.set(id, { charges: false, payouts: false })
    expect((await readAgain()).body).toEqual({ state: 'ready' })
    t.clock.set(t.clock.now() + 60_000)
    expect((await readAgain()).body).toEqual({ state: 'incomplete' })
  })
})

describe('a client', () => {
  it('is asked for nothing online before the institute can take it, and pays there', async () => {
    for (const connecting of [async () => '', connected]) {
      await connecting()
      const holdId = await held(later(ten, connecting === connected ? 120 : 0))
      expect(await asks(holdId)).toMatchObject({ deposit: { amount: 0 }, methods: [], payAtSalon: true })
      expect((await tryBook(t, client, { holdId, pay: 'all' })).status).toBe(503)
      expect(await book(holdId)).toBeNull()
      expect((await readVisit(t, client, holdId)).status).toBe('pending')
      const { body } = await t.inject('GET', `${visitsPath}/${holdId}/payments`, { token: client.token })
      expect(body).toMatchObject({ payOnline: false })
    }
    const page = async () => (await t.inject('GET', `/api/v1/client/institutes/${institute.slug}`)).body
    expect(await page()).toMatchObject({ paymentMethods: [], rules: { payAtSalon: true } })
    await ready()
    expect(await page()).toMatchObject({ paymentMethods: ['card', 'paypal'], rules: { payAtSalon: false } })
    expect(stripe.asked.filter(({ path }) => path === '/v1/checkout/sessions')).toEqual([])
  })

  it('pays on the account of the institute, and gets it back from there', async () => {
    const id = await ready()
    const holdId = await held()
    expect(await asks(holdId)).toMatchObject({ deposit: { amount: 5200 }, methods: ['card', 'paypal'], payAtSalon: false })
    const pageId = (await book(holdId)) ?? ''
    expect(stripe.asked.at(-1)).toMatchObject({ account: id, form: { 'payment_intent_data[application_fee_amount]': '130' } })
    expect(await tells('checkout.session.completed', id, stripe.pay(id, pageId))).toBe(200)
    expect((await readVisit(t, client, holdId)).status).toBe('completed')
    await cancelled(t, client, holdId)
    await t.drainJobs()
    expect(stripe.asked.at(-1)).toMatchObject({ path: '/v1/refunds', account: id, form: { refund_application_fee: 'true' } })
    expect(stripe.of(id).refunds).toMatchObject([{ amount: 5200 }])
  })

  it('who was asked before it was stopped may still pay; nobody after is asked', async () => {
    const id = await ready()
    const [first, second] = [await held(), await held(later(ten, 120))]
    const pageId = (await book(first)) ?? ''
    stripe.accounts.set(id, { charges: false, payouts: false })
    await tells('account.updated', id)
    expect(await book(second)).toBeNull()
    stripe.pay(id, pageId)
    t.clock.set(t.clock.now() + 60_000)
    await t.jobs['settle_checkouts']?.({})
    expect((await readVisit(t, client, first)).status).toBe('completed')
    await cancelled(t, client, first)
    await t.drainJobs()
    expect(stripe.of(id).refunds).toMatchObject([{ amount: 5200 }])
  })
})

describe('a fee', () => {
  it('of a card on an account that takes nothing waits until it does', async () => {
    await asksFor(t, institute, 'none')
    await charges(t, institute, { noShow: { percent: 50 } })
    const id = await hasAccount(t, institute, 'acct_offees')
    stripe.accounts.set(id, { charges: true, payouts: true })
    const visit = await held()
    const pageId = (await book(visit)) ?? ''
    await tells('checkout.session.completed', id, stripe.pay(id, pageId))
    t.clock.set(later(ten, 20))
    await t.inject('PUT', `${salon}/appointments/${visit}/attendance`, { token: owner.token, body: { attendance: 'no_show' } })
    t.clock.set(later(ten, 20 + 24 * 60))
    const fee = async () => (await t.inject('GET', `${visitsPath}/${visit}/payments`, { token: client.token })).body['fee']
    stripe.accounts.set(id, { charges: false, payouts: false })
    await tells('account.updated', id)
    await t.jobs['charge_fees']?.({})
    expect(await fee()).toMatchObject({ state: 'due' })
    stripe.accounts.set(id, { charges: true, payouts: false })
    await tells('account.updated', id)
    await t.jobs['charge_fees']?.({})
    expect(await fee()).toMatchObject({ state: 'charged' })
    expect(stripe.asked.at(-1)).toMatchObject({ path: '/v1/payment_intents', account: id, form: { application_fee_amount: '65' } })
  })
})

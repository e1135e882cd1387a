/** Ways to pay online, wherever clients meet them: the search, the page of an institute, a hold and a visit say the same, whatever becomes of its account. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hold, later, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, hasAccount, tryBook } from '#/testing/paid-visits.ts'
import { StripeServer, stripeWord } from '#/testing/stripe-server.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { openStripe } from '#/features/stripe-payments/service.ts'
import type { PaymentProvider } from '#/platform/payment-provider.ts'

const key = 'sk_test_abcdefgh1234'
const secret = 'whsec_ofthesite'
const now = '2026-11-20T11:00:00Z'
const stripe = new StripeServer(key)
let t: TestApp
let provider: PaymentProvider
let institute: MadeInstitute
let account: string
let client: MadeUser
let said = 0
let places = 0

beforeAll(async () => {
  const settings = { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, STRIPE_API_BASE: await stripe.listen(), LIMIT_HOLDS: '100' }
  t = await openTestApp({ at: now, settings })
  provider = await openStripe(t.context, { timeout: 1000, maxNetworkRetries: 1 })
})
afterAll(async () => {
  stripe.close()
  await t.close()
})
beforeEach(async () => {
  t.clock.set(now)
  t.context.payments = provider
  await sql`delete from payment_accounts`.execute(t.db)
  institute = await makeInstitute(t.db, { members: 1, services: [{ price: 5200 }] })
  await asksFor(t, institute, 'none')
  client = await makeUser(t.db)
  account = `acct_ways${++places}`
})

const found = async (way: string): Promise<string[]> => {
  const { body } = await t.inject('GET', `/api/v1/client/institutes?paymentMethod=${way}&pageSize=50`)
  return (body['items'] ?? []).flatMap(({ slug }) => (slug === institute.slug ? [way] : []))
}
/** The ways of each place in which a client meets them. */
async function shown() {
  const search = (await Promise.all(['card', 'paypal', 'klarna'].map(found))).flat()
  const page = (await t.inject('GET', `/api/v1/client/institutes/${institute.slug}`)).body
  const { _id: holdId } = await hold(t, client, institute, { startsAt: later(wall('2026-11-24T09:00'), 60 * said++) })
  const asked = (await t.inject('GET', `${visitsPath}/holds/${holdId}/payment`, { token: client.token })).body
  expect((await tryBook(t, client, { holdId })).status).toBe(201)
  const visit = (await t.inject('GET', `${visitsPath}/${holdId}/payments`, { token: client.token })).body
  return { search, page: page['paymentMethods'], hold: asked['methods'], visit: visit['methods'] }
}
const everywhere = (...ways: string[]) => ({ search: ways, page: ways, hold: ways, visit: ways })

async function becomes(charges: boolean): Promise<void> {
  stripe.accounts.set(account, { charges, payouts: true })
  await tells('account.updated')
}
async function tells(type: string): Promise<void> {
  const { bytes, headers } = stripeWord(secret, t.clock.now(), { type, object: {}, account, id: `evt_ways${++places}` })
  const sent = { payload: bytes, headers: { 'content-type': 'application/json', ...headers } }
  expect((await t.inject('POST', '/api/v1/webhooks/stripe', sent)).status).toBe(200)
}

describe('the ways to pay online', () => {
  it('are none before its account takes payments, and follow it while the site runs', async () => {
    expect(await shown()).toEqual(everywhere())
    await hasAccount(t, institute, account)
    await becomes(false)
    expect(await shown()).toEqual(everywhere())
    await becomes(true)
    expect(await shown()).toEqual(everywhere('card', 'paypal'))
    await becomes(false)
    expect(await shown()).toEqual(everywhere())
  })

  it('are none once the account was taken away, by its word or found out twelve hours later', async () => {
    await hasAccount(t, institute, account)
    await becomes(true)
    stripe.accounts.leave(account)
    await tells('account.application.deauthorized')
    expect(await shown()).toEqual(everywhere())
    await hasAccount(t, institute, account)
    expect((await shown()).search).toEqual(['card', 'paypal'])
    t.clock.set(later(now, 13 * 60))
    await t.jobs['read_payment_accounts']?.({})
    expect(await shown()).toEqual(everywhere())
  })

  it('are those the institute chose where it needs no account: with the sandbox', async () => {
    t.context.payments = t.payments
    expect(await shown()).toEqual(everywhere('card', 'paypal'))
  })

  it('are none on a site where nobody takes money online, whatever an institute had connected', async () => {
    await hasAccount(t, institute, account)
    await becomes(true)
    t.context.payments = null
    expect(await shown()).toEqual(everywhere())
  })

  it('narrow no search that does not ask for one, and giving that up is what is offered', async () => {
    const search = async (query: string) => (await t.inject('GET', `/api/v1/client/institutes?${query}`)).body
    const { total } = await search('')
    expect(total).toBeGreaterThan(0)
    expect(await search('paymentMethod=card')).toMatchObject({ total: 0, relax: [{ filter: 'paymentMethod', total }] })
  })
})

/** Money that goes back of an account which its owner took away from this site: with a stand-in of Stripe, what its owner, its client and the operator are told. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cancelled, hold, refused, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { asksFor, hasAccount, isBalanced, tryBook } from '#/testing/paid-visits.ts'
import { StripeServer, stripeWord } from '#/testing/stripe-server.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { owedRefunds } from '#/features/payments/service.ts'
import { openStripe } from './service.ts'

const key = 'sk_test_abcdefgh1234'
const secret = 'whsec_ofthesite'
const now = '2026-11-20T11:00:00Z'
const salon = '/api/v1/secure/mysalon'
const stripe = new StripeServer(key)
let t: TestApp
let institute: MadeInstitute
let owner: MadeUser
let client: MadeUser
let account: string
let said = 0

beforeAll(async () => {
  const settings = { STRIPE_SECRET_KEY: key, STRIPE_WEBHOOK_SECRET: secret, STRIPE_API_BASE: await stripe.listen() }
  t = await openTestApp({ at: now, settings })
  t.context.payments = await openStripe(t.context, { timeout: 1000, maxNetworkRetries: 0 })
})
afterAll(async () => {
  stripe.close()
  await t.close()
})
beforeEach(async () => {
  stripe.plant(null)
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services: [{ price: 5200 }], cancelWindow: 1440 })
  await asksFor(t, institute, 'fixed', 1500)
  account = await hasAccount(t, institute, `acct_gone${++said}`)
  stripe.accounts.set(account, { charges: true, payouts: true })
  client = await makeUser(t.db)
})

async function tells(type: string, object: object): Promise<void> {
  const { bytes, headers } = stripeWord(secret, t.clock.now(), { type, object, account, id: `evt_gone${++said}` })
  const sent = { payload: bytes, headers: { 'content-type': 'application/json', ...headers } }
  expect((await t.inject('POST', '/api/v1/webhooks/stripe', sent)).status).toBe(200)
}
async function paid(pay: 'deposit' | 'all' = 'deposit'): Promise<string> {
  const { _id: holdId } = await hold(t, client, institute, { startsAt: wall('2026-11-24T10:00') })
  const { body } = await tryBook(t, client, { holdId, pay })
  await tells('checkout.session.completed', stripe.pay(account, String(body['payment']?.['url']).split('/').at(-1) ?? ''))
  return holdId
}
async function takenAway(): Promise<void> {
  stripe.accounts.leave(account)
  await tells('account.application.deauthorized', {})
}
/** Paid, its account taken away, and cancelled in time: its refund was asked for. */
async function owed(): Promise<{ id: string; refundId: string }> {
  const id = await paid()
  await takenAway()
  stripe.asked.length = 0
  await cancelled(t, client, id)
  await send()
  return { id, refundId: (await refundOf(id))?.id ?? '' }
}
const send = (): Promise<unknown> => t.jobs['send_refunds']?.({}) ?? Promise.reject(new Error('no such job'))
const refundOf = async (id: string) =>
  (
    await sql<{
      id: string
      state: string
      why: string | null
      amount: number
    }>`select id, state, why, amount from refunds where appointment_id = ${id}`.execute(t.db)
  ).rows[0]
const salonSays = async (id: string): Promise<unknown[]> => {
  const sale = await t.inject('GET', `${salon}/sales/${id}`, { token: owner.token })
  const first = await t.inject('GET', `${salon}/dashboard`, { token: owner.token })
  return [sale.body['refusedRefunds'], first.body['toDo']?.['refusedRefunds']]
}
const clientSees = async (id: string) => (await t.inject('GET', `${visitsPath}/${id}/payments`, { token: client.token })).body
const refundsAsked = () => stripe.asked.filter(({ account: of }) => of === account).length
const operatorSees = async (refundId: string) => (await owedRefunds(t.context, 100)).filter(({ id }) => id === refundId)
const settles = (refundId: string, token = owner.token) =>
  t.inject('PUT', `${salon}/refunds/${refundId}/settled`, { token, body: { how: 'Cash.' } })

describe('a refund on an account that was taken away', () => {
  it('is tried once, refused with its reason, and owed: its owner, its client and the operator are told', async () => {
    const { id, refundId } = await owed()
    expect(await refundOf(id)).toMatchObject({ state: 'failed', why: 'disconnected' })
    const asked = refundsAsked()
    await send()
    expect([asked, refundsAsked()]).toEqual([1, 1])
    const line = { _id: refundId, why: 'disconnected', amount: { amount: 1500 }, settled: null }
    expect(await salonSays(id)).toMatchObject([[line], [line]])
    await t.drainJobs()
    const letters = (await t.mails(owner.email)).filter(({ kind }) => kind === 'refund_refused')
    expect(letters.map(({ text }) => text)).toEqual([expect.stringMatching(/no longer connected.*your Stripe dashboard/s)])
    expect(letters[0]?.text).not.toContain('tried again')
    expect(await clientSees(id)).toMatchObject({ refused: [{ _id: refundId, amount: { amount: 1500, currency: 'EUR' }, settledAt: null }] })
    expect(await operatorSees(refundId)).toMatchObject([{ amount: 1500, currency: 'EUR', why: 'disconnected', visitId: id }])
    await isBalanced(t)
  })

  it('is noted as given back otherwise by who may: it waits for nobody, its client sees it, and the books hold', async () => {
    const { id, refundId } = await owed()
    const staff = await makePerson(t.db, institute.id, 'staff')
    expect((await settles(refundId, staff.token)).status).toBe(403)
    expect((await settles(refundId)).status).toBe(200)
    expect(await salonSays(id)).toMatchObject([[{ settled: { how: 'Cash.' } }], []])
    const seen = await clientSees(id)
    expect(seen).toMatchObject({ refused: [{ _id: refundId, settledAt: expect.any(String) }] })
    expect(JSON.stringify(seen)).not.toContain('Cash.')
    expect(await operatorSees(refundId)).toEqual([])
    const asked = refundsAsked()
    await send()
    expect(refundsAsked()).toBe(asked)
    await isBalanced(t)
  })

  it('of a visit that was invoiced is a credit note all the same, and adds up', async () => {
    const id = await paid('all')
    await takenAway()
    await cancelled(t, client, id)
    await send()
    expect(await refundOf(id)).toMatchObject({ state: 'failed', why: 'disconnected', amount: 5200 })
    const { documents, payments, refused: left } = (await clientSees(id)) as Record<string, unknown>
    expect(documents).toMatchObject([
      { kind: 'invoice', total: 5200 },
      { kind: 'credit_note', total: -5200 },
    ])
    expect(payments).toMatchObject([{ amount: 5200 }, { kind: 'refund', amount: 5200 }])
    expect(left).toMatchObject([{ amount: { amount: 5200 } }])
    await isBalanced(t)
  })

  it('goes back after all where the access came back and it is asked for again', async () => {
    const { id, refundId } = await owed()
    stripe.accounts.set(account, { charges: true, payouts: true })
    expect((await t.inject('PUT', `${salon}/refunds/${refundId}/again`, { token: owner.token })).body).toMatchObject({ state: 'waiting' })
    await send()
    expect(await refundOf(id)).toMatchObject({ state: 'done', why: null })
    expect((await clientSees(id))['refused']).toEqual([])
    expect(stripe.of(account).refunds).toMatchObject([{ amount: 1500 }])
    expect(refused(await settles(refundId))).toEqual([409, 'wrong_state'])
  })

  it('is no other refusal of Stripe: what the key of the site may not do is asked for again', async () => {
    const id = await paid()
    await cancelled(t, client, id)
    stripe.plant({ status: 403, times: 1, problem: { type: 'invalid_request_error', message: 'The provided key may not refund' } })
    await send()
    expect(await refundOf(id)).toMatchObject({ state: 'waiting' })
    await sql`update refunds set claimed_until = null where appointment_id = ${id}`.execute(t.db)
    await send()
    expect(await refundOf(id)).toMatchObject({ state: 'done' })
  })
})

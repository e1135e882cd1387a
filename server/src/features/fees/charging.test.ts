/** A fee is charged once, whoever waives, corrects, is killed or speaks in between; what a card cannot pay its client can. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import { hashPassword } from '#/features/session/password-hash.ts'
import { later, refused, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { charges, chargesOf, isBalanced, lastCheckout, paidVisit, says, tells } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
const salon = '/api/v1/secure/mysalon'

let t: TestApp
let institute: MadeInstitute
let owner: MadeUser
let client: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  t.payments.fall(false)
  t.payments.chargeState = 'paid'
  t.payments.afterCharge = () => {}
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services: [{ price: 4200 }], cancelWindow: 1440 })
  await charges(t, institute, { noShow: { fixed: 2000 } })
  client = await makeUser(t.db)
})

const marks = (id: string, attendance: string) =>
  t.inject('PUT', `${salon}/appointments/${id}/attendance`, { token: owner.token, body: { attendance } })
const feeOf = async (id: string) =>
  (await t.inject('GET', `${visitsPath}/${id}/payments`, { token: client.token })).body['fee'] as unknown as {
    _id: string
    state: string
  } | null
const runs = async (): Promise<void> => t.jobs['charge_fees']?.({})
const waives = async (id: string) =>
  t.inject('PUT', `${salon}/fees/${(await feeOf(id))?._id}/waive`, { token: owner.token, body: { reason: 'A good reason.' } })
const releaseClaims = () => sql`update checkouts set claimed_until = null`.execute(t.db)

/** A visit that was missed, with its fee about to be charged. */
async function missedVisit(startsAt = ten): Promise<string> {
  const id = await paidVisit(t, client, institute, { startsAt })
  t.clock.set(later(startsAt, 16))
  await marks(id, 'no_show')
  t.clock.set(later(startsAt, 16 + 24 * 60))
  return id
}

describe('between the charge and its answer', () => {
  it('killed: asked again under the same key, it is one charge', async () => {
    const id = await missedVisit()
    t.payments.afterCharge = () => {
      throw new Error('killed')
    }
    await runs()
    expect(await feeOf(id)).toMatchObject({ state: 'charging' })
    t.payments.afterCharge = () => {}
    await releaseClaims()
    await runs()
    expect(await feeOf(id)).toMatchObject({ state: 'charged' })
    expect(await chargesOf(t, id)).toHaveLength(1)
    await isBalanced(t)
  })

  it('the provider does not answer: nothing is said, and the next run charges', async () => {
    const id = await missedVisit()
    t.payments.fall()
    await runs()
    t.payments.fall(false)
    await releaseClaims()
    await runs()
    expect(await feeOf(id)).toMatchObject({ state: 'charged' })
    await isBalanced(t)
  })

  it.each(['waive', 'correct'] as const)('%s: what was taken goes back at once', async (what) => {
    const id = await missedVisit()
    t.payments.afterCharge = async () => {
      const answer = await (what === 'waive' ? waives(id) : marks(id, 'arrived'))
      expect(answer.status, answer.text).toBe(200)
    }
    await runs()
    const { rows } = await sql<{ state: string }>`select state from fees where appointment_id = ${id}`.execute(t.db)
    expect(rows).toEqual([{ state: what === 'waive' ? 'waived' : 'withdrawn' }])
    await isBalanced(t)
    expect((await sql`select amount, reason from refunds where appointment_id = ${id}`.execute(t.db)).rows).toEqual([
      { amount: 2000, reason: 'fee_waived' },
    ])
  })

  it('waived against begun, again and again: charged and not waived, or waived and nothing kept', async () => {
    for (let round = 0; round < 6; round++) {
      t.clock.set(now)
      const id = await missedVisit(later(ten, round * 60))
      await Promise.all([runs(), waives(id)])
      await releaseClaims()
      await runs()
      expect(['waived', 'given_back']).toContain((await feeOf(id))?.state)
      await isBalanced(t)
      const { rows } = await sql<{
        held: number
      }>`select coalesce(sum(amount), 0)::int as held from fee_payments where sale_id = ${id}`.execute(t.db)
      expect(rows[0]?.held).toBe(0)
    }
  })
})

describe('words', () => {
  it('before the answer, twice and out of order: one charge', async () => {
    const id = await missedVisit()
    t.payments.afterCharge = async ({ checkoutId }, charge) => {
      for (const said of [charge, { state: 'failed' } as const, charge])
        expect((await says(t, { kind: 'charge', checkoutId, charge: said })).status).toBe(200)
    }
    await runs()
    expect(await feeOf(id)).toMatchObject({ state: 'charged' })
    await isBalanced(t)
  })

  it('that it was paid after all is true also when it was declined before', async () => {
    const id = await missedVisit()
    t.payments.chargeState = 'failed'
    await runs()
    expect(await feeOf(id)).toMatchObject({ state: 'unpaid' })
    const [key, made] = (await chargesOf(t, id))[0] ?? []
    if (key === undefined || !made) throw new Error('nothing was charged')
    const charge = { state: 'paid', reference: 'late', amount: 2000, currency: 'EUR' } as const
    t.payments.charges.set(key, { ...made, state: charge })
    await says(t, { kind: 'charge', checkoutId: made.order.checkoutId, charge })
    expect(await feeOf(id)).toMatchObject({ state: 'charged' })
    await isBalanced(t)
  })
})

describe('a card that does not pay', () => {
  it.each([
    ['asks', 'asked', 'fee_asked'],
    ['failed', 'unpaid', 'fee_unpaid'],
  ] as const)('%s: a letter leads its client to a page, where it is paid once', async (said, state, kind) => {
    const id = await missedVisit()
    t.payments.chargeState = said
    await runs()
    await runs()
    expect(await feeOf(id)).toMatchObject({ state })
    expect(await chargesOf(t, id)).toHaveLength(1)
    await t.drainJobs()
    const letter = (await t.mails(client.email)).find((mail) => mail.kind === kind)
    expect(letter?.text).toContain(`/appointment/${id}`)
    expect((await t.inject('GET', `${salon}/fees`, { token: owner.token })).body['items']).toMatchObject([{ state }])
    const asked = await t.inject('POST', `${visitsPath}/${id}/fee/payments`, { token: client.token, body: {} })
    expect(asked.status, asked.text).toBe(201)
    await tells(t, await lastCheckout(t, id), 'paid')
    expect(await feeOf(id)).toMatchObject({ state: 'charged' })
    expect(refused(await t.inject('POST', `${visitsPath}/${id}/fee/payments`, { token: client.token, body: {} }))).toEqual([
      409,
      'wrong_state',
    ])
    await isBalanced(t)
  })

  it('waived while its page is open: what is paid there goes back', async () => {
    const id = await missedVisit()
    t.payments.chargeState = 'asks'
    await runs()
    await t.inject('POST', `${visitsPath}/${id}/fee/payments`, { token: client.token, body: {} })
    expect((await waives(id)).status).toBe(200)
    await tells(t, await lastCheckout(t, id), 'paid')
    expect(await feeOf(id)).toMatchObject({ state: 'waived' })
    await isBalanced(t)
    expect((await sql`select amount from refunds where appointment_id = ${id}`.execute(t.db)).rows).toEqual([{ amount: 2000 }])
  })
})

describe('a saved card', () => {
  const cards = async () => (await t.inject('GET', '/api/v1/secure/client/cards', { token: client.token })).body['items'] ?? []
  const remove = (id: unknown) => t.inject('DELETE', `/api/v1/secure/client/cards/${String(id)}`, { token: client.token })

  it('[P-10] is shown by brand and last four, and goes when no visit and no fee needs it', async () => {
    const id = await missedVisit()
    const [card] = await cards()
    expect(card).toMatchObject({ brand: 'Visa', lastFour: '4242', needed: true })
    expect(refused(await remove(card?.['_id']))).toEqual([409, 'card_needed'])
    await runs()
    expect(await feeOf(id)).toMatchObject({ state: 'charged' })
    t.clock.set(later(ten, 3 * 24 * 60))
    expect((await remove(card?.['_id'])).status).toBe(200)
    expect(refused(await remove(card?.['_id']))).toEqual([404, 'not_found'])
    expect(await cards()).toEqual([])
    expect(t.payments.forgotten).toHaveLength(1)
  })

  it('[P-10] is forgotten by a provider that is away as soon as it is back, and with the account of its owner', async () => {
    const settled = async (startsAt: string): Promise<number> => {
      await missedVisit(startsAt)
      await runs()
      t.clock.set(later(startsAt, 3 * 24 * 60))
      return t.payments.forgotten.length
    }
    const before = await settled(ten)
    const [card] = await cards()
    t.payments.fall()
    expect((await remove(card?.['_id'])).status).toBe(200)
    t.payments.fall(false)
    await t.drainJobs()
    expect(t.payments.forgotten.length - before).toBe(1)
    client = await makeUser(t.db)
    const password = 'quiet morning tea'
    await sql`update users set password_hash = ${await hashPassword(password, 'test')} where id = ${client.id}`.execute(t.db)
    const kept = await settled(wall('2026-12-02T10:00'))
    expect((await t.inject('DELETE', '/api/v1/secure/client/account', { token: client.token, body: { password } })).status).toBe(200)
    await t.drainJobs()
    expect(t.payments.forgotten.length - kept).toBe(1)
  })
})

/** Numbers that are the same at every run. */
function numbers(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return state % most
  }
}

describe('fee and deposit', () => {
  it.each(['EUR', 'MAD', 'TND', 'JPY'])('%s: together never more than the price, and what is shown is what is moved', async (currency) => {
    const pick = numbers(currency.charCodeAt(0) * 1000 + currency.charCodeAt(1))
    for (let round = 0; round < 5; round++) {
      t.clock.set(now)
      const price = 1 + pick(currency === 'JPY' ? 20_000 : 90_000)
      const shop = await makeInstitute(t.db, { members: 1, currency, services: [{ price }], cancelWindow: 1440, rescheduleWindow: 60 })
      const part = () => (pick(2) === 0 ? { fixed: 1 + pick(120_000) } : { percent: 1 + pick(100) })
      await charges(t, shop, { late: part() })
      await sql`update institutes set deposit_kind = 'percent', deposit_percent = ${1 + pick(100)} where id = ${shop.id}`.execute(t.db)
      const id = await paidVisit(t, client, shop, { startsAt: ten, paymentMethod: 'card' })
      t.clock.set(later(ten, -600))
      const { body } = await t.inject('GET', `${visitsPath}/${id}/payments`, { token: client.token })
      const shown = body['ifCancelled'] as unknown as Record<'refunded' | 'kept' | 'charged', { amount: number }>
      expect(shown.kept.amount + shown.charged.amount).toBeLessThanOrEqual(price)
      await t.inject('PUT', `${visitsPath}/${id}/cancel`, { token: client.token })
      t.clock.set(later(ten, 24 * 60))
      await runs()
      const { rows } = await sql<{ kept: number; charged: number; back: number }>`select
        (select coalesce(sum(amount), 0)::int from kept_deposits where sale_id = ${id}) as kept,
        (select coalesce(sum(amount), 0)::int from fee_payments where sale_id = ${id}) as charged,
        (select coalesce(sum(amount), 0)::int from refunds where appointment_id = ${id}) as back`.execute(t.db)
      expect(rows[0]).toEqual({ kept: shown.kept.amount, charged: shown.charged.amount, back: shown.refunded.amount })
    }
    expect((await verifyLedgers(t.db)).faults).toEqual([])
  })
})

/** The desk takes the fee of who did not come at once, instead of waiting until it is due: the same charge, once. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { later, refused, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { asksFor, charges, chargesOf, isBalanced, paidVisit } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
const missedAt = later(ten, 16)
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
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, {
    ownerId: owner.id,
    members: 1,
    services: [{ price: 4200 }],
    cancelWindow: 1440,
    rescheduleWindow: 120,
  })
  await charges(t, institute, { late: { percent: 50 }, noShow: { percent: 50 } })
  await asksFor(t, institute, 'percent', 30)
  client = await makeUser(t.db)
})

const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, more: { body?: object; user?: MadeUser; key?: string } = {}) =>
  t.inject(method, salon + path, {
    token: (more.user ?? owner).token,
    ...(more.body && { body: more.body }),
    ...(more.key !== undefined && { headers: { 'idempotency-key': more.key } }),
  })
const marks = (id: string, attendance: string) => ask('PUT', `/appointments/${id}/attendance`, { body: { attendance } })
const feeOf = async (id: string) => {
  const { body } = await t.inject('GET', `${visitsPath}/${id}/payments`, { token: client.token })
  return body['fee'] as unknown as { _id: string; state: string; amount: { amount: number } }
}
const takes = (feeId: string, more: { user?: MadeUser; key?: string } = {}) => ask('POST', `/fees/${feeId}/charge`, more)
/** Paul, €12.60 of whose €42.00 are paid, did not come: €21.00 are due. */
async function missed(at = missedAt): Promise<{ id: string; feeId: string }> {
  const id = await paidVisit(t, client, institute, { startsAt: ten })
  t.clock.set(at)
  await marks(id, 'no_show')
  return { id, feeId: (await feeOf(id))._id }
}
const letters = async () => (await t.mails(client.email)).map(({ kind }) => kind)

describe('the fee of a missed visit is taken now', () => {
  it('[E-10] what is due more than what is held, of the card that was kept, told in one letter, and not asked again a day later', async () => {
    const { id, feeId } = await missed()
    const answer = await takes(feeId)
    expect([answer.status, answer.body]).toEqual([201, { state: 'charged' }])
    expect(await feeOf(id)).toMatchObject({ state: 'charged', amount: { amount: 840 } })
    t.clock.set(later(missedAt, 24 * 60))
    await t.jobs['charge_fees']?.({})
    expect(await chargesOf(t, id)).toHaveLength(1)
    await t.drainJobs()
    expect((await letters()).filter((kind) => kind.startsWith('fee'))).toEqual(['fee_charged', 'fee_due'])
    await isBalanced(t)
  })

  it('once for one key, however often it is sent, with the same answer each time; another press is refused', async () => {
    const { id, feeId } = await missed()
    const answers = await Promise.all([1, 2, 3, 4].map(() => takes(feeId, { key: 'one-key-of-a-fee' })))
    answers.push(await takes(feeId, { key: 'one-key-of-a-fee' }))
    expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 201))
    expect(answers.map(({ body }) => body)).toEqual(answers.map(() => ({ state: 'charged' })))
    expect(refused(await takes(feeId, { key: 'another-key' }))).toEqual([409, 'wrong_state'])
    expect(await chargesOf(t, id)).toHaveLength(1)
    await isBalanced(t)
  })

  it('and is given back, not undone', async () => {
    const { id, feeId } = await missed()
    await takes(feeId)
    expect(refused(await ask('DELETE', `/fees/${feeId}/waive`))).toEqual([422, 'too_late'])
    expect((await ask('PUT', `/fees/${feeId}/waive`, { body: { reason: 'Their train stood still.' } })).status).toBe(200)
    expect(await feeOf(id)).toMatchObject({ state: 'given_back' })
    await isBalanced(t)
    expect((await sql`select amount, reason from refunds where appointment_id = ${id}`.execute(t.db)).rows).toEqual([
      { amount: 840, reason: 'fee_waived' },
    ])
  })

  it.each([
    ['asks', 'asked'],
    ['failed', 'unpaid'],
  ] as const)('a card that %s is told as it is, and not tried twice', async (said, state) => {
    const { id, feeId } = await missed()
    t.payments.chargeState = said
    expect((await takes(feeId)).body).toEqual({ state })
    expect(refused(await takes(feeId))).toEqual([409, 'wrong_state'])
    expect(await chargesOf(t, id)).toHaveLength(1)
    await isBalanced(t)
  })

  it('a provider that does not answer is asked again under the same key', async () => {
    const { id, feeId } = await missed()
    t.payments.fall()
    expect((await takes(feeId)).body).toEqual({ state: 'charging' })
    t.payments.fall(false)
    await sql`update checkouts set claimed_until = null`.execute(t.db)
    await t.jobs['charge_fees']?.({})
    expect(await feeOf(id)).toMatchObject({ state: 'charged' })
    expect(await chargesOf(t, id)).toHaveLength(1)
    await isBalanced(t)
  })
})

describe('it is not taken now', () => {
  it('before the grace after the start is over', async () => {
    const { id, feeId } = await missed(later(ten, 5))
    expect(refused(await takes(feeId))).toEqual([409, 'wrong_state'])
    t.clock.set(later(ten, 15))
    expect((await takes(feeId)).body).toEqual({ state: 'charged' })
    expect(await chargesOf(t, id)).toHaveLength(1)
  })

  it('of who cancelled late, who has read that it is a day later', async () => {
    const id = await paidVisit(t, client, institute, { startsAt: ten })
    t.clock.set(later(ten, -600))
    await t.inject('PUT', `${visitsPath}/${id}/cancel`, { token: client.token })
    expect(refused(await takes((await feeOf(id))._id))).toEqual([409, 'wrong_state'])
    expect(await chargesOf(t, id)).toHaveLength(0)
  })

  it('once it is waived, without a card, nor by whoever may not give money back', async () => {
    const { feeId } = await missed()
    for (const level of ['reception', 'staff'] as const)
      expect(refused(await takes(feeId, { user: await makePerson(t.db, institute.id, level) }))).toEqual([403, 'forbidden'])
    const stranger = await makeUser(t.db, { role: 'isPro' })
    await makeInstitute(t.db, { ownerId: stranger.id })
    expect(refused(await takes(feeId, { user: stranger }))).toEqual([404, 'not_found'])
    await ask('PUT', `/fees/${feeId}/waive`, { body: { reason: 'Their train stood still.' } })
    expect(refused(await takes(feeId))).toEqual([409, 'wrong_state'])
    await ask('DELETE', `/fees/${feeId}/waive`)
    await sql`update saved_cards set removed_at = ${now} where user_id = ${client.id}`.execute(t.db)
    expect(refused(await takes(feeId))).toEqual([409, 'wrong_state'])
  })

  it('against waived at the same time: taken and given back, or never taken', async () => {
    const { id, feeId } = await missed()
    await Promise.all([takes(feeId), ask('PUT', `/fees/${feeId}/waive`, { body: { reason: 'Their train stood still.' } })])
    await t.jobs['charge_fees']?.({})
    expect(['waived', 'given_back']).toContain((await feeOf(id)).state)
    await isBalanced(t)
    const { rows } = await sql<{
      held: number
    }>`select coalesce(sum(amount), 0)::int as held from fee_payments where sale_id = ${id}`.execute(t.db)
    expect(rows[0]?.held).toBe(0)
  })
})

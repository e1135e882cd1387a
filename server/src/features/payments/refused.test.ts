/** A refund that its provider refused: who sees it, and that asking again gives back once. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cancelled, refused, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, isBalanced, paidVisit } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
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
  t.payments.refundState = 'failed'
  t.payments.refundWhy = null
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services: [{ price: 3800 }], cancelWindow: 1440 })
  await asksFor(t, institute, 'fixed', 1500)
  client = await makeUser(t.db)
})

/** Paid, cancelled in time, and the provider gave nothing back. */
async function refusedVisit(): Promise<{ id: string; refundId: string }> {
  const id = await paidVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00'), lines: [[0]] })
  await cancelled(t, client, id)
  await t.jobs['send_refunds']?.({})
  const { rows } = await sql<{ id: string }>`select id from refunds where appointment_id = ${id} and state = 'failed'`.execute(t.db)
  return { id, refundId: rows[0]?.id ?? '' }
}
const refundOf = async (refundId: string) =>
  (await sql<{ state: string; reference: string | null }>`select state, reference from refunds where id = ${refundId}`.execute(t.db))
    .rows[0]
const settled = (refundId: string, how: string, who = owner) =>
  t.inject('PUT', `${salon}/refunds/${refundId}/settled`, { token: who.token, body: { how } })
const again = (refundId: string, who = owner) => t.inject('PUT', `${salon}/refunds/${refundId}/again`, { token: who.token })
const seen = async (id: string): Promise<unknown[]> => {
  const sale = await t.inject('GET', `${salon}/sales/${id}`, { token: owner.token })
  const dashboard = await t.inject('GET', `${salon}/dashboard`, { token: owner.token })
  return [sale.body['refusedRefunds'], (dashboard.body as unknown as { toDo: { refusedRefunds: unknown } }).toDo.refusedRefunds]
}
const says = (refundId: string, state: 'done' | 'failed', reference?: string) => {
  const word = { id: crypto.randomUUID(), at: t.clock.now(), kind: 'refund', refundId, state, ...(reference && { reference }) } as const
  const { payload, headers } = t.payments.sign(word)
  return t.inject('POST', '/api/v1/webhooks/sandbox', { payload, headers })
}

describe('a refund that was refused', () => {
  it('is on the sale and waits on the first page, until it is asked for again and has gone back', async () => {
    const { id, refundId } = await refusedVisit()
    const one = { _id: refundId, saleId: id, amount: { amount: 1500, currency: 'EUR' }, method: 'card', client: expect.any(String) }
    expect(await seen(id)).toMatchObject([[one], [one]])
    t.payments.refundState = 'done'
    expect((await again(refundId)).body).toEqual({ _id: refundId, state: 'waiting' })
    expect(await seen(id)).toEqual([[], []])
    await isBalanced(t)
    expect(await refundOf(refundId)).toMatchObject({ state: 'done' })
    expect((await again(refundId)).body).toEqual({ _id: refundId, state: 'done' })
    await isBalanced(t)
  })

  it('is sent once by however many ask at once, and shows again where it is refused again', async () => {
    const { id, refundId } = await refusedVisit()
    const before = t.payments.refunds.size
    const answers = await Promise.all([again(refundId), again(refundId), again(refundId)])
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
    await t.jobs['send_refunds']?.({})
    await t.jobs['send_refunds']?.({})
    expect([t.payments.refunds.size - before, await refundOf(refundId)]).toMatchObject([1, { state: 'failed' }])
    expect(await seen(id)).toMatchObject([[{ _id: refundId }], [{ _id: refundId }]])
    const letters = (await t.mails(owner.email)).filter(({ kind }) => kind === 'refund_refused')
    expect(letters.length).toBeLessThan(2)
  })

  it('hears no more of the try before, however late its word is', async () => {
    const { refundId } = await refusedVisit()
    const first = (await refundOf(refundId))?.reference ?? ''
    t.payments.refundState = 'waiting'
    await again(refundId)
    expect((await says(refundId, 'failed', first)).status).toBe(200)
    await t.jobs['send_refunds']?.({})
    const second = (await refundOf(refundId))?.reference ?? ''
    expect(second).not.toBe(first)
    await says(refundId, 'failed', first)
    expect(await refundOf(refundId)).toMatchObject({ state: 'waiting' })
    await says(refundId, 'done', second)
    expect(await refundOf(refundId)).toMatchObject({ state: 'done' })
  })

  it('says why it was refused, in a word that the provider’s own words come to', async () => {
    t.payments.refundWhy = 'card_gone'
    const { id, refundId } = await refusedVisit()
    expect(await seen(id)).toMatchObject([[{ why: 'card_gone' }], [{ why: 'card_gone' }]])
    t.payments.refundState = 'waiting'
    await again(refundId)
    await t.jobs['send_refunds']?.({})
    await says(refundId, 'failed', (await refundOf(refundId))?.reference ?? '')
    expect(await seen(id)).toMatchObject([[{ why: null }], [{ why: null }]])
  })

  it('is noted as paid back otherwise: it waits no more, and nothing is ever sent', async () => {
    const { id, refundId } = await refusedVisit()
    const before = t.payments.refunds.size
    expect((await settled(refundId, 'A bank transfer.')).body).toEqual({ message: 'The refund is noted as paid back otherwise.' })
    const name = { by: expect.any(String), how: 'A bank transfer.', at: expect.any(String) }
    expect(await seen(id)).toMatchObject([[{ _id: refundId, settled: name }], []])
    expect((await settled(refundId, 'Cash.')).status).toBe(200)
    expect(await seen(id)).toMatchObject([[{ settled: name }], []])
    expect(refused(await again(refundId))).toEqual([409, 'wrong_state'])
    await t.jobs['send_refunds']?.({})
    expect(t.payments.refunds.size).toBe(before)
  })

  it('is either sent again or paid back otherwise, whoever is first', async () => {
    const { refundId } = await refusedVisit()
    t.payments.refundState = 'done'
    const answers = await Promise.all([again(refundId), settled(refundId, 'A bank transfer.')])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409])
    await t.jobs['send_refunds']?.({})
    expect(await refundOf(refundId)).toMatchObject({ state: answers[0].status === 200 ? 'done' : 'failed' })
    expect([200, 409]).toContain((await settled(refundId, 'Again.')).status)
  })

  it('is nobody else’s', async () => {
    const { refundId } = await refusedVisit()
    const neighbour = await makeUser(t.db, { role: 'isPro' })
    await makeInstitute(t.db, { ownerId: neighbour.id, members: 1, services: [{ price: 3800 }] })
    expect((await again(refundId, neighbour)).status).toBe(404)
    expect((await settled(refundId, 'Cash.', neighbour)).status).toBe(404)
    expect((await again(refundId, client)).status).toBe(403)
    expect((await settled(refundId, 'Cash.', client)).status).toBe(403)
    expect(await refundOf(refundId)).toMatchObject({ state: 'failed' })
  })
})

/** Fees of late cancellations and missed visits: agreed with the booking, made, waived, corrected and charged. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cancelled, hold, later, readVisit, refused, tryCancel, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, charges, chargesOf, isBalanced, lastCheckout, paidVisit, tells, tryBook } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
/** Tuesday at ten; free until Monday at ten, moved until eight. */
const ten = wall('2026-11-24T10:00')
const late = wall('2026-11-23T20:00')
const missed = later(ten, 16)
const dayAfter = (instant: string): string => later(instant, 24 * 60)
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
  const services = [{ price: 4200 }]
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services, cancelWindow: 1440, rescheduleWindow: 120 })
  await charges(t, institute, { late: { percent: 50 }, noShow: { percent: 50 } })
  client = await makeUser(t.db)
})

const visit = (more: { pay?: 'all'; paymentMethod?: string } = {}): Promise<string> =>
  paidVisit(t, client, institute, { startsAt: ten, ...more })
const money = async (id: string) => (await t.inject('GET', `${visitsPath}/${id}/payments`, { token: client.token })).body
const marks = (id: string, attendance: string) =>
  t.inject('PUT', `${salon}/appointments/${id}/attendance`, { token: owner.token, body: { attendance } })
const runs = async (): Promise<void> => t.jobs['charge_fees']?.({})
const waives = (feeId: unknown, token = owner.token) =>
  t.inject('PUT', `${salon}/fees/${String(feeId)}/waive`, { token, body: { reason: 'Their train stood still.' } })
const takesBack = (feeId: unknown) => t.inject('DELETE', `${salon}/fees/${String(feeId)}/waive`, { token: owner.token })
/** What is told once a waiver can be taken back no more. */
const told = async (feeId: unknown): Promise<void> => t.jobs['tell_of_waivers']?.({ feeId, instituteId: institute.id })
const feeOf = async (id: string) => (await money(id))['fee']
const letters = async (): Promise<string[]> => (await t.mails(client.email)).map(({ kind }) => kind)

describe('booking', () => {
  it('[E-10] keeps a card on one page, takes nothing, and nobody books around it', async () => {
    const { _id: holdId } = await hold(t, client, institute, { startsAt: ten })
    const plan = await t.inject('GET', `${visitsPath}/holds/${holdId}/payment`, { token: client.token })
    expect(plan.body).toMatchObject({
      deposit: { amount: 0 },
      fees: { lateCancel: { amount: 2100 }, noShow: { amount: 2100 }, graceMinutes: 15 },
    })
    const way = await tryBook(t, client, { holdId, paymentMethod: 'paypal' })
    expect(refused(way)).toEqual([400, 'bad_input'])
    const asked = await tryBook(t, client, { holdId })
    expect(asked.body['payment'], asked.text).toBeDefined()
    expect((await t.inject('GET', `${visitsPath}/${holdId}`, { token: client.token })).status).toBe(404)
    await tells(t, await lastCheckout(t, holdId), 'paid')
    expect(await readVisit(t, client, holdId)).toMatchObject({ status: 'pending', payAtSalon: true })
    expect(await money(holdId)).toMatchObject({
      due: { amount: 4200 },
      payments: [],
      feeTerms: { lateCancel: { amount: 2100 }, noShow: { amount: 2100 }, card: { brand: 'Visa', lastFour: '4242' } },
      lateCancelling: { costs: { amount: 2100 } },
      fee: null,
    })
    expect((await t.mails(client.email)).at(-1)?.text).toContain('After that, cancelling costs €21. If you do not come, €21 is charged.')
    await isBalanced(t)
  })

  it('with a deposit one page does both; where more is paid than any fee, no card is kept', async () => {
    await asksFor(t, institute, 'fixed', 1260)
    const id = await visit()
    expect(await readVisit(t, client, id)).toMatchObject({ status: 'deposit_paid' })
    expect((await money(id))['feeTerms']).toMatchObject({ card: { lastFour: '4242' } })
    const all = await paidVisit(t, client, institute, { startsAt: later(ten, 120), pay: 'all', paymentMethod: 'paypal' })
    expect((await money(all))['feeTerms']).toMatchObject({ card: null })
    await isBalanced(t)
  })

  it('a second page that is ended for the same visit changes nothing', async () => {
    const { _id: holdId } = await hold(t, client, institute, { startsAt: ten })
    await tryBook(t, client, { holdId })
    const first = await lastCheckout(t, holdId)
    await t.inject('DELETE', `${visitsPath}/holds/${holdId}/payment`, { token: client.token })
    await tryBook(t, client, { holdId })
    await tells(t, await lastCheckout(t, holdId), 'paid')
    expect((await tells(t, first, 'paid')).status).toBe(200)
    expect(await readVisit(t, client, holdId)).toMatchObject({ status: 'pending' })
    await isBalanced(t)
  })

  it('an institute that charges nothing books in one step as ever', async () => {
    await charges(t, institute, {})
    const { _id: holdId } = await hold(t, client, institute, { startsAt: ten })
    expect((await tryBook(t, client, { holdId })).body['payment']).toBeUndefined()
  })
})

describe('its client cancels', () => {
  it('in time, and within the grace after it: nothing is charged', async () => {
    for (const at of [now, later(wall('2026-11-23T10:00'), 15)]) {
      t.clock.set(now)
      const id = await visit()
      t.clock.set(at)
      expect((await money(id))['ifCancelled']).toMatchObject({ charged: { amount: 0 } })
      await cancelled(t, client, id)
      expect(await feeOf(id)).toBeNull()
    }
  })

  it('[E-10] late: told before the click, charged a day later, once, and both letters say so', async () => {
    const id = await visit()
    t.clock.set(late)
    expect((await money(id))['ifCancelled']).toMatchObject({ refunded: { amount: 0 }, kept: { amount: 0 }, charged: { amount: 2100 } })
    await cancelled(t, client, id)
    expect(await feeOf(id)).toMatchObject({ kind: 'late_cancel', state: 'due', amount: { amount: 2100 }, dueAt: dayAfter(late) })
    await runs()
    expect(await chargesOf(t, id)).toEqual([])
    t.clock.set(dayAfter(late))
    await Promise.all([runs(), runs()])
    await runs()
    expect(await feeOf(id)).toMatchObject({ state: 'charged' })
    expect((await chargesOf(t, id)).map(([, { order }]) => order.amount)).toEqual([2100])
    await t.drainJobs()
    expect((await letters()).toSorted()).toEqual(['fee_charged', 'fee_due', 'visit_booked', 'visit_cancelled'])
    await isBalanced(t)
  })

  it('late with a deposit: only what the fee is more than it; paid in full: kept of that', async () => {
    await asksFor(t, institute, 'fixed', 1260)
    const id = await visit()
    t.clock.set(late)
    expect((await money(id))['ifCancelled']).toMatchObject({ refunded: { amount: 0 }, kept: { amount: 1260 }, charged: { amount: 840 } })
    await cancelled(t, client, id)
    expect(await feeOf(id)).toMatchObject({ amount: { amount: 840 } })
    t.clock.set(now)
    const all = await paidVisit(t, client, institute, { startsAt: ten, pay: 'all' })
    t.clock.set(late)
    expect((await money(all))['ifCancelled']).toMatchObject({ refunded: { amount: 2100 }, kept: { amount: 2100 }, charged: { amount: 0 } })
    await cancelled(t, client, all)
    expect(await feeOf(all)).toBeNull()
    await isBalanced(t)
  })

  it('the institute cancelling late costs the client nothing', async () => {
    const id = await visit()
    t.clock.set(late)
    const answer = await t.inject('PUT', `${salon}/appointments/${id}/cancel`, { token: owner.token, body: {} })
    expect(answer.status, answer.text).toBe(200)
    t.clock.set(later(late, 5))
    await t.drainJobs()
    expect(await feeOf(id)).toBeNull()
  })

  it('later than it may be moved there is only the telephone', async () => {
    const id = await visit()
    t.clock.set(wall('2026-11-24T08:30'))
    expect(refused(await tryCancel(t, client, id))).toEqual([422, 'too_late'])
  })
})

describe('its client does not come', () => {
  it('[E-10] €12.60 held of €21.00: the rest is due; waived with a reason it is never charged', async () => {
    await asksFor(t, institute, 'fixed', 1260)
    const id = await visit()
    t.clock.set(missed)
    expect((await marks(id, 'no_show')).status).toBe(200)
    const fee = await feeOf(id)
    expect(fee).toMatchObject({ kind: 'no_show', amount: { amount: 840 }, state: 'due', dueAt: dayAfter(missed) })
    expect((await t.inject('GET', `${salon}/fees`, { token: owner.token })).body['items']).toMatchObject([{ visitId: id, state: 'due' }])
    expect((await waives(fee?.['_id'])).status).toBe(200)
    expect(refused(await waives(fee?.['_id']))).toEqual([409, 'wrong_state'])
    t.clock.set(dayAfter(missed))
    await runs()
    expect(await feeOf(id)).toMatchObject({ state: 'waived' })
    expect(await chargesOf(t, id)).toEqual([])
    await t.drainJobs()
    expect(await letters()).not.toContain('fee_waived')
    await told(fee?.['_id'])
    await t.drainJobs()
    expect(await letters()).toContain('fee_waived')
    await isBalanced(t)
  })

  it('[E-10] a waiver is taken back for ten seconds: due as it was, and nobody is told', async () => {
    const id = await visit()
    t.clock.set(missed)
    await marks(id, 'no_show')
    const fee = await feeOf(id)
    await waives(fee?.['_id'])
    t.clock.set(new Date(Date.parse(missed) + 9000).toISOString())
    expect((await takesBack(fee?.['_id'])).status).toBe(200)
    expect(await feeOf(id)).toEqual(fee)
    expect((await t.inject('GET', `${salon}/fees`, { token: owner.token })).body['items']).toMatchObject([{ visitId: id, state: 'due' }])
    await told(fee?.['_id'])
    await t.drainJobs()
    expect(await letters()).not.toContain('fee_waived')
    expect(refused(await takesBack(fee?.['_id']))).toEqual([422, 'too_late'])
    t.clock.set(dayAfter(missed))
    await runs()
    expect((await chargesOf(t, id)).map(([, { order }]) => order.amount)).toEqual([2100])
    await isBalanced(t)
  })

  it('a waiver of longer ago stays', async () => {
    const id = await visit()
    t.clock.set(missed)
    await marks(id, 'no_show')
    const fee = await feeOf(id)
    await waives(fee?.['_id'])
    t.clock.set(new Date(Date.parse(missed) + 10_001).toISOString())
    expect(refused(await takesBack(fee?.['_id']))[1]).toBe('too_late')
    expect(await feeOf(id)).toMatchObject({ state: 'waived' })
  })

  it('marked within the grace, its time begins when that is over', async () => {
    const id = await visit()
    t.clock.set(later(ten, 2))
    await marks(id, 'no_show')
    expect(await feeOf(id)).toMatchObject({ dueAt: dayAfter(later(ten, 15)) })
  })

  it('the attendance corrected: withdrawn; missed after all: made anew', async () => {
    const id = await visit()
    t.clock.set(missed)
    await marks(id, 'no_show')
    await marks(id, 'arrived')
    expect(await feeOf(id)).toBeNull()
    t.clock.set(later(missed, 5))
    await marks(id, 'no_show')
    expect(await feeOf(id)).toMatchObject({ state: 'due', dueAt: dayAfter(later(missed, 5)) })
  })

  it('charged and given back: the money goes back once, and the books know', async () => {
    const id = await visit()
    t.clock.set(missed)
    await marks(id, 'no_show')
    t.clock.set(dayAfter(missed))
    await runs()
    const { _id } = (await feeOf(id)) as unknown as { _id: string }
    const { rows: before } = await sql`select account, amount::int from ledger_lines where sale_id = ${id} order by account`.execute(t.db)
    expect(before).toEqual([
      { account: 'kept', amount: -2100 },
      { account: 'online', amount: 2100 },
    ])
    expect((await Promise.all([waives(_id), waives(_id)])).map(({ status }) => status).toSorted()).toEqual([200, 409])
    await isBalanced(t)
    expect(await feeOf(id)).toMatchObject({ state: 'given_back' })
    const { rows } = await sql`select amount, reason, state from refunds where appointment_id = ${id}`.execute(t.db)
    expect(rows).toEqual([{ amount: 2100, reason: 'fee_waived', state: 'done' }])
    await t.drainJobs()
    expect((await letters()).filter((kind) => kind.startsWith('fee_') || kind === 'payment_returned')).toEqual(
      expect.arrayContaining(['fee_due', 'fee_charged', 'fee_given_back']),
    )
    expect(await letters()).not.toContain('payment_returned')
  })
})

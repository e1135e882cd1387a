/** Money that was paid online, and goes back or is kept: by who cancels and when, what was paid too late, and by a credit note. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cancelled, hold, later, moved, readVisit, refused, tryCancel, tryHold, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, isBalanced, lastCheckout, paidVisit, tells, tryBook } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
/** Tuesday at ten; free until Monday at ten, moved until eight. */
const ten = wall('2026-11-24T10:00')
const late = wall('2026-11-23T20:00')
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
  t.payments.refundState = 'done'
  owner = await makeUser(t.db, { role: 'isPro' })
  const services = [{ price: 3800 }, { price: 1400 }]
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services, cancelWindow: 1440, rescheduleWindow: 120 })
  await asksFor(t, institute, 'fixed', 1500)
  client = await makeUser(t.db)
})

const visit = (more: { pay?: 'all'; startsAt?: string; paymentMethod?: string } = {}): Promise<string> =>
  paidVisit(t, client, institute, { startsAt: ten, lines: [[0], [1]], ...more })
const refundsOf = async (id: string) =>
  (await sql`select amount, reason, state from refunds where appointment_id = ${id} order by made_at, amount`.execute(t.db)).rows
const keptOf = async (id: string): Promise<number> =>
  (await sql<{ amount: number }>`select amount from kept_deposits where sale_id = ${id}`.execute(t.db)).rows[0]?.amount ?? 0
const money = (id: string) => t.inject('GET', `${visitsPath}/${id}/payments`, { token: client.token })
const wouldGiveBack = (id: string) => t.inject('GET', `${salon}/appointments/${id}/cancellation`, { token: owner.token })
const documentsOf = async (id: string) =>
  (await sql`select kind, total, vat from documents where sale_id = ${id} order by position`.execute(t.db)).rows
const letterAbout = async (kind: string): Promise<string> => (await t.mails(client.email)).find((mail) => mail.kind === kind)?.text ?? ''

describe('its client cancels', () => {
  it('in time: all goes back, and the letter says so', async () => {
    const id = await visit()
    expect((await money(id)).body['ifCancelled']).toEqual({
      refunded: { amount: 1500, currency: 'EUR' },
      kept: { amount: 0, currency: 'EUR' },
      charged: { amount: 0, currency: 'EUR' },
    })
    expect((await cancelled(t, client, id)).status).toBe('cancelled')
    await isBalanced(t)
    expect(await refundsOf(id)).toEqual([{ amount: 1500, reason: 'cancelled_by_client', state: 'done' }])
    expect(await letterAbout('visit_cancelled')).toContain('€15 goes back to you the way you paid.')
    expect((await t.mails(client.email)).map(({ kind }) => kind).toSorted()).toEqual(['visit_booked', 'visit_cancelled'])
  })

  it('late: the deposit is kept; asked again nothing more happens', async () => {
    const id = await visit()
    t.clock.set(late)
    expect((await readVisit(t, client, id)).canCancel).toBe(true)
    expect((await money(id)).body['ifCancelled']).toMatchObject({ refunded: { amount: 0 }, kept: { amount: 1500 } })
    await cancelled(t, client, id)
    expect(refused(await tryCancel(t, client, id))).toEqual([409, 'wrong_state'])
    await isBalanced(t)
    expect([await refundsOf(id), await keptOf(id), await documentsOf(id)]).toEqual([[], 1500, []])
    expect(await letterAbout('visit_cancelled')).toContain('€15 stays with the institute')
  })

  it('late after paying all: what is above the deposit goes back, and the invoice is taken back', async () => {
    const id = await visit({ pay: 'all' })
    expect(await documentsOf(id)).toMatchObject([{ kind: 'invoice', total: 5200 }])
    t.clock.set(late)
    expect((await money(id)).body['ifCancelled']).toMatchObject({ refunded: { amount: 3700 }, kept: { amount: 1500 } })
    await cancelled(t, client, id)
    await isBalanced(t)
    expect([await refundsOf(id), await keptOf(id)]).toEqual([[{ amount: 3700, reason: 'cancelled_by_client', state: 'done' }], 1500])
    const [invoice, note] = await documentsOf(id)
    expect(note).toEqual({ kind: 'credit_note', total: -5200, vat: -Number((invoice as { vat: number }).vat) })
  })

  it('when it can be moved no more, or nothing was asked for: by phone only', async () => {
    const id = await visit()
    t.clock.set(later(ten, -60))
    expect(refused(await tryCancel(t, client, id))).toEqual([422, 'too_late'])
    expect((await money(id)).body['ifCancelled']).toBeNull()
    t.clock.set(now)
    await asksFor(t, institute, 'none')
    const free = await paidVisit(t, client, institute, { startsAt: later(ten, 180), pay: 'all' })
    t.clock.set(late)
    expect(refused(await tryCancel(t, client, free))).toEqual([422, 'too_late'])
  })

  it('after moving late: the deposit is no longer free', async () => {
    const id = await visit()
    t.clock.set(late)
    await moved(t, client, id, wall('2026-11-28T14:00'))
    expect((await money(id)).body['ifCancelled']).toMatchObject({ refunded: { amount: 0 }, kept: { amount: 1500 } })
    await cancelled(t, client, id)
    expect(await keptOf(id)).toBe(1500)
    await isBalanced(t)
  })
})

describe('the institute cancels', () => {
  it('whatever the window: all goes back once it is taken back no more, which is said before', async () => {
    const id = await visit()
    t.clock.set(late)
    expect((await wouldGiveBack(id)).body).toEqual({ refunded: { amount: 1500, currency: 'EUR' }, sessions: 0 })
    expect((await t.inject('PUT', `${salon}/appointments/${id}/cancel`, { token: owner.token })).status).toBe(200)
    expect(await refundsOf(id)).toEqual([])
    t.clock.set(later(late, 5))
    await t.jobs['tell_of_changes']?.({})
    await isBalanced(t)
    expect(await refundsOf(id)).toEqual([{ amount: 1500, reason: 'cancelled_by_institute', state: 'done' }])
    expect(await letterAbout('visit_cancelled')).toContain('€15 goes back')
    expect((await wouldGiveBack(id)).body).toMatchObject({ refunded: { amount: 0 } })
  })

  it('and takes it back: the money stays where it is', async () => {
    const id = await visit()
    await t.inject('PUT', `${salon}/appointments/${id}/cancel`, { token: owner.token })
    expect((await t.inject('PUT', `${salon}/appointments/${id}/undo`, { token: owner.token })).status).toBe(200)
    t.clock.set(later(now, 5))
    await t.jobs['tell_of_changes']?.({})
    expect([await refundsOf(id), (await readVisit(t, client, id)).status]).toEqual([[], 'deposit_paid'])
    await isBalanced(t)
  })
})

describe('a payment that comes too late', () => {
  it('goes back by itself, with one letter however often it is told', async () => {
    const { _id: id } = await hold(t, client, institute, { startsAt: ten })
    await tryBook(t, client, { holdId: id })
    const checkout = await lastCheckout(t, id)
    t.clock.set(later(now, 46))
    expect((await tryHold(t, await makeUser(t.db), institute, { startsAt: ten })).status).toBe(201)
    for (let n = 0; n < 3; n++) await tells(t, checkout, 'paid')
    await t.drainJobs()
    expect(await refundsOf(id)).toEqual([{ amount: 1500, reason: 'late_payment', state: 'done' }])
    expect((await t.mails(client.email)).map(({ kind, subject }) => [kind, subject])).toEqual([
      ['payment_returned', 'Your payment of €15 goes back to you'],
    ])
    expect(await letterAbout('payment_returned')).toMatch(/We’re sorry: your payment of €15 to .* came too late to be used/)
    await isBalanced(t)
  })

  it('is asked for again while the provider does not answer, and goes back once', async () => {
    const id = await visit()
    t.payments.fall()
    await cancelled(t, client, id)
    await t.jobs['send_refunds']?.({})
    expect(await refundsOf(id)).toMatchObject([{ state: 'waiting' }])
    t.payments.fall(false)
    await sql`update refunds set claimed_until = null`.execute(t.db)
    await Promise.all([t.jobs['send_refunds']?.({}), t.jobs['send_refunds']?.({})])
    expect(await refundsOf(id)).toMatchObject([{ state: 'done' }])
    await isBalanced(t)
  })

  it.each(['done', 'failed'] as const)('that the provider gives back later is %s by its word, once', async (state) => {
    t.payments.refundState = 'waiting'
    const id = await visit()
    await cancelled(t, client, id)
    await t.jobs['send_refunds']?.({})
    await t.jobs['send_refunds']?.({})
    expect(await refundsOf(id)).toMatchObject([{ state: 'waiting' }])
    const { rows } = await sql<{ id: string }>`select id from refunds where appointment_id = ${id}`.execute(t.db)
    const said = (kind: 'done' | 'failed', word: string) =>
      t.payments.sign({ id: word, at: t.clock.now(), kind: 'refund', refundId: rows[0]?.id ?? '', state: kind })
    for (const { payload, headers } of [
      said(state, `${id} 1`),
      said(state, `${id} 1`),
      said(state === 'done' ? 'failed' : 'done', `${id} 2`),
    ])
      expect((await t.inject('POST', '/api/v1/webhooks/sandbox', { payload, headers })).status).toBe(200)
    expect(await refundsOf(id)).toMatchObject([{ state }])
    await t.drainJobs()
    // The owner is told of what was refused, once.
    const told = (await t.mails(owner.email)).filter(({ kind }) => kind === 'refund_refused')
    expect(told.map(({ subject }) => subject)).toEqual(state === 'failed' ? ['A refund of €15 was refused'] : [])
    for (const { text } of told) expect(text).toContain(`/mysalon/invoices/${id}`)
  })
})

describe('[P-10] what is left of a visit', () => {
  const pay = (id: string, more: object = {}, key?: string) =>
    t.inject('POST', `${visitsPath}/${id}/payments`, {
      token: client.token,
      body: more,
      ...(key && { headers: { 'idempotency-key': key } }),
    })

  it('is paid online: the visit is Paid and has its invoice, with VAT for each line', async () => {
    const id = await visit()
    const [first, again] = await Promise.all([pay(id, {}, 'k'), pay(id, {}, 'k')])
    expect([first.status, again.body]).toEqual([201, first.body])
    const page = [...t.payments.pages.values()].at(-1)
    expect(page?.order).toMatchObject({ amount: 3700 })
    await tells(t, await lastCheckout(t, id), 'paid')
    expect((await readVisit(t, client, id)).status).toBe('completed')
    expect(await documentsOf(id)).toEqual([{ kind: 'invoice', total: 5200, vat: 633 + 233 }])
    const { body } = await money(id)
    expect(body).toMatchObject({ due: { amount: 0 }, payOnline: false, documents: [{ kind: 'invoice', number: 'F-2026-0001' }] })
    expect(refused(await pay(id))).toEqual([409, 'wrong_state'])
    await isBalanced(t)
    // In time, all of both payments goes back.
    await cancelled(t, client, id)
    await isBalanced(t)
    expect(await refundsOf(id)).toMatchObject([{ amount: 1500 }, { amount: 3700 }])
  })

  it('that was taken at the counter meanwhile goes back by itself', async () => {
    const id = await visit()
    await pay(id)
    const lines = [{ segment: 0 }, { segment: 1 }]
    const till = { lines, payments: [{ method: 'cash', amount: 3700 }] }
    expect((await t.inject('POST', `${salon}/appointments/${id}/till`, { token: owner.token, body: till })).status).toBe(201)
    await tells(t, await lastCheckout(t, id), 'paid')
    await isBalanced(t)
    expect(await refundsOf(id)).toEqual([{ amount: 3700, reason: 'late_payment', state: 'done' }])
  })

  it('is no other’s to pay', async () => {
    const id = await visit()
    const other = await makeUser(t.db)
    expect((await t.inject('POST', `${visitsPath}/${id}/payments`, { token: other.token, body: {} })).status).toBe(404)
  })
})

describe('[P-10] a credit note by card', () => {
  it('goes back through the provider, never more than it took', async () => {
    const id = await visit({ pay: 'all' })
    const sale = (await t.inject('GET', `${salon}/sales/${id}`, { token: owner.token })).body
    const note = (line: number, method: string) =>
      t.inject('POST', `${salon}/sales/${id}/credit-notes`, {
        token: owner.token,
        body: { lines: [{ _id: String(sale['lines']?.[line]?.['_id']) }], reason: 'Chipped', method },
      })
    expect(refused(await note(1, 'paypal'))).toEqual([409, 'more_than_left'])
    expect((await note(1, 'card')).status).toBe(201)
    await isBalanced(t)
    expect(await refundsOf(id)).toEqual([{ amount: 1400, reason: 'credit_note', state: 'done' }])
  })

  it.each(['client', 'institute'] as const)('given back in cash instead goes back no second time when the %s cancels', async (who) => {
    const id = await visit({ pay: 'all' })
    const sale = (await t.inject('GET', `${salon}/sales/${id}`, { token: owner.token })).body
    const body = { lines: [{ _id: String(sale['lines']?.[0]?.['_id']) }], reason: 'A gift', method: 'cash' }
    expect((await t.inject('POST', `${salon}/sales/${id}/credit-notes`, { token: owner.token, body })).status).toBe(201)
    expect((await money(id)).body['ifCancelled']).toMatchObject({ refunded: { amount: 1400 }, kept: { amount: 0 } })
    if (who === 'client') await cancelled(t, client, id)
    else {
      expect((await t.inject('PUT', `${salon}/appointments/${id}/cancel`, { token: owner.token })).status).toBe(200)
      t.clock.set(later(now, 5))
      await t.jobs['tell_of_changes']?.({})
    }
    await isBalanced(t)
    expect(await refundsOf(id)).toMatchObject([{ amount: 1400, reason: `cancelled_by_${who}` }])
    expect(await letterAbout('visit_cancelled')).toContain('€14 goes back to you the way you paid.')
  })
})

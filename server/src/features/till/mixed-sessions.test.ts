/** A visit that a session of a package and money paid for together: what going costs, said before the click, and what moves then. */
import type { Answer } from '@soigne/contract/define'
import type { Calls } from '@soigne/contract/calls'
import type { Sale } from '@soigne/contract/sales'
import type { ClientPackage } from '@soigne/contract/vouchers'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, later, readVisit, refused, tryCancel, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, charges, isBalanced, lastCheckout, paidVisit, tells } from '#/testing/paid-visits.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const base = '/api/v1/secure/mysalon'
const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
/** Free until a day before, moved until two hours before. */
const late = later(ten, -600)
const [cut, colour] = [4200, 6000]
let t: TestApp
let owner: MadeUser
let client: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  owner = await makeUser(t.db, { role: 'isPro' })
  client = await makeUser(t.db, { firstName: 'Anna' })
  const services = [
    { name: 'Cut', price: cut },
    { name: 'Colour', price: colour },
  ]
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services, cancelWindow: 1440, rescheduleWindow: 120 })
})
afterEach(async () => {
  await t.drainJobs()
  await isBalanced(t)
})

const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<TestAnswer> =>
  t.inject(method, base + path, { token: owner.token, ...(body && { body }) })
async function told<T>(answer: Promise<TestAnswer>, status = 201): Promise<T> {
  const { status: got, text, body } = await answer
  if (got !== status) throw new Error(`${got} ${text}`)
  return body as T
}
const packages = async (visitId: string): Promise<ClientPackage[]> => {
  const { rows } = await sql<{ id: string }>`select customer_id as id from appointments where id = ${visitId}`.execute(t.db)
  return (await told<{ items: ClientPackage[] }>(ask('GET', `/customers/${rows[0]?.id}/packages`), 200)).items
}
const left = async (visitId: string): Promise<number> => (await packages(visitId))[0]?.left ?? -1
/** A package of three cuts for the client of a visit. */
async function packageFor(visitId: string, price = 12_000): Promise<string> {
  const { rows } = await sql<{ id: string }>`select customer_id as id from appointments where id = ${visitId}`.execute(t.db)
  const body = { name: 'Three cuts', sessions: 3, months: 6, price, serviceIds: [institute.services[0]] }
  const { _id: packageId } = await told<{ _id: string }>(ask('POST', '/packages', body))
  await told(ask('POST', '/sales', { lines: [{ packageId }], payments: [{ method: 'cash', amount: price }], customerId: rows[0]?.id }))
  return (await packages(visitId))[0]?._id ?? ''
}
const till = (id: string, fromPackage: string, cash = 0) =>
  ask('POST', `/appointments/${id}/till`, {
    lines: [{ segment: 0, fromPackage }, { segment: 1 }],
    payments: cash > 0 ? [{ method: 'cash', amount: cash }] : [],
  })
const own = async (id: string): Promise<Answer<Calls['appointmentPayments']>> =>
  told(t.inject('GET', `${visitsPath}/${id}/payments`, { token: client.token }), 200)
const both = { startsAt: ten, lines: [[0], [1]] } satisfies Parameters<typeof paidVisit>[3]
/** The colour by its deposit, the cut by a session. */
async function byDepositAndSession(price?: number): Promise<string> {
  await asksFor(t, institute, 'fixed', colour)
  const id = await paidVisit(t, client, institute, both)
  await told(till(id, await packageFor(id, price)))
  return id
}
/** The colour in cash, the cut by a session. */
async function byCashAndSession(): Promise<string> {
  const { _id: id } = await bookVisit(t, client, institute, both)
  await told(till(id, await packageFor(id), colour))
  return id
}
const movedFor = async (id: string) => {
  const { rows: refunds } = await sql<{ amount: number }>`select amount from refunds where appointment_id = ${id} order by amount`.execute(
    t.db,
  )
  const { rows: kept } = await sql<{ amount: number }>`select amount from kept_deposits where sale_id = ${id}`.execute(t.db)
  return { refunded: refunds.map(({ amount }) => amount), kept: kept.map(({ amount }) => amount) }
}
const letterOf = async (email: string, kind: string): Promise<string> =>
  (await t.mails(email)).find((mail) => mail.kind === kind)?.text ?? ''
const euros = (amount: number) => ({ amount, currency: 'EUR' })

describe('a deposit and a session', () => {
  it('late: the session is gone and the deposit is kept, as it was said, and no fee is made beside them', async () => {
    await charges(t, institute, { late: { percent: 100 } })
    const id = await byDepositAndSession()
    expect(await own(id)).toMatchObject({ lateCancelling: { costs: euros(colour), until: later(ten, -120) } })
    t.clock.set(late)
    expect((await own(id)).ifCancelled).toEqual({ refunded: euros(0), kept: euros(colour), charged: euros(0), sessions: 'gone' })
    await cancelled(t, client, id)
    await t.drainJobs()
    expect([await left(id), await movedFor(id)]).toEqual([2, { refunded: [], kept: [colour] }])
    expect((await sql`select from fees where appointment_id = ${id}`.execute(t.db)).rows).toHaveLength(0)
    const letter = await letterOf(client.email, 'visit_cancelled')
    expect(letter).toContain('The session of Three cuts is gone, because cancelling was no longer free.')
    expect(letter).toContain('€60 stays with the institute')
    expect((await t.mails(client.email)).filter(({ kind }) => kind.startsWith('fee'))).toEqual([])
  })

  it('late: what the session was bought for and what is kept are never more than the price together', async () => {
    const id = await byDepositAndSession(27_000)
    const most = cut + colour - 9000
    t.clock.set(late)
    const { lateCancelling, ifCancelled } = await own(id)
    expect(lateCancelling?.costs).toEqual(euros(most))
    expect(ifCancelled).toEqual({ refunded: euros(colour - most), kept: euros(most), charged: euros(0), sessions: 'gone' })
    await cancelled(t, client, id)
    await t.drainJobs()
    expect([await left(id), await movedFor(id)]).toEqual([2, { refunded: [colour - most], kept: [most] }])
    expect(await own(id)).toMatchObject({ stays: { kept: euros(most), atSalon: euros(0) }, sessions: [{ state: 'gone' }] })
  })

  it('in time: both go back, and the letter says both', async () => {
    const id = await byDepositAndSession()
    expect((await own(id)).ifCancelled).toEqual({ refunded: euros(colour), kept: euros(0), charged: euros(0), sessions: 'back' })
    await cancelled(t, client, id)
    await t.drainJobs()
    expect([await left(id), await movedFor(id)]).toEqual([3, { refunded: [colour], kept: [] }])
    expect(await own(id)).not.toHaveProperty('stays')
    const letter = await letterOf(client.email, 'visit_cancelled')
    expect(letter).toContain('€60 goes back to you the way you paid.')
    expect(letter).toContain('The session is back on Three cuts.')
  })

  it('cancelled twice at once, money and session move once', async () => {
    const id = await byDepositAndSession(27_000)
    t.clock.set(late)
    const answers = await Promise.all([tryCancel(t, client, id), tryCancel(t, client, id), tryCancel(t, client, id)])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([200, 409, 409])
    await t.drainJobs()
    expect([await left(id), await movedFor(id)]).toEqual([2, { refunded: [4800], kept: [1200] }])
  })

  it('a page for the rest that is paid after both is given back whole', async () => {
    await asksFor(t, institute, 'fixed', colour)
    const id = await paidVisit(t, client, institute, both)
    const rest = await t.inject('POST', `${visitsPath}/${id}/payments`, { token: client.token, body: {} })
    expect(rest.status).toBe(201)
    const page = await lastCheckout(t, id)
    await told(till(id, await packageFor(id)))
    t.clock.set(late)
    await cancelled(t, client, id)
    await tells(t, page, 'paid')
    await t.drainJobs()
    expect([await left(id), await movedFor(id)]).toEqual([2, { refunded: [cut], kept: [colour] }])
  })

  it('cancelled while the till takes it, one of both is refused, and nothing is lost', async () => {
    await asksFor(t, institute, 'fixed', colour)
    const id = await paidVisit(t, client, institute, both)
    const held = await packageFor(id)
    t.clock.set(late)
    const [taken, gone] = await Promise.all([till(id, held), tryCancel(t, client, id)])
    expect(gone.status, gone.text).toBe(200)
    await t.drainJobs()
    if (taken.status === 201) expect(await left(id)).toBe(2)
    else expect([refused(taken), await left(id)]).toEqual([[409, 'wrong_state'], 3])
    expect((await movedFor(id)).kept).toEqual([colour])
  })
})

describe('money of the counter and a session', () => {
  it('may be left late online: the session is gone, and the money is settled at the salon, which both are told', async () => {
    const id = await byCashAndSession()
    t.clock.set(late)
    expect(await readVisit(t, client, id)).toMatchObject({ canCancel: true })
    const { lateCancelling, ifCancelled } = await own(id)
    expect(lateCancelling?.costs).toEqual(euros(0))
    const nothing = { refunded: euros(0), kept: euros(0), charged: euros(0) }
    expect(ifCancelled).toEqual({ ...nothing, atSalon: euros(colour), sessions: 'gone' })
    const plan = await t.inject('GET', `${visitsPath}/${id}/plan?startsAt=${later(ten, 60)}`, { token: client.token })
    expect(plan.body).toMatchObject({ afterwards: { ifCancelled: { atSalon: euros(colour), sessions: 'gone' } } })
    await cancelled(t, client, id)
    await t.drainJobs()
    expect([await left(id), await movedFor(id)]).toEqual([2, { refunded: [], kept: [] }])
    expect(await letterOf(client.email, 'visit_cancelled')).toContain('The €60 you paid is settled at the salon')
    expect(await letterOf(owner.email, 'institute_visit_cancelled')).toContain('€60 was paid for this visit')
    expect(await own(id)).toMatchObject({ ifCancelled: null, stays: { kept: euros(0), atSalon: euros(colour) } })
    // The desk gives back what is due of it; the session stays gone.
    const { lines } = await told<Sale>(ask('GET', `/sales/${id}`), 200)
    const colourLine = lines.find(({ amount }) => amount === colour)
    await told(ask('POST', `/sales/${id}/credit-notes`, { lines: [{ _id: colourLine?._id }], reason: 'Cancelled', method: 'cash' }))
    expect(await left(id)).toBe(2)
    expect(await own(id)).not.toHaveProperty('stays')
  })

  it('in time: the session is back, and what is settled at the salon is told', async () => {
    const id = await byCashAndSession()
    expect((await own(id)).ifCancelled).toMatchObject({ atSalon: euros(colour), sessions: 'back' })
    await cancelled(t, client, id)
    await t.drainJobs()
    expect(await left(id)).toBe(3)
    expect(await letterOf(client.email, 'visit_cancelled')).toContain('The session is back on Three cuts.')
  })

  it('the desk reads both before it cancels: the session goes back, the money by a credit note', async () => {
    const id = await byCashAndSession()
    t.clock.set(later(ten, -30))
    const would = await ask('GET', `/appointments/${id}/cancellation`)
    expect(would.body).toEqual({ refunded: euros(0), atSalon: euros(colour), sessions: 1 })
    await told(ask('PUT', `/appointments/${id}/cancel`, {}), 200)
    t.clock.advance(60_000)
    await t.jobs['tell_of_changes']?.({})
    await t.drainJobs()
    expect([await left(id), await movedFor(id)]).toEqual([3, { refunded: [], kept: [] }])
    expect(await letterOf(client.email, 'visit_cancelled')).toContain('The session is back on Three cuts.')
  })

  it('ends when it could be moved no more', async () => {
    const id = await byCashAndSession()
    t.clock.set(later(ten, -119))
    expect(refused(await tryCancel(t, client, id))).toEqual([422, 'too_late'])
    expect((await own(id)).ifCancelled).toBeNull()
  })
})

/** Sessions of packages and visits nobody comes to: back in time, gone late or missed, never twice. */
import type { Answer } from '@soigne/contract/define'
import type { Calls } from '@soigne/contract/calls'
import type { Sale } from '@soigne/contract/sales'
import type { ClientPackage, SettledBySession } from '@soigne/contract/vouchers'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import { bookVisit, cancelled, later, refused, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { charges, paidVisit } from '#/testing/paid-visits.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const base = '/api/v1/secure/mysalon'
const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
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
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services: [{ name: 'Cut', price: 4200 }], cancelWindow: 1440 })
})
afterEach(async () => {
  await t.drainJobs()
  expect((await verifyLedgers(t.db)).faults).toEqual([])
})

const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<TestAnswer> =>
  t.inject(method, base + path, { token: owner.token, ...(body && { body }) })
async function told<T>(answer: Promise<TestAnswer>, status = 201): Promise<T> {
  const { status: got, text, body } = await answer
  if (got !== status) throw new Error(`${got} ${text}`)
  return body as T
}
const customerOf = async (id: string): Promise<string> => {
  const { rows } = await sql<{ id: string }>`select customer_id as id from appointments where id = ${id}`.execute(t.db)
  return rows[0]?.id ?? ''
}
/** A package of three cuts for the client of a visit. */
async function packageFor(visitId: string, more: object = {}): Promise<string> {
  const customerId = await customerOf(visitId)
  const body = { name: 'Three cuts', sessions: 3, months: 6, price: 12_000, serviceIds: institute.services, ...more }
  const { _id: packageId } = await told<{ _id: string }>(ask('POST', '/packages', body))
  await told(ask('POST', '/sales', { lines: [{ packageId }], payments: [{ method: 'cash', amount: 12_000 }], customerId }))
  return (await packages(visitId))[0]?._id ?? ''
}
const packages = async (visitId: string): Promise<ClientPackage[]> =>
  (await told<{ items: ClientPackage[] }>(ask('GET', `/customers/${await customerOf(visitId)}/packages`), 200)).items
const left = async (visitId: string): Promise<number> => (await packages(visitId))[0]?.left ?? -1
const payAhead = (id: string, fromPackage: string) =>
  told<Sale>(ask('POST', `/appointments/${id}/till`, { lines: [{ segment: 0, fromPackage }], payments: [] }))
const own = async (id: string): Promise<Answer<Calls['appointmentPayments']>> =>
  told(t.inject('GET', `${visitsPath}/${id}/payments`, { token: client.token }), 200)
const seen = (id: string) => told<SettledBySession>(ask('GET', `/appointments/${id}/session`), 200)
const take = (id: string, clientPackageId: string) => ask('POST', `/appointments/${id}/session`, { clientPackageId })
const miss = async (id: string): Promise<void> => {
  t.clock.set(later(ten, 16))
  await told(ask('PUT', `/appointments/${id}/attendance`, { attendance: 'no_show' }), 200)
}
const revenue = async (): Promise<number> => {
  const { rows } = await sql<{ amount: string }>`select coalesce(sum(amount), 0) as amount from ledger_lines
    where institute_id = ${institute.id} and account = 'revenue'`.execute(t.db)
  return Number(rows[0]?.amount)
}
/** A visit ahead that a session of a package paid for. */
async function paidBySession(): Promise<string> {
  const { _id } = await bookVisit(t, client, institute, { startsAt: ten })
  await payAhead(_id, await packageFor(_id))
  expect(await left(_id)).toBe(2)
  return _id
}

describe('a visit that a session paid for', () => {
  it('gives it back when its client cancels in time, which is said before and after', async () => {
    const id = await paidBySession()
    expect(await own(id)).toMatchObject({ ifCancelled: { sessions: 'back' }, sessions: [{ name: 'Three cuts', count: 1, state: 'used' }] })
    t.clock.set(later(ten, -1440))
    await cancelled(t, client, id)
    await t.drainJobs()
    expect([await left(id), await revenue()]).toEqual([3, 0])
    const back = [{ name: 'Three cuts', count: 1, state: 'back' }]
    expect(await own(id)).toMatchObject({ sessions: back, documents: [{ kind: 'invoice' }, { kind: 'credit_note', total: 0 }] })
    expect(await seen(id)).toEqual({ offers: [], sessions: back })
  })

  it('gives it back when the institute cancels, however late, once that can be taken back no more', async () => {
    const id = await paidBySession()
    t.clock.set(later(ten, -30))
    await told(ask('PUT', `/appointments/${id}/cancel`, {}), 200)
    await t.drainJobs()
    expect(await left(id)).toBe(2)
    t.clock.advance(60_000)
    await t.jobs['tell_of_changes']?.({})
    await t.drainJobs()
    expect(await left(id)).toBe(3)
  })

  it('keeps it when that cancellation is taken back', async () => {
    const id = await paidBySession()
    await told(ask('PUT', `/appointments/${id}/cancel`, {}), 200)
    await told(ask('PUT', `/appointments/${id}/undo`), 200)
    t.clock.advance(60_000)
    await t.jobs['tell_of_changes']?.({})
    await t.drainJobs()
    expect(await left(id)).toBe(2)
    expect(await seen(id)).toMatchObject({ sessions: [{ state: 'used' }] })
  })

  it('loses it when it is missed, and when its client cancels late', async () => {
    const id = await paidBySession()
    await miss(id)
    await t.drainJobs()
    expect(await left(id)).toBe(2)
    expect(await seen(id)).toEqual({ offers: [], sessions: [{ name: 'Three cuts', count: 1, state: 'gone' }] })
    expect(await own(id)).toMatchObject({ sessions: [{ state: 'gone' }] })
    t.clock.set(now)
    await charges(t, institute, { late: { fixed: 1000 } })
    const other = await paidVisit(t, client, institute, { startsAt: later(ten, 120) })
    await payAhead(other, (await packages(other))[0]?._id ?? '')
    t.clock.set(later(ten, -600))
    expect(await own(other)).toMatchObject({ ifCancelled: { sessions: 'gone', charged: { amount: 0 } } })
    await cancelled(t, client, other)
    await t.drainJobs()
    expect(await left(other)).toBe(1)
    expect(await own(other)).toMatchObject({ sessions: [{ state: 'gone' }], fee: null })
  })

  it('gives it back once, though a credit note is written at the same time', async () => {
    const id = await paidBySession()
    const sale = await told<Sale>(ask('GET', `/sales/${id}`), 200)
    const note = { lines: [{ _id: sale.lines[0]?._id }], reason: 'Not as agreed', method: 'cash' }
    await Promise.all([cancelled(t, client, id), ask('POST', `/sales/${id}/credit-notes`, note)])
    await t.drainJobs()
    expect([await left(id), await revenue()]).toEqual([3, 0])
    expect((await told<Sale>(ask('GET', `/sales/${id}`), 200)).documents).toHaveLength(2)
  })
})

describe('a visit that was missed', () => {
  it('may be settled with a session at the counter by one of two tills at once; a credit note gives it back', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten })
    const held = await packageFor(id)
    expect(await seen(id)).toEqual({ offers: [], sessions: [] })
    expect(refused(await take(id, held))).toEqual([409, 'wrong_state'])
    await miss(id)
    expect(await seen(id)).toEqual({ offers: [{ _id: held, name: 'Three cuts', count: 1, left: 3 }], sessions: [] })
    const answers = await Promise.all([1, 2, 3, 4].map(() => take(id, held)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409])
    expect([await left(id), await revenue()]).toEqual([2, -3333])
    expect(await seen(id)).toEqual({ offers: [], sessions: [{ name: 'Three cuts', count: 1, state: 'gone' }] })
    expect(await own(id)).toMatchObject({ sessions: [{ state: 'gone' }] })
    const sale = await told<Sale>(ask('GET', `/sales/${id}`), 200)
    expect(sale).toMatchObject({ status: 'completed', total: { amount: 0 }, payments: [] })
    await told(ask('POST', `/sales/${id}/credit-notes`, { lines: [{ _id: sale.lines[0]?._id }], reason: 'Was ill', method: 'cash' }))
    expect([await left(id), await revenue()]).toEqual([3, 0])
    expect(await seen(id)).toMatchObject({ offers: [], sessions: [{ state: 'back' }] })
  })

  it('takes no session of somebody else, of other services, of one whose last day is over, nor the last one twice', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten })
    const bruno = await makeUser(t.db)
    const { _id: second } = await bookVisit(t, bruno, institute, { startsAt: later(ten, 120) })
    const theirs = await packageFor(second)
    await miss(id)
    expect(refused(await take(id, theirs))).toEqual([404, 'not_found'])
    expect((await seen(id)).offers).toEqual([])
    const mine = await packageFor(id, { months: 1 })
    await sql`update client_packages set valid_until = '2026-11-23' where id = ${mine}`.execute(t.db)
    expect((await seen(id)).offers).toEqual([])
    expect(refused(await take(id, mine))).toEqual([409, 'voucher_expired'])
  })

  it('may be one that was cancelled late, by one of two tills at once, once its fee is waived; not one cancelled in time', async () => {
    await charges(t, institute, { late: { fixed: 1000 } })
    const id = await paidVisit(t, client, institute, { startsAt: ten })
    const inTime = await paidVisit(t, client, institute, { startsAt: later(ten, 120) })
    const held = await packageFor(id)
    await cancelled(t, client, inTime)
    expect((await seen(inTime)).offers).toEqual([])
    expect(refused(await take(inTime, held))).toEqual([409, 'wrong_state'])
    t.clock.set(later(ten, -600))
    await cancelled(t, client, id)
    expect((await seen(id)).offers).toEqual([])
    const { fee } = await told<Sale>(ask('GET', `/sales/${id}`), 200)
    await told(ask('PUT', `/fees/${fee?._id}/waive`, { reason: 'A session instead.' }), 200)
    expect((await seen(id)).offers).toMatchObject([{ _id: held, count: 1, left: 3 }])
    const answers = await Promise.all([1, 2].map(() => take(id, held)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409])
    await t.drainJobs()
    expect(await left(id)).toBe(2)
    expect(await told<Sale>(ask('GET', `/sales/${id}`), 200)).toMatchObject({
      status: 'cancelled',
      documents: [{ kind: 'invoice', total: 0 }],
    })
    expect(await own(id)).toMatchObject({ sessions: [{ name: 'Three cuts', count: 1, state: 'gone' }] })
  })

  it('costs a session or a fee, never both', async () => {
    await charges(t, institute, { noShow: { fixed: 2000 } })
    const id = await paidVisit(t, client, institute, { startsAt: ten })
    const held = await packageFor(id)
    await miss(id)
    expect((await seen(id)).offers).toEqual([])
    expect(refused(await take(id, held))).toEqual([409, 'wrong_state'])
    const sale = await told<Sale>(ask('GET', `/sales/${id}`), 200)
    await told(ask('PUT', `/fees/${sale.fee?._id}/waive`, { reason: 'A session instead.' }), 200)
    expect((await seen(id)).offers).toMatchObject([{ _id: held, count: 1 }])
    await told(take(id, held))
    expect(await left(id)).toBe(2)
  })

  it('that is paid with a session at the till after all is charged no fee beside it', async () => {
    await charges(t, institute, { noShow: { fixed: 2000 } })
    const id = await paidVisit(t, client, institute, { startsAt: ten })
    const held = await packageFor(id)
    await miss(id)
    await t.drainJobs()
    expect(await own(id)).toMatchObject({ fee: { state: 'due' } })
    await payAhead(id, held)
    await t.drainJobs()
    t.clock.advance(25 * 3_600_000)
    await t.jobs['charge_fees']?.({})
    expect(await own(id)).toMatchObject({ fee: null, sessions: [{ state: 'gone' }] })
    expect(await left(id)).toBe(2)
  })
})

/** What going late, or not coming, costs whoever paid with a session: that session, said before the click, and told in one letter. */
import type { Answer } from '@soigne/contract/define'
import type { Calls } from '@soigne/contract/calls'
import type { Sale } from '@soigne/contract/sales'
import type { ClientPackage } from '@soigne/contract/vouchers'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import { bookVisit, cancelled, later, readVisit, refused, tryCancel, visitsPath, wall } from '#/testing/booking.ts'
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
const miss = async (id: string): Promise<void> => {
  t.clock.set(later(ten, 16))
  await told(ask('PUT', `/appointments/${id}/attendance`, { attendance: 'no_show' }), 200)
}
const revenue = async (): Promise<number> => {
  const { rows } = await sql<{ amount: string }>`select coalesce(sum(amount), 0) as amount from ledger_lines
    where institute_id = ${institute.id} and account = 'revenue'`.execute(t.db)
  return Number(rows[0]?.amount)
}
const lettersOf = async (kind: string): Promise<string[]> =>
  (await t.mails(client.email)).flatMap((mail) => (mail.kind === kind ? [mail.text] : []))
/** A visit ahead that a session of a package paid for. */
async function paidBySession(): Promise<string> {
  const { _id } = await bookVisit(t, client, institute, { startsAt: ten })
  await payAhead(_id, await packageFor(_id))
  expect(await left(_id)).toBe(2)
  return _id
}

describe('going late from a visit that a session paid for, where nothing else was agreed', () => {
  /** It can be moved until two hours before. */
  const [late, last] = [later(ten, -600), later(ten, -120)]

  it('is offered with its price before the click, costs the session, and the letter says so', async () => {
    const id = await paidBySession()
    expect(await own(id)).toMatchObject({ lateCancelling: { costs: { amount: 0 }, until: last } })
    t.clock.set(late)
    expect(await readVisit(t, client, id)).toMatchObject({ canCancel: true })
    const nothing = { amount: 0 }
    expect(await own(id)).toMatchObject({ ifCancelled: { refunded: nothing, kept: nothing, charged: nothing, sessions: 'gone' } })
    const plan = await t.inject('GET', `${visitsPath}/${id}/plan?startsAt=${later(ten, 60)}`, { token: client.token })
    expect(plan.body).toMatchObject({ afterwards: { canCancel: true, ifCancelled: { sessions: 'gone', charged: nothing } } })
    await cancelled(t, client, id)
    await t.drainJobs()
    expect([await left(id), await revenue()]).toEqual([2, -3333])
    expect(await own(id)).toMatchObject({ sessions: [{ name: 'Three cuts', count: 1, state: 'gone' }], fee: null })
    const [letter] = await lettersOf('visit_cancelled')
    expect(letter).toContain('The session of Three cuts is gone, because cancelling was no longer free.')
  })

  it('in time its letter says that the session is back', async () => {
    const id = await paidBySession()
    await cancelled(t, client, id)
    await t.drainJobs()
    const [letter] = await lettersOf('visit_cancelled')
    expect(letter).toContain('The session is back on Three cuts.')
  })

  it('ends when it could be moved no more, and is there for nobody else', async () => {
    const id = await paidBySession()
    const { _id: unpaid } = await bookVisit(t, client, institute, { startsAt: later(ten, 120) })
    t.clock.set(later(last, 1))
    expect(await readVisit(t, client, id)).toMatchObject({ canCancel: false })
    expect(refused(await tryCancel(t, client, id))).toEqual([422, 'too_late'])
    expect(refused(await tryCancel(t, client, unpaid))).toEqual([422, 'too_late'])
    expect(await left(id)).toBe(2)
  })

  it('is free for whoever leaves since the institute is late: the session is back, and its letter says so', async () => {
    const id = await paidBySession()
    t.clock.set(later(ten, -30))
    await told(ask('POST', `/staff/${institute.members[0]}/late`, { minutes: 60 }), 200)
    await told(t.inject('PUT', `${visitsPath}/${id}/proposal/decline`, { token: client.token }), 200)
    await t.drainJobs()
    expect([await left(id), await revenue()]).toEqual([3, 0])
    expect(await own(id)).toMatchObject({ sessions: [{ state: 'back' }] })
    const [letter] = await lettersOf('visit_cancelled')
    expect(letter).toContain('The session is back on Three cuts.')
  })

  it('is not there once the session is back', async () => {
    const id = await paidBySession()
    const sale = await told<Sale>(ask('GET', `/sales/${id}`), 200)
    await told(ask('POST', `/sales/${id}/credit-notes`, { lines: [{ _id: sale.lines[0]?._id }], reason: 'A gift', method: 'cash' }))
    t.clock.set(late)
    expect(refused(await tryCancel(t, client, id))).toEqual([422, 'too_late'])
    expect(await left(id)).toBe(3)
  })
})

describe('a fee beside a session that is kept', () => {
  it('that is missed: one letter says that the session is gone and that no fee is charged', async () => {
    await charges(t, institute, { noShow: { fixed: 2000 } })
    const id = await paidVisit(t, client, institute, { startsAt: ten })
    await payAhead(id, await packageFor(id))
    await miss(id)
    await t.drainJobs()
    expect(await own(id)).toMatchObject({ fee: null, sessions: [{ state: 'gone' }] })
    expect(await lettersOf('fee_due')).toEqual([])
    const letters = await lettersOf('fee_waived')
    expect(letters).toHaveLength(1)
    expect(letters[0]).toContain('a session of Three cuts')
    expect(letters[0]).toContain('€20 is not charged')
  })

  it('that is cancelled late: the letter of the cancellation says it, and there is no other', async () => {
    await charges(t, institute, { late: { fixed: 1000 } })
    const id = await paidVisit(t, client, institute, { startsAt: ten })
    await payAhead(id, await packageFor(id))
    t.clock.set(later(ten, -600))
    expect(await own(id)).toMatchObject({
      lateCancelling: { costs: { amount: 0 } },
      ifCancelled: { sessions: 'gone', charged: { amount: 0 } },
    })
    await cancelled(t, client, id)
    await t.drainJobs()
    const [letter, ...others] = await lettersOf('visit_cancelled')
    expect(letter).toContain('The session of Three cuts is gone')
    expect([others, await lettersOf('fee_due'), await lettersOf('fee_waived')]).toEqual([[], [], []])
    expect((await sql`select from fees where appointment_id = ${id}`.execute(t.db)).rows).toHaveLength(0)
  })

  it('that was told before the session was taken ends with one letter more, which names the session', async () => {
    await charges(t, institute, { noShow: { fixed: 2000 } })
    const id = await paidVisit(t, client, institute, { startsAt: ten })
    const held = await packageFor(id)
    await miss(id)
    await t.drainJobs()
    await payAhead(id, held)
    await t.drainJobs()
    expect(await lettersOf('fee_due')).toHaveLength(1)
    const letters = await lettersOf('fee_waived')
    expect([letters.length, letters[0]?.includes('a session of Three cuts')]).toEqual([1, true])
  })
})

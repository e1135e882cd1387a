/** Whatever a store is asked for, a scope opens nothing of others: each is asked with ids that are somebody else's, past all services. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { paidOf, ruleOf } from '#/features/checkout/page-store.ts'
import { servicesBetween, slotsBetween } from '#/features/dashboard/store.ts'
import { feeOfVisit } from '#/features/fees/service.ts'
import { documentsAfter } from '#/features/ledger/service.ts'
import { isBehind, keptMonths } from '#/features/monthly-totals/store.ts'
import { findRefund, moneyOf } from '#/features/payments/refund-store.ts'
import { invoiceOfVisit } from '#/features/removed-services/rest-store.ts'
import { insertPictures } from '#/features/reviews/store.ts'
import { documentsOf, paymentsOf, reachOf } from '#/features/sales/detail-store.ts'
import { invoicedOn } from '#/features/sales/export-store.ts'
import { totalsBetween } from '#/features/sales/list-store.ts'
import { writeRows } from '#/features/setup/store.ts'
import { sessionsOfVisit } from '#/features/visits/service.ts'
import { systemScope } from '#/platform/access.ts'
import { bookVisit, cancelled, later, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, charges, paidVisit } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
const salon = '/api/v1/secure/mysalon'
const system = systemScope('test')

let t: TestApp
let owner: MadeUser
let mine: MadeInstitute
let theirs: MadeInstitute
let anna: ReturnType<typeof system.user>
let nour: ReturnType<typeof system.user>
let client: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: now, settings: { LIMIT_HOLDS: '50' } })
  owner = await makeUser(t.db, { role: 'isPro' })
  const neighbour = await makeUser(t.db, { role: 'isPro' })
  const rules = { members: 1, services: [{ name: 'Cut', price: 4200 }], cancelWindow: 1440 }
  mine = await makeInstitute(t.db, { ownerId: owner.id, ...rules })
  theirs = await makeInstitute(t.db, { ownerId: neighbour.id, ...rules })
  client = await makeUser(t.db, { firstName: 'Anna' })
  anna = system.user(client.id)
  nour = system.user((await makeUser(t.db, { firstName: 'Nour' })).id)
})
afterAll(() => t.close())

const ofMine = () => system.institute(mine.id)
const ofTheirs = () => system.institute(theirs.id)

async function told<T>(method: 'POST' | 'PUT', path: string, body: object): Promise<T> {
  const answer = await t.inject(method, salon + path, { token: owner.token, body })
  if (answer.status >= 300) throw new Error(`${answer.status} ${answer.text}`)
  return answer.body as T
}

/** Booked with a deposit of €12.60. */
async function paid(startsAt: string): Promise<{ visitId: string; sale: { instituteId: string; saleId: string } }> {
  await asksFor(t, mine, 'percent', 30)
  const visitId = await paidVisit(t, client, mine, { startsAt })
  await asksFor(t, mine, 'none')
  return { visitId, sale: { instituteId: mine.id, saleId: visitId } }
}

describe('a visit of somebody else', () => {
  it('has no money: neither what was paid, nor what is asked for', async () => {
    const { visitId, sale } = await paid(wall('2026-11-24T10:00'))
    const wanted = { instituteId: mine.id, id: visitId }
    expect(await paidOf(t.db, anna, mine.id, visitId)).toBe(1260)
    expect(await paidOf(t.db, system, mine.id, visitId)).toBe(1260)
    expect(await paidOf(t.db, nour, mine.id, visitId)).toBe(0)
    expect(await moneyOf(t.db, anna, sale)).toMatchObject({ paid: 1260, left: 1260 })
    expect(await moneyOf(t.db, system, sale)).toMatchObject({ paid: 1260 })
    expect(await moneyOf(t.db, nour, sale)).toEqual({ paid: 0, refunded: 0, atBank: 0, kept: 0, left: 0 })
    expect(await ruleOf(t.db, anna, { visitId, needsAccount: false })).toMatchObject({ currency: 'EUR' })
    await expect(ruleOf(t.db, nour, { visitId, needsAccount: false })).rejects.toThrow(`no visit ${visitId}`)
    for (const scope of [anna, ofMine()]) expect(await paymentsOf(t.db, scope, wanted)).toHaveLength(1)
    for (const scope of [nour, ofTheirs()]) expect(await paymentsOf(t.db, scope, wanted)).toEqual([])
  })

  it('has no fee', async () => {
    const startsAt = wall('2026-11-24T12:00')
    await charges(t, mine, { noShow: { percent: 50 } })
    const { visitId } = await paid(startsAt)
    await charges(t, mine, {})
    t.clock.set(later(startsAt, 16))
    await told('PUT', `/appointments/${visitId}/attendance`, { attendance: 'no_show' })
    t.clock.set(now)
    const wanted = { instituteId: mine.id, visitId }
    for (const scope of [anna, ofMine(), system]) expect(await feeOfVisit(t.db, scope, wanted)).toMatchObject({ visitId, kind: 'no_show' })
    for (const scope of [nour, ofTheirs()]) expect(await feeOfVisit(t.db, scope, wanted)).toBeNull()
  })

  it('has no refund at another institute', async () => {
    const { visitId } = await paid(wall('2026-11-25T10:00'))
    await cancelled(t, client, visitId)
    await t.drainJobs()
    const { rows } = await sql<{ id: string }>`select id from refunds where appointment_id = ${visitId}`.execute(t.db)
    const id = rows[0]?.id ?? ''
    for (const scope of [ofMine(), system]) expect(await findRefund(t.db, scope, id)).toMatchObject({ visitId, instituteId: mine.id })
    expect(await findRefund(t.db, ofTheirs(), id)).toBeNull()
  })

  it('has no documents, and no sessions that paid for it', async () => {
    const { _id: id } = await bookVisit(t, client, mine, { startsAt: wall('2026-11-26T10:00') })
    const { rows } = await sql<{ customerId: string }>`select customer_id as "customerId" from appointments where id = ${id}`.execute(t.db)
    const { customerId = '' } = rows[0] ?? {}
    const { _id: packageId } = await told<{ _id: string }>('POST', '/packages', {
      name: 'Three cuts',
      sessions: 3,
      months: 6,
      price: 12_000,
      serviceIds: mine.services,
    })
    await told('POST', '/sales', { lines: [{ packageId }], payments: [{ method: 'cash', amount: 12_000 }], customerId })
    const bought = await sql<{ id: string }>`select id from client_packages where institute_id = ${mine.id}`.execute(t.db)
    await told('POST', `/appointments/${id}/till`, { lines: [{ segment: 0, fromPackage: bought.rows[0]?.id }], payments: [] })

    const wanted = { instituteId: mine.id, id }
    const all = { instituteId: mine.id, saleId: id, after: 0 }
    for (const scope of [anna, ofMine()]) {
      expect(await sessionsOfVisit(t.db, scope, { instituteId: mine.id, visitId: id })).toEqual([
        { name: 'Three cuts', isBack: false, count: 1 },
      ])
      expect(await documentsOf(t.db, scope, wanted)).toMatchObject([{ kind: 'invoice' }])
      expect(await documentsAfter(t.db, scope, all)).toHaveLength(1)
      expect((await invoiceOfVisit(t.db, scope, wanted))?.lines).toHaveLength(1)
    }
    for (const scope of [nour, ofTheirs()]) {
      expect(await sessionsOfVisit(t.db, scope, { instituteId: mine.id, visitId: id })).toEqual([])
      expect(await documentsOf(t.db, scope, wanted)).toEqual([])
      expect(await documentsAfter(t.db, scope, all)).toEqual([])
      expect(await invoiceOfVisit(t.db, scope, wanted)).toBeNull()
    }
    expect(await documentsAfter(t.db, anna, { ...all, saleId: null })).toEqual([])
    await sql`update institutes set phone = '+33 4 78 00 00 00' where id = ${mine.id}`.execute(t.db)
    for (const scope of [anna, ofMine()]) expect((await reachOf(t.db, scope, mine.id)).phone).toBe('+33 4 78 00 00 00')
    for (const scope of [nour, ofTheirs()]) expect((await reachOf(t.db, scope, mine.id)).phone).toBeNull()
  })

  it('gets no pictures to its review', async () => {
    const { _id: id } = await bookVisit(t, client, mine, { startsAt: wall('2026-11-27T10:00') })
    const { rows } = await sql<{ id: string }>`insert into reviews
      (appointment_id, institute_id, user_id, author, language, welcoming, hygiene, atmosphere, service_quality, created_at)
      values (${id}, ${mine.id}, ${client.id}, 'Anna B.', 'en', 5, 5, 5, 5, now()) returning id`.execute(t.db)
    const reviewId = rows[0]?.id ?? ''
    const pictures = [{ key: 'pictures/a.webp', width: 1, height: 1 }]
    const stored = async () =>
      (await sql`select institute_id as "instituteId" from review_pictures where review_id = ${reviewId}`.execute(t.db)).rows
    await insertPictures(t.db, nour, { reviewId, pictures })
    expect(await stored()).toEqual([])
    await insertPictures(t.db, anna, { reviewId, pictures })
    expect(await stored()).toEqual([{ instituteId: mine.id }])
  })
})

describe('another institute', () => {
  it('has no totals, whatever is named', async () => {
    await bookVisit(t, client, mine, { startsAt: wall('2026-11-28T10:00') })
    await sql`insert into monthly_totals (institute_id, month, kind, time_zone, version, totals) values (${mine.id}, '2026-01-01', 'sales', 'Europe/Paris', 0, '{}')`.execute(
      t.db,
    )
    const stretch = { instituteId: mine.id, from: new Date('2026-11-01T00:00:00Z'), to: new Date('2026-12-01T00:00:00Z') }
    const after = new Date('2026-12-02T00:00:00Z')
    const read = async (scope: typeof system | ReturnType<typeof ofMine>) => ({
      slots: (await slotsBetween(t.db, scope, { ...stretch, now: after, minutes: 60 })).length > 0,
      services: (await servicesBetween(t.db, scope, { ...stretch, now: after })).length > 0,
      sales: (await totalsBetween(t.db, scope, stretch)).count > 0,
      invoices: (await invoicedOn(t.db, scope, { instituteId: mine.id, fromDay: '2026-11-01', toDay: '2026-11-30' })).invoices > 0,
      kept:
        (await keptMonths(t.db, scope, { instituteId: mine.id, kind: 'sales', timeZone: 'Europe/Paris', before: '2026-02-01' })).length > 0,
      isBehind: await isBehind(t.db, scope, { instituteId: mine.id, month: '2026-11-01', to: after }),
    })
    const all = { slots: true, services: true, sales: true, invoices: true, kept: true, isBehind: true }
    const none = { slots: false, services: false, sales: false, invoices: false, kept: false, isBehind: false }
    for (const scope of [ofMine(), system]) expect(await read(scope)).toEqual(all)
    expect(await read(ofTheirs())).toEqual(none)
  })

  it('is not set up by who does not own it, and takes no rows that are meant for another', async () => {
    const hours = async ({ id }: MadeInstitute) =>
      (await sql<{ n: number }>`select count(*)::int as n from opening_hours where institute_id = ${id}`.execute(t.db)).rows[0]?.n
    const rows = {
      opening_hours: [{ institute_id: mine.id, weekday: 7, opens_at: 600, closes_at: 660 }],
      institute_pictures: [],
      services: [],
      service_prerequisites: [],
      team_members: [],
      member_services: [],
      rotas: [],
      rota_shifts: [],
    }
    const [before, others] = [await hours(mine), await hours(theirs)]
    const asked = { instituteId: mine.id, ownerId: owner.id, rows, logo: null }
    await expect(writeRows(t.db, nour, asked)).rejects.toThrow("somebody else's")
    await expect(writeRows(t.db, system, { ...asked, instituteId: theirs.id })).rejects.toThrow("somebody else's")
    expect([await hours(mine), await hours(theirs)]).toEqual([before, others])
    const meantForTheirs = rows.opening_hours.map((row) => ({ ...row, institute_id: theirs.id }))
    await writeRows(t.db, system.user(owner.id), { ...asked, rows: { ...rows, opening_hours: meantForTheirs } })
    expect([await hours(mine), await hours(theirs)]).toEqual([0, others])
    await writeRows(t.db, system.user(owner.id), asked)
    expect(await hours(mine)).toBe(1)
  })
})

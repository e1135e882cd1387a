/** Deposits of visits that were missed before such were kept: put right once, and nothing else is touched. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import { later, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, charges, isBalanced, paidVisit } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')

let t: TestApp
let institute: MadeInstitute
let owner: MadeUser
let client: MadeUser
let made: string[]
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  made = []
  owner = await makeUser(t.db, { role: 'isPro' })
  const services = [{ price: 4200 }]
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services, cancelWindow: 1440, rescheduleWindow: 120 })
  client = await makeUser(t.db)
  await sql`delete from migration_fills where name like '%missed%'`.execute(t.db)
})
afterEach(() => isBalanced(t))

async function visit(deposit = 1260, more: { noShow?: number; pay?: 'all' } = {}): Promise<string> {
  const { noShow, pay } = more
  await charges(t, institute, { noShow: noShow === undefined ? null : { fixed: noShow } })
  await asksFor(t, institute, 'fixed', deposit)
  const id = await paidVisit(t, client, institute, { startsAt: later(ten, 60 * made.length), ...(pay && { pay }) })
  made.push(id)
  return id
}
/** As a process of before marked it: attendance alone. */
const markedBefore = (id: string) =>
  sql`update appointments set attendance = 'no_show', attended_at = '{"no_show": "2026-11-24T09:20:00.000Z"}', revision = revision + 1 where id = ${id}`.execute(
    t.db,
  )
const marks = async (id: string, attendance: string): Promise<void> => {
  const path = `/api/v1/secure/mysalon/appointments/${id}/attendance`
  const answer = await t.inject('PUT', path, { token: owner.token, body: { attendance } })
  expect(answer.status, answer.text).toBe(200)
}
const mend = async () => t.jobs['reconcile_payments']?.({})
async function books(id: string): Promise<Record<string, number>> {
  const { rows } = await sql<{ account: string; amount: number }>`select account, sum(amount)::int as amount from ledger_lines
    where sale_id = ${id} group by account having sum(amount) <> 0`.execute(t.db)
  return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]))
}
const keptRows = async () => {
  const { rows } = await sql<{
    id: string
    nth: number
    amount: number
    day: string
  }>`select sale_id as id, nth, amount, day::text from kept_deposits
    where sale_id = any(${made}::uuid[]) order by amount`.execute(t.db)
  return rows
}
const events = async () =>
  (await sql`select subject_id as id, actor, payload from events where kind = 'deposit.kept' order by subject_id`.execute(t.db)).rows

it('are kept as they would be now, once, by the product itself, on the day on which that is done', async () => {
  const id = await visit()
  await markedBefore(id)
  expect(await books(id)).toEqual({ online: 1260, prepayments: -1260 })
  t.clock.set(later(ten, 3 * 1440))
  await Promise.all([mend(), mend()])
  await mend()
  expect(await books(id)).toEqual({ online: 1260, kept: -1260 })
  expect(await keptRows()).toEqual([{ id, nth: 1, amount: 1260, day: '2026-11-27' }])
  const actor = { kind: 'system', job: expect.stringContaining('missed') as string }
  expect(await events()).toEqual([{ id, actor, payload: { amount: 1260, currency: 'EUR' } }])
  await sql`delete from migration_fills where name like '%missed%'`.execute(t.db)
  await mend()
  expect(await keptRows()).toHaveLength(1)
})

it('are taken back like any other where they came after all', async () => {
  const id = await visit()
  await markedBefore(id)
  t.clock.set(later(ten, 60))
  await mend()
  await marks(id, 'arrived')
  expect(await books(id)).toEqual({ online: 1260, prepayments: -1260 })
})

it('leave what came, is paid in full, was paid at the counter too, or is kept already as it is', async () => {
  const before = await visit(1000, { noShow: 2100 })
  await markedBefore(before)
  const [came, full, counter, kept] = [await visit(), await visit(1260, { pay: 'all' }), await visit(1300), await visit(1400)]
  await markedBefore(full)
  t.clock.set(later(ten, 16))
  await markedBefore(counter)
  const body = { lines: [{ segment: 0 }], payments: [{ method: 'cash', amount: 2900 }] }
  expect((await t.inject('POST', `/api/v1/secure/mysalon/appointments/${counter}/till`, { token: owner.token, body })).status).toBe(201)
  t.clock.set(later(ten, 300))
  await marks(kept, 'no_show')
  const untouched = await Promise.all([came, full, counter, kept].map(books))
  await mend()
  expect(await Promise.all([came, full, counter, kept].map(books))).toEqual(untouched)
  expect((await keptRows()).map(({ id, amount }) => [id, amount])).toEqual([
    [before, 1000],
    [kept, 1400],
  ])
  expect((await verifyLedgers(t.db)).faults).toEqual([])
})

it('of several institutes are all found', async () => {
  for (let n = 0; n < 3; n++) {
    institute = await makeInstitute(t.db, { members: 1, services: [{ price: 4200 }], cancelWindow: 1440 })
    for (const id of [await visit(), await visit()]) await markedBefore(id)
  }
  t.clock.set(later(ten, 1440))
  await mend()
  expect((await keptRows()).map(({ id }) => id).toSorted()).toEqual(made.toSorted())
})

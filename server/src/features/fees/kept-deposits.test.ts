/** What was paid beforehand for a visit that its client misses: it stays, once, and is taken back where they came after all, or pay for it. */
import type { OpenFee } from '@soigne/contract/fees'
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { later, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, charges, isBalanced, lastCheckout, paidVisit, tells } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
const missed = later(ten, 16)
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
  owner = await makeUser(t.db, { role: 'isPro' })
  const services = [{ price: 4200 }]
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services, cancelWindow: 1440, rescheduleWindow: 120 })
  client = await makeUser(t.db)
})
afterEach(() => isBalanced(t))

/** A visit that was paid for, at the time at which it is missed. */
async function visit(rule: { deposit?: number; noShow?: number; pay?: 'all' }): Promise<string> {
  await charges(t, institute, { noShow: rule.noShow === undefined ? null : { fixed: rule.noShow } })
  await asksFor(t, institute, rule.deposit === undefined ? 'none' : 'fixed', rule.deposit ?? null)
  const id = await paidVisit(t, client, institute, { startsAt: ten, ...(rule.pay && { pay: rule.pay }) })
  t.clock.set(missed)
  return id
}
const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object) =>
  t.inject(method, salon + path, { token: owner.token, ...(body && { body }) })
async function marks(id: string, attendance: string): Promise<void> {
  const answer = await ask('PUT', `/appointments/${id}/attendance`, { attendance })
  expect(answer.status, answer.text).toBe(200)
}
/** What the books of a visit have: above zero what the institute has, below what it owes and earned. */
async function books(id: string): Promise<Record<string, number>> {
  const { rows } = await sql<{
    account: string
    amount: number
  }>`select account, sum(amount)::int as amount from ledger_lines where sale_id = ${id}
    group by account having sum(amount) <> 0`.execute(t.db)
  return Object.fromEntries(rows.map(({ account, amount }) => [account, amount]))
}
const turns = async (id: string): Promise<number[]> => {
  const { rows } = await sql<{ amount: number }>`select amount from kept_deposits where sale_id = ${id} order by nth`.execute(t.db)
  return rows.map(({ amount }) => amount)
}
const fees = async (): Promise<OpenFee[]> => (await ask('GET', '/fees')).body['items'] as unknown as OpenFee[]

describe('who did not come', () => {
  it('[E-10] leaves the deposit, in the books as of who cancels late, and owes the rest of the fee with the card it is charged to', async () => {
    const id = await visit({ deposit: 1260, noShow: 2100 })
    expect(await books(id)).toEqual({ online: 1260, prepayments: -1260 })
    await marks(id, 'no_show')
    expect(await books(id)).toEqual({ online: 1260, kept: -1260 })
    expect(await fees()).toMatchObject([{ visitId: id, amount: { amount: 840 }, held: { amount: 1260 }, card: { lastFour: '4242' } }])
  })

  it.each([
    ['as much as the fee', { deposit: 2100, noShow: 2100 }, 2100, []],
    ['more than the fee: all of it, as of who cancels late', { deposit: 3000, noShow: 2100 }, 3000, []],
    ['where nothing is charged for not coming', { deposit: 1260 }, 1260, []],
    ['nothing: the whole fee is due', { noShow: 2100 }, 0, [2100]],
  ])('leaves what was paid, %s', async (_why, rule, kept, due) => {
    const id = await visit(rule)
    await marks(id, 'no_show')
    expect(await books(id)).toEqual(kept === 0 ? {} : { online: kept, kept: -kept })
    expect((await fees()).map(({ amount }) => amount.amount)).toEqual(due)
  })

  it('of a visit that is paid in full leaves the invoice as it is', async () => {
    const id = await visit({ deposit: 1260, noShow: 2100, pay: 'all' })
    const before = await books(id)
    await marks(id, 'no_show')
    expect([await books(id), await turns(id)]).toEqual([before, []])
  })

  it('is kept once, however often it is marked at a time', async () => {
    const id = await visit({ deposit: 1260, noShow: 2100 })
    await Promise.all(Array.from({ length: 4 }, () => marks(id, 'no_show')))
    expect(await turns(id)).toEqual([1260])
  })
})

describe('what was kept is paid beforehand again', () => {
  it('when they came after all, by an entry the other way, and is kept anew when they did not', async () => {
    const id = await visit({ deposit: 1260, noShow: 2100 })
    for (const attendance of ['no_show', 'arrived']) await marks(id, attendance)
    expect(await books(id)).toEqual({ online: 1260, prepayments: -1260 })
    await marks(id, 'no_show')
    expect(await turns(id)).toEqual([1260, -1260, 1260])
    await expect(sql`update kept_deposits set amount = 1 where sale_id = ${id}`.execute(t.db)).rejects.toThrow()
  })

  it('when the visit is paid for at the counter all the same', async () => {
    const id = await visit({ deposit: 1260, noShow: 2100 })
    await marks(id, 'no_show')
    const taken = await ask('POST', `/appointments/${id}/till`, { lines: [{ segment: 0 }], payments: [{ method: 'cash', amount: 2940 }] })
    expect(taken.status, taken.text).toBe(201)
    expect(await books(id)).toEqual({ online: 1260, cash: 2940, revenue: -3500, vat: -700 })
    await marks(id, 'arrived')
    expect(await turns(id)).toEqual([1260, -1260])
  })

  it('when its client pays the rest online', async () => {
    const id = await visit({ deposit: 1260, noShow: 1260 })
    await marks(id, 'no_show')
    const asked = await t.inject('POST', `/api/v1/secure/appointments/${id}/payments`, { token: client.token, body: {} })
    expect(asked.status, asked.text).toBe(201)
    await tells(t, await lastCheckout(t, id), 'paid')
    expect(await books(id)).toEqual({ online: 4200, revenue: -3500, vat: -700 })
  })
})

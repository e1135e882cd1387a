/** Payouts as a provider says them: read, kept with their parts, shown with what was kept back, and refused ones with their reason. */
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import type { Money } from '@soigne/contract/wire'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import type { ProviderPayout, ProviderPayoutMove } from '#/platform/payment-provider.ts'
import { wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { asksFor, paidVisit } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const evening = '2026-11-20T17:00:00Z'
const madeAt = Date.parse('2026-11-21T02:00:00Z')

let t: TestApp
let institute: MadeInstitute
let owner: MadeUser
let client: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: evening })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(evening)
  t.payments.fall(false)
  vi.restoreAllMocks()
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, {
    ownerId: owner.id,
    members: 1,
    services: [{ price: 3800 }],
    cancelWindow: 1440,
    rescheduleWindow: 120,
  })
  await asksFor(t, institute, 'fixed', 1500)
  client = await makeUser(t.db, { firstName: 'Nour' })
})

const path = '/api/v1/secure/mysalon/payouts'
const get = async <Name extends 'payouts' | 'payout'>(address: string, token = owner.token): Promise<Answer<Calls[Name]>> => {
  const { body, text, status } = await t.inject('GET', address, { token })
  if (status !== 200) throw new Error(text)
  return body as unknown as Answer<Calls[Name]>
}
const reads = async (at: string): Promise<void> => {
  t.clock.set(at)
  await t.jobs['read_payouts']?.({})
}
const referenceOf = async (visitId: string): Promise<string> =>
  (await sql<{ reference: string }>`select reference from checkouts where appointment_id = ${visitId}`.execute(t.db)).rows[0]?.reference ??
  ''
const payout = (more: Partial<ProviderPayout> = {}): ProviderPayout => ({
  reference: `po_${institute.id}`,
  amount: 1470,
  currency: 'EUR',
  state: 'coming',
  problem: null,
  at: madeAt,
  arrivesOn: '2026-11-24',
  ...more,
})
const move = (more: Partial<ProviderPayoutMove>): ProviderPayoutMove => ({
  reference: 'txn_1',
  kind: 'payment',
  paymentReference: null,
  amount: 1500,
  fees: { provider: 30, site: 0, tax: 0 },
  said: null,
  at: madeAt - 3_600_000,
  ...more,
})
function sends(one: ProviderPayout, moves: ProviderPayoutMove[] | null): void {
  t.payments.sent.set(institute.id, [{ payout: one, moves }])
}

describe('payouts', () => {
  it('are shown with what they are made up of, and each part with the sale it was paid for', async () => {
    const visitId = await paidVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00') })
    sends(payout({ amount: 1220 }), [
      move({ paymentReference: await referenceOf(visitId), fees: { provider: 30, site: 38, tax: 7 } }),
      move({ reference: 'txn_2', kind: 'refund', amount: -200, fees: { provider: 0, site: -5, tax: 0 }, at: madeAt - 1000 }),
      move({ reference: 'txn_3', kind: 'fee', amount: -10, said: 'Monthly fee', fees: { provider: 0, site: 0, tax: 0 }, at: madeAt }),
    ])
    await reads('2026-11-21T03:00:00Z')
    const { items, total, provider, readAt, timeZone } = await get<'payouts'>(path)
    expect({ total, provider, readAt, timeZone }).toEqual({
      total: 1,
      provider: 'sandbox',
      readAt: '2026-11-21T03:00:00.000Z',
      timeZone: 'Europe/Paris',
    })
    const [only] = items
    expect(only).toMatchObject({
      provider: 'sandbox',
      amount: { amount: 1220, currency: 'EUR' },
      state: 'coming',
      arrivesOn: '2026-11-24',
      parts: 3,
      sums: { payments: 1500, refunds: -200, disputes: 0, other: 0 },
      // What is kept apart from any payment is among them.
      fees: { provider: 40, site: 33, tax: 7 },
    })
    const { moves } = await get<'payout'>(`${path}/${only?._id}`)
    expect(moves.map(({ kind, amount, saleId, client: who, said }) => ({ kind, amount, saleId, who, said }))).toEqual([
      { kind: 'fee', amount: -10, saleId: null, who: null, said: 'Monthly fee' },
      { kind: 'refund', amount: -200, saleId: null, who: null, said: null },
      { kind: 'payment', amount: 1500, saleId: visitId, who: 'Nour Benali', said: null },
    ])
    const file = await t.inject('GET', `${path}/${only?._id}/parts.csv`, { token: owner.token })
    const rows = file.text.trim().split('\r\n')
    expect(rows).toHaveLength(4)
    expect(rows[3]).toContain('15.00')
    expect(rows[3]).toContain('14.25')
  })

  it('name clients as the institute knows them, also those whose account is gone', async () => {
    const visitId = await paidVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00') })
    sends(payout(), [move({ paymentReference: await referenceOf(visitId) })])
    await reads('2026-11-21T03:00:00Z')
    await sql`update checkouts set user_id = null where appointment_id = ${visitId}`.execute(t.db)
    const [only] = (await get<'payouts'>(path)).items
    expect((await get<'payout'>(`${path}/${only?._id}`)).moves).toMatchObject([{ client: 'Nour Benali', saleId: visitId }])
  })

  it('change their state when the bank has them or refuses, while their parts stay', async () => {
    await paidVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00') })
    sends(payout(), [move({})])
    await reads('2026-11-21T03:00:00Z')
    sends(payout({ state: 'failed', problem: 'account_gone' }), [])
    await reads('2026-11-21T14:59:00Z')
    expect((await get<'payouts'>(path)).items[0]).toMatchObject({ state: 'coming', problem: null })
    await reads('2026-11-21T15:01:00Z')
    expect((await get<'payouts'>(path)).items[0]).toMatchObject({ state: 'failed', problem: 'account_gone', parts: 1 })
  })

  it('that are refused are told to the owner, each once, with why and what to do', async () => {
    const letters = async (): Promise<string[][]> => {
      await t.drainJobs()
      return (await t.mails(owner.email)).filter(({ kind }) => kind === 'payout_refused').map(({ subject, text }) => [subject, text])
    }
    await paidVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00') })
    sends(payout(), [])
    await reads('2026-11-21T03:00:00Z')
    expect(await letters()).toEqual([])
    sends(payout({ state: 'failed', problem: 'account_gone' }), [])
    await reads('2026-11-23T03:00:00Z')
    const [[subject, text] = [], ...others] = await letters()
    expect(subject).toBe('A payout of €14.70 was refused')
    const { items } = await get<'payouts'>(path)
    for (const words of ['closed or does not exist', 'not lost', 'bank details', `/mysalon/invoices/payouts?payout=${items[0]?._id}`])
      expect(text).toContain(words)
    await reads('2026-11-24T03:00:00Z')
    expect(others).toEqual([])
    expect(await letters()).toHaveLength(1)
    // The next one is another.
    sends(payout({ reference: 'po_next', state: 'failed', problem: null }), [])
    await reads('2026-11-25T03:00:00Z')
    expect((await letters()).map(([, said]) => said).filter((said) => said?.includes('gave no reason'))).toHaveLength(1)
  })

  it('are read at once when the provider says that one has changed; a word about nobody here changes nothing', async () => {
    await paidVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00') })
    sends(payout(), [move({})])
    await reads('2026-11-21T03:00:00Z')
    const accountId = `acct_${institute.id}`
    await sql`insert into payment_accounts (institute_id, account_id, made_at) values (${institute.id}, ${accountId}, now())`.execute(t.db)
    sends(payout({ state: 'paid' }), [move({})])
    const says = async (id: string, of: string): Promise<number> => {
      const { payload, headers } = t.payments.sign({ id, at: t.clock.now(), kind: 'payout', accountId: of })
      return (await t.inject('POST', '/api/v1/webhooks/sandbox', { payload, headers })).status
    }
    expect(await says('payout 1', 'acct_of_nobody')).toBe(200)
    expect((await get<'payouts'>(path)).items[0]?.state).toBe('coming')
    t.payments.fall()
    expect(await says('payout 2', accountId)).toBeGreaterThanOrEqual(500)
    t.payments.fall(false)
    expect(await says('payout 2', accountId)).toBe(200)
    expect((await get<'payouts'>(path)).items[0]?.state).toBe('paid')
  })

  it('whose parts the provider does not say have none', async () => {
    await paidVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00') })
    sends(payout({ amount: -900 }), null)
    await reads('2026-11-21T03:00:00Z')
    expect((await get<'payouts'>(path)).items[0]).toMatchObject({ amount: { amount: -900 }, parts: null })
  })

  it('are not asked for where nobody paid online, and are tried again after a provider that did not answer', async () => {
    sends(payout(), [move({})])
    await reads('2026-11-21T03:00:00Z')
    expect(await get<'payouts'>(path)).toMatchObject({ total: 0, readAt: null })
    await paidVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00') })
    t.payments.fall()
    await reads('2026-11-21T03:01:00Z')
    expect(await get<'payouts'>(path)).toMatchObject({ total: 0, readAt: null })
    t.payments.fall(false)
    await reads('2026-11-21T15:02:00Z')
    expect(await get<'payouts'>(path)).toMatchObject({ total: 1, readAt: '2026-11-21T15:02:00.000Z' })
  })

  it('are those of the institute alone, and a page of them says how many there are', async () => {
    await paidVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00') })
    const all = Array.from({ length: 12 }, (_, n) =>
      payout({ reference: `po_${n}_${institute.id}`, at: madeAt - n * 86_400_000, amount: n + 1 }),
    )
    t.payments.sent.set(
      institute.id,
      all.map((one) => ({ payout: one, moves: null })),
    )
    await reads('2026-11-21T03:00:00Z')
    const second = await get<'payouts'>(`${path}?page=2&pageSize=10`)
    expect({ total: second.total, amounts: second.items.map(({ amount }) => amount.amount) }).toEqual({ total: 12, amounts: [11, 12] })
    const other = await makeUser(t.db, { role: 'isPro' })
    await makeInstitute(t.db, { ownerId: other.id })
    expect(await get<'payouts'>(path, other.token)).toMatchObject({ total: 0 })
    const foreign = await t.inject('GET', `${path}/${second.items[0]?._id}`, { token: other.token })
    expect(foreign.status).toBe(404)
  })
})

describe('what waits at the provider', () => {
  const waits = async (token = owner.token) => {
    const { waiting, waitingReadAt, readAt, total } = await get<'payouts'>(path, token)
    return { waiting, waitingReadAt, readAt, total }
  }
  const has = (...waiting: Money[]): void => void t.payments.unsent.set(institute.id, waiting)
  const euros = (amount: number): Money => ({ amount, currency: 'EUR' })
  const [first, second] = ['2026-11-21T03:00:00.000Z', '2026-11-21T16:00:00.000Z'] as const
  beforeEach(() => paidVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00') }))

  it('is shown by currency, with when it was read, and is what the last reading found', async () => {
    has(euros(12_840), { amount: -700, currency: 'TND' })
    expect(await waits()).toEqual({ waiting: [], waitingReadAt: null, readAt: null, total: 0 })
    await reads(first)
    expect(await waits()).toEqual({
      waiting: [euros(12_840), { amount: -700, currency: 'TND' }],
      waitingReadAt: first,
      readAt: first,
      total: 0,
    })
    has()
    await reads(second)
    expect(await waits()).toMatchObject({ waiting: [], waitingReadAt: second })
  })

  it('stays as it was, with its own moment, where the provider says its payouts alone or nothing', async () => {
    has(euros(1470))
    await reads(first)
    has(euros(9999))
    sends(payout(), [move({})])
    const asked = vi.spyOn(t.payments, 'waiting').mockRejectedValue(new Error('no balance today'))
    await reads(second)
    expect(await waits()).toEqual({ waiting: [euros(1470)], waitingReadAt: first, readAt: second, total: 1 })
    // On an account where nothing is the institute's apart.
    asked.mockResolvedValue(null)
    await reads('2026-11-22T05:00:00.000Z')
    vi.restoreAllMocks()
    expect(await waits()).toMatchObject({ waiting: [euros(1470)], waitingReadAt: first, readAt: '2026-11-22T05:00:00.000Z' })
    t.payments.fall()
    await reads('2026-11-22T18:00:00.000Z')
    expect(await waits()).toMatchObject({ waiting: [euros(1470)], waitingReadAt: first, readAt: '2026-11-22T05:00:00.000Z' })
  })

  it('is read with the payouts when the provider says that one has changed', async () => {
    has(euros(1470))
    await reads(first)
    const accountId = `acct_${institute.id}`
    await sql`insert into payment_accounts (institute_id, account_id, made_at) values (${institute.id}, ${accountId}, now())`.execute(t.db)
    has(euros(30))
    t.clock.set('2026-11-21T03:10:00.000Z')
    const { payload, headers } = t.payments.sign({ id: `waits ${institute.id}`, at: t.clock.now(), kind: 'payout', accountId })
    expect((await t.inject('POST', '/api/v1/webhooks/sandbox', { payload, headers })).status).toBe(200)
    expect(await waits()).toMatchObject({ waiting: [euros(30)], waitingReadAt: '2026-11-21T03:10:00.000Z' })
  })

  it('is seen by owners and managers of its institute alone', async () => {
    has(euros(1470))
    await reads(first)
    const manager = await makePerson(t.db, institute.id, 'manager')
    expect((await waits(manager.token)).waiting).toEqual([euros(1470)])
    const desk = await makePerson(t.db, institute.id, 'reception')
    expect((await t.inject('GET', path, { token: desk.token })).status).toBe(403)
    const other = await makeUser(t.db, { role: 'isPro' })
    await makeInstitute(t.db, { ownerId: other.id })
    expect(await waits(other.token)).toEqual({ waiting: [], waitingReadAt: null, readAt: null, total: 0 })
  })
})

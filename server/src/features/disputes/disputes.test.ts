/** Payments that clients dispute at their bank: what leaves the books, who is told, and what the bank decided. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { verifyLedgers } from '#/features/ledger/service.ts'
import { cancelled, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { asksFor, paidVisit } from '#/testing/paid-visits.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
const salon = '/api/v1/secure/mysalon'
const answerBy = Date.parse('2026-11-27T11:00:00Z')

let t: TestApp
let institute: MadeInstitute
let owner: MadeUser
let client: MadeUser
let visitId: string
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services: [{ price: 3800 }], cancelWindow: 1440 })
  await asksFor(t, institute, 'fixed', 1500)
  client = await makeUser(t.db)
  visitId = await paidVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00') })
})

const referenceOf = async (): Promise<string> =>
  (await sql<{ reference: string }>`select reference from checkouts where appointment_id = ${visitId}`.execute(t.db)).rows[0]?.reference ??
  ''
let count = 0
interface Said {
  state?: 'open' | 'won' | 'lost'
  id?: string
  amount?: number
  reference?: string
  accountId?: string | null
  wordId?: string
}
async function says({ state = 'open', id = 'dp_1', amount = 1500, accountId = null, ...more }: Said = {}): Promise<TestAnswer> {
  const word = {
    id: more.wordId ?? `d${++count}`,
    at: t.clock.now(),
    kind: 'dispute',
    disputeId: `${id} ${visitId}`,
    reference: more.reference ?? (await referenceOf()),
    accountId,
    amount,
    currency: 'EUR',
    state,
    why: 'not_received',
    answerBy: state === 'open' ? answerBy : null,
  } as const
  const { payload, headers } = t.payments.sign(word)
  return t.inject('POST', '/api/v1/webhooks/sandbox', { payload, headers })
}
const seen = async (who = owner) => {
  const dashboard = await t.inject('GET', `${salon}/dashboard`, { token: who.token })
  const sale = await t.inject('GET', `${salon}/sales/${visitId}`, { token: owner.token })
  return {
    open: (dashboard.body as unknown as { toDo: { disputes: { state: string }[] | null } }).toDo.disputes,
    sale: sale.body['disputes'] as unknown as { state: string }[],
  }
}
const accounts = async (): Promise<Record<string, number>> =>
  Object.fromEntries(
    (
      await sql<{
        account: string
        amount: number
      }>`select account, sum(amount)::int as amount from ledger_lines where institute_id = ${institute.id} and account in ('online', 'disputed') group by 1`.execute(
        t.db,
      )
    ).rows.map(({ account, amount }) => [account, amount]),
  )
const booksHold = async (): Promise<void> => expect((await verifyLedgers(t.db)).faults).toEqual([])
const letters = async () =>
  (await t.mails(owner.email)).filter(({ kind }) => kind.includes('dispute')).map(({ kind, subject }) => [kind, subject])

describe('a payment that is disputed', () => {
  it('leaves the books while it is open, is on the first page and the sale, and the owner is told until when to answer', async () => {
    expect((await says()).status).toBe(200)
    expect(await accounts()).toEqual({ online: 0, disputed: 1500 })
    await booksHold()
    const one = {
      saleId: visitId,
      amount: { amount: 1500, currency: 'EUR' },
      method: 'card',
      state: 'open',
      why: 'not_received',
      answerBy: '2026-11-27T11:00:00.000Z',
      endedAt: null,
    }
    expect(await seen()).toMatchObject({ open: [one], sale: [one] })
    expect(await letters()).toEqual([['payment_disputed', 'A payment of €15 is disputed']])
    const [letter] = await t.mails(owner.email)
    expect(letter?.text).toContain('until Friday 27 November')
  })

  it('that the bank decides for the institute comes again', async () => {
    await says()
    await says({ state: 'won' })
    expect(await accounts()).toEqual({ online: 1500, disputed: 0 })
    await booksHold()
    expect(await seen()).toMatchObject({ open: [], sale: [{ state: 'won' }] })
    expect(await letters()).toEqual([
      ['dispute_decided', 'The bank decided for you: €15 is back'],
      ['payment_disputed', 'A payment of €15 is disputed'],
    ])
  })

  it('that the bank decides for the client stays gone, whatever is said after', async () => {
    await says()
    await says({ state: 'lost' })
    await says({ state: 'open' })
    await says({ state: 'won' })
    expect(await accounts()).toEqual({ online: 0, disputed: 1500 })
    await booksHold()
    expect(await seen()).toMatchObject({ open: [], sale: [{ state: 'lost' }] })
    expect((await letters()).map(([kind]) => kind)).toEqual(['dispute_decided', 'payment_disputed'])
  })
})

describe('words of a dispute', () => {
  it.each([
    [['open', 'open', 'won'], { online: 1500, disputed: 0 }],
    [['won', 'open'], { online: 1500 }],
    [['lost', 'open'], { online: 0, disputed: 1500 }],
    [['lost', 'lost', 'open', 'open'], { online: 0, disputed: 1500 }],
  ] as const)('in the order %j come to one outcome', async (states, sums) => {
    for (const state of states) expect((await says({ state })).status).toBe(200)
    expect(await accounts()).toEqual(sums)
    await booksHold()
    expect(await seen()).toMatchObject({ sale: [{ state: states.includes('won' as never) ? 'won' : 'lost' }] })
  })

  it('heard twice count once; two of one payment count both', async () => {
    await says({ wordId: `same ${visitId}`, amount: 500 })
    await says({ wordId: `same ${visitId}`, amount: 500 })
    await says({ id: 'dp_2', amount: 700 })
    expect(await accounts()).toEqual({ online: 300, disputed: 1200 })
    await booksHold()
  })

  it('about a payment of somebody else, or of another account, change nothing here', async () => {
    expect((await says({ reference: 'pi_of_a_shop' })).status).toBe(200)
    expect((await says({ accountId: 'acct_other' })).status).toBe(200)
    expect(await accounts()).toEqual({ online: 1500 })
    expect(await seen()).toEqual({ open: [], sale: [] })
  })
})

it('who may not give money back does not see them on the first page', async () => {
  await says()
  const reception = await makePerson(t.db, institute.id, 'reception')
  expect((await seen(reception)).open).toBeNull()
})

describe('cancelling a visit whose payment is disputed', () => {
  const amount = { amount: 1500, currency: 'EUR' }
  const nothing = { amount: 0, currency: 'EUR' }
  const outcome = async () => ({
    client: (await t.inject('GET', `${visitsPath}/${visitId}/payments`, { token: client.token })).body['ifCancelled'],
    desk: (await t.inject('GET', `${salon}/appointments/${visitId}/cancellation`, { token: owner.token })).body,
  })

  it('says before the click that nothing is sent back, and so does the letter', async () => {
    await says()
    expect(await outcome()).toEqual({
      client: { refunded: nothing, kept: nothing, charged: nothing, atBank: amount },
      desk: { refunded: nothing, atBank: amount, sessions: 0 },
    })
    await cancelled(t, client, visitId)
    await t.drainJobs()
    const letter = (await t.mails(client.email)).find(({ kind }) => kind === 'visit_cancelled')?.text ?? ''
    expect(letter).toContain('€15 isn’t sent back to you: your bank took it back')
    expect(letter).not.toContain('goes back')
  })

  it('of which the bank decided for the institute: all goes back', async () => {
    await says()
    await says({ state: 'won' })
    expect(await outcome()).toMatchObject({ client: { refunded: amount }, desk: { refunded: amount } })
  })
})

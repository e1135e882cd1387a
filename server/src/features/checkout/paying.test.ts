/** A payment stands between a hold and its visit, over a network that is slow: real processes are killed on the way, and it is paid once and booked once. */
import { sql } from 'kysely'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { finishBrokenOff } from '#/platform/claimed-keys.ts'
import { hold, later, overlaps, readVisit, tryHold, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { type PaymentServer, providerAt, startPaymentServer } from '#/testing/payment-server.ts'
import { payerOf, payingStops, type PayingStop, startPayingProcess } from '#/testing/paying-process.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { type CheckoutOrder, type Paid, payForHold, payingAt } from './service.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
const cut = 3500

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
let house: PaymentServer
let holdId: string
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  institute = await makeInstitute(t.db, { members: 1 })
  client = await makeUser(t.db)
  house = await startPaymentServer()
  holdId = (await hold(t, client, institute, { startsAt: ten }))._id
})
afterEach(() => house.close())

const order = (): CheckoutOrder => ({ holdId, amount: cut, paymentMethod: 'card' })
const pay = async (of = order(), key = 'k', context = t.context): Promise<Paid> =>
  payForHold(context, { scope: await payerOf(client.id), locale: 'en', idempotencyKey: key }, providerAt(house.url), of)
const finish = (): Promise<number> => finishBrokenOff(t.db, [payingAt(t.context, providerAt(house.url))], t.context.log)
/** The claim of the dead runs out. */
const lapse = () =>
  sql`update idempotency_keys set claimed_until = clock_timestamp() - interval '1 ms' where user_id = ${client.id} and status is null`.execute(
    t.db,
  )

/** Another process claims the key and is killed there. */
async function killedAt(stop: PayingStop): Promise<void> {
  const { arrived, letGo } = house.holdAnswers()
  if (stop !== 'while') letGo()
  const child = await startPayingProcess({
    databaseUrl: t.databaseUrl,
    dataDir: t.context.settings.dataDir,
    now,
    userId: client.id,
    key: 'k',
    order: order(),
    provider: house.url,
    stop,
  })
  // The money is taken, and the answer is on its way for as long as the process lives.
  if (stop === 'while') await arrived
  await child.kill()
  letGo()
}

async function isPaidOnce(): Promise<void> {
  expect([...house.book.values()]).toEqual([{ reference: 'pay_1', paid: true, amount: cut }])
  expect((await readVisit(t, client, holdId)).status).toBe('completed')
  expect((await t.mails(client.email)).map(({ kind }) => kind)).toEqual(['visit_booked'])
  const { rows } = await sql`select state, reference from checkouts where appointment_id = ${holdId}`.execute(t.db)
  expect(rows).toEqual([{ state: 'paid', reference: 'pay_1' }])
  const told = await sql<{
    n: number
  }>`select count(*)::int as n from events where subject_id = ${holdId} and kind in ('visit.booked', 'checkout.settled')`.execute(t.db)
  expect([told.rows, await overlaps(t.db)]).toEqual([[{ n: 2 }], 0])
}

describe('a process killed', () => {
  it.each(payingStops)('%s the payment: whoever asks again books it, once', async (stop) => {
    await killedAt(stop)
    expect((await t.inject('GET', visitsPath, { token: client.token })).body['total']).toBe(0)
    // The hold waits, long after its ten minutes.
    t.clock.set(later(now, 40))
    await lapse()
    const answers = await Promise.all([pay(), pay(), pay()])
    expect(answers).toEqual(Array.from({ length: 3 }, () => ({ visitId: holdId, outcome: 'booked' })))
    expect(await pay()).toEqual({ visitId: holdId, outcome: 'booked' })
    await isPaidOnce()
  })

  it.each(payingStops)('%s the payment, and nobody comes again: the job books it', async (stop) => {
    await killedAt(stop)
    expect(await finish()).toBe(0)
    await lapse()
    expect([await finish(), await finish()]).toEqual([1, 0])
    await isPaidOnce()
    expect(await pay()).toEqual({ visitId: holdId, outcome: 'booked' })
  })

  it('after the money was taken, for so long that the hold ran out: the same time while it is free', async () => {
    await killedAt('while')
    t.clock.set(later(now, 90))
    await lapse()
    expect(await pay()).toEqual({ visitId: holdId, outcome: 'booked' })
    await isPaidOnce()
  })

  it('after the money was taken, for so long that another has the time: it is due back, and everybody hears the same', async () => {
    await killedAt('while')
    t.clock.set(later(now, 90))
    expect((await tryHold(t, await makeUser(t.db), institute, { startsAt: ten })).status).toBe(201)
    await lapse()
    expect([await finish(), await pay()]).toEqual([1, { visitId: holdId, outcome: 'refund_due' }])
    expect([house.book.size, (await t.inject('GET', visitsPath, { token: client.token })).body['total']]).toEqual([1, 0])
    expect(await t.mails(client.email)).toEqual([])
  })
})

describe('paying', () => {
  it('asked for several times at once with one key asks the house once', async () => {
    const answers = await Promise.all([pay(), pay(), pay(), pay()])
    expect(answers).toEqual(Array.from({ length: 4 }, () => ({ visitId: holdId, outcome: 'booked' })))
    expect(house.asked()).toBe(1)
    await isPaidOnce()
  })

  it('asked for twice, where the second comes to the hold when the first has booked it, answers the same', async () => {
    const { promise: first, resolve } = Promise.withResolvers<Paid>()
    const { database } = t.context
    const slow = database.prepared.withPlugin({
      transformQuery: ({ node }) => node,
      transformResult: async ({ result }) => first.then(() => result),
    })
    const second = pay(order(), 'k', { ...t.context, database: { ...database, prepared: slow } })
    await pay().then(resolve)
    expect(await second).toEqual({ visitId: holdId, outcome: 'booked' })
    await isPaidOnce()
  })

  it('while the house thinks, the hold waits, also when its ten minutes are over', async () => {
    const { arrived, letGo } = house.holdAnswers()
    const paid = pay()
    await arrived
    t.clock.set(later(now, 30))
    expect((await tryHold(t, await makeUser(t.db), institute, { startsAt: ten })).status).toBe(409)
    letGo()
    expect(await paid).toEqual({ visitId: holdId, outcome: 'booked' })
    await isPaidOnce()
  })

  it('that is declined frees the time, and says so again', async () => {
    house.decline()
    expect([await pay(), await pay()]).toEqual(Array.from({ length: 2 }, () => ({ visitId: holdId, outcome: 'declined' })))
    expect(house.asked()).toBe(1)
    expect((await tryHold(t, await makeUser(t.db), institute, { startsAt: ten })).status).toBe(201)
    await expect(pay(order(), 'again')).rejects.toMatchObject({ code: 'hold_expired' })
  })

  it('with the key of another payment is refused, and opens no checkout', async () => {
    await pay()
    const next = await hold(t, client, institute, { startsAt: later(ten, 60) })
    await expect(pay({ ...order(), holdId: next._id })).rejects.toMatchObject({ code: 'idempotency_conflict' })
    expect((await sql`select from checkouts where appointment_id = ${next._id}`.execute(t.db)).rows).toEqual([])
    await expect(pay(order(), 'other')).rejects.toMatchObject({ code: 'wrong_state' })
    expect(house.book.size).toBe(1)
  })
})

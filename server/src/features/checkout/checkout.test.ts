/** A hold that waits for its checkout: how long, what it keeps, and what becomes of it when the money comes, does not come, or comes late. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookingJobs } from '#/features/booking/jobs.ts'
import { verifySummary } from '#/features/summary/service.ts'
import { hold, holdsPath, later, overlaps, readVisit, refused, tryConfirm, tryHold, visitsPath, wall } from '#/testing/booking.ts'
import { abandonedCheckout, openedCheckout, payerOf, settledCheckout } from '#/testing/checkouts.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'
import { type Checkout, openCheckout, type Settled } from './service.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
const cut = 3500

let t: TestApp
/** Another process on the same database, with a memory of its own. */
let other: TestApp
let institute: MadeInstitute
let client: MadeUser
let rival: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: now })
  other = await openTestApp({ at: now, databaseUrl: t.databaseUrl })
})
afterAll(async () => {
  await other.close()
  await t.close()
})
beforeEach(async () => {
  for (const app of [t, other]) app.clock.set(now)
  institute = await makeInstitute(t.db, { members: 1 })
  ;[client, rival] = await Promise.all([makeUser(t.db), makeUser(t.db)])
})

const at = (minutes: number): void => {
  for (const app of [t, other]) app.clock.set(later(now, minutes))
}
const open = (holdId: string, more: { amount?: number; by?: MadeUser } = {}): Promise<Checkout> =>
  openedCheckout(t, more.by ?? client, holdId, more.amount ?? cut)
const settle = (checkout: Checkout, reference = 'pay_1', app = t): Promise<Settled> => settledCheckout(app, checkout, reference)
const abandon = (checkout: Checkout, app = t): Promise<void> => abandonedCheckout(app, checkout)
const runOut = (checkout: Checkout): Promise<void> => abandonedCheckout(t, checkout, 'expired')

const held = (): ReturnType<typeof hold> => hold(t, client, institute, { startsAt: ten })
const rivalTries = (app = t): Promise<TestAnswer> => tryHold(app, rival, institute, { startsAt: ten })
const isOffered = async (app = t): Promise<boolean> =>
  (
    await app.inject(
      'GET',
      `/api/v1/client/institutes/${institute.id}/availability?service=${institute.services[0]}&from=2026-11-24&days=1`,
    )
  ).text.includes(`"startsAt":"${ten}"`)
const stateOf = async ({ id }: Checkout): Promise<string | undefined> =>
  (await sql<{ state: string }>`select state from checkouts where id = ${id}`.execute(t.db)).rows[0]?.state
const kindsOf = async (id: string): Promise<string[]> =>
  (await sql<{ kind: string }>`select kind from events where subject_id = ${id} order by id`.execute(t.db)).rows.map(({ kind }) => kind)
/** Nothing overlaps, and the index of free time is what brute force says. */
const isSound = async (): Promise<void> => {
  await bookingJobs(t.context)['tidy_bookings']?.({})
  expect(await overlaps(t.db)).toBe(0)
  expect((await verifySummary(t.db, t.clock.now())).wrong).toEqual([])
}

describe('a hold whose checkout is open', () => {
  it('keeps its time for 45 minutes from its making, for every process and every reader', async () => {
    const { _id: id } = await held()
    await isOffered(other)
    at(3)
    const checkout = await open(id)
    expect(checkout).toMatchObject({ state: 'open', payment: 'paid', until: later(now, 45), currency: 'EUR', amount: cut })
    for (const minutes of [11, 21, 44]) {
      at(minutes)
      await bookingJobs(other.context)['tidy_bookings']?.({})
      expect([await isOffered(), await isOffered(other)]).toEqual([false, false])
      expect(refused(await rivalTries(other))).toEqual([409, 'slot_taken'])
      expect(refused(await rivalTries())).toEqual([409, 'slot_taken'])
      await isSound()
    }
    at(46)
    expect([await isOffered(), await isOffered(other)]).toEqual([true, true])
    expect((await rivalTries(other)).status).toBe(201)
    expect(await kindsOf(id)).toEqual(['visit.held', 'checkout.begun', 'visit.lapsed'])
    await isSound()
  })

  it('is shown to its holder among the holds with its end, and is no appointment', async () => {
    const { _id: id } = await held()
    await open(id)
    at(30)
    const mine = await t.inject('GET', holdsPath, { token: client.token })
    expect(mine.body['items']).toMatchObject([{ _id: id, expiresAt: later(now, 45), extended: true }])
    expect((await t.inject('GET', visitsPath, { token: client.token })).body['total']).toBe(0)
    expect((await t.inject('GET', `${visitsPath}/${id}`, { token: client.token })).status).toBe(404)
  })

  it('is booked by its payment only, and has no other minutes', async () => {
    const { _id: id } = await held()
    const checkout = await open(id)
    expect(refused(await tryConfirm(t, client, id))).toEqual([409, 'wrong_state'])
    expect(refused(await t.inject('PUT', `${holdsPath}/${id}/extend`, { token: client.token }))).toEqual([409, 'hold_extended'])
    expect(await settle(checkout)).toBe('booked')
    expect((await readVisit(t, client, id)).status).toBe('completed')
  })

  it('counts among the live holds of its client', async () => {
    const { _id: id } = await held()
    await open(id)
    at(20)
    await hold(t, client, institute, { startsAt: later(ten, 60) })
    const third = await tryHold(t, client, institute, { startsAt: later(ten, 120) })
    expect([refused(third), third.headers['retry-after']]).toEqual([[429, 'too_many_holds'], String(10 * 60)])
  })

  it('has one checkout, however often it is opened; never more than 45 minutes, and less where the setting says so', async () => {
    const { _id: id } = await held()
    const [first, again] = await Promise.all([open(id), open(id)])
    expect(again).toEqual(first)
    expect(await kindsOf(id)).toEqual(['visit.held', 'checkout.begun'])
    await expect(sql`update checkouts set until = until + interval '1 ms' where id = ${first.id}`.execute(t.db)).rejects.toThrow(
      'checkouts_limited',
    )
    const short = { ...t.context, settings: { ...t.context.settings, checkoutMinutes: 20 } }
    const second = await hold(t, client, institute, { startsAt: later(ten, 60) })
    const order = { holdId: second._id, amount: cut, paymentMethod: 'card' as const }
    const { until } = await openCheckout(short, { scope: await payerOf(client.id), locale: 'en', idempotencyKey: null }, order)
    expect(until).toBe(later(now, 20))
  })

  it('is opened for one’s own live hold only', async () => {
    const { _id: id } = await held()
    await expect(open(id, { by: rival })).rejects.toMatchObject({ code: 'not_found' })
    at(10)
    await expect(open(id)).rejects.toMatchObject({ code: 'hold_expired' })
    at(0)
    await tryConfirm(t, client, id)
    await expect(open(id)).rejects.toMatchObject({ code: 'wrong_state' })
  })
})

describe('the money', () => {
  it('books the visit, once however often it is told, with one letter to each side', async () => {
    const { _id: id } = await held()
    const checkout = await open(id, { amount: 1000 })
    at(40)
    const told = await Promise.all([settle(checkout), settle(checkout, 'pay_1', other), settle(checkout)])
    expect(told).toEqual(['booked', 'booked', 'booked'])
    expect(await readVisit(t, client, id)).toMatchObject({
      status: 'deposit_paid',
      paymentMethod: 'card',
      note: 'Paid online',
      payAtSalon: false,
    })
    expect(await kindsOf(id)).toEqual(['visit.held', 'checkout.begun', 'visit.booked', 'sale.taken', 'checkout.settled'])
    expect((await t.mails(client.email)).map(({ kind }) => kind)).toEqual(['visit_booked'])
    expect(await stateOf(checkout)).toBe('paid')
    at(60)
    expect((await readVisit(t, client, id)).status).toBe('deposit_paid')
    await isSound()
  })

  it('that arrives late has the same time when it is still free', async () => {
    const { _id: id } = await held()
    const checkout = await open(id)
    at(50)
    await bookingJobs(t.context)['tidy_bookings']?.({})
    expect(await settle(checkout, 'pay_1', other)).toBe('booked')
    expect((await readVisit(t, client, id)).status).toBe('completed')
    expect(refused(await rivalTries())).toEqual([409, 'slot_taken'])
    await isSound()
  })

  it.each([
    ['by a hold', async () => void (await rivalTries())],
    ['by a visit', async () => void (await tryConfirm(t, rival, String((await rivalTries()).body['_id'])))],
    [
      'in another calendar',
      async () =>
        void (await sql`insert into soft_occupations (institute_id, kind, source_id, subject_kind, subject_id, during, actor)
          values (${institute.id}, 'external', uuidv7(), 'member', ${institute.members[0]}, tstzrange(${ten}, ${later(ten, 5)}), '{}')`.execute(
          t.db,
        )),
    ],
  ])('that arrives late is due back when the time was taken %s', async (_how, take) => {
    const { _id: id } = await held()
    const checkout = await open(id)
    at(50)
    await take()
    expect([await settle(checkout), await settle(checkout, 'pay_1', other)]).toEqual(['refund_due', 'refund_due'])
    expect([await stateOf(checkout), (await t.inject('GET', visitsPath, { token: client.token })).body['total']]).toEqual(['refund_due', 0])
    expect(await t.mails(client.email)).toEqual([])
    await isSound()
  })

  it('that arrives when somebody’s hold of the time has run out too, has it', async () => {
    const { _id: id } = await held()
    const checkout = await open(id)
    at(46)
    expect((await rivalTries()).status).toBe(201)
    at(57)
    expect(await settle(checkout)).toBe('booked')
    expect((await readVisit(t, client, id)).status).toBe('completed')
    await isSound()
  })

  it('that arrives after the visit was to begin, or after the hold was forgotten, is due back', async () => {
    const { _id: id } = await held()
    const checkout = await open(id)
    const next = await hold(t, client, institute, { startsAt: later(ten, 60) })
    const forgotten = await open(next._id)
    at(26 * 60)
    await bookingJobs(t.context)['tidy_bookings']?.({})
    expect((await sql`select from appointments where id = ${next._id}`.execute(t.db)).rows).toEqual([])
    expect(await settle(forgotten)).toBe('refund_due')
    await sql`update appointments set expires_at = ${later(now, 45)} where id = ${id}`.execute(t.db)
    t.clock.set(ten)
    expect(await settle(checkout)).toBe('refund_due')
  })

  it('for a visit that a process of before has booked meanwhile makes it a paid one', async () => {
    const { _id: id } = await held()
    const checkout = await open(id)
    await sql`select * from confirm_hold(${id}, ${client.id}, 'pending', null, null, null, null, '{}', ${now})`.execute(t.db)
    expect((await readVisit(t, client, id)).status).toBe('pending')
    expect(await settle(checkout)).toBe('booked')
    expect((await readVisit(t, client, id)).status).toBe('completed')
  })
})

describe('a seat of a session', () => {
  async function heldSeat(): Promise<string> {
    const { _id: id, expiresAt } = await held()
    await sql`delete from occupations where appointment_id = ${id}`.execute(t.db)
    await sql`with opened as (insert into group_sessions (institute_id, service_id, member_id, during, capacity)
        values (${institute.id}, ${institute.services[0]}, ${institute.members[0]}, tstzrange(${later(ten, 120)}, ${later(ten, 180)}), 2) returning id)
      insert into session_seats (session_id, seat, institute_id, capacity, appointment_id, expires_at)
        select id, 1, ${institute.id}, 2, ${id}, ${expiresAt} from opened`.execute(t.db)
    return id
  }
  const seats = async (): Promise<unknown[]> =>
    (await sql`select expires_at as "expiresAt" from session_seats where institute_id = ${institute.id}`.execute(t.db)).rows

  it('waits for its checkout too, and is booked by it', async () => {
    const id = await heldSeat()
    const checkout = await open(id)
    at(44)
    await bookingJobs(other.context)['tidy_bookings']?.({})
    expect(await seats()).toEqual([{ expiresAt: later(now, 45) }])
    expect(await settle(checkout)).toBe('booked')
    expect([await seats(), (await readVisit(t, client, id)).status]).toEqual([[{ expiresAt: null }], 'completed'])
  })

  it('is free again after it, and money that arrives late is due back', async () => {
    const checkout = await open(await heldSeat())
    at(45)
    await bookingJobs(other.context)['tidy_bookings']?.({})
    expect([await seats(), await settle(checkout)]).toEqual([[], 'refund_due'])
  })
})

describe('a checkout that came to nothing', () => {
  it.each(['failed', 'cancelled'] as const)(
    'because it %s: the same hold goes on, with what it had left and no less than five minutes',
    async (why) => {
      const { _id: id } = await held()
      at(3)
      const checkout = await open(id)
      at(20)
      await abandonedCheckout(t, checkout, why)
      await abandonedCheckout(other, checkout, why)
      const mine = await t.inject('GET', holdsPath, { token: client.token })
      expect(mine.body['items']).toMatchObject([{ _id: id, expiresAt: later(now, 27), extended: false }])
      expect(refused(await rivalTries(other))).toEqual([409, 'slot_taken'])
      const next = await open(id)
      expect([next.id === checkout.id, next.state, next.until]).toEqual([false, 'open', later(now, 45)])
      at(26)
      await abandonedCheckout(other, next, why)
      at(30)
      expect((await tryConfirm(t, client, id)).status).toBe(201)
      expect(await kindsOf(id)).toEqual([
        'visit.held',
        'checkout.begun',
        'checkout.abandoned',
        'checkout.begun',
        'checkout.abandoned',
        'visit.booked',
      ])
      await isSound()
    },
  )

  it('late keeps its hold to 45 minutes from its making, and no longer', async () => {
    const { _id: id } = await held()
    const checkout = await open(id)
    at(43)
    await abandon(checkout)
    expect((await t.inject('GET', holdsPath, { token: client.token })).body['items']).toMatchObject([{ expiresAt: later(now, 45) }])
    const last = await open(id)
    expect(last.until).toBe(later(now, 45))
    at(45)
    await abandon(last)
    expect((await t.inject('GET', holdsPath, { token: client.token })).body['items']).toEqual([])
    expect((await rivalTries()).status).toBe(201)
    await isSound()
  })

  it('and paid while a later one is open: whichever is paid first books, and the other goes back', async () => {
    const { _id: id } = await held()
    const first = await open(id)
    await abandon(first)
    const second = await open(id, { amount: 1000 })
    expect([await settle(first), await settle(second, 'pay_2', other)]).toEqual(['booked', 'refund_due'])
    expect((await readVisit(t, client, id)).status).toBe('completed')
    const { rows } = await sql`select amount, reason, state from refunds where appointment_id = ${id}`.execute(t.db)
    expect(rows).toEqual([{ amount: 1000, reason: 'late_payment', state: 'waiting' }])
  })

  it('by its clock frees the time at once, for every process', async () => {
    const { _id: id } = await held()
    const checkout = await open(id)
    await isOffered(other)
    at(20)
    await runOut(checkout)
    await abandon(checkout)
    expect([await isOffered(), await isOffered(other)]).toEqual([true, true])
    expect((await t.inject('GET', holdsPath, { token: client.token })).body['items']).toEqual([])
    expect(refused(await tryConfirm(t, client, id))).toEqual([409, 'hold_expired'])
    await expect(open(id)).rejects.toMatchObject({ code: 'hold_expired' })
    expect((await rivalTries(other)).status).toBe(201)
    expect([await stateOf(checkout), await kindsOf(id)]).toEqual([
      'expired',
      ['visit.held', 'checkout.begun', 'checkout.abandoned', 'visit.released'],
    ])
    await isSound()
  })

  it('because its holder let the time go is free at once too; money that comes all the same has the time if it can', async () => {
    const { _id: id } = await held()
    const checkout = await open(id)
    expect((await t.inject('DELETE', `${holdsPath}/${id}`, { token: client.token })).status).toBe(200)
    expect(refused(await t.inject('DELETE', `${holdsPath}/${id}`, { token: client.token }))).toEqual([404, 'not_found'])
    expect(await isOffered(other)).toBe(true)
    expect(await settle(checkout)).toBe('booked')
    expect((await readVisit(t, client, id)).status).toBe('completed')
    await isSound()
  })

  it('and is paid all the same: with the time while it is free, due back when it is not', async () => {
    const first = await held()
    const checkout = await open(first._id)
    await runOut(checkout)
    expect(await settle(checkout)).toBe('booked')
    const second = await hold(t, client, institute, { startsAt: later(ten, 60) })
    const lost = await open(second._id)
    await runOut(lost)
    await hold(t, rival, institute, { startsAt: later(ten, 60) })
    expect(await settle(lost)).toBe('refund_due')
    await isSound()
  })
})

describe('at the same instant, on two processes', () => {
  /** Who has the time in the end: never nobody who paid without a debt, never two. */
  async function checkOutcome(checkout: Checkout, settled: Settled, rivals: TestAnswer | null): Promise<void> {
    const status = (await t.inject('GET', `${visitsPath}/${checkout.visitId}`, { token: client.token })).body['status']
    expect([status, await stateOf(checkout)]).toEqual(settled === 'booked' ? ['completed', 'paid'] : [undefined, 'refund_due'])
    if (rivals) expect([rivals.status === 201, settled === 'booked']).toContain(true)
    if (rivals) expect(rivals.status === 201).toBe(settled !== 'booked')
    await isSound()
  }

  it.each(Array.from({ length: 6 }, (_, round) => round))('the money comes, the time runs out and another wants it (%i)', async (round) => {
    const { _id: id } = await held()
    const checkout = await open(id)
    // One clock is a moment before the end, the other at it.
    t.clock.set(Date.parse(checkout.until) - 1)
    other.clock.set(Date.parse(checkout.until))
    const tidy = async (): Promise<void> => bookingJobs(other.context)['tidy_bookings']?.({})
    const [settled, rivals] =
      round % 2 === 0
        ? await Promise.all([settle(checkout), rivalTries(other), tidy()])
        : await Promise.all([settle(checkout, 'pay_1', other), rivalTries(other), tidy()])
    await checkOutcome(checkout, settled, rivals)
  })

  it.each(Array.from({ length: 6 }, (_, round) => round))('the money comes and the checkout is given up (%i)', async (round) => {
    const { _id: id } = await held()
    const checkout = await open(id)
    const apps = round % 2 === 0 ? [t, other] : [other, t]
    const given = round < 3 ? abandon(checkout, apps[1]) : t.inject('DELETE', `${holdsPath}/${id}`, { token: client.token })
    const [settled, , rivals] = await Promise.all([settle(checkout, 'pay_1', apps[0]), given, rivalTries(apps[1])])
    await checkOutcome(checkout, settled, rivals)
  })

  it('the checkout is opened and the visit booked without it: one of both', async () => {
    for (let round = 0; round < 6; round++) {
      const { _id: id } = await hold(t, client, institute, { startsAt: later(ten, 60 * round) })
      const [checkout, confirmed] = await Promise.all([open(id).catch((error: unknown) => error), tryConfirm(other, client, id)])
      const isOpen = !(checkout instanceof Error)
      expect([confirmed.status, isOpen ? 'open' : (checkout as { code?: string }).code]).toEqual(
        isOpen ? [409, 'open'] : [201, 'wrong_state'],
      )
      if (isOpen) await runOut(checkout as Checkout)
    }
    await isSound()
  })

  it('the hold runs out and its checkout is opened: it waits, or it is gone', async () => {
    for (let round = 0; round < 4; round++) {
      at(60 * round)
      const startsAt = later(ten, 60 * round)
      const { _id: id, expiresAt } = await hold(t, client, institute, { startsAt })
      t.clock.set(Date.parse(expiresAt) - 1)
      other.clock.set(expiresAt)
      const [checkout, rivals] = await Promise.all([
        open(id).catch((error: unknown) => error),
        tryHold(other, rival, institute, { startsAt }),
      ])
      const isOpen = !(checkout instanceof Error)
      expect([rivals.status, isOpen ? 'open' : (checkout as { code?: string }).code]).toEqual(
        isOpen ? [409, 'open'] : [201, 'hold_expired'],
      )
      if (isOpen) await runOut(checkout as Checkout)
      else await t.inject('DELETE', `${holdsPath}/${String(rivals.body['_id'])}`, { token: rival.token })
    }
    await isSound()
  })
})

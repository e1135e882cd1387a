/** What a provider moved beside what stands here: found each night, put right where it was only not heard of, and kept with its reason. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { cancelled, hold, readVisit, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, isBalanced, lastCheckout, paidVisit, tryBook } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { differencesLeft } from './service.ts'

const evening = '2026-11-20T17:00:00Z'
const night = '2026-11-21T03:30:00Z'
const ten = wall('2026-11-24T10:00')

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: evening })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(evening)
  t.payments.fall(false)
  t.payments.refundState = 'done'
  t.payments.elsewhere.length = 0
  t.payments.lost.clear()
  await sql`delete from payment_differences`.execute(t.db)
  await sql`delete from reconciliations`.execute(t.db)
  institute = await makeInstitute(t.db, { members: 1, services: [{ price: 3800 }], cancelWindow: 1440, rescheduleWindow: 120 })
  await asksFor(t, institute, 'fixed', 1500)
  client = await makeUser(t.db)
})

const looks = async (at = night): Promise<void> => {
  t.clock.set(at)
  await t.jobs['reconcile_payments']?.({})
}
const left = async () =>
  (
    await sql`select kind, ours, theirs, currency from payment_differences where institute_id = ${institute.id} and ended_at is null order by kind`.execute(
      t.db,
    )
  ).rows
const nights = async () =>
  (await sql`select day::text, payments, refunds, foreign_moves, differences, failed from reconciliations order by day`.execute(t.db)).rows
const kept = async () =>
  (
    await sql`select kind, ours, theirs, ended_how from payment_differences where institute_id = ${institute.id} order by found_at, kind`.execute(
      t.db,
    )
  ).rows
const referenceOf = async (visitId: string): Promise<string> =>
  (await sql<{ reference: string }>`select reference from checkouts where appointment_id = ${visitId}`.execute(t.db)).rows[0]?.reference ??
  ''
/** Paid on its page, and the word of it was lost. */
async function paidUnheard(how: Parameters<typeof t.payments.ends>[1] = 'paid', more: { amount?: number } = {}): Promise<string> {
  const { _id: holdId } = await hold(t, client, institute, { startsAt: ten })
  await tryBook(t, client, { holdId })
  t.payments.ends(await lastCheckout(t, holdId), how, more)
  return holdId
}

describe('a night', () => {
  it('finds nothing where all was heard of, counts what is the owner’s alone, and looks once', async () => {
    const id = await paidVisit(t, client, institute, { startsAt: ten })
    await cancelled(t, client, id)
    t.payments.elsewhere.push({
      kind: 'payment',
      reference: 'pi_shop',
      paymentReference: 'pi_shop',
      ownId: null,
      amount: 900,
      currency: 'EUR',
      at: 0,
    })
    await looks()
    await looks('2026-11-21T04:30:00Z')
    expect(await left()).toEqual([])
    const [only, ...others] = await nights()
    expect(others).toEqual([])
    expect(only).toMatchObject({ day: '2026-11-21', foreign_moves: 1, differences: 0, failed: null })
    await looks('2026-11-22T03:30:00Z')
    expect(await nights()).toHaveLength(2)
  })

  it('waits until three in the morning', async () => {
    await paidVisit(t, client, institute, { startsAt: ten })
    await looks('2026-11-21T02:59:00Z')
    expect(await nights()).toEqual([])
  })

  it('that the provider does not answer is noted, and the next one finds what was missed', async () => {
    await paidVisit(t, client, institute, { startsAt: ten })
    t.payments.lost.add(
      await referenceOf(
        (await sql<{ id: string }>`select id from appointments where institute_id = ${institute.id}`.execute(t.db)).rows[0]?.id ?? '',
      ),
    )
    t.payments.fall()
    await looks()
    expect((await nights())[0]).toMatchObject({ failed: expect.stringContaining('closed') })
    t.payments.fall(false)
    await looks('2026-11-22T03:30:00Z')
    expect(await left()).toEqual([{ kind: 'missing_payment', ours: 1500, theirs: 0, currency: 'EUR' }])
  })
})

describe('money that was not heard of', () => {
  it('is put right as if its word came now: the money of a time that is over goes back', async () => {
    const id = await paidUnheard()
    // Its hold has run out, and somebody else has the time.
    t.clock.set('2026-11-20T18:10:00Z')
    await paidVisit(t, await makeUser(t.db), institute, { startsAt: ten })
    await looks()
    await t.drainJobs()
    expect(await left()).toEqual([])
    expect(await kept()).toEqual([{ kind: 'unheard_payment', ours: 0, theirs: 1500, ended_how: 'healed' }])
    expect((await sql`select reason, amount, state from refunds where appointment_id = ${id}`.execute(t.db)).rows).toEqual([
      { reason: 'late_payment', amount: 1500, state: 'done' },
    ])
    await isBalanced(t)
  })

  it('books a hold whose page nobody asked about', async () => {
    const id = await paidUnheard()
    await looks()
    expect((await readVisit(t, client, id)).status).toBe('deposit_paid')
    expect(await kept()).toEqual([{ kind: 'unheard_payment', ours: 0, theirs: 1500, ended_how: 'healed' }])
    await isBalanced(t)
  })

  it('of another sum than was asked for stays open, with both', async () => {
    await paidUnheard('paid', { amount: 1000 })
    await looks()
    expect(await left()).toEqual([{ kind: 'unheard_payment', ours: 0, theirs: 1000, currency: 'EUR' }])
    expect(await differencesLeft(t.context, 100)).toContainEqual(
      expect.objectContaining({ institute: expect.any(String), kind: 'unheard_payment', theirs: 1000 }),
    )
  })

  it('that went back is done', async () => {
    const id = await paidVisit(t, client, institute, { startsAt: ten })
    t.payments.refundState = 'waiting'
    await cancelled(t, client, id)
    await t.jobs['send_refunds']?.({})
    for (const refund of t.payments.refunds.values()) refund.state = 'done'
    await looks()
    expect(await kept()).toEqual([{ kind: 'unheard_refund', ours: 0, theirs: -1500, ended_how: 'healed' }])
    expect((await sql`select state from refunds where appointment_id = ${id}`.execute(t.db)).rows).toEqual([{ state: 'done' }])
  })
})

describe('what cannot be put right', () => {
  it('is kept with its reason, and is gone once it is so no more', async () => {
    const id = await paidVisit(t, client, institute, { startsAt: ten })
    const reference = await referenceOf(id)
    t.payments.elsewhere.push({
      kind: 'refund',
      reference: 're_desk',
      paymentReference: reference,
      ownId: null,
      amount: 700,
      currency: 'EUR',
      at: 0,
    })
    await looks()
    expect(await left()).toEqual([{ kind: 'foreign_refund', ours: 0, theirs: -700, currency: 'EUR' }])
    t.payments.elsewhere.length = 0
    t.payments.lost.add(reference)
    await looks('2026-11-22T03:30:00Z')
    expect(await left()).toEqual([{ kind: 'missing_payment', ours: 1500, theirs: 0, currency: 'EUR' }])
    t.payments.lost.clear()
    await looks('2026-11-23T03:30:00Z')
    expect(await left()).toEqual([])
    expect((await kept()).map((one) => (one as { ended_how: string }).ended_how)).toEqual(['gone', 'gone'])
  })

  it('a refund that the provider has not, and one of another sum', async () => {
    const id = await paidVisit(t, client, institute, { startsAt: ten })
    await cancelled(t, client, id)
    await t.jobs['send_refunds']?.({})
    const [given] = [...t.payments.refunds.values()].slice(-1)
    if (!given) throw new Error('nothing went back')
    t.payments.lost.add(given.reference)
    await looks()
    expect(await left()).toEqual([{ kind: 'missing_refund', ours: -1500, theirs: 0, currency: 'EUR' }])
    t.payments.lost.clear()
    given.order = { ...given.order, amount: 1400 }
    await looks('2026-11-22T03:30:00Z')
    expect(await left()).toEqual([{ kind: 'other_amount', ours: -1500, theirs: -1400, currency: 'EUR' }])
  })
})

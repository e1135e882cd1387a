/** Life and payment beside the one word that the release before reads and writes: in the database both say the same, whoever writes. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noteFills, runFills } from '#/platform/fills.ts'
import { bookVisit, cancelled, hold, readVisit, tryConfirm, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { lives, payments, type Standing, statusOf } from './state-graph.ts'
import { standings } from './visit-store.ts'

const ten = wall('2026-11-24T10:00')

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
beforeAll(async () => {
  t = await openTestApp({ settings: { LIMIT_HOLDS: '50' } })
})
afterAll(() => t.close())
beforeEach(async () => {
  institute = await makeInstitute(t.db, {})
  client = await makeUser(t.db)
})

interface Stored {
  status: string
  life: Standing['life'] | null
  payment: Standing['payment'] | null
}
const stored = async (id: string): Promise<Stored | undefined> =>
  (await sql<Stored>`select status, life, payment from appointments where id = ${id}`.execute(t.db)).rows[0]
/** As a process of the release before writes it. */
const writeWord = (id: string, status: string) =>
  sql`update appointments set status = ${status}, cancelled_at = case when ${status} = 'cancelled' then now() end, cancelled_by = case when ${status} = 'cancelled' then 'client' end where id = ${id}`.execute(
    t.db,
  )
/** As a row that was there before the columns were. */
const forget = async (id: string): Promise<void> =>
  t.db.transaction().execute(async (transaction) => {
    await sql`set local session_replication_role = replica`.execute(transaction)
    await sql`update appointments set life = null, payment = null where id = ${id}`.execute(transaction)
  })

describe('the word of the release before', () => {
  it('is the one of the product for each pair that can be stored, and the other pairs cannot be', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten })
    for (const life of ['booked', 'cancelled'] as const)
      for (const payment of payments) {
        const write =
          sql`update appointments set life = ${life}, payment = ${payment}, cancelled_at = case when ${life} = 'cancelled' then now() end,
          cancelled_by = case when ${life} = 'cancelled' then 'client' end where id = ${id}`.execute(t.db)
        if (payment === 'refunded' && life === 'booked') await expect(write).rejects.toThrow('appointments_life_and_payment')
        else {
          await write
          expect(await stored(id)).toEqual({ status: statusOf({ life, payment }), life, payment })
        }
      }
    const held = await hold(t, client, institute, { startsAt: wall('2026-11-24T14:00') })
    for (const payment of payments) {
      const write = sql`update appointments set payment = ${payment} where id = ${held._id}`.execute(t.db)
      if (['none', 'awaiting', 'failed'].includes(payment)) {
        await write
        expect(await stored(held._id)).toEqual({ status: 'held', life: 'held', payment })
      } else await expect(write).rejects.toThrow('appointments_life_and_payment')
    }
    expect(lives).toHaveLength(3)
  })

  it('when written, becomes life and payment, and what was paid of a cancelled visit is not forgotten', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten })
    expect(await stored(id)).toEqual({ status: 'pending', life: 'booked', payment: 'none' })
    await writeWord(id, 'deposit_paid')
    expect(await stored(id)).toEqual({ status: 'deposit_paid', life: 'booked', payment: 'deposit_paid' })
    expect((await readVisit(t, client, id)).status).toBe('deposit_paid')
    await writeWord(id, 'completed')
    expect(await stored(id)).toEqual({ status: 'completed', life: 'booked', payment: 'paid' })
    await writeWord(id, 'cancelled')
    expect(await stored(id)).toEqual({ status: 'cancelled', life: 'cancelled', payment: 'paid' })
  })
})

describe('a row from before', () => {
  it('is read, listed, confirmed and cancelled like any other, and has both words afterwards', async () => {
    const held = await hold(t, client, institute, { startsAt: wall('2026-11-24T14:00') })
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    await writeWord(booked._id, 'completed')
    await Promise.all([forget(held._id), forget(booked._id)])
    expect((await readVisit(t, client, booked._id)).status).toBe('completed')
    const listed = async (status: string): Promise<unknown> =>
      (await t.inject('GET', `${visitsPath}?status=${status}`, { token: client.token })).body['total']
    expect([await listed('completed'), await listed('pending'), await listed('cancelled')]).toEqual([1, 0, 0])
    expect((await tryConfirm(t, client, held._id)).status).toBe(201)
    expect(await stored(held._id)).toEqual({ status: 'pending', life: 'booked', payment: 'none' })
    expect((await cancelled(t, client, booked._id)).status).toBe('cancelled')
    expect(await stored(booked._id)).toEqual({ status: 'cancelled', life: 'cancelled', payment: 'paid' })
    expect([await listed('completed'), await listed('pending'), await listed('cancelled')]).toEqual([0, 1, 1])
  })

  it('is filled in the background; what has both words already is left alone', async () => {
    const words = ['pending', 'deposit_paid', 'completed', 'cancelled']
    const ids: string[] = []
    for (const [n, word] of words.entries()) {
      const { _id: id } = await bookVisit(t, client, institute, { startsAt: wall(`2026-11-24T1${n}:00`) })
      ids.push(id)
      await writeWord(id, word)
      await forget(id)
    }
    const { _id: kept } = await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T15:00') })
    await sql`update appointments set payment = 'failed' where id = ${kept}`.execute(t.db)
    await sql`delete from migration_fills where name = ${standings.name}`.execute(t.db)
    await noteFills(t.db, [standings])
    await runFills(t.db, [{ ...standings, rowsAtOnce: 2 }])
    const found = await Promise.all(ids.map(stored))
    expect(found).toEqual([
      { status: 'pending', life: 'booked', payment: 'none' },
      { status: 'deposit_paid', life: 'booked', payment: 'deposit_paid' },
      { status: 'completed', life: 'booked', payment: 'paid' },
      { status: 'cancelled', life: 'cancelled', payment: 'none' },
    ])
    expect(await stored(kept)).toEqual({ status: 'pending', life: 'booked', payment: 'failed' })
    expect((await sql`select from appointments where life is null`.execute(t.db)).rows).toEqual([])
  })
})

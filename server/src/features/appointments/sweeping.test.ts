/** Two processes whose clocks disagree about a hold: one frees its time while the other confirms it. Whoever is first has it. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, hold, holdsPath, later, readVisit, refused, tryConfirm, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { confirmHold, customerOf, freeLapsedHolds, lockSubjects, sweepExpiredHolds } from './store.ts'
import { findOwn } from './visit-store.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
const fastClock = new Date(later(now, 11))

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
let heldId: string
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())
beforeEach(async () => {
  institute = await makeInstitute(t.db, {})
  client = await makeUser(t.db)
  heldId = (await hold(t, client, institute, { startsAt: ten, lines: [[0, 0]] }))._id
})

const occupied = async (): Promise<{ expiresAt: string | null }[]> =>
  (
    await sql<{ expiresAt: string | null }>`select expires_at as "expiresAt" from occupations where appointment_id = ${heldId}`.execute(
      t.db,
    )
  ).rows

/** Until some transaction of this database waits for another. */
async function somebodyWaits(): Promise<void> {
  for (;;) {
    const { rows } = await sql`select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(t.db)
    if (rows.length > 0) return
    await sleep(5)
  }
}

describe('a hold that one process thinks over and another confirms', () => {
  it.each([
    [
      'the next booking',
      async () =>
        t.db.transaction().execute(async (transaction) => {
          await lockSubjects(transaction, institute.members)
          await sweepExpiredHolds(transaction, institute.members, fastClock)
        }),
    ],
    [
      'two bookings',
      async () =>
        void (await Promise.all(
          [0, 1].map(async (member) =>
            t.db.transaction().execute(async (transaction) => {
              await lockSubjects(transaction, [institute.members[member] ?? ''])
              await sweepExpiredHolds(transaction, institute.members, fastClock)
            }),
          ),
        )),
    ],
  ])('stays confirmed when the confirmation came first, whatever %s sweeps', async (_name, sweep) => {
    const sweeping = await t.db.transaction().execute(async (transaction) => {
      await findOwn(transaction, { id: heldId, userId: client.id, lock: true })
      const waiting = sweep()
      await somebodyWaits()
      const customerId = await customerOf(transaction, { instituteId: institute.id, userId: client.id })
      expect(
        await confirmHold(transaction, { id: heldId, customerId, status: 'pending', paymentMethod: null, note: null, now: new Date(now) }),
      ).toBe(true)
      return { waiting }
    })
    await sweeping.waiting
    expect(await occupied()).toEqual([{ expiresAt: null }])
    expect((await readVisit(t, client, heldId)).status).toBe('pending')
  })

  it('is left alone by the tidying job, which waits for nobody', async () => {
    await t.db.transaction().execute(async (transaction) => {
      await findOwn(transaction, { id: heldId, userId: client.id, lock: true })
      await freeLapsedHolds(t.db, institute.id, fastClock)
      const customerId = await customerOf(transaction, { instituteId: institute.id, userId: client.id })
      expect(
        await confirmHold(transaction, { id: heldId, customerId, status: 'pending', paymentMethod: null, note: null, now: new Date(now) }),
      ).toBe(true)
    })
    expect(await occupied()).toEqual([{ expiresAt: null }])
  })

  it('cannot be confirmed when its time was swept first: never a visit without its time', async () => {
    const { confirming } = await t.db.transaction().execute(async (transaction) => {
      await lockSubjects(transaction, institute.members)
      await sweepExpiredHolds(transaction, institute.members, fastClock)
      const waiting = tryConfirm(t, client, heldId)
      await somebodyWaits()
      return { confirming: waiting }
    })
    expect(refused(await confirming)).toEqual([409, 'hold_expired'])
    expect(refused(await t.inject('PUT', `${holdsPath}/${heldId}/extend`, { token: client.token }))).toEqual([409, 'hold_expired'])
    const other = await makeUser(t.db)
    expect((await bookVisit(t, other, institute, { startsAt: ten, lines: [[0, 0]] })).startsAt).toBe(ten)
    expect(refused(await tryConfirm(t, client, heldId))).toEqual([409, 'hold_expired'])
  })
})

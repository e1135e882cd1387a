/** Two processes whose clocks disagree about a hold: one frees its time while the other confirms it. Whoever is first has it. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, hold, holdsPath, later, readVisit, refused, somebodyWaits, tryConfirm, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { standingClock } from '#/platform/clock.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { lockDiaries } from '#/features/availability/service.ts'
import { findVisit } from '#/features/visits/service.ts'
import { runFills } from '#/platform/fills.ts'
import { bookingFills, bookingJobs } from './jobs.ts'
import { freeLapsedHolds } from './store.ts'
import { systemScope } from '#/platform/access.ts'
import { sweepInstitute } from './sweeping.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
const fastClock = later(now, 11)

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
let heldId: string
/** Another process on the same database whose clock is eleven minutes ahead. */
let fast: AppContext
beforeAll(async () => {
  t = await openTestApp({ at: now })
  fast = { ...t.context, clock: standingClock(fastClock) }
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

describe('a hold that one process thinks over and another confirms', () => {
  it('stays confirmed when the confirmation is under way: a sweeper waits for it', async () => {
    const confirming = await t.db.transaction().execute(async (transaction) => {
      await findVisit(transaction, systemScope('test').user(client.id), { id: heldId, lock: true })
      const waiting = tryConfirm(t, client, heldId)
      await somebodyWaits(t)
      const sweeping = sweepInstitute(fast, institute.id)
      await somebodyWaits(t, 2)
      return { waiting, sweeping }
    })
    expect((await confirming.waiting).status).toBe(201)
    await confirming.sweeping
    expect(await occupied()).toEqual([{ expiresAt: null }])
    expect((await readVisit(t, client, heldId)).status).toBe('pending')
  })

  it('cannot be confirmed when its time was swept first: never a visit without its time', async () => {
    const confirming = await changeInstitute(fast, { instituteId: institute.id, by: systemScope('test') }, async (unit) => {
      const freed = await freeLapsedHolds(unit)
      expect(freed.map(({ id }) => id)).toEqual([heldId])
      for (const { id, startsAt, endsAt } of freed) unit.record('visit.lapsed', id, { startsAt, endsAt })
      const waiting = tryConfirm(t, client, heldId)
      await somebodyWaits(t)
      return { waiting }
    })
    expect(refused(await confirming.waiting)).toEqual([409, 'hold_expired'])
    expect(refused(await t.inject('PUT', `${holdsPath}/${heldId}/extend`, { token: client.token }))).toEqual([409, 'hold_expired'])
    const other = await makeUser(t.db)
    expect((await bookVisit(t, other, institute, { startsAt: ten, lines: [[0, 0]] })).startsAt).toBe(ten)
    expect(refused(await tryConfirm(t, client, heldId))).toEqual([409, 'hold_expired'])
  })
})

describe('holds of days ago', () => {
  it('are forgotten in a unit of their institute: not while somebody else changes it', async () => {
    await sweepInstitute(fast, institute.id)
    const late = { ...t.context, clock: standingClock(later(now, 2 * 1440)) }
    const isThere = async (): Promise<boolean> => (await sql`select from appointments where id = ${heldId}`.execute(t.db)).rows.length > 0
    const tidying = await t.db.transaction().execute(async (transaction) => {
      await lockDiaries(transaction, [institute.id])
      const done = Promise.resolve(bookingJobs(late)['tidy_bookings']?.({}))
      await Promise.race([done, somebodyWaits(t)])
      expect(await isThere()).toBe(true)
      return { done }
    })
    await tidying.done
    expect(await isThere()).toBe(false)
  })
})

describe('the ends of holds', () => {
  const ends = async (): Promise<{ isDue: boolean; isFreed: boolean }[]> =>
    (
      await sql<{
        isDue: boolean
        isFreed: boolean
      }>`select expires_at <= ${new Date(fastClock)} as "isDue", is_freed as "isFreed" from hold_ends where appointment_id = ${heldId}`.execute(
        t.db,
      )
    ).rows

  it('are known from the making of a hold until it is confirmed, given back or forgotten', async () => {
    expect(await ends()).toEqual([{ isDue: true, isFreed: false }])
    await sweepInstitute(fast, institute.id)
    expect(await ends()).toEqual([{ isDue: true, isFreed: true }])
    await sql`delete from appointments where id = ${heldId}`.execute(t.db)
    expect(await ends()).toEqual([])
  })

  it('are gone once it is confirmed, whoever writes it', async () => {
    await bookVisit(t, client, institute, { startsAt: wall('2026-11-24T14:00'), lines: [[0, 0]] })
    expect((await tryConfirm(t, client, heldId)).status).toBe(201)
    expect(await ends()).toEqual([])
  })

  it('move with what the release before extends', async () => {
    await sql`update appointments set expires_at = expires_at + interval '10 minutes' where id = ${heldId}`.execute(t.db)
    expect(await ends()).toEqual([{ isDue: false, isFreed: false }])
  })

  it('are filled for holds that were there before', async () => {
    await sql`delete from hold_ends`.execute(t.db)
    await runFills(t.db, bookingFills)
    expect(await ends()).toEqual([{ isDue: true, isFreed: false }])
  })
})

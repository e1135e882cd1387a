/** Holds that run out in the middle of somebody else's change: nobody is refused for time that nobody has. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { findVisit } from '#/features/visits/service.ts'
import { blockTime, setLeave } from '#/features/diary-entries/service.ts'
import { systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import type { Db } from '#/platform/database.ts'
import { lockDiaries } from '#/features/availability/service.ts'
import { bookVisit, hold, later, refused, somebodyWaits, tryHold, tryMove, wall } from '#/testing/booking.ts'
import { diaryOf, eventsOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { moveVisit } from './changes.ts'

const now = '2026-11-20T11:00:00Z'
const lapsed = later(now, 11)
const ten = wall('2026-11-24T10:00')
const two = wall('2026-11-24T14:00')

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
let other: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: now, settings: { LIMIT_HOLDS: '50' } })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  ;[client, other] = [await makeUser(t.db), await makeUser(t.db)]
  institute = await makeInstitute(t.db, { members: 2 })
})

/** The app with a clock that jumps past the end of holds when it is read once more than so many times. */
function jumpingAfter(readings: number): AppContext {
  let read = 0
  return { ...t.context, clock: { now: () => Date.parse(read++ < readings ? now : lapsed) } }
}
const asClient = () => ({ scope: systemScope('test').user(client.id), locale: 'en' as const, idempotencyKey: null })

/** Waits for what is asked, or until it waits for somebody's lock. */
const askedOrWaiting = (asked: Promise<unknown>): Promise<unknown> => Promise.race([asked.catch(() => {}), somebodyWaits(t)])

describe('a move with anybody', () => {
  it.each([1, 2, 3, 4, 5])('finds who is free when a hold runs out after %i readings of the clock', async (readings) => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: two, lines: [[0, 'any']] })
    for (const member of [0, 1]) {
      t.clock.set(now)
      const world = jumpingAfter(readings)
      await hold(t, other, institute, { startsAt: later(ten, 60 * member), lines: [[0, member]] })
      await moveVisit(world, asClient() as never, { id, startsAt: later(ten, 60 * member) }, () => null)
    }
  })

  it('frees in its unit what has run out, and says so', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: two, lines: [[0, 0]] })
    const { _id: held } = await hold(t, other, institute, { startsAt: ten, lines: [[0, 0]] })
    t.clock.set(lapsed)
    expect((await tryMove(t, client, id, ten)).status).toBe(200)
    const told = (await eventsOf(t.db, institute)).map(({ kind, subjectId }) => [kind, subjectId])
    expect(told.slice(-2)).toEqual([
      ['visit.lapsed', held],
      ['visit.moved', id],
    ])
  })
})

describe('the terms of a move', () => {
  it('are judged when its turn has come, not when it was asked for', async () => {
    institute = await makeInstitute(t.db, { members: 1, rescheduleWindow: 60 })
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten })
    t.clock.set(later(ten, -61))
    const moving = await t.db.transaction().execute(async (transaction) => {
      await lockDiaries(transaction, [institute.id])
      const answer = tryMove(t, client, id, two)
      await somebodyWaits(t)
      t.clock.set(later(ten, -59))
      return { answer }
    })
    expect(refused(await moving.answer)).toEqual([422, 'too_late'])
  })
})

describe('a hold that has run out and that somebody tries to confirm this moment', () => {
  const changes: [string, () => Promise<{ status: number }>][] = [
    ['another hold', () => tryHold(t, client, institute, { startsAt: ten, lines: [[0, 0]] })],
    [
      'blocked time',
      async () => {
        const subject = { kind: 'member', id: institute.members[0] ?? '' } as const
        await blockTime(t.context, diaryOf(institute), { subject, startsAt: ten, endsAt: later(ten, 30) })
        return { status: 201 }
      },
    ],
    [
      'a holiday',
      async () => {
        const day = '2026-11-24'
        await setLeave(t.context, diaryOf(institute), {
          memberId: institute.members[0] ?? '',
          kind: 'on_holiday',
          fromDay: day,
          toDay: day,
        })
        return { status: 201 }
      },
    ],
  ]
  it.each(changes)('is waited for by %s, which then has the time', async (_what, change) => {
    const { _id: id } = await hold(t, other, institute, { startsAt: ten, lines: [[0, 0]] })
    t.clock.set(lapsed)
    const asked = await t.db.transaction().execute(async (transaction) => {
      await findVisit(transaction, systemScope('test').user(other.id), { id, lock: true })
      const answer = change()
      await askedOrWaiting(answer)
      return { answer }
    })
    expect((await asked.answer).status).toBe(201)
  })
})

describe('a hold with anybody', () => {
  it('is judged at one moment: what runs out while the diary is read is not in the way', async () => {
    await hold(t, other, institute, { startsAt: ten, lines: [[0, 0]] })
    const { _id: id } = await bookVisit(t, other, institute, { startsAt: ten, lines: [[0, 1]] })
    const put = (db: Db, at: string) =>
      sql`update occupations set during = tstzrange(${at}, ${later(at, 40)}) where appointment_id = ${id}`.execute(db)
    // Past this process, so that it reads before it refuses.
    await put(t.db, two)
    const asked = await t.db.transaction().execute(async (transaction) => {
      await sql`lock table diary_versions in access exclusive mode`.execute(transaction)
      const answer = tryHold(t, client, institute, { startsAt: ten, lines: [[0, 'any']] })
      await somebodyWaits(t)
      // The second has been free until now, and from now on the first is.
      t.clock.set(lapsed)
      await put(transaction, ten)
      return { answer }
    })
    expect((await asked.answer).status).toBe(201)
  })
})

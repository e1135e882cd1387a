/**
 * The written order of locks (docs/decisions/027), observed: every command is stopped at each lock it takes, by holding that lock, and while it waits
 * it may have none that comes later. Who takes two the other way round could wait for somebody who waits for them.
 */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { lockDiaries } from '#/features/availability/service.ts'
import { confirm, extendHoldOnce, makeHold, releaseHold, sweepInstitute } from '#/features/booking/service.ts'
import { findVisit } from '#/features/visits/service.ts'
import {
  blockTime,
  moveBlockedTime,
  overbookVisit,
  removeLeave,
  setLeave,
  syncExternal,
  unblockTime,
} from '#/features/diary-entries/service.ts'
import { cancelFrom, makeSeries } from '#/features/series/service.ts'
import { refreshInstitutes } from '#/features/summary/service.ts'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { standingClock } from '#/platform/clock.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import { bookVisit, hold, holdBody, later, processOf, somebodyWaitsFor, visitsPath, holdsPath, wall } from '#/testing/booking.ts'
import { abandonedCheckout, openedCheckout, settledCheckout } from '#/testing/checkouts.ts'
import { diaryOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { changeInstitute } from './service.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
const system = systemScope('test')

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
let fast: AppContext
beforeAll(async () => {
  t = await openTestApp({ at: now, settings: { LIMIT_HOLDS: '1000' } })
  fast = { ...t.context, clock: standingClock(later(now, 3 * 1440)) }
})
afterAll(() => t.close())
beforeEach(async () => {
  client = await makeUser(t.db)
  institute = await makeInstitute(t.db, { members: 2, horizon: 90 })
})

/** As it is written: nobody waits for one of these while having one further down. */
const order = ['key', 'person', 'diary', 'visit', 'index'] as const
type Lock = (typeof order)[number]

interface Place {
  instituteId: string
  userId: string
  /** The visit or hold that is changed. */
  visitId: string
  key: string
}
const unknown = '00000000-0000-7000-8000-000000000000'

const take: Record<Lock, (db: Db, place: Place) => Promise<unknown>> = {
  key: (db, { userId, key }) => sql`insert into idempotency_keys (user_id, key, fingerprint) values (${userId}, ${key}, 'x')`.execute(db),
  person: (db, { userId }) => sql`select pg_advisory_xact_lock(person_lock(${userId}))`.execute(db),
  diary: (db, { instituteId }) => lockDiaries(db, [instituteId]),
  visit: (db, { visitId }) => sql`select from appointments where id = ${visitId} for update`.execute(db),
  index: (db, { instituteId }) => sql`select pg_advisory_xact_lock(hashtextextended(${instituteId}, 727))`.execute(db),
}

/** Whether somebody has it. */
async function isTaken(lock: Lock, place: Place): Promise<boolean> {
  const probe = t.db.transaction().execute(async (transaction) => {
    await sql`set local lock_timeout = '100ms'`.execute(transaction)
    await take[lock](transaction, place)
    throw new Error('free')
  })
  return probe.catch((error: unknown) => (error as { code?: string }).code === '55P03')
}

interface Command {
  visitId?: string
  run(): Promise<unknown>
}

/** What a command has while it waits at each lock that it takes; violations of the order in words. */
async function violationsOf(
  prepare: () => Promise<Command>,
  written: readonly Lock[] = order,
): Promise<{ met: Lock[]; violations: string[] }> {
  const met: Lock[] = []
  const violations: string[] = []
  for (const lock of order) {
    client = await makeUser(t.db)
    const { visitId = unknown, run } = await prepare()
    const place: Place = { instituteId: institute.id, userId: client.id, visitId, key: 'k' }
    let isDone = false
    const running = await t.db.transaction().execute(async (transaction) => {
      await take[lock](transaction, place)
      const holder = await processOf(transaction)
      const done = run().finally(() => (isDone = true))
      await Promise.race([done.catch(() => {}), somebodyWaitsFor(t, holder)])
      if (!isDone) {
        met.push(lock)
        for (const other of order)
          if (other !== lock && written.indexOf(other) > written.indexOf(lock) && (await isTaken(other, place)))
            violations.push(`has ${other} while it waits for ${lock}`)
      }
      // The key of another request, taken for a moment, is nobody's: it is given back.
      if (lock === 'key') await sql`delete from idempotency_keys where user_id = ${client.id}`.execute(transaction)
      return { done }
    })
    await running.done
  }
  return { met, violations }
}

const self = (): SelfScope<true> => system.user(client.id) as unknown as SelfScope<true>
const who = () => ({ scope: self(), locale: 'en' as const, idempotencyKey: 'k' })
let days = 0
/** A time that nobody has had yet. */
const someTime = (): string => later(ten, 1440 * 7 * (days++ % 8) + 60 * (Math.floor(days / 8) % 6))
const member = (): string => institute.members[0] ?? ''
const made = async (startsAt = someTime()): Promise<string> => (await bookVisit(t, client, institute, { startsAt, lines: [[0, 0]] }))._id
const heldAt = async (startsAt = someTime()): Promise<string> => (await hold(t, client, institute, { startsAt, lines: [[0, 0]] }))._id
/** By the client's own call, which has a key. */
async function changed(path: string, body: object): Promise<void> {
  const answer = await t.inject('PUT', `${visitsPath}/${path}`, { token: client.token, body, headers: { 'idempotency-key': 'k' } })
  if (answer.status !== 200) throw new Error(answer.text)
}
const blocked = (startsAt = someTime()) =>
  blockTime(t.context, diaryOf(institute), { subject: { kind: 'member', id: member() }, startsAt, endsAt: later(startsAt, 20) })
const leaveOn = (kind: 'on_holiday' | 'sick_leave', startsAt = someTime()) => {
  const day = startsAt.slice(0, 10)
  return setLeave(t.context, diaryOf(institute), { memberId: institute.members[1] ?? '', kind, fromDay: day, toDay: day })
}

const commands: Record<string, { prepare: () => Promise<Command>; meets: Lock[] }> = {
  cancel: {
    meets: ['key', 'diary', 'visit', 'index'],
    prepare: async () => {
      const visitId = await made()
      return { visitId, run: () => changed(`${visitId}/cancel`, {}) }
    },
  },
  move: {
    meets: ['key', 'diary', 'visit', 'index'],
    prepare: async () => {
      const visitId = await made()
      const startsAt = someTime()
      return { visitId, run: () => changed(`${visitId}/reschedule`, { startsAt }) }
    },
  },
  'repeat a visit': {
    meets: ['person', 'diary', 'visit', 'index'],
    prepare: async () => {
      const visitId = await made()
      const asked = { id: visitId, everyWeeks: 1, startsAt: [someTime()] }
      return { visitId, run: () => makeSeries(t.context, who(), asked) }
    },
  },
  'cancel a series': {
    meets: ['diary', 'visit', 'index'],
    prepare: async () => {
      const visitId = await made()
      return { visitId, run: () => cancelFrom(t.context, who(), visitId) }
    },
  },
  extend: {
    meets: ['diary', 'visit', 'index'],
    prepare: async () => {
      const visitId = await heldAt()
      return { visitId, run: () => extendHoldOnce(t.context, who(), visitId) }
    },
  },
  release: {
    meets: ['diary', 'visit', 'index'],
    prepare: async () => {
      const visitId = await heldAt()
      return { visitId, run: () => releaseHold(t.context, who(), visitId) }
    },
  },
  'open a checkout': {
    meets: ['diary', 'visit', 'index'],
    prepare: async () => {
      const visitId = await heldAt()
      return { visitId, run: () => openedCheckout(t, client, visitId, 100) }
    },
  },
  'pay a checkout': {
    meets: ['diary', 'visit', 'index'],
    prepare: async () => {
      const visitId = await heldAt()
      const checkout = await openedCheckout(t, client, visitId, 100)
      return { visitId, run: () => settledCheckout(t, checkout) }
    },
  },
  'pay a checkout that has run out': {
    meets: ['diary', 'visit', 'index'],
    prepare: async () => {
      const visitId = await heldAt()
      const checkout = await openedCheckout(t, client, visitId, 100)
      return { visitId, run: () => settledCheckout({ context: { ...fast, clock: standingClock(later(now, 60)) } }, checkout) }
    },
  },
  'give a checkout up': {
    meets: ['diary', 'visit', 'index'],
    prepare: async () => {
      const visitId = await heldAt()
      const checkout = await openedCheckout(t, client, visitId, 100)
      return { visitId, run: () => abandonedCheckout(t, checkout) }
    },
  },
  sweep: {
    meets: ['diary', 'visit', 'index'],
    prepare: async () => ({ visitId: await heldAt(), run: () => sweepInstitute(fast, institute.id) }),
  },
  block: { meets: ['diary', 'index'], prepare: async () => ({ run: () => blocked() }) },
  'move blocked time': {
    meets: ['diary', 'index'],
    prepare: async () => {
      const { id } = await blocked()
      const startsAt = someTime()
      return { run: () => moveBlockedTime(t.context, diaryOf(institute), id, { startsAt, endsAt: later(startsAt, 20) }) }
    },
  },
  unblock: {
    meets: ['diary', 'index'],
    prepare: async () => {
      const { id } = await blocked()
      return { run: () => unblockTime(t.context, diaryOf(institute), id) }
    },
  },
  'blocking what a lapsed hold has': {
    meets: ['diary', 'visit', 'index'],
    prepare: async () => {
      const startsAt = someTime()
      const visitId = await heldAt(startsAt)
      const subject = { kind: 'member', id: member() } as const
      return { visitId, run: () => blockTime(fast, diaryOf(institute), { subject, startsAt, endsAt: later(startsAt, 20) }) }
    },
  },
  holiday: { meets: ['diary', 'index'], prepare: async () => ({ run: () => leaveOn('on_holiday') }) },
  'sick leave': { meets: ['diary', 'index'], prepare: async () => ({ run: () => leaveOn('sick_leave') }) },
  'return from leave': {
    meets: ['diary', 'index'],
    prepare: async () => {
      const { id } = await leaveOn('sick_leave')
      return { run: () => removeLeave(t.context, diaryOf(institute), id) }
    },
  },
  'other calendar': {
    meets: ['diary', 'index'],
    prepare: async () => {
      const stretch = { startsAt: someTime(), endsAt: later(ten, 1440 * 80) }
      const busy = [{ startsAt: stretch.startsAt, endsAt: later(stretch.startsAt, 20) }]
      return { run: () => syncExternal(t.context, diaryOf(institute), { memberId: member(), sourceId: client.id, ...stretch, busy }) }
    },
  },
  overbook: {
    meets: ['diary', 'index'],
    prepare: async () => {
      const { rows } = await sql<{
        id: string
      }>`insert into customers (institute_id, first_name) values (${institute.id}, 'Jo') returning id`.execute(t.db)
      const asked = { customerId: rows[0]?.id ?? '', services: [{ serviceId: institute.services[0] ?? '', staffId: member() }] }
      return { run: () => overbookVisit(t.context, diaryOf(institute), { ...asked, startsAt: someTime(), reason: 'She waits' }) }
    },
  },
  'mend the index': {
    meets: ['diary', 'index'],
    prepare: async () => ({
      run: () => inTransaction(t.db, (transaction) => refreshInstitutes(transaction, [institute.id], t.clock.now())),
    }),
  },
  // What it covers is part of the version of the diary.
  'make the index where there was none': {
    meets: ['diary', 'index'],
    prepare: async () => {
      await sql`delete from free_time where institute_id = ${institute.id}`.execute(t.db)
      return { run: () => inTransaction(t.db, (transaction) => refreshInstitutes(transaction, [institute.id], t.clock.now())) }
    },
  },
}

describe.each(Object.entries(commands))('the command: %s', (_name, { prepare, meets }) => {
  it('takes its locks in the written order', async () => {
    expect(await violationsOf(prepare)).toEqual({ met: meets, violations: [] })
  })
})

describe('the two statements of a booking', () => {
  it('take person, diary and index in order, or the visit alone, and the key of the request last', async () => {
    const keyLast = [...order.slice(1), order[0]]
    const holding = await violationsOf(async () => {
      const body = holdBody(institute, { startsAt: someTime(), lines: [[0, 0]] }) as unknown as Parameters<typeof makeHold>[2]
      return { run: () => makeHold(t.context, who(), body) }
    }, keyLast)
    expect(holding).toEqual({ met: ['key', 'person', 'diary', 'index'], violations: [] })
    const confirming = await violationsOf(async () => {
      const visitId = await heldAt()
      return { visitId, run: () => confirm(t.context, who(), { holdId: visitId }) }
    }, keyLast)
    expect(confirming).toEqual({ met: ['key', 'visit'], violations: [] })
  })

  it('meet the key of another call the other way round: both are answered all the same', async () => {
    const visitId = await made()
    const body = holdBody(institute, { startsAt: someTime(), lines: [[0, 1]] })
    const headers = { 'idempotency-key': 'one-for-two' }
    const answers = await Promise.all([
      t.inject('PUT', `${visitsPath}/${visitId}/cancel`, { token: client.token, body: {}, headers }),
      t.inject('POST', holdsPath, { token: client.token, body, headers }),
    ])
    const codes = answers.map(({ status, body: { code } }) => (status < 300 ? 'done' : code))
    expect(codes.toSorted()).toEqual(['done', 'idempotency_conflict'])
  })
})

describe('a planted service', () => {
  it('that takes the index before the diary is seen', async () => {
    const { violations } = await violationsOf(async () => ({
      run: () =>
        inTransaction(t.db, async (transaction) => {
          await sql`select pg_advisory_xact_lock(hashtextextended(${institute.id}, 727))`.execute(transaction)
          await lockDiaries(transaction, [institute.id])
        }),
    }))
    expect(violations).toEqual(['has index while it waits for diary'])
  })

  it('that takes a visit before the diary is seen', async () => {
    const { violations } = await violationsOf(async () => {
      const visitId = await made()
      const run = () =>
        inTransaction(t.db, async (transaction) => {
          await findVisit(transaction, self(), { id: visitId, lock: true })
          await lockDiaries(transaction, [institute.id])
        })
      return { visitId, run }
    })
    expect(violations).toEqual(['has visit while it waits for diary'])
  })

  it('that takes a person within the unit of an institute is seen', async () => {
    const { violations } = await violationsOf(async () => ({
      run: () =>
        changeInstitute(t.context, { instituteId: institute.id, by: system }, async (unit) => {
          unit.nothingChanged()
          await take.person(unit.db, { instituteId: institute.id, userId: client.id, visitId: unknown, key: 'k' })
        }),
    }))
    expect(violations).toEqual(['has diary while it waits for person'])
  })
})

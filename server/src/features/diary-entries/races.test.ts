/**
 * All that takes time, against each other, from two processes (two apps, two pools) on one database. Every pair of kinds wants the same stretch of the same member
 * at the same moment; what came of it must be what one after the other gives, in the order of the events. Run again with `RACE_SEED`, longer with `RACE_ROUNDS`.
 */
import { type Random, randomFrom } from '@soigne/demo/random'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { moveVisit } from '#/features/appointments/changes.ts'
import { sweepInstitute } from '#/features/booking/service.ts'
import { refreshInstitutes, verifySummary } from '#/features/summary/service.ts'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import type { AppContext } from '#/platform/app-context.ts'
import { standingClock } from '#/platform/clock.ts'
import { inTransaction } from '#/platform/database.ts'
import { RefusalError } from '#/platform/refuse.ts'
import { bookVisit, hold, holdBody, holdsPath, later, overlaps, tryConfirm, wall } from '#/testing/booking.ts'
import { diaryOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { blockTime, overbookVisit, setLeave, syncExternal, unblockTime } from './service.ts'

const now = '2026-11-20T11:00:00Z'
const seed = Number(process.env['RACE_SEED'] ?? Date.now() % 100_000)
const roundsEach = Number(process.env['RACE_ROUNDS'] ?? 4)

let first: TestApp
let second: TestApp
/** One for each process: what somebody holds already is no refusal to them. */
let clients: Map<TestApp, MadeUser>
beforeAll(async () => {
  const settings = { LIMIT_HOLDS: '1000' }
  first = await openTestApp({ at: now, settings })
  second = await openTestApp({ at: now, settings, databaseUrl: first.databaseUrl })
  clients = new Map([
    [first, await makeUser(first.db)],
    [second, await makeUser(first.db)],
  ])
})
afterAll(async () => {
  await second.close()
  await first.close()
})

const kinds = ['hold', 'move', 'overbook', 'block', 'holiday', 'sick', 'external'] as const
type Kind = (typeof kinds)[number]

/** What of a kind is refused once another kind has the time. Everything else stands beside it. */
const refusedAfter: Readonly<Record<Kind, readonly Kind[]>> = {
  hold: kinds,
  move: kinds,
  overbook: ['holiday', 'sick'],
  block: ['hold', 'move', 'overbook', 'block', 'holiday', 'sick'],
  holiday: ['hold', 'move', 'overbook'],
  sick: [],
  external: [],
}
/** Visits and holds that sick leave says it hits. */
const isHit: ReadonlySet<Kind> = new Set(['hold', 'move', 'overbook'])

interface World {
  institute: MadeInstitute
  customerId: string
}
async function makeWorld(): Promise<World> {
  const institute = await makeInstitute(first.db, { members: 2, opensAt: 480, closesAt: 1200, horizon: 365 })
  const { rows } = await sql<{
    id: string
  }>`insert into customers (institute_id, first_name) values (${institute.id}, 'Jo') returning id`.execute(first.db)
  return { institute, customerId: rows[0]?.id ?? '' }
}

/** A stretch of forty minutes that nobody has had yet, Sundays left out, and a place to come from for a move. */
function* stretches(): Generator<{ at: string; day: string; opensAt: number; from: string }> {
  for (let day = Temporal.PlainDate.from('2026-11-30'); ; day = day.add({ days: 1 }))
    if (day.dayOfWeek !== 7)
      for (let opensAt = 480; opensAt < 840; opensAt += 60) {
        const clock = (minutes: number): string =>
          wall(`${day.toString()}T${Temporal.PlainTime.from('00:00').add({ minutes }).toString().slice(0, 5)}`)
        yield { at: clock(opensAt), day: day.toString(), opensAt, from: clock(opensAt + 360) }
      }
}
type Place = ReturnType<typeof stretches> extends Generator<infer P> ? P : never

interface Came {
  kind: Kind
  /** What its event is about; null when it was refused. */
  subjectId: string | null
  hits?: string[]
}

const clientOf = (app: TestApp): MadeUser => clients.get(app) as MadeUser
const asClient = (app: TestApp): { scope: SelfScope<true>; locale: 'en'; idempotencyKey: null } => ({
  scope: systemScope('test').user(clientOf(app).id) as unknown as SelfScope<true>,
  locale: 'en',
  idempotencyKey: null,
})

/** Makes ready, and says how the change is then made. */
async function prepare(
  app: TestApp,
  { institute, customerId }: World,
  kind: Kind,
  place: Place,
): Promise<() => Promise<Omit<Came, 'kind'>>> {
  const scope = diaryOf(institute)
  const { context } = app
  const memberId = institute.members[0] ?? ''
  const { at, day, opensAt } = place
  const stretch = { startsAt: at, endsAt: later(at, 40) }
  switch (kind) {
    case 'hold':
      return async () => {
        const answer = await app.inject('POST', holdsPath, {
          token: clientOf(app).token,
          body: holdBody(institute, { startsAt: at, lines: [[0, 0]] }),
        })
        if (answer.status !== 201 && answer.status !== 409 && answer.status !== 422) throw new Error(answer.text)
        return { subjectId: answer.status === 201 ? String(answer.body['_id']) : null }
      }
    case 'move': {
      const { _id: id } = await bookVisit(app, clientOf(app), institute, { startsAt: place.from, lines: [[0, 0]] })
      return async () => {
        await moveVisit(context, asClient(app), { id, startsAt: at }, () => null)
        return { subjectId: id }
      }
    }
    case 'overbook':
      return async () => {
        const services = [{ serviceId: institute.services[0] ?? '', staffId: memberId }]
        return { subjectId: (await overbookVisit(context, scope, { customerId, services, startsAt: at, reason: 'She waits' })).id }
      }
    case 'block':
      return async () => ({ subjectId: (await blockTime(context, scope, { subject: { kind: 'member', id: memberId }, ...stretch })).id })
    case 'holiday':
    case 'sick':
      return async () => {
        const part = { opensAt, closesAt: opensAt + 40 }
        const asked = { memberId, kind: kind === 'sick' ? 'sick_leave' : 'on_holiday', fromDay: day, toDay: day, part } as const
        const { id, hits } = await setLeave(context, scope, asked)
        return { subjectId: id, hits: hits.map((hit) => hit.id) }
      }
    case 'external': {
      const { rows } = await sql<{ id: string }>`select uuidv7() as id`.execute(app.db)
      const sourceId = rows[0]?.id ?? ''
      return async () => {
        await syncExternal(context, scope, { memberId, sourceId, ...stretch, busy: [stretch] })
        return { subjectId: sourceId }
      }
    }
  }
}

/** Lets others go first now and then. */
async function afterSome(random: Random): Promise<void> {
  for (let turns = random.whole(12); turns > 0; turns--) await new Promise(setImmediate)
}

async function attempt(kind: Kind, change: () => Promise<Omit<Came, 'kind'>>, random: Random): Promise<Came> {
  await afterSome(random)
  return change().then(
    (came) => ({ kind, ...came }),
    (error: unknown) => {
      if (error instanceof RefusalError) return { kind, subjectId: null }
      throw error
    },
  )
}

const toldAs: Readonly<Record<Kind, string>> = {
  hold: 'visit.held',
  move: 'visit.moved',
  overbook: 'visit.overbooked',
  block: 'time.blocked',
  holiday: 'leave.set',
  sick: 'leave.set',
  external: 'external.synced',
}
async function placeInTime({ kind, subjectId }: Came): Promise<number> {
  const { rows } = await sql<{ id: number }>`select id from events where subject_id = ${subjectId} and kind = ${toldAs[kind]}`.execute(
    first.db,
  )
  return rows[0]?.id ?? -1
}

/** Why this cannot have happened one after the other; null when it can. */
async function whyNot(one: Came, other: Came): Promise<string | null> {
  const words = `${one.kind} ${one.subjectId ? 'had it' : 'was refused'}, ${other.kind} ${other.subjectId ? 'had it' : 'was refused'}`
  if (!one.subjectId && !other.subjectId) return `${words}: nobody had it`
  if (!one.subjectId || !other.subjectId) {
    const [lost, won] = one.subjectId ? [other, one] : [one, other]
    return refusedAfter[lost.kind].includes(won.kind) ? null : `${words}: nothing was in the way`
  }
  const [earlier, later] = (await placeInTime(one)) < (await placeInTime(other)) ? [one, other] : [other, one]
  if (refusedAfter[later.kind].includes(earlier.kind)) return `${words}: ${later.kind} passed ${earlier.kind}`
  if (later.kind === 'sick' && isHit.has(earlier.kind) && !later.hits?.includes(earlier.subjectId ?? ''))
    return `${words}: sick leave did not say what it hits`
  return null
}

const pairs = kinds.flatMap((a, at) => kinds.slice(at).map((b) => [a, b] as const))

describe.each(pairs)('%s and %s at one time of one member', (a, b) => {
  it(`come one after the other, whichever of two processes is first [E-12] (seed ${seed})`, async () => {
    const world = await makeWorld()
    const places = stretches()
    for (let round = 0; round < roundsEach; round++) {
      const random = randomFrom(`${seed} ${a} ${b} ${round}`)
      const place = places.next().value as Place
      // The other process by turns.
      const [left, right] = round % 2 === 0 ? [first, second] : [second, first]
      const one = await prepare(left, world, a, place)
      const other = await prepare(right, world, b, { ...place, from: later(place.from, 28 * 1440) })
      const [came, cameToo] = await Promise.all([attempt(a, one, random.fork('a')), attempt(b, other, random.fork('b'))])
      expect(await whyNot(came, cameToo), `seed ${seed}, round ${round}`).toBeNull()
    }
    expect(await overlaps(first.db)).toBe(0)
    const { wrong } = await verifySummary(first.db, first.clock.now())
    expect(wrong).toEqual([])
  })
})

describe('a hold that one process confirms while the clock of the other says that it has run out', () => {
  it(`and blocks or sweeps its time: one of both has it, never both and never nobody (seed ${seed})`, async () => {
    const { institute } = await makeWorld()
    const fast: AppContext = { ...second.context, clock: standingClock(later(now, 11)) }
    const places = stretches()
    const subject = { kind: 'member', id: institute.members[0] ?? '' } as const
    const won = { confirmed: 0, blocked: 0 }
    for (let round = 0; round < 24; round++) {
      const random = randomFrom(`${seed} confirmed ${round}`)
      const { at } = places.next().value as Place
      const { _id: id } = await hold(first, clientOf(first), institute, { startsAt: at, lines: [[0, 0]] })
      const block = () => blockTime(fast, diaryOf(institute), { subject, startsAt: at, endsAt: later(at, 40) })
      const confirming = afterSome(random.fork('a')).then(() => tryConfirm(first, clientOf(first), id))
      const blocking = attempt('block', async () => ({ subjectId: (await block()).id }), random.fork('b'))
      const sweeping = round % 3 === 0 ? sweepInstitute(fast, institute.id) : null
      const [confirmed, blocked] = [await confirming, await blocking]
      await sweeping
      if (confirmed.status === 201) won.confirmed++
      else expect(confirmed.body['code']).toBe('hold_expired')
      if (blocked.subjectId) won.blocked++
      expect([confirmed.status === 201, blocked.subjectId !== null], `seed ${seed}, round ${round}`).not.toEqual([true, true])
      expect([confirmed.status === 201, blocked.subjectId !== null], `seed ${seed}, round ${round}`).not.toEqual([false, false])
      if (blocked.subjectId) await unblockTime(fast, diaryOf(institute), blocked.subjectId)
    }
    expect(won.confirmed + won.blocked).toBe(24)
    expect(await overlaps(first.db)).toBe(0)
  })
})

describe('the index of free time, made anew without the lock of the diary', () => {
  it(`passes by no change that two processes make meanwhile, nor one in plain SQL (seed ${seed})`, async () => {
    const world = await makeWorld()
    const { institute } = world
    const memberId = institute.members[1] ?? ''
    const places = stretches()
    const random = randomFrom(`${seed} index`)
    let isOver = false
    const mend = async (app: TestApp): Promise<number> => {
      let times = 0
      for (; !isOver; times++)
        await inTransaction(app.db, (transaction) => refreshInstitutes(transaction, [institute.id], first.clock.now()))
      return times
    }
    const mending = Promise.all([mend(first), mend(second)])
    const round = async (): Promise<void> => {
      const place = places.next().value as Place
      const [a, b] = [random.pick(kinds), random.pick(kinds)]
      const one = await prepare(first, world, a, place)
      const other = await prepare(second, world, b, { ...place, from: later(place.from, 28 * 1440) })
      // It takes no lock in the written order, so two may wait for each other: whoever is ended for it tries again, as everything of the product does.
      const plainly = inTransaction(second.db, (transaction) =>
        sql`insert into occupations (institute_id, kind, source_id, subject_kind, subject_id, during)
          values (${institute.id}, 'blocked', uuidv7(), 'member', ${memberId}, tstzrange(${place.at}, ${later(place.at, 40)}))`.execute(
          transaction,
        ),
      )
      await Promise.all([attempt(a, one, random.fork('a')), attempt(b, other, random.fork('b')), plainly])
    }
    try {
      for (let rounds = 0; rounds < 40; rounds++) await round()
    } finally {
      isOver = true
    }
    const [left, right] = await mending
    expect(Math.min(left ?? 0, right ?? 0)).toBeGreaterThan(0)
    // Whatever it does not say truly is marked as left behind.
    const { rows } = await sql`select from free_time_marks where institute_id = ${institute.id}`.execute(first.db)
    const { wrong } = await verifySummary(first.db, first.clock.now())
    expect({ wrong, marks: rows.length > 0 || wrong.length === 0 }).toEqual({ wrong: [], marks: true })
  })
})

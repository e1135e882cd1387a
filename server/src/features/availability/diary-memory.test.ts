/** Diaries in memory are never believed when they are old. Two processes write at random, and past every service; after each step both answer what the database says. MEMORY_SEED repeats a course, MEMORY_STEPS makes it longer. */
import { randomFrom } from '@soigne/demo/random'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { cancelSession, moveSession, openSession, resizeSession } from '#/features/group-sessions/service.ts'
import { type InstituteScope, systemScope } from '#/platform/access.ts'
import { RefusalError } from '#/platform/refuse.ts'
import type { Checkout } from '#/features/checkout/service.ts'
import { abandonedCheckout, openedCheckout, settledCheckout } from '#/testing/checkouts.ts'
import { hold, tryCancel, tryConfirm, tryHold, tryMove, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { daysWithTimes, freeDays, rememberedDiary, verifiedDiary } from './service.ts'

const seed = Number(process.env['MEMORY_SEED'] ?? 20_261_122)
const steps = Number(process.env['MEMORY_STEPS'] ?? 150)
const start = '2026-11-20T07:10:00Z'

let one: TestApp
let other: TestApp
beforeAll(async () => {
  one = await openTestApp({ at: start, settings: { LIMIT_HOLDS: '1000' } })
  other = await openTestApp({ at: start, settings: { LIMIT_HOLDS: '1000' }, databaseUrl: one.databaseUrl })
})
afterAll(async () => {
  await other.close()
  await one.close()
})

const at = (ms: number): void => {
  one.clock.set(ms)
  other.clock.set(ms)
}

describe('two processes that remember diaries', () => {
  it(`answer what the database says after each of ${steps} random writes (seed ${seed})`, { timeout: 120_000 + steps * 200 }, async () => {
    const random = randomFrom(`diary ${seed}`)
    const clients: MadeUser[] = await Promise.all(Array.from({ length: 4 }, () => makeUser(one.db)))
    const institutes: MadeInstitute[] = []
    for (const gapPolicy of ['off', 'rank', 'hide'] as const)
      institutes.push(
        await makeInstitute(one.db, {
          gapPolicy,
          members: 2,
          horizon: 30,
          services: [
            { active: 40 },
            { active: 30, idle: 20, after: 20, bufferAfter: 10 },
            { active: 20, resourceType: 'laser' },
            { active: 45, capacity: 2 },
          ],
          resources: [{ type: 'laser', name: 'Laser' }],
        }),
      )
    const sessions: { id: string; scope: InstituteScope<'diary.change'> }[] = []
    const held: { id: string; client: MadeUser }[] = []
    const booked: { id: string; client: MadeUser }[] = []
    const awaiting: { id: string; client: MadeUser; checkout: Checkout }[] = []
    let made = 0
    const quarterMs = 900_000
    const someStart = (): string => new Date((Math.ceil(one.clock.now() / quarterMs) + random.whole(5 * 24 * 4)) * quarterMs).toISOString()
    const actions: ((app: TestApp, institute: MadeInstitute, client: MadeUser) => Promise<unknown>)[] = [
      async (app, institute, client) => {
        const line: [number, number | 'any'] = [random.whole(4), random.pick([0, 1, 'any'] as const)]
        const { days } = await freeDays(app.context, {
          instituteId: institute.id,
          cart: [{ serviceId: institute.services[line[0]] ?? '' }],
          days: 5,
        })
        const times = days.flatMap((day) => day.times)
        const startsAt = times.length > 0 && random.chance(0.8) ? random.pick(times).startsAt : someStart()
        const answer = await tryHold(app, client, institute, { startsAt, lines: [line] })
        if (answer.status !== 201) return
        made++
        held.push({ id: String(answer.body['_id']), client })
      },
      async (app) => {
        const next = held.shift()
        if (next && (await tryConfirm(app, next.client, next.id)).status === 201) booked.push(next)
      },
      async (app) => booked.length > 0 && tryMove(app, random.pick(booked).client, random.pick(booked).id, someStart()),
      async (app) => {
        const gone = booked.pop()
        if (gone) await tryCancel(app, gone.client, gone.id)
      },
      async (app) => {
        const gone = held.shift()
        if (gone) await app.inject('DELETE', `/api/v1/secure/appointments/holds/${gone.id}`, { token: gone.client.token })
      },
      async (app) => {
        const next = held.shift()
        const checkout = next && (await openedCheckout(app, next.client, next.id, 100).catch(() => null))
        if (next && checkout) awaiting.push({ ...next, checkout })
      },
      async (app) => {
        const [next] = awaiting.splice(random.whole(awaiting.length), 1)
        if (next && (await settledCheckout(app, next.checkout)) === 'booked') booked.push(next)
      },
      async (app) => {
        const gone = awaiting.shift()
        if (gone) await abandonedCheckout(app, gone.checkout)
      },
      async (app) => app.jobs['tidy_bookings']?.({}),
      async (app, institute) => {
        const scope = systemScope('test').institute(institute.id)
        const [serviceId, memberId] = [institute.services[3] ?? '', random.pick(institute.members)]
        const session = random.pick(sessions.length > 0 ? sessions : [{ id: institute.id, scope }])
        const work = random.pick([
          async () =>
            sessions.push({ id: (await openSession(app.context, scope, { serviceId, memberId, startsAt: someStart() })).id, scope }),
          async () =>
            sessions.push({ id: (await openSession(app.context, scope, { serviceId, memberId, startsAt: someStart() })).id, scope }),
          () => moveSession(app.context, session.scope, session.id, { startsAt: someStart() }),
          () => resizeSession(app.context, session.scope, session.id, 1 + random.whole(4)),
          () => cancelSession(app.context, session.scope, session.id, null),
        ])
        await work().catch((error: unknown) => {
          if (!(error instanceof RefusalError)) throw error
        })
      },
      async () => at(one.clock.now() + random.whole(8) * 60_000),
      // Past every service of ours, in plain SQL.
      async (app, institute) =>
        sql`update opening_hours set closes_at = ${1080 + 15 * random.whole(8)} where institute_id = ${institute.id}`.execute(app.db),
      async (app, institute) =>
        sql`insert into absences (institute_id, member_id, kind, from_day, to_day) values (${institute.id}, ${institute.members[random.whole(2)]}, 'other', ${someStart().slice(0, 10)}::date, ${someStart().slice(0, 10)}::date + 5)`.execute(
          app.db,
        ),
      async (app, institute) => sql`delete from absences where institute_id = ${institute.id}`.execute(app.db),
      async (app, institute) =>
        sql`update institutes set grid_minutes = ${random.pick([10, 15, 20, 30])} where id = ${institute.id}`.execute(app.db),
      async (app, institute) =>
        sql`delete from appointments where id in (select id from appointments where institute_id = ${institute.id} and status = 'held' order by id limit 1)`.execute(
          app.db,
        ),
      async (app, institute) =>
        sql`update services set active_minutes = ${random.pick([20, 40, 60])} where id = ${institute.services[0]}`.execute(app.db),
    ]
    // Whatever else happens needs something held.
    for (let n = 0; n < 4; n++) actions.push(...actions.slice(0, 1))
    let compared = 0
    for (let step = 0; step < steps; step++) {
      const institute = random.pick(institutes)
      await random.pick(actions)(random.pick([one, other]), institute, random.pick(clients))
      const seen = random.pick([institute, random.pick(institutes)])
      const asked = { instituteId: seen.id, cart: [{ serviceId: seen.services[random.whole(4)] ?? '' }], days: 5 }
      const truth = await daysWithTimes(one.db, { ...asked, now: one.clock.now() })
      for (const app of [one, other]) expect(await freeDays(app.context, asked), `step ${step} of seed ${seed}`).toEqual(truth)
      compared += 2
    }
    expect(compared).toBe(2 * steps)
    expect(made).toBeGreaterThan(steps / 15)
  })

  it('do not read a diary twice while nothing changed, and do when another process booked', async () => {
    const institute = await makeInstitute(one.db, {})
    at(Date.parse(start))
    const now = one.clock.now()
    const first = await verifiedDiary(one.context, institute.id, now)
    expect(await verifiedDiary(one.context, institute.id, now)).toBe(first)
    await hold(other, await makeUser(one.db), institute, { startsAt: wall('2026-11-24T10:00') })
    expect(await rememberedDiary(one.context, institute.id, now)).toBe(first)
    const second = await verifiedDiary(one.context, institute.id, now)
    expect(second?.version).toBe((first?.version ?? 0) + 1)
  })

  it('ask again when the first hold they know of may have run out', async () => {
    const institute = await makeInstitute(one.db, {})
    at(Date.parse(start))
    const client = await makeUser(one.db)
    const kept = await hold(other, client, institute, { startsAt: wall('2026-11-24T10:00') })
    const seen = await verifiedDiary(one.context, institute.id, one.clock.now())
    expect(seen?.goodUntil).toBe(Date.parse(kept.expiresAt))
    // Confirming changes nothing that is free, so the version stays, and the memory thinks the time runs out.
    expect((await tryConfirm(other, client, kept._id)).status).toBe(201)
    at(Date.parse(kept.expiresAt) + 1000)
    const asked = { instituteId: institute.id, cart: [{ serviceId: institute.services[0] ?? '' }], from: '2026-11-24', days: 1 }
    expect(await freeDays(one.context, asked)).toEqual(await daysWithTimes(one.db, { ...asked, now: one.clock.now() }))
  })
})

/** Crowds on two processes, and whatever else may happen to a session at the same moment. SESSIONS_SEED repeats a course, SESSIONS_ROUNDS makes it longer. */
import { randomUUID } from 'node:crypto'
import { randomFrom } from '@soigne/demo/random'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { blockTime, setLeave } from '#/features/diary-entries/service.ts'
import { refreshInstitutes } from '#/features/summary/service.ts'
import { bookVisit, detailsOf, hold, later, overlaps, refused, tryCancel, tryConfirm, tryHold, tryMove, wall } from '#/testing/booking.ts'
import { diaryOf, startsOffered, summaryIsTrue } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { cancelSession, moveSession, openSession, resizeSession } from './service.ts'

const seed = Number(process.env['SESSIONS_SEED'] ?? 20_261_122)
const rounds = Number(process.env['SESSIONS_ROUNDS'] ?? 12)
const start = '2026-11-20T11:00:00Z'
const day = '2026-11-24'
const six = wall(`${day}T18:00`)

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

const at = (instant: string | number): void => {
  one.clock.set(instant)
  other.clock.set(instant)
}
const studio = (): Promise<MadeInstitute> =>
  makeInstitute(one.db, { members: 2, cancelWindow: 0, rescheduleWindow: 0, services: [{ active: 60, capacity: 5 }, { active: 60 }] })
const people = (count: number): Promise<MadeUser[]> => Promise.all(Array.from({ length: count }, () => makeUser(one.db)))
const open = (institute: MadeInstitute, startsAt = six, capacity?: number, member = 0) =>
  openSession(one.context, diaryOf(institute), {
    serviceId: institute.services[0] ?? '',
    memberId: institute.members[member] ?? '',
    startsAt,
    capacity,
  })
const apps = (n: number): TestApp => (n % 2 === 0 ? one : other)

/** What must be true whatever happened: no session has more seats than it may, and every visit that comes has exactly the seat of its time. */
async function allIsWell(institute: MadeInstitute): Promise<void> {
  const { rows: full } =
    await sql`select g.id from group_sessions g join session_seats t on t.session_id = g.id where g.institute_id = ${institute.id}
    group by g.id having count(*) > g.capacity or max(t.seat) > g.capacity`.execute(one.db)
  const { rows: lost } =
    await sql`select a.id from appointments a join segments s on s.appointment_id = a.id left join session_seats t on t.appointment_id = a.id
      left join group_sessions g on g.id = t.session_id
    where a.institute_id = ${institute.id} and s.service_id = ${institute.services[0]} and (a.life = 'booked' and (g.id is null or lower(g.during) <> a.starts_at
        or upper(g.during) <> a.ends_at or g.member_id <> s.member_id or s.starts_at <> a.starts_at) or a.life = 'cancelled' and g.id is not null)`.execute(
      one.db,
    )
  const { rows: untimed } = await sql`select g.id from group_sessions g where g.institute_id = ${institute.id}
    and not exists (select from occupations o where o.source_id = g.id and o.subject_id = g.member_id and o.during @> g.during)`.execute(
    one.db,
  )
  expect({ full, lost, untimed, overlapping: await overlaps(one.db) }).toEqual({ full: [], lost: [], untimed: [], overlapping: 0 })
  await summaryIsTrue(one, institute)
}

it('lets exactly three of thirty take the last three seats, whichever process they ask', async () => {
  const institute = await studio()
  const session = await open(institute)
  const next = await open(institute, later(six, 24 * 60))
  for (const early of await people(2)) await bookVisit(one, early, institute, { startsAt: six })
  const crowd = await people(30)
  const answers = await Promise.all(crowd.map((client, n) => tryHold(apps(n), client, institute, { startsAt: six })))
  expect(answers.filter(({ status }) => status === 201)).toHaveLength(3)
  for (const lost of answers.filter(({ status }) => status !== 201)) {
    expect(refused(lost)).toEqual([409, 'slot_taken'])
    expect(detailsOf(lost)).toMatchObject({ reason: 'full', nearest: [{ startsAt: next.startsAt, seatsLeft: 5 }] })
  }
  const { rows } = await sql<{ seat: number }>`select seat from session_seats where session_id = ${session.id} order by seat`.execute(
    one.db,
  )
  expect(rows.map(({ seat }) => seat)).toEqual([1, 2, 3, 4, 5])
  for (const app of [one, other]) expect(await startsOffered(app, institute, day)).toEqual([])
  await allIsWell(institute)
})

it('has walls in the database for whoever writes past the product', async () => {
  const institute = await studio()
  const session = await open(institute, six, 2)
  const visits = []
  for (const client of await people(2)) visits.push(await bookVisit(one, client, institute, { startsAt: six }))
  const [third] = await people(1)
  const elsewhere = await open(institute, later(six, 120))
  const spare = await hold(one, third!, institute, { startsAt: elsewhere.startsAt })
  const seat = (number: number, capacity: number) =>
    sql`insert into session_seats (session_id, seat, institute_id, capacity, appointment_id) values (${session.id}, ${number}, ${institute.id}, ${capacity}, ${spare._id})`.execute(
      one.db,
    )
  await sql`delete from session_seats where appointment_id = ${spare._id}`.execute(one.db)
  await expect(seat(2, 2)).rejects.toThrow('session_seats_pkey')
  await expect(seat(3, 2)).rejects.toThrow('session_seats_within')
  await expect(seat(3, 3)).rejects.toThrow('session_seats_session_id_institute_id_capacity_fkey')
  await expect(sql`update group_sessions set capacity = 1 where id = ${session.id}`.execute(one.db)).rejects.toThrow('session_seats_within')
  await expect(sql`delete from group_sessions where id = ${session.id}`.execute(one.db)).rejects.toThrow('session_seats')
})

it('gives a seat whose hold has run out to the next, and nothing to whoever held it', async () => {
  at(start)
  const institute = await studio()
  await open(institute, six, 1)
  const [slow, quick] = await people(2)
  const held = await hold(one, slow!, institute, { startsAt: six })
  expect(refused(await tryHold(other, quick!, institute, { startsAt: six }))).toEqual([409, 'slot_taken'])
  at(Date.parse(held.expiresAt) + 1000)
  for (const app of [one, other]) expect(await startsOffered(app, institute, day)).toEqual([six])
  expect((await tryHold(other, quick!, institute, { startsAt: six })).status).toBe(201)
  expect(refused(await tryConfirm(one, slow!, held._id))).toEqual([409, 'hold_expired'])
  expect(await startsOffered(one, institute, day)).toEqual([])
  await allIsWell(institute)
})

it('answers a repeated request for a seat as it answered the first, and counts seats among the times somebody holds', async () => {
  at(start)
  const institute = await studio()
  const session = await open(institute)
  const [client] = await people(1)
  const key = randomUUID()
  const answers = await Promise.all([0, 1, 2].map((n) => tryHold(apps(n), client!, institute, { startsAt: six, key })))
  expect(answers.map(({ status }) => status)).toEqual([201, 201, 201])
  expect(new Set(answers.map(({ body }) => body['_id'])).size).toBe(1)
  expect((await sql`select from session_seats where session_id = ${session.id}`.execute(one.db)).rows).toHaveLength(1)
  const few = await openTestApp({ at: start, settings: { LIMIT_HOLDS: '1' }, databaseUrl: one.databaseUrl })
  // The same time again is the same hold; another is one more.
  const four = wall(`${day}T16:00`)
  await open(institute, four)
  expect(refused(await tryHold(few, client!, institute, { startsAt: four }))).toEqual([429, 'too_many_holds'])
  await few.close()
})

it(`stays true when seats are taken, confirmed, moved and given back while sessions are moved, resized and cancelled (seed ${seed})`, async () => {
  const random = randomFrom(`sessions ${seed}`)
  const crowd = await people(6)
  let booked = 0
  for (let round = 0; round < rounds; round++) {
    at(start)
    const institute = await studio()
    const times = [six, later(six, 90), later(six, 24 * 60)]
    const sessions = await Promise.all(times.map((startsAt) => open(institute, startsAt, 2)))
    const held: { id: string; client: MadeUser }[] = []
    for (const client of crowd.slice(0, 4)) {
      const answer = await tryHold(one, client, institute, { startsAt: random.pick(times) })
      if (answer.status === 201) held.push({ id: String(answer.body['_id']), client })
    }
    for (const { id, client } of held.slice(0, 2)) await tryConfirm(one, client, id)
    const some = (): string => random.pick(sessions).id
    const someone = () => random.pick(held)
    const scope = diaryOf(institute)
    const actions: ((app: TestApp) => Promise<unknown>)[] = [
      (app) => tryHold(app, random.pick(crowd), institute, { startsAt: random.pick(times) }),
      (app) => tryHold(app, random.pick(crowd), institute, { startsAt: random.pick(times) }),
      (app) => tryConfirm(app, someone().client, someone().id),
      (app) => tryMove(app, someone().client, someone().id, random.pick(times)),
      (app) => tryCancel(app, someone().client, someone().id),
      (app) => moveSession(app.context, scope, some(), { startsAt: later(random.pick(times), 15 * random.whole(8)) }),
      (app) => resizeSession(app.context, scope, some(), 1 + random.whole(3)),
      (app) => cancelSession(app.context, scope, some(), null),
      (app) =>
        openSession(app.context, scope, {
          serviceId: institute.services[0] ?? '',
          memberId: institute.members[1] ?? '',
          startsAt: random.pick(times),
        }),
    ]
    const course = Array.from({ length: 10 }, (_, n) => random.pick(actions)(apps(n)))
    // Once two of each course are confirmed by several at the same moment.
    for (const [n, { id, client }] of held.entries()) course.push(tryConfirm(apps(n), client, id))
    const settled = await Promise.allSettled(course)
    const broken = settled.filter((result) => result.status === 'rejected').filter(({ reason }) => !(reason as { code?: string }).code)
    const failed = settled
      .filter((result) => result.status === 'fulfilled')
      .filter(({ value }) => ((value as { status?: number } | undefined)?.status ?? 0) >= 500)
    expect([round, broken, failed]).toEqual([round, [], []])
    await allIsWell(institute)
    const { rows } = await sql`select from session_seats where institute_id = ${institute.id} and expires_at is null`.execute(one.db)
    booked += rows.length
  }
  expect(booked).toBeGreaterThan(rounds / 2)
})

it(`lets one of a session, a visit, blocked time and a holiday have a member's time (seed ${seed})`, async () => {
  at(start)
  const random = randomFrom(`one of four ${seed}`)
  const [client] = await people(1)
  const winners = new Set<string>()
  for (let round = 0; round < rounds; round++) {
    const institute = await makeInstitute(one.db, { members: 1, services: [{ active: 60, capacity: 5 }, { active: 60 }] })
    // Nobody has looked for it yet, so there would be no index to keep true.
    await refreshInstitutes(one.db, [institute.id], one.clock.now())
    const noon = wall(`${day}T12:00`)
    const memberId = institute.members[0] ?? ''
    const scope = diaryOf(institute)
    const works: Record<string, (app: TestApp) => Promise<unknown>> = {
      session: (app) => openSession(app.context, scope, { serviceId: institute.services[0] ?? '', memberId, startsAt: later(noon, 30) }),
      visit: async (app) => {
        const answer = await tryHold(app, client!, institute, { startsAt: noon, lines: [[1, 0]] })
        if (answer.status !== 201) throw new Error(String(answer.body['code']))
      },
      blocked: (app) =>
        blockTime(app.context, scope, { subject: { kind: 'member', id: memberId }, startsAt: later(noon, 10), endsAt: later(noon, 40) }),
      leave: (app) => setLeave(app.context, scope, { memberId, kind: 'on_holiday', fromDay: day, toDay: day }),
    }
    const names = Object.keys(works)
      .map((name) => ({ name, place: random.next() }))
      .toSorted((a, b) => a.place - b.place)
      .map(({ name }) => name)
    const results = await Promise.allSettled(names.map((name, n) => works[name]!(apps(n))))
    const won = names.filter((_, n) => results[n]?.status === 'fulfilled')
    // A holiday may lie over blocked time, since neither has to give way to the other.
    const together = won.toSorted().join() === 'blocked,leave'
    expect([round, won, together || won.length === 1]).toEqual([round, won, true])
    winners.add(won[0] ?? '')
    await allIsWell(institute)
  }
  expect(winners.size).toBeGreaterThan(1)
})

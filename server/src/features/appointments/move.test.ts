import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import {
  bookVisit,
  cancelled,
  detailsOf,
  hold,
  later,
  moved,
  overlaps,
  readVisit,
  refused,
  tryCancel,
  tryHold,
  tryMove,
  visitsPath,
  wall,
} from '#/testing/booking.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import type { TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
eachWithInstitute({ at: now, institute: { cancelWindow: 1440, rescheduleWindow: 60 } }, (world) => ({ t, institute, client } = world))

describe('moving', () => {
  it('takes the new time and frees the old one; who and what stay as asked', async () => {
    const booked = await bookVisit(t, client, institute, {
      startsAt: ten,
      lines: [
        [0, 1],
        [1, 0],
      ],
    })
    const visit = await moved(t, client, booked._id, later(ten, 180))
    expect(visit).toMatchObject({
      _id: booked._id,
      reference: booked.reference,
      startsAt: later(ten, 180),
      endsAt: later(ten, 280),
      total: booked.total,
    })
    expect(visit.segments.map(({ serviceId, staffId }) => [serviceId, staffId])).toEqual(
      booked.segments.map(({ serviceId, staffId }) => [serviceId, staffId]),
    )
    await hold(t, await makeUser(t.db), institute, { startsAt: ten, lines: [[0, 1]] })
    expect(refused(await tryMove(t, client, booked._id, ten))).toEqual([409, 'slot_taken'])
    expect(await overlaps(t.db)).toBe(0)
  })

  it('a little later is possible although it overlaps itself', async () => {
    const alone = await makeInstitute(t.db, { members: 1 })
    const booked = await bookVisit(t, client, alone, { startsAt: ten, lines: [[1, 0]] })
    expect((await moved(t, client, booked._id, later(ten, 20))).startsAt).toBe(later(ten, 20))
    expect((await moved(t, client, booked._id, later(ten, 20))).startsAt).toBe(later(ten, 20))
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from occupations where appointment_id = ${booked._id}`.execute(t.db)
    expect(rows).toEqual([{ n: 1 }])
  })

  it('keeps the prices and the name agreed, whoever works and whatever the menu says now', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0]] })
    await sql`update services set price_amount = 9900, name = '{"en":"Royal cut"}' where id = ${institute.services[0]}`.execute(t.db)
    await sql`update member_services set price_amount = 12000 where service_id = ${institute.services[0]}`.execute(t.db)
    const visit = await moved(t, client, booked._id, later(ten, 60))
    expect(visit.total).toEqual(booked.total)
    expect(visit.segments.map(({ price, serviceName }) => [price?.amount, serviceName])).toEqual([[3500, 'Cut']])
    expect(await readVisit(t, client, booked._id)).toEqual(visit)
  })

  it('is refused for a time that is taken or not offered, with others that can be had', async () => {
    const alone = await makeInstitute(t.db, { members: 1 })
    const booked = await bookVisit(t, client, alone, { startsAt: ten })
    await bookVisit(t, await makeUser(t.db), alone, { startsAt: later(ten, 60) })
    const taken = await tryMove(t, client, booked._id, later(ten, 40))
    expect(refused(taken)).toEqual([409, 'slot_taken'])
    const { nearest = [] } = detailsOf(taken)
    expect(nearest.length).toBe(5)
    for (const { startsAt } of nearest) await moved(t, client, booked._id, startsAt)
    const closed = await tryMove(t, client, booked._id, wall('2026-11-29T10:00'))
    expect([...refused(closed), detailsOf(closed).reason]).toEqual([422, 'not_offered', 'closed'])
    expect(refused(await tryMove(t, client, booked._id, later(ten, 3)))).toEqual([422, 'not_offered'])
  })

  it.each([
    undefined,
    null,
    {},
    { startsAt: '' },
    { startsAt: '2026-11-24' },
    { startsAt: '0000-11-24T10:00:00Z' },
    { startsAt: '2029-11-24T10:00:00Z' },
    { startsAt: 5 },
  ])('to %j is bad input', async (body) => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    expect(refused(await t.inject('PUT', `${visitsPath}/${booked._id}/reschedule`, { token: client.token, body }))).toEqual([
      400,
      'bad_input',
    ])
  })

  it('is for the client whose visit it is, and not for holds or cancelled ones', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    expect(refused(await t.inject('PUT', `${visitsPath}/${booked._id}/reschedule`, { body: { startsAt: ten } }))).toEqual([
      401,
      'unauthorized',
    ])
    expect(refused(await tryMove(t, await makeUser(t.db), booked._id, later(ten, 60)))).toEqual([404, 'not_found'])
    const held = await hold(t, client, institute, { startsAt: later(ten, 60) })
    expect(refused(await tryMove(t, client, held._id, later(ten, 120)))).toEqual([404, 'not_found'])
    await cancelled(t, client, booked._id)
    expect(refused(await tryMove(t, client, booked._id, later(ten, 120)))).toEqual([409, 'wrong_state'])
  })

  it('with a key gives the same answer again and moves once', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    const ask = (startsAt: string) =>
      t.inject('PUT', `${visitsPath}/${booked._id}/reschedule`, {
        token: client.token,
        body: { startsAt },
        headers: { 'idempotency-key': 'move-1' },
      })
    const answers = await Promise.all(Array.from({ length: 5 }, () => ask(later(ten, 60))))
    expect(new Set(answers.map(({ status, text }) => `${status} ${text.length}`)).size).toBe(1)
    expect(refused(await ask(later(ten, 120)))).toEqual([409, 'idempotency_conflict'])
    expect((await sql`select moved_count as n from appointments where id = ${booked._id}`.execute(t.db)).rows).toEqual([{ n: 1 }])
  })

  it('of a visit whose service left the menu meanwhile keeps what was agreed', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    await sql`update services set active = false where id = ${institute.services[0]}`.execute(t.db)
    const visit = await moved(t, client, booked._id, later(ten, 60))
    expect([visit.startsAt, visit.total, visit.segments[0]?.serviceName]).toEqual([
      later(ten, 60),
      booked.total,
      booked.segments[0]?.serviceName,
    ])
    expect(refused(await tryHold(t, client, institute, { startsAt: later(ten, 1440) }))).toEqual([404, 'not_found'])
  })
})

describe('the window for moving', () => {
  it('ends to the second', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    t.clock.set(later(ten, -60))
    expect((await readVisit(t, client, booked._id)).canReschedule).toBe(true)
    t.clock.advance(1000)
    expect((await readVisit(t, client, booked._id)).canReschedule).toBe(false)
    expect(refused(await tryMove(t, client, booked._id, later(ten, 1440)))).toEqual([422, 'too_late'])
    expect(refused(await t.inject('GET', `${visitsPath}/${booked._id}/times`, { token: client.token }))).toEqual([422, 'too_late'])
    t.clock.set(later(ten, -60))
    await moved(t, client, booked._id, later(ten, 1440))
  })

  it('moving in time takes the free window along', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    const visit = await moved(t, client, booked._id, later(ten, 2 * 1440))
    expect(visit.terms.freeUntil).toBe(later(ten, 1440))
    t.clock.set(later(ten, 1440))
    await cancelled(t, client, booked._id)
  })

  it('moving late leaves it where it was: a far day buys no free way out', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    t.clock.set(later(ten, -1439))
    const visit = await moved(t, client, booked._id, later(ten, 7 * 1440))
    expect(visit.terms.freeUntil).toBe(booked.terms.freeUntil)
    expect(visit.canCancel).toBe(false)
    expect(refused(await tryCancel(t, client, booked._id))).toEqual([422, 'too_late'])
    await moved(t, client, booked._id, later(ten, 8 * 1440))
    expect(refused(await tryCancel(t, client, booked._id))).toEqual([422, 'too_late'])
  })
})

describe('times to move to', () => {
  it('count the visit’s own time as free, and every one can be taken', async () => {
    const alone = await makeInstitute(t.db, { members: 1, opensAt: 600, closesAt: 720 })
    const booked = await bookVisit(t, client, alone, { startsAt: ten, lines: [[1, 0]] })
    const answer = await t.inject('GET', `${visitsPath}/${booked._id}/times?from=2026-11-24&days=1`, { token: client.token })
    const days = answer.body['days'] as unknown as { day: string; times: { startsAt: string }[] }[]
    const times = days.flatMap((day) => day.times.map(({ startsAt }) => startsAt))
    expect(times).toEqual([ten, later(ten, 20), later(ten, 40), later(ten, 60)])
    for (const startsAt of times) await moved(t, client, booked._id, startsAt)
  })

  it('are of the length that was given by hand', async () => {
    const owner = await makeUser(t.db, { role: 'isPro' })
    const alone = await makeInstitute(t.db, { ownerId: owner.id, members: 1, opensAt: 600, closesAt: 720 })
    const booked = await bookVisit(t, client, alone, { startsAt: ten, lines: [[1, 0]] })
    const resized = { token: owner.token, body: { segment: 0, durationMinutes: 100 } }
    expect((await t.inject('PUT', `/api/v1/secure/mysalon/appointments/${booked._id}/duration`, resized)).status).toBe(200)
    const answer = await t.inject('GET', `${visitsPath}/${booked._id}/times?from=2026-11-24&days=1`, { token: client.token })
    const days = answer.body['days'] as unknown as { day: string; times: { startsAt: string }[] }[]
    expect(days.flatMap((day) => day.times.map(({ startsAt }) => startsAt))).toEqual([ten, later(ten, 20)])
    const refusal = await tryMove(t, client, booked._id, later(ten, 40))
    expect(refused(refusal)).toEqual([422, 'not_offered'])
    const { nearest = [] } = detailsOf(refusal)
    expect(nearest).not.toEqual([])
    for (const { startsAt, endsAt } of nearest) expect(endsAt).toBe(later(startsAt, 100))
  })

  it.each(['days=0', 'days=32', 'days=x', 'from=1999-01-01', 'from=2026-02-30', 'from=%00'])('%s is bad input', async (query) => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    expect(refused(await t.inject('GET', `${visitsPath}/${booked._id}/times?${query}`, { token: client.token }))).toEqual([
      400,
      'bad_input',
    ])
  })
})

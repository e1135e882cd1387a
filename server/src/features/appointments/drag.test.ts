/** A visit that the institute drags to another time, to somebody else, or by one of its segments. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { InstituteVisit } from '@soigne/contract/appointments'
import { bookVisit, detailsOf, hold, later, moved, readVisit, refused, tryHold, wall } from '#/testing/booking.ts'
import { wallOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
const two = wall('2026-11-24T14:00')

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
let client: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: now, settings: { LIMIT_HOLDS: '50' } })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  ;[owner, client] = [await makeUser(t.db, { role: 'isPro' }), await makeUser(t.db)]
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 3, notice: 60, rescheduleWindow: 60 })
})

const member = (place: number): string => institute.members[place] ?? ''
interface Dragged {
  startsAt?: string
  staffId?: string
  segment?: number
}
const drag = (id: string, body: Dragged, key?: string): Promise<TestAnswer> =>
  t.inject('PUT', `/api/v1/secure/mysalon/appointments/${id}/move`, {
    token: owner.token,
    body: { startsAt: ten, ...body },
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })
const segmentsOf = (answer: TestAnswer): [staff: string, startsAt: string][] =>
  (answer.body as unknown as InstituteVisit).segments.map(({ staffId, startsAt }) => [staffId, startsAt])

describe('to somebody else', () => {
  it('has the time of the one and frees that of the other; the price stays as agreed [P-07]', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    await sql`update services set price_amount = 9900 where id = ${institute.services[0]}`.execute(t.db)
    const answer = await drag(booked._id, { startsAt: later(ten, 20), staffId: member(1) })
    expect([answer.status, segmentsOf(answer)]).toEqual([200, [[member(1), later(ten, 20)]]])
    expect((await readVisit(t, client, booked._id)).total).toEqual(booked.total)
    expect([await wallOf(t.db, member(0)), await wallOf(t.db, member(1))]).toEqual([[], [['visit', later(ten, 20), later(ten, 60)]]])
    await hold(t, await makeUser(t.db), institute, { startsAt: ten, lines: [[0, 0]] })
  })

  it('stays with them when its client moves it, who had asked for somebody by name', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    await drag(id, { staffId: member(1) })
    expect((await moved(t, client, id, two)).segments[0]?.staffId).toBe(member(1))
  })

  it('leaves its client free to say anyone again', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 'any']] })
    expect(segmentsOf(await drag(id, { staffId: member(2) }))).toEqual([[member(2), ten]])
    await hold(t, await makeUser(t.db), institute, { startsAt: two, lines: [[0, 2]] })
    expect((await moved(t, client, id, two, 'any')).segments[0]?.staffId).not.toBe(member(2))
  })

  it('is refused where they are taken, do not do it, or are nobody of the institute; then nothing has changed', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    await hold(t, await makeUser(t.db), institute, { startsAt: ten, lines: [[0, 1]] })
    const taken = await drag(id, { staffId: member(1) })
    expect([refused(taken), detailsOf(taken).reason]).toEqual([[409, 'slot_taken'], 'taken'])
    await sql`delete from member_services where service_id = ${institute.services[0]} and member_id = ${member(2)}`.execute(t.db)
    expect(detailsOf(await drag(id, { staffId: member(2) })).reason).toBe('not_performed')
    const foreign = await makeInstitute(t.db, {})
    expect(refused(await drag(id, { staffId: foreign.members[0] ?? '' }))).toEqual([404, 'not_found'])
    expect((await readVisit(t, client, id)).segments.map(({ staffId, startsAt }) => [staffId, startsAt])).toEqual([[member(0), ten]])
  })

  it('is another request than the move alone, under the same key', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    const first = await drag(id, { staffId: member(1) }, 'k')
    expect((await drag(id, { staffId: member(1) }, 'k')).text).toBe(first.text)
    expect(refused(await drag(id, {}, 'k'))).toEqual([409, 'idempotency_conflict'])
  })
})

describe('by one of its segments', () => {
  const two2: [number, number][] = [
    [0, 0],
    [1, 1],
  ]
  it('is moved so that this one begins when asked, and goes to whom it is given; the others stay with theirs', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten, lines: two2 })
    const second = booked.segments[1]?.startsAt ?? ''
    const answer = await drag(booked._id, { startsAt: later(second, 20), staffId: member(2), segment: 1 })
    expect([answer.status, segmentsOf(answer)]).toEqual([
      200,
      [
        [member(0), later(ten, 20)],
        [member(2), later(second, 20)],
      ],
    ])
    expect(await wallOf(t.db, member(1))).toEqual([])
  })

  it('goes to somebody else at the same time', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten, lines: two2 })
    expect(segmentsOf(await drag(booked._id, { staffId: member(2), segment: 0 })).map(([staff]) => staff)).toEqual([member(2), member(1)])
  })

  it('is refused for one that it does not have', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten, lines: two2 })
    const answer = await drag(id, { staffId: member(2), segment: 2 })
    expect([refused(answer), detailsOf(answer).fields]).toEqual([[400, 'bad_input'], { segment: 'This is not valid.' }])
  })
})

describe('what binds clients', () => {
  it('does not bind the institute: notice, the grid, and who can be booked online; the past does', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    await sql`update team_members set bookable_online = false where id = ${member(1)}`.execute(t.db)
    t.clock.set(later(ten, -45))
    const soon = later(ten, -38)
    expect((await tryHold(t, client, institute, { startsAt: soon, lines: [[0, 0]] })).status).not.toBe(201)
    expect(segmentsOf(await drag(id, { startsAt: soon, staffId: member(1) }))).toEqual([[member(1), soon]])
    const answer = await drag(id, { startsAt: later(ten, -46) })
    expect([refused(answer), detailsOf(answer).reason]).toEqual([[422, 'not_offered'], 'past'])
  })
})

/** Cancelling and moving for the institute and for the system: the same commands as the client's, without the client's terms. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { freeTime, markCancelled, markMoved, removePlan } from '#/features/booking/service.ts'
import { changeInstitute } from '#/features/unit-of-work/service.ts'
import { type Actor, systemScope } from '#/platform/access.ts'
import { bookVisit, detailsOf, hold, later, readVisit, refused, tryCancel, tryMove, wall } from '#/testing/booking.ts'
import { makeColumnOwner, settle } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'
import { cancelVisit, moveVisit } from './changes.ts'
import { visitShown } from './service.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
const two = wall('2026-11-24T14:00')
const path = '/api/v1/secure/mysalon/appointments'

let t: TestApp
let owner: MadeUser
let neighbour: MadeUser
let institute: MadeInstitute
let client: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: now, settings: { LIMIT_HOLDS: '50' } })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  ;[owner, neighbour, client] = [await makeUser(t.db, { role: 'isPro' }), await makeUser(t.db, { role: 'isPro' }), await makeUser(t.db)]
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 3, cancelWindow: 1440, rescheduleWindow: 1440 })
  await makeInstitute(t.db, { ownerId: neighbour.id })
})

const cancel = (user: MadeUser | null, id: string, more: { reason?: string; key?: string } = {}): Promise<TestAnswer> =>
  t.inject('PUT', `${path}/${id}/cancel`, {
    ...(user && { token: user.token }),
    body: more.reason === undefined ? {} : { reason: more.reason },
    ...(more.key !== undefined && { headers: { 'idempotency-key': more.key } }),
  })
const move = (user: MadeUser | null, id: string, startsAt: string): Promise<TestAnswer> =>
  t.inject('PUT', `${path}/${id}/move`, { ...(user && { token: user.token }), body: { startsAt } })

async function actorsOf(id: string): Promise<[string, Actor][]> {
  const { rows } = await sql<{ kind: string; actor: Actor }>`select kind, actor from events where subject_id = ${id} order by id`.execute(
    t.db,
  )
  return rows.map(({ kind, actor }) => [kind, actor])
}

describe.each([
  ['cancelling', (user: MadeUser | null, id: string) => cancel(user, id)],
  ['moving', (user: MadeUser | null, id: string) => move(user, id, two)],
] as const)('%s for the institute', (_what, change) => {
  it('is for owner, manager and reception, and for nobody else', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten })
    expect(refused(await change(null, id))).toEqual([401, 'unauthorized'])
    expect(refused(await change(client, id))).toEqual([403, 'forbidden'])
    // Of others’ columns staff know nothing; their own is a matter of features/diary.
    expect(refused(await change(await makePerson(t.db, institute.id, 'staff'), id))).toEqual([404, 'not_found'])
    const foreign = await change(neighbour, id)
    expect([foreign.status, foreign.text]).toEqual([404, (await change(neighbour, client.id)).text])
    expect((await readVisit(t, client, id)).startsAt).toBe(ten)
    for (const level of ['manager', 'reception'] as const) {
      const other = await bookVisit(t, client, institute, { startsAt: later(ten, level === 'manager' ? 60 : 120) })
      expect((await change(await makePerson(t.db, institute.id, level), other._id)).status).toBe(200)
    }
    expect((await change(owner, id)).status).toBe(200)
  })

  it('is not bound by the client’s terms, but ends when the visit begins', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten })
    const { _id: begun } = await bookVisit(t, client, institute, { startsAt: later(ten, -60) })
    t.clock.set(later(ten, -30))
    expect(refused(await tryCancel(t, client, id))).toEqual([422, 'too_late'])
    expect(refused(await tryMove(t, client, id, two))).toEqual([422, 'too_late'])
    expect(refused(await change(owner, begun))).toEqual([409, 'wrong_state'])
    expect((await change(owner, id)).status).toBe(200)
  })

  it('knows no hold, and no visit that is cancelled already', async () => {
    const held = await hold(t, client, institute, { startsAt: ten })
    expect(refused(await change(owner, held._id))).toEqual([404, 'not_found'])
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: later(ten, 60) })
    expect((await cancel(owner, id)).status).toBe(200)
    expect(refused(await change(owner, id))).toEqual([409, 'wrong_state'])
  })
})

describe('a visit the institute has cancelled', () => {
  it('is free again, says who did it, and is told to its client and to the institute', async () => {
    const reception = await makePerson(t.db, institute.id, 'reception')
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    expect((await cancel(reception, id, { reason: 'Water damage' })).body).toMatchObject({ _id: id, status: 'cancelled' })
    const { rows } = await sql`select cancelled_by as by, cancel_reason as why from appointments where id = ${id}`.execute(t.db)
    expect(rows).toEqual([{ by: 'institute', why: 'Water damage' }])
    const actor = { kind: 'institute', userId: reception.id, instituteId: institute.id, level: 'reception' }
    expect((await actorsOf(id)).at(-1)).toEqual(['visit.cancelled', actor])
    await hold(t, await makeUser(t.db), institute, { startsAt: ten, lines: [[0, 0]] })
    await settle(t)
    expect((await t.mails(client.email))[0]?.subject).toMatch(/^Cancelled: /)
    const [told] = await t.mails(owner.email)
    expect(told?.text).toContain('Nour Benali’s visit is cancelled.')
    expect(told?.text).not.toContain('has cancelled')
  })

  it('was cancelled once, however often the request comes', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten })
    const answers = await Promise.all(Array.from({ length: 4 }, () => cancel(owner, id, { key: 'k' })))
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200])
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
    expect((await actorsOf(id)).filter(([kind]) => kind === 'visit.cancelled')).toHaveLength(1)
  })
})

describe('a visit the institute has moved', () => {
  it('takes the new time, keeps its price, and is told with the time before', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    await sql`update services set price_amount = 9900 where id = ${institute.services[0]}`.execute(t.db)
    expect((await move(owner, booked._id, two)).body).toMatchObject({
      startsAt: two,
      total: booked.total,
      customer: { name: 'Nour Benali' },
    })
    expect(await readVisit(t, client, booked._id)).toMatchObject({ startsAt: two, total: booked.total })
    await hold(t, await makeUser(t.db), institute, { startsAt: ten, lines: [[0, 0]] })
    await settle(t)
    expect((await t.mails(client.email))[0]?.text).toContain('It was Tuesday 24 November 2026 at 10:00.')
    expect((await t.mails(owner.email))[0]?.text).toContain('Nour Benali’s visit has a new time.')
  })

  it('stays with who does it, though its client had said anyone: with no other, even where they are taken', async () => {
    const { _id: id, segments } = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 'any']] })
    const who = institute.members.indexOf(segments[0]?.staffId ?? '')
    // Anybody else would have been the first choice then.
    await bookVisit(t, await makeUser(t.db), institute, { startsAt: later(two, 120), lines: [[0, who]] })
    await bookVisit(t, await makeUser(t.db), institute, { startsAt: later(ten, 60), lines: [[0, who]] })
    await move(owner, id, two)
    expect((await readVisit(t, client, id)).segments.map(({ staffId }) => staffId)).toEqual([institute.members[who]])
    expect(refused(await move(owner, id, later(two, 120)))).toEqual([409, 'slot_taken'])
    expect((await tryMove(t, client, id, later(two, 120))).status).toBe(409)
  })

  it('never takes a time somebody else has', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    await bookVisit(t, await makeUser(t.db), institute, { startsAt: two, lines: [[0, 0]] })
    const answer = await move(owner, id, two)
    expect(refused(answer)).toEqual([409, 'slot_taken'])
    expect(detailsOf(answer).nearest?.length).toBeGreaterThan(0)
    expect((await readVisit(t, client, id)).startsAt).toBe(ten)
  })
})

describe('the system', () => {
  const who = (instituteId: string) => ({
    scope: systemScope('close an institute').institute(instituteId),
    locale: 'en' as const,
    idempotencyKey: 'never kept: nobody sent it',
  })

  it('moves and cancels by the same commands, under its own name', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten })
    t.clock.set(later(ten, -30))
    await moveVisit(t.context, who(institute.id), { id, startsAt: two }, () => null)
    expect((await readVisit(t, client, id)).startsAt).toBe(two)
    await cancelVisit(t.context, who(institute.id), { id, reason: null }, () => null)
    expect((await actorsOf(id)).slice(-2)).toEqual([
      ['visit.moved', { kind: 'system', job: 'close an institute' }],
      ['visit.cancelled', { kind: 'system', job: 'close an institute' }],
    ])
    const { rows } = await sql`select cancelled_by as by from appointments where id = ${id}`.execute(t.db)
    expect(rows).toEqual([{ by: 'system' }])
  })

  it('reaches the institute its scope names and no other', async () => {
    const other = await makeInstitute(t.db)
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten })
    await expect(cancelVisit(t.context, who(other.id), { id, reason: null }, () => null)).rejects.toMatchObject({ code: 'not_found' })
    await expect(visitShown(t.db, who(other.id).scope, id)).rejects.toMatchObject({ code: 'not_found' })
    const change = { instituteId: institute.id, by: who(other.id).scope }
    await expect(changeInstitute(t.context, change, async (unit) => unit.nothingChanged())).rejects.toThrow('may not change another')
  })
})

describe('a unit of work', () => {
  it('writes no visit of another institute, whatever id it is given', async () => {
    const other = await makeInstitute(t.db)
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten })
    const before = await readVisit(t, client, id)
    const written = await changeInstitute(t.context, { instituteId: other.id, by: systemScope('test') }, async (unit) => {
      unit.nothingChanged()
      const [startsAt, endsAt] = [new Date(two), new Date(later(two, 40))]
      const terms = { cancelWindowMinutes: null, rescheduleWindowMinutes: null, freeUntil: null }
      await removePlan(unit, id)
      return [
        await markCancelled(unit, { id, by: 'system', reason: null, now: new Date(now) }),
        await markMoved(unit, { id, startsAt, endsAt, terms }),
        await freeTime(unit, id),
      ]
    })
    expect(written).toEqual([0, 0, 0])
    expect(await readVisit(t, client, id)).toEqual(before)
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from occupations where appointment_id = ${id}`.execute(t.db)
    expect(rows[0]?.n).toBeGreaterThan(0)
  })
})

describe('the phone of a client', () => {
  it('is for those who may see customers: staff read the diary without it', async () => {
    await sql`update users set phone = '+33 6 00 00 00 00' where id = ${client.id}`.execute(t.db)
    const { segments } = await bookVisit(t, client, institute, { startsAt: ten })
    const phoneFor = async (user: MadeUser): Promise<unknown> => {
      const { body } = await t.inject('GET', path, { token: user.token })
      return (body['items'] as unknown as { customer: { name: string; phone: string | null } }[])[0]?.customer
    }
    expect(await phoneFor(await makePerson(t.db, institute.id, 'reception'))).toEqual({ name: 'Nour Benali', phone: '+33 6 00 00 00 00' })
    expect(await phoneFor(await makeColumnOwner(t.db, institute, segments[0]?.staffId ?? ''))).toEqual({ name: 'Nour Benali', phone: null })
  })
})

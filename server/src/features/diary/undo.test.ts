/** What the institute does to a visit can be taken back for ten seconds, and is told afterwards. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, cancelled, hold, later, readVisit, refused, wall } from '#/testing/booking.ts'
import { settle, summaryIsTrue, wallOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
const two = wall('2026-11-24T14:00')
const path = '/api/v1/secure/mysalon/appointments'

let t: TestApp
let owner: MadeUser
let client: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: now, settings: { LIMIT_HOLDS: '50' } })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  ;[owner, client] = [await makeUser(t.db, { role: 'isPro' }), await makeUser(t.db)]
  institute = await makeInstitute(t.db, { ownerId: owner.id })
})

const put = (id: string, what: string, body?: object, user = owner): Promise<TestAnswer> =>
  t.inject('PUT', `${path}/${id}/${what}`, { token: user.token, ...(body && { body }) })
const move = (id: string, startsAt: string, more: object = {}): Promise<TestAnswer> => put(id, 'move', { startsAt, ...more })
const booked = () => bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })

const pass = (): Promise<void> => settle(t)
const subjects = async (): Promise<string[]> =>
  (await t.mails(client.email)).map(({ subject }) => /^\w+/.exec(subject)?.[0] ?? '').toSorted()
const texts = async (): Promise<string> => (await t.mails(client.email)).map(({ text }) => text).join()

describe('a move of the institute [P-07]', () => {
  it('is told after ten seconds, once, with the time before', async () => {
    const { _id: id } = await booked()
    await move(id, two)
    expect(await subjects()).toEqual(['Booked'])
    await pass()
    expect(await subjects()).toEqual(['Booked', 'Moved'])
    expect(await texts()).toContain('It was Tuesday 24 November 2026 at 10:00.')
    await pass()
    expect(await subjects()).toHaveLength(2)
  })

  it('taken back, restores everything and tells nobody; done again it is told once', async () => {
    const { _id: id } = await booked()
    const before = await wallOf(t.db, institute.members[0] ?? '')
    await move(id, two, { staffId: institute.members[1] })
    const undone = await put(id, 'undo')
    expect([undone.status, undone.text]).toEqual([200, expect.stringContaining(ten)])
    expect(await readVisit(t, client, id)).toMatchObject({ startsAt: ten, segments: [{ staffId: institute.members[0] }] })
    expect(await wallOf(t.db, institute.members[0] ?? '')).toEqual(before)
    expect(await wallOf(t.db, institute.members[1] ?? '')).toEqual([])
    await summaryIsTrue(t, institute)
    expect(refused(await put(id, 'undo'))).toEqual([422, 'too_late'])
    await move(id, two)
    await pass()
    expect(await subjects()).toEqual(['Booked', 'Moved'])
  })

  it('made in several steps is told as one; dragged back by hand it is nothing', async () => {
    const { _id: id } = await booked()
    await move(id, later(ten, 60))
    await move(id, two)
    await pass()
    expect(await subjects()).toEqual(['Booked', 'Moved'])
    expect(await texts()).toContain('It was Tuesday 24 November 2026 at 10:00.')
    await move(id, ten)
    await move(id, two)
    await pass()
    expect(await subjects()).toHaveLength(2)
  })

  it('cannot be taken back later, nor once somebody has the time', async () => {
    const { _id: id } = await booked()
    await move(id, two)
    await hold(t, await makeUser(t.db), institute, { startsAt: ten, lines: [[0, 0]] })
    expect(refused(await put(id, 'undo'))).toEqual([409, 'slot_taken'])
    expect((await readVisit(t, client, id)).startsAt).toBe(two)
    await pass()
    expect(refused(await put(id, 'undo'))).toEqual([422, 'too_late'])
  })
})

describe('a cancellation of the institute', () => {
  it('is told after ten seconds; taken back the visit stands as it did', async () => {
    const { _id: id } = await booked()
    await put(id, 'cancel')
    expect((await put(id, 'undo')).body).toMatchObject({ _id: id, status: 'pending' })
    await pass()
    expect(await subjects()).toEqual(['Booked'])
    await put(id, 'cancel')
    await pass()
    expect(await subjects()).toEqual(['Booked', 'Cancelled'])
    await summaryIsTrue(t, institute)
  })

  it('of a visit its client cancels meanwhile is told by what the client did alone', async () => {
    const { _id: id } = await booked()
    await move(id, two)
    await cancelled(t, client, id)
    expect(refused(await put(id, 'undo'))).toEqual([409, 'wrong_state'])
    await pass()
    expect(await subjects()).toEqual(['Booked', 'Cancelled'])
  })
})

describe('two receptionists on one visit', () => {
  it('the older screen is refused with who changed it, and to what', async () => {
    const { _id: id } = await booked()
    const { version } = (await t.inject('GET', `${path}/${id}`, { token: owner.token })).body
    const sofia = await makePerson(t.db, institute.id, 'reception')
    await put(id, 'move', { startsAt: later(ten, 60), version }, sofia)
    for (const [what, body] of [
      ['cancel', {}],
      ['move', { startsAt: two }],
      ['duration', { segment: 0, durationMinutes: 60 }],
    ] as const) {
      const answer = await put(id, what, { ...body, version })
      expect(refused(answer)).toEqual([409, 'changed_meanwhile'])
      expect(answer.body['details']).toMatchObject({ by: 'Nour Benali', kind: 'visit.moved', startsAt: later(ten, 60) })
      expect(answer.body['message']).toContain('Nour Benali')
    }
    const seen = (await t.inject('GET', `${path}/${id}`, { token: owner.token })).body['version']
    expect((await put(id, 'cancel', { version: seen })).status).toBe(200)
  })
})

describe('whoever sees one column alone', () => {
  const linked = async (member: number): Promise<MadeUser> => {
    const user = await makePerson(t.db, institute.id, 'staff')
    await sql`update institute_people set member_id = ${institute.members[member]} where user_id = ${user.id}`.execute(t.db)
    return user
  }
  const undoIn = async (user: MadeUser, id: string): Promise<unknown> =>
    (await t.inject('GET', `/api/v1/secure/mysalon/appointments/${id}`, { token: user.token })).body['undoUntil']

  it('takes back what was done to a visit of that column', async () => {
    const { _id: id } = await booked()
    const ana = await linked(0)
    expect((await put(id, 'move', { startsAt: two }, ana)).status).toBe(200)
    expect(await undoIn(ana, id)).toEqual(expect.any(String))
    expect((await put(id, 'undo', undefined, ana)).status).toBe(200)
    expect((await readVisit(t, client, id)).startsAt).toBe(ten)
  })

  it('gives a visit that came from another column not back to it', async () => {
    const { _id: id } = await booked()
    await move(id, two, { staffId: institute.members[1] })
    const [ana, bea] = [await linked(0), await linked(1)]
    expect(refused(await put(id, 'undo', undefined, bea))).toEqual([403, 'forbidden'])
    expect(refused(await put(id, 'undo', undefined, ana))).toEqual([404, 'not_found'])
    expect(await readVisit(t, client, id)).toMatchObject({ startsAt: two, segments: [{ staffId: institute.members[1] }] })
  })

  it('neither moves back nor brings back a visit that others have a part in', async () => {
    const { _id: id } = await bookVisit(t, client, institute, {
      startsAt: ten,
      lines: [
        [0, 0],
        [1, 1],
      ],
    })
    const ana = await linked(0)
    await move(id, two)
    expect(await undoIn(ana, id)).toBeNull()
    expect(await undoIn(owner, id)).toEqual(expect.any(String))
    expect(refused(await put(id, 'undo', undefined, ana))).toEqual([403, 'forbidden'])
    expect((await readVisit(t, client, id)).startsAt).toBe(two)
    await put(id, 'cancel')
    expect(refused(await put(id, 'undo', undefined, ana))).toEqual([403, 'forbidden'])
    expect((await put(id, 'undo')).status).toBe(200)
    await summaryIsTrue(t, institute)
  })
})

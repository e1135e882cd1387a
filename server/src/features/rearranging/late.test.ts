import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { LateNotice } from '@soigne/contract/rearranging'
import { bookVisit, later, readVisit, refused, tryCancel, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'
import { type LateSegment, whoWaits } from './lateness.ts'

describe('who waits', () => {
  const piece = (visitId: string, memberId: string, from: number, minutes: number, more: Partial<LateSegment> = {}): LateSegment => ({
    visitId,
    position: 0,
    memberId,
    resourceId: null,
    from,
    to: from + minutes,
    activeMinutes: minutes,
    idleMinutes: 0,
    bufferBefore: 0,
    bufferAfter: 0,
    ...more,
  })
  const late = (segments: LateSegment[], minutes = 20, now = 0) =>
    whoWaits(segments, { memberId: 'k', minutes }, now).map((one) => [one.segment.visitId, one.minutes])

  it('gaps absorb a delay, and clean-up counts as time', () => {
    expect(late([piece('a', 'k', 10, 40), piece('b', 'k', 50, 40), piece('c', 'k', 110, 40)])).toEqual([
      ['a', 20],
      ['b', 20],
    ])
    expect(late([piece('a', 'k', 10, 40, { bufferAfter: 10 }), piece('b', 'k', 65, 40)])).toEqual([
      ['a', 20],
      ['b', 15],
    ])
  })
  it('what is under way ends later; whoever is in service does not wait', () => {
    expect(late([piece('a', 'k', -20, 40), piece('b', 'k', 20, 40)])).toEqual([['b', 20]])
  })
  it('a client’s next service waits, and with it whoever comes to that colleague', () => {
    const segments = [piece('a', 'k', 10, 40), piece('a', 'n', 50, 40, { position: 1 }), piece('b', 'n', 90, 40), piece('c', 'n', 200, 40)]
    expect(late(segments)).toEqual([
      ['a', 20],
      ['b', 20],
    ])
  })
  it('an idle part keeps its length, and a room is free when its visit is over', () => {
    const colour = piece('a', 'k', 10, 100, { activeMinutes: 30, idleMinutes: 40, resourceId: 'chair' })
    expect(late([colour, piece('b', 'k', 45, 20), piece('c', 'n', 110, 40, { resourceId: 'chair' })])).toEqual([
      ['a', 20],
      ['b', 15],
      ['c', 20],
    ])
  })
  it('others are as punctual as ever', () => {
    expect(late([piece('x', 'n', 10, 40), piece('y', 'n', 50, 40)])).toEqual([])
  })
})

let t: TestApp
const day = '2026-12-05'
const at = (time: string): string => wall(`${day}T${time}`)
beforeAll(async () => {
  t = await openTestApp({ at: at('11:00') })
})
afterAll(() => t.close())

let owner: MadeUser
let salon: MadeInstitute
const people: Record<'anna' | 'remi' | 'inga', { user: MadeUser; id: string }> = {} as never
const [cut, colour, blowDry] = [0, 1, 2]
const [nora, karim] = [0, 1]
const late = (minutes: number, { dry = false, token = owner.token, member = salon.members[karim] ?? '' } = {}): Promise<TestAnswer> =>
  t.inject('POST', `/api/v1/secure/mysalon/staff/${member}/late${dry ? '?dryRun=1' : ''}`, { token, body: { minutes } })
const onTime = (): Promise<TestAnswer> =>
  t.inject('DELETE', `/api/v1/secure/mysalon/staff/${salon.members[karim]}/late`, { token: owner.token })
const expected = ({ body }: TestAnswer) => (body as unknown as LateNotice).affected.map(({ expectedAt }) => expectedAt)
const letters = async ({ user }: { user: MadeUser }): Promise<string[]> =>
  (await t.mails(user.email)).filter(({ kind }) => kind === 'visit_late' || kind === 'visit_on_time').map(({ subject }) => subject)
const lateFor = async ({ user, id }: { user: MadeUser; id: string }) =>
  (await t.inject('GET', `/api/v1/secure/appointments/${id}/proposal`, { token: user.token })).body['late']

beforeEach(async () => {
  t.clock.set(at('11:00'))
  owner = await makeUser(t.db, { role: 'isPro' })
  salon = await makeInstitute(t.db, {
    name: 'Atelier Mimosa',
    ownerId: owner.id,
    members: 2,
    cancelWindow: 1440,
    services: [
      { name: 'Cut', active: 40 },
      { name: 'Root colour', active: 30, idle: 40, after: 30 },
      { name: 'Blow-dry', active: 40, isSequential: true },
    ],
  })
  const book = async (time: string, lines: [number, number][]) => {
    const user = await makeUser(t.db)
    return { user, id: (await bookVisit(t, user, salon, { startsAt: at(time), lines }))._id }
  }
  people.anna = await book('14:00', [
    [colour, nora],
    [blowDry, karim],
  ])
  people.remi = await book('16:20', [[cut, karim]])
  people.inga = await book('17:20', [[cut, karim]])
  await t.drainJobs()
  t.clock.set(at('15:30'))
})

describe('Karim, twenty minutes late at half past three', () => {
  it('[E-12] Anna and Rémi are told and may leave free, Inga is not touched; asking first tells nobody', async () => {
    const dry = await late(20, { dry: true })
    expect([expected(dry), dry.body['_id']]).toEqual([[at('16:00'), at('16:40')], null])
    expect((dry.body as unknown as LateNotice).unaffected.map(({ _id }) => _id)).toEqual([people.inga.id])
    expect(refused(await tryCancel(t, people.remi.user, people.remi.id))[1]).toBe('too_late')
    expect(expected(await late(20))).toEqual([at('16:00'), at('16:40')])
    expect(await letters(people.anna)).toEqual(['16:00 instead of 15:40: Atelier Mimosa is running late'])
    expect(await letters(people.remi)).toEqual(['16:40 instead of 16:20: Atelier Mimosa is running late'])
    expect(await letters(people.inga)).toEqual([])
    expect(await lateFor(people.remi)).toEqual({
      startsAt: at('16:20'),
      expectedAt: at('16:40'),
      minutes: 20,
      canLeave: true,
      leaving: { isWhole: true, services: ['Cut'], refunded: { amount: 0, currency: 'EUR' }, total: { amount: 0, currency: 'EUR' } },
    })
    expect(await lateFor(people.anna)).toMatchObject({
      expectedAt: at('16:00'),
      canLeave: true,
      leaving: { isWhole: false, services: ['Blow-dry'] },
    })
    expect(await lateFor(people.inga)).toBe(null)
    const left = await t.inject('PUT', `/api/v1/secure/appointments/${people.remi.id}/proposal/decline`, { token: people.remi.user.token })
    expect(left.body).toMatchObject({ status: 'cancelled' })
    // Her colour is under way: she leaves what has not begun.
    const rest = await t.inject('PUT', `/api/v1/secure/appointments/${people.anna.id}/proposal/decline`, { token: people.anna.user.token })
    expect(rest.body).toMatchObject({ status: 'pending', endsAt: at('15:40'), segments: [{ serviceName: 'Root colour' }] })
    expect(refused(await tryCancel(t, people.inga.user, people.inga.id))[1]).toBe('too_late')
  })

  it('said anew tells only what is new; taken back, those who wait still are told so once', async () => {
    await late(20)
    await late(20)
    expect(await letters(people.remi)).toHaveLength(1)
    expect(expected(await late(40))).toEqual([at('16:20'), at('17:00'), at('17:40')])
    expect(await letters(people.inga)).toEqual(['17:40 instead of 17:20: Atelier Mimosa is running late'])
    await late(20)
    expect((await letters(people.inga))[0]).toBe('On time after all: 17:20, Atelier Mimosa')
    expect((await onTime()).status).toBe(200)
    expect((await onTime()).status).toBe(200)
    expect((await letters(people.remi)).slice(0, 1)).toEqual(['On time after all: 16:20, Atelier Mimosa'])
    expect(await lateFor(people.remi)).toBe(null)
  })

  it('ends by itself with the day', async () => {
    await late(20)
    const now = await t.inject('GET', '/api/v1/secure/mysalon/late', { token: owner.token })
    expect(now.body['items']).toMatchObject([{ staffId: salon.members[karim], minutes: 20, affected: [{}, {}] }])
    t.clock.set(wall('2026-12-06T00:00'))
    expect((await t.inject('GET', '/api/v1/secure/mysalon/late', { token: owner.token })).body['items']).toEqual([])
    expect((await late(20)).status).toBe(200)
  })

  const team = async () => {
    const { body } = await t.inject('GET', '/api/v1/secure/mysalon/late', { token: owner.token })
    return (body['team'] as unknown as { staffId: string }[]).map(({ staffId }) => staffId)
  }

  it('is offered for whom somebody still waits today, and for nobody on a day without visits', async () => {
    expect(await team()).toEqual(salon.members)
    t.clock.set(at('15:45'))
    expect(await team()).toEqual([salon.members[karim]])
    await late(20)
    t.clock.set(at('18:30'))
    expect(await team()).toEqual([salon.members[karim]])
    t.clock.set(wall('2026-12-06T10:00'))
    expect(await team()).toEqual([])
  })

  it('is not offered for who is away all day, unless it was said before', async () => {
    const away = (member: number, body: object) =>
      t.inject('PUT', `/api/v1/secure/mysalon/staff/${salon.members[member]}/availability`, {
        token: owner.token,
        body: { status: 'sick_leave', fromDay: day, toDay: day, ...body },
      })
    await away(nora, { part: { opensAt: '17:00', closesAt: '18:00' } })
    expect(await team()).toEqual(salon.members)
    await away(nora, {})
    expect(await team()).toEqual([salon.members[karim]])
    for (const dry of [true, false])
      expect((await late(20, { dry, member: salon.members[nora] ?? '' })).body).toMatchObject({
        code: 'not_offered',
        details: { reason: 'on_leave' },
      })
    await late(20)
    await away(karim, {})
    expect(await team()).toEqual([salon.members[karim]])
    expect((await onTime()).status).toBe(200)
    expect(await team()).toEqual([])
  })

  it('is for who may change the calendar, and for members and minutes there are', async () => {
    const [staff, stranger] = [await makePerson(t.db, salon.id, 'staff'), await makeUser(t.db)]
    expect((await t.inject('POST', `/api/v1/secure/mysalon/staff/${salon.members[karim]}/late`, { body: { minutes: 20 } })).status).toBe(
      401,
    )
    expect((await late(20, { token: staff.token })).status).toBe(403)
    expect((await late(20, { token: stranger.token })).status).toBe(403)
    expect((await late(20, { member: salon.services[0] ?? '' })).status).toBe(404)
    for (const minutes of [0, 7, 500]) expect((await late(minutes)).status).toBe(400)
    expect((await readVisit(t, people.remi.user, people.remi.id)).startsAt).toBe(later(at('16:00'), 20))
  })
})

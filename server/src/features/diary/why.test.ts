/** "Why not?": everything in the way of a start, what works instead, and what a client is told of it. */
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { setLeave } from '#/features/diary-entries/service.ts'
import { hold, refused, wall } from '#/testing/booking.ts'
import { diaryOf, makeColumnOwner } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const now = '2026-12-05T07:00:00Z'
const day = '2026-12-05'
const at = (time: string): string => wall(`${day}T${time}`)
const base = '/api/v1/secure/mysalon'
type Why = Answer<Calls['whyNot']>

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  owner = await makeUser(t.db, { role: 'isPro' })
  const services = [
    { name: 'Cut', active: 40 },
    { name: 'Child’s cut', active: 20 },
    { name: 'Root colour', active: 30, idle: 40, after: 30, bufferAfter: 10, resourceType: 'chair' },
  ]
  institute = await makeInstitute(t.db, { ownerId: owner.id, services, resources: [{ type: 'chair', name: 'By the window' }] })
})

const [nora, karim] = [() => institute.members[0] ?? '', () => institute.members[1] ?? '']
const [cut, childsCut, colour] = [0, 1, 2]
const ask = (method: 'GET' | 'POST', path: string, body?: object, user = owner, locale = 'en'): Promise<TestAnswer> =>
  t.inject(method, base + path, { token: user.token, ...(body && { body }), headers: { 'accept-language': locale } })
const whyAnswer = (service: number, staffId: string, time: string, user = owner, locale = 'en') =>
  ask('GET', `/diary/why?service=${institute.services[service]}&staff=${staffId}&startsAt=${at(time)}`, undefined, user, locale)
async function why(...asked: Parameters<typeof whyAnswer>): Promise<Why> {
  const answer = await whyAnswer(...asked)
  if (answer.status !== 200) throw new Error(answer.text)
  return answer.body as unknown as Why
}
async function book(service: number, staffId: string, time: string, firstName?: string): Promise<void> {
  const services = [{ serviceId: institute.services[service], staffId }]
  const answer = await ask('POST', '/appointments', { services, startsAt: at(time), ...(firstName && { customer: { firstName } }) })
  if (answer.status !== 201) throw new Error(answer.text)
}

/** Her finish, when the colour has worked, and what is cleaned up after it. */
const finish = { reason: 'taken', lane: 'person', startsAt: at('15:10'), endsAt: at('15:40'), what: 'Anna · Root colour' }
const cleanUp = { reason: 'buffer', lane: 'cleanup', startsAt: at('15:40'), endsAt: at('15:50'), what: 'Anna · Root colour' }

it('a visit that is moved is not in its own way: its form offers what a drag can do', async () => {
  const services = [{ serviceId: institute.services[colour], staffId: nora() }]
  const made = await ask('POST', '/appointments', { services, startsAt: at('14:00') })
  const times = async (more = '') => {
    const asked = `/diary/times?service=${institute.services[colour]}&staff=${nora()}&from=${day}`
    const { days } = (await ask('GET', asked + more)).body as unknown as Answer<Calls['diaryTimes']>
    return days[0]?.times.map(({ startsAt }) => startsAt) ?? []
  }
  expect(await times()).not.toContain(at('14:20'))
  expect(await times(`&visit=${String(made.body['_id'])}`)).toContain(at('14:20'))
  const other = await makeUser(t.db, { role: 'isPro' })
  const theirs = await makeInstitute(t.db, { ownerId: other.id, services: [{ active: 40 }] })
  const line = [{ serviceId: theirs.services[0], staffId: theirs.members[0] }]
  const elsewhere = await ask('POST', '/appointments', { services: line, startsAt: at('14:00') }, other)
  const asked = `/diary/times?service=${institute.services[colour]}&staff=${nora()}&from=${day}&visit=${String(elsewhere.body['_id'])}`
  expect((await ask('GET', asked)).status).toBe(404)
})

it('a visit whose time was given by hand is offered times of that length, and no others', async () => {
  const services = [{ serviceId: institute.services[cut], staffId: nora() }]
  const made = await ask('POST', '/appointments', { services, startsAt: at('10:00') })
  await book(cut, nora(), '12:00')
  const times = async () => {
    const asked = `/diary/times?service=${institute.services[cut]}&staff=${nora()}&from=${day}&visit=${String(made.body['_id'])}`
    const { days } = (await ask('GET', asked)).body as unknown as Answer<Calls['diaryTimes']>
    return days[0]?.times.map(({ startsAt }) => startsAt) ?? []
  }
  const resize = (durationMinutes: number) =>
    t.inject('PUT', `${base}/appointments/${String(made.body['_id'])}/duration`, {
      token: owner.token,
      body: { segment: 0, durationMinutes },
    })
  expect(await times()).toContain(at('11:20'))
  expect((await resize(80)).status).toBe(200)
  expect(await times()).not.toContain(at('11:20'))
  expect(await times()).toContain(at('10:40'))
  expect((await resize(20)).status).toBe(200)
  expect(await times()).toContain(at('11:40'))
})

describe('beside Anna’s colour at 14:00', () => {
  beforeEach(() => book(colour, nora(), '14:00', 'Anna'))

  it('a cut at 15:00 meets her finish and the clean-up, and is told to a client without a name [P-07]', async () => {
    expect(await why(cut, nora(), '15:00')).toEqual({
      isFree: false,
      startsAt: at('15:00'),
      endsAt: at('15:40'),
      refusedBy: [finish, cleanUp],
      next: { staffId: nora(), startsAt: at('16:00'), endsAt: at('16:40') },
      others: [{ staffId: karim(), startsAt: at('15:00'), endsAt: at('15:40') }],
      toClient: 'Free from 16:00',
    })
    for (const [locale, words] of [
      ['fr', 'Libre à partir de 16:00'],
      ['ar', 'متاح ابتداءً من \u206816:00\u2069'],
    ] as const)
      expect((await why(cut, nora(), '15:00', owner, locale)).toClient).toBe(words)
  })

  it('a cut at 14:40 is too long for the wait: her finish at 15:10 is named; a child’s cut is free', async () => {
    const { isFree, refusedBy, next } = await why(cut, nora(), '14:40')
    expect([isFree, refusedBy[0], next?.startsAt]).toEqual([false, finish, at('16:00')])
    expect(await why(childsCut, nora(), '14:40')).toMatchObject({ isFree: true, endsAt: at('15:00'), refusedBy: [] })
  })

  it('a start in the clean-up alone says so, and no more', async () => {
    expect((await why(cut, nora(), '15:40')).refusedBy).toEqual([cleanUp])
  })

  it('her chair stays hers all the time, for Karim too', async () => {
    expect(await why(colour, karim(), '14:40')).toMatchObject({
      refusedBy: [{ reason: 'no_resource', lane: 'resource', startsAt: at('14:00'), endsAt: at('15:50'), what: 'By the window' }],
      next: { staffId: karim(), startsAt: at('16:00') },
      others: [],
    })
  })
})

describe('what is in the way', () => {
  const reasonsOf = async (time: string, staffId = nora()) =>
    (await why(cut, staffId, time)).refusedBy.map(({ reason, startsAt, endsAt, what }) => [reason, startsAt, endsAt, what])

  it('is a hold, without whose it is, and time kept, by its note', async () => {
    await hold(t, await makeUser(t.db, { firstName: 'Emma' }), institute, { startsAt: at('12:40'), lines: [[cut, 0]] })
    await ask('POST', '/blocked-times', { staffId: nora(), startsAt: at('13:20'), endsAt: at('14:00'), kind: 'break', note: 'Lunch' })
    expect(await reasonsOf('13:00')).toEqual([
      ['taken', at('12:40'), at('13:20'), 'Someone is choosing this time'],
      ['taken', at('13:20'), at('14:00'), 'Lunch'],
    ])
  })

  it('is the house and the shift by the end of the day, and an absence', async () => {
    expect(await reasonsOf('17:40')).toEqual([
      ['outside_opening', at('18:00'), at('18:20'), null],
      ['outside_shift', at('18:00'), at('18:20'), null],
    ])
    const part = { opensAt: 960, closesAt: 1080 }
    await setLeave(t.context, diaryOf(institute), { memberId: karim(), kind: 'sick_leave', fromDay: day, toDay: day, part })
    expect(await reasonsOf('15:40', karim())).toContainEqual(['away', at('16:00'), at('18:00'), null])
    // On another day then, and nobody reads why.
    expect((await why(cut, karim(), '15:40')).toClient).toBe('Free from Mon 7 Dec, 9:00')
  })

  it('is nothing any more once somebody did not come', async () => {
    await book(cut, nora(), '10:00', 'Paul')
    expect((await reasonsOf('10:20')).map(([reason]) => reason)).toEqual(['taken'])
    t.clock.set(at('10:16'))
    const id = ((await ask('GET', `/diary?from=${day}&days=1`)).body['visits'] as unknown as { _id: string }[])[0]?._id
    await t.inject('PUT', `${base}/appointments/${id}/attendance`, { token: owner.token, body: { attendance: 'no_show' } })
    expect(await reasonsOf('10:20')).toEqual([])
  })

  it('is told to staff of their own column alone, and no colleague instead', async () => {
    await book(colour, nora(), '14:00', 'Anna')
    const staff = await makeColumnOwner(t.db, institute, nora())
    expect(await why(cut, nora(), '15:00', staff)).toMatchObject({ refusedBy: [finish, cleanUp], others: [] })
    expect(refused(await whyAnswer(cut, karim(), '15:00', staff))).toEqual([404, 'not_found'])
  })
})

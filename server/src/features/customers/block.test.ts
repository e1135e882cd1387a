/** Whom an institute books no more, and who reads the letters of a minor. */
import { instituteHeader } from '@soigne/contract/access'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { openSession } from '#/features/group-sessions/service.ts'
import { bookVisit, detailsOf, holdBody, readVisit, refused, tryCancel, tryConfirm, tryMove } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { diaryOf } from '#/testing/diary.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
let client: MadeUser
beforeAll(async () => {
  t = await openTestApp({ settings: { LIMIT_HOLDS: '50' } })
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id })
  client = await makeUser(t.db)
})

const base = '/api/v1/secure/mysalon/customers'
const ask = (method: 'POST' | 'PUT', path: string, body: object): Promise<TestAnswer> =>
  t.inject(method, `${base}${path}`, { token: owner.token, headers: { [instituteHeader]: institute.id }, body })
const recordOf = async (user: MadeUser): Promise<string> => {
  const { rows } = await sql<{
    id: string
  }>`select id from customers where user_id = ${user.id} and institute_id = ${institute.id}`.execute(t.db)
  return rows[0]?.id ?? ''
}
const hold = (user = client, startsAt = '2026-11-24T13:00:00Z'): Promise<TestAnswer> =>
  t.inject('POST', '/api/v1/secure/appointments/holds', { token: user.token, body: holdBody(institute, { startsAt, lines: [[0, 0]] }) })
const as = (path: string, body: object): Promise<TestAnswer> => t.inject('POST', `/api/v1/secure${path}`, { token: client.token, body })

describe('a client who is blocked', () => {
  it('reads that nothing is free, where they book, book again and write; unblocked, all is as before', async () => {
    const visit = await bookVisit(t, client, institute, { startsAt: '2026-11-24T09:00:00Z' })
    const chat = String((await as('/chats', { instituteId: institute.id })).body['_id'])
    const id = await recordOf(client)
    expect((await ask('PUT', `/${id}/block`, { isBlocked: true })).body['isBlocked']).toBe(true)
    const held = await hold()
    expect([held.status, held.body['code'], held.body['details']]).toEqual([409, 'slot_taken', { nearest: [] }])
    expect(held.text).not.toMatch(/block/i)
    expect((await as(`/appointments/${visit._id}/series`, { everyWeeks: 1, startsAt: ['2026-12-01T09:00:00Z'] })).body['code']).toBe(
      'slot_taken',
    )
    expect((await as('/messages', { chatId: chat, clientId: 'one-message', text: 'Hello' })).status).toBe(403)
    // They may wait, and are passed over.
    expect(
      (
        await as('/waiting', {
          instituteId: institute.id,
          services: [{ serviceId: institute.services[0] }],
          fromDay: '2026-11-24',
          toDay: '2026-11-30',
        })
      ).status,
    ).toBe(201)
    expect((await hold(await makeUser(t.db))).status).toBe(201)
    await ask('PUT', `/${id}/block`, { isBlocked: false })
    expect((await hold(client, '2026-11-24T15:00:00Z')).status).toBe(201)
    expect((await as('/messages', { chatId: chat, clientId: 'one-message', text: 'Hello' })).status).toBe(201)
  })

  it('moves nothing there and confirms nothing held before, as if nothing were free; what is booked can be cancelled', async () => {
    const visit = await bookVisit(t, client, institute, { startsAt: '2026-11-24T09:00:00Z' })
    const held = String((await hold()).body['_id'])
    const to = '2026-11-24T15:00:00Z'
    const own = `/api/v1/secure/appointments/${visit._id}`
    const plan = (): Promise<TestAnswer> => t.inject('GET', `${own}/plan?startsAt=${to}`, { token: client.token })
    const free = async (): Promise<number> => {
      const { body } = await t.inject('GET', `${own}/times?from=2026-11-24&days=3`, { token: client.token })
      const { days } = body as unknown as Answer<Calls['rescheduleTimes']>
      expect(days).toHaveLength(3)
      return days.flatMap(({ times }) => times).length
    }
    expect(await free()).toBeGreaterThan(0)
    expect((await plan()).status).toBe(200)
    await ask('PUT', `/${await recordOf(client)}/block`, { isBlocked: true })
    expect(await free()).toBe(0)
    for (const answer of [await plan(), await tryMove(t, client, visit._id, to)]) {
      expect([...refused(answer), detailsOf(answer)]).toEqual([409, 'slot_taken', { nearest: [] }])
      expect(answer.text).not.toMatch(/block/i)
    }
    expect(refused(await tryConfirm(t, client, held))).toEqual([409, 'hold_expired'])
    expect((await readVisit(t, client, visit._id)).startsAt).toBe(visit.startsAt)
    // The institute itself moves it, and the client may always let it go.
    const moved = await t.inject('PUT', `/api/v1/secure/mysalon/appointments/${visit._id}/move`, {
      token: owner.token,
      headers: { [instituteHeader]: institute.id },
      body: { startsAt: to },
    })
    expect(moved.status).toBe(200)
    expect((await tryCancel(t, client, visit._id)).status).toBe(200)
  })

  it('gets no seat of a group either', async () => {
    const studio = await makeInstitute(t.db, { services: [{ active: 60, capacity: 5 }] })
    await openSession(t.context, diaryOf(studio), {
      serviceId: studio.services[0] as string,
      memberId: studio.members[0] as string,
      startsAt: '2026-11-24T13:00:00Z',
    })
    const seat = (user: MadeUser): Promise<TestAnswer> =>
      t.inject('POST', '/api/v1/secure/appointments/holds', {
        token: user.token,
        body: holdBody(studio, { startsAt: '2026-11-24T13:00:00Z', lines: [[0, 0]] }),
      })
    await sql`insert into customers (institute_id, user_id, first_name, blocked_at) values (${studio.id}, ${client.id}, 'C', now())`.execute(
      t.db,
    )
    const answer = await seat(client)
    expect([...refused(answer), detailsOf(answer)]).toEqual([409, 'slot_taken', { nearest: [] }])
    expect((await seat(await makeUser(t.db))).status).toBe(201)
  })

  it('reads the same of a time that is taken, and under a key again', async () => {
    await bookVisit(t, await makeUser(t.db), institute, { startsAt: '2026-11-24T13:00:00Z', lines: [[0, 0]] })
    await sql`insert into customers (institute_id, user_id, first_name, blocked_at) values (${institute.id}, ${client.id}, 'C', now())`.execute(
      t.db,
    )
    const again = (): Promise<TestAnswer> =>
      t.inject('POST', '/api/v1/secure/appointments/holds', {
        token: client.token,
        headers: { 'idempotency-key': 'one-key' },
        body: holdBody(institute, { startsAt: '2026-11-24T13:00:00Z', lines: [[0, 0]] }),
      })
    for (const answer of [await again(), await again()])
      expect([...refused(answer), detailsOf(answer)]).toEqual([409, 'slot_taken', { nearest: [] }])
  })

  it('is known by a confirmed address too, and welcome elsewhere', async () => {
    const answer = await ask('POST', '', { firstName: 'C', email: client.email.toUpperCase() })
    await ask('PUT', `/${String(answer.body['_id'])}/block`, { isBlocked: true })
    expect((await hold()).status).toBe(409)
    institute = await makeInstitute(t.db)
    expect((await hold()).status).toBe(201)
  })
})

describe('letters of a minor', () => {
  it('go to the guardian while they are one on the day of the visit', async () => {
    const guardian = `${client.id}@guardians.test`
    await bookVisit(t, client, institute, { startsAt: '2026-11-24T09:00:00Z' })
    // Told while nobody was known to answer for them.
    expect(await t.mails(client.email)).toHaveLength(1)
    const mother = String((await ask('POST', '', { firstName: 'Camille', email: guardian })).body['_id'])
    const id = await recordOf(client)
    // Of age on 1 December.
    await ask('PUT', `/${id}`, { birthday: '2008-12-01' })
    await ask('PUT', `/${id}/relations/${mother}`, { kind: 'guardian' })
    await bookVisit(t, client, institute, { startsAt: '2026-11-26T09:00:00Z' })
    await bookVisit(t, client, institute, { startsAt: '2026-12-01T09:00:00Z' })
    const days = async (to: string): Promise<string[]> =>
      (await t.mails(to)).map(({ subject }) => /\d+ (?:Nov|Dec)/.exec(subject)?.[0] ?? subject)
    expect(await days(guardian)).toEqual(['26 Nov'])
    expect((await days(client.email)).toSorted()).toEqual(['1 Dec', '24 Nov'])
  })
})

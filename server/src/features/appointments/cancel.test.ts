import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { bookVisit, cancelled, detailsOf, hold, later, readVisit, refused, tryCancel, visitsPath, wall } from '#/testing/booking.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import type { TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
eachWithInstitute({ at: now, institute: { cancelWindow: 1440, rescheduleWindow: 60 } }, (world) => ({ t, institute, client } = world))

describe('cancelling', () => {
  it('frees the time at once and says when and why', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    const answer = await tryCancel(t, client, booked._id, { reason: 'Ill' })
    expect(answer.body).toMatchObject({
      _id: booked._id,
      status: 'cancelled',
      cancelledAt: new Date(now).toISOString(),
      canCancel: false,
      canReschedule: false,
      payAtSalon: false,
    })
    expect(
      (await sql`select cancelled_by as by, cancel_reason as why from appointments where id = ${booked._id}`.execute(t.db)).rows,
    ).toEqual([{ by: 'client', why: 'Ill' }])
    await hold(t, await makeUser(t.db), institute, { startsAt: ten, lines: [[0, 0]] })
  })

  it.each([
    ['no body', {}],
    ['an empty body of JSON type', { payload: '', headers: { 'content-type': 'application/json' } }],
    ['an empty body of another type', { payload: '', headers: { 'content-type': 'text/plain' } }],
    ['null', { payload: 'null', headers: { 'content-type': 'application/json' } }],
    ['an empty object', { body: {} }],
  ])('takes %s', async (_name, request) => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    expect((await t.inject('PUT', `${visitsPath}/${booked._id}/cancel`, { token: client.token, ...request })).status).toBe(200)
  })

  it('is possible to the second the window ends, and then by phone only', async () => {
    await sql`update institutes set phone = '+33 4 00 00 00 00' where id = ${institute.id}`.execute(t.db)
    const [inTime, late] = [
      await bookVisit(t, client, institute, { startsAt: ten }),
      await bookVisit(t, client, institute, { startsAt: ten }),
    ]
    t.clock.set(later(ten, -1440))
    expect((await readVisit(t, client, inTime._id)).canCancel).toBe(true)
    await cancelled(t, client, inTime._id)
    t.clock.advance(1000)
    expect((await readVisit(t, client, late._id)).canCancel).toBe(false)
    const answer = await tryCancel(t, client, late._id)
    expect([...refused(answer), detailsOf(answer).phone]).toEqual([422, 'too_late', '+33 4 00 00 00 00'])
  })

  it('follows the terms of the booking, not the rules of today', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    await sql`update institutes set cancel_window_minutes = 0 where id = ${institute.id}`.execute(t.db)
    t.clock.set(later(ten, -1439))
    expect(refused(await tryCancel(t, client, booked._id))).toEqual([422, 'too_late'])
  })

  it('is never possible online where the institute says so', async () => {
    const strict = await makeInstitute(t.db, { cancelWindow: null })
    const booked = await bookVisit(t, client, strict, { startsAt: ten })
    expect(booked.terms).toMatchObject({ cancelWindowHours: null, freeUntil: null })
    expect(booked.canCancel).toBe(false)
    expect(refused(await tryCancel(t, client, booked._id))).toEqual([422, 'too_late'])
  })

  it('is over once the visit has begun, and happens once', async () => {
    const free = await makeInstitute(t.db, { cancelWindow: 0 })
    const [first, second] = [await bookVisit(t, client, free, { startsAt: ten }), await bookVisit(t, client, free, { startsAt: ten })]
    await cancelled(t, client, first._id)
    expect(refused(await tryCancel(t, client, first._id))).toEqual([409, 'wrong_state'])
    t.clock.set(ten)
    expect((await readVisit(t, client, second._id)).canCancel).toBe(false)
    expect(refused(await tryCancel(t, client, second._id))).toEqual([409, 'wrong_state'])
  })

  it('is for the client whose visit it is', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    expect(refused(await t.inject('PUT', `${visitsPath}/${booked._id}/cancel`))).toEqual([401, 'unauthorized'])
    expect(refused(await tryCancel(t, await makeUser(t.db), booked._id))).toEqual([404, 'not_found'])
    expect(refused(await tryCancel(t, client, randomUUID()))).toEqual([404, 'not_found'])
    const held = await hold(t, client, institute, { startsAt: later(ten, 60) })
    expect(refused(await tryCancel(t, client, held._id))).toEqual([404, 'not_found'])
    for (const body of [{ reason: 'x'.repeat(301) }, { reason: 'a\u0000' }, { reason: '\udfff' }, { reason: 7 }, [], 'text'])
      expect(refused(await tryCancel(t, client, booked._id, body))).toEqual([400, 'bad_input'])
    expect((await readVisit(t, client, booked._id)).status).toBe('pending')
  })

  it('with a key gives the same answer again', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    const ask = (): Promise<{ status: number; body: unknown }> =>
      t.inject('PUT', `${visitsPath}/${booked._id}/cancel`, { token: client.token, headers: { 'idempotency-key': 'cancel-1' } })
    const [first, again] = [await ask(), await ask()]
    expect([again.status, again.body]).toEqual([200, first.body])
    const both = await Promise.all(Array.from({ length: 6 }, ask))
    expect(both.every(({ status }) => status === 200)).toBe(true)
  })
})

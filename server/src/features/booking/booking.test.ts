import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { inTransaction } from '#/platform/database.ts'
import {
  bookVisit,
  cancelled,
  hold,
  holdBody,
  holdsPath,
  later,
  readVisit,
  refused,
  somebodyWaits,
  tryConfirm,
  tryHold,
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
eachWithInstitute({ at: now }, (world) => ({ t, institute, client } = world))

const countVisits = async (): Promise<number> =>
  (await sql<{ n: number }>`select count(*)::int as n from appointments where institute_id = ${institute.id}`.execute(t.db)).rows[0]?.n ??
  -1

describe('confirming a hold', () => {
  it('makes a visit to be paid at the salon, with all that was agreed', async () => {
    const held = await hold(t, client, institute, {
      startsAt: ten,
      lines: [
        [0, 0],
        [1, 1],
      ],
    })
    const answer = await tryConfirm(t, client, held._id, { note: '  Ring twice, please. ', paymentMethod: 'card' })
    expect(answer.status).toBe(201)
    expect(answer.headers['cache-control']).toBe('no-store')
    expect(answer.body).toMatchObject({
      _id: held._id,
      status: 'pending',
      attendance: 'expected',
      startsAt: ten,
      endsAt: later(ten, 100),
      payAtSalon: true,
      paymentMethod: 'card',
      note: 'Ring twice, please.',
      total: { amount: 9500, currency: 'EUR' },
      canCancel: true,
      canReschedule: true,
      cancelledAt: null,
      institute: { _id: institute.id, slug: institute.slug, timeZone: 'Europe/Paris' },
      segments: [
        { serviceId: institute.services[0], staffId: institute.members[0], startsAt: ten },
        { serviceId: institute.services[1], staffId: institute.members[1], startsAt: later(ten, 40) },
      ],
    })
    expect(answer.body['reference']).toMatch(/^[A-Z2-9]{4}-[A-Z2-9]{3}$/)
    expect(answer.body['payment']).toBeUndefined()
    expect(await readVisit(t, client, held._id)).toEqual(answer.body)
    expect((await t.inject('GET', holdsPath, { token: client.token })).body['items']).toEqual([])
  })

  it('needs a session, and a hold that is one', async () => {
    expect(refused(await t.inject('POST', visitsPath, { body: { holdId: randomUUID() } }))).toEqual([401, 'unauthorized'])
    expect(refused(await tryConfirm(t, client, randomUUID()))).toEqual([404, 'not_found'])
    for (const body of [undefined, null, {}, { holdId: 'x' }, { holdId: ['a'] }])
      expect(refused(await t.inject('POST', visitsPath, { token: client.token, body }))).toEqual([400, 'bad_input'])
    const held = await hold(t, client, institute, { startsAt: ten })
    for (const more of [{ note: 'x'.repeat(501) }, { note: 'a\u0000b' }, { note: 'a\ud800' }, { paymentMethod: 'cash' }])
      expect(refused(await tryConfirm(t, client, held._id, more))).toEqual([400, 'bad_input'])
    expect((await tryConfirm(t, client, held._id, { note: '💇🏽‍♀️ مرحبا'.repeat(20) })).status).toBe(201)
  })

  it('works once', async () => {
    const held = await hold(t, client, institute, { startsAt: ten })
    const answers = await Promise.all(Array.from({ length: 8 }, () => tryConfirm(t, client, held._id)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409, 409, 409, 409, 409, 409])
    expect(answers.filter(({ status }) => status === 409).map(refused)).toContainEqual([409, 'wrong_state'])
    expect(await countVisits()).toBe(1)
  })

  it('makes one customer of the institute, however often somebody comes', async () => {
    await Promise.all([0, 60, 120].map(async (minutes) => bookVisit(t, client, institute, { startsAt: later(ten, minutes) })))
    const { rows } = await sql<{ name: string }>`select first_name as name from customers where institute_id = ${institute.id}`.execute(
      t.db,
    )
    expect(rows).toEqual([{ name: 'Nour' }])
  })
})

describe('what was agreed stays', () => {
  it('when the menu, the rules and the team change afterwards', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    await sql`update services set price_amount = 9900, active_minutes = 90, name = '{"en":"Royal cut"}' where id = ${institute.services[0]}`.execute(
      t.db,
    )
    await sql`update institutes set cancel_window_minutes = null, reschedule_window_minutes = 4320, time_zone = 'Asia/Tokyo', currency = 'JPY' where id = ${institute.id}`.execute(
      t.db,
    )
    expect(await readVisit(t, client, booked._id)).toEqual(booked)
    await sql`update services set active = false where id = ${institute.services[0]}`.execute(t.db)
    await sql`update team_members set active = false where id = ${institute.members[0]}`.execute(t.db)
    await sql`update institutes set state = 'suspended' where id = ${institute.id}`.execute(t.db)
    expect(await readVisit(t, client, booked._id)).toEqual(booked)
  })

  it('also between the hold and its confirmation', async () => {
    const held = await hold(t, client, institute, { startsAt: ten })
    await sql`update services set price_amount = 9900, active_minutes = 90 where id = ${institute.services[0]}`.execute(t.db)
    const answer = await tryConfirm(t, client, held._id)
    expect(answer.body).toMatchObject({ total: held.total, endsAt: held.endsAt, terms: held.terms })
  })
})

describe('the same idempotency key', () => {
  it('gives a hold again, exactly, and only one time is taken', async () => {
    const key = randomUUID()
    const first = await tryHold(t, client, institute, { startsAt: ten, lines: [[0, 0]], key })
    t.clock.advance(60_000)
    const again = await tryHold(t, client, institute, { startsAt: ten, lines: [[0, 0]], key })
    expect([again.status, again.body]).toEqual([201, first.body])
    expect(await countVisits()).toBe(1)
  })

  it('gives a booking again, also after the hold would have run out', async () => {
    const held = await hold(t, client, institute, { startsAt: ten })
    const first = await tryConfirm(t, client, held._id, { key: 'one', note: 'a' })
    t.clock.advance(3_600_000)
    const again = await tryConfirm(t, client, held._id, { key: 'one', note: 'a' })
    expect([again.status, again.body]).toEqual([201, first.body])
  })

  it('with another body, or for another call, is a conflict', async () => {
    const held = await hold(t, client, institute, { startsAt: ten, key: 'k' })
    expect(refused(await tryHold(t, client, institute, { startsAt: later(ten, 60), key: 'k' }))).toEqual([409, 'idempotency_conflict'])
    expect(refused(await tryConfirm(t, client, held._id, { key: 'k' }))).toEqual([409, 'idempotency_conflict'])
  })

  it('belongs to one person', async () => {
    await hold(t, client, institute, { startsAt: ten, lines: [[0, 0]], key: 'mine' })
    const other = await makeUser(t.db)
    expect((await tryHold(t, other, institute, { startsAt: ten, lines: [[0, 1]], key: 'mine' })).status).toBe(201)
  })

  it('is free again after a refusal', async () => {
    const stranger = await makeUser(t.db)
    const inTheWay = await hold(t, stranger, institute, { startsAt: ten, lines: [[0, 0]] })
    expect(refused(await tryHold(t, client, institute, { startsAt: ten, lines: [[0, 0]], key: 'retry' }))).toEqual([409, 'slot_taken'])
    await t.inject('DELETE', `${holdsPath}/${inTheWay._id}`, { token: stranger.token })
    expect((await tryHold(t, client, institute, { startsAt: ten, lines: [[0, 0]], key: 'retry' })).status).toBe(201)
  })

  it('sent twenty times at once takes one time and answers the same twenty times', async () => {
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 20 }, () => tryHold(t, client, institute, { startsAt: ten, key })))
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]))
    expect(new Set(answers.map(({ body }) => body['_id'])).size).toBe(1)
    expect(await countVisits()).toBe(1)
    const id = String(answers[0]?.body['_id'])
    const booked = await Promise.all(Array.from({ length: 20 }, () => tryConfirm(t, client, id, { key: `${key}-book` })))
    expect(new Set(booked.map(({ status, body }) => `${status} ${body['reference']}`)).size).toBe(1)
    expect(await t.mails(client.email)).toHaveLength(1)
  })

  it.each([['x'.repeat(201)], ['with space'], ['é']])('%s is no key', async (key) => {
    const answer = await t.inject('POST', holdsPath, {
      token: client.token,
      body: holdBody(institute, { startsAt: ten }),
      headers: { 'idempotency-key': key },
    })
    expect(refused(answer)).toEqual([400, 'bad_input'])
  })
})

describe('two visits of one person at one time', () => {
  it('are warned about, on the hold and on both visits, never refused', async () => {
    const elsewhere = await makeInstitute(t.db, { name: 'Maison Double' })
    const first = await bookVisit(t, client, elsewhere, { startsAt: ten })
    const held = await hold(t, client, institute, { startsAt: later(ten, 20) })
    expect(held.overlapsWith).toEqual({ _id: first._id, instituteName: 'Maison Double', startsAt: ten })
    const answer = await tryConfirm(t, client, held._id)
    expect(answer.body['overlapsWith']).toMatchObject({ _id: first._id })
    expect((await readVisit(t, client, first._id)).overlapsWith).toMatchObject({ _id: held._id })
    await cancelled(t, client, held._id)
    expect((await readVisit(t, client, first._id)).overlapsWith).toBeUndefined()
  })

  it('that only touch, or are of two people, are no matter', async () => {
    await bookVisit(t, client, institute, { startsAt: ten, lines: [[0, 0]] })
    expect((await hold(t, client, institute, { startsAt: later(ten, 40) })).overlapsWith).toBeUndefined()
    expect((await hold(t, await makeUser(t.db), institute, { startsAt: ten })).overlapsWith).toBeUndefined()
  })
})

describe('the work of the database', () => {
  it('is six statements at most for holding a time and confirming it', async () => {
    await bookVisit(t, client, institute, { startsAt: ten })
    const { statements } = t.context.database
    const before = statements()
    const held = await hold(t, client, institute, { startsAt: wall('2026-11-25T10:00') })
    expect((await tryConfirm(t, client, held._id)).status).toBe(201)
    expect(statements() - before).toBeLessThanOrEqual(6)
  })
})

describe('the record an institute keeps of a person', () => {
  it.each(['kept', 'undone'])('is one also when another transaction makes it at the same moment and it is %s', async (end) => {
    const held = await hold(t, client, institute, { startsAt: ten })
    const outcome = await inTransaction(t.db, async (transaction) => {
      const { rows } = await sql<{ id: string }>`insert into customers (institute_id, user_id, first_name)
        values (${institute.id}, ${client.id}, 'Other') returning id`.execute(transaction)
      const confirming = tryConfirm(t, client, held._id)
      await somebodyWaits(t)
      if (end === 'undone') throw Object.assign(new Error('undone'), { confirming })
      return { made: rows[0]?.id, confirming }
    }).catch((error: Error & { confirming: ReturnType<typeof tryConfirm> }) => ({ made: undefined, confirming: error.confirming }))
    expect((await outcome.confirming).status).toBe(201)
    const kept = await sql<{
      id: string
    }>`select id from customers where institute_id = ${institute.id} and user_id = ${client.id}`.execute(t.db)
    expect(kept.rows).toHaveLength(1)
    if (outcome.made) expect(kept.rows[0]?.id).toBe(outcome.made)
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ProposalRow, Rearrangement } from '@soigne/contract/rearranging'
import { setLeave } from '#/features/diary-entries/service.ts'
import { bookVisit, later, overlaps, readVisit, refused, tryCancel, tryHold, tryMove, wall } from '#/testing/booking.ts'
import { diaryOf, summaryIsTrue } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
/** Saturday 5 December, eleven o'clock. */
const saturday = '2026-12-05'
const monday = '2026-12-07'
const eleven = wall(`${saturday}T11:00`)
beforeAll(async () => {
  t = await openTestApp({ at: eleven, settings: { LIMIT_HOLDS: '50' } })
})
afterAll(() => t.close())

const list = '/api/v1/secure/mysalon/rearrangements'
const own = (id: string, what = ''): string => `/api/v1/secure/appointments/${id}/proposal${what}`
const [nora, karim, lucie] = [0, 1, 2]
const [cut, bridal] = [0, 1]

let owner: MadeUser
let salon: MadeInstitute
beforeEach(async () => {
  t.clock.set(eleven)
  owner = await makeUser(t.db, { role: 'isPro' })
  salon = await makeInstitute(t.db, {
    name: 'Atelier Mimosa',
    ownerId: owner.id,
    members: 3,
    cancelWindow: 1440,
    rescheduleWindow: 1440,
    services: [
      { name: 'Cut', active: 40, price: 4200 },
      { name: 'Bridal updo', active: 60, price: 9000, resourceType: 'suite', performedBy: [lucie] },
    ],
    resources: [{ type: 'suite', name: 'Suite' }],
  })
})

const book = async (time: string, lines: [number, (number | 'any')?][] = [[cut, lucie]], day = saturday) => {
  const user = await makeUser(t.db)
  const visit = await bookVisit(t, user, salon, { startsAt: wall(`${day}T${time}`), lines })
  return { user, id: visit._id }
}
const sick = (more: object = {}) =>
  setLeave(t.context, diaryOf(salon), {
    memberId: salon.members[lucie] ?? '',
    kind: 'sick_leave',
    fromDay: saturday,
    toDay: saturday,
    ...more,
  })
const proposals = async (query = '', token = owner.token): Promise<ProposalRow[]> => {
  const { status, body, text } = await t.inject('GET', `${list}/proposals${query}`, { token })
  if (status !== 200) throw new Error(text)
  return body['items'] as unknown as ProposalRow[]
}
const send = (items: object[], more: object = {}, token = owner.token): Promise<TestAnswer> =>
  t.inject('POST', list, { token, body: { items, ...more } })
/** Sends what is proposed first, and calls where nothing fits. */
const sendFirst = async (rows: ProposalRow[], more: object = {}): Promise<Rearrangement[]> => {
  const items = rows.map(({ visit, options: [first] }) =>
    first
      ? { appointmentId: visit._id, how: 'propose', startsAt: first.startsAt, staff: first.staff.map(({ staffId }) => staffId) }
      : { appointmentId: visit._id, how: 'call' },
  )
  const { status, body, text } = await send(items, more)
  if (status !== 201) throw new Error(text)
  return body['items'] as unknown as Rearrangement[]
}
const tracked = async () =>
  (await t.inject('GET', list, { token: owner.token })).body as unknown as {
    items: Rearrangement[]
    needed: { visits: number; staffId: string }[]
  }
const stateOf = async (id: string) => (await tracked()).items.find(({ visit }) => visit._id === id)?.state
const change = (id: string, body: object): Promise<TestAnswer> => t.inject('PUT', `${list}/${id}`, { token: owner.token, body })
const answer = (user: MadeUser, id: string, what: 'accept' | 'decline', key?: string): Promise<TestAnswer> =>
  t.inject('PUT', own(id, `/${what}`), { token: user.token, ...(key && { headers: { 'idempotency-key': key } }) })
/** What waits for an answer of somebody, as their list of visits shows it. */
const listed = async (user: MadeUser): Promise<unknown> => {
  const { body } = await t.inject('GET', '/api/v1/secure/appointments/proposals', { token: user.token })
  return body['items']
}
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await t.drainJobs()
}
/** One visit of somebody who was asked for by name, proposed for Monday at the same hour. */
const proposed = async () => {
  const one = await book('14:20')
  await sick()
  const [sent] = await sendFirst(await proposals())
  if (!sent) throw new Error('nothing was sent')
  return { ...one, sent }
}

describe('a sick leave', () => {
  it('[E-12] proposes a later day to three, and has nothing for Claire: sent, kept, told without saying why', async () => {
    const people = {
      zoe: await book('11:20'),
      emma: await book('12:40'),
      tom: await book('14:20'),
      claire: await book('16:40', [[bridal, lucie]]),
    }
    await sql`insert into resource_closures (institute_id, resource_id, from_day, to_day) values (${salon.id}, ${salon.resources[0] ?? ''}, '2026-12-06', '2026-12-31')`.execute(
      t.db,
    )
    await sick({ note: 'flu' })
    expect((await tracked()).needed).toMatchObject([{ staffId: salon.members[lucie], visits: 4, firstAt: wall(`${saturday}T11:20`) }])
    const rows = await proposals()
    expect(rows.map(({ options: [first] }) => first && [first.startsAt, first.reason, first.staff.map(({ staffId }) => staffId)])).toEqual([
      ...['11:20', '12:40', '14:20'].map((time) => [wall(`${monday}T${time}`), 'same_person_same_hour', [salon.members[lucie]]]),
      undefined,
    ])
    const sent = await sendFirst(rows, { note: 'flu' })
    expect(sent.map(({ state, until }) => [state, until])).toEqual([
      ...Array.from({ length: 3 }, () => ['sent', later(eleven, 1440)]),
      ['by_phone', null],
    ])
    expect((await tracked()).needed).toEqual([])
    await settle()
    await settle()
    for (const { user } of [people.zoe, people.emma, people.tom]) {
      const letters = (await t.mails(user.email)).filter(({ kind }) => kind === 'visit_proposed')
      expect(letters).toHaveLength(1)
      expect(JSON.stringify(letters)).not.toMatch(/sick|flu|leave/i)
    }
    expect((await t.mails(people.claire.user.email)).filter(({ kind }) => kind === 'visit_proposed')).toEqual([])
    const bell = await t.inject('GET', '/api/v1/secure/notifications', { token: people.zoe.user.token })
    expect(bell.body['items']?.[0]).toMatchObject({ title: 'Another time? Mon 7 Dec at 11:20', path: `/appointment/${people.zoe.id}` })
    const other = await makeUser(t.db)
    expect(refused(await tryHold(t, other, salon, { startsAt: wall(`${monday}T11:20`), lines: [[cut, lucie]] }))).toEqual([
      409,
      'slot_taken',
    ])
    expect((await readVisit(t, people.zoe.user, people.zoe.id)).startsAt).toBe(wall(`${saturday}T11:20`))
    expect(await overlaps(t.db)).toBe(0)
    await summaryIsTrue(t, salon)
  })

  it('asks who wanted anybody for the same time with somebody else, and never one who is not booked online', async () => {
    await t.inject('GET', list, { token: owner.token })
    await sql`update team_members set bookable_online = false where id = ${salon.members[nora] ?? ''}`.execute(t.db)
    const visit = await book('14:20', [[cut, lucie]])
    await sql`update appointments set cart = jsonb_build_array(jsonb_build_object('serviceId', ${salon.services[cut] ?? ''}::text)) where id = ${visit.id}`.execute(
      t.db,
    )
    await sick()
    const [row] = await proposals()
    expect(row?.options[0]).toMatchObject({
      reason: 'colleague_same_time',
      startsAt: wall(`${saturday}T14:20`),
      staff: [{ staffId: salon.members[karim] }],
    })
    expect(row?.options.flatMap(({ staff }) => staff.map(({ staffId }) => staffId))).not.toContain(salon.members[nora])
  })

  it('proposes no time twice, none the client has other plans at, and says until when somebody is full', async () => {
    const [first, second] = [await book('14:20'), await book('15:00')]
    await bookVisit(t, first.user, salon, { startsAt: wall(`${monday}T14:20`), lines: [[cut, nora]] })
    await sick()
    const rows = await proposals()
    expect(rows[0]?.options[0]?.startsAt).not.toBe(wall(`${monday}T14:20`))
    expect(new Set(rows.map(({ options }) => options[0]?.startsAt)).size).toBe(2)
    expect(rows.map(({ visit }) => visit._id)).toEqual([first.id, second.id])
    await setLeave(t.context, diaryOf(salon), {
      memberId: salon.members[lucie] ?? '',
      kind: 'on_holiday',
      fromDay: '2026-12-06',
      toDay: '2026-12-14',
    })
    const [full] = await proposals()
    expect(full).toMatchObject({ fullUntil: '2026-12-15', options: [{ reason: 'colleague_same_time' }, {}, {}, {}, {}] })
  })
})

describe('an answer', () => {
  it('moves the visit by one tap, at the price agreed and with a new free window; both sides are told once', async () => {
    const { user, id, sent } = await proposed()
    const mine = await t.inject('GET', own(id), { token: user.token })
    expect(mine.body['proposal']).toMatchObject({ startsAt: sent.proposed?.startsAt, isKept: true, until: later(eleven, 1440) })
    const waiting = await listed(user)
    expect(waiting).toEqual([
      { appointmentId: id, institute: { name: 'Atelier Mimosa', timeZone: 'Europe/Paris' }, proposal: mine.body['proposal'] },
    ])
    expect(await listed(await makeUser(t.db))).toEqual([])
    const answers = await Promise.all([answer(user, id, 'accept', 'tap'), answer(user, id, 'accept', 'tap'), answer(user, id, 'accept')])
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
    expect(answers.every(({ status }) => status === 200 || status === 409)).toBe(true)
    expect(await readVisit(t, user, id)).toMatchObject({
      startsAt: wall(`${monday}T14:20`),
      total: { amount: 4200 },
      terms: { freeUntil: wall('2026-12-06T14:20'), rescheduleWindowHours: 24 },
    })
    expect(await listed(user)).toEqual([])
    await settle()
    expect(await stateOf(id)).toBe('accepted')
    expect((await t.mails(user.email)).map(({ kind }) => kind)).toEqual(['visit_moved', 'visit_booked'])
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from appointments where user_id = ${user.id}`.execute(t.db)
    expect([rows[0]?.n, await overlaps(t.db)]).toEqual([1, 0])
    await summaryIsTrue(t, salon)
  })

  it('still moves a visit whose hour has passed, and gives it up for nothing whatever the window', async () => {
    const [zoe, tom] = [await book('11:20'), await book('12:00')]
    await sick()
    await sendFirst(await proposals())
    t.clock.set(wall(`${saturday}T12:30`))
    expect((await answer(zoe.user, zoe.id, 'accept')).status).toBe(200)
    expect((await answer(tom.user, tom.id, 'decline')).body).toMatchObject({ status: 'cancelled' })
    expect(refused(await answer(tom.user, tom.id, 'accept'))).toEqual([409, 'wrong_state'])
    expect([await stateOf(zoe.id), await stateOf(tom.id)]).toEqual(['accepted', 'declined'])
    await settle()
    const again = await makeUser(t.db)
    expect((await tryHold(t, again, salon, { startsAt: wall(`${monday}T12:00`), lines: [[cut, lucie]] })).status).toBe(201)
  })

  it('may be another time, chosen as always though the window is over: what was kept is free again', async () => {
    const { user, id } = await proposed()
    expect((await tryMove(t, user, id, wall(`${monday}T10:00`))).status).toBe(200)
    await settle()
    expect(await stateOf(id)).toBe('other_time')
    expect((await t.inject('GET', own(id), { token: user.token })).body['proposal']).toBe(null)
    const other = await makeUser(t.db)
    expect((await tryHold(t, other, salon, { startsAt: wall(`${monday}T14:20`), lines: [[cut, lucie]] })).status).toBe(201)
  })

  it('that comes too late is told so; the visit stays, and the institute proposes anew', async () => {
    const { user, id, sent } = await proposed()
    t.clock.set(later(eleven, 1440))
    expect(refused(await answer(user, id, 'accept'))).toEqual([409, 'hold_expired'])
    expect(await stateOf(id)).toBe('no_answer')
    expect(await listed(user)).toEqual([])
    expect((await readVisit(t, user, id)).status).toBe('pending')
    // The visit itself is over by now: what is left is to call.
    expect(refused(await change(sent._id, { how: 'propose', startsAt: wall('2026-12-08T10:00') }))).toEqual([409, 'wrong_state'])
    expect((await change(sent._id, { how: 'settled' })).body).toMatchObject({ state: 'settled' })
  })

  it('is nobody else’s: not signed in, another client, a colleague without the right', async () => {
    const { id, sent } = await proposed()
    const [stranger, staff] = [await makeUser(t.db), await makePerson(t.db, salon.id, 'staff')]
    expect((await t.inject('GET', own(id))).status).toBe(401)
    expect((await t.inject('GET', '/api/v1/secure/appointments/proposals')).status).toBe(401)
    for (const what of ['accept', 'decline'] as const) expect((await answer(stranger, id, what)).status).toBe(404)
    expect((await t.inject('GET', own(id), { token: stranger.token })).status).toBe(404)
    expect((await send([], {}, staff.token)).status).toBe(403)
    const neighbour = await makeUser(t.db, { role: 'isPro' })
    await makeInstitute(t.db, { ownerId: neighbour.id })
    expect((await t.inject('PUT', `${list}/${sent._id}`, { token: neighbour.token, body: { how: 'settled' } })).status).toBe(404)
  })
})

describe('the institute', () => {
  it('proposes another time instead, takes it over by phone, and books what was agreed there', async () => {
    const { user, id, sent } = await proposed()
    const anew = await change(sent._id, { how: 'propose', startsAt: wall(`${monday}T16:00`), staff: [salon.members[karim]] })
    expect(anew.body).toMatchObject({
      state: 'sent',
      proposed: { startsAt: wall(`${monday}T16:00`), staff: [{ staffId: salon.members[karim] }] },
    })
    await settle()
    expect((await t.mails(user.email)).filter(({ kind }) => kind === 'visit_proposed')).toHaveLength(1)
    expect((await change(sent._id, { how: 'agreed' })).body).toMatchObject({ state: 'accepted' })
    expect(await readVisit(t, user, id)).toMatchObject({ startsAt: wall(`${monday}T16:00`), segments: [{ staffId: salon.members[karim] }] })
    expect(refused(await change(sent._id, { how: 'call' }))).toEqual([409, 'wrong_state'])
  })

  it('moves the visit itself while its client answers: one of them comes first, and nothing is twice', async () => {
    const { user, id } = await proposed()
    const desk = t.inject('PUT', `/api/v1/secure/mysalon/appointments/${id}/move`, {
      token: owner.token,
      body: { startsAt: wall('2026-12-08T10:00') },
    })
    const [accepted, deskMoved] = await Promise.all([answer(user, id, 'accept'), desk])
    expect([accepted.status, deskMoved.status].filter((status) => status === 200).length).toBeGreaterThanOrEqual(1)
    if (accepted.status !== 200) expect(refused(accepted)).toEqual([409, 'wrong_state'])
    await settle()
    expect(await overlaps(t.db)).toBe(0)
    expect(['accepted', 'settled']).toContain(await stateOf(id))
    await summaryIsTrue(t, salon)
  })

  it('loses a time that somebody books first: nothing of the round is sent, and the visit is named', async () => {
    const [first, second] = [await book('14:20'), await book('15:00')]
    await sick()
    const rows = await proposals()
    const quick = await makeUser(t.db)
    await bookVisit(t, quick, salon, { startsAt: wall(`${monday}T15:00`), lines: [[cut, lucie]] })
    const items = rows.map(({ visit, options }) => ({
      appointmentId: visit._id,
      how: 'propose',
      startsAt: options[0]?.startsAt,
      staff: [salon.members[lucie]],
    }))
    const lost = await send(items)
    expect(refused(lost)).toEqual([409, 'slot_taken'])
    expect(lost.body['details']).toMatchObject({ appointmentId: second.id })
    expect([await stateOf(first.id), (await tracked()).needed[0]?.visits]).toEqual([undefined, 2])
  })

  it('[P-11] closes a day and sends in one moment: the day is off sale, and no visit is lost', async () => {
    const day = '2026-12-11'
    const [a, b] = [await book('10:00', [[cut, nora]], day), await book('11:00', [[cut, karim]], day)]
    const rows = await proposals(`?fromDay=${day}`)
    expect(rows.map(({ options: [first] }) => first?.startsAt.slice(0, 10))).toEqual(['2026-12-12', '2026-12-12'])
    const reception = await makePerson(t.db, salon.id, 'reception')
    expect(refused(await send([], { close: { fromDay: day, toDay: day } }, reception.token))).toEqual([403, 'forbidden'])
    await sendFirst(rows, { close: { fromDay: day, toDay: day }, note: 'boiler' })
    const other = await makeUser(t.db)
    expect(refused(await tryHold(t, other, salon, { startsAt: wall(`${day}T15:00`) }))).toEqual([422, 'not_offered'])
    for (const { user, id } of [a, b]) expect((await readVisit(t, user, id)).status).toBe('pending')
    expect((await tracked()).needed).toEqual([])
    await summaryIsTrue(t, salon)
  })

  it('cancels where that was chosen, and is refused what makes no sense', async () => {
    const one = await book('14:20')
    expect((await send([{ appointmentId: one.id, how: 'cancel' }])).status).toBe(201)
    expect((await readVisit(t, one.user, one.id)).status).toBe('cancelled')
    expect(refused(await send([{ appointmentId: one.id, how: 'call' }]))).toEqual([409, 'wrong_state'])
    const two = await book('15:00')
    expect(refused(await send([{ appointmentId: two.id, how: 'propose' }]))).toEqual([400, 'bad_input'])
    expect(refused(await send([{ appointmentId: two.id, how: 'propose', startsAt: wall(`${monday}T03:00`) }]))[1]).toBe('not_offered')
    expect((await send([{ appointmentId: two.id, how: 'call' }])).status).toBe(201)
    expect((await tryCancel(t, two.user, two.id)).status).toBe(200)
    await settle()
    expect(await stateOf(two.id)).toBe('declined')
    expect((await t.inject('GET', `${list}/proposals?fromDay=2026-12-11&toDay=2026-12-01`, { token: owner.token })).status).toBe(400)
  })
})

import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { sql } from 'kysely'
import type { WaitingEntry } from '@soigne/contract/waiting'
import { bookVisit, cancelled, hold, moved, overlaps, readVisit, refused, tryConfirm, tryHold, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
/** Friday, noon in Paris. */
const start = '2026-11-20T11:00:00Z'
beforeAll(async () => {
  t = await openTestApp({ at: start })
})
afterAll(() => t.close())
beforeEach(() => t.clock.set(start))

const path = '/api/v1/secure/waiting'
const tuesday = '2026-11-24'
const ten = wall(`${tuesday}T10:00`)
const minutes = (n: number): number => n * 60_000

/** One chair, open from ten to eleven: whoever has it has all there is. */
const oneHour = (more: Parameters<typeof makeInstitute>[1] = {}) =>
  makeInstitute(t.db, {
    name: 'Maison Ondine',
    members: 1,
    opensAt: 600,
    closesAt: 660,
    services: [{ name: 'Colour', active: 60 }],
    ...more,
  })

const tryJoin = (user: { token: string }, institute: MadeInstitute, more: object = {}) =>
  t.inject('POST', path, {
    token: user.token,
    body: { instituteId: institute.id, services: [{ serviceId: institute.services[0] }], fromDay: tuesday, toDay: tuesday, ...more },
  })
async function join(user: { token: string }, institute: MadeInstitute, more: object = {}): Promise<WaitingEntry> {
  const { status, body, text } = await tryJoin(user, institute, more)
  if (status !== 201) throw new Error(`${status} ${text}`)
  return body as unknown as WaitingEntry
}
/** What follows, and what follows from that. */
async function settle(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await t.drainJobs()
}
/** The jobs of a minute. */
async function minute(): Promise<void> {
  await t.jobs['tidy_bookings']?.({})
  await settle()
  await t.jobs['offer_waiting']?.({})
  await settle()
}
async function entries(user: { token: string }): Promise<WaitingEntry[]> {
  const { status, body } = await t.inject('GET', path, { token: user.token })
  expect(status).toBe(200)
  return body['items'] as unknown as WaitingEntry[]
}
const offered = async (user: { token: string }): Promise<string | null> => (await entries(user))[0]?.offer?.startsAt ?? null
const answer = (user: { token: string }, id: string, what: 'accept' | 'decline', key?: string) =>
  t.inject('PUT', `${path}/${id}/${what}`, { token: user.token, ...(key && { headers: { 'idempotency-key': key } }) })
const letters = async ({ email }: MadeUser): Promise<string[]> =>
  (await t.mails(email)).filter(({ kind }) => kind === 'waiting_offer').map(({ subject }) => subject)

/** Somebody has the only hour, and others wait for it in this order. */
async function fullDay(count: number, more: Parameters<typeof makeInstitute>[1] = {}) {
  const institute = await oneHour(more)
  const holder = await makeUser(t.db)
  const visit = await bookVisit(t, holder, institute, { startsAt: ten })
  const waiting: { user: MadeUser; entry: WaitingEntry }[] = []
  for (let n = 0; n < count; n++) {
    const user = await makeUser(t.db)
    waiting.push({ user, entry: await join(user, institute) })
    t.clock.set(t.clock.now() + 1000)
  }
  const [first, second, third] = waiting
  if (!first) throw new Error('nobody waits')
  return { institute, holder, visit, first, second: second ?? first, third: third ?? first }
}

describe('time that falls free', () => {
  it('is held for the first who waits, who is told by letter and bell, and nobody else', async () => {
    const { holder, visit, first, second } = await fullDay(2)
    await settle()
    expect(await offered(first.user)).toBe(null)
    await cancelled(t, holder, visit._id)
    await settle()
    const [entry] = await entries(first.user)
    expect(entry?.offer).toMatchObject({ startsAt: ten, until: new Date(t.clock.now() + minutes(20)).toISOString() })
    expect(await offered(second.user)).toBe(null)
    expect(await letters(first.user)).toEqual(['Free for you: Tue 24 Nov at 10:00, Maison Ondine'])
    expect(await letters(second.user)).toEqual([])
    const bell = await t.inject('GET', '/api/v1/secure/notifications', { token: first.user.token })
    expect((bell.body['items'] as unknown as object[])[0]).toMatchObject({ path: '/appointment/list#waiting' })
  })

  it('is held all the same for who wants neither letter nor bell about it', async () => {
    const { holder, visit, first } = await fullDay(1)
    for (const channel of ['mail', 'bell'])
      await t.inject('PUT', '/api/v1/secure/notifications/choices', {
        token: first.user.token,
        body: { kind: 'offers', channel, isOn: false },
      })
    await cancelled(t, holder, visit._id)
    await settle()
    expect([await offered(first.user), await letters(first.user)]).toEqual([ten, []])
    const bell = await t.inject('GET', '/api/v1/secure/notifications', { token: first.user.token })
    expect(bell.body['items']).toEqual([])
  })

  it('becomes a visit by one answer, once, however often it is sent; and the entry is over', async () => {
    const { holder, visit, first, institute } = await fullDay(1)
    await cancelled(t, holder, visit._id)
    await settle()
    const answers = await Promise.all([
      answer(first.user, first.entry._id, 'accept', 'one-tap'),
      answer(first.user, first.entry._id, 'accept', 'one-tap'),
      answer(first.user, first.entry._id, 'accept'),
    ])
    expect(answers.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(1)
    expect(answers.filter(({ status }) => status !== 200).every(({ status }) => status === 409)).toBe(true)
    const { rows } = await sql<{
      n: number
    }>`select count(*)::int as n from appointments where institute_id = ${institute.id} and life = 'booked'`.execute(t.db)
    expect(rows[0]?.n).toBe(1)
    expect(await entries(first.user)).toEqual([])
    await settle()
    expect((await t.mails(first.user.email)).map(({ kind }) => kind)).toContain('visit_booked')
  })

  it('goes to the next when it is declined, and the first stays on the list but is not asked again', async () => {
    const { holder, visit, first, second } = await fullDay(2)
    await cancelled(t, holder, visit._id)
    await settle()
    expect((await answer(first.user, first.entry._id, 'decline')).status).toBe(200)
    await settle()
    expect([await offered(first.user), await offered(second.user)]).toEqual([null, ten])
    expect(refused(await answer(first.user, first.entry._id, 'accept'))).toEqual([409, 'hold_expired'])
    expect((await answer(second.user, second.entry._id, 'decline')).status).toBe(200)
    await minute()
    expect([await offered(first.user), await offered(second.user)]).toEqual([null, null])
    expect([await letters(first.user), await letters(second.user)].map(({ length }) => length)).toEqual([1, 1])
    expect(await entries(first.user)).toHaveLength(1)
  })

  it('goes to the next when nobody answers in time, and whoever answers too late is told so', async () => {
    const { holder, visit, first, second, third } = await fullDay(3)
    await cancelled(t, holder, visit._id)
    await settle()
    t.clock.set(t.clock.now() + minutes(20))
    expect(refused(await answer(first.user, first.entry._id, 'accept'))).toEqual([409, 'hold_expired'])
    await minute()
    expect([await offered(first.user), await offered(second.user)]).toEqual([null, ten])
    t.clock.set(t.clock.now() + minutes(20))
    await minute()
    expect(await offered(third.user)).toBe(ten)
    expect((await answer(third.user, third.entry._id, 'accept')).status).toBe(200)
    expect(await overlaps(t.db)).toBe(0)
  })

  it('is free for everybody once all have let it pass', async () => {
    const { holder, visit, first, institute } = await fullDay(1)
    await cancelled(t, holder, visit._id)
    await settle()
    const other = await makeUser(t.db)
    expect(refused(await tryHold(t, other, institute, { startsAt: ten }))).toEqual([409, 'slot_taken'])
    await answer(first.user, first.entry._id, 'decline')
    await settle()
    expect((await tryHold(t, other, institute, { startsAt: ten })).status).toBe(201)
  })

  it('comes from moved visits and released holds, too', async () => {
    const institute = await oneHour({ horizon: 60 })
    const [holder, waiting] = [await makeUser(t.db), await makeUser(t.db)]
    const visit = await bookVisit(t, holder, institute, { startsAt: ten })
    await join(waiting, institute)
    await moved(t, holder, visit._id, wall('2026-11-26T10:00'))
    await settle()
    expect(await offered(waiting)).toBe(ten)

    const other = await oneHour()
    const held = await hold(t, holder, other, { startsAt: ten })
    const second = await makeUser(t.db)
    await join(second, other)
    await t.inject('DELETE', `/api/v1/secure/appointments/holds/${held._id}`, { token: holder.token })
    await settle()
    expect(await offered(second)).toBe(ten)
  })

  it('two times at once go to two people', async () => {
    const institute = await oneHour({ members: 2 })
    const [holder, a, b, c] = [await makeUser(t.db), await makeUser(t.db), await makeUser(t.db), await makeUser(t.db)]
    const visits = [await bookVisit(t, holder, institute, { startsAt: ten }), await bookVisit(t, holder, institute, { startsAt: ten })]
    for (const user of [a, b, c]) {
      await join(user, institute)
      t.clock.set(t.clock.now() + 1000)
    }
    for (const visit of visits) await cancelled(t, holder, visit._id)
    await settle()
    expect([await offered(a), await offered(b), await offered(c)]).toEqual([ten, ten, null])
    expect(await overlaps(t.db)).toBe(0)
  })
})

describe('who is passed over', () => {
  it('is whoever is blocked there, busy then, or asked for other days, hours or longer services', async () => {
    const institute = await oneHour({ services: [{ active: 60 }, { active: 120 }] })
    const holder = await makeUser(t.db)
    const visit = await bookVisit(t, holder, institute, { startsAt: ten })
    const [blocked, busy, otherDay, otherHours, longer, last] = await Promise.all(Array.from({ length: 6 }, () => makeUser(t.db)))
    if (!blocked || !busy || !otherDay || !otherHours || !longer || !last) throw new Error('nobody')
    await sql`insert into chats (user_id, institute_id, institute_blocked, created_at, updated_at) values (${blocked.id}, ${institute.id}, true, now(), now())`.execute(
      t.db,
    )
    await bookVisit(t, busy, await makeInstitute(t.db), { startsAt: wall(`${tuesday}T10:20`) })
    const asked = [
      [blocked, {}],
      [busy, {}],
      [otherDay, { fromDay: '2026-11-25', toDay: '2026-11-26' }],
      [otherHours, { hours: { from: '10:20', to: '12:00' } }],
      [longer, { services: [{ serviceId: institute.services[1] }] }],
      [last, { part: 'morning', hours: { from: '09:00', to: '11:00' } }],
    ] as const
    for (const [user, more] of asked) {
      await join(user, institute, more)
      t.clock.set(t.clock.now() + 1000)
    }
    await cancelled(t, holder, visit._id)
    await settle()
    for (const user of [blocked, busy, otherDay, otherHours, longer]) expect(await offered(user)).toBe(null)
    expect(await offered(last)).toBe(ten)
  })

  it('is nobody twice for the same time, also where it falls free again', async () => {
    const { holder, visit, first, institute } = await fullDay(1)
    await cancelled(t, holder, visit._id)
    await settle()
    t.clock.set(t.clock.now() + minutes(21))
    await minute()
    const again = await bookVisit(t, holder, institute, { startsAt: ten })
    await cancelled(t, holder, again._id)
    await minute()
    expect(await offered(first.user)).toBe(null)
    expect(await letters(first.user)).toHaveLength(1)
  })
})

describe('the night', () => {
  const evening = (time: string): number => Date.parse(wall(`2026-11-20T${time}`))

  it('begins no offer and writes to nobody from 22:00 to 8:00; what fell free is offered in the morning', async () => {
    const { holder, visit, first } = await fullDay(1)
    t.clock.set(evening('22:00'))
    await cancelled(t, holder, visit._id)
    await minute()
    expect([await offered(first.user), (await letters(first.user)).length]).toEqual([null, 0])
    t.clock.set(Date.parse(wall('2026-11-21T07:59')))
    await minute()
    expect(await offered(first.user)).toBe(null)
    t.clock.set(Date.parse(wall('2026-11-21T08:00')))
    await minute()
    expect([await offered(first.user), (await letters(first.user)).length]).toEqual([ten, 1])
  })

  it('lets an offer begun at 21:50 go on until 22:10, and asks the next in the morning', async () => {
    const { holder, visit, first, second } = await fullDay(2)
    t.clock.set(evening('21:50'))
    await cancelled(t, holder, visit._id)
    await settle()
    t.clock.set(evening('22:09'))
    expect(await offered(first.user)).toBe(ten)
    t.clock.set(evening('22:10'))
    await minute()
    expect([await offered(first.user), await offered(second.user)]).toEqual([null, null])
    t.clock.set(Date.parse(wall('2026-11-21T08:01')))
    await minute()
    expect([await offered(first.user), await offered(second.user)]).toEqual([null, ten])
  })

  it('is the night of the institute', async () => {
    const institute = await oneHour({ timeZone: 'America/New_York' })
    const startsAt = wall(`${tuesday}T10:00`, 'America/New_York')
    const [holder, user] = [await makeUser(t.db), await makeUser(t.db)]
    const visit = await bookVisit(t, holder, institute, { startsAt })
    await join(user, institute)
    t.clock.set(evening('23:30'))
    await cancelled(t, holder, visit._id)
    await settle()
    expect(await offered(user)).toBe(startsAt)
  })
})

describe('an offer', () => {
  it('spends none of the holds a person may have, and does not stand in its holder’s way', async () => {
    const { holder, visit, first, institute } = await fullDay(1)
    await cancelled(t, holder, visit._id)
    await settle()
    const elsewhere = await makeInstitute(t.db)
    for (const time of ['14:00', '15:00']) await hold(t, first.user, elsewhere, { startsAt: wall(`${tuesday}T${time}`) })
    expect(refused(await tryHold(t, first.user, elsewhere, { startsAt: wall(`${tuesday}T16:00`) }))).toEqual([429, 'too_many_holds'])
    const holds = await t.inject('GET', '/api/v1/secure/appointments/holds', { token: first.user.token })
    expect(holds.body['items']).toHaveLength(2)
    const same = await tryHold(t, first.user, institute, { startsAt: ten })
    expect(same.status).toBe(201)
    expect(
      refused(
        await t.inject('PUT', `/api/v1/secure/appointments/holds/${String(same.body['_id'])}/extend`, { token: first.user.token }),
      )[0],
    ).not.toBe(200)
    expect((await tryConfirm(t, first.user, String(same.body['_id']))).status).toBe(201)
    await settle()
    expect(await entries(first.user)).toEqual([])
  })

  it('goes to the next when its holder leaves the list', async () => {
    const { holder, visit, first, second } = await fullDay(2)
    await cancelled(t, holder, visit._id)
    await settle()
    expect((await t.inject('DELETE', `${path}/${first.entry._id}`, { token: first.user.token })).status).toBe(200)
    await settle()
    expect(await entries(first.user)).toEqual([])
    expect(await offered(second.user)).toBe(ten)
  })

  it('is nobody else’s to see or answer', async () => {
    const { holder, visit, first } = await fullDay(1)
    await cancelled(t, holder, visit._id)
    await settle()
    const stranger = await makeUser(t.db)
    expect(await entries(stranger)).toEqual([])
    for (const what of ['accept', 'decline'] as const)
      expect(refused(await answer(stranger, first.entry._id, what))).toEqual([404, 'not_found'])
    expect((await t.inject('DELETE', `${path}/${first.entry._id}`, { token: stranger.token })).status).toBe(404)
    expect((await t.inject('GET', path)).status).toBe(401)
    expect(await offered(first.user)).toBe(ten)
  })
})

describe('joining', () => {
  it('is answered in the words of who asks; the same again is the same entry, and ten are the most', async () => {
    const institute = await makeInstitute(t.db, { name: 'Maison Ondine', horizon: 120 })
    const user = await makeUser(t.db)
    const body = { part: 'evening', services: [{ serviceId: institute.services[0], staffId: institute.members[0] }] }
    const entry = await join(user, institute, body)
    expect(entry).toMatchObject({
      institute: { name: 'Maison Ondine' },
      fromDay: tuesday,
      toDay: tuesday,
      part: 'evening',
      hours: null,
      visit: null,
      offer: null,
    })
    expect(entry.services).toMatchObject([{ name: 'Cut', staffId: institute.members[0] }])
    expect((await join(user, institute, body))._id).toBe(entry._id)
    for (let n = 0; n < 9; n++) await join(user, institute, { toDay: `2026-12-0${n + 1}` })
    expect(refused(await tryJoin(user, institute, { toDay: '2026-12-20' }))).toEqual([409, 'too_many_waiting'])
    expect(await entries(user)).toHaveLength(10)
  })

  it('refuses windows that are over, turned round or too long, strange services, and unconfirmed addresses', async () => {
    const institute = await makeInstitute(t.db)
    const user = await makeUser(t.db)
    for (const more of [
      { fromDay: '2026-11-18', toDay: '2026-11-19' },
      { fromDay: '2026-11-25' },
      { toDay: '2027-03-01' },
      { hours: { from: '18:00', to: '17:00' } },
      { hours: { from: '25:00', to: '26:00' } },
    ])
      expect(refused(await tryJoin(user, institute, more)), JSON.stringify(more)).toEqual([400, 'bad_input'])
    expect(refused(await tryJoin(user, institute, { services: [{ serviceId: institute.members[0] }] }))).toEqual([404, 'not_found'])
    expect(refused(await tryJoin(user, await makeInstitute(t.db, { claimed: false })))).toEqual([422, 'not_bookable'])
    expect(refused(await tryJoin(await makeUser(t.db, { verified: false }), institute))).toEqual([403, 'email_unverified'])
  })

  it('ends by itself when the window is over, and is forgotten half a year later', async () => {
    const institute = await makeInstitute(t.db)
    const user = await makeUser(t.db)
    await join(user, institute)
    t.clock.set(Date.parse(wall('2026-11-24T23:59')))
    expect(await entries(user)).toHaveLength(1)
    t.clock.set(Date.parse(wall('2026-11-25T00:00')))
    expect(await entries(user)).toEqual([])
    t.clock.set('2027-06-01T11:00:00Z')
    await t.jobs['offer_waiting']?.({})
    const { rows } = await sql<{ n: number }>`select count(*)::int as n from waiting_entries where user_id = ${user.id}`.execute(t.db)
    expect(rows[0]?.n).toBe(0)
  })
})

describe('an earlier time for a visit', () => {
  /** Two open hours on two days: one has the first, another the second and wants the first. */
  async function swapped() {
    const institute = await oneHour()
    const [early, late] = [await makeUser(t.db), await makeUser(t.db)]
    const first = await bookVisit(t, early, institute, { startsAt: ten })
    const second = await bookVisit(t, late, institute, { startsAt: wall('2026-11-26T10:00') })
    const entry = await join(late, institute, { toDay: '2026-11-26', visitId: second._id })
    return { institute, early, late, first, second, entry }
  }

  it('is taken and the visit given back in one change, and what is given back is offered on', async () => {
    const { institute, early, late, first, second, entry } = await swapped()
    expect(entry.visit).toEqual({ _id: second._id, startsAt: second.startsAt })
    const third = await makeUser(t.db)
    await join(third, institute, { fromDay: '2026-11-26', toDay: '2026-11-26' })
    await cancelled(t, early, first._id)
    await settle()
    expect(await offered(late)).toBe(ten)
    const taken = await answer(late, entry._id, 'accept')
    expect(taken.status).toBe(200)
    expect(taken.body).toMatchObject({ _id: second._id, startsAt: ten, status: 'pending' })
    await settle()
    expect(await offered(third)).toBe(second.startsAt)
    expect(await entries(late)).toEqual([])
  })

  it('keeps the first visit where the answer comes too late, or something breaks on the way', async () => {
    const { early, late, first, second, entry } = await swapped()
    await cancelled(t, early, first._id)
    await settle()
    await sql`create function broken() returns trigger language plpgsql as $$ begin raise exception 'broken'; end $$`.execute(t.db)
    await sql`create trigger broken before update on waiting_entries for each row execute function broken()`.execute(t.db)
    try {
      expect((await answer(late, entry._id, 'accept')).status).toBe(500)
    } finally {
      await sql`drop trigger broken on waiting_entries`.execute(t.db)
      await sql`drop function broken()`.execute(t.db)
    }
    expect((await readVisit(t, late, second._id)).status).toBe('pending')
    expect(await offered(late)).toBe(ten)
    t.clock.set(t.clock.now() + minutes(21))
    expect(refused(await answer(late, entry._id, 'accept'))).toEqual([409, 'hold_expired'])
    expect((await readVisit(t, late, second._id)).status).toBe('pending')
  })

  it('is no later one, ends with the visit, and is not for visits of others or those that may not be moved any more', async () => {
    const { institute, early, late, second } = await swapped()
    const third = await bookVisit(t, early, institute, { startsAt: wall('2026-11-27T10:00') })
    await join(late, institute, { toDay: '2026-11-27', visitId: second._id })
    await cancelled(t, early, third._id)
    await settle()
    expect((await entries(late)).map(({ offer }) => offer)).toEqual([null, null])
    expect(refused(await tryJoin(early, institute, { visitId: second._id }))).toEqual([404, 'not_found'])
    t.clock.set(Date.parse(second.startsAt) - minutes(60))
    expect(refused(await tryJoin(late, institute, { toDay: '2026-11-26', visitId: second._id }))).toEqual([422, 'too_late'])
    t.clock.set(start)
    await cancelled(t, late, second._id)
    expect(await entries(late)).toEqual([])
  })
})

/** The calendar as it is read, and what is done in it. */
import type { Diary, DiaryVisit } from '@soigne/contract/diary'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, detailsOf, hold, later, overlaps, readVisit, refused, tryConfirm, tryHold, wall } from '#/testing/booking.ts'
import { diaryOf, eventsOf, makeColumnOwner, settle, startsOffered, summaryIsTrue, wallOf } from '#/testing/diary.ts'
import { setLeave } from '#/features/diary-entries/service.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const now = '2026-12-05T07:00:00Z'
const day = '2026-12-05'
const at = (time: string): string => wall(`${day}T${time}`)
const base = '/api/v1/secure/mysalon'

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
  ;[owner, client] = [await makeUser(t.db, { role: 'isPro' }), await makeUser(t.db, { firstName: 'Anna' })]
  // Cut, child's cut, colour with its idle part and clean-up, as a salon has them.
  const services = [
    { name: 'Cut', active: 40, price: 4200 },
    { name: 'Child’s cut', active: 20, price: 2200 },
    { name: 'Root colour', active: 30, idle: 40, after: 30, bufferAfter: 10, price: 6800, resourceType: 'chair' },
  ]
  const resources = ['One', 'Two', 'Three'].map((name) => ({ type: 'chair', name }))
  institute = await makeInstitute(t.db, { ownerId: owner.id, services, resources })
})

const [nora, karim] = [() => institute.members[0] ?? '', () => institute.members[1] ?? '']
const service = (place: number): string => institute.services[place] ?? ''
const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, body?: object, user = owner, key?: string): Promise<TestAnswer> =>
  t.inject(method, base + path, { token: user.token, ...(body && { body }), ...(key && { headers: { 'idempotency-key': key } }) })
const read = async (user = owner, days = 1): Promise<Diary> =>
  (await ask('GET', `/diary?from=${day}&days=${days}`, undefined, user)).body as unknown as Diary
const book = (services: [number, string?][], startsAt: string, more: object = {}, user = owner): Promise<TestAnswer> =>
  ask(
    'POST',
    '/appointments',
    { services: services.map(([one, staffId]) => ({ serviceId: service(one), ...(staffId && { staffId }) })), startsAt, ...more },
    user,
  )
const made = async (...asked: Parameters<typeof book>): Promise<DiaryVisit> => {
  const answer = await book(...asked)
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body as unknown as DiaryVisit
}
const attend = (id: string, attendance: string): Promise<TestAnswer> => ask('PUT', `/appointments/${id}/attendance`, { attendance })

describe('a day of the calendar [P-07]', () => {
  it('has people with their shifts, visits with their parts, holds, blocked time and absences [E-12]', async () => {
    await made([[2, nora()]], at('14:00'), { customer: { firstName: 'Anna', phone: '06 12 34 56 78' } })
    await hold(t, client, institute, { startsAt: at('10:00'), lines: [[0, 0]] })
    await ask('POST', '/blocked-times', { staffId: karim(), startsAt: at('13:00'), endsAt: at('14:00'), kind: 'break', note: 'Lunch' })
    await setLeave(t.context, diaryOf(institute), {
      memberId: karim(),
      kind: 'sick_leave',
      fromDay: day,
      toDay: day,
      part: { opensAt: 960, closesAt: 1080 },
    })
    const diary = await read()
    expect(diary).toMatchObject({
      timeZone: 'Europe/Paris',
      gridMinutes: 20,
      members: [{ _id: nora() }, { _id: karim() }],
      resources: [{ name: 'One' }, {}, {}],
    })
    const colour = diary.visits.find(({ isHeld }) => !isHeld)
    expect(colour).toMatchObject({
      customer: { name: 'Anna', phone: '06 12 34 56 78', noShows: 0, pastVisits: 0 },
      madeBy: 'institute',
      total: { amount: 6800, currency: 'EUR' },
      segments: [
        {
          serviceName: 'Root colour',
          idle: { startsAt: at('14:30'), endsAt: at('15:10') },
          bufferAfterMinutes: 10,
          resourceId: institute.resources[0],
        },
      ],
    })
    expect(diary.visits.filter(({ isHeld }) => isHeld)).toMatchObject([{ startsAt: at('10:00'), customer: { _id: null, name: '' } }])
    expect(diary.blocked).toMatchObject([{ staffId: karim(), resourceId: null, kind: 'break', note: 'Lunch' }])
    const [first, second] = diary.days[0]?.members ?? []
    expect(first).toMatchObject({ staffId: nora(), shiftMinutes: 540, busyMinutes: 60, away: [] })
    expect(second).toMatchObject({
      shiftMinutes: 420,
      busyMinutes: 0,
      away: [{ kind: 'sick_leave', startsAt: at('16:00'), endsAt: at('18:00') }],
    })
    expect(diary.days[0]?.opens).toEqual([{ startsAt: at('09:00'), endsAt: at('18:00') }])
  })

  it('counts what overlaps once, and who did not come not at all [E-10]', async () => {
    const first = await made([[0, karim()]], at('11:00'))
    await made([[0, karim()]], at('11:20'), { overbook: { reason: 'Jo cannot come later' } })
    const missed = await made([[0, karim()]], at('10:00'))
    t.clock.set(at('12:30'))
    await attend(missed._id, 'no_show')
    expect((await read()).days[0]?.members[1]).toMatchObject({ busyMinutes: 60 })
    const month = await ask('GET', '/diary/month?month=2026-12')
    expect((month.body['days'] as unknown as object[])[4]).toMatchObject({
      day,
      visits: 3,
      cancelled: 0,
      shiftMinutes: 1080,
      busyMinutes: 60,
    })
    expect((await read()).visits.find(({ _id }) => _id === first._id)?.overbooked).toBeNull()
    expect((await read()).visits.filter(({ overbooked }) => overbooked === 'Jo cannot come later')).toHaveLength(1)
  })

  it('is a list between two days or instants too, and the page of next visits as before', async () => {
    const visit = await bookVisit(t, client, institute, { startsAt: at('10:00'), lines: [[0, 0]] })
    for (const query of [`?from=${day}&to=${day}`, `?from=${at('10:30')}&to=${at('11:00')}`, ''])
      expect((await ask('GET', `/appointments${query}`)).body).toMatchObject({ items: [{ _id: visit._id }], total: 1 })
    for (const query of ['?from=2026-12-06&to=2026-12-07', `?from=${at('10:40')}&to=${at('11:00')}`])
      expect((await ask('GET', `/appointments${query}`)).body).toMatchObject({ items: [], total: 0 })
    expect(refused(await ask('GET', '/appointments?from=soon'))).toEqual([400, 'bad_input'])
  })

  it('shows staff their own column and lets them change no other', async () => {
    const mine = await made([[0, nora()]], at('10:00'), { customer: { firstName: 'Léa', phone: '0611111111' } })
    const theirs = await made([[0, karim()]], at('10:00'))
    const shared = await made(
      [
        [0, nora()],
        [1, karim()],
      ],
      at('11:00'),
    )
    const staff = await makeColumnOwner(t.db, institute, nora())
    const diary = await read(staff)
    expect(diary.members.map(({ _id }) => _id)).toEqual([nora()])
    expect(diary.visits.map(({ _id }) => _id)).toEqual([mine._id, shared._id])
    expect(diary.visits[0]?.customer).toMatchObject({ name: 'Léa', phone: null })
    expect((await ask('GET', '/appointments', undefined, staff)).body['total']).toBe(2)
    for (const what of ['', '/attendance', '/cancel', '/move', '/note', '/undo', '/duration'])
      expect(
        refused(
          await ask(
            what ? 'PUT' : 'GET',
            `/appointments/${theirs._id}${what}`,
            what ? { attendance: 'arrived', startsAt: at('12:00'), note: 'x', segment: 0, durationMinutes: 20 } : undefined,
            staff,
          ),
        ),
        what,
      ).toEqual([404, 'not_found'])
    expect((await ask('PUT', `/appointments/${mine._id}/attendance`, { attendance: 'arrived' }, staff)).status).toBe(200)
    expect(refused(await ask('PUT', `/appointments/${mine._id}/move`, { startsAt: at('12:00'), staffId: karim() }, staff))).toEqual([
      403,
      'forbidden',
    ])
    expect(refused(await ask('PUT', `/appointments/${shared._id}/cancel`, {}, staff))).toEqual([403, 'forbidden'])
    expect((await ask('PUT', `/appointments/${mine._id}/move`, { startsAt: at('12:00') }, staff)).status).toBe(200)
    expect(refused(await book([[0, karim()]], at('15:00'), {}, staff))).toEqual([404, 'not_found'])
    expect((await book([[0, nora()]], at('15:00'), {}, staff)).status).toBe(201)
    expect(refused(await ask('POST', '/blocked-times', { staffId: karim(), startsAt: at('16:00'), endsAt: at('16:20') }, staff))).toEqual([
      404,
      'not_found',
    ])
    const stranger = await makePerson(t.db, institute.id, 'staff')
    expect(await read(stranger)).toMatchObject({ members: [], visits: [], blocked: [] })
  })
})

describe('booking for a client', () => {
  it('takes a walk-in without a name, off the grid and without notice, in its own words', async () => {
    t.clock.set(at('09:12'))
    const visit = await made([[1, karim()]], at('09:15'), { note: 'First time' })
    expect(visit).toMatchObject({
      customer: { _id: null, name: '' },
      status: 'pending',
      ownNote: 'First time',
      note: null,
      startsAt: at('09:15'),
    })
    await summaryIsTrue(t, institute)
  })

  it('finds the record of who phones, however the number is written, and makes no double [P-07]', async () => {
    const first = await made([[0, nora()]], at('10:00'), { customer: { firstName: 'Zoé', phone: '06 12 34 56 78' } })
    for (const customer of [
      { firstName: 'Zoe', phone: '+33 6 12 34 56 78' },
      { firstName: 'ZOÉ', lastName: 'Martin', phone: '0033612345678' },
    ])
      expect((await made([[1]], at('15:00'), { customer })).customer).toMatchObject({ _id: first.customer._id, name: 'Zoé' })
    expect((await made([[1]], at('16:00'), { customer: { firstName: 'Zoé', phone: '06 12 34 56 79' } })).customer._id).not.toBe(
      first.customer._id,
    )
    const [one, other] = [
      await made([[1]], at('17:00'), { customer: { firstName: 'Jo' } }),
      await made([[1]], at('17:20'), { customer: { firstName: 'Jo' } }),
    ]
    expect(one.customer._id).not.toBe(other.customer._id)
    expect((await made([[1]], at('12:00'), { customerId: first.customer._id })).customer.name).toBe('Zoé')
  })

  it('tells a client who has an account once it can be taken back no more, and shows them the visit', async () => {
    await bookVisit(t, client, institute, { startsAt: at('10:00'), lines: [[0, 0]] })
    const visit = await made(
      [
        [0, nora()],
        [1, karim()],
      ],
      at('14:00'),
      { customer: { firstName: 'A', email: client.email.toUpperCase() } },
    )
    expect(visit.customer.name).toBe('Anna Benali')
    expect(visit.segments.map(({ staffId, startsAt }) => [staffId, startsAt])).toEqual([
      [nora(), at('14:00')],
      [karim(), at('14:40')],
    ])
    expect(await t.mails(client.email)).toHaveLength(1)
    await settle(t)
    expect((await t.mails(client.email)).map(({ subject }) => subject)[0]).toMatch(/^Booked/)
    expect(await readVisit(t, client, visit._id)).toMatchObject({ startsAt: at('14:00') })
  })

  it('begins in the idle part of another visit where that fits, and nowhere else', async () => {
    await made([[2, nora()]], at('14:00'))
    const refusal = await book([[0, nora()]], at('14:40'))
    expect(refused(refusal)).toEqual([409, 'slot_taken'])
    expect(detailsOf(refusal).nearest?.length).toBeGreaterThan(0)
    expect((await made([[1, nora()]], at('14:40'))).endsAt).toBe(at('15:00'))
  })

  it('names what a service asks of the client, which a reason overlooks; only some may overbook', async () => {
    await sql`insert into service_prerequisites (institute_id, service_id, required_service_id, min_hours, max_months) values (${institute.id}, ${service(2)}, ${service(1)}, 48, 6)`.execute(
      t.db,
    )
    const refusal = await book([[2, nora()]], at('14:00'))
    expect([...refused(refusal), detailsOf(refusal).prerequisite?.['serviceName']]).toEqual([422, 'prerequisite_missing', 'Child’s cut'])
    const overbook = { reason: 'Tested elsewhere' }
    const reception = await makePerson(t.db, institute.id, 'reception')
    expect(refused(await book([[2, nora()]], at('14:00'), { overbook }, reception))).toEqual([403, 'forbidden'])
    const visit = await made([[2, nora()]], at('14:00'), { overbook })
    expect(visit).toMatchObject({ overbooked: null, ownNote: 'Tested elsewhere' })
    expect((await made([[0, nora()]], at('14:00'), { overbook: { reason: 'Twins' } })).overbooked).toBe('Twins')
    expect(refused(await book([[0, nora()]], at('18:20'), { overbook }))[1]).toBe('not_offered')
  })

  it('is done once, however often the request comes; a stranger’s ids are unknown', async () => {
    const body = { services: [{ serviceId: service(0), staffId: nora() }], startsAt: at('10:00') }
    const answers = await Promise.all(Array.from({ length: 3 }, () => ask('POST', '/appointments', body, owner, 'k')))
    expect(new Set(answers.map(({ body }) => body['_id'])).size).toBe(1)
    expect((await read()).visits).toHaveLength(1)
    const other = await makeInstitute(t.db)
    expect(refused(await ask('POST', '/appointments', { ...body, services: [{ serviceId: other.services[0] }] }))).toEqual([
      404,
      'not_found',
    ])
    expect(refused(await ask('POST', '/appointments', { ...body, services: [] }))).toEqual([400, 'bad_input'])
  })

  it('has one winner among two receptionists and the public site', async () => {
    const sofia = await makePerson(t.db, institute.id, 'reception')
    const answers = await Promise.all([
      book([[0, nora()]], at('11:00')),
      book([[0, nora()]], at('11:20'), {}, sofia),
      tryHold(t, client, institute, { startsAt: at('11:00'), lines: [[0, 0]] }),
    ])
    expect(answers.map(({ status }) => status).toSorted()).toEqual([201, 409, 409])
    for (const lost of answers.filter(({ status }) => status === 409)) expect(detailsOf(lost).nearest?.length).toBeGreaterThan(0)
    expect(await overlaps(t.db)).toBe(0)
  })
})

describe('what is noted of a visit', () => {
  it('has a time for each step, and any earlier step takes back the later ones [E-10]', async () => {
    const { _id: id } = await made([[0, nora()]], at('10:00'))
    for (const [step, time] of [
      ['arrived', '09:52'],
      ['in_service', '10:01'],
      ['done', '10:38'],
    ] as const) {
      t.clock.set(at(time))
      expect((await attend(id, step)).body).toMatchObject({ attendance: step, attendedAt: { [step]: at(time) } })
    }
    expect((await attend(id, 'arrived')).body['attendedAt']).toEqual({ arrived: at('09:52') })
    expect((await attend(id, 'expected')).body['attendedAt']).toEqual({})
    t.clock.set(at('11:41'))
    expect((await read()).visits[0]?.attendance).toBe('done')
    expect((await eventsOf(t.db, institute)).filter(({ kind }) => kind === 'visit.attended')).toHaveLength(5)
    await ask('PUT', `/appointments/${id}/cancel`, {})
    expect(refused(await attend((await made([[0, nora()]], at('15:00')))._id, 'no_show'))).toEqual([409, 'wrong_state'])
  })

  it('gives back the rest of the time of who did not come, and takes it again when they come after all', async () => {
    const { _id: id } = await made([[0, karim()]], at('10:00'))
    await made([[0, nora()]], at('10:00'))
    t.clock.set(at('10:16'))
    await attend(id, 'no_show')
    expect(await wallOf(t.db, karim())).toEqual([['visit', at('10:00'), at('10:16')]])
    expect(await startsOffered(t, institute, day)).toContain(at('10:20'))
    await summaryIsTrue(t, institute)
    await attend(id, 'arrived')
    expect(await wallOf(t.db, karim())).toEqual([['visit', at('10:00'), at('10:40')]])
    await attend(id, 'no_show')
    const late = await made([[1, karim()]], at('10:20'))
    await attend(id, 'arrived')
    expect(await overlaps(t.db)).toBe(0)
    expect((await read()).visits.map(({ _id }) => _id)).toContain(late._id)
  })

  it('is for the institute alone, with what happened to the visit beside it', async () => {
    const visit = await bookVisit(t, client, institute, { startsAt: at('10:00'), lines: [[0, 0]] })
    expect((await ask('PUT', `/appointments/${visit._id}/note`, { note: 'Allergic to nothing' })).body['ownNote']).toBe(
      'Allergic to nothing',
    )
    expect(JSON.stringify(await readVisit(t, client, visit._id))).not.toContain('Allergic')
    await ask('PUT', `/appointments/${visit._id}/move`, { startsAt: at('12:00') })
    const shown = (await ask('GET', `/appointments/${visit._id}`)).body
    expect((shown['history'] as unknown as { kind: string; by: string }[]).map(({ kind, by }) => [kind, by])).toEqual([
      ['visit.moved', 'Nour Benali'],
      ['visit.noted', 'Nour Benali'],
      ['visit.booked', 'Anna Benali'],
      ['visit.held', 'Anna Benali'],
    ])
    expect(shown['undoUntil']).toBe(later(now, 1 / 6))
    expect((await ask('PUT', `/appointments/${visit._id}/note`, { note: '' })).body['ownNote']).toBeNull()
  })
})

describe('more or less time', () => {
  it('moves what follows along, stays with the visit when it moves, and is refused where somebody is', async () => {
    const visit = await made(
      [
        [0, nora()],
        [1, nora()],
      ],
      at('10:00'),
    )
    const resize = (segment: number, durationMinutes: number) =>
      ask('PUT', `/appointments/${visit._id}/duration`, { segment, durationMinutes })
    expect((await resize(0, 60)).body).toMatchObject({
      endsAt: at('11:20'),
      segments: [{ endsAt: at('11:00') }, { startsAt: at('11:00') }],
    })
    await summaryIsTrue(t, institute)
    expect((await ask('PUT', `/appointments/${visit._id}/move`, { startsAt: at('12:00') })).body).toMatchObject({ endsAt: at('13:20') })
    await made([[0, nora()]], at('13:20'))
    expect(refused(await resize(1, 40))).toEqual([409, 'slot_taken'])
    expect(refused(await resize(7, 40))).toEqual([400, 'bad_input'])
    expect(refused(await resize(1, 7))).toEqual([400, 'bad_input'])
    t.clock.set(at('12:30'))
    expect((await resize(0, 40)).body['endsAt']).toBe(at('13:00'))
  })
})

describe('time kept free', () => {
  it('has a kind, goes to another member, and loses to an earlier hold, which is named', async () => {
    const { _id: id } = (
      await ask('POST', '/blocked-times', { staffId: karim(), startsAt: at('13:00'), endsAt: at('14:00'), kind: 'break' })
    ).body
    const held = await hold(t, client, institute, { startsAt: at('12:40'), lines: [[0, 0]] })
    const to = (staffId: string, from: string, until: string) =>
      ask('PUT', `/blocked-times/${id}`, { staffId, startsAt: at(from), endsAt: at(until) })
    const refusal = await to(nora(), '12:40', '13:40')
    expect([...refused(refusal), (refusal.body['details'] as { taken?: object[] } | undefined)?.taken]).toEqual([
      409,
      'time_taken',
      [expect.objectContaining({ kind: 'hold', id: held._id })],
    ])
    expect((await to(nora(), '13:20', '14:00')).body).toMatchObject({ staffId: nora(), kind: 'break' })
    expect(await wallOf(t.db, karim())).toEqual([])
    await summaryIsTrue(t, institute)
    expect((await tryConfirm(t, client, held._id)).status).toBe(201)
    expect((await ask('DELETE', `/blocked-times/${id}`)).status).toBe(200)
    expect(refused(await ask('DELETE', `/blocked-times/${id}`))).toEqual([404, 'not_found'])
  })

  it('or a visit dragged onto a time that is held at that moment: one of both has it', async () => {
    const { _id: id } = await made([[0, karim()]], at('10:00'))
    const [dragged, held] = await Promise.all([
      ask('PUT', `/appointments/${id}/move`, { startsAt: at('15:00'), staffId: nora() }),
      tryHold(t, client, institute, { startsAt: at('15:00'), lines: [[0, 0]] }),
    ])
    expect([dragged.status === 200, held.status === 201].filter(Boolean)).toHaveLength(1)
    const [blocked, other] = await Promise.all([
      ask('POST', '/blocked-times', { staffId: nora(), startsAt: at('12:00'), endsAt: at('12:40') }),
      tryHold(t, client, institute, { startsAt: at('12:00'), lines: [[0, 0]] }),
    ])
    expect([blocked.status, other.status].filter((status) => status === 201)).toHaveLength(1)
    expect(await overlaps(t.db)).toBe(0)
  })
})

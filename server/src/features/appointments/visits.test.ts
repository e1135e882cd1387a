/** Reading visits: the client's list, one visit, and the next visits of an institute. */
import { randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { bookVisit, cancelled, hold, later, readVisit, refused, visitsPath, wall } from '#/testing/booking.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import type { TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
const ten = wall('2026-11-24T10:00')
const mysalon = '/api/v1/secure/mysalon/appointments'

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
eachWithInstitute({ at: now }, (world) => ({ t, institute, client } = world))

const list = async (
  query: string,
  user: { token: string } = client,
): Promise<{ items: { _id: string; status: string; attendance: string }[]; total: number; page: number; pageSize: number }> =>
  (await t.inject('GET', `${visitsPath}?${query}`, { token: user.token })).body as never
const ids = async (query: string): Promise<string[]> => (await list(query)).items.map(({ _id }) => _id)

describe('my visits', () => {
  it('upcoming come soonest first, past and cancelled newest first', async () => {
    const [soon, late, dropped] = [
      await bookVisit(t, client, institute, { startsAt: ten }),
      await bookVisit(t, client, institute, { startsAt: later(ten, 3 * 1440) }),
      await bookVisit(t, client, institute, { startsAt: later(ten, 1440) }),
    ]
    const [yesterday, today] = [
      await bookVisit(t, client, institute, { startsAt: wall('2026-11-20T14:00') }),
      await bookVisit(t, client, institute, { startsAt: wall('2026-11-21T14:00') }),
    ]
    await cancelled(t, client, dropped._id)
    t.clock.set(wall('2026-11-21T14:20'))
    expect(await ids('when=upcoming')).toEqual([today._id, soon._id, late._id])
    expect(await ids('when=past')).toEqual([dropped._id, yesterday._id])
    expect(await ids('when=over')).toEqual([yesterday._id])
    expect(await ids('')).toEqual([today._id, soon._id, late._id, dropped._id, yesterday._id])
    expect(await ids('status=cancelled')).toEqual([dropped._id])
    expect(await ids('status=pending&when=past')).toEqual([yesterday._id])
    expect(await ids('status=completed')).toEqual([])
  })

  it('are nobody else’s; holds are not among them', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    const held = await hold(t, client, institute, { startsAt: later(ten, 60) })
    expect(await ids('')).toEqual([booked._id])
    expect(refused(await t.inject('GET', `${visitsPath}/${held._id}`, { token: client.token }))).toEqual([404, 'not_found'])
    const other = await makeUser(t.db)
    expect((await list('', other)).total).toBe(0)
    for (const path of [booked._id, `${booked._id}/calendar.ics`, `${booked._id}/times`])
      expect(refused(await t.inject('GET', `${visitsPath}/${path}`, { token: other.token }))).toEqual([404, 'not_found'])
    for (const path of ['', `/${booked._id}`, `/${booked._id}/calendar.ics`, `/${booked._id}/times`])
      expect(refused(await t.inject('GET', `${visitsPath}${path}`))).toEqual([401, 'unauthorized'])
    const fresh = await makeUser(t.db, { verified: false })
    expect(refused(await t.inject('GET', visitsPath, { token: fresh.token }))).toEqual([403, 'email_unverified'])
  })

  it('[K-01] come in pages of 10, 20, 30, 40 or 50', async () => {
    for (let index = 0; index < 12; index++)
      await bookVisit(t, client, institute, { startsAt: later(wall('2026-11-23T09:00'), 40 * index), lines: [[0, 0]] })
    const first = await list('pageSize=10')
    expect([first.items.length, first.total, first.page, first.pageSize]).toEqual([10, 12, 1, 10])
    const second = await list('pageSize=10&page=2')
    expect([second.items.length, second.total, second.page]).toEqual([2, 12, 2])
    expect(new Set([...first.items, ...second.items].map(({ _id }) => _id)).size).toBe(12)
    const beyond = await list('pageSize=10&page=9')
    expect([beyond.items.length, beyond.total]).toEqual([0, 12])
    for (const size of [10, 20, 30, 40, 50]) expect((await list(`pageSize=${size}`)).pageSize).toBe(size)
    expect((await list('')).pageSize).toBe(10)
  })

  it.each([
    'pageSize=15',
    'pageSize=0',
    'pageSize=100',
    'pageSize=ten',
    'page=0',
    'page=-1',
    'page=1.5',
    'page=1e9',
    'page=%00',
    'page=1&page=2',
    'status=held',
    'status=Paid',
    'when=never',
    'when=past&when=upcoming',
  ])('[K-01] %s is bad input', async (query) => {
    expect(refused(await t.inject('GET', `${visitsPath}?${query}`, { token: client.token }))).toEqual([400, 'bad_input'])
  })

  it.each([
    ['unknown', randomUUID(), 404],
    ['no id', 'first', 400],
    ['NUL', '%00', 400],
    ['very long', 'a'.repeat(290), 400],
    ['a path', '..%2f..%2fetc', 400],
  ])('one that is %s is not answered', async (_name, id, status) => {
    expect((await t.inject('GET', `${visitsPath}/${id}`, { token: client.token })).status).toBe(status)
  })

  it('speak the language of the caller where the menu does', async () => {
    await sql`update services set name = '{"en":"Cut","fr":"Coupe","ar":"قص"}' where institute_id = ${institute.id}`.execute(t.db)
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    const names = await Promise.all(
      ['en', 'fr', 'ar'].map(
        async (locale) => (await t.inject('GET', `${visitsPath}/${booked._id}`, { token: client.token, locale })).text,
      ),
    )
    expect(names.map((text) => /"serviceName":"([^"]+)"/.exec(text)?.[1])).toEqual(['Cut', 'Coupe', 'قص'])
  })
})

describe('attendance', () => {
  it('turns done one hour after the end, unless somebody marked it', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    const attendanceAt = async (at: string): Promise<string> => {
      t.clock.set(at)
      return (await readVisit(t, client, booked._id)).attendance
    }
    expect(await attendanceAt(later(booked.endsAt, 59))).toBe('expected')
    expect(await attendanceAt(later(booked.endsAt, 60))).toBe('done')
    await sql`update appointments set attendance = 'no_show' where id = ${booked._id}`.execute(t.db)
    expect(await attendanceAt(later(booked.endsAt, 600))).toBe('no_show')
  })

  it('of a cancelled visit stays as it was', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    await cancelled(t, client, booked._id)
    t.clock.set(later(booked.endsAt, 600))
    expect((await readVisit(t, client, booked._id)).attendance).toBe('expected')
  })
})

describe('the next visits of my institute', () => {
  it('list who comes, soonest first, without holds, cancelled and past ones', async () => {
    const owner = await makeUser(t.db, { role: 'isPro' })
    const mine = await makeInstitute(t.db, { ownerId: owner.id })
    const late = await bookVisit(t, client, mine, { startsAt: later(ten, 60), note: 'Curly' })
    const soon = await bookVisit(t, await makeUser(t.db, { firstName: 'Aya' }), mine, { startsAt: ten })
    const dropped = await bookVisit(t, client, mine, { startsAt: later(ten, 120) })
    await cancelled(t, client, dropped._id)
    await hold(t, client, mine, { startsAt: later(ten, 180) })
    await bookVisit(t, client, institute, { startsAt: ten })
    const answer = await t.inject('GET', mysalon, { token: owner.token })
    const items = answer.body['items'] as unknown as { _id: string; customer: { name: string }; note: string | null }[]
    expect(items.map(({ _id, customer, note }) => [_id, customer.name, note])).toEqual([
      [soon._id, 'Aya Benali', null],
      [late._id, 'Nour Benali', 'Curly'],
    ])
    expect(answer.body['total']).toBe(2)
    expect((await t.inject('GET', `${mysalon}?page=3`, { token: owner.token })).body).toMatchObject({ items: [], total: 2, page: 3 })
    t.clock.set(soon.endsAt)
    expect((await t.inject('GET', mysalon, { token: owner.token })).body['total']).toBe(1)
  })

  it('are for its people only: not for clients, nor for a professional of no institute', async () => {
    expect(refused(await t.inject('GET', mysalon))).toEqual([401, 'unauthorized'])
    expect(refused(await t.inject('GET', mysalon, { token: client.token }))).toEqual([403, 'forbidden'])
    const lonely = await makeUser(t.db, { role: 'isPro' })
    expect(refused(await t.inject('GET', mysalon, { token: lonely.token }))).toEqual([403, 'forbidden'])
    const unconfirmed = await makeUser(t.db, { role: 'isPro', verified: false })
    await makeInstitute(t.db, { ownerId: unconfirmed.id })
    expect(refused(await t.inject('GET', mysalon, { token: unconfirmed.token }))).toEqual([403, 'email_unverified'])
  })

  it.each(['manager', 'reception'] as const)('are read by its %s too, and never those of another institute', async (level) => {
    const neighbour = await makeUser(t.db, { role: 'isPro' })
    const next = await makeInstitute(t.db, { ownerId: neighbour.id })
    const person = await makePerson(t.db, institute.id, level)
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    await bookVisit(t, client, next, { startsAt: later(ten, 60) })
    const answer = await t.inject('GET', mysalon, { token: person.token })
    expect((answer.body['items'] as unknown as { _id: string }[]).map(({ _id }) => _id)).toEqual([booked._id])
    const foreign = await t.inject('GET', mysalon, { token: person.token, headers: { 'institute-id': next.id } })
    const unknown = await t.inject('GET', mysalon, { token: person.token, headers: { 'institute-id': client.id } })
    expect(refused(foreign)).toEqual([404, 'not_found'])
    expect(foreign.text).toBe(unknown.text)
    expect(refused(await t.inject('GET', `${mysalon}?pageSize=15`, { token: person.token }))).toEqual([400, 'bad_input'])
  })
})

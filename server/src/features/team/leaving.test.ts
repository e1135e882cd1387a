/** Members marked away and members who leave; rooms and chairs: nothing that lies ahead is dropped. */
import { randomUUID } from 'node:crypto'
import { instituteHeader } from '@soigne/contract/access'
import type { Resources } from '@soigne/contract/resources'
import type { Team, TeamMember, VisitOfMember } from '@soigne/contract/team'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, readVisit, refused, wall } from '#/testing/booking.ts'
import { eventsOf, startsOffered, summaryIsTrue } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { plain } from '#/testing/pictures.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
let owner: MadeUser
let client: MadeUser
let institute: MadeInstitute
const day = '2026-11-24'
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  client = await makeUser(t.db)
  institute = await makeInstitute(t.db, {
    ownerId: owner.id,
    members: 2,
    services: [{ active: 40, price: 6200, resourceType: 'chair' }],
    resources: [
      { type: 'chair', name: 'Chair 1' },
      { type: 'chair', name: 'Chair 2' },
    ],
  })
  await sql`update member_services set price_amount = 6800 where member_id = ${institute.members[1]}`.execute(t.db)
})

const salon = '/api/v1/secure/mysalon'
const ask = (method: 'GET' | 'POST' | 'PUT' | 'DELETE', at: string, body?: object, user = owner): Promise<TestAnswer> =>
  t.inject(method, `${salon}/${at}`, { token: user.token, headers: { [instituteHeader]: institute.id }, ...(body && { body }) })
const karim = (): string => institute.members[0] ?? ''
const nora = (): string => institute.members[1] ?? ''
const book = (startsAt: string, member = 0) => bookVisit(t, client, institute, { startsAt: wall(startsAt), lines: [[0, member]] })
const items = async (): Promise<TeamMember[]> => ((await ask('GET', 'staff')).body as unknown as Team).items
const met = (answer: TestAnswer): unknown[] => (answer.body['appointments'] as unknown as { _id: string }[]).map(({ _id }) => _id)

describe('a member marked away', () => {
  const away = (body: object, query = ''): Promise<TestAnswer> => ask('PUT', `staff/${karim()}/availability${query}`, body)

  it('[E-12] is closed at once, visits stay and are answered, and clients read only that they are away', async () => {
    const visit = await book('2026-11-20T15:00')
    const sick = { status: 'sick_leave', fromDay: '2026-11-20', toDay: '2026-11-24' }
    const dry = await away(sick, '?dryRun=1')
    expect([dry.status, met(dry)]).toEqual([200, [visit._id]])
    expect((await items())[0]).toMatchObject({ availability: 'available', absences: [] })
    const answer = await away(sick)
    expect(answer.body).toMatchObject({ ...sick, appointments: [{ _id: visit._id, kind: 'visit', customer: 'Nour Benali' }] })
    expect((await items())[0]).toMatchObject({
      availability: 'sick_leave',
      absences: [{ kind: 'sick_leave', hits: 1, fromDay: '2026-11-20', toDay: '2026-11-24' }],
    })
    expect((await readVisit(t, client, visit._id)).status).toBe('pending')
    const page = await t.inject('GET', `/api/v1/client/institutes/${institute.slug}`)
    expect((page.body['team'] as unknown as { availability: string }[]).map(({ availability }) => availability)).toEqual([
      'away',
      'available',
    ])
    expect(page.text).not.toContain('sick')
    await summaryIsTrue(t, institute)
  })

  it('[E-12] is there again for some of the days, and away for the rest', async () => {
    await away({ status: 'on_holiday', fromDay: '2026-11-23', toDay: '2026-11-27', note: 'Nice' })
    await away({ status: 'on_holiday', fromDay: day, toDay: day }, '?dryRun=1')
    expect((await away({ status: 'available', fromDay: day, toDay: '2026-11-25' })).body).toMatchObject({
      status: 'available',
      appointments: [],
    })
    expect((await items())[0]?.absences.map(({ fromDay, toDay, note }) => [fromDay, toDay, note])).toEqual([
      ['2026-11-23', '2026-11-23', 'Nice'],
      ['2026-11-26', '2026-11-27', 'Nice'],
    ])
    const page = await t.inject(
      'GET',
      `/api/v1/client/institutes/${institute.id}/availability?service=${institute.services[0]}&staff=${karim()}&from=2026-11-23&days=5`,
    )
    const open = (page.body['days'] as unknown as { day: string; times: unknown[] }[]).flatMap((one) =>
      one.times.length > 0 ? [one.day] : [],
    )
    expect(open).toEqual(['2026-11-24', '2026-11-25'])
    await summaryIsTrue(t, institute)
  })

  it('is refused for days turned around and for members of others', async () => {
    const body = { status: 'on_holiday', fromDay: day, toDay: '2026-11-23' }
    expect((await away(body)).status).toBe(400)
    const theirs = await makeInstitute(t.db)
    expect((await ask('PUT', `staff/${theirs.members[0]}/availability`, { ...body, toDay: day })).status).toBe(404)
  })

  it('works other hours on one day, which is shown and given back', async () => {
    const visit = await book(`${day}T15:00`)
    const answer = await ask('PUT', `staff/${karim()}/days/${day}`, { shifts: [{ opensAt: '10:00', closesAt: '12:00' }] })
    expect(answer.body).toMatchObject({ outside: [{ _id: visit._id }] })
    const shown = async () => (await items())[0]?.days.find((one) => one.day === day)
    expect(await shown()).toMatchObject({ isReplaced: true, shifts: [{ opensAt: '10:00', closesAt: '12:00' }] })
    expect((await ask('PUT', `staff/${karim()}/days/${day}`, { shifts: null })).body).toEqual({ outside: [] })
    expect(await shown()).toMatchObject({ isReplaced: false, shifts: [{ opensAt: '09:00', closesAt: '18:00' }] })
  })
})

describe('a member who leaves', () => {
  const leave = (query = ''): Promise<TestAnswer> => ask('DELETE', `staff/${karim()}${query}`)
  const ahead = async (): Promise<VisitOfMember[]> =>
    (await ask('GET', `staff/${karim()}/visits`)).body['items'] as unknown as VisitOfMember[]

  it('[P-08] stays until each visit ahead has somebody else, who keeps the price that was agreed', async () => {
    const visit = await book(`${day}T10:00`)
    const busy = await book(`${day}T11:00`)
    await bookVisit(t, await makeUser(t.db), institute, { startsAt: wall(`${day}T11:00`), lines: [[0, 1]] })
    const refusal = await leave()
    expect(refused(refusal)).toEqual([409, 'member_has_visits'])
    expect((refusal.body['details'] as unknown as { appointments: object[] }).appointments).toMatchObject([
      { _id: visit._id },
      { _id: busy._id },
    ])
    const [first, second] = await ahead()
    expect(first).toMatchObject({ _id: visit._id, segment: 0, price: { amount: 6200 }, colleagues: [{ staffId: nora() }] })
    expect(second?.colleagues).toEqual([])
    const moved = await ask('PUT', `appointments/${visit._id}/move`, { startsAt: visit.startsAt, staffId: nora(), segment: 0 })
    expect(moved.body).toMatchObject({ total: { amount: 6200 }, segments: [{ staffId: nora() }] })
    await ask('PUT', `appointments/${busy._id}/cancel`)
    expect((await leave()).status).toBe(200)
    expect((await items()).map(({ _id }) => _id)).toEqual([nora()])
    expect((await ask('PUT', `staff/${karim()}`, { name: 'Karim' })).status).toBe(404)
    await summaryIsTrue(t, institute)
  })

  it('[P-08] signs in no more at once, and history keeps the name', async () => {
    const visit = await book(`${day}T10:00`)
    const person = await makePerson(t.db, institute.id, 'staff')
    await sql`update institute_people set member_id = ${karim()} where user_id = ${person.id}`.execute(t.db)
    expect((await ask('GET', 'appointments', undefined, person)).status).toBe(200)
    await ask('PUT', `appointments/${visit._id}/cancel`)
    expect((await leave()).status).toBe(200)
    expect((await ask('GET', 'appointments', undefined, person)).status).toBe(404)
    expect((await eventsOf(t.db, institute)).at(-2)).toMatchObject({
      kind: 'person.removed',
      payload: { userId: person.id, level: 'staff' },
    })
    expect((await readVisit(t, client, visit._id)).segments).toMatchObject([{ staffName: 'Member 1' }])
  })

  it('works until a last day and is out of the team after it', async () => {
    await book(`${day}T10:00`)
    expect((await leave('?lastDay=2026-11-23')).status).toBe(409)
    expect((await leave('?lastDay=2026-11-01')).status).toBe(400)
    expect((await leave(`?lastDay=${day}`)).status).toBe(200)
    expect((await items())[0]).toMatchObject({ _id: karim(), lastDay: day, rotas: [{ toDay: day }] })
    await sql`update team_members set bookable_online = false where id = ${nora()}`.execute(t.db)
    expect(await startsOffered(t, institute, day)).not.toEqual([])
    expect(await startsOffered(t, institute, '2026-11-25')).toEqual([])
    const before = t.clock.now()
    t.clock.set('2026-11-25T09:00:00Z')
    await t.jobs['end_members']?.({})
    expect((await items()).map(({ _id }) => _id)).toEqual([nora()])
    t.clock.set(new Date(before).toISOString())
  })

  it('who is a manager is the owner’s affair; the owner leaves the team and keeps the salon', async () => {
    const [manager, other] = [await makePerson(t.db, institute.id, 'manager'), await makePerson(t.db, institute.id, 'manager')]
    await sql`update institute_people set member_id = ${karim()} where user_id = ${other.id}`.execute(t.db)
    expect((await ask('DELETE', `staff/${karim()}`, undefined, manager)).status).toBe(403)
    await sql`update institute_people set member_id = ${nora()} where user_id = ${owner.id}`.execute(t.db)
    expect((await ask('DELETE', `staff/${nora()}`)).status).toBe(200)
    expect((await items()).map(({ _id }) => _id)).toEqual([karim()])
  })

  it('is unknown when of somebody else', async () => {
    const theirs = await makeInstitute(t.db)
    for (const id of [theirs.members[0], randomUUID()])
      for (const answer of [await ask('DELETE', `staff/${id}`), await ask('GET', `staff/${id}/visits`)])
        expect(refused(answer)).toEqual([404, 'not_found'])
  })
})

it('[C-26] the picture of a member becomes a square, and the one before it is removed', async () => {
  const send = async (bytes: Uint8Array, id = karim()): Promise<TestAnswer> => {
    const head = '--edge\r\nContent-Disposition: form-data; name="image"; filename="me.jpg"\r\nContent-Type: image/jpeg\r\n\r\n'
    return t.inject('PUT', `${salon}/staff/${id}/picture`, {
      token: owner.token,
      payload: Buffer.concat([Buffer.from(head), bytes, Buffer.from('\r\n--edge--\r\n')]),
      headers: { 'content-type': 'multipart/form-data; boundary=edge', [instituteHeader]: institute.id },
    })
  }
  const first = String((await send(await plain('jpeg'))).body['imageUrl'])
  expect(first).toMatch(/^\/files\/pictures\/[0-9a-f]{32}\.webp$/)
  expect((await items())[0]?.imageUrl).toBe(first)
  const second = String((await send(await plain('png'))).body['imageUrl'])
  expect((await t.app.inject({ method: 'GET', url: first })).statusCode).toBe(404)
  expect((await t.app.inject({ method: 'GET', url: second })).statusCode).toBe(200)
  expect((await send(Buffer.from('no picture'))).status).toBe(415)
  expect((await send(await plain('jpeg'), randomUUID())).status).toBe(404)
})

describe('rooms and chairs', () => {
  const chairs = async (): Promise<Resources> => (await ask('GET', 'resources')).body as unknown as Resources

  it('[P-08] are added, ordered, closed and taken away; times follow at once', async () => {
    const answer = await ask('POST', 'resources', { type: 'chair', name: 'Chair 3', note: 'by the window' })
    const id = String(answer.body['_id'])
    expect((await ask('PUT', 'resources-order', { ids: [id, ...institute.resources] })).status).toBe(200)
    expect((await chairs()).items.map(({ name, note }) => [name, note])).toEqual([
      ['Chair 3', 'by the window'],
      ['Chair 1', ''],
      ['Chair 2', ''],
    ])
    for (const one of [id, ...institute.resources])
      await ask('PUT', `resources/${one}`, { type: 'chair', name: 'Chair', closures: [{ fromDay: day, toDay: day }] })
    expect(await startsOffered(t, institute, day)).toEqual([])
    expect((await ask('DELETE', `resources/${id}`)).status).toBe(200)
    expect((await chairs()).items).toHaveLength(2)
    await summaryIsTrue(t, institute)
  })

  it('show what takes them today, and the longest time in which all of a type are taken', async () => {
    await book('2026-11-20T14:00')
    await book('2026-11-21T10:00', 0)
    expect(await chairs()).toMatchObject({
      today: '2026-11-20',
      types: [{ type: 'chair', services: ['Service 1'] }],
      items: [{ name: 'Chair 1', takenMinutes: 40, taken: [{ kind: 'visit', startsAt: wall('2026-11-20T14:00') }] }, { takenMinutes: 0 }],
      full: null,
    })
    for (const at of ['2026-11-21T10:00', '2026-11-21T10:40'])
      await bookVisit(t, await makeUser(t.db), institute, { startsAt: wall(at), lines: [[0, 1]] })
    await bookVisit(t, await makeUser(t.db), institute, { startsAt: wall('2026-11-21T10:40'), lines: [[0, 0]] })
    expect((await chairs()).full).toEqual({ type: 'chair', count: 2, startsAt: wall('2026-11-21T10:00'), endsAt: wall('2026-11-21T11:20') })
  })

  it('that visits take stay, and closing them names the visits', async () => {
    const visit = await book(`${day}T10:00`)
    const [chair = ''] = institute.resources
    expect(refused(await ask('DELETE', `resources/${chair}`))).toEqual([409, 'resource_has_visits'])
    const closed = await ask('PUT', `resources/${chair}`, { type: 'chair', name: 'Chair 1', closures: [{ fromDay: day, toDay: day }] })
    expect(met(closed)).toEqual([visit._id])
    const theirs = await makeInstitute(t.db, { resources: [{ type: 'chair', name: 'Theirs' }] })
    for (const id of [theirs.resources[0], randomUUID()]) {
      expect(refused(await ask('DELETE', `resources/${id}`))).toEqual([404, 'not_found'])
      expect(refused(await ask('PUT', `resources/${id}`, { type: 'chair', name: 'A' }))).toEqual([404, 'not_found'])
    }
    expect((await ask('POST', 'resources', { type: '', name: 'A' })).status).toBe(400)
    expect((await ask('POST', 'resources', { type: 'a', name: 'A', closures: [{ fromDay: day, toDay: '2026-11-23' }] })).status).toBe(400)
  })
})

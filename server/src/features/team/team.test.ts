/** The team over HTTP: who is in it, when they work, and what becomes of the offered times at once. */
import { randomUUID } from 'node:crypto'
import { instituteHeader } from '@soigne/contract/access'
import { mostTeamMembers, type Team, type TeamMember } from '@soigne/contract/team'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, wall } from '#/testing/booking.ts'
import { eventsOf, startsOffered, summaryIsTrue } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1 })
})

const path = '/api/v1/secure/mysalon/staff'
type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'
const ask = (method: Method, at: string, body?: object, user: MadeUser | null = owner): Promise<TestAnswer> =>
  t.inject(method, at, { ...(user && { token: user.token }), headers: { [instituteHeader]: institute.id }, ...(body && { body }) })
const team = async (): Promise<Team> => (await ask('GET', path)).body as unknown as Team
const memberOf = async (id: string): Promise<TeamMember> => {
  const found = (await team()).items.find(({ _id }) => _id === id)
  if (!found) throw new Error('no such member')
  return found
}
const nine = { opensAt: '09:00', closesAt: '18:00', breaks: [{ opensAt: '13:00', closesAt: '14:00' }] }
const week = (...days: string[]): object => Object.fromEntries(days.map((day) => [day, [nine]]))
const rota = {
  anchorDay: '2026-11-30',
  weeks: [week('Wednesday', 'Thursday', 'Friday', 'Saturday'), week('Tuesday', 'Wednesday', 'Thursday', 'Friday')],
}
const karim = (): object => ({
  name: 'Karim',
  title: { fr: 'Coiffeur', en: '' },
  languages: ['French', 'Arabic'],
  services: [{ serviceId: institute.services[0], priceAmount: 3100 }],
  rota,
})
const add = async (body: object): Promise<string> => String((await ask('POST', path, body)).body['_id'])
const problems = (answer: TestAnswer): string[] => Object.keys((answer.body['details'] as { fields?: object } | undefined)?.fields ?? {})

describe('a new member', () => {
  it('[P-08] is in the team with what was written, and their times are offered at once', async () => {
    const answer = await ask('POST', path, karim())
    expect(answer.status).toBe(201)
    const id = String(answer.body['_id'])
    expect(await memberOf(id)).toMatchObject({
      name: 'Karim',
      title: { fr: 'Coiffeur' },
      languages: ['French', 'Arabic'],
      imageUrl: `/art/face/${id}.svg`,
      bookableOnline: true,
      services: [{ serviceId: institute.services[0], minutes: null, priceAmount: 3100 }],
      rotas: [
        {
          anchorDay: '2026-11-30',
          fromDay: null,
          toDay: null,
          weeks: [
            { Tuesday: [], Saturday: [nine] },
            { Tuesday: [nine], Saturday: [] },
          ],
        },
      ],
      availability: 'available',
      absences: [],
      login: null,
    })
    const page = await t.inject(
      'GET',
      `/api/v1/client/institutes/${institute.id}/availability?service=${institute.services[0]}&staff=${id}&from=2026-12-01&days=12`,
    )
    const days = (page.body['days'] as unknown as { day: string; times: unknown[] }[]).filter(({ times }) => times.length > 0)
    expect(days.map(({ day }) => day)).toEqual([
      '2026-12-02',
      '2026-12-03',
      '2026-12-04',
      '2026-12-05',
      '2026-12-08',
      '2026-12-09',
      '2026-12-10',
      '2026-12-11',
    ])
    await summaryIsTrue(t, institute)
    expect(await eventsOf(t.db, institute)).toEqual([{ kind: 'institute.changed', subjectId: id, payload: { what: 'team' } }])
  })

  it('[E-12] has weeks that alternate right over week 53', async () => {
    const id = await add(karim())
    const page = await t.inject(
      'GET',
      `/api/v1/client/institutes/${institute.id}/availability?service=${institute.services[0]}&staff=${id}&from=2026-12-26&days=20`,
    )
    const open = (page.body['days'] as unknown as { day: string; times: unknown[] }[]).flatMap(({ day, times }) =>
      times.length > 0 ? [day] : [],
    )
    expect(open).toContain('2027-01-02')
    expect(open).not.toContain('2026-12-26')
    expect(open).not.toContain('2027-01-09')
  })

  it.each([
    [
      'a break outside the shift',
      { rota: { anchorDay: '2026-11-30', weeks: [{ Monday: [{ ...nine, breaks: [{ opensAt: '08:00', closesAt: '09:30' }] }] }] } },
      ['rota.weeks.0.Monday.0.breaks'],
    ],
    [
      'shifts that run into each other',
      { rota: { anchorDay: '2026-11-30', weeks: [{ Monday: [nine, { opensAt: '17:00', closesAt: '19:00' }] }] } },
      ['rota.weeks.0.Monday'],
    ],
    ['five weeks', { rota: { anchorDay: '2026-11-30', weeks: [{}, {}, {}, {}, {}] } }, ['rota.weeks']],
    [
      '33 minutes',
      { services: [{ serviceId: randomUUID(), minutes: { activeMinutes: 33, idleMinutes: 0, activeAfterMinutes: 0 } }] },
      ['services.0.minutes.activeMinutes'],
    ],
    ['no name', { name: ' ' }, ['name']],
  ])('is refused with %s', async (_what, wrong, fields) => {
    const answer = await ask('POST', path, { ...karim(), ...wrong })
    expect([answer.status, problems(answer)]).toEqual([400, fields])
    expect((await team()).items).toHaveLength(1)
  })

  it('is refused with a service of somebody else, and past as many as a team may have', async () => {
    const other = await makeInstitute(t.db)
    expect((await ask('POST', path, { ...karim(), services: [{ serviceId: other.services[0] }] })).status).toBe(404)
    await sql`insert into team_members (institute_id, name, image_url) select ${institute.id}, 'Many', '/art/face/x.svg' from generate_series(2, ${mostTeamMembers}::int)`.execute(
      t.db,
    )
    const answer = await ask('POST', path, karim())
    expect([answer.status, answer.body['code']]).toEqual([409, 'too_many_members'])
  })

  it('may work into the night', async () => {
    const night = { opensAt: '20:00', closesAt: '02:00', breaks: [{ opensAt: '00:30', closesAt: '01:00' }] }
    const id = await add({ ...karim(), rota: { anchorDay: '2026-11-30', weeks: [{ Friday: [night] }] } })
    expect((await memberOf(id)).rotas[0]?.weeks[0]?.Friday).toEqual([night])
    const { rows } =
      await sql`select opens_at, closes_at, breaks from rota_shifts h join rotas r on r.id = h.rota_id where r.member_id = ${id}`.execute(
        t.db,
      )
    expect(rows).toEqual([{ opens_at: 1200, closes_at: 1560, breaks: [{ opensAt: 1470, closesAt: 1500 }] }])
  })
})

describe('a change', () => {
  const ana = (): string => institute.members[0] ?? ''

  it('[P-08] of shifts is offered at once; what it leaves outside is listed and stays', async () => {
    const client = await makeUser(t.db)
    const inside = await bookVisit(t, client, institute, { startsAt: wall('2026-11-25T10:00') })
    const outside = await bookVisit(t, client, institute, { startsAt: wall('2026-11-25T16:00') })
    const answer = await ask('PUT', `${path}/${ana()}`, {
      rota: { anchorDay: '2026-11-23', fromDay: '2026-11-24', weeks: [{ Wednesday: [{ opensAt: '09:00', closesAt: '12:00' }] }] },
    })
    expect(answer.body).toEqual({
      _id: ana(),
      outside: [{ _id: outside._id, kind: 'visit', startsAt: outside.startsAt, endsAt: outside.endsAt, customer: 'Nour Benali' }],
    })
    expect(await startsOffered(t, institute, '2026-11-24')).toEqual([])
    expect((await startsOffered(t, institute, '2026-11-25')).at(-1)).toBe(wall('2026-11-25T11:20'))
    // What held before stays before.
    expect(await startsOffered(t, institute, '2026-11-23')).not.toEqual([])
    await summaryIsTrue(t, institute)
    const { rows } = await sql<{
      id: string
    }>`select id from appointments where status = 'pending' and id = any(${[inside._id, outside._id]}::uuid[])`.execute(t.db)
    expect(rows).toHaveLength(2)
  })

  it('leaves alone what is left out, and takes away what is not named any more', async () => {
    const before = await memberOf(ana())
    await ask('PUT', `${path}/${ana()}`, {
      services: [{ serviceId: institute.services[1], minutes: { activeMinutes: 45, idleMinutes: 0, activeAfterMinutes: 0 } }],
    })
    const after = await memberOf(ana())
    expect(after.services).toEqual([
      { serviceId: institute.services[1], minutes: { activeMinutes: 45, idleMinutes: 0, activeAfterMinutes: 0 }, priceAmount: null },
    ])
    expect({ ...after, services: [] }).toEqual({ ...before, services: [] })
    expect(await startsOffered(t, institute, '2026-11-24')).toEqual([])
    await ask('PUT', `${path}/${ana()}`, { name: 'Ana', bookableOnline: false })
    expect(await memberOf(ana())).toMatchObject({ name: 'Ana', bookableOnline: false, services: after.services })
  })

  it('of the order is what clients see', async () => {
    const id = await add(karim())
    expect((await ask('PUT', `${path}-order`, { ids: [id, ana()] })).status).toBe(200)
    expect((await team()).items.map(({ _id }) => _id)).toEqual([id, ana()])
    expect((await ask('PUT', `${path}-order`, { ids: [id, randomUUID()] })).status).toBe(404)
  })

  it('is for those who may change the team, of their own institute', async () => {
    const [manager, reception] = [await makePerson(t.db, institute.id, 'manager'), await makePerson(t.db, institute.id, 'reception')]
    const theirs = await makeInstitute(t.db)
    const to = { name: 'Ana' }
    expect((await ask('PUT', `${path}/${ana()}`, to, null)).status).toBe(401)
    expect((await ask('PUT', `${path}/${ana()}`, to, reception)).status).toBe(403)
    expect((await ask('PUT', `${path}/${ana()}`, to, manager)).status).toBe(200)
    expect((await ask('PUT', `${path}/${theirs.members[0]}`, to)).status).toBe(404)
    expect((await ask('PUT', `${path}/${randomUUID()}`, to)).status).toBe(404)
  })
})

describe('how full a week is', () => {
  it('[P-08] counts the active minutes of visits that were kept against the minutes at work', async () => {
    owner = await makeUser(t.db, { role: 'isPro' })
    institute = await makeInstitute(t.db, {
      ownerId: owner.id,
      members: 2,
      services: [{ active: 30, idle: 40, after: 30, bufferAfter: 10 }],
    })
    const client = await makeUser(t.db)
    const one = (startsAt: string, member: number) => bookVisit(t, client, institute, { startsAt: wall(startsAt), lines: [[0, member]] })
    await one('2026-11-21T10:00', 0)
    const missed = await one('2026-11-21T13:00', 0)
    await sql`update appointments set attendance = 'no_show' where id = ${missed._id}`.execute(t.db)
    const [first, second] = (await team()).items
    expect([first?.shiftMinutes, first?.busyMinutes]).toEqual([6 * 540, 60])
    expect([second?.shiftMinutes, second?.busyMinutes]).toEqual([6 * 540, 0])
  })
})

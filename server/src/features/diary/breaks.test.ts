/** Breaks of shifts that are moved on one day. */
import type { Diary } from '@soigne/contract/diary'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, hold, overlaps, refused, tryHold, wall } from '#/testing/booking.ts'
import { makeColumnOwner, summaryIsTrue } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makePerson, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const now = '2026-12-05T07:00:00Z'
const day = '2026-12-05'
const nextSaturday = '2026-12-12'
const at = (time: string, on = day): string => wall(`${on}T${time}`)
const base = '/api/v1/secure/mysalon'

let t: TestApp
let owner: MadeUser
let client: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  ;[owner, client] = [await makeUser(t.db, { role: 'isPro' }), await makeUser(t.db, { firstName: 'Emma' })]
  institute = await makeInstitute(t.db, { ownerId: owner.id, services: [{ name: 'Cut', active: 40 }], members: 1 })
})

const karim = () => institute.members[0] ?? ''
/** His lunch from 13:00 to 14:00, every day, as his rota says. */
const lunchInRota = () =>
  sql`update rota_shifts set breaks = '[{"opensAt":780,"closesAt":840}]' where rota_id in (select id from rotas where member_id = ${karim()})`.execute(
    t.db,
  )
const stretch = (from: string, until: string, on = day) => ({ startsAt: at(from, on), endsAt: at(until, on) })
const move = (
  from: ReturnType<typeof stretch>,
  to: ReturnType<typeof stretch>,
  { user = owner, staffId = karim() }: { user?: MadeUser; staffId?: string } = {},
): Promise<TestAnswer> => t.inject('PUT', `${base}/diary/breaks`, { token: user.token, body: { staffId, from, to } })
const lunch = () => stretch('13:00', '14:00')
const takenIn = (answer: TestAnswer) => (answer.body['details'] as { taken?: object[] } | undefined)?.taken

async function shiftsOn(on = day): Promise<[string, string][]> {
  const { body } = await t.inject('GET', `${base}/diary?from=${on}&days=1`, { token: owner.token })
  const [member] = (body as unknown as Diary).days[0]?.members ?? []
  return member?.shifts.map(({ startsAt, endsAt }) => [startsAt, endsAt]) ?? []
}
async function offered(on = day): Promise<string[]> {
  const path = `/api/v1/client/institutes/${institute.id}/availability?service=${institute.services[0]}&from=${on}&days=1`
  const days = (await t.inject('GET', path)).body['days'] as unknown as { times: { startsAt: string }[] }[]
  return days.flatMap(({ times }) => times.map(({ startsAt }) => startsAt))
}
const offersAround = async (on = day) => (await offered(on)).filter((one) => one >= at('12:00', on) && one <= at('14:00', on))

describe('a break of a shift', () => {
  beforeEach(lunchInRota)

  it('moves on one day, online times follow, and it goes back [P-07]', async () => {
    expect(await offersAround()).toEqual(['12:00', '12:20', '14:00'].map((time) => at(time)))
    const answer = await move(lunch(), stretch('12:40', '13:40'))
    expect([answer.status, answer.body]).toEqual([200, { staffId: karim(), ...stretch('12:40', '13:40') }])
    expect(await shiftsOn()).toEqual([
      [at('09:00'), at('12:40')],
      [at('13:40'), at('18:00')],
    ])
    expect(await offersAround()).toEqual(['12:00', '13:40', '14:00'].map((time) => at(time)))
    await summaryIsTrue(t, institute)
    expect(await offersAround(nextSaturday)).toEqual(['12:00', '12:20', '14:00'].map((time) => at(time, nextSaturday)))
    expect((await move(stretch('12:40', '13:40'), lunch())).status).toBe(200)
    expect(await offersAround()).toEqual(['12:00', '12:20', '14:00'].map((time) => at(time)))
  })

  it('loses to an earlier hold and to a visit, which are named, and stays where it was', async () => {
    const held = await hold(t, client, institute, { startsAt: at('12:20'), lines: [[0, 0]] })
    const first = await move(lunch(), stretch('12:40', '13:40'))
    expect([...refused(first), takenIn(first)]).toEqual([409, 'time_taken', [expect.objectContaining({ kind: 'hold', id: held._id })]])
    const visit = await bookVisit(t, client, institute, { startsAt: at('14:00'), lines: [[0, 0]] })
    const second = await move(lunch(), stretch('13:20', '14:20'))
    expect([...refused(second), takenIn(second)]).toEqual([
      409,
      'time_taken',
      [expect.objectContaining({ kind: 'visit', id: visit._id, customer: 'Emma Benali' })],
    ])
    expect(await shiftsOn()).toEqual([
      [at('09:00'), at('13:00')],
      [at('14:00'), at('18:00')],
    ])
    // A hold that ran out is in nobody's way.
    t.clock.advance(11 * 60_000)
    expect((await move(lunch(), stretch('12:40', '13:40'))).status).toBe(200)
  })

  it('and a hold at the same moment: one of both has the time', async () => {
    const [moved, held] = await Promise.all([
      move(lunch(), stretch('12:20', '13:20')),
      tryHold(t, client, institute, { startsAt: at('12:20'), lines: [[0, 0]] }),
    ])
    expect([moved.status === 200, held.status === 201].filter(Boolean)).toHaveLength(1)
    expect(await overlaps(t.db)).toBe(0)
  })

  type Places = () => [from: ReturnType<typeof stretch>, to: ReturnType<typeof stretch>]
  it.each<[string, Places, [number, string]]>([
    ['before the shift', () => [lunch(), stretch('08:20', '09:20')], [422, 'not_offered']],
    ['to its very beginning', () => [lunch(), stretch('09:00', '10:00')], [422, 'not_offered']],
    ['longer than it was', () => [lunch(), stretch('12:00', '14:00')], [400, 'bad_input']],
    ['to another day', () => [lunch(), stretch('13:00', '14:00', nextSaturday)], [400, 'bad_input']],
    ['from where none is', () => [stretch('11:00', '12:00'), stretch('12:00', '13:00')], [404, 'not_found']],
  ])('is not moved %s', async (_where, places, refusal) => {
    const [from, to] = places()
    expect(refused(await move(from, to))).toEqual(refusal)
    expect((await shiftsOn())[0]).toEqual([at('09:00'), at('13:00')])
  })

  it('is moved by who may change the calendar, and of one’s own team', async () => {
    const reception = await makePerson(t.db, institute.id, 'reception')
    const staff = await makeColumnOwner(t.db, institute, karim())
    expect(refused(await move(lunch(), stretch('12:40', '13:40'), { user: staff }))).toEqual([403, 'forbidden'])
    const other = await makeInstitute(t.db)
    expect(refused(await move(lunch(), stretch('12:40', '13:40'), { staffId: other.members[0] ?? '' }))).toEqual([404, 'not_found'])
    expect((await move(lunch(), stretch('12:40', '13:40'), { user: reception })).status).toBe(200)
  })
})

it('the time between two shifts moves with their edges, and keeps other breaks apart', async () => {
  const shifts = [
    { opensAt: 540, closesAt: 750, breaks: [{ opensAt: 600, closesAt: 620 }] },
    { opensAt: 790, closesAt: 1080, breaks: [] },
  ]
  await sql`insert into shift_overrides (institute_id, member_id, day, shifts) values (${institute.id}, ${karim()}, ${day}, ${JSON.stringify(shifts)}::jsonb)`.execute(
    t.db,
  )
  expect(refused(await move(stretch('12:30', '13:10'), stretch('09:40', '10:20')))).toEqual([422, 'not_offered'])
  expect((await move(stretch('12:30', '13:10'), stretch('12:50', '13:30'))).status).toBe(200)
  expect(await shiftsOn()).toEqual([
    [at('09:00'), at('10:00')],
    [at('10:20'), at('12:50')],
    [at('13:30'), at('18:00')],
  ])
})

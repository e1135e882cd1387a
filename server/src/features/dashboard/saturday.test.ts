/** The figures of a whole Saturday, end to end: booked at the desk as the day goes, read when it is over. */
import type { Dashboard, Figures } from '@soigne/contract/dashboard'
import { sql } from 'kysely'
import { afterAll, beforeEach, beforeAll, describe, expect, it } from 'vitest'
import { wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const at = (time: string): string => wall(`2026-12-05T${time}`)
const [cut, child, blowDry, colour] = [0, 1, 2, 3]
const [nora, karim, lucie] = [0, 1, 2]

let t: TestApp
let owner: MadeUser
let salon: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: at('08:00') })
})
afterAll(() => t.close())

const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<TestAnswer> =>
  t.inject(method, `/api/v1/secure/mysalon/${path}`, { token: owner.token, ...(body && { body }) })
async function book(time: string, lines: [service: number, member: number][], more: object = {}): Promise<string> {
  const services = lines.map(([service, member]) => ({ serviceId: salon.services[service], staffId: salon.members[member] }))
  const answer = await ask('POST', 'appointments', { services, startsAt: at(time), ...more })
  if (answer.status !== 201) throw new Error(answer.text)
  return String(answer.body['_id'])
}
const breakOf = (member: number, opensAt: number, closesAt: number) =>
  sql`update rota_shifts h set breaks = ${JSON.stringify([{ opensAt, closesAt }])}::jsonb from rotas r
    where r.id = h.rota_id and r.member_id = ${salon.members[member]}`.execute(t.db)
const read = async (): Promise<Dashboard> => (await ask('GET', 'dashboard')).body as unknown as Dashboard
const figures = async (period: string): Promise<Figures> =>
  (await ask('GET', `dashboard/figures?period=${period}`)).body as unknown as Figures

beforeEach(async () => {
  t.clock.set(at('08:00'))
  owner = await makeUser(t.db, { role: 'isPro' })
  salon = await makeInstitute(t.db, {
    ownerId: owner.id,
    name: 'Atelier Mimosa',
    members: 3,
    services: [
      { name: 'Cut', active: 40, price: 4200 },
      { name: 'Child’s cut', active: 20, price: 2200 },
      { name: 'Blow-dry', active: 40, price: 3000, isSequential: true },
      { name: 'Root colour', active: 30, idle: 40, after: 30, bufferAfter: 10, price: 6800 },
    ],
  })
  // Nora 12:20 to 13:00, Karim 13:00 to 14:00; Lucie is sick.
  await breakOf(nora, 740, 780)
  await breakOf(karim, 780, 840)
})

describe('Saturday 5 December, closed', () => {
  it('has 8 done and 1 no-show; Nora 120 of 500 minutes, Karim 200 of 480, the salon without Lucie who is away', async () => {
    const claire = await book('16:40', [[cut, lucie]])
    await book('09:20', [[child, karim]])
    await book('09:40', [[cut, nora]])
    const paul = await book('10:00', [[cut, karim]])
    await book('11:00', [[cut, karim]])
    await book('11:20', [[cut, karim]], { overbook: { reason: 'Jo cannot come later' } })
    await book('14:00', [
      [colour, nora],
      [blowDry, karim],
    ])
    await book('14:40', [[child, nora]])
    await book('16:20', [[cut, karim]])
    await book('17:20', [[blowDry, karim]])
    const away = { status: 'sick_leave', fromDay: '2026-12-05', toDay: '2026-12-05' }
    expect((await ask('PUT', `staff/${salon.members[lucie]}/availability`, away)).status).toBe(200)
    t.clock.set(at('10:16'))
    expect((await ask('PUT', `appointments/${paul}/attendance`, { attendance: 'no_show' })).status).toBe(200)
    // What she still has ahead is nobody's work of the day.
    const occupied = async () => {
      const { occupancy } = await read()
      return [occupancy, ...occupancy.members].map(({ busyMinutes, shiftMinutes }) => [busyMinutes, shiftMinutes])
    }
    const expected = [
      [320, 980],
      [120, 500],
      [200, 480],
    ]
    expect((await occupied()).slice(0, 3)).toEqual(expected)
    const month = (await ask('GET', 'diary/month?month=2026-12')).body['days'] as unknown as object[]
    expect(month[4]).toMatchObject({ busyMinutes: 320, shiftMinutes: 980 })
    await ask('PUT', `appointments/${claire}/cancel`)
    t.clock.set(at('21:00'))
    expect(await occupied()).toEqual([...expected, [0, 0]])
    const day = await read()
    expect([day.noShows, day.cancelled]).toEqual([1, 1])
    const today = { visits: 9, done: 8, noShows: 1, cancelled: 1 }
    expect(await figures('today')).toMatchObject(today)
    t.clock.set(wall('2026-12-06T09:00'))
    expect(await figures('yesterday')).toMatchObject(today)
  })

  it('counts as done what is marked so, or over for an hour without a mark', async () => {
    const marked = await book('09:00', [[cut, nora]])
    await book('10:00', [[cut, nora]])
    t.clock.set(at('09:30'))
    await ask('PUT', `appointments/${marked}/attendance`, { attendance: 'done' })
    expect(await figures('today')).toMatchObject({ visits: 2, done: 1 })
    t.clock.set(at('11:39'))
    expect(await figures('today')).toMatchObject({ visits: 2, done: 1 })
    t.clock.set(at('11:40'))
    expect(await figures('today')).toMatchObject({ visits: 2, done: 2 })
  })
})

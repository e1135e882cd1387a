import type { InstituteCard } from '@soigne/contract/institutes'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hold, later, wall } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

// Friday noon in Paris.
const now = '2026-11-20T11:00:00Z'
const noon = '2026-11-20T11:00:00.000Z'

interface Home {
  place: { name: string; lat: number; lon: number }
  freeToday: InstituteCard[]
  freeNext: InstituteCard[]
  gaps: {
    startsAt: string
    institute: { slug: string }
    service: { _id: string; name: string; durationMinutes: number; price: { amount: number } | null }
    staff: { _id: string; name: string }
  }[]
  withinTwoHours: boolean
  windows: {
    category: string
    startsAt: string
    institute: { slug: string }
    service: { name: string; price: { amount: number } | null }
  }[]
}

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  await sql`delete from appointments`.execute(t.db)
  await sql`delete from institutes`.execute(t.db)
})
const home = async (query = ''): Promise<Home> => {
  const answer = await t.inject('GET', `/api/v1/client/home${query}`)
  expect(answer.status).toBe(200)
  return answer.body as unknown as Home
}

describe('the home page', () => {
  it('shows the city with most institutes when nobody says where they are', async () => {
    await makeInstitute(t.db, { city: 'Tunis', countryCode: 'TN', lat: 36.8, lon: 10.18, timeZone: 'Africa/Tunis' })
    const made = [await makeInstitute(t.db, {}), await makeInstitute(t.db, { lat: 45.77 })]
    const { place, freeToday } = await home()
    expect(place.name).toBe('Lyon')
    expect(freeToday.map(({ slug }) => slug).sort()).toEqual(made.map(({ slug }) => slug).sort())
    expect((await home('?lat=36.8&lon=10.2')).freeToday.map(({ city }) => city)).toEqual(['Tunis'])
  })

  it('shows at most eight institutes, nearest first, and only those free today', async () => {
    const made: string[] = []
    for (let at = 0; at < 10; at++) made.push((await makeInstitute(t.db, { lat: 45.76 + at / 1000 })).slug)
    const shut = (await sql<{ id: string }>`select id from institutes where slug = ${made[0]}`.execute(t.db)).rows[0]?.id
    await sql`insert into closures (institute_id, from_day, to_day) values (${shut}, '2026-11-20', '2026-11-20')`.execute(t.db)
    const { freeToday } = await home('?lat=45.76&lon=4.8357')
    expect(freeToday.map(({ slug }) => slug)).toEqual(made.slice(1, 9))
    for (const { nextTimes } of freeToday)
      expect(nextTimes).toEqual([{ startsAt: noon }, { startsAt: later(noon, 20) }, { startsAt: later(noon, 40) }])
  })

  it('shows gaps of the next two hours, soonest first, one for each institute, that can really be booked with that member', async () => {
    const soon = await makeInstitute(t.db, {})
    const late = await makeInstitute(t.db, { opensAt: 13 * 60 + 40 })
    await makeInstitute(t.db, { opensAt: 15 * 60 })
    await hold(t, await makeUser(t.db), soon, { startsAt: noon, lines: [[0, 0]] })
    const { gaps, withinTwoHours } = await home()
    expect(withinTwoHours).toBe(true)
    expect(gaps.map(({ startsAt, institute, staff }) => [startsAt, institute.slug, staff._id])).toEqual([
      [noon, soon.slug, soon.members[1]],
      [wall('2026-11-20T13:40'), late.slug, late.members[0]],
    ])
    expect(gaps[0]?.service).toMatchObject({ name: 'Cut', durationMinutes: 40, price: { amount: 3500, currency: 'EUR' } })
    for (const [index, institute] of [soon, late].entries()) {
      const held = await hold(t, await makeUser(t.db), institute, { startsAt: gaps[index]?.startsAt ?? '', lines: [[0, 'any']] })
      expect(held.segments[0]?.staffId).toBe(gaps[index]?.staff._id)
    }
  })

  it('shows the next times there are at night, and says that they are not within two hours', async () => {
    await makeInstitute(t.db, {})
    t.clock.set('2026-11-20T22:00:00Z')
    const { gaps, withinTwoHours, freeToday } = await home()
    expect([withinTwoHours, freeToday, gaps.map(({ startsAt }) => startsAt)]).toEqual([false, [], [wall('2026-11-21T09:00')]])
  })

  it('shows at night who is free on the next day that anybody is, nearest first', async () => {
    const far = await makeInstitute(t.db, { lat: 45.79, opensAt: 8 * 60 })
    const near = await makeInstitute(t.db, { lat: 45.765 })
    const later = await makeInstitute(t.db, { lat: 45.764 })
    await sql`insert into closures (institute_id, from_day, to_day) values (${later.id}, '2026-11-20', '2026-11-21')`.execute(t.db)
    expect((await home()).freeNext).toEqual([])
    t.clock.set('2026-11-20T22:00:00Z')
    const { freeToday, freeNext } = await home('?lat=45.76&lon=4.8357')
    expect([freeToday, freeNext.map(({ slug, nextTimes }) => [slug, nextTimes[0]?.startsAt])]).toEqual([
      [],
      [
        [near.slug, wall('2026-11-21T09:00')],
        [far.slug, wall('2026-11-21T08:00')],
      ],
    ])
  })

  it('offers no test that another treatment asks for, nothing of institutes that are only listed', async () => {
    const made = await makeInstitute(t.db, { services: [{ name: 'Patch test', active: 10 }, { name: 'Tint' }] })
    await sql`insert into service_prerequisites (service_id, institute_id, required_service_id, min_hours, max_months) values (${made.services[1]}, ${made.id}, ${made.services[0]}, 48, 6)`.execute(
      t.db,
    )
    await makeInstitute(t.db, { claimed: false })
    const { gaps, freeToday } = await home()
    expect(gaps.map(({ service }) => service.name)).toEqual(['Tint'])
    expect(freeToday.map(({ slug, service }) => [slug, service?.name])).toEqual([[made.slug, 'Tint']])
  })

  it('is calm when there is nothing at all, and refuses half a point', async () => {
    expect(await home()).toMatchObject({ place: { name: 'Lyon' }, freeToday: [], gaps: [], withinTwoHours: false })
    for (const query of ['?lat=1', '?lon=1', '?lat=91&lon=1', '?lat=&lon=', '?lat=a&lon=b'])
      expect((await t.inject('GET', `/api/v1/client/home${query}`)).status).toBe(400)
    expect((await home('?lat=-48.9&lon=-123.4')).freeToday).toEqual([])
  })

  it('has a window for each category with the next treatment of that category today: no consultation, nothing for children', async () => {
    const first = await makeInstitute(t.db, {
      categories: ['medical', 'massage'],
      services: [
        { name: 'Skin consultation', active: 20, category: 'medical', price: 6000 },
        { name: 'Massage', active: 60, category: 'massage', price: 7000 },
        { name: 'Child’s cut', active: 20, category: 'hair', audience: 'Kids', price: 1800 },
      ],
      opensAt: 13 * 60,
    })
    const second = await makeInstitute(t.db, {
      lat: 45.77,
      services: [
        { name: 'Hair and scalp consultation', active: 20, category: 'hair', price: 2000 },
        { name: 'Cut', active: 40, category: 'hair', price: 3500 },
        { name: 'Massage of the head', active: 20, category: 'massage', price: 1500 },
      ],
    })
    const { windows } = await home()
    expect(windows.map(({ category, startsAt, institute, service }) => [category, startsAt, institute.slug, service.name])).toEqual([
      ['hair', noon, second.slug, 'Cut'],
      ['massage', noon, second.slug, 'Massage of the head'],
    ])
    expect(windows[0]?.service.price?.amount).toBe(3500)
    await sql`update institutes set state = 'draft' where id = ${second.id}`.execute(t.db)
    expect((await home()).windows.map(({ category, institute }) => [category, institute.slug])).toEqual([['massage', first.slug]])
  })

  it('shows an institute whose signature is not free today with the service that is', async () => {
    const made = await makeInstitute(t.db, {
      members: 2,
      services: [
        { name: 'Half a day', active: 400, price: 38000, category: 'tatto' },
        { name: 'Touch-up', active: 40, price: 2500, category: 'tatto' },
      ],
    })
    const { freeToday } = await home()
    expect(freeToday.map(({ slug, service, nextTimes }) => [slug, service?.name, nextTimes[0]?.startsAt])).toEqual([
      [made.slug, 'Touch-up', noon],
    ])
  })
})

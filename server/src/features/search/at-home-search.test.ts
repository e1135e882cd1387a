/** A search for somebody who comes to people's homes: services done there, times with the way, places within reach. */
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookVisit, wall } from '#/testing/booking.ts'
import { type MadeInstitute, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { refreshInstitutes, verifySummary } from '#/features/summary/service.ts'

let t: TestApp
let near: MadeInstitute
let far: MadeInstitute
let alone: MadeInstitute
const lyon = { lat: 45.76, lon: 4.84 }
const day = '2026-11-24'

beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z' })
  const services = [
    { name: 'Cut', active: 60, price: 3000 },
    { name: 'Colour', active: 60, price: 5000, venue: 'either' as const },
    { name: 'Henna', active: 60, price: 4000, venue: 'home' as const },
  ]
  const common = { ...lyon, grid: 60, opensAt: 540, closesAt: 780, members: 1, services }
  near = await makeInstitute(t.db, { ...common, slug: 'near', homeRadiusKm: 12 })
  // Twenty kilometres away, and does not go so far.
  far = await makeInstitute(t.db, { ...common, slug: 'far', lat: lyon.lat + 0.18, homeRadiusKm: 12 })
  alone = await makeInstitute(t.db, { ...common, slug: 'alone', services: services.slice(0, 1) })
  const ids = [near.id, far.id, alone.id]
  await sql`update institutes set home_travel_minutes = 30 where id = any(${ids})`.execute(t.db)
  await refreshInstitutes(t.db, ids, t.clock.now())
})
afterAll(() => t.close())

interface Found {
  slug: string
  service: { _id: string; atHome?: boolean } | null
  nextTimes: { startsAt: string }[]
}
async function search(query: Record<string, string>): Promise<Found[]> {
  const answer = await t.inject('GET', `/api/v1/client/institutes?${new URLSearchParams({ ...query, pageSize: '50' })}`)
  expect(answer.status).toBe(200)
  const { items, total } = answer.body as unknown as { items: Found[]; total: number }
  expect(total).toBe(items.length)
  return items
}
const slugs = (found: readonly Found[]): string[] => found.map(({ slug }) => slug).toSorted()
const at = (time: string): string => wall(`${day}T${time}`)

describe('at home', () => {
  it('finds who comes so far, with a service done at home and its times there', async () => {
    expect(slugs(await search({ day, lat: '45.76', lon: '4.84', radiusKm: '50' }))).toEqual(['alone', 'far', 'near'])
    const [card, ...others] = await search({ atHome: 'true', day, lat: '45.76', lon: '4.84', radiusKm: '50' })
    expect([card?.slug, card?.service, others]).toEqual(['near', expect.objectContaining({ _id: near.services[1], atHome: true }), []])
    expect(card?.nextTimes.map(({ startsAt }) => startsAt)).toEqual([at('09:00'), at('10:00'), at('11:00')])
    expect(slugs(await search({ atHome: 'true', day }))).toEqual(['far', 'near'])
  })

  it('is about services done at home, whatever else answers', async () => {
    expect(await search({ atHome: 'true', what: 'cut', lat: '45.76', lon: '4.84', day, maxPrice: '35' })).toEqual([])
    const [henna] = await search({ atHome: 'true', lat: '45.76', lon: '4.84', day, maxPrice: '45' })
    expect(henna?.service).toMatchObject({ _id: near.services[2], atHome: true })
    const [salon] = await search({ lat: '45.76', lon: '4.84', day, what: 'colour' })
    expect([salon?.service?.atHome, salon?.nextTimes.map(({ startsAt }) => startsAt)]).toEqual([
      undefined,
      [at('09:00'), at('10:00'), at('11:00')],
    ])
  })

  it('loses the times that a visit and the ways around it take, in the same transaction', async () => {
    await bookVisit(t, await makeUser(t.db), near, { startsAt: at('12:00'), lines: [[0]] })
    const [card] = await search({ atHome: 'true', day, lat: '45.76', lon: '4.84' })
    // Half an hour back from a visit at eleven leaves none for the one at twelve.
    expect(card?.nextTimes.map(({ startsAt }) => startsAt)).toEqual([at('09:00'), at('10:00')])
    await bookVisit(t, await makeUser(t.db), near, { startsAt: at('10:00'), lines: [[0]] })
    expect(await search({ atHome: 'true', day, lat: '45.76', lon: '4.84' })).toEqual([])
    expect((await verifySummary(t.db, t.clock.now())).wrong).toEqual([])
  })
})

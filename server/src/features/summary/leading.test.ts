// Which service an institute leads with on cards, on its home and in the search.
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { InstituteCard } from '@soigne/contract/institutes'
import { bookVisit, cancelled, wall } from '#/testing/booking.ts'
import { type MadeInstitute, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { catchUp } from './mending.ts'
import { rankServices, rankServicesOf } from './ranks-store.ts'
import { verifySummary } from './service.ts'

const menu = [
  { name: 'Drawing consultation', active: 20, price: 1500, category: 'tatto' },
  { name: 'Child’s cut', active: 20, price: 1800, audience: 'Kids' },
  { name: 'Patch test', active: 10, price: 1000 },
  { name: 'Medical pedicure', active: 60, onRequest: true, category: 'nails' },
  { name: 'Cut', active: 40, price: 3500 },
  { name: 'Colour', active: 60, price: 6000 },
]
const [, child = 1, test = 2, onRequest = 3, cut = 4, colour = 5] = menu.keys()

let t: TestApp
let institute: MadeInstitute
let place = 0
beforeAll(async () => {
  t = await openTestApp({ settings: { LIMIT_HOLDS: '1000' } })
})
afterAll(() => t.close())

/** Each far from all others. */
const here = () => ({ lat: String(place), lon: '-140', radiusKm: '5' })
async function open(services: typeof menu): Promise<MadeInstitute> {
  place++
  return makeInstitute(t.db, { lat: place, lon: -140, categories: ['hair', 'nails', 'tatto'], services, members: 2, notice: 0 })
}
beforeEach(async () => {
  institute = await open(menu)
})

async function card(query: Record<string, string> = {}): Promise<InstituteCard | undefined> {
  const { body } = await t.inject('GET', `/api/v1/client/institutes?${new URLSearchParams({ ...here(), ...query })}`)
  return (body as unknown as { items: InstituteCard[] }).items[0]
}
const led = async (query: Record<string, string> = {}) => {
  const one = await card(query)
  return one && [one.service?.name, one.priceFrom?.amount]
}
const update = (set: ReturnType<typeof sql>, at: number) =>
  sql`update services set ${set} where id = ${institute.services[at] ?? ''}`.execute(t.db)
const rank = () => rankServicesOf(t.db, [institute.id], t.clock.now())
async function isTrue(): Promise<void> {
  await catchUp(t.db, t.clock.now())
  expect(await verifySummary(t.db, t.clock.now())).toMatchObject({ marked: 0, wrong: [] })
}

describe('an institute leads with', () => {
  it('the first treatment of its menu, with its price, where nothing was booked: no consultation, no test, nothing for children, nothing on request', async () => {
    expect(await led()).toEqual(['Cut', 3500])
    expect(await led({ sort: 'soonest' })).toEqual(['Cut', 3500])
    const { body } = await t.inject('GET', `/api/v1/client/home?lat=${place}&lon=-140`)
    const home = body as unknown as { gaps: { service: { name: string } }[] }
    expect(home.gaps.map(({ service }) => service.name)).toEqual(['Cut'])
  })

  it('what was booked most in the last 90 days, counted once a day; what was called off does not count', async () => {
    const client = await makeUser(t.db)
    for (const hour of ['10', '12', '14'])
      await bookVisit(t, client, institute, { startsAt: wall(`2026-11-25T${hour}:00`), lines: [[test, 0]] })
    for (const hour of ['10', '11'])
      await bookVisit(t, client, institute, { startsAt: wall(`2026-11-26T${hour}:00`), lines: [[colour, 0]] })
    for (const hour of ['10', '11', '12']) {
      const visit = await bookVisit(t, client, institute, { startsAt: wall(`2026-11-27T${hour}:00`), lines: [[cut, 0]] })
      if (hour !== '10') await cancelled(t, client, visit._id)
    }
    expect(await led()).toEqual(['Cut', 3500])
    expect(await rank()).toBe(1)
    expect(await led()).toEqual(['Colour', 6000])
    expect(await rank()).toBe(0)
    await isTrue()
    const longAgo = sql`update appointments set created_at = ${new Date(t.clock.now() - 91 * 86_400_000)}
      where id in (select appointment_id from segments where service_id = ${institute.services[colour] ?? ''})`
    await longAgo.execute(t.db)
    expect(await rank()).toBe(1)
    expect(await led()).toEqual(['Cut', 3500])
  })

  it('its owner’s choice, whatever that is', async () => {
    await update(sql`booked_rank = 1`, colour)
    await update(sql`is_signature = true`, child)
    expect(await led()).toEqual(['Child’s cut', 1800])
    await expect(update(sql`is_signature = true`, cut)).rejects.toThrow('services_signature')
    await isTrue()
  })

  it('what is for children where Kids are asked for', async () => {
    expect(await led({ audience: 'Kids' })).toEqual(['Child’s cut', 1800])
    expect(await led({ audience: 'Men' })).toEqual(['Cut', 3500])
  })

  it('the signature of what was asked: a category, a word, a price', async () => {
    expect(await led({ category: 'tatto' })).toEqual(['Drawing consultation', 1500])
    expect(await led({ what: 'patch' })).toEqual(['Patch test', 1000])
    expect(await led({ what: 'colour' })).toEqual(['Colour', 6000])
    expect(await led({ maxPrice: '20' })).toEqual(['Child’s cut', 1800])
  })

  it('nothing where all that was asked is on request, and it is found all the same', async () => {
    expect(await card({ category: 'nails' })).toMatchObject({ slug: institute.slug, service: null, priceFrom: null, nextTimes: [] })
    expect(await card({ category: 'nails', day: '2026-11-26' })).toBeUndefined()
    await update(sql`is_signature = true`, onRequest)
    expect(await led()).toEqual(['Cut', 3500])
  })

  it('no service that another one asks for beforehand', async () => {
    await sql`insert into service_prerequisites (service_id, institute_id, required_service_id, min_hours, max_months)
      values (${institute.services[colour] ?? ''}, ${institute.id}, ${institute.services[cut] ?? ''}, 48, 6)`.execute(t.db)
    expect(await led()).toEqual(['Colour', 6000])
    await isTrue()
  })

  it('what there is, where there is nothing better', async () => {
    await open(menu.slice(0, 1))
    expect(await led()).toEqual(['Drawing consultation', 1500])
  })
})

describe('the daily count', () => {
  it('meets every institute once in the minutes of a day', async () => {
    const turns = await sql<{
      minute: number
    }>`select ('x' || right(id::text, 7))::bit(28)::int % 1440 as minute from institutes where id = ${institute.id}`.execute(t.db)
    await bookVisit(t, await makeUser(t.db), institute, { startsAt: wall('2026-11-25T10:00'), lines: [[colour, 0]] })
    const today = Math.floor(t.clock.now() / 86_400_000) * 86_400_000
    const at = (minute: number) => rankServices(t.db, today + (minute % 1440) * 60_000)
    const minute = turns.rows[0]?.minute ?? -2
    await at(minute + 1)
    expect(await led()).toEqual(['Cut', 3500])
    await at(minute)
    expect(await led()).toEqual(['Colour', 6000])
    // It was summarised for that minute, which may be later than now.
    await sql`insert into free_time_marks (institute_id) values (${institute.id})`.execute(t.db)
  })
})

it('what the release before has written leads as it did, and is mended by the job', async () => {
  expect(await led()).toEqual(['Cut', 3500])
  await sql`update bookable_services set lead = null where institute_id = ${institute.id}`.execute(t.db)
  expect(await led()).toEqual(['Drawing consultation', 1500])
  await isTrue()
  expect(await led()).toEqual(['Cut', 3500])
})

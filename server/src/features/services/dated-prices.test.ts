/** Prices from a day on: who books after the change pays what the day of the visit costs, who has booked keeps what was agreed. */
import type { MenuService } from '@soigne/contract/services'
import { beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, hold, moved, readVisit, wall } from '#/testing/booking.ts'
import { eventsOf, summaryIsTrue } from '#/testing/diary.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import type { TestApp } from '#/testing/test-app.ts'

const path = '/api/v1/secure/mysalon/services'
const today = '2026-12-10T09:00:00Z'
let t: TestApp
let client: MadeUser
let owner: MadeUser
let institute: MadeInstitute
eachWithInstitute({ at: today }, (world) => ({ t, client } = world))
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, {
    ownerId: owner.id,
    services: [{ name: 'Cut', price: 4200 }],
    city: 'Vienne',
    lat: 45.52,
    lon: 4.87,
  })
})

const cut = async (): Promise<MenuService> => {
  const { body } = await t.inject('GET', path, { token: owner.token })
  return (body['items'] as unknown as MenuService[])[0] as MenuService
}
const write = async (to: Partial<MenuService>): Promise<void> => {
  const before = await cut()
  const answer = await t.inject('PUT', `${path}/${before._id}`, { token: owner.token, body: { ...before, ...to } })
  expect(answer.status, answer.text).toBe(200)
}
const dearer = (): Promise<void> => write({ laterPrices: [{ fromDay: '2027-01-01', priceKind: 'fixed', priceAmount: 4500 }] })
const card = async (day: string): Promise<number | undefined> => {
  const { body } = await t.inject('GET', `/api/v1/client/institutes?lat=45.52&lon=4.87&radiusKm=1&day=${day}`)
  const items = body['items'] as unknown as { slug: string; priceFrom: { amount: number } | null }[]
  return items.find(({ slug }) => slug === institute.slug)?.priceFrom?.amount
}
const menuOfPage = async (): Promise<unknown> => {
  const { body } = await t.inject('GET', `/api/v1/client/institutes/${institute.slug}`)
  const [service] = body['services'] as unknown as [
    { price: { amount: number }; laterPrices?: { fromDay: string; price: { amount: number } }[] },
  ]
  return [service.price.amount, ...(service.laterPrices ?? []).map(({ fromDay, price }) => [fromDay, price.amount])]
}
const totalOf = async (id: string): Promise<number> => (await readVisit(t, client, id)).total.amount

describe('a cut for €42, and for €45 from 1 January on [P-08] [P-11]', () => {
  it('costs what its day costs who books now; what was booked keeps its price, moved too', async () => {
    const before = await bookVisit(t, client, institute, { startsAt: wall('2027-01-09T10:00'), lines: [[0, 0]] })
    const held = await hold(t, client, institute, { startsAt: wall('2027-01-09T12:00') })
    await dearer()
    const old = await bookVisit(t, client, institute, { startsAt: wall('2026-12-30T10:00'), lines: [[0, 0]] })
    const fresh = await bookVisit(t, client, institute, { startsAt: wall('2027-01-09T14:00') })
    const eve = await hold(t, client, institute, { startsAt: wall('2026-12-31T17:20') })
    expect([await totalOf(before._id), held.total.amount, old.total.amount, fresh.total.amount, eve.total.amount]).toEqual([
      4200, 4200, 4200, 4500, 4200,
    ])
    // To another day, to somebody else by name, over the first of January: agreed is agreed.
    expect((await moved(t, client, before._id, wall('2027-01-11T10:00'))).total.amount).toBe(4200)
    expect((await moved(t, client, before._id, wall('2027-01-12T10:00'), institute.members[1])).total.amount).toBe(4200)
    expect((await moved(t, client, old._id, wall('2027-01-13T10:00'))).total.amount).toBe(4200)
  })

  it('is shown on cards and on its page with the price of the day', async () => {
    await dearer()
    expect([await card('2026-12-30'), await card('2027-01-09')]).toEqual([4200, 4500])
    expect(await menuOfPage()).toEqual([4200, ['2027-01-01', 4500]])
    await summaryIsTrue(t, institute)
  })

  it('costs somebody’s own price with them, whatever the menu says', async () => {
    const { performers } = await cut()
    await write({ performers: performers.map((one, at) => (at === 0 ? { ...one, priceAmount: 6200 } : one)) })
    await dearer()
    const startsAt = wall('2027-01-09T10:00')
    expect((await hold(t, client, institute, { startsAt, lines: [[0, 0]] })).total.amount).toBe(6200)
    expect((await hold(t, client, institute, { startsAt, lines: [[0, 1]] })).total.amount).toBe(4500)
  })

  it('has that price once the day has come in its own zone, in the searches too', async () => {
    await dearer()
    // Half past eleven at night in Paris.
    t.clock.set('2026-12-31T22:30:00Z')
    await t.jobs['apply_prices']?.({})
    expect(await cut()).toMatchObject({ priceAmount: 4200, laterPrices: [{ fromDay: '2027-01-01' }] })
    t.clock.set('2026-12-31T23:00:00Z')
    // Before the job has come by.
    expect([await menuOfPage(), (await cut()).priceAmount]).toEqual([[4500], 4500])
    await t.jobs['apply_prices']?.({})
    await t.jobs['apply_prices']?.({})
    expect(await cut()).toMatchObject({ priceAmount: 4500, laterPrices: [] })
    const told = (await eventsOf(t.db, institute)).filter(({ payload }) => JSON.stringify(payload) === '{"what":"prices"}')
    expect(told).toHaveLength(1)
    const found = await t.inject('GET', '/api/v1/client/institutes?lat=45.52&lon=4.87&radiusKm=1&maxPrice=44')
    expect((found.body['items'] as unknown as { slug: string }[]).map(({ slug }) => slug)).not.toContain(institute.slug)
    await t.jobs['catch_up']?.({})
    await summaryIsTrue(t, institute)
  })

  it('is no longer dearer once the owner takes it back, and has no price ahead on request', async () => {
    await dearer()
    await write({ name: { en: 'Cut and finish' } })
    expect(await menuOfPage()).toEqual([4200, ['2027-01-01', 4500]])
    await write({ laterPrices: [] })
    expect((await hold(t, client, institute, { startsAt: wall('2027-01-09T10:00') })).total.amount).toBe(4200)
    await dearer()
    await write({ priceKind: 'on_request', priceAmount: null, laterPrices: [] })
    expect((await cut()).laterPrices).toEqual([])
  })
})

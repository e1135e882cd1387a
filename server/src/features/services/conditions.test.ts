/** What must have been before: conditions that nobody could ever meet are refused, with which of the others speaks against it. */
import type { MenuService } from '@soigne/contract/services'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { detailsOf, refused } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const [test, colour, toner] = [0, 1, 2]

let t: TestApp
let owner: MadeUser
let salon: MadeInstitute
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  const services = ['Patch test', 'Colour', 'Toner'].map((name) => ({ name, active: 20, price: 1000 }))
  salon = await makeInstitute(t.db, { ownerId: owner.id, services })
})

const ask = (method: 'GET' | 'PUT', path: string, body?: object): Promise<TestAnswer> =>
  t.inject(method, `/api/v1/secure/mysalon${path}`, { token: owner.token, ...(body && { body }) })
const menu = async (): Promise<MenuService[]> => (await ask('GET', '/services')).body['items'] as unknown as MenuService[]
/** The service asks for the other first. */
async function asks(place: number, first: number, more: object = {}): Promise<TestAnswer> {
  const one = (await menu()).find(({ _id }) => _id === salon.services[place])
  const condition = { serviceId: salon.services[first], minHours: 48, maxMonths: 6, ...more }
  return ask('PUT', `/services/${salon.services[place]}`, { ...one, prerequisites: [condition] })
}

describe('services that ask for others first', () => {
  it('are never each before the other, however many stand between them', async () => {
    expect((await asks(colour, test)).status).toBe(200)
    const answer = await asks(test, colour)
    expect([refused(answer), detailsOf(answer), answer.body['message']]).toEqual([
      [409, 'condition_circle'],
      { services: [{ _id: salon.services[colour], name: 'Colour' }] },
      'Nobody could book either: Colour already needs this one first.',
    ])
    expect((await asks(toner, colour)).status).toBe(200)
    expect(refused(await asks(test, toner))).toEqual([409, 'condition_circle'])
    expect((await menu()).map(({ prerequisites }) => prerequisites.length)).toEqual([0, 1, 1])
  })

  it('leave a time between the soonest and the latest', async () => {
    const answer = await asks(colour, test, { minHours: 1000, maxMonths: 1 })
    expect([refused(answer), detailsOf(answer)]).toEqual([
      [400, 'bad_input'],
      { fields: { 'prerequisites.0.minHours': expect.stringContaining('743') } },
    ])
    expect((await asks(colour, test, { minHours: 743, maxMonths: 1 })).status).toBe(200)
  })
})

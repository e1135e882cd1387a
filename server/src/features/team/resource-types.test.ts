/** Services ask for a type of room, chair or machine: renaming or removing the last of one leaves none that nobody could book. */
import type { Menu } from '@soigne/contract/services'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { detailsOf, refused } from '#/testing/booking.ts'
import { startsOffered } from '#/testing/diary.ts'
import { type MadeInstitute, makeInstitute, type MadeUser, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const day = '2026-11-25'
let t: TestApp
let owner: MadeUser
let salon: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T08:00:00Z' })
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  salon = await makeInstitute(t.db, {
    ownerId: owner.id,
    services: [{ name: 'Cut', active: 40, price: 4200, resourceType: 'chair' }],
    resources: [
      { type: 'chair', name: 'Chair 1' },
      { type: 'chair', name: 'Chair 2' },
    ],
  })
})

const ask = (method: 'GET' | 'PUT' | 'DELETE', path: string, body?: object): Promise<TestAnswer> =>
  t.inject(method, `/api/v1/secure/mysalon/${path}`, { token: owner.token, ...(body && { body }) })
const needed = async (): Promise<(string | null)[]> =>
  ((await ask('GET', 'services')).body as unknown as Menu).items.map(({ resourceType }) => resourceType)
const isOffered = async (): Promise<boolean> => (await startsOffered(t, salon, day)).length > 0

describe('the last of a type', () => {
  it('takes the services that ask for it along when its type is called otherwise', async () => {
    const [one = '', other = ''] = salon.resources
    expect((await ask('PUT', `resources/${one}`, { type: 'Seat', name: 'Chair 1' })).status).toBe(200)
    expect([await needed(), await isOffered()]).toEqual([['chair'], true])
    expect((await ask('PUT', `resources/${other}`, { type: 'Seat', name: 'Chair 2' })).status).toBe(200)
    expect([await needed(), await isOffered()]).toEqual([['Seat'], true])
  })

  it('stays while a service asks for it', async () => {
    const [one, other] = salon.resources
    expect((await ask('DELETE', `resources/${one}`)).status).toBe(200)
    const answer = await ask('DELETE', `resources/${other}`)
    expect([refused(answer), detailsOf(answer), answer.body['message']]).toEqual([
      [409, 'resource_needed'],
      { services: [{ _id: salon.services[0], name: 'Cut' }] },
      'It is the last of its type, and these services need one: Cut.',
    ])
    expect(await isOffered()).toBe(true)
    const [cut] = ((await ask('GET', 'services')).body as unknown as Menu).items
    await ask('PUT', `services/${cut?._id}`, { ...cut, resourceType: null })
    expect((await ask('DELETE', `resources/${other}`)).status).toBe(200)
    expect(await isOffered()).toBe(true)
  })
})

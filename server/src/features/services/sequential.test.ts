/** A service that needs those before it finished: a blow-dry never stands in the waiting part of a colour. */
import type { DiaryVisit } from '@soigne/contract/diary'
import type { MenuService, Starter } from '@soigne/contract/services'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { setupDraftFor } from '#/testing/setup-draft.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const at = (time: string): string => wall(`2026-12-05T${time}`)
const [colour, blowDry] = [0, 1]
const [nora, karim] = [0, 1]

let t: TestApp
let owner: MadeUser
let salon: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: at('10:40') })
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  const services = [
    { name: 'Root colour', active: 30, idle: 40, after: 30, bufferAfter: 10, price: 6800 },
    { name: 'Blow-dry', active: 40, price: 3000 },
  ]
  salon = await makeInstitute(t.db, { ownerId: owner.id, name: 'Atelier Mimosa', services })
})

const ask = (method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<TestAnswer> =>
  t.inject(method, `/api/v1/secure/mysalon${path}`, { token: owner.token, ...(body && { body }) })
const menuService = async (place: number): Promise<MenuService> => {
  const items = (await ask('GET', '/services')).body['items'] as unknown as MenuService[]
  const found = items.find(({ _id }) => _id === salon.services[place])
  if (!found) throw new Error('not on the menu')
  return found
}
const sequential = async (isSequential: boolean): Promise<void> => {
  const { status, text } = await ask('PUT', `/services/${salon.services[blowDry]}`, { ...(await menuService(blowDry)), isSequential })
  if (status !== 200) throw new Error(text)
}
const startsOf = (segments: readonly { startsAt: string }[]): string[] => segments.map(({ startsAt }) => startsAt)
const both = [
  { place: colour, member: nora },
  { place: blowDry, member: karim },
]
/** Colour with Nora and blow-dry with Karim, who has nothing else to do: when each begins. */
async function atTheDesk(): Promise<DiaryVisit> {
  const services = both.map(({ place, member }) => ({ serviceId: salon.services[place], staffId: salon.members[member] }))
  const answer = await ask('POST', '/appointments', { services, startsAt: at('14:00'), customer: { firstName: 'Anna' } })
  if (answer.status !== 201) throw new Error(answer.text)
  return answer.body as unknown as DiaryVisit
}

describe('a blow-dry after a colour', () => {
  it('may stand in its waiting part until the menu says otherwise', async () => {
    expect((await menuService(blowDry)).isSequential).toBe(false)
    expect(startsOf((await atTheDesk()).segments)).toEqual([at('14:00'), at('14:30')])
  })

  it('is one visit of Nora at 14:00 and Karim at 15:40 for €98.00 once it follows what is finished, though Karim is free', async () => {
    await sequential(true)
    expect((await menuService(blowDry)).isSequential).toBe(true)
    const anna = await atTheDesk()
    expect(startsOf(anna.segments)).toEqual([at('14:00'), at('15:40')])
    expect(anna).toMatchObject({ startsAt: at('14:00'), endsAt: at('16:20'), total: { amount: 9800, currency: 'EUR' } })
  })

  it('is offered to clients while its end fits in before closing, and booked so', async () => {
    const lastStart = async (): Promise<string | undefined> => {
      const services = salon.services.map((id) => `service=${id}`).join('&')
      const { body } = await t.inject('GET', `/api/v1/client/institutes/${salon.id}/availability?${services}&from=2026-12-05&days=1`)
      return (body['days'] as unknown as { times: { startsAt: string }[] }[])[0]?.times.at(-1)?.startsAt
    }
    expect(await lastStart()).toBe(at('16:20'))
    await sequential(true)
    expect(await lastStart()).toBe(at('15:40'))
    const lines: [number, number][] = both.map(({ place, member }) => [place, member])
    const visit = await bookVisit(t, await makeUser(t.db), salon, { startsAt: at('14:00'), lines })
    expect(startsOf(visit.segments)).toEqual([at('14:00'), at('15:40')])
  })
})

describe('the starter menu of hair', () => {
  it('brings the mark into an institute that is set up with it', async () => {
    const pro = await makeUser(t.db, { role: 'isPro' })
    const draft = setupDraftFor({ name: 'Chez Nora' })
    const body = { ...draft, services: draft.services.map((one) => ({ ...one, isSequential: one.key === 'cut' })) }
    const made = await t.inject('POST', '/api/v1/secure/mysalon/institute', { token: pro.token, body })
    expect(made.status).toBe(201)
    const menu = (await t.inject('GET', '/api/v1/secure/mysalon/services', { token: pro.token })).body['items']
    expect((menu as unknown as MenuService[]).map(({ isSequential }) => isSequential)).toEqual([true, false, false])
  })

  it('has a blow-dry that follows what is finished, and nothing else that does', async () => {
    const items = (await ask('GET', '/services/starters?category=hair')).body['items'] as unknown as Starter[]
    expect(items.filter(({ isSequential }) => isSequential).map(({ key }) => key)).toEqual(['blow-dry'])
  })
})

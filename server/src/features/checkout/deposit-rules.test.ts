/** What is asked for before a visit where a service, a client or what a client missed says something else than the institute. */
import type { Menu } from '@soigne/contract/services'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { hold, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { makeVisit } from '#/testing/kept-visits.ts'
import { asksFor, isBalanced, lastCheckout, tells, tryBook } from '#/testing/paid-visits.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const salon = '/api/v1/secure/mysalon'
const ten = wall('2026-11-24T10:00')
const afternoon = wall('2026-11-24T15:00')
const eur = (amount: number) => ({ amount, currency: 'EUR' })

let t: TestApp
let owner: MadeUser
let client: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z' })
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  client = await makeUser(t.db)
  institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services: [{ price: 4200 }, { price: 3000 }, { price: 1000 }] })
  await asksFor(t, institute, 'percent', 30)
})

const ask = (method: 'GET' | 'PUT' | 'POST', path: string, body?: object): Promise<TestAnswer> =>
  t.inject(method, `${salon}${path}`, { token: owner.token, ...(body && { body }) })
/** Writes what a service asks for, as the editor does: all of it is sent back. */
async function serviceAsks(at: number, deposit: object | null): Promise<TestAnswer> {
  const { items } = (await ask('GET', '/services')).body as unknown as Menu
  const service = items.find(({ _id }) => _id === institute.services[at])
  return ask('PUT', `/services/${service?._id}`, { ...service, deposit })
}
async function clientPays(paysFirst: 'nothing' | 'all' | null): Promise<void> {
  const { body } = await ask('GET', '/customers')
  const [record] = body['items'] as unknown as { _id: string }[]
  expect((await ask('PUT', `/customers/${record?._id}`, { paysFirst })).body).toMatchObject({ paysFirst })
}
const missesOne = (startsAt: string) => makeVisit(t.db, { userId: client.id, instituteId: institute.id, startsAt, attendance: 'no_show' })
const prepaysAfter = async (prepayAfterNoShows: number | null): Promise<void> => {
  const payments = { payAtSalon: true, paymentMethods: ['card', 'paypal'], deposit: { kind: 'percent', percent: 30 }, prepayAfterNoShows }
  const saved = await ask('PUT', '/institute', { payments })
  expect(saved.status, saved.text).toBe(200)
  expect((await ask('GET', '/institute')).body['payments']).toMatchObject({ prepayAfterNoShows })
}
const depositOf = async (holdId: string): Promise<unknown> =>
  (await t.inject('GET', `/api/v1/secure/appointments/holds/${holdId}/payment`, { token: client.token })).body['deposit']
/** A hold of these services, and what has to be paid for it first. */
async function asked(services: readonly number[], startsAt = ten): Promise<{ holdId: string; deposit: unknown }> {
  const { _id: holdId } = await hold(t, client, institute, { startsAt, lines: services.map((one) => [one]) })
  return { holdId, deposit: await depositOf(holdId) }
}
/** What a click takes, which is what was shown. */
async function booksFor(holdId: string, amount: number): Promise<void> {
  const answer = await tryBook(t, client, { holdId })
  expect(answer.status, answer.text).toBe(201)
  expect(answer.body['payment'] !== undefined).toBe(amount > 0)
  if (amount > 0) await tells(t, await lastCheckout(t, holdId), 'paid')
  const { body } = await t.inject('GET', `/api/v1/secure/appointments/${holdId}/payments`, { token: client.token })
  expect((body['payments'] as unknown as { amount: number }[]).map((one) => one.amount)).toEqual(amount > 0 ? [amount] : [])
  await isBalanced(t)
}

describe('[E-10] a service', () => {
  it.each([
    ['its own amount', { kind: 'fixed', amount: 2000 }, [0], 2000],
    ['its own amount, never more than its price', { kind: 'fixed', amount: 9000 }, [0], 4200],
    ['its own part', { kind: 'percent', percent: 50 }, [0], 2100],
    ['nothing', { kind: 'none' }, [0], 0],
    ['its own, and the institute’s rule for the others together', { kind: 'fixed', amount: 2000 }, [0, 1, 2], 2000 + 1200],
    ['nothing, and the institute’s rule for the other', { kind: 'none' }, [0, 1], 900],
    ['the institute’s', null, [0, 1], 2160],
  ] as const)('asks for %s', async (_what, deposit, services, amount) => {
    expect((await serviceAsks(0, deposit)).body).toMatchObject({ deposit })
    const { holdId, deposit: shown } = await asked(services)
    expect(shown).toEqual(eur(amount))
    await booksFor(holdId, amount)
  })

  it('is refused a rule that is none, and keeps the one it had', async () => {
    await serviceAsks(0, { kind: 'percent', percent: 50 })
    for (const wrong of [{ kind: 'percent', percent: 101 }, { kind: 'fixed', amount: 0 }, { kind: 'fixed' }, { kind: 'half' }])
      expect((await serviceAsks(0, wrong)).status).toBe(400)
    expect((await asked([0])).deposit).toEqual(eur(2100))
  })
})

describe('[E-10] a client', () => {
  it.each([
    ['nothing', 0],
    ['all', 7200],
    [null, 2160],
  ] as const)('pays %s before a visit, whatever is asked for otherwise', async (paysFirst, amount) => {
    await makeVisit(t.db, { userId: client.id, instituteId: institute.id, startsAt: '2026-10-20T08:00:00Z' })
    await clientPays(paysFirst)
    const { holdId, deposit } = await asked([0, 1])
    expect(deposit).toEqual(eur(amount))
    await booksFor(holdId, amount)
  })

  it('who missed as many visits within a year as the institute takes pays all first; who missed fewer, or longer ago, does not', async () => {
    await prepaysAfter(2)
    await missesOne('2025-11-20T08:00:00Z')
    await missesOne('2026-03-10T08:00:00Z')
    const one = await asked([0])
    expect(one.deposit).toEqual(eur(1260))
    await missesOne('2026-06-10T08:00:00Z')
    await booksFor(one.holdId, 4200)
    await clientPays('nothing')
    const next = await asked([1], afternoon)
    expect(next.deposit).toEqual(eur(0))
    await clientPays(null)
    expect(await depositOf(next.holdId)).toEqual(eur(3000))
    await prepaysAfter(null)
    expect(await depositOf(next.holdId)).toEqual(eur(900))
  })

  it('who missed visits elsewhere does not pay for it here', async () => {
    await prepaysAfter(1)
    const elsewhere = await makeInstitute(t.db)
    await makeVisit(t.db, { userId: client.id, instituteId: elsewhere.id, startsAt: '2026-10-20T08:00:00Z', attendance: 'no_show' })
    expect((await asked([0])).deposit).toEqual(eur(1260))
  })
})

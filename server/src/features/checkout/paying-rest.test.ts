/** What is left of a visit, paid by the way its client chooses. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hold, refused, visitsPath, wall } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, isBalanced, lastCheckout, paidVisit, tells, tryBook } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ at: '2026-11-20T11:00:00Z' })
})
afterAll(() => t.close())

describe('the rest of a visit', () => {
  it.each([
    ['paypal', 'paypal'],
    ['card', 'card'],
    [undefined, 'card'],
  ] as const)('asked by %s is paid by %s, and a page opened before by another way is given up', async (asked, method) => {
    const institute = await makeInstitute(t.db, { members: 1, services: [{ price: 5200 }] })
    await asksFor(t, institute, 'fixed', 1500)
    const client = await makeUser(t.db)
    const id = await paidVisit(t, client, institute, { startsAt: wall('2026-11-24T10:00') })
    const pay = (paymentMethod?: string) =>
      t.inject('POST', `${visitsPath}/${id}/payments`, { token: client.token, body: paymentMethod ? { paymentMethod } : {} })
    const word = async () => (await t.inject('GET', `${visitsPath}/holds/${id}/payment`, { token: client.token })).body

    expect(refused(await pay('klarna'))[0]).toBe(400)
    expect((await pay(method === 'card' ? 'paypal' : 'card')).status).toBe(201)
    const before = await lastCheckout(t, id)
    t.clock.set(t.clock.now() + 1000)
    expect((await pay(asked)).status).toBe(201)
    expect(await word()).toMatchObject({
      methods: ['card', 'paypal'],
      checkout: { state: 'open', method, amount: { amount: 3700, currency: 'EUR' } },
    })
    const last = await lastCheckout(t, id)
    expect(last).not.toBe(before)
    await tells(t, last, 'paid')
    expect((await word())['checkout']).toMatchObject({ state: 'paid', method })
    const { body } = await t.inject('GET', `${visitsPath}/${id}/payments`, { token: client.token })
    expect(body).toMatchObject({ due: { amount: 0 }, payments: [{ amount: 1500 }, { amount: 3700, method }] })
    await isBalanced(t)
  })
})

it('a provider that moves every sum is offered all of one in thousandths, and takes it', async () => {
  const institute = await makeInstitute(t.db, { members: 1, services: [{ price: 52_001 }], currency: 'TND' })
  await asksFor(t, institute, 'none')
  const client = await makeUser(t.db)
  const { _id: holdId } = await hold(t, client, institute, { startsAt: wall('2026-11-25T10:00') })
  const { body } = await t.inject('GET', `${visitsPath}/holds/${holdId}/payment`, { token: client.token })
  expect(body).toMatchObject({ total: { amount: 52_001 }, deposit: { amount: 0 }, canPayAll: true })
  expect((await tryBook(t, client, { holdId, pay: 'all' })).body['payment']?.['url']).toBeTruthy()
})

/** Many screens that read the same day at the same moment. */
import type { Diary } from '@soigne/contract/diary'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { wall } from '#/testing/booking.ts'
import { makeColumnOwner } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

const day = '2026-12-05'
const base = '/api/v1/secure/mysalon'
let t: TestApp
let owner: MadeUser
let stylist: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: '2026-12-05T07:00:00Z' })
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id })
  stylist = await makeColumnOwner(t.db, institute, institute.members[1] ?? '')
  for (const [place, staffId] of institute.members.slice(0, 2).entries())
    await t.inject('POST', `${base}/appointments`, {
      token: owner.token,
      body: {
        services: [{ serviceId: institute.services[0], staffId }],
        startsAt: wall(`${day}T10:00`),
        customer: { firstName: `Guest ${place}`, phone: `06 12 34 56 7${place}` },
      },
    })
})
afterAll(() => t.close())

const read = async ({ token }: MadeUser, language = 'en'): Promise<Diary> =>
  (await t.inject('GET', `${base}/diary?from=${day}&days=1`, { token, locale: language })).body as unknown as Diary
const statementsOf = async <T>(work: () => Promise<T>): Promise<[number, T]> => {
  const before = t.context.database.statements()
  const answer = await work()
  return [t.context.database.statements() - before, answer]
}

it('read it together, and each sees what they may see, in their language', async () => {
  const [alone] = await statementsOf(() => read(owner))
  const [together, diaries] = await statementsOf(() => Promise.all(Array.from({ length: 20 }, () => read(owner))))
  expect(together).toBeLessThan(alone * 10)
  for (const { visits } of diaries)
    expect(visits.map(({ customer }) => [customer.name, customer.phone]).toSorted()).toEqual([
      ['Guest 0', '06 12 34 56 70'],
      ['Guest 1', '06 12 34 56 71'],
    ])
  const mixed = await Promise.all(
    Array.from({ length: 12 }, (_, n) => (n % 3 === 0 ? read(owner) : n % 3 === 1 ? read(stylist) : read(owner, 'fr'))),
  )
  for (const [n, { visits, members }] of mixed.entries()) {
    expect(visits.map(({ customer }) => customer.name).toSorted()).toEqual(n % 3 === 1 ? ['Guest 1'] : ['Guest 0', 'Guest 1'])
    expect(members).toHaveLength(n % 3 === 1 ? 1 : institute.members.length)
  }
})

it('never read what was before they asked', async () => {
  const reads = Array.from({ length: 5 }, () => read(owner))
  const made = await t.inject('POST', `${base}/appointments`, {
    token: owner.token,
    body: { services: [{ serviceId: institute.services[0], staffId: institute.members[0] }], startsAt: wall(`${day}T14:00`) },
  })
  expect(made.status).toBe(201)
  const after = await Promise.all(Array.from({ length: 5 }, () => read(owner)))
  await Promise.all(reads)
  for (const { visits } of after) expect(visits.map(({ _id }) => _id)).toContain(made.body._id)
})

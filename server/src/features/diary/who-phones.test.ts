/** Whose record a visit made at the desk goes to. */
import { instituteHeader } from '@soigne/contract/access'
import type { DiaryVisit } from '@soigne/contract/diary'
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ at: '2026-12-05T07:00:00Z' })
})
afterAll(() => t.close())
beforeEach(async () => {
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id })
})

const base = '/api/v1/secure/mysalon'
const post = async (path: string, body: object) => {
  const answer = await t.inject('POST', base + path, { token: owner.token, headers: { [instituteHeader]: institute.id }, body })
  if (answer.status > 201) throw new Error(answer.text)
  return answer.body
}
const times = ['09:00', '10:00', '11:00', '13:00', '14:00', '15:00', '16:00']
let booked = 0
/** For whom a visit was noted. */
const bookedFor = async (who: { customer: object } | { customerId: string }): Promise<DiaryVisit['customer']> => {
  const startsAt = wall(`2026-12-05T${times[booked++ % times.length]}`)
  const visit = await post('/appointments', { services: [{ serviceId: institute.services[0] }], startsAt, ...who })
  return (visit as unknown as DiaryVisit).customer
}
const phone = '06 12 34 56 78'

it('[P-07] two of a family with one telephone are two clients; the same one under a shorter name is not', async () => {
  const mother = await bookedFor({ customer: { firstName: 'Inès', lastName: 'Benali', phone } })
  const daughter = await bookedFor({ customer: { firstName: 'Jeanne', lastName: 'Benali', phone: '+33 6 12 34 56 78' } })
  expect(daughter).toMatchObject({ name: 'Jeanne Benali', pastVisits: 0 })
  expect(daughter._id).not.toBe(mother._id)
  for (const [customer, is] of [
    [{ firstName: 'ines', phone: '0612345678' }, mother],
    [{ firstName: 'Benali', lastName: 'Jeanne', phone }, daughter],
  ] as const)
    expect((await bookedFor({ customer }))._id).toBe(is._id)
  expect((await bookedFor({ customer: { firstName: 'Jean', phone } }))._id).not.toBe(daughter._id)
})

it('whoever has the email is the one, whatever the name', async () => {
  const first = await bookedFor({ customer: { firstName: 'Inès', email: 'ines@mail.test' } })
  expect((await bookedFor({ customer: { firstName: 'I.', phone, email: 'INES@mail.test' } }))._id).toBe(first._id)
})

it('a record that was joined with another is never booked for: the one that is kept is', async () => {
  const joined = await bookedFor({ customer: { firstName: 'Inès', phone } })
  const kept = (await post('/customers', { firstName: 'Inès', lastName: 'Benali', phone, isAnother: true }))['_id'] as unknown as string
  await post('/customers/merge', { keepId: kept, mergeId: joined._id, take: {} })
  expect((await bookedFor({ customer: { firstName: 'Inès', phone } }))._id).toBe(kept)
  // A screen that was opened before.
  expect((await bookedFor({ customerId: joined._id ?? '' }))._id).toBe(kept)
  const { rows } = await sql`select count(*)::int as visits from appointments where customer_id = ${joined._id}`.execute(t.db)
  expect(rows).toEqual([{ visits: 0 }])
})

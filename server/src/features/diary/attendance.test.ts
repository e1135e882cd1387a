/** Who came, as it is noted on a device that had no connection and sent when it has one again. */
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, refused, wall } from '#/testing/booking.ts'
import { eventsOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-24T07:00:00Z'
const at = (time: string): string => wall(`2026-11-24T${time}`)

let t: TestApp
let owner: MadeUser
let institute: MadeInstitute
let id: string
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  owner = await makeUser(t.db, { role: 'isPro' })
  institute = await makeInstitute(t.db, { ownerId: owner.id })
  id = (await bookVisit(t, await makeUser(t.db), institute, { startsAt: at('14:00'), lines: [[0, 0]] }))._id
  t.clock.set(at('14:25'))
})

const note = (body: object, key?: string): Promise<TestAnswer> =>
  t.inject('PUT', `/api/v1/secure/mysalon/appointments/${id}/attendance`, {
    token: owner.token,
    body,
    ...(key !== undefined && { headers: { 'idempotency-key': key } }),
  })

const noted = async () => (await eventsOf(t.db, institute)).filter(({ kind }) => kind === 'visit.attended').length

describe('what was noted without a connection', () => {
  it('keeps the time at which it was noted, never one to come', async () => {
    const arrived = await note({ attendance: 'arrived', was: 'expected', at: at('13:58') })
    expect(arrived.body).toMatchObject({ attendance: 'arrived', attendedAt: { arrived: at('13:58') } })
    const begun = await note({ attendance: 'in_service', was: 'arrived', at: at('18:00') })
    expect(begun.body['attendedAt']).toEqual({ arrived: at('13:58'), in_service: at('14:25') })
  })

  it('sent twice under its key is done once, with the first answer', async () => {
    const first = await note({ attendance: 'arrived', was: 'expected', at: at('13:58') }, 'one')
    await note({ attendance: 'in_service' })
    const again = await note({ attendance: 'arrived', was: 'expected', at: at('13:58') }, 'one')
    expect([again.status, again.body]).toEqual([first.status, first.body])
    expect(await noted()).toBe(2)
  })

  it('is refused where somebody noted another step meanwhile, and is nothing where it was the same', async () => {
    await note({ attendance: 'in_service' })
    const refusal = await note({ attendance: 'arrived', was: 'expected' })
    expect(refused(refusal)).toEqual([409, 'changed_meanwhile'])
    expect((await note({ attendance: 'in_service', was: 'expected' })).status).toBe(200)
    expect(await noted()).toBe(1)
  })
})

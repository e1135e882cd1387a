/** What a client reads before a visit moves: until when it can be changed free then, and what becomes of what was paid; and that it comes so. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { bookVisit, later, moved, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, isBalanced, paidVisit } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import type { MovePlan } from './move-plan.ts'

const now = '2026-11-20T11:00:00Z'
/** Friday at ten; free until Thursday at ten, moved until eight. */
const friday = wall('2026-11-27T10:00')
const saturday = wall('2026-11-28T14:00')
const euros = (amount: number) => ({ amount, currency: 'EUR' })

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  const services = [{ price: 3800 }, { price: 1400 }]
  institute = await makeInstitute(t.db, { members: 1, services, cancelWindow: 1440, rescheduleWindow: 120 })
  await asksFor(t, institute, 'fixed', 1500)
  client = await makeUser(t.db)
})

const visit = (startsAt: string, more: { pay?: 'all' } = {}) => paidVisit(t, client, institute, { startsAt, lines: [[0], [1]], ...more })
const told = async (id: string, startsAt: string): Promise<MovePlan['afterwards']> => {
  const { status, body, text } = await t.inject('GET', `${visitsPath}/${id}/plan?startsAt=${startsAt}`, { token: client.token })
  if (status !== 200) throw new Error(text)
  return (body as unknown as MovePlan).afterwards
}
const money = async (id: string) => (await t.inject('GET', `${visitsPath}/${id}/payments`, { token: client.token })).body
/** What holds once it has moved, in the words of what was told before. */
async function afterMoving(id: string, startsAt: string): Promise<MovePlan['afterwards']> {
  const { terms, canCancel, canReschedule } = await moved(t, client, id, startsAt)
  return { freeUntil: terms.freeUntil, canCancel, canReschedule, ifCancelled: (await money(id))['ifCancelled'] as never }
}

describe('before a visit moves', () => {
  it('in time: it is free until a day before its new start, and nothing but its deposit was ever taken', async () => {
    const id = await visit(wall('2026-11-26T16:00'))
    t.clock.set(wall('2026-11-24T12:00'))
    const before = (await money(id))['payments']
    const plan = await told(id, friday)
    expect(plan).toEqual({
      freeUntil: wall('2026-11-26T10:00'),
      canCancel: true,
      canReschedule: true,
      ifCancelled: { refunded: euros(1500), kept: euros(0), charged: euros(0) },
    })
    expect(await afterMoving(id, friday)).toEqual(plan)
    expect((await money(id))['payments']).toEqual(before)
    await isBalanced(t)
  })

  it('late: the first deadline stays, and the deposit is kept by whoever cancels then', async () => {
    const id = await visit(friday)
    t.clock.set(wall('2026-11-26T20:00'))
    const plan = await told(id, saturday)
    expect(plan).toEqual({
      freeUntil: wall('2026-11-26T10:00'),
      canCancel: true,
      canReschedule: true,
      ifCancelled: { refunded: euros(0), kept: euros(1500), charged: euros(0) },
    })
    expect(await afterMoving(id, saturday)).toEqual(plan)
  })

  it('in time, to a start within the free window: the deposit is kept too, and of what was paid only that', async () => {
    const id = await visit(friday, { pay: 'all' })
    t.clock.set(wall('2026-11-24T12:00'))
    const near = wall('2026-11-24T16:00')
    const plan = await told(id, near)
    expect(plan).toMatchObject({ freeUntil: wall('2026-11-23T16:00'), ifCancelled: { refunded: euros(3700), kept: euros(1500) } })
    expect(await afterMoving(id, near)).toEqual(plan)
  })

  it('because the institute asked: a new deadline, however late it is', async () => {
    const id = await visit(friday)
    t.clock.set(wall('2026-11-26T20:00'))
    await sql`update appointments set terms = terms || jsonb_build_object('openUntil', ${later(friday, -60)}::text) where id = ${id}`.execute(
      t.db,
    )
    const plan = await told(id, saturday)
    expect(plan).toMatchObject({ freeUntil: wall('2026-11-27T14:00'), ifCancelled: { refunded: euros(1500), kept: euros(0) } })
    expect(await afterMoving(id, saturday)).toEqual(plan)
  })

  it('to a start so near that it is changed by phone only, or cancelled so', async () => {
    await asksFor(t, institute, 'none')
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: friday })
    t.clock.set(wall('2026-11-24T12:00'))
    expect(await told(id, wall('2026-11-24T13:00'))).toMatchObject({ canCancel: false, canReschedule: false, ifCancelled: null })
    expect(await told(id, wall('2026-11-24T16:00'))).toMatchObject({ canCancel: false, canReschedule: true, ifCancelled: null })
    expect(await afterMoving(id, wall('2026-11-24T16:00'))).toMatchObject({ canCancel: false, canReschedule: true })
  })
})

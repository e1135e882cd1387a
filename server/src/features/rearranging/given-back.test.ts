/** Before a visit is cancelled that somebody cannot keep, the institute reads what goes back; and that goes back. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { ProposalRow } from '@soigne/contract/rearranging'
import { bookVisit, wall } from '#/testing/booking.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, isBalanced, paidVisit } from '#/testing/paid-visits.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
const day = '2026-12-05'
const at = (time: string): string => wall(`${day}T${time}`)
beforeAll(async () => {
  t = await openTestApp({ at: at('11:00') })
})
afterAll(() => t.close())

it('[E-12] says what goes back when a visit is cancelled, whatever the window: all that was paid online, and that sum moves', async () => {
  t.clock.set(at('11:00'))
  const { token, id: ownerId } = await makeUser(t.db, { role: 'isPro' })
  const salon = await makeInstitute(t.db, { ownerId, cancelWindow: 1440, members: 1, services: [{ name: 'Cut', active: 40, price: 4200 }] })
  const [claire, zoe, tom] = [await makeUser(t.db), await makeUser(t.db), await makeUser(t.db)]
  const { _id: unpaid } = await bookVisit(t, tom, salon, { startsAt: at('14:00') })
  await asksFor(t, salon, 'fixed', 1260)
  const deposit = await paidVisit(t, claire, salon, { startsAt: at('16:40') })
  const whole = await paidVisit(t, zoe, salon, { startsAt: at('15:20'), pay: 'all' })
  for (let turn = 0; turn < 3; turn++) await t.drainJobs()
  const path = '/api/v1/secure/mysalon/rearrangements'
  const { body, text } = await t.inject('GET', `${path}/proposals?staffId=${salon.members[0]}&fromDay=${day}`, { token })
  const rows = body['items'] as unknown as ProposalRow[]
  const said = rows.map(({ visit, refunded }) => [visit._id, refunded.amount])
  expect(said, text).toEqual([
    [unpaid, 0],
    [whole, 4200],
    [deposit, 1260],
  ])
  const items = rows.map(({ visit }) => ({ appointmentId: visit._id, how: 'cancel' }))
  const sent = await t.inject('POST', path, { token, body: { items } })
  expect(sent.status, sent.text).toBe(201)
  for (let turn = 0; turn < 3; turn++) await t.drainJobs()
  await isBalanced(t)
  const { rows: moved } = await sql<{ id: string; amount: number }>`select a.id, coalesce(sum(r.amount), 0)::int as amount
    from appointments a left join refunds r on r.appointment_id = a.id where a.institute_id = ${salon.id} group by a.id, a.starts_at order by a.starts_at`.execute(
    t.db,
  )
  expect(moved.map(({ id, amount }) => [id, amount])).toEqual(said)
})

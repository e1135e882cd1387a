/**
 * The money of a visit in any course: booked, paid, moved, sold at the till, credited, missed, waived and cancelled by either side, at random. What is told before a
 * cancellation is what moves, what is left is never below nothing, and nobody is ever charged more than the price. Six courses, or as many as COURSES says, from
 * COURSES_SEED on; a course is the same whenever its seed is.
 */
import type { Answer } from '@soigne/contract/define'
import type { Calls } from '@soigne/contract/calls'
import type { Sale } from '@soigne/contract/sales'
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { hold, later, readVisit, tryConfirm, visitsPath, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, charges, isBalanced, lastCheckout, tells, tryBook } from '#/testing/paid-visits.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const courses = Number(process.env['COURSES'] ?? 6)
const first = Number(process.env['COURSES_SEED'] ?? 20_261_148)
const stepsOfCourse = 12
const base = '/api/v1/secure/mysalon'
const now = '2026-11-20T11:00:00Z'
const [cut, colour] = [4200, 6001]
const price = cut + colour

let t: TestApp
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())

/** Whole numbers below `most`. */
function numbers(seed: number): (most: number) => number {
  let state = seed >>> 0
  return (most) => {
    state = (state + 0x6d_2b_79_f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * most)
  }
}
type Draw = ReturnType<typeof numbers>
const oneOf = <T>(pick: Draw, all: readonly T[]): T => all[pick(all.length)] as T

interface Course {
  pick: Draw
  owner: MadeUser
  client: MadeUser
  institute: MadeInstitute
  id: string
  /** Of its client, with sessions for a cut. */
  held: string
  giftCard: string
  pages: string[]
}
const desk = ({ owner }: Pick<Course, 'owner'>, method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<TestAnswer> =>
  t.inject(method, base + path, { token: owner.token, ...(body && { body }) })
const self = ({ client, id }: Course, method: 'GET' | 'POST' | 'PUT', path: string, body?: object): Promise<TestAnswer> =>
  t.inject(method, `${visitsPath}/${id}${path}`, { token: client.token, ...(body && { body }) })
const idOf = async (query: ReturnType<typeof sql<{ id: string }>>): Promise<string> => (await query.execute(t.db)).rows[0]?.id ?? ''

/** A visit for a cut and a colour by some rules, with whatever has to be paid first. */
async function begin(seed: number): Promise<Course> {
  const pick = numbers(seed)
  t.clock.set(now)
  const owner = await makeUser(t.db, { role: 'isPro' })
  const client = await makeUser(t.db)
  const services = [{ price: cut }, { price: colour }]
  const rules = { cancelWindow: oneOf(pick, [60, 1440, 2880]), rescheduleWindow: oneOf(pick, [0, 120]) }
  const institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, services, ...rules })
  const part = () => oneOf(pick, [null, { fixed: 1500 }, { percent: 30 }, { percent: 100 }])
  await charges(t, institute, { late: part(), noShow: part() })
  const [kind, value] = oneOf(pick, [['none', null] as const, ['fixed', 6001] as const, ['percent', 30] as const])
  await asksFor(t, institute, kind, value)
  const { _id: id } = await hold(t, client, institute, { startsAt: wall('2026-11-24T10:00'), lines: [[0], [1]] })
  const booked = await tryBook(t, client, { holdId: id, ...(pick(3) === 0 && { pay: 'all' }) })
  if (booked.body['payment']) await tells(t, await lastCheckout(t, id), 'paid')
  else if (booked.status !== 201) await tryConfirm(t, client, id)
  const customerId = await idOf(sql`select customer_id as id from appointments where id = ${id}`)
  const fields = {
    name: 'Three cuts',
    sessions: 3,
    months: 6,
    price: oneOf(pick, [9000, 27_000]),
    serviceIds: institute.services.slice(0, 1),
  }
  const { body: sold } = await desk({ owner }, 'POST', '/packages', fields)
  const lines = [{ packageId: sold['_id'] }, { giftCard: true, amount: 5000 }]
  await desk({ owner }, 'POST', '/sales', { lines, payments: [{ method: 'cash', amount: fields.price + 5000 }], customerId })
  const held = await idOf(sql`select id from client_packages where institute_id = ${institute.id}`)
  const giftCard = await idOf(sql`select id from gift_cards where institute_id = ${institute.id}`)
  return { pick, owner, client, institute, id, held, giftCard, pages: [] }
}

/** What moved of a visit, and what is left of what was paid. */
async function moved({ id }: Pick<Course, 'id'>) {
  const { rows } = await sql<Record<'refunded' | 'kept' | 'fee' | 'charged' | 'sessions' | 'worth' | 'left', number>>`select
      (select coalesce(sum(amount), 0)::int from refunds where appointment_id = ${id} and reason <> 'late_payment') as refunded,
      (select coalesce(sum(amount), 0)::int from kept_deposits where sale_id = ${id}) as kept,
      (select coalesce(sum(amount), 0)::int from fees where appointment_id = ${id} and state not in ('waived', 'withdrawn', 'given_back') and called_off is null) as fee,
      (select coalesce(sum(amount), 0)::int from fee_payments where sale_id = ${id}) as charged,
      (select coalesce(-sum(sessions), 0)::int from client_package_moves where sale_id = ${id} and kind in ('used', 'undone')) as sessions,
      (select coalesce(-sum(amount), 0)::int from client_package_moves where sale_id = ${id} and kind in ('used', 'undone')) as worth,
      (select coalesce(sum(case kind when 'refund' then -amount else amount end), 0)::int from payments where sale_id = ${id}) as left`.execute(
    t.db,
  )
  const [row] = rows
  if (!row) throw new Error('sums without a row')
  return row
}
async function work(): Promise<void> {
  await t.drainJobs()
  for (const name of ['tell_of_changes', 'charge_fees', 'send_refunds']) await t.jobs[name]?.({})
  await t.drainJobs()
}

/** Its client cancels, where that is offered: exactly what was told moves. */
async function cancelAsTold(course: Course): Promise<void> {
  const before = await moved(course)
  const { ifCancelled: told } = (await self(course, 'GET', '/payments')).body as unknown as Answer<Calls['appointmentPayments']>
  const { canCancel } = await readVisit(t, course.client, course.id)
  const { status } = await self(course, 'PUT', '/cancel', {})
  expect([told !== null, canCancel]).toEqual([status === 200, status === 200])
  if (!told) return
  await t.drainJobs()
  const after = await moved(course)
  expect({
    refunded: after.refunded - before.refunded,
    kept: after.kept - before.kept,
    charged: after.fee - before.fee,
    atSalon: after.left - after.kept,
    sessions: after.sessions,
  }).toEqual({
    refunded: told.refunded.amount,
    kept: told.kept.amount,
    charged: told.charged.amount,
    atSalon: told.atSalon?.amount ?? 0,
    sessions: told.sessions === 'back' ? 0 : before.sessions,
  })
  expect(told.sessions).toBe(before.sessions === 0 ? undefined : after.sessions === 0 ? 'back' : 'gone')
  if (told.kept.amount > 0 && told.sessions === 'gone') expect(told.kept.amount + after.worth).toBeLessThanOrEqual(price)
}

/** The institute cancels, where it may: all that was paid online goes back, and the sessions, as the desk read. */
async function deskCancels(course: Course): Promise<void> {
  const before = await moved(course)
  const told = (await desk(course, 'GET', `/appointments/${course.id}/cancellation`)).body as unknown as Answer<Calls['visitCancellation']>
  if ((await desk(course, 'PUT', `/appointments/${course.id}/cancel`, {})).status !== 200) return
  if (course.pick(3) === 0) return void (await desk(course, 'PUT', `/appointments/${course.id}/undo`))
  t.clock.advance(60_000)
  await work()
  const after = await moved(course)
  expect([after.refunded - before.refunded, after.left, before.sessions]).toEqual([
    told.refunded.amount,
    told.atSalon?.amount ?? 0,
    told.sessions,
  ])
  expect([after.kept, after.fee, after.sessions]).toEqual([0, 0, 0])
}

/** The till takes what is due, some of it with a session or a gift card. */
async function takeAtTill({ pick, id, held, giftCard, ...course }: Course): Promise<void> {
  const lines = [{ segment: 0, ...(pick(2) === 0 && { fromPackage: held }) }, { segment: 1 }].slice(0, 1 + pick(2))
  const asked = { lines, ...(pick(3) === 0 && { discount: { percent: oneOf(pick, [33, 100]) } }) }
  const { body } = await desk(course, 'POST', `/appointments/${id}/till`, { ...asked, payments: [] })
  const due = Number((body['details'] as { due?: number } | undefined)?.due ?? 0)
  if (due <= 0) return
  const byCard = pick(2) === 0 ? Math.min(5000, due) : 0
  const payments = [
    ...(byCard > 0 ? [{ method: 'gift_card', giftCardId: giftCard, amount: byCard }] : []),
    ...(due > byCard ? [{ method: 'cash', amount: due - byCard }] : []),
  ]
  await desk(course, 'POST', `/appointments/${id}/till`, { ...asked, payments })
}

async function credit({ pick, id, ...course }: Course): Promise<void> {
  const { lines = [] } = (await desk(course, 'GET', `/sales/${id}`)).body as unknown as Partial<Sale>
  const line = lines.length > 0 ? oneOf(pick, lines) : null
  const part = { _id: line?._id, ...(pick(3) === 0 && { amount: 1000 }) }
  await desk(course, 'POST', `/sales/${id}/credit-notes`, { lines: [part], reason: 'Not as agreed', method: oneOf(pick, ['cash', 'card']) })
}

const steps: readonly ((course: Course) => Promise<unknown>)[] = [
  async ({ pick }) => t.clock.set(later(new Date(t.clock.now()).toISOString(), oneOf(pick, [20, 300, 1440]))),
  async ({ pick }) => t.clock.set(later(new Date(t.clock.now()).toISOString(), oneOf(pick, [600, 1440, 2880]))),
  cancelAsTold,
  deskCancels,
  takeAtTill,
  takeAtTill,
  credit,
  (course) => self(course, 'PUT', '/reschedule', { startsAt: wall(`2026-11-2${5 + course.pick(3)}T14:00`) }),
  async (course) => {
    if ((await self(course, 'POST', '/payments', {})).status === 201) course.pages.push(await lastCheckout(t, course.id))
  },
  async ({ pages, pick }) => {
    const page = pages.pop()
    if (page) await tells(t, page, oneOf(pick, ['paid', 'cancelled'] as const))
  },
  (course) => desk(course, 'PUT', `/appointments/${course.id}/attendance`, { attendance: oneOf(course.pick, ['no_show', 'arrived']) }),
  async (course) => {
    const fee = await idOf(sql`select id from fees where appointment_id = ${course.id}`)
    if (fee && course.pick(2) === 0) await desk(course, 'PUT', `/fees/${fee}/waive`, { reason: 'A regular' })
    else if (fee) await desk(course, 'POST', `/fees/${fee}/charge`, {})
  },
  ({ held, id, ...course }) => desk(course, 'POST', `/appointments/${id}/session`, { clientPackageId: held }),
  work,
]

it.each(Array.from({ length: courses }, (_, n) => first + n))(
  'is as it was told, and never more than the price: course %i',
  async (seed) => {
    const course = await begin(seed)
    for (let n = 0; n < stepsOfCourse; n++) await oneOf(course.pick, steps)(course)
    await work()
    const { left, sessions, kept, charged } = await moved(course)
    expect(Math.min(left, sessions)).toBeGreaterThanOrEqual(0)
    expect(kept + charged).toBeLessThanOrEqual(price)
    await isBalanced(t)
  },
)

/** Deposits of visits that are changed by more than their client: a day that is given up, classes, other times, and times that were waited for. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { ProposalRow } from '@soigne/contract/rearranging'
import { setLeave } from '#/features/diary-entries/service.ts'
import { cancelSession, openSession } from '#/features/group-sessions/service.ts'
import { cancelled, later, readVisit, tryHold, wall } from '#/testing/booking.ts'
import { diaryOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, isBalanced, lastCheckout, paidVisit, tells } from '#/testing/paid-visits.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

const now = '2026-11-20T11:00:00Z'
const tuesday = '2026-11-24'
const ten = wall(`${tuesday}T10:00`)
const list = '/api/v1/secure/mysalon/rearrangements'
const waiting = '/api/v1/secure/waiting'

let t: TestApp
let owner: MadeUser
beforeAll(async () => {
  t = await openTestApp({ at: now })
})
afterAll(() => t.close())
beforeEach(async () => {
  t.clock.set(now)
  owner = await makeUser(t.db, { role: 'isPro' })
})

async function salonThat(more: Parameters<typeof makeInstitute>[1]): Promise<MadeInstitute> {
  const institute = await makeInstitute(t.db, { ownerId: owner.id, members: 1, cancelWindow: 1440, rescheduleWindow: 1440, ...more })
  await asksFor(t, institute, 'fixed', 1500)
  return institute
}
const cut = { services: [{ name: 'Cut', active: 60, price: 4200 }] }
/** What was paid for a visit, what went back of it, and its refunds. */
async function moneyOf(id: string): Promise<{ came: number; back: number; refunds: unknown[] }> {
  const { rows } = await sql<{ came: number; back: number }>`select coalesce(sum(amount) filter (where kind <> 'refund'), 0)::int as came,
    coalesce(sum(amount) filter (where kind = 'refund'), 0)::int as back from payments where sale_id = ${id}`.execute(t.db)
  const refunds = await sql`select amount, reason, state from refunds where appointment_id = ${id}`.execute(t.db)
  return { came: rows[0]?.came ?? 0, back: rows[0]?.back ?? 0, refunds: refunds.rows }
}
const given = (amount: number) => ({
  came: amount,
  back: amount,
  refunds: [{ amount, reason: 'cancelled_by_institute', state: 'done' }],
})
const stayed = { came: 1500, back: 0, refunds: [] }
const settle = async (): Promise<void> => {
  for (let turn = 0; turn < 3; turn++) await t.drainJobs()
}
/** What an institute does is told, and paid back, when it can be taken back no more. */
async function laterTold(): Promise<void> {
  t.clock.set(later(new Date(t.clock.now()).toISOString(), 5))
  await t.jobs['tell_of_changes']?.({})
  await settle()
  await isBalanced(t)
}
const answer = (user: MadeUser, id: string, what: 'accept' | 'decline'): Promise<TestAnswer> =>
  t.inject('PUT', `/api/v1/secure/appointments/${id}/proposal/${what}`, { token: user.token })

describe('a day is given up', () => {
  const away = (institute: MadeInstitute) =>
    setLeave(t.context, diaryOf(institute), {
      memberId: institute.members[0] ?? '',
      kind: 'sick_leave',
      fromDay: tuesday,
      toDay: tuesday,
    })
  const rowsOf = async (): Promise<ProposalRow[]> =>
    (await t.inject('GET', `${list}/proposals`, { token: owner.token })).body['items'] as unknown as ProposalRow[]
  const send = async (items: object[]): Promise<void> => {
    const { status, text } = await t.inject('POST', list, { token: owner.token, body: { items } })
    if (status !== 201) throw new Error(text)
  }

  it('every visit of it that is cancelled is paid back whole, deposit or all, also after the free time', async () => {
    const institute = await salonThat(cut)
    const visits: [string, number][] = []
    const paidAll = await makeUser(t.db)
    for (const [hour, pay, amount] of [
      ['10:00', 'deposit', 1500],
      ['12:00', 'all', 4200],
      ['14:00', 'deposit', 1500],
    ] as const)
      visits.push([
        await paidVisit(t, pay === 'all' ? paidAll : await makeUser(t.db), institute, { startsAt: wall(`${tuesday}T${hour}`), pay }),
        amount,
      ])
    t.clock.set(wall('2026-11-23T20:00'))
    await away(institute)
    await send(visits.map(([id]) => ({ appointmentId: id, how: 'cancel' })))
    await laterTold()
    for (const [id, amount] of visits) expect(await moneyOf(id)).toEqual(given(amount))
    await laterTold()
    for (const [id, amount] of visits) expect(await moneyOf(id)).toEqual(given(amount))
    // What was invoiced is taken back by a credit note; each of the two is sent once.
    const sent = (await t.mails(paidAll.email)).filter(({ attachments }) => attachments[0]?.contentType === 'application/pdf')
    expect(sent.map(({ kind }) => kind).toSorted()).toEqual(['credit_note', 'invoice'])
  })

  it('another time is proposed and taken: the deposit stays; declined, it goes back with the visit', async () => {
    const institute = await salonThat(cut)
    const [anna, ben] = [await makeUser(t.db), await makeUser(t.db)]
    const taken = await paidVisit(t, anna, institute, { startsAt: ten })
    const declined = await paidVisit(t, ben, institute, { startsAt: wall(`${tuesday}T14:00`) })
    await away(institute)
    const items = (await rowsOf()).map(({ visit, options: [first] }) => ({
      appointmentId: visit._id,
      how: 'propose',
      startsAt: first?.startsAt,
      staff: first?.staff.map(({ staffId }) => staffId),
    }))
    expect(items).toHaveLength(2)
    await send(items)
    await settle()
    const accepted = await answer(anna, taken, 'accept')
    expect(accepted.status, accepted.text).toBe(200)
    expect((await answer(ben, declined, 'decline')).status).toBe(200)
    await laterTold()
    expect(await moneyOf(taken)).toEqual(stayed)
    const moved = await readVisit(t, anna, taken)
    expect([moved.status, moved.startsAt]).toEqual(['deposit_paid', items.find(({ appointmentId }) => appointmentId === taken)?.startsAt])
    expect((await readVisit(t, ben, declined)).status).toBe('cancelled')
    expect(await moneyOf(declined)).toEqual(given(1500))
  })
})

describe('a class', () => {
  it('has a deposit for each seat: one who cancels in time has theirs back, the others when the class is given up', async () => {
    const studio = await salonThat({ services: [{ name: 'Yoga', active: 60, capacity: 3, price: 2400 }] })
    const diary = diaryOf(studio)
    const session = await openSession(t.context, diary, {
      serviceId: studio.services[0] ?? '',
      memberId: studio.members[0] ?? '',
      startsAt: ten,
    })
    const people = [await makeUser(t.db), await makeUser(t.db), await makeUser(t.db)]
    const seats: string[] = []
    for (const one of people) seats.push(await paidVisit(t, one, studio, { startsAt: ten }))
    expect((await tryHold(t, await makeUser(t.db), studio, { startsAt: ten })).status).toBe(409)
    const [first = '', ...rest] = seats
    await cancelled(t, people[0] ?? owner, first)
    await isBalanced(t)
    expect((await moneyOf(first)).refunds).toEqual([{ amount: 1500, reason: 'cancelled_by_client', state: 'done' }])
    for (const id of rest) expect(await moneyOf(id)).toEqual(stayed)
    await cancelSession(t.context, diary, session.id, null)
    await laterTold()
    for (const id of rest) expect(await moneyOf(id)).toEqual(given(1500))
    expect((await moneyOf(first)).back).toBe(1500)
  })
})

describe('a time that was waited for', () => {
  const join = async (user: MadeUser, institute: MadeInstitute, more: object = {}): Promise<string> => {
    const { status, body, text } = await t.inject('POST', waiting, {
      token: user.token,
      body: { instituteId: institute.id, services: [{ serviceId: institute.services[0] }], fromDay: tuesday, toDay: tuesday, ...more },
    })
    if (status !== 201) throw new Error(text)
    return String(body['_id'])
  }
  const offered = async (): Promise<void> => {
    await settle()
    await t.jobs['offer_waiting']?.({})
    await settle()
  }
  /** One chair for an hour; whoever had it gives it up. */
  const fallsFree = async () => {
    const institute = await salonThat({ ...cut, opensAt: 600, closesAt: 660 })
    const [holder, waits] = [await makeUser(t.db), await makeUser(t.db)]
    const visit = await paidVisit(t, holder, institute, { startsAt: ten })
    return { institute, holder, waits, visit }
  }

  it('is paid first and then theirs; whoever gave it up has their deposit back', async () => {
    const { institute, holder, waits, visit } = await fallsFree()
    const entry = await join(waits, institute)
    await cancelled(t, holder, visit)
    await offered()
    const accepted = await t.inject('PUT', `${waiting}/${entry}/accept`, { token: waits.token })
    expect(accepted.status, accepted.text).toBeLessThan(300)
    const holdId = String(accepted.body['_id'])
    expect(accepted.body['payment'], accepted.text).toBeDefined()
    await tells(t, await lastCheckout(t, holdId), 'paid')
    await settle()
    await isBalanced(t)
    expect((await readVisit(t, waits, holdId)).status).toBe('deposit_paid')
    expect(await moneyOf(holdId)).toEqual(stayed)
    expect((await moneyOf(visit)).back).toBe(1500)
    const { rows } = await sql`select state from waiting_entries where id = ${entry}`.execute(t.db)
    expect(rows).toEqual([{ state: 'taken' }])
  })

  it('takes the place of their own visit with its deposit: nothing is charged twice, nothing goes back', async () => {
    const { institute, holder, waits, visit } = await fallsFree()
    const own = await paidVisit(t, waits, institute, { startsAt: wall('2026-11-25T10:00') })
    const entry = await join(waits, institute, { visitId: own })
    await cancelled(t, holder, visit)
    await offered()
    const accepted = await t.inject('PUT', `${waiting}/${entry}/accept`, { token: waits.token })
    expect(accepted.status, accepted.text).toBe(200)
    await settle()
    await isBalanced(t)
    const now = await readVisit(t, waits, own)
    expect([now.status, now.startsAt]).toEqual(['deposit_paid', ten])
    expect(await moneyOf(own)).toEqual(stayed)
  })
})

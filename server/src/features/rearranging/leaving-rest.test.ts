/** Somebody works with a client already, and whoever comes next is late: the client may leave what has not begun. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { later, readVisit, refused, tryHold, wall } from '#/testing/booking.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { asksFor, charges, isBalanced, lastCheckout, paidVisit, tells } from '#/testing/paid-visits.ts'
import { openTestApp, type TestAnswer, type TestApp } from '#/testing/test-app.ts'

let t: TestApp
const at = (time: string): string => wall(`2026-12-05T${time}`)
beforeAll(async () => {
  t = await openTestApp({ at: at('11:00') })
})
afterAll(() => t.close())

let owner: MadeUser
let anna: MadeUser
let salon: MadeInstitute
const [colour, blowDry, massage] = [0, 1, 2]
const [nora, karim] = [0, 1]
type Lines = [number, number][]
const colourAndBlowDry: Lines = [
  [colour, nora],
  [blowDry, karim],
]

beforeEach(async () => {
  t.clock.set(at('11:00'))
  owner = await makeUser(t.db, { role: 'isPro' })
  anna = await makeUser(t.db)
  salon = await makeInstitute(t.db, {
    name: 'Atelier Mimosa',
    ownerId: owner.id,
    members: 2,
    cancelWindow: 1440,
    services: [
      { name: 'Root colour', active: 100, after: 0, price: 6800 },
      { name: 'Blow-dry', active: 40, price: 3000 },
      { name: 'Scalp massage', active: 20, price: 1200 },
    ],
  })
})

const book = async (lines = colourAndBlowDry, pay: 'deposit' | 'all' = 'deposit'): Promise<string> => {
  await asksFor(t, salon, 'percent', 30)
  const id = await paidVisit(t, anna, salon, { startsAt: at('14:00'), lines, pay })
  await settled()
  return id
}
const isLate = async (minutes = 20, member = salon.members[karim]): Promise<TestAnswer> =>
  t.inject('POST', `/api/v1/secure/mysalon/staff/${member}/late`, { token: owner.token, body: { minutes } })
const own = (id: string): string => `/api/v1/secure/appointments/${id}/proposal`
const lateFor = async (id: string) => (await t.inject('GET', own(id), { token: anna.token })).body['late']
const leave = (id: string, { token } = anna, key?: string): Promise<TestAnswer> =>
  t.inject('PUT', `${own(id)}/decline`, { token, ...(key !== undefined && { headers: { 'idempotency-key': key } }) })
async function settled(): Promise<void> {
  for (let turn = 0; turn < 3; turn++) await t.drainJobs()
  await isBalanced(t)
}
const returned = async (id: string): Promise<number[]> =>
  (await sql<{ amount: number }>`select amount from refunds where appointment_id = ${id} order by made_at`.execute(t.db)).rows.map(
    ({ amount }) => amount,
  )
const attends = async (id: string, attendance: string): Promise<void> => {
  const { status, text } = await t.inject('PUT', `/api/v1/secure/mysalon/appointments/${id}/attendance`, {
    token: owner.token,
    body: { attendance },
  })
  expect(status, text).toBe(200)
}
const money = (amount: number) => ({ amount, currency: 'EUR' })

describe('Anna, whose colour is under way when Karim says that he is twenty minutes late', () => {
  it('[E-12] leaves the blow-dry free of charge: the colour stays, and the share of what was paid goes back', async () => {
    const id = await book()
    t.clock.set(at('15:30'))
    await attends(id, 'in_service')
    await isLate()
    await settled()
    const [told] = (await t.mails(anna.email)).filter(({ kind }) => kind === 'visit_late')
    expect(told?.text).toContain('Blow-dry is expected to begin at 16:00 instead of 15:40')
    expect(told?.text).toContain('leave out what has not begun')
    // 30.00 of 98.00 of 29.40 are 9.00.
    expect(await lateFor(id)).toEqual({
      startsAt: at('15:40'),
      expectedAt: at('16:00'),
      minutes: 20,
      canLeave: true,
      leaving: { isWhole: false, services: ['Blow-dry'], refunded: money(900), total: money(6800) },
    })
    const { status, body, text } = await leave(id)
    expect(status, text).toBe(200)
    expect(body).toMatchObject({
      status: 'deposit_paid',
      startsAt: at('14:00'),
      endsAt: at('15:40'),
      total: money(6800),
      segments: [{ serviceName: 'Root colour', startsAt: at('14:00') }],
    })
    await settled()
    expect(await returned(id)).toEqual([900])
    const free = await tryHold(t, await makeUser(t.db), salon, { startsAt: at('15:40'), lines: [[blowDry, karim]] })
    expect(free.status, free.text).toBe(201)
    expect((await t.mails(anna.email)).find(({ kind }) => kind === 'visit_shortened')?.text).toContain('€9 goes back to you')
    expect(await lateFor(id)).toBe(null)
    // Whoever has left waits no more, and is not told that it is on time after all.
    const { body: late } = await t.inject('GET', '/api/v1/secure/mysalon/late', { token: owner.token })
    expect(late['items']).toMatchObject([{ affected: [] }])
    await t.inject('DELETE', `/api/v1/secure/mysalon/staff/${salon.members[karim]}/late`, { token: owner.token })
    await settled()
    expect((await t.mails(anna.email)).map(({ kind }) => kind)).not.toContain('visit_on_time')
  })

  it('may until it begins, which is later than planned; once, and nobody else for her', async () => {
    const id = await book()
    t.clock.set(at('15:30'))
    await isLate()
    expect(refused(await leave(id, await makeUser(t.db)))).toEqual([404, 'not_found'])
    t.clock.set(at('15:50'))
    expect(await lateFor(id)).toMatchObject({ canLeave: true })
    const [one, other] = await Promise.all([leave(id, anna, 'leave-once'), leave(id, anna, 'leave-once')])
    expect([one.status, other.status, other.text]).toEqual([200, 200, one.text])
    expect(refused(await leave(id))).toEqual([409, 'wrong_state'])
    await settled()
    expect(await returned(id)).toEqual([900])
  })

  it('stays when it has begun, or nobody is late', async () => {
    const id = await book()
    t.clock.set(at('15:30'))
    expect(refused(await leave(id))).toEqual([409, 'wrong_state'])
    await isLate()
    t.clock.set(at('16:00'))
    expect(await lateFor(id)).toBe(null)
    expect(refused(await leave(id))).toEqual([409, 'wrong_state'])
    expect(await returned(id)).toEqual([])
  })

  it('leaves all that comes after it too, with fees in proportion; what was kept of her time goes on', async () => {
    await charges(t, salon, { late: { percent: 50 } })
    const id = await book([...colourAndBlowDry, [massage, nora]])
    t.clock.set(at('15:10'))
    await isLate()
    expect(await lateFor(id)).toMatchObject({
      leaving: { services: ['Blow-dry', 'Scalp massage'], refunded: money(1260), total: money(6800) },
    })
    await leave(id)
    await settled()
    expect((await returned(id)).reduce((sum, one) => sum + one, 0)).toBe(1260)
    expect((await readVisit(t, anna, id)).segments.map(({ serviceName }) => serviceName)).toEqual(['Root colour'])
    const { rows } =
      await sql`select a.total_amount as total, a.deposit_amount as deposit, f.late_amount as late, jsonb_array_length(a.cart) as services
      from appointments a join fee_terms f on f.appointment_id = a.id where a.id = ${id}`.execute(t.db)
    expect(rows).toEqual([{ total: 6800, deposit: 2040, late: 3400, services: 1 }])
    const taken = await tryHold(t, await makeUser(t.db), salon, { startsAt: at('15:20'), lines: [[massage, nora]] })
    expect(taken.body).toMatchObject({ details: { reason: 'taken' } })
    const free = await tryHold(t, await makeUser(t.db), salon, { startsAt: later(at('15:40'), 40), lines: [[massage, nora]] })
    expect(free.status, free.text).toBe(201)
  })

  it.each([
    {
      idle: 20,
      said: '15:30',
      before: [
        ['14:00', '14:30'],
        ['14:50', '16:20'],
      ],
      after: [
        ['14:00', '14:30'],
        ['14:50', '15:50'],
      ],
    },
    {
      idle: 40,
      said: '14:10',
      before: [['14:00', '15:50']],
      after: [
        ['14:00', '14:30'],
        ['15:10', '15:50'],
      ],
    },
  ])(
    'keeps the hands of the colour around a pause of $idle, and the clean-up, not what went after or into it',
    async ({ idle, said, before, after }) => {
      await sql`update services set active_minutes = 30, idle_minutes = ${idle}::int, active_after_minutes = ${70 - idle}::int, buffer_after_minutes = 10
      where id = ${salon.services[colour] ?? ''}`.execute(t.db)
      const id = await book([
        [colour, nora],
        [blowDry, nora],
      ])
      const taken = async () =>
        (
          await sql<{ from: Date; to: Date }>`select lower(during) as from, upper(during) as to from occupations
          where appointment_id = ${id} and subject_kind = 'member' order by during`.execute(t.db)
        ).rows.map(({ from, to }) => [from, to].map((one) => new Date(one).toISOString()))
      const walls = (times: string[][]) => times.map((pair) => pair.map(at))
      expect(await taken()).toEqual(walls(before))
      t.clock.set(at(said))
      await isLate(20, salon.members[nora])
      expect((await leave(id)).body).toMatchObject({ endsAt: at('15:40'), segments: [{ serviceName: 'Root colour' }] })
      expect(await taken()).toEqual(walls(after))
    },
  )

  it('that was put over another visit on purpose keeps its place there, and its reason', async () => {
    const id = await book()
    await sql`with gone as (delete from occupations where appointment_id = ${id} returning *)
      insert into soft_occupations (institute_id, kind, appointment_id, subject_kind, subject_id, during, reason, actor)
        select institute_id, 'overbooked', appointment_id, subject_kind, subject_id, during, 'A friend', '{"kind":"system"}' from gone`.execute(
      t.db,
    )
    t.clock.set(at('15:30'))
    await isLate()
    expect((await leave(id)).body).toMatchObject({ endsAt: at('15:40') })
    const { rows } = await sql`select subject_id = ${salon.members[nora] ?? ''} as "isNora", upper(during) as until, reason
      from soft_occupations where appointment_id = ${id} and subject_kind = 'member'`.execute(t.db)
    expect(rows).toEqual([{ isNora: true, until: at('15:40'), reason: 'A friend' }])
  })

  it('before it begins she gives up all of it, as ever, and is told what comes back', async () => {
    const id = await book()
    t.clock.set(at('13:50'))
    await isLate(120)
    expect(await lateFor(id)).toMatchObject({
      canLeave: true,
      leaving: { isWhole: true, services: ['Root colour', 'Blow-dry'], refunded: money(2940), total: money(0) },
    })
    expect((await leave(id)).body).toMatchObject({ status: 'cancelled' })
    await settled()
    expect(await returned(id)).toEqual([2940])
  })

  it('gets back the whole price of it where all was paid, by a credit note', async () => {
    const id = await book(colourAndBlowDry, 'all')
    t.clock.set(at('15:30'))
    await isLate()
    expect(await lateFor(id)).toMatchObject({ leaving: { refunded: money(3000), total: money(6800) } })
    const left = await leave(id)
    expect(left.body, left.text).toMatchObject({ status: 'completed', total: money(6800) })
    await settled()
    expect(await returned(id)).toEqual([3000])
    const { rows } = await sql`select kind, total from documents where sale_id = ${id} order by number`.execute(t.db)
    expect(rows).toMatchObject([
      { kind: 'invoice', total: 9800 },
      { kind: 'credit_note', total: -3000 },
    ])
  })

  it('gets it back both ways where the deposit was paid one way and the rest another', async () => {
    const id = await book()
    t.clock.set(at('12:00'))
    const { status, text } = await t.inject('POST', `/api/v1/secure/appointments/${id}/payments`, {
      token: anna.token,
      body: { paymentMethod: 'paypal' },
    })
    expect(status, text).toBe(201)
    await tells(t, await lastCheckout(t, id), 'paid')
    // All but 10.00 of the greater part has gone back before.
    const sales = `/api/v1/secure/mysalon/sales/${id}`
    const [line] = (await t.inject('GET', sales, { token: owner.token })).body['lines'] as unknown as { _id: string }[]
    const back = { lines: [{ _id: line?._id, amount: 5860 }], method: 'paypal', reason: 'A gift' }
    const gone = await t.inject('POST', `${sales}/credit-notes`, { token: owner.token, body: back })
    expect(gone.status, gone.text).toBe(201)
    await settled()
    t.clock.set(at('15:30'))
    await isLate()
    expect(await lateFor(id)).toMatchObject({ leaving: { refunded: money(3000) } })
    const left = await leave(id)
    expect(left.status, left.text).toBe(200)
    await settled()
    expect((await returned(id)).toSorted((one, other) => one - other)).toEqual([1000, 2000, 5860])
  })
})

import type { Appointment } from '@soigne/contract/appointments'
import type { Calls } from '@soigne/contract/calls'
import type { Answer } from '@soigne/contract/define'
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { bookVisit, detailsOf, later, overlaps, readVisit, refused, tryMove, visitsPath, wall } from '#/testing/booking.ts'
import { eventsOf, summaryIsTrue } from '#/testing/diary.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import type { TestAnswer, TestApp } from '#/testing/test-app.ts'

// A Tuesday two weeks before the clocks of Paris go forward on 28 March 2027.
const now = '2027-03-12T11:00:00Z'
const first = wall('2027-03-16T10:00')

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
eachWithInstitute({ at: now, institute: { members: 2, cancelWindow: 1440, horizon: 200 } }, (world) => ({ t, institute, client } = world))

type Plan = Answer<Calls['seriesPlan']>
type Made = Answer<Calls['makeSeries']>

const book = (at = institute, startsAt = first): Promise<Appointment> => bookVisit(t, client, at, { startsAt, lines: [[0, 0]] })
const tryPlan = (id: string, everyWeeks: number, times: number, user = client): Promise<TestAnswer> =>
  t.inject('GET', `${visitsPath}/${id}/series/plan?everyWeeks=${everyWeeks}&times=${times}`, { token: user.token })
async function planOf(id: string, everyWeeks: number, times: number): Promise<Plan> {
  const answer = await tryPlan(id, everyWeeks, times)
  expect(answer.status).toBe(200)
  return answer.body as unknown as Plan
}
const tryMake = (id: string, startsAt: readonly string[], { user = client, key = '' } = {}): Promise<TestAnswer> =>
  t.inject('POST', `${visitsPath}/${id}/series`, {
    token: user.token,
    body: { everyWeeks: 1, startsAt },
    ...(key && { headers: { 'idempotency-key': key } }),
  })
async function make(id: string, startsAt: readonly string[]): Promise<Made> {
  const answer = await tryMake(id, startsAt)
  expect(answer.text).toContain('"made"')
  return answer.body as unknown as Made
}
const cancelFrom = (id: string, user = client): Promise<TestAnswer> =>
  t.inject('PUT', `${visitsPath}/${id}/series/cancel`, { token: user.token })
const close = (day: string) =>
  sql`insert into closures (institute_id, from_day, to_day) values (${institute.id}, ${day}, ${day})`.execute(t.db)
const weeksOn = (...days: string[]): string[] => days.map((day) => wall(`${day}T10:00`))
/** Letters to both sides about the series as a whole: kind, subject and text, newest first. */
async function letters(): Promise<[kind: string, subject: string, text: string][]> {
  const both = [...(await t.mails(client.email)), ...(await t.mails(`${institute.slug}@team.test`))]
  return both.map(({ kind, subject, text }) => [kind, subject, text ?? ''])
}
/** Where the institute reads its mail. */
const withMail = () => sql`update institutes set email = ${`${institute.slug}@team.test`} where id = ${institute.id}`.execute(t.db)

describe('a series before it is made [day 5.23]', () => {
  it('keeps the wall hour over the change of the clocks, and names each visit with its price; nothing is written', async () => {
    const visit = await book()
    const { timeZone, items } = await planOf(visit._id, 1, 4)
    expect(timeZone).toBe('Europe/Paris')
    expect(items.map(({ startsAt, conflict }) => [startsAt, conflict])).toEqual(
      weeksOn('2027-03-23', '2027-03-30', '2027-04-06').map((at) => [at, null]),
    )
    // The week of the change has an hour less.
    expect(Date.parse(items[1]?.startsAt ?? '') - Date.parse(items[0]?.startsAt ?? '')).toBe((7 * 24 - 1) * 3_600_000)
    expect(items.map(({ total, segments }) => [total?.amount, segments[0]?.staffId])).toEqual(items.map(() => [3500, institute.members[0]]))
    const { rows } = await sql`select from appointments where user_id = ${client.id}`.execute(t.db)
    expect(rows).toHaveLength(1)
  })

  it('names what stands in the way of each, with free times near to it that no other visit of it has', async () => {
    const visit = await book()
    await close('2027-03-23')
    await bookVisit(t, await makeUser(t.db), institute, { startsAt: wall('2027-03-30T10:00'), lines: [[0, 0]] })
    const { items } = await planOf(visit._id, 1, 4)
    expect(items.map(({ conflict }) => conflict)).toEqual(['The institute is closed that day.', 'This time is taken.', null])
    const [closed, taken] = items
    expect(closed?.nearest.length).toBeGreaterThan(0)
    expect(closed?.nearest.every(({ startsAt }) => !startsAt.startsWith('2027-03-23'))).toBe(true)
    expect(taken?.nearest.map(({ startsAt }) => startsAt)).toContain(wall('2027-03-30T10:40'))
    expect(taken?.nearest[0]?.startsAt).not.toBe(closed?.nearest[0]?.startsAt)
  })

  it('is for visits that lie ahead, of one’s own, and says when a service is gone', async () => {
    const visit = await book()
    const stranger = await makeUser(t.db)
    expect(refused(await tryPlan(visit._id, 1, 4, stranger))).toEqual([404, 'not_found'])
    expect(refused(await tryMake(visit._id, weeksOn('2027-03-23'), { user: stranger }))).toEqual([404, 'not_found'])
    expect(refused(await tryPlan(visit._id, 9, 4))).toEqual([400, 'bad_input'])
    expect(refused(await tryPlan(visit._id, 1, 13))).toEqual([400, 'bad_input'])
    await sql`delete from member_services where service_id = ${institute.services[0]}`.execute(t.db)
    await sql`update services set active = false where id = ${institute.services[0]}`.execute(t.db)
    expect(refused(await tryPlan(visit._id, 1, 4))).toEqual([422, 'not_offered'])
    t.clock.set(later(first, 60))
    expect(refused(await tryPlan(visit._id, 1, 4))).toEqual([409, 'wrong_state'])
  })
})

describe('making a series', () => {
  it('makes real visits, each with its own terms and the price of today, and tells both sides once', async () => {
    await withMail()
    const visit = await book()
    await letters()
    await sql`update services set price_amount = 4000 where id = ${institute.services[0]}`.execute(t.db)
    const { made, missed } = await make(visit._id, weeksOn('2027-03-23', '2027-03-30', '2027-04-06'))
    expect(missed).toEqual([])
    expect(made.map(({ startsAt, total, terms }) => [startsAt, total.amount, terms.freeUntil])).toEqual(
      weeksOn('2027-03-23', '2027-03-30', '2027-04-06').map((at) => [at, 4000, later(at, -1440)]),
    )
    expect(await readVisit(t, client, made[1]?._id ?? '')).toMatchObject({ status: 'pending', canCancel: true, canReschedule: true })
    const told = await letters()
    expect(told.map(([kind, subject]) => [kind, subject])).toEqual([
      ['series_made', 'Booked: 3 more visits at Atelier Test'],
      ['visit_booked', expect.any(String)],
      ['institute_series_made', expect.stringMatching(/^New booking: 3 repeated visits, /)],
      ['institute_visit_booked', expect.any(String)],
    ])
    expect(told[0]?.[2]).toContain('Tuesday 30 March 2027, 10:00–10:40 · €40')
    expect(told[2]?.[2]).toContain(`/mysalon/appointments/calendar?day=2027-03-23&visit=${made[0]?._id}`)
    const { rows: reminders } = await sql`select from reminders where appointment_id = ${made[2]?._id}`.execute(t.db)
    expect(reminders.length).toBeGreaterThan(0)
    const { items } = (await t.inject('GET', '/api/v1/secure/notifications', { token: client.token })).body as unknown as {
      items: { message: string }[]
    }
    expect(items.map(({ message }) => message.endsWith('And 2 more visits.'))).toEqual([true, false])
    const kinds = (await eventsOf(t.db, institute)).map(({ kind }) => kind)
    expect(kinds.slice(-4)).toEqual(['visit.booked', 'visit.booked', 'visit.booked', 'series.made'])
    expect(await overlaps(t.db)).toBe(0)
    await summaryIsTrue(t, institute)
  })

  it('answers what somebody else was faster with apart, and loses nothing else', async () => {
    const visit = await book()
    await bookVisit(t, await makeUser(t.db), institute, { startsAt: wall('2027-03-30T10:00'), lines: [[0, 0]] })
    const { made, missed } = await make(visit._id, weeksOn('2027-03-23', '2027-03-30', '2027-04-06'))
    expect(made.map(({ startsAt }) => startsAt)).toEqual(weeksOn('2027-03-23', '2027-04-06'))
    expect(missed.map(({ startsAt, conflict }) => [startsAt, conflict])).toEqual([[wall('2027-03-30T10:00'), 'This time is taken.']])
    expect(missed[0]?.nearest.map(({ startsAt }) => startsAt)).toContain(wall('2027-03-30T10:40'))
    const again = await make(visit._id, [wall('2027-03-30T10:40')])
    expect(again.made.map(({ startsAt }) => startsAt)).toEqual([wall('2027-03-30T10:40')])
  })

  it('of two people at once gives each visit to one of them', async () => {
    const other = await makeUser(t.db)
    const mine = await book()
    const theirs = await bookVisit(t, other, institute, { startsAt: later(first, 40), lines: [[0, 0]] })
    const days = weeksOn('2027-03-23', '2027-03-30', '2027-04-06')
    const answers = await Promise.all([tryMake(mine._id, days), tryMake(theirs._id, days, { user: other })])
    const both = answers.map(({ body }) => body as unknown as Made)
    expect(both.flatMap(({ made }) => made.map(({ startsAt }) => startsAt)).toSorted()).toEqual(days)
    expect(both.flatMap(({ missed }) => missed.map(({ startsAt }) => startsAt)).toSorted()).toEqual(days)
    expect(await overlaps(t.db)).toBe(0)
  })

  it('is done once under one key, also when it is sent twice at the same moment', async () => {
    const visit = await book()
    const days = weeksOn('2027-03-23', '2027-03-30')
    const answers = await Promise.all([tryMake(visit._id, days, { key: 'once' }), tryMake(visit._id, days, { key: 'once' })])
    expect(answers.map(({ status }) => status)).toEqual([200, 200])
    expect(answers[1]?.body).toEqual(answers[0]?.body)
    const { rows } = await sql`select from appointments where user_id = ${client.id}`.execute(t.db)
    expect(rows).toHaveLength(3)
    expect(refused(await tryMake(visit._id, weeksOn('2027-04-06'), { key: 'once' }))).toEqual([409, 'idempotency_conflict'])
  })

  it('does not count as holding, but has an end of its own', async () => {
    const quiet = await makeInstitute(t.db, { horizon: 200 })
    const visits = []
    for (const minutes of [0, 40, 80, 120])
      visits.push(await bookVisit(t, client, quiet, { startsAt: later(first, minutes), lines: [[0, 0]] }))
    const weeks = Array.from({ length: 11 }, (_, n) => n + 1)
    const startsFor = (visit: Appointment): string[] =>
      weeks.map((n) =>
        Temporal.Instant.from(visit.startsAt)
          .toZonedDateTimeISO('Europe/Paris')
          .add({ weeks: n })
          .toInstant()
          .toString({ fractionalSecondDigits: 3 }),
      )
    const counts = []
    for (const visit of visits.slice(0, 3)) counts.push((await make(visit._id, startsFor(visit))).made.length)
    expect(counts).toEqual([11, 11, 11])
    const last = visits[3] as Appointment
    expect(refused(await tryMake(last._id, startsFor(last)))).toEqual([422, 'too_many_repeats'])
  })
})

describe('a series of visits that are paid for first', () => {
  it('is refused, looked at and made, so that nobody books around the deposit; with nothing to pay first it is made', async () => {
    const visit = await book()
    const asksFor = (percent: number | null) =>
      sql`update institutes set deposit_kind = ${percent === null ? 'none' : 'percent'}, deposit_percent = ${percent}, payment_methods = '{card}' where id = ${institute.id}`.execute(
        t.db,
      )
    await asksFor(30)
    expect(refused(await tryPlan(visit._id, 1, 3))).toEqual([422, 'deposit_needed'])
    expect(refused(await tryMake(visit._id, weeksOn('2027-03-23')))).toEqual([422, 'deposit_needed'])
    await asksFor(null)
    expect((await make(visit._id, weeksOn('2027-03-23'))).made).toHaveLength(1)
  })
})

describe('a series that was made', () => {
  it('is read from each of its visits, and stays one when it is continued', async () => {
    const visit = await book()
    const read = async (id: string) =>
      (await t.inject('GET', `${visitsPath}/${id}/series`, { token: client.token })).body as unknown as Answer<Calls['series']>
    expect(await read(visit._id)).toEqual({ everyWeeks: null, items: [] })
    const { made } = await make(visit._id, weeksOn('2027-03-23'))
    await make(made[0]?._id ?? '', weeksOn('2027-03-30'))
    const series = await read(made[0]?._id ?? '')
    expect(series.everyWeeks).toBe(1)
    expect(series.items.map(({ startsAt }) => startsAt)).toEqual(weeksOn('2027-03-16', '2027-03-23', '2027-03-30'))
  })

  it('is cancelled from a visit on, with one letter; the visit before stays, and so does what was moved before it', async () => {
    await withMail()
    const visit = await book()
    const { made } = await make(visit._id, weeksOn('2027-03-23', '2027-03-30', '2027-04-06'))
    const [second, third, fourth] = made.map(({ _id }) => _id)
    await tryMove(t, client, third ?? '', wall('2027-03-22T10:00'))
    await letters()
    const answer = await cancelFrom(second ?? '')
    expect(answer.status).toBe(200)
    const { cancelled, kept } = answer.body as unknown as Answer<Calls['cancelSeries']>
    expect([cancelled.map(({ _id }) => _id), kept]).toEqual([[second, fourth], []])
    expect((await readVisit(t, client, third ?? '')).status).toBe('pending')
    expect((await readVisit(t, client, visit._id)).status).toBe('pending')
    const told = (await letters()).filter(([kind]) => kind.includes('cancelled'))
    expect(told.map(([kind, subject]) => [kind, subject])).toEqual([
      ['series_cancelled', 'Cancelled: 2 visits at Atelier Test'],
      ['institute_series_cancelled', expect.stringMatching(/^Cancelled: 2 visits, /)],
    ])
    await bookVisit(t, await makeUser(t.db), institute, { startsAt: wall('2027-03-23T10:00'), lines: [[0, 0]] })
    await summaryIsTrue(t, institute)
  })

  it('keeps what its terms no longer let go, and says so', async () => {
    const visit = await book()
    const { made } = await make(visit._id, weeksOn('2027-03-23'))
    t.clock.set(later(first, -60))
    const answer = await cancelFrom(visit._id)
    const { cancelled, kept } = answer.body as unknown as Answer<Calls['cancelSeries']>
    expect([cancelled.map(({ _id }) => _id), kept.map(({ _id }) => _id)]).toEqual([[made[0]?._id], [visit._id]])
    const late = await cancelFrom(visit._id)
    expect(refused(late)).toEqual([422, 'too_late'])
    expect(detailsOf(late)).toHaveProperty('phone')
    expect(refused(await cancelFrom(visit._id, await makeUser(t.db)))).toEqual([404, 'not_found'])
  })
})

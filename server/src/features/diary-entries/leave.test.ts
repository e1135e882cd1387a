import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { noteFills, runFills } from '#/platform/fills.ts'
import { bookVisit, cancelled, detailsOf, hold, later, tryHold, wall } from '#/testing/booking.ts'
import { diaryOf, eventsOf, refusalOf, startsOffered, summaryIsTrue, wallOf } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { leaveFills } from './jobs.ts'
import { blockTime, type LeaveAsked, leaveHits, type LeaveSet, removeLeave, setLeave, unblockTime } from './service.ts'

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
const day = '2026-11-24'
const ten = wall(`${day}T10:00`)
const midnight = wall(`${day}T00:00`)
const nextMidnight = wall('2026-11-25T00:00')

beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())
beforeEach(async () => {
  institute = await makeInstitute(t.db, { members: 1 })
  client = await makeUser(t.db)
})

const ana = (): string => institute.members[0] ?? ''
const away = (more: Partial<LeaveAsked> = {}): Promise<LeaveSet> =>
  setLeave(t.context, diaryOf(institute), { memberId: ana(), kind: 'on_holiday', fromDay: day, toDay: day, ...more })
const indexIsTrue = (): Promise<void> => summaryIsTrue(t, institute)
const reckon = async (): Promise<void> => t.jobs['reckon_leave']?.({})
const visit = (startsAt = ten) => bookVisit(t, client, institute, { startsAt })

describe('a holiday', () => {
  it('takes its days in the wall, and nobody is booked there', async () => {
    const { id, hits } = await away()
    expect(hits).toEqual([])
    expect(await wallOf(t.db, ana())).toEqual([['leave', midnight, nextMidnight]])
    expect(await startsOffered(t, institute, day)).toEqual([])
    expect(detailsOf(await tryHold(t, client, institute, { startsAt: ten, lines: [[0, 0]] })).reason).toBe('on_leave')
    await indexIsTrue()
    await removeLeave(t.context, diaryOf(institute), id)
    expect(await wallOf(t.db, ana())).toEqual([])
    expect(await startsOffered(t, institute, day)).toContain(ten)
    await indexIsTrue()
    expect((await eventsOf(t.db, institute)).map(({ kind, payload }) => [kind, payload])).toEqual([
      ['leave.set', { memberId: ana(), kind: 'on_holiday', fromDay: day, toDay: day, opensAt: null, closesAt: null, visits: [] }],
      ['leave.removed', { memberId: ana(), kind: 'on_holiday', fromDay: day, toDay: day, opensAt: null, closesAt: null }],
    ])
  })

  it('is refused over a visit and a hold, which are named, and nothing is left of it', async () => {
    const booked = await visit()
    const held = await hold(t, client, institute, { startsAt: later(ten, 60) })
    const refusal = await refusalOf(away())
    expect([refusal.code, refusal.details]).toMatchObject([
      'time_taken',
      {
        taken: [
          { kind: 'visit', id: booked._id, customer: 'Nour Benali' },
          { kind: 'hold', id: held._id },
        ],
      },
    ])
    const { rows } = await sql`select from absences where member_id = ${ana()}`.execute(t.db)
    expect(rows).toEqual([])
    expect(await startsOffered(t, institute, day)).toContain(later(ten, 120))
  })

  it('may keep the visits it meets where that is wanted, and answers them', async () => {
    const booked = await visit()
    expect((await away({ keepsVisits: true })).hits).toMatchObject([{ kind: 'visit', id: booked._id }])
  })

  it('of some hours takes these, and a buffer does not reach into it', async () => {
    institute = await makeInstitute(t.db, { members: 1, services: [{ active: 40, bufferAfter: 20 }] })
    await away({ part: { opensAt: 720, closesAt: 840 } })
    expect(await wallOf(t.db, ana())).toEqual([['leave', wall(`${day}T12:00`), wall(`${day}T14:00`)]])
    const offered = await startsOffered(t, institute, day)
    expect(offered).toContain(wall(`${day}T11:00`))
    expect(offered).not.toContain(wall(`${day}T11:20`))
    // What is offered last before it can be had, buffers and all.
    await visit(wall(`${day}T11:00`))
  })

  it('is refused for days that are none, or turned around', async () => {
    for (const wrong of [{ fromDay: '2026-02-30' }, { toDay: '2026-11-23' }, { part: { opensAt: 800, closesAt: 700 } }])
      expect((await refusalOf(away(wrong))).code).toBe('bad_input')
  })

  it('of another institute’s member or absence is unknown', async () => {
    const other = diaryOf(await makeInstitute(t.db))
    const { id } = await away()
    const asked: LeaveAsked = { memberId: ana(), kind: 'on_holiday', fromDay: day, toDay: day }
    for (const work of [
      () => setLeave(t.context, other, asked),
      () => leaveHits(t.context, other, asked),
      () => removeLeave(t.context, other, id),
    ])
      expect((await refusalOf(work())).code).toBe('not_found')
  })
})

describe('sick leave', () => {
  it('takes what is free, answers what it hits, and takes the rest when that leaves', async () => {
    const booked = await visit()
    const held = await hold(t, client, institute, { startsAt: later(ten, 60) })
    const asked: LeaveAsked = { memberId: ana(), kind: 'sick_leave', fromDay: day, toDay: day }
    const only = await leaveHits(t.context, diaryOf(institute), asked)
    expect(await wallOf(t.db, ana())).toHaveLength(2)
    const { hits } = await away(asked)
    expect(hits).toEqual(only)
    expect(hits.map(({ kind, id }) => [kind, id])).toEqual([
      ['visit', booked._id],
      ['hold', held._id],
    ])
    expect(await wallOf(t.db, ana())).toEqual([
      ['leave', midnight, ten],
      ['visit', ten, later(ten, 40)],
      ['leave', later(ten, 40), later(ten, 60)],
      ['visit', later(ten, 60), later(ten, 100)],
      ['leave', later(ten, 100), nextMidnight],
    ])
    expect((await eventsOf(t.db, institute)).at(-1)).toMatchObject({ kind: 'leave.set', payload: { visits: [booked._id] } })
    await indexIsTrue()
    await cancelled(t, client, booked._id)
    expect((await wallOf(t.db, ana())).slice(0, 2)).toEqual([
      ['leave', midnight, later(ten, 60)],
      ['visit', later(ten, 60), later(ten, 100)],
    ])
    t.clock.advance(11 * 60_000)
    await t.jobs['tidy_bookings']?.({})
    expect(await wallOf(t.db, ana())).toEqual([['leave', midnight, nextMidnight]])
  })

  it('goes around blocked time, and has it when it is given back', async () => {
    const lunch = await blockTime(t.context, diaryOf(institute), {
      subject: { kind: 'member', id: ana() },
      startsAt: ten,
      endsAt: later(ten, 60),
    })
    // Blocked time stands in nobody's way who goes anyway.
    await away()
    expect((await wallOf(t.db, ana())).map(([kind]) => kind)).toEqual(['leave', 'blocked', 'leave'])
    await unblockTime(t.context, diaryOf(institute), lunch.id)
    expect(await wallOf(t.db, ana())).toEqual([['leave', midnight, nextMidnight]])
    const again = blockTime(t.context, diaryOf(institute), {
      subject: { kind: 'member', id: ana() },
      startsAt: ten,
      endsAt: later(ten, 60),
    })
    expect((await refusalOf(again)).details).toMatchObject({ taken: [{ kind: 'leave' }] })
  })

  it('may meet other leave of the same member; what is left of one stays when the other goes', async () => {
    const first = await away({ toDay: '2026-11-25' })
    const second = await away({ kind: 'sick_leave', toDay: '2026-11-26' })
    const days = (from: string, to: string) => ['leave', wall(`${from}T00:00`), wall(`${to}T00:00`)]
    expect(await wallOf(t.db, ana())).toEqual([days(day, '2026-11-26'), days('2026-11-26', '2026-11-27')])
    await removeLeave(t.context, diaryOf(institute), first.id)
    expect(await wallOf(t.db, ana())).toEqual([days(day, '2026-11-27')])
    await removeLeave(t.context, diaryOf(institute), second.id)
    expect(await wallOf(t.db, ana())).toEqual([])
  })
})

describe('leave in instants', () => {
  it('follows the zone of the institute', async () => {
    await away()
    await sql`update institutes set time_zone = 'America/Havana' where id = ${institute.id}`.execute(t.db)
    expect(await wallOf(t.db, ana())).toEqual([])
    await reckon()
    const at = (text: string) => wall(text, 'America/Havana')
    expect(await wallOf(t.db, ana())).toEqual([['leave', at(`${day}T00:00`), at('2026-11-25T00:00')]])
  })

  it('is that of Node where the database knows another clock', async () => {
    institute = await makeInstitute(t.db, { members: 1, timeZone: 'Africa/Casablanca' })
    for (const date of ['2026-09-10', '2026-12-10']) await away({ fromDay: date, toDay: date })
    const at = (text: string) => wall(text, 'Africa/Casablanca')
    expect(await wallOf(t.db, ana())).toEqual([
      ['leave', at('2026-09-10T00:00'), at('2026-09-11T00:00')],
      ['leave', at('2026-12-10T00:00'), at('2026-12-11T00:00')],
    ])
  })

  it('follows the shifts of the member: the night before is worked, the night after is not', async () => {
    await away()
    await sql`update rota_shifts set opens_at = 1200, closes_at = 1560 where institute_id = ${institute.id}`.execute(t.db)
    await sql`update opening_hours set opens_at = 1200, closes_at = 1560 where institute_id = ${institute.id}`.execute(t.db)
    await reckon()
    expect(await wallOf(t.db, ana())).toEqual([['leave', wall(`${day}T02:00`), wall('2026-11-25T02:00')]])
    // The end of Monday's shift can be booked.
    await visit(wall(`${day}T01:00`))
    await sql`insert into shift_overrides (member_id, institute_id, day, shifts) values (${ana()}, ${institute.id}, '2026-11-23', '[]')`.execute(
      t.db,
    )
    await reckon()
    expect(await wallOf(t.db, ana())).toEqual([
      ['leave', midnight, wall(`${day}T01:00`)],
      ['visit', wall(`${day}T01:00`), wall(`${day}T01:40`)],
      ['leave', wall(`${day}T01:40`), wall('2026-11-25T02:00')],
    ])
  })

  it('is reckoned by a job for absences that somebody wrote or deleted as rows', async () => {
    await sql`insert into absences (institute_id, member_id, kind, from_day, to_day) values (${institute.id}, ${ana()}, 'other', ${day}, ${day})`.execute(
      t.db,
    )
    expect(await startsOffered(t, institute, day)).toEqual([])
    await reckon()
    expect(await wallOf(t.db, ana())).toEqual([['leave', midnight, nextMidnight]])
    await sql`update absences set to_day = '2026-11-25' where member_id = ${ana()}`.execute(t.db)
    await reckon()
    expect(await wallOf(t.db, ana())).toEqual([['leave', midnight, wall('2026-11-26T00:00')]])
    await sql`delete from absences where member_id = ${ana()}`.execute(t.db)
    expect(await wallOf(t.db, ana())).toEqual([])
    await reckon()
    const { rows } = await sql`select from leave_marks`.execute(t.db)
    expect(rows).toEqual([])
  })

  it('is filled for absences that were there before the wall knew them', async () => {
    const booked = await visit()
    await sql`insert into absences (institute_id, member_id, kind, from_day, to_day) values (${institute.id}, ${ana()}, 'other', ${day}, ${day})`.execute(
      t.db,
    )
    await sql`delete from leave_marks; delete from migration_fills where name = '0016_leave_of_absences'`.execute(t.db)
    await noteFills(t.db, leaveFills)
    await runFills(t.db, leaveFills)
    await reckon()
    expect(await wallOf(t.db, ana())).toEqual([
      ['leave', midnight, ten],
      ['visit', booked.startsAt, booked.endsAt],
      ['leave', later(ten, 40), nextMidnight],
    ])
  })
})

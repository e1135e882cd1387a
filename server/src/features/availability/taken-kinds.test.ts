/** What takes time: the wall refuses what overlaps, the rows beside it count as taken for everybody, and leave takes what others leave it. */
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import { verifySummary } from '#/features/summary/service.ts'
import { brokenConstraint, sqlState } from '#/platform/database.ts'
import { bookVisit, cancelled, hold, later, refused, tryConfirm, tryHold, wall } from '#/testing/booking.ts'
import { eachWithInstitute } from '#/testing/each-with-institute.ts'
import type { MadeInstitute, MadeUser } from '#/testing/factories.ts'
import type { TestApp } from '#/testing/test-app.ts'

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
const ten = wall('2026-11-24T10:00')

eachWithInstitute({ at: '2026-11-20T11:00:00Z', institute: { members: 1 } }, (world) => ({ t, institute, client } = world))

const member = (): string => institute.members[0] ?? ''
const system = '{"kind":"system"}'
const walled = (kind: string, from: string, to: string) =>
  sql`insert into occupations (institute_id, kind, source_id, subject_kind, subject_id, during)
    values (${institute.id}, ${kind}, uuidv7(), 'member', ${member()}, tstzrange(${from}, ${to}))`.execute(t.db)
const external = (from: string, to: string) =>
  sql`insert into soft_occupations (institute_id, kind, source_id, subject_kind, subject_id, during, actor)
    values (${institute.id}, 'external', uuidv7(), 'member', ${member()}, tstzrange(${from}, ${to}), ${system}::jsonb)`.execute(t.db)

async function startsOffered(day = '2026-11-24'): Promise<string[]> {
  const answer = await t.inject(
    'GET',
    `/api/v1/client/institutes/${institute.id}/availability?service=${institute.services[0]}&from=${day}&days=1`,
  )
  const days = answer.body['days'] as unknown as { times: { startsAt: string }[] }[]
  return days.flatMap(({ times }) => times.map(({ startsAt }) => startsAt))
}
const version = async (): Promise<number> =>
  (await sql<{ version: number }>`select version from diary_versions where institute_id = ${institute.id}`.execute(t.db)).rows[0]
    ?.version ?? 0
const whyNot = async (work: Promise<unknown>): Promise<[string | null, string | null]> => {
  const error: unknown = await work.then(
    () => null,
    (thrown: unknown) => thrown,
  )
  return [sqlState(error), brokenConstraint(error)]
}
const apart = ['23P01', 'occupations_apart']

describe('the wall', () => {
  it('keeps every kind out of a visit and of a hold, and a visit out of every kind', async () => {
    await bookVisit(t, client, institute, { startsAt: ten })
    for (const kind of ['blocked', 'leave', 'session'])
      expect([kind, await whyNot(walled(kind, later(ten, 30), later(ten, 90)))]).toEqual([kind, apart])
    await walled('blocked', later(ten, 40), later(ten, 60))
    expect(await whyNot(walled('session', later(ten, 50), later(ten, 90)))).toEqual(apart)
    const held = await hold(t, client, institute, { startsAt: later(ten, 120) })
    expect(await whyNot(walled('leave', later(ten, 100), later(ten, 130)))).toEqual(apart)
    await t.inject('DELETE', `/api/v1/secure/appointments/holds/${held._id}`, { token: client.token })
    await walled('leave', later(ten, 100), later(ten, 130))
    const visit = sql`insert into occupations (institute_id, appointment_id, subject_kind, subject_id, during)
      select institute_id, id, 'member', ${member()}, tstzrange(${later(ten, 110)}, ${later(ten, 150)}) from appointments where institute_id = ${institute.id} limit 1`
    expect(await whyNot(visit.execute(t.db))).toEqual(apart)
  })

  it('knows which kind has which source', async () => {
    expect(await whyNot(walled('visit', ten, later(ten, 20)))).toEqual(['23514', 'occupations_source'])
    expect(await whyNot(walled('nap', ten, later(ten, 20)))).toEqual(['23514', 'occupations_kind'])
    const expiring = sql`insert into occupations (institute_id, kind, source_id, subject_kind, subject_id, during, expires_at)
      values (${institute.id}, 'blocked', uuidv7(), 'member', ${member()}, tstzrange(${ten}, ${later(ten, 20)}), now())`
    expect(await whyNot(expiring.execute(t.db))).toEqual(['23514', 'occupations_expiring'])
  })
})

describe('time beside the wall', () => {
  it('overlaps what it likes, and is free for nobody: not in the times offered, not for a hold, not in the summary', async () => {
    await bookVisit(t, client, institute, { startsAt: ten })
    const before = await version()
    await external(later(ten, 20), later(ten, 60))
    await external(later(ten, 20), later(ten, 80))
    expect(await version()).toBeGreaterThan(before)
    const offered = await startsOffered()
    expect(offered.filter((startsAt) => startsAt >= ten && startsAt < later(ten, 80))).toEqual([])
    expect(offered).toContain(later(ten, 80))
    expect(refused(await tryHold(t, client, institute, { startsAt: later(ten, 60) }))).toEqual([409, 'slot_taken'])
    await hold(t, client, institute, { startsAt: later(ten, 80) })
    expect((await verifySummary(t.db, t.clock.now())).wrong).toEqual([])
    await sql`delete from soft_occupations where institute_id = ${institute.id}`.execute(t.db)
    expect(await startsOffered()).toContain(later(ten, 40))
    await hold(t, client, institute, { startsAt: later(ten, 40) })
  })

  it('needs a reason where it is overbooked', async () => {
    const visit = await bookVisit(t, client, institute, { startsAt: ten })
    const overbooked = (reason: string | null) =>
      sql`insert into soft_occupations (institute_id, kind, appointment_id, subject_kind, subject_id, during, reason, actor)
        values (${institute.id}, 'overbooked', ${visit._id}, 'member', ${member()}, tstzrange(${ten}, ${later(ten, 20)}), ${reason}, ${system}::jsonb)`.execute(
        t.db,
      )
    expect((await whyNot(overbooked(null)))[0]).toBe('23514')
    await overbooked('She asked for it')
    // The visit goes, and everything it takes with it.
    await cancelled(t, client, visit._id)
    const { rows } = await sql`select from soft_occupations where appointment_id = ${visit._id}`.execute(t.db)
    expect(rows).toEqual([])
  })
})

describe('leave', () => {
  const leave = async (from: string, to: string): Promise<string> => {
    const { rows } = await sql<{ id: string }>`with made as (insert into absences (institute_id, member_id, kind, from_day, to_day)
      values (${institute.id}, ${member()}, 'sick_leave', '2026-11-24', '2026-11-24') returning id) select id from made`.execute(t.db)
    const id = rows[0]?.id ?? ''
    await sql`insert into leave_times (absence_id, institute_id, member_id, during)
      values (${id}, ${institute.id}, ${member()}, tstzmultirange(tstzrange(${from}, ${to})))`.execute(t.db)
    return id
  }
  const rows = async (): Promise<[string, string][]> => {
    const found = await sql<{ from: string; to: string }>`select lower(during) as "from", upper(during) as "to" from occupations
      where kind = 'leave' and subject_id = ${member()} order by lower(during)`.execute(t.db)
    return found.rows.map(({ from, to }) => [from, to])
  }

  it('takes what is free, and the rest when a visit leaves', async () => {
    const visit = await bookVisit(t, client, institute, { startsAt: ten })
    const [from, to] = [later(ten, -60), later(ten, 120)]
    const id = await leave(from, to)
    expect(await rows()).toEqual([
      [from, ten],
      [later(ten, 40), to],
    ])
    await cancelled(t, client, visit._id)
    expect(await rows()).toEqual([[from, to]])
    await sql`delete from absences where id = ${id}`.execute(t.db)
    expect(await rows()).toEqual([])
  })

  it('that goes gives its time to another of the same member, once that is reckoned', async () => {
    const first = await leave(later(ten, -60), later(ten, 60))
    const { rows: marks } = await sql`select from leave_marks where member_id = ${member()}`.execute(t.db)
    expect(marks.length).toBeGreaterThan(0)
    // A second absence makes what was reckoned of the first untrue; both are given again.
    await leave(later(ten, 0), later(ten, 120))
    expect(await rows()).toEqual([[ten, later(ten, 120)]])
    await sql`insert into leave_times (absence_id, institute_id, member_id, during)
      values (${first}, ${institute.id}, ${member()}, tstzmultirange(tstzrange(${later(ten, -60)}, ${later(ten, 60)})))`.execute(t.db)
    expect(await rows()).toEqual([
      [later(ten, -60), later(ten, 60)],
      [later(ten, 60), later(ten, 120)],
    ])
    await sql`delete from leave_times where absence_id = ${first}`.execute(t.db)
    expect(await rows()).toEqual([[ten, later(ten, 120)]])
  })
})

describe('seats of a session', () => {
  const open = async (capacity: number): Promise<string> => {
    const { rows } = await sql<{ id: string }>`insert into group_sessions (institute_id, service_id, member_id, during, capacity)
      values (${institute.id}, ${institute.services[0]}, ${member()}, tstzrange(${ten}, ${later(ten, 60)}), ${capacity}) returning id`.execute(
      t.db,
    )
    return rows[0]?.id ?? ''
  }
  let visits = 0
  const seat = async (session: string, number: number, capacity: number) => {
    const visit = await bookVisit(t, client, institute, { startsAt: later(ten, 20 + 40 * ++visits) })
    return sql`insert into session_seats (session_id, seat, institute_id, capacity, appointment_id)
      values (${session}, ${number}, ${institute.id}, ${capacity}, ${visit._id})`.execute(t.db)
  }

  it('are never more than its capacity, which cannot fall below them', async () => {
    const session = await open(2)
    await seat(session, 1, 2)
    await seat(session, 2, 2)
    expect(await whyNot(seat(session, 3, 2))).toEqual(['23514', 'session_seats_within'])
    expect((await whyNot(seat(session, 3, 3)))[0]).toBe('23503')
    expect((await whyNot(seat(session, 2, 2)))[0]).toBe('23505')
    const lower = sql`update group_sessions set capacity = 1 where id = ${session}`
    expect(await whyNot(lower.execute(t.db))).toEqual(['23514', 'session_seats_within'])
    expect((await whyNot(sql`delete from group_sessions where id = ${session}`.execute(t.db)))[0]).toBe('23503')
  })

  it('of a hold are booked with it, and the event of the session says so', async () => {
    const session = await open(2)
    const held = await hold(t, client, institute, { startsAt: later(ten, 300) })
    await sql`delete from occupations where appointment_id = ${held._id}`.execute(t.db)
    await sql`insert into session_seats (session_id, seat, institute_id, capacity, appointment_id, expires_at)
      values (${session}, 1, ${institute.id}, 2, ${held._id}, ${held.expiresAt})`.execute(t.db)
    expect((await tryConfirm(t, client, held._id)).status).toBe(201)
    const { rows } = await sql<{
      expires: string | null
      told: unknown
    }>`select s.expires_at as expires, e.payload as told from session_seats s
      join events e on e.subject_id = s.session_id and e.kind = 'seat.booked' where s.session_id = ${session}`.execute(t.db)
    expect(rows).toEqual([{ expires: null, told: { visitId: held._id, seat: 1 } }])
  })
})

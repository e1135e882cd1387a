/** Whoever writes an institute's time past the unit of work is seen: services planted with one thing missing, beside everything that the product does. */
import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { confirm, extendHoldOnce, freeTime, makeHold, releaseHold, sweepInstitute } from '#/features/booking/service.ts'
import { blockTime, moveBlockedTime, removeLeave, setLeave, syncExternal, unblockTime } from '#/features/diary-entries/service.ts'
import { rebuildSummary, verifySummary } from '#/features/summary/service.ts'
import { type SelfScope, systemScope } from '#/platform/access.ts'
import { inTransaction } from '#/platform/database.ts'
import { bookVisit, hold, holdBody, later, tryCancel, tryMove, wall } from '#/testing/booking.ts'
import { diaryOf, summaryIsTrue } from '#/testing/diary.ts'
import { type MadeInstitute, type MadeUser, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { guardUnits } from '#/testing/unit-guard.ts'
import { changeInstitute, type Unit } from './service.ts'

let t: TestApp
let institute: MadeInstitute
let client: MadeUser
const ten = wall('2026-11-24T10:00')
const system = systemScope('test')

beforeAll(async () => {
  t = await openTestApp({ settings: { LIMIT_HOLDS: '100' } })
})
afterAll(() => t.close())
beforeEach(async () => {
  await sql`drop trigger if exists guard_index on free_time_marks`.execute(t.db)
  institute = await makeInstitute(t.db, { members: 1 })
  client = await makeUser(t.db)
  // The marks of a new institute are taken as they are when it is first changed.
  await changeInstitute(t.context, { instituteId: institute.id, by: system }, async (unit) =>
    unit.record('institute.changed', null, { what: 'made' }),
  )
  await sql`drop function if exists guard_event, guard_version, guard_index cascade`.execute(t.db)
  await guardUnits(t.ownerPool)
})

const ana = (): string => institute.members[0] ?? ''
const change = (work: (unit: Unit) => Promise<void>): Promise<void> =>
  changeInstitute(t.context, { instituteId: institute.id, by: system }, work)
const who = () => ({ scope: system.user(client.id) as unknown as SelfScope<true>, locale: 'en' as const, idempotencyKey: null })
const holdAt = (startsAt: string) =>
  makeHold(t.context, who(), { ...(holdBody(institute, { startsAt }) as unknown as Parameters<typeof makeHold>[2]) })
/** What a planted service writes: an hour of the member. */
const takeHour = (from = ten) =>
  sql`insert into occupations (institute_id, kind, source_id, subject_kind, subject_id, during)
    values (${institute.id}, 'blocked', uuidv7(), 'member', ${ana()}, tstzrange(${from}, ${later(from, 60)}))`
const taken = async (): Promise<number> =>
  (await sql`select from occupations where institute_id = ${institute.id}`.execute(t.db)).rows.length

describe('what the product does to an institute’s time', () => {
  it('is recorded, raises the version and keeps the index: holding, booking, extending, letting go, running out, moving, cancelling', async () => {
    const booked = await bookVisit(t, client, institute, { startsAt: ten })
    expect((await tryMove(t, client, booked._id, later(ten, 120))).status).toBe(200)
    expect((await tryCancel(t, client, booked._id)).status).toBe(200)
    const held = await hold(t, client, institute, { startsAt: ten })
    await extendHoldOnce(t.context, who(), held._id)
    await releaseHold(t.context, who(), held._id)
    await hold(t, client, institute, { startsAt: ten })
    t.clock.set(new Date(t.clock.now() + 11 * 60_000).toISOString())
    await sweepInstitute(t.context, institute.id)
    expect(await taken()).toBe(0)
    await summaryIsTrue(t, institute)
  })

  it('and so are blocked time, leave and the busy time of other calendars, also leave that a job reckons', async () => {
    const scope = diaryOf(institute)
    const stretch = { startsAt: ten, endsAt: later(ten, 60) }
    const blocked = await blockTime(t.context, scope, { subject: { kind: 'member', id: ana() }, ...stretch })
    await moveBlockedTime(t.context, scope, blocked.id, { startsAt: later(ten, 60), endsAt: later(ten, 120) })
    await unblockTime(t.context, scope, blocked.id)
    const leave = await setLeave(t.context, scope, { memberId: ana(), kind: 'sick_leave', fromDay: '2026-11-24', toDay: '2026-11-25' })
    await sql`insert into leave_marks (member_id, institute_id) values (${ana()}, ${institute.id})`.execute(t.db)
    await t.jobs['reckon_leave']?.({})
    await removeLeave(t.context, scope, leave.id)
    const calendar = { memberId: ana(), sourceId: institute.id, ...stretch, busy: [stretch] }
    await syncExternal(t.context, scope, calendar)
    await summaryIsTrue(t, institute)
  })
})

describe('a planted service', () => {
  it('that writes in plain SQL past the unit fails', async () => {
    await expect(takeHour().execute(t.db)).rejects.toThrow('guard: INSERT of occupations without an event')
    await expect(inTransaction(t.db, (transaction) => takeHour().execute(transaction))).rejects.toThrow('without an event')
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten })
    await expect(sql`update appointments set ends_at = ends_at + interval '1 hour' where id = ${id}`.execute(t.db)).rejects.toThrow(
      'guard: UPDATE of appointments without an event',
    )
    await expect(sql`delete from occupations where appointment_id = ${id}`.execute(t.db)).rejects.toThrow('guard: DELETE of occupations')
  })

  it('that calls a visit off, or takes it away, in plain SQL fails: by the word of today, and by that of the release before', async () => {
    const { _id: id } = await bookVisit(t, client, institute, { startsAt: ten })
    for (const word of ['life', 'status'])
      await expect(
        sql`update appointments set ${sql.ref(word)} = 'cancelled', cancelled_at = now(), cancelled_by = 'institute' where id = ${id}`.execute(
          t.db,
        ),
        word,
      ).rejects.toThrow('guard: UPDATE of appointments without an event')
    await expect(sql`delete from appointments where id = ${id}`.execute(t.db)).rejects.toThrow('without an event')
    const { rows } = await sql<{ life: string }>`select life from appointments where id = ${id}`.execute(t.db)
    expect(rows).toEqual([{ life: 'booked' }])
  })

  it('that opens a class, or keeps time free, in plain SQL fails', async () => {
    const [serviceId] = institute.services
    const hour = sql`tstzrange(${ten}, ${later(ten, 60)})`
    await expect(
      sql`insert into group_sessions (institute_id, service_id, member_id, during, capacity) values (${institute.id}, ${serviceId}, ${ana()}, ${hour}, 4)`.execute(
        t.db,
      ),
    ).rejects.toThrow('guard: ')
    await expect(
      sql`insert into blocked_times (institute_id, subject_kind, subject_id, during, actor)
        values (${institute.id}, 'member', ${ana()}, ${hour}, '{"kind":"system"}')`.execute(t.db),
    ).rejects.toThrow('guard: INSERT of blocked_times without an event')
    const { rows } = await sql<{ made: number }>`select ((select count(*) from group_sessions where institute_id = ${institute.id})
      + (select count(*) from blocked_times where institute_id = ${institute.id}))::int as made`.execute(t.db)
    expect(rows).toEqual([{ made: 0 }])
  })

  it('whose unit records nothing fails, and nothing of it stays', async () => {
    await expect(change(async (unit) => void (await takeHour().execute(unit.db)))).rejects.toThrow('recorded no event')
    // Saying that nothing was changed is no way out.
    const lying = change(async (unit) => {
      await takeHour().execute(unit.db)
      unit.nothingChanged()
    })
    await expect(lying).rejects.toThrow('guard: INSERT of occupations without an event')
    expect(await taken()).toBe(0)
  })

  it('that leaves the index of free time behind fails', async () => {
    const record = async (unit: Unit): Promise<void> => {
      await takeHour().execute(unit.db)
      unit.record('time.blocked', null, { subjectKind: 'member', subjectId: ana(), startsAt: ten, endsAt: later(ten, 60), note: null })
    }
    const forgetful = { ...t.context, reactions: t.context.reactions.filter(({ name }) => name !== 'index of free time') }
    await expect(changeInstitute(forgetful, { instituteId: institute.id, by: system }, record)).rejects.toThrow('was left behind')
    // Nor does it help to say that one keeps index and version oneself.
    const pretending = change(async (unit) => {
      await sql`select set_config('soigne.unit', 'on', true)`.execute(unit.db)
      await record(unit)
    })
    await expect(pretending).rejects.toThrow('without a raised version')
    expect(await taken()).toBe(0)
    await change(record)
    await summaryIsTrue(t, institute)
  })
})

describe('a unit', () => {
  const kept = async (): Promise<Unit> => {
    let outlived: Unit | undefined
    await change(async (unit) => {
      outlived = unit
      unit.nothingChanged()
    })
    return outlived as Unit
  }

  it('is over with its work: what was kept of it writes nothing, and neither does a copy', async () => {
    let db: Unit['db'] | undefined
    let copy: object = {}
    await change(async (unit) => {
      db = unit.db
      copy = { ...unit }
      unit.nothingChanged()
    })
    const over = await kept()
    await expect((async () => freeTime(over, ana()))()).rejects.toThrow('is over')
    await expect((async () => freeTime(copy as Unit, ana()))()).rejects.toThrow()
    expect(() => over.db).toThrow('is over')
    expect(() => over.record('institute.changed', null, { what: 'late' })).toThrow('is over')
    expect(() => over.nothingChanged()).toThrow('is over')
    await expect(takeHour().execute(db as Unit['db'])).rejects.toThrow('is over')
    expect(Object.keys(copy)).toEqual([])
    expect(await taken()).toBe(0)
  })

  it('that somebody does not wait for writes nothing after the commit', async () => {
    let late: Promise<unknown> = Promise.resolve()
    let go: () => void = () => {}
    const gate = new Promise<void>((resolve) => (go = resolve))
    await change(async (unit) => {
      const { db } = unit
      late = gate.then(() => takeHour().execute(db))
      unit.nothingChanged()
    })
    go()
    await expect(late).rejects.toThrow('is over')
    expect(await taken()).toBe(0)
  })
})

describe('the two statements of a booking', () => {
  /** Replaces a function of the database by itself without some of its text, for the length of some work. */
  async function without(name: string, text: RegExp, instead: string, work: () => Promise<void>): Promise<void> {
    // The release before has one of the same name with fewer arguments, which calls it.
    const { rows } = await sql<{
      text: string
    }>`select pg_get_functiondef(oid) as text from pg_proc where proname = ${name} order by pronargs desc limit 1`.execute(t.db)
    const whole = rows[0]?.text ?? ''
    expect(whole).toMatch(text)
    await sql.raw(whole.replace(text, instead)).execute(t.db)
    try {
      await work()
    } finally {
      await sql.raw(whole).execute(t.db)
    }
  }
  const insertEvents = /insert into events [^;]*;/
  /** The part of a statement that tells of it. */
  const toldEvents = /insert into events [^;]*? from holds h\)/

  it('fail without their event', async () => {
    await without('hold_planned_visits', toldEvents, 'select)', async () => {
      await expect(holdAt(ten)).rejects.toThrow('without an event')
    })
    const held = await holdAt(ten)
    await without('confirm_unpaid_holds', toldEvents, 'select)', async () => {
      await expect(confirm(t.context, who(), { holdId: held._id })).rejects.toThrow('without an event')
    })
    await without('confirm_unpaid_hold', insertEvents, '', async () => {
      const alone = sql`select from confirm_unpaid_hold(${held._id}, ${client.id}, 'pending', null, null, null, null, '{}', ${new Date(t.clock.now())}, null)`
      await expect(alone.execute(t.db)).rejects.toThrow('without an event')
    })
    expect((await confirm(t.context, who(), { holdId: held._id }))?._id).toBe(held._id)
  })

  it('fail without the version and without the patch of the index', async () => {
    await without('hold_planned_visits', /update diary_versions v set [^)]*\)\)/, 'select)', async () => {
      await expect(holdAt(ten)).rejects.toThrow('without a raised version')
    })
    await without('hold_planned_visits', /or patch_free_time\(v_group.institute, v_group.patch\)/, 'or true', async () => {
      await holdAt(ten)
      expect((await verifySummary(t.db, t.clock.now())).wrong.map(({ instituteId }) => instituteId)).toEqual([institute.id])
    })
    await rebuildSummary(t.db, t.clock.now())
  })

  it('and without the words that keep the triggers still, the index is marked, which is seen as well', async () => {
    await without('hold_planned_visits', /perform set_config\('soigne.unit'[^;]*;/, '', async () => {
      await expect(holdAt(ten)).rejects.toThrow('was left behind')
    })
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { bookVisit, tryHold, wall } from '#/testing/booking.ts'
import { type MadeInstitute, makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { catchUp } from './mending.ts'
import { refreshAvailabilityIndex, rebuildSummary, verifySummary } from './service.ts'

let t: TestApp
let institute: MadeInstitute
beforeAll(async () => {
  t = await openTestApp({ settings: { LIMIT_HOLDS: '1000' } })
  institute = await makeInstitute(t.db, { members: 4, notice: 0 })
  await rebuildSummary(t.db, t.clock.now())
})
afterAll(() => t.close())

const verified = () => verifySummary(t.db, t.clock.now())
const nearCount = async (): Promise<number> =>
  (await sql<{ count: number }>`select bit_count(near)::int as count from free_time where institute_id = ${institute.id}`.execute(t.db))
    .rows[0]?.count ?? -1

describe('the summary of free time', () => {
  it('loses a time with the hold and has it back with the release, in the same transaction', async () => {
    const before = await nearCount()
    const client = await makeUser(t.db)
    const starts = wall('2026-11-24T10:00')
    const held: string[] = []
    for (let member = 0; member < 4; member++) {
      const answer = await tryHold(t, client, institute, { startsAt: starts, lines: [[0, member]] })
      held.push(String(answer.body['_id']))
    }
    expect(await nearCount()).toBeLessThan(before)
    expect(await verified()).toMatchObject({ marked: 0, wrong: [] })
    for (const id of held) await t.inject('DELETE', `/api/v1/secure/appointments/holds/${id}`, { token: client.token })
    expect(await nearCount()).toBe(before)
    expect(await verified()).toMatchObject({ marked: 0, wrong: [] })
  })

  it('is true after many book with different members of one team at once', async () => {
    const clients = await Promise.all(Array.from({ length: 24 }, () => makeUser(t.db)))
    const answers = await Promise.all(
      clients.map((client, at) =>
        tryHold(t, client, institute, {
          startsAt: wall(`2026-11-25T${9 + Math.floor(at / 4)}:00`.replace('T9', 'T09')),
          lines: [[0, at % 4]],
        }),
      ),
    )
    expect(answers.map(({ status }) => status)).toEqual(clients.map(() => 201))
    expect(await verified()).toMatchObject({ marked: 0, wrong: [] })
  })

  it('knows by a mark when the truth was changed past us, says so, and is mended by the job', async () => {
    await sql`insert into absences (institute_id, member_id, kind, from_day, to_day) values (${institute.id}, ${institute.members[0] ?? ''}, 'sick_leave', '2026-11-26', '2026-11-27')`.execute(
      t.db,
    )
    expect(await verified()).toMatchObject({ marked: 1, wrong: [] })
    await t.jobs['catch_up']?.({})
    expect(await verified()).toMatchObject({ marked: 0, wrong: [] })
  })

  it('moves on with the days', async () => {
    const until = async () =>
      (
        await sql<{
          until: number
        }>`select near_from + near_count as until from free_time where institute_id = ${institute.id}`.execute(t.db)
      ).rows[0]?.until ?? 0
    const before = await until()
    t.clock.advance(4 * 86_400_000)
    expect(await catchUp(t.db, t.clock.now())).toBe(0)
    expect(await verified()).toMatchObject({ marked: 0, wrong: [] })
    t.clock.advance(3 * 86_400_000)
    expect(await catchUp(t.db, t.clock.now())).toBe(1)
    expect(await until()).toBe(before + (7 * 1440) / 5)
    expect(await verified()).toMatchObject({ marked: 0, wrong: [] })
  })

  it('is found wrong when a bit is turned, a service is missing or a word is gone, and right again when rebuilt', async () => {
    const spoils = [
      sql`update free_time set near = set_bit(near, near_count - 700, 1 - get_bit(near, near_count - 700)) where institute_id = ${institute.id}`,
      sql`update free_time set far = set_bit(far, 40, 1 - get_bit(far, 40)) where institute_id = ${institute.id}`,
      sql`delete from bookable_services where service_id = ${institute.services[1] ?? ''}`,
      sql`update institutes set words = '' where id = ${institute.id}`,
      sql`delete from free_time where institute_id = ${institute.id}`,
    ]
    for (const spoil of spoils) {
      await spoil.execute(t.db)
      expect((await verified()).wrong).toHaveLength(1)
      await rebuildSummary(t.db, t.clock.now())
      expect(await verified()).toEqual({ institutes: 1, marked: 0, wrong: [] })
    }
  })

  it('patches what a visit changes as if all were written anew, and does nothing without a change', async () => {
    const client = await makeUser(t.db)
    await bookVisit(t, client, institute, { startsAt: wall('2026-12-01T10:00') })
    const state = () =>
      sql`select near::text, far::text from free_time where institute_id = ${institute.id}`.execute(t.db).then(({ rows }) => rows)
    const patched = await state()
    await refreshAvailabilityIndex(t.db, institute.id, t.clock.now())
    await rebuildSummary(t.db, t.clock.now())
    expect(await state()).toEqual(patched)
  })
})

import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { wall } from '#/testing/booking.ts'
import { type MadeInstitute, makeInstitute } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { rebuildSummary, verifySummary } from './service.ts'

let t: TestApp
let institute: MadeInstitute
const day = '2026-11-24'

// Free from 9:00 to 9:40, which a visit of 40 minutes fills, and from 10:00 to 11:00, where it strands twenty minutes.
beforeAll(async () => {
  t = await openTestApp({ at: wall(`${day}T08:00`) })
  institute = await makeInstitute(t.db, {
    gapPolicy: 'hide',
    members: 1,
    opensAt: 540,
    closesAt: 720,
    services: [{ name: 'Cut', active: 40 }],
  })
  for (const [from, to] of [
    [580, 600],
    [660, 720],
  ])
    await sql`insert into absences (institute_id, member_id, kind, from_day, to_day, opens_at, closes_at) values (${institute.id}, ${institute.members[0] ?? ''}, 'other', ${day}, '2026-12-31', ${from}, ${to})`.execute(
      t.db,
    )
  await rebuildSummary(t.db, t.clock.now())
})
afterAll(() => t.close())

async function timesAt(now: string, query: Record<string, string>): Promise<string[][]> {
  t.clock.set(wall(now))
  const before = t.context.database.statements()
  const answer = await t.inject('GET', `/api/v1/client/institutes?${new URLSearchParams(query)}`)
  // Two readings of the diary are for the card; a search that had to ask the diary to decide would need more.
  expect(t.context.database.statements() - before).toBeLessThanOrEqual(9)
  const items = answer.body['items'] as unknown as { nextTimes: { startsAt: string }[] }[]
  return items.map(({ nextTimes }) => nextTimes.map(({ startsAt }) => startsAt))
}
const at = (...times: string[]): string[][] => (times.length === 0 ? [] : [times.map((time) => wall(time))])

it.each<[string, Record<string, string>]>([
  ['a day', { day }],
  ['a part of a day', { day, part: 'morning' }],
])('%s: what gaps hide comes out when nothing better is left of the day, and the summary knows', async (_, query) => {
  for (const sort of ['recommended', 'soonest']) {
    expect(await timesAt(`${day}T08:00`, { ...query, sort })).toEqual(at(`${day}T09:00`))
    expect(await timesAt(`${day}T09:10`, { ...query, sort })).toEqual(at(`${day}T10:00`, `${day}T10:20`))
    expect(await timesAt(`${day}T10:10`, { ...query, sort })).toEqual(at(`${day}T10:20`))
    expect(await timesAt(`${day}T10:21`, { ...query, sort })).toEqual(at())
  }
})

it('the same without a day, whether any part or one is asked for', async () => {
  for (const query of [{ sort: 'soonest' }, { part: 'morning' }, { part: 'morning', sort: 'soonest' }]) {
    expect((await timesAt(`${day}T08:00`, query))[0]?.slice(0, 2)).toEqual(at(`${day}T09:00`, '2026-11-25T09:00')[0])
    expect((await timesAt(`${day}T09:10`, query))[0]?.slice(0, 3)).toEqual(at(`${day}T10:00`, `${day}T10:20`, '2026-11-25T09:00')[0])
    expect((await timesAt(`${day}T11:00`, query))[0]?.slice(0, 2)).toEqual(at('2026-11-25T09:00', '2026-11-26T09:00')[0])
  }
  expect(await timesAt(`${day}T09:10`, { part: 'evening' })).toEqual([])
  expect(await verifySummary(t.db, t.clock.now())).toMatchObject({ marked: 0, wrong: [] })
})

import { afterAll, beforeAll, beforeEach, describe, expect, inject, it, vi } from 'vitest'
import { cloneTemplate } from '#/testing/test-database.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { adoptRestoredEvents, forgetOldEvents } from './event-upkeep.ts'
import { followEvents } from './events.ts'
import { openLog } from './log.ts'
import { type AfterCommit, dispatchEvents } from './reactions.ts'

let clone: Awaited<ReturnType<typeof cloneTemplate>>
let database: OpenDatabase
beforeAll(async () => {
  clone = await cloneTemplate(inject('databaseServer'))
  database = openDatabase(clone.url, { size: 4, onError: () => {} })
})
afterAll(async () => {
  await database.close()
  await clone.drop()
})
beforeEach(async () => {
  await database.pool.query(
    'truncate events, reactions_done; delete from graphile_worker._private_jobs; update event_cursors set position = pg_current_snapshot()',
  )
})

const query = async <Row>(text: string, values: unknown[] = []): Promise<Row[]> => (await database.pool.query(text, values)).rows
const happen = (count: number, at = new Date().toISOString()): Promise<unknown> =>
  query(`insert into events (kind, actor, at) select 'test', '{"kind":"system","job":"test"}', $2 from generate_series(1, $1)`, [count, at])
const dispatch = (): Promise<boolean> =>
  dispatchEvents(database.db, [{ name: 'a', kinds: ['test'], async react() {} } satisfies AfterCommit<never>])
/** Events that jobs carry; how many of them share a job is no matter here. */
const jobs = async (): Promise<number> => {
  const [row] = await query<{ n: number }>(
    `select coalesce(sum(json_array_length(payload -> 'eventIds')), 0)::int as n from graphile_worker._private_jobs`,
  )
  return row?.n ?? 0
}
/** An event is taken once everything older than it has ended, in any database of the server: beside others that is a moment later. */
const dispatchedAre = (count: number): Promise<void> =>
  vi.waitFor(
    async () => {
      await dispatch()
      expect(await jobs()).toBe(count)
    },
    { timeout: 60_000, interval: 20 },
  )

describe('old events', () => {
  it('are forgotten page by page, with the notes of their reactions, and nothing else is', async () => {
    const now = Date.parse('2026-11-20T11:00:00Z')
    const day = (days: number): string => new Date(now - days * 86_400_000).toISOString()
    await happen(25, day(401))
    await happen(5, day(399))
    await query(`insert into reactions_done (event_id, reaction) select id, 'a' from events`)
    await forgetOldEvents(database.db, now, 10)
    expect(await query('select at from events')).toEqual(Array.from({ length: 5 }, () => ({ at: day(399) })))
    expect(await query('select from reactions_done')).toHaveLength(5)
    await forgetOldEvents(database.db, now, 10)
    expect(await query('select from events')).toHaveLength(5)
  })
})

describe('a dump restored into a younger database', () => {
  /** As the tables look then: the numbers of transactions are those of another life. */
  const comeFromElsewhere = async (): Promise<void> => {
    await query('alter table events disable trigger events_stay')
    await query(`update events set xid = (xid::text::bigint + 1000000000)::text::xid8`)
    await query('alter table events enable trigger events_stay')
    await query(
      `update event_cursors set position = format('%s:%s:', pg_snapshot_xmin(position)::text::bigint + 1000000000, pg_snapshot_xmax(position)::text::bigint + 1000000000)::pg_snapshot`,
    )
  }

  it('answers what was not answered yet, nothing twice, and what happens from now on', async () => {
    await happen(3)
    await dispatchedAre(3)
    await happen(2)
    await comeFromElsewhere()
    // Without being taken over it would never hear of anything new.
    await happen(1)
    await dispatch()
    expect(await jobs()).toBe(3)
    expect(await adoptRestoredEvents(database.db)).toBe(true)
    await dispatchedAre(6)
    await happen(1)
    await dispatchedAre(7)
    expect(await adoptRestoredEvents(database.db)).toBe(false)
    await expect(query(`update events set kind = 'other'`)).rejects.toThrow('never changed')
  })

  it('does not tell followers of the past', async () => {
    await happen(3)
    await dispatch()
    await comeFromElsewhere()
    await adoptRestoredEvents(database.db)
    const heard: number[] = []
    const follower = await followEvents(database.db, openLog('silent'), (events) => void heard.push(...events.map(({ id }) => id)))
    await happen(1)
    await vi.waitFor(() => expect(heard).toHaveLength(1), { timeout: 60_000 })
    await happen(1)
    await vi.waitFor(() => expect(heard).toHaveLength(2), { timeout: 60_000 })
    await follower.stop()
  })

  it('is left alone where it is at home', async () => {
    await happen(3)
    await dispatch()
    await happen(2)
    expect(await adoptRestoredEvents(database.db)).toBe(false)
    await dispatchedAre(5)
  })
})

import { afterAll, beforeAll, expect, inject, it, vi } from 'vitest'
import { cloneTemplate } from '#/testing/test-database.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { followEvents } from './events.ts'
import { openLog } from './log.ts'

let clone: Awaited<ReturnType<typeof cloneTemplate>>
let database: OpenDatabase
beforeAll(async () => {
  clone = await cloneTemplate(inject('databaseServer'))
  database = openDatabase(clone.url, { size: 1, onError: () => {} })
})
afterAll(async () => {
  await database.close()
  await clone.drop()
})

const write = `insert into events (kind, institute_id, actor, payload, at)
  select 'test', null, '{"kind":"system","job":"test"}', '{}', now() from generate_series(1, $1)`
const readInRows = async (): Promise<number> =>
  Number(
    (await database.pool.query(`select seq_tup_read + idx_tup_fetch as rows from pg_stat_user_tables where relname = 'events'`)).rows[0]
      .rows,
  )
const connections = async (): Promise<number> =>
  Number((await database.pool.query(`select count(*) from pg_stat_activity where datname = current_database()`)).rows[0].count)

it('a follower that began when there were few events does not read all there are at each look', async () => {
  const following = openDatabase(clone.url, { size: 1, onError: () => {} })
  let heard = 0
  const before = await readInRows()
  const follower = await followEvents(following.db, openLog('silent'), (events) => void (heard += events.length))
  const tell = async (count: number): Promise<void> => {
    const due = heard + count
    await database.pool.query(write, [count])
    follower.wake()
    await vi.waitFor(() => expect(heard).toBe(due), { timeout: 60_000, interval: 5 })
  }
  await tell(8)
  await database.pool.query('analyze events')
  for (let n = 0; n < 8; n++) await tell(1)
  await tell(5000)
  for (let n = 0; n < 20; n++) await tell(1)
  await follower.stop()
  // What a connection has read is known when it has ended.
  await following.close()
  await vi.waitFor(async () => expect(await connections()).toBe(1), { timeout: 60_000, interval: 5 })
  // A page of what is new reads the pages that follow it too.
  expect((await readInRows()) - before).toBeLessThan(40_000)
})

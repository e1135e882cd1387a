import { sql } from 'kysely'
import { afterAll, beforeAll, beforeEach, expect, inject, it } from 'vitest'
import { cloneTemplate } from '#/testing/test-database.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { type Fill, noteFills, runFills } from './fills.ts'

let clone: Awaited<ReturnType<typeof cloneTemplate>>
let database: OpenDatabase
beforeAll(async () => {
  clone = await cloneTemplate(inject('databaseServer'))
  database = openDatabase(clone.url, { size: 6, onError: () => {} })
})
afterAll(async () => {
  await database.close()
  await clone.drop()
})
beforeEach(async () => {
  await sql`drop table if exists words; delete from migration_fills`.execute(database.db)
  await sql`create table words (id int primary key, word text not null, folded text, times int not null default 0)`.execute(database.db)
  await sql`insert into words (id, word) select n, 'Word ' || n from generate_series(1, 2500) n`.execute(database.db)
})

let commits = 0
let dieAt = Infinity
const folding: Fill = {
  name: '0099_folded',
  rowsAtOnce: 1000,
  async fill(transaction, after, rows) {
    if (++commits >= dieAt) throw new Error('killed')
    const filled = await sql<{ id: number }>`with next as (select id from words where id > ${Number(after ?? 0)} order by id limit ${rows})
      update words w set folded = lower(word), times = times + 1 from next where w.id = next.id returning w.id`.execute(transaction)
    const last = Math.max(...filled.rows.map(({ id }) => id))
    return filled.rows.length === 0 ? null : { cursor: String(last), rows: filled.rows.length }
  },
}
const state = async () => ({
  left: (await sql<{ n: number }>`select count(*)::int as n from words where folded is null`.execute(database.db)).rows[0]?.n,
  twice: (await sql<{ n: number }>`select count(*)::int as n from words where times > 1`.execute(database.db)).rows[0]?.n,
  fill: (
    await sql`select cursor, rows_done as "rows", done_at is not null as "isDone" from migration_fills where name = ${folding.name}`.execute(
      database.db,
    )
  ).rows[0],
})

it('goes on where it was broken off, and fills every row once', async () => {
  commits = 0
  dieAt = 3
  await expect(runFills(database.db, [folding])).rejects.toThrow('killed')
  expect(await state()).toEqual({ left: 500, twice: 0, fill: { cursor: '2000', rows: 2000, isDone: false } })
  dieAt = Infinity
  await runFills(database.db, [folding])
  expect(await state()).toEqual({ left: 0, twice: 0, fill: { cursor: '2500', rows: 2500, isDone: true } })
  expect(commits).toBe(5)
  await runFills(database.db, [folding])
  expect(commits).toBe(5)
})

it('is done by one of the processes that try at once', async () => {
  dieAt = Infinity
  await Promise.all([1, 2, 3].map(() => runFills(database.db, [folding])))
  // Whoever saw another at it left it to that one; it is asked for again by the next run of the job.
  await runFills(database.db, [folding])
  expect(await state()).toMatchObject({ left: 0, twice: 0, fill: { rows: 2500, isDone: true } })
})

it('is known to be wanted before it has begun', async () => {
  await noteFills(database.db, [folding])
  await noteFills(database.db, [folding])
  expect((await state()).fill).toEqual({ cursor: null, rows: 0, isDone: false })
})

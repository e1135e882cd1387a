/** In a rush thousands of letters wait that the planner knows nothing of: a batch is looked up by its ids all the same. */
import { sql } from 'kysely'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { systemScope } from '#/platform/access.ts'
import { type Db, inTransaction } from '#/platform/database.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { dueMails } from './store.ts'

let t: TestApp
const write = (sent: string) =>
  sql`insert into mails (dedupe_key, kind, recipient, subject, html, body, attachments, sent_at)
    select gen_random_uuid()::text, 'test', 'ines@people.test', 'Hello', repeat('x', 500), '', '[]', ${sql.raw(sent)} from generate_series(1, 3000)`.execute(
    t.db,
  )
beforeAll(async () => {
  t = await openTestApp()
  await write('now()')
  await sql`analyze mails`.execute(t.db)
  await write('null')
})
afterAll(() => t.close())

it('a batch of letters is read without those that wait beside it', async () => {
  const { rows } = await sql<{ id: string }>`select id from mails where sent_at is null order by id limit 30`.execute(t.db)
  const ids = rows.map(({ id }) => id)
  const counted = async (db: Db) =>
    (
      await sql<{ over: number; found: number }>`select seq_tup_read::int as over, idx_tup_fetch::int as found
        from pg_stat_xact_user_tables where relname = 'mails'`.execute(db)
    ).rows[0] ?? { over: NaN, found: NaN }
  await inTransaction(t.db, async (transaction) => {
    const before = await counted(transaction)
    expect((await dueMails(transaction, systemScope('test'), ids, 5)).map(({ id }) => id)).toEqual(ids)
    const after = await counted(transaction)
    // Each is looked up twice: with whose it is, and to be read.
    expect({ over: after.over - before.over, found: after.found - before.found }).toEqual({ over: 0, found: 2 * ids.length })
  })
})

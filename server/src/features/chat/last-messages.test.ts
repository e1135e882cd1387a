import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { systemScope } from '#/platform/access.ts'
import { inTransaction } from '#/platform/database.ts'
import { makeInstitute, makeUser } from '#/testing/factories.ts'
import { openTestApp, type TestApp } from '#/testing/test-app.ts'
import { readLastMessages } from './message-store.ts'

let t: TestApp
beforeAll(async () => {
  t = await openTestApp()
})
afterAll(() => t.close())

/** A conversation in which so much was said already. */
async function conversation(instituteId: string, messages: number): Promise<string> {
  const client = await makeUser(t.db)
  const { rows } = await sql<{ id: string }>`with chat as (
      insert into chats (user_id, institute_id, created_at, updated_at, last_seq) values (${client.id}, ${instituteId}, now(), now(), ${messages}) returning id),
    said as (insert into messages (chat_id, seq, side, sender_id, client_id, text, created_at)
      select chat.id, n, 'client', ${client.id}, 'said-' || n, 'number ' || n, now() from chat, generate_series(1, ${messages}::int) n)
    select id from chat`.execute(t.db)
  return rows[0]?.id ?? ''
}

describe('the last message of a conversation', () => {
  it('is found without reading what was said before', async () => {
    const owner = await makeUser(t.db, { role: 'isPro' })
    const institute = await makeInstitute(t.db, { ownerId: owner.id })
    for (let n = 0; n < 40; n++) await conversation(institute.id, 1)
    // What is known of them is of the time when all were short.
    await sql`analyze chats, messages`.execute(t.db)
    const asked: string[] = []
    for (let n = 0; n < 5; n++) asked.push(await conversation(institute.id, 800))
    const system = systemScope('a test of conversations')
    const read = await inTransaction(t.context.database.prepared, async (transaction) => {
      // As often as a plan is made anew for each; the one after them is kept.
      for (let n = 0; n < 6; n++) await readLastMessages(transaction, system, asked)
      const count = async (): Promise<number> =>
        (
          await sql<{
            read: number
          }>`select (coalesce(idx_tup_fetch, 0) + seq_tup_read)::int as read from pg_stat_xact_user_tables where relname = 'messages'`.execute(
            transaction,
          )
        ).rows[0]?.read ?? 0
      const before = await count()
      const last = await readLastMessages(transaction, system, asked)
      expect([...last.values()].map(({ seq }) => seq)).toEqual([800, 800, 800, 800, 800])
      return (await count()) - before
    })
    expect(read).toBeLessThanOrEqual(asked.length)
  })
})

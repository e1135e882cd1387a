import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { describeTables } from '#/testing/describe-tables.ts'
import { cloneTemplate } from '#/testing/test-database.ts'
import { type OpenDatabase, openDatabase } from './database.ts'

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

const committed = (): string => readFileSync(join(import.meta.dirname, 'tables.ts'), 'utf8')

describe('what the builder knows of the tables', () => {
  it('is what the migrated schema has: npm run tables', async () => {
    expect(committed()).toBe(await describeTables(clone.url))
  })

  it('is seen to differ when a column is added, a list grows or a null is allowed', async () => {
    const changed = await cloneTemplate(inject('databaseServer'))
    const other = openDatabase(changed.url, { size: 1, onError: () => {} })
    await sql`alter table sessions add column place bigint default 0`.execute(other.db)
    await sql`alter table users drop constraint users_role_check, add check (role in ('isClient', 'isPro', 'it''s')), alter column last_name drop not null`.execute(
      other.db,
    )
    await other.close()
    const before = committed().split('\n')
    const after = (await describeTables(changed.url)).split('\n')
    await changed.drop()
    expect(after.filter((line) => !before.includes(line))).toEqual([
      '  place: Whole | null',
      "  role: 'isClient' | 'isPro' | 'it\\'s'",
      '  last_name: string | null',
    ])
  })

  it('agrees with what is written and read', async () => {
    const { db } = database
    const id = await db
      .insertInto('users')
      .values({
        email: 'ada@soigne.test',
        role: 'isPro',
        first_name: 'Ada',
        last_name: 'L',
        terms_accepted_at: new Date(1000),
        birthday: '1990-02-03',
      })
      .returning('id')
      .executeTakeFirstOrThrow()
    await db
      .insertInto('sessions')
      .values({ user_id: id.id, token_hash: Buffer.alloc(32, 1), expires_at: '2026-05-01T00:00:00Z' })
      .execute()
    await db
      .insertInto('rate_limits')
      .values({ key: 'k', expire: 2n ** 40n })
      .execute()
    await db.updateTable('users').set({ image_key: 'a/b' }).where('email', '=', 'ADA@soigne.test').execute()
    const user = await db
      .selectFrom('users')
      .select(['role', 'locale', 'birthday', 'terms_accepted_at as at', 'image_key', 'google_subject'])
      .executeTakeFirst()
    const session = await db.selectFrom('sessions').select(['token_hash', 'expires_at']).executeTakeFirst()
    const limit = await db.selectFrom('rate_limits').select(['points', 'expire']).executeTakeFirst()
    expect({ user, session, limit }).toEqual({
      user: { role: 'isPro', locale: 'en', birthday: '1990-02-03', at: '1970-01-01T00:00:01.000Z', image_key: 'a/b', google_subject: null },
      session: { token_hash: Buffer.alloc(32, 1), expires_at: '2026-05-01T00:00:00.000Z' },
      limit: { points: 0, expire: 2 ** 40 },
    })
  })
})

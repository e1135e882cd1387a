import { sql } from 'kysely'
import { afterEach, beforeEach, describe, expect, inject, it } from 'vitest'
import { cloneTemplate } from '#/testing/test-database.ts'
import { type Db, inTransaction, type OpenDatabase, openDatabase } from './database.ts'
import { isAmong, mostPrepared } from './prepared.ts'
import { c, someId, statement } from './statement.ts'

let clone: Awaited<ReturnType<typeof cloneTemplate>>
let database: OpenDatabase
beforeEach(async () => {
  clone = await cloneTemplate(inject('databaseServer'))
  database = openDatabase(clone.url, { size: 1, onError: () => {} })
  await sql`create table counters (id uuid primary key default uuidv7(), n integer not null)`.execute(database.db)
  await sql`insert into counters (n) select 1 from generate_series(1, 2000)`.execute(database.db)
  await sql`analyze counters`.execute(database.db)
})
afterEach(async () => {
  await database.close()
  await clone.drop()
})

const readCounter = async (db: Db, n: number): Promise<unknown> =>
  (await sql<{ n: unknown }>`select n from counters where n = ${n} limit 1`.execute(db)).rows[0]?.n
const plansMade = async (): Promise<{ own: number; general: number }[]> =>
  (
    await sql<{ own: number; general: number }>`select custom_plans as own, generic_plans as general from pg_prepared_statements`.execute(
      database.db,
    )
  ).rows

describe('a statement', () => {
  it('is prepared once for a connection when it is sent through the handle for such', async () => {
    for (let time = 0; time < 8; time++) await readCounter(database.prepared, time)
    await inTransaction(database.prepared, (transaction) => readCounter(transaction, 1))
    expect(await plansMade()).toEqual([{ own: 5, general: 4 }])
  })

  it('is planned with its values otherwise', async () => {
    await readCounter(database.db, 1)
    await inTransaction(database.db, (transaction) => readCounter(transaction, 1))
    expect(await plansMade()).toEqual([])
  })

  it('that finds by ids is prepared through either handle, and once', async () => {
    const byId = statement(
      { name: 'test.counterById', row: { n: c.int }, byId: true, tries: [someId] },
      (id: string) => sql`select n from counters where id = ${id}`,
    )
    const { rows } = await sql<{ id: string }>`select id from counters limit 8`.execute(database.db)
    for (const [n, { id }] of rows.entries()) expect(await byId.one(n % 2 ? database.db : database.prepared, id)).toEqual({ n: 1 })
    expect(await plansMade()).toEqual([{ own: 5, general: 3 }])
  })

  it('that asks for one of a list has one plan for all', async () => {
    const { rows } = await sql<{ id: string }>`select id from counters limit 10`.execute(database.db)
    for (const { id } of rows) await sql`select n from counters where ${isAmong(sql`id`, [id])}`.execute(database.prepared)
    expect(await plansMade()).toEqual([{ own: 5, general: 5 }])
    const two = rows.slice(0, 2).map(({ id }) => id)
    expect((await sql`select n from counters where ${isAmong(sql`id`, two)}`.execute(database.prepared)).rows).toHaveLength(2)
  })

  it('that asks for a few of a list has one plan for all, and finds each once', async () => {
    const { rows } = await sql<{ id: string }>`select id from counters limit 10`.execute(database.db)
    for (const n of [2, 3, 4, 2, 3, 4, 10]) {
      const some = rows.slice(0, n).map(({ id }) => id)
      expect((await sql`select n from counters where ${isAmong(sql`id`, some)}`.execute(database.prepared)).rows).toHaveLength(n)
    }
    expect(await plansMade()).toEqual([{ own: 5, general: 2 }])
    expect((await sql`select n from counters where ${isAmong(sql`id`, [])}`.execute(database.prepared)).rows).toHaveLength(0)
  })

  it('whose text is another each time is prepared no more after so many', async () => {
    for (let time = 0; time < mostPrepared + 5; time++)
      expect((await sql`select ${sql.lit(time)} + n as n from counters limit 1`.execute(database.prepared)).rows).toEqual([{ n: time + 1 }])
    expect(await plansMade()).toHaveLength(mostPrepared)
  })
})

describe('a migration that changes a column', () => {
  const change = () => sql`alter table counters alter column n type text using n || ' times'`.execute(database.db)
  const readOne = async (db: Db): Promise<unknown> => (await sql<{ n: unknown }>`select n from counters limit 1`.execute(db)).rows[0]?.n

  it('is not noticed by who reads it with a prepared statement', async () => {
    expect(await readOne(database.prepared)).toBe(1)
    await change()
    expect([await readOne(database.prepared), await readOne(database.prepared)]).toEqual(['1 times', '1 times'])
  })

  it('lets a transaction be run again', async () => {
    let runs = 0
    const read = () =>
      inTransaction(database.prepared, (transaction) => {
        runs++
        return readOne(transaction)
      })
    await read()
    await change()
    expect([await read(), runs]).toEqual(['1 times', 3])
  })
})

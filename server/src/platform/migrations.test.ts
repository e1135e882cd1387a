/** The schema changes while others read and write: nobody waits for a migration that waits, and a contract waits for the last who needs what it takes away. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, inject, it, vi } from 'vitest'
import { withLongerLimits } from '#/testing/longer-limits.ts'
import { cloneTemplate } from '#/testing/test-database.ts'
import { type OpenDatabase, openDatabase } from './database.ts'
import { migrate, type MigrateOptions, newestMigration } from './migrations.ts'

let clone: Awaited<ReturnType<typeof cloneTemplate>>
let database: OpenDatabase
let directory: string
beforeAll(async () => {
  clone = await cloneTemplate(inject('databaseServer'))
  database = openDatabase(clone.url, { size: 8, onError: () => {} })
})
afterAll(async () => {
  await database.close()
  await clone.drop()
})
beforeEach(async () => {
  directory = mkdtempSync(join(tmpdir(), 'soigne-migrations-'))
  await query(
    `drop table if exists one, two; delete from migrations where name like '9%'; drop table if exists migration_steps; delete from worker_leases; delete from migration_fills`,
  )
})
afterEach(() => rmSync(directory, { recursive: true, force: true }))

const query = (text: string): Promise<pg.QueryResult> => database.pool.query(text)
const put = (name: string, text: string): void => writeFileSync(join(directory, name), text)
const run = (options?: MigrateOptions): Promise<string[]> => migrate(database.pool, directory, options)
const poolOf = (more: pg.PoolConfig = {}): pg.Pool => {
  const pool = new pg.Pool({ connectionString: clone.url, max: 1, ...more })
  pool.on('error', () => {})
  return pool
}
/** A transaction of somebody else that has the table. */
async function whileOpen<T>(statement: string, work: () => Promise<T>): Promise<T> {
  const holder = await database.pool.connect()
  await holder.query(`begin; ${statement}`)
  try {
    return await work()
  } finally {
    await holder.query('commit')
    holder.release()
  }
}
const indexes = async (): Promise<unknown[]> =>
  (
    await query(
      `select c.relname as name, i.indisvalid as valid from pg_index i join pg_class c on c.oid = i.indexrelid where i.indrelid = 'one'::regclass order by 1`,
    )
  ).rows

describe('migrations', () => {
  it('run in order, once, also when two processes start together', async () => {
    put('9001_one.sql', '-- expand\ncreate table one (n integer)')
    put('9002_two.sql', '-- concurrent\ncreate index concurrently one_n on one (n);\n')
    put('9003_three.sql', '-- expand\ninsert into one values (1)')
    put('notes.txt', 'not a migration')
    const other = poolOf()
    const [first, second] = await Promise.all([run(), migrate(other, directory)])
    await other.end()
    expect([...first, ...second].toSorted()).toEqual(['9001_one.sql', '9002_two.sql', '9003_three.sql'])
    expect((await query('select n from one')).rows).toEqual([{ n: 1 }])
    expect(newestMigration(directory)).toBe('9003_three.sql')
  })

  it('go on after the statement that failed, which leaves nothing behind and stands in nobody’s way', async () => {
    await query('create table one (n integer); create table two (n integer); insert into two values (0)')
    put(
      '9001_one.sql',
      `-- expand
insert into one values (3);
-- the second; with 'words'
do $$ begin insert into one values (4); insert into one select 50 / n from two; end $$;
insert into one values (6)`,
    )
    await expect(run()).rejects.toThrow('migration 9001_one.sql failed: division by zero')
    expect((await query('select n from one order by n')).rows).toEqual([{ n: 3 }])
    await query('update two set n = 10')
    const other = poolOf()
    expect(await migrate(other, directory)).toEqual(['9001_one.sql'])
    await other.end()
    expect((await query('select n from one order by n')).rows).toEqual([{ n: 3 }, { n: 4 }, { n: 5 }, { n: 6 }])
    expect((await query('select from migration_steps')).rows).toEqual([])
  })

  it('of which a part ran are not changed before they are finished', async () => {
    put('9001_one.sql', '-- expand\ncreate table one (n integer); select 1 / 0')
    await expect(run()).rejects.toThrow('division by zero')
    put('9001_one.sql', '-- expand\ncreate table one (n integer)')
    await expect(run()).rejects.toThrow(/has changed since a part of it ran/)
    await query('delete from migration_steps')
  })

  it('may take longer than any request, and no less time is left to requests afterwards', async () => {
    // A halted machine may need so long for the smallest statement.
    await withLongerLimits([200, 2000, 10_000], async (limitMs) => {
      const tooLong = `select pg_sleep(${limitMs / 400})`
      const name = `${9000 + limitMs / 200}_four.sql`
      put(name, `-- expand\n${tooLong}`)
      const other = poolOf({ statement_timeout: limitMs })
      expect(await migrate(other, directory)).toContain(name)
      expect((await other.query('show lock_timeout')).rows).toEqual([{ lock_timeout: '0' }])
      await expect(other.query(tooLong)).rejects.toThrow(/statement timeout/)
      await other.end()
    })
  })

  it('that were changed after they ran are refused by name', async () => {
    put('9001_one.sql', '-- expand\ncreate table one (n integer)')
    await run()
    put('9001_one.sql', '-- expand\ncreate table one (n bigint)')
    await expect(run()).rejects.toThrow(/9001_one\.sql has changed/)
  })

  it.each([
    ['9001_one.sql', 'create table one (n integer)', /first line/],
    ['9001_one.sql', '-- contract after 9001\nselect 1', /after an earlier one/],
    ['9001_one.sql', "-- concurrent\nupdate users set phone = '';", /a concurrent file makes/],
    ['one.sql', '-- expand\nselect 1', /four digits/],
  ])('that do not say what they do to a living site are refused: %s', async (name, text, why) => {
    put(name, text)
    await expect(run()).rejects.toThrow(why)
    expect((await query(`select name from migrations where name = '${name}'`)).rows).toEqual([])
  })
})

describe('a migration that waits for somebody', () => {
  beforeEach(async () => {
    await query('create table one (n integer); insert into one values (1)')
    put('9001_one.sql', '-- expand\nalter table one add column m integer')
  })
  const waits = `select 1 from pg_locks l join pg_class c on c.oid = l.relation where l.database = (select oid from pg_database where datname = current_database()) and c.relname = 'one' and l.mode = 'AccessExclusiveLock' and not l.granted`

  it('lets those who come later pass, and is done when it has had its moment', async () => {
    let migrating: Promise<string[]> = Promise.resolve([])
    await whileOpen('select n from one', async () => {
      migrating = run()
      for (let turn = 0; turn < 3; turn++) {
        await vi.waitFor(async () => expect((await query(waits)).rowCount).toBe(1), { timeout: 60_000, interval: 2 })
        // Whoever waits behind it would wait until the reader ends, which is never.
        expect((await query('select n from one')).rows).toEqual([{ n: 1 }])
      }
    })
    expect(await migrating).toEqual(['9001_one.sql'])
    expect((await query('select n, m from one')).rows).toEqual([{ n: 1, m: null }])
  })

  it('gives up in the end, and has changed nothing', async () => {
    await whileOpen('select n from one', () =>
      expect(run({ giveUpAfterMs: 300 })).rejects.toThrow('migration 9001_one.sql failed: others kept its locks'),
    )
    expect((await query('select * from one')).rows).toEqual([{ n: 1 }])
    expect(await run()).toEqual(['9001_one.sql'])
  })
})

describe('a migration that changes two tables', () => {
  it('never holds one while it waits for the other: no reader of both is turned away', async () => {
    await query('create table one (n integer); create table two (n integer)')
    put('9001_one.sql', '-- expand\nalter table one add column m integer;\nalter table two add column m integer;')
    let migrating: Promise<string[]> = Promise.resolve([])
    const reader = await database.pool.connect()
    await reader.query('begin; select from two')
    migrating = run()
    await vi.waitFor(async () => expect((await query(`select from migration_steps where done = 1`)).rowCount).toBe(1), { timeout: 60_000 })
    // Held until the end of the file, the first table would make this a circle.
    await reader.query('select from one')
    await reader.query('commit')
    reader.release()
    expect(await migrating).toEqual(['9001_one.sql'])
  })
})

describe('an index made while the site serves', () => {
  beforeEach(() => query('create table one (n integer); insert into one values (1), (1)'))

  it('takes the place of a part that a broken run has left', async () => {
    await expect(query('create unique index concurrently one_n on one (n)')).rejects.toThrow(/unique/)
    expect(await indexes()).toEqual([{ name: 'one_n', valid: false }])
    await query('update one set n = 2 where ctid = (select max(ctid) from one)')
    put('9001_one.sql', '-- concurrent\ncreate unique index concurrently one_n on one (n);\n')
    expect(await run()).toEqual(['9001_one.sql'])
    expect(await indexes()).toEqual([{ name: 'one_n', valid: true }])
  })

  it('is left alone by the next run, which goes on with the statement that failed', async () => {
    put('9001_one.sql', '-- concurrent\ncreate index concurrently one_a on one (n);\ncreate unique index concurrently one_b on one (n);\n')
    await expect(run()).rejects.toThrow(/9001_one\.sql failed: could not create unique index/)
    const before = (await query(`select 'one_a'::regclass::oid as oid`)).rows
    await query('delete from one')
    expect(await run()).toEqual(['9001_one.sql'])
    expect((await query(`select 'one_a'::regclass::oid as oid`)).rows).toEqual(before)
    expect(await indexes()).toEqual([
      { name: 'one_a', valid: true },
      { name: 'one_b', valid: true },
    ])
  })

  it('waits for an open transaction without making anybody wait', async () => {
    let migrating: Promise<string[]> = Promise.resolve([])
    put('9001_one.sql', '-- concurrent\ncreate index concurrently one_n on one (n);\n')
    await whileOpen('insert into one values (7)', async () => {
      migrating = run()
      const waiting = `select 1 from pg_stat_progress_create_index where phase like 'waiting%' and datname = current_database()`
      await vi.waitFor(async () => expect((await query(waiting)).rowCount).toBe(1), { timeout: 60_000, interval: 5 })
      await query('insert into one values (8)')
    })
    expect(await migrating).toEqual(['9001_one.sql'])
    expect(await indexes()).toEqual([{ name: 'one_n', valid: true }])
  })
})

describe('a contract', () => {
  const putOff: string[] = []
  const runNoting = (): Promise<string[]> => run({ onPutOff: (name, why) => putOff.push(`${name}: ${why}`) })
  beforeEach(async () => {
    putOff.length = 0
    await query('create table one (n integer, old integer)')
    put('9001_one.sql', '-- expand\nalter table one add column m integer')
    put('9002_two.sql', '-- contract after 9001\nalter table one drop column old')
    put('9003_three.sql', '-- expand\ncreate table two (n integer)')
  })

  it('waits for the start after that of what it follows, and stands in nobody’s way', async () => {
    expect(await runNoting()).toEqual(['9001_one.sql', '9003_three.sql'])
    expect(putOff).toEqual([expect.stringMatching(/^9002_two\.sql: 9001 came with this very start/)])
    expect(await runNoting()).toEqual(['9002_two.sql'])
    expect((await query('select * from one')).fields.map(({ name }) => name)).toEqual(['n', 'm'])
  })

  it('waits for the last process that works with the schema before', async () => {
    await runNoting()
    await query(`insert into worker_leases values ('w1', 'salon:17', '9000_old.sql', clock_timestamp() + interval '1 hour')`)
    expect(await runNoting()).toEqual([])
    expect(putOff.at(-1)).toBe('9002_two.sql: salon:17 still works with the schema before 9001')
    await query(`update worker_leases set leased_until = clock_timestamp() - interval '1 second'`)
    await query(`insert into worker_leases values ('w2', 'salon:18', '9001_one.sql', clock_timestamp() + interval '1 hour')`)
    expect(await runNoting()).toEqual(['9002_two.sql'])
  })

  it('waits until what came before is filled', async () => {
    await runNoting()
    await query(`insert into migration_fills (name) values ('9001_ms'), ('9003_later')`)
    expect(await runNoting()).toEqual([])
    expect(putOff.at(-1)).toBe('9002_two.sql: 9001_ms is still being filled')
    await query(`update migration_fills set done_at = clock_timestamp() where name = '9001_ms'`)
    expect(await runNoting()).toEqual(['9002_two.sql'])
  })

  it('runs at once on a database that nobody has served from yet', async () => {
    const fresh = await cloneTemplate(inject('databaseServer'))
    const pool = new pg.Pool({ connectionString: fresh.url, max: 2 })
    // Its last connections may still be closing when their database is dropped.
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
    await pool.query('delete from migrations; create table one (n integer, old integer)')
    expect(await migrate(pool, directory)).toEqual(['9001_one.sql', '9002_two.sql', '9003_three.sql'])
    await pool.end()
    await fresh.drop()
  })
})

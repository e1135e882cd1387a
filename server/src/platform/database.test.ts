import { sql } from 'kysely'
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from 'vitest'
import { withLongerLimits } from '#/testing/longer-limits.ts'
import { cloneTemplate } from '#/testing/test-database.ts'
import { withAdvisoryLock, type Db, inTransaction, type OpenDatabase, openDatabase } from './database.ts'

let clone: Awaited<ReturnType<typeof cloneTemplate>>
let database: OpenDatabase
beforeAll(async () => {
  clone = await cloneTemplate(inject('databaseServer'))
  database = openDatabase(clone.url, { size: 8, onError: () => {} })
  await sql`create table counters (name text primary key, n integer not null)`.execute(database.db)
  await sql`insert into counters values ('a', 0), ('b', 0)`.execute(database.db)
})
afterAll(async () => {
  await database.close()
  await clone.drop()
})

describe('a transaction', () => {
  const count = (db: Db, name: string) => sql`update counters set n = n + 1 where name = ${name}`.execute(db)

  it('that waits in a circle with another is run again, and both end well', async () => {
    let meet = (): void => {}
    const met = new Promise<void>((resolve) => (meet = resolve))
    let arrived = 0
    let runs = 0
    const cross = (first: string, second: string) =>
      inTransaction(database.db, async (transaction) => {
        runs++
        await count(transaction, first)
        if (++arrived === 2) meet()
        await met
        await count(transaction, second)
      })
    await Promise.all([cross('a', 'b'), cross('b', 'a')])
    expect(runs).toBe(3)
    expect((await sql<{ n: number }>`select n from counters order by name`.execute(database.db)).rows).toEqual([{ n: 2 }, { n: 2 }])
  })

  it('is run four times at most, and once for any other error', async () => {
    const runsOf = async (code: string): Promise<number> => {
      let runs = 0
      const failing = inTransaction(database.db, async () => {
        runs++
        throw Object.assign(new Error(code), { code })
      })
      await expect(failing).rejects.toThrow(code)
      return runs
    }
    expect([await runsOf('40P01'), await runsOf('40001'), await runsOf('23505'), await runsOf('slot_taken')]).toEqual([4, 4, 1, 1])
  })
})

describe('work for one process at a time', () => {
  it('is waited for longer than any request may take, and lets go also when it fails', async () => {
    // A halted machine may need so long for the smallest statement.
    await withLongerLimits([150, 2000, 10_000], async (limitMs) => {
      const open = (): OpenDatabase => {
        const opened = openDatabase(`${clone.url}${clone.url.includes('?') ? '&' : '?'}statement_timeout=${limitMs}`, {
          size: 1,
          onError: () => {},
        })
        onTestFinished(() => opened.close())
        return opened
      }
      const [first, second] = [open(), open()]
      const tooLong = sql`select pg_sleep(${limitMs / 400}::float8)`
      const seen: string[] = []
      const slow =
        (name: string) =>
        async (connection: Db): Promise<void> => {
          seen.push(`${name} begins`)
          await tooLong.execute(connection)
          seen.push(`${name} ends`)
          throw new Error(name)
        }
      const outcomes = await Promise.allSettled([withAdvisoryLock(first.db, 42, slow('one')), withAdvisoryLock(second.db, 42, slow('two'))])
      expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'rejected'])
      expect(seen.map((word) => word.split(' ')[1])).toEqual(['begins', 'ends', 'begins', 'ends'])
      await expect(tooLong.execute(first.db)).rejects.toThrow(/statement timeout/)
    })
  })
})

describe('values', () => {
  it('come as the wire has them: instants in ISO with milliseconds, days as text, counts as numbers', async () => {
    const { rows } =
      await sql`select '2026-10-25T02:30:00.5+02:00'::timestamptz as at, '2026-10-25'::date as day, count(*) as n, 4.5::numeric as average from counters`.execute(
        database.db,
      )
    expect(rows).toEqual([{ at: '2026-10-25T00:30:00.500Z', day: '2026-10-25', n: 2, average: 4.5 }])
  })
})

import pg from 'pg'
import { sql } from 'kysely'
import * as z from 'zod/mini'
import { afterAll, beforeAll, describe, expect, inject, it } from 'vitest'
import { inTransaction, type OpenDatabase, openDatabase } from './platform/database.ts'
import { c, checkWhatIsSent, known, orNull, rowAsJson, statement, statements } from './platform/statement.ts'
import { checkAll, checkStatements } from './testing/check-statements.ts'
import { cloneTemplate } from './testing/test-database.ts'

let clone: Awaited<ReturnType<typeof cloneTemplate>>
let client: pg.Client
let database: OpenDatabase
beforeAll(async () => {
  clone = await cloneTemplate(inject('databaseServer'))
  client = new pg.Client({ connectionString: clone.url })
  await client.connect()
  database = openDatabase(clone.url, { size: 2, onError: () => {} })
})
afterAll(async () => {
  await database.close()
  await client.end()
  await clone.drop()
})

const id = '00000000-0000-7000-8000-000000000000'
const faultsOf = (...planted: Parameters<typeof checkStatements>[1][]) =>
  checkStatements(
    client,
    planted.flatMap((one) => [...one]),
  )
let planted = 0
const name = (): string => `planted.${++planted}`

describe('every statement of the server', () => {
  it('fits the migrated schema', async () => {
    const { statements: checked, faults } = await checkAll(clone.url)
    expect(checked).toBeGreaterThan(15)
    expect(faults).toEqual([])
  })
})

describe('a statement that lies is found', () => {
  const visit = { holdExtended: c.bool, totalAmount: c.int, expiresAt: orNull(c.instant) }
  const read = (held: string, total: string) => (asked: { id: string }) =>
    sql`select ${sql.raw(held)} as "holdExtended", ${sql.raw(total)} as "totalAmount", a.expires_at as "expiresAt" from appointments a where a.id = ${asked.id}`

  it('not when it tells the truth', async () => {
    const honest = statement({ name: name(), row: visit, tries: [{ id }] }, read('a.hold_extended', 'a.total_amount'))
    expect(await faultsOf([honest])).toEqual([])
  })

  it('by a misspelt column', async () => {
    const misspelt = statement({ name: name(), row: visit, tries: [{ id }] }, read('a.hold_extendet', 'a.total_amount'))
    expect(await faultsOf([misspelt])).toEqual([`${misspelt.name}: column a.hold_extendet does not exist`])
  })

  it('by a column of another type', async () => {
    const text = statement({ name: name(), row: visit, tries: [{ id }] }, read('a.hold_extended', 'a.total_amount::text'))
    expect(await faultsOf([text])).toEqual([
      `${text.name}: "totalAmount" is text, declared int2 or int4`,
      `${text.name}: "totalAmount" may be null: declare orNull(…), or known(…) where it never is`,
    ])
  })

  it('by a column that may be null and is declared filled', async () => {
    const filled = statement({ name: name(), row: { note: c.text } }, () => sql`select note from appointments`)
    expect(await faultsOf([filled])).toEqual([`${filled.name}: "note" may be null: declare orNull(…), or known(…) where it never is`])
  })

  it('by a parameter of another type, alone or in a list', async () => {
    const number = statement({ name: name(), row: {}, tries: [7] }, (of: number) => sql`delete from appointments where reference = ${of}`)
    const half = statement(
      { name: name(), row: {}, tries: [0.5] },
      (of: number) => sql`delete from appointments where total_amount = ${of}`,
    )
    const list = statement(
      { name: name(), row: {}, tries: [[7]] },
      (of: number[]) => sql`delete from services where id = any(${of}::uuid[])`,
    )
    const none = statement({ name: name(), row: {}, tries: [{}] }, ({ of }: { of?: string }) => sql`delete from services where id = ${of}`)
    expect(await faultsOf([number, half, list, none])).toEqual([
      `${number.name}: $1 is text, given: integer`,
      `${half.name}: $1 is int4, given: number`,
      `${list.name}: $1 is uuid, given: integer`,
      `${none.name}: $1 is uuid, given: undefined`,
    ])
  })

  it('by a column too many, too few or twice', async () => {
    const one = statement({ name: name(), row: { slug: c.text } }, () => sql`select slug, name from institutes`)
    const two = statement({ name: name(), row: { slug: c.text, name: c.text } }, () => sql`select slug from institutes`)
    const twice = statement(
      { name: name(), row: { id: c.uuid } },
      () => sql`select i.id, s.id from institutes i join services s on s.institute_id = i.id`,
    )
    expect(await faultsOf([one, two, twice])).toEqual([
      `${one.name}: gives "name", which is not declared`,
      `${two.name}: declares "name", which it does not give`,
      `${twice.name}: gives two columns of one name`,
    ])
  })

  it('by a closed list that lacks a value of the constraint, or has no constraint', async () => {
    const state = c.oneOf(['draft', 'published'])
    const lacking = statement({ name: name(), row: { state } }, () => sql`select state from institutes`)
    const open = statement({ name: name(), row: { city: c.oneOf(['Paris']) } }, () => sql`select city from institutes`)
    const sure = statement(
      { name: name(), row: { state: known(state) } },
      () => sql`select state from institutes where state <> 'suspended'`,
    )
    const whole = statement({ name: name(), row: { role: c.oneOf(['isPro', 'isClient']) } }, () => sql`select role from users`)
    expect(await faultsOf([lacking, open, sure, whole])).toEqual([
      `${lacking.name}: "state" may be 'suspended', which its declared list lacks`,
      `${open.name}: "city" has no closed list in the database: declare c.text, or known(…) where it does`,
    ])
  })

  it('in any of the shapes its text can take', async () => {
    const ordered = statement(
      { name: name(), row: { slug: c.text }, tries: [false, true] },
      (newest: boolean) => sql`select slug from institutes ${newest ? sql`order by made_at` : sql``}`,
    )
    expect(await faultsOf([ordered])).toEqual([`${ordered.name}: column "made_at" does not exist`])
  })

  it('when another one has its name', () => {
    const first = statement({ name: name(), row: {} }, () => sql`select`)
    expect(() => statement({ name: first.name, row: {} }, () => sql`select`)).toThrow(`two statements are named ${first.name}`)
    expect(statements.get(first.name)).toBe(first)
  })
})

describe('a statement that is sent', () => {
  const row = {
    id: known(c.uuid),
    n: known(c.count),
    sum: known(c.float),
    at: known(c.instant),
    day: known(c.day),
    yes: known(c.bool),
    hash: known(c.bytes),
    words: known(c.list(c.text)),
    numbers: known(c.list(c.int)),
    none: orNull(c.text),
    given: known(c.json<{ a: number }>()),
  }
  const everything = statement(
    { name: name(), row, tries: [new Date(0)] },
    (
      at: Date,
    ) => sql`select ${id}::uuid as id, 7::bigint as n, 1.5::numeric as sum, ${at}::timestamptz as at, '2026-05-01'::date as day, true as yes, '\\x01'::bytea as hash,
      array['a', 'b'] as words, array[1, 2] as numbers, null::text as none, '{"a":1}'::jsonb as given`,
  )

  it('gives what its columns promise', async () => {
    checkWhatIsSent(true)
    expect(await everything.one(database.db, new Date(1000))).toEqual({
      id,
      n: 7,
      sum: 1.5,
      at: '1970-01-01T00:00:01.000Z',
      day: '2026-05-01',
      yes: true,
      hash: Buffer.from([1]),
      words: ['a', 'b'],
      numbers: [1, 2],
      none: null,
      given: { a: 1 },
    })
    expect(await faultsOf([everything])).toEqual([])
  })

  it('runs prepared, in transactions, and as part of another one', async () => {
    const word = statement(
      { name: name(), row: { word: c.text }, tries: ['a'] },
      (of: string) => sql`select word from vocabulary where word = ${of}`,
    )
    const add = statement(
      { name: name(), row: {}, tries: [['a']] },
      (of: string[]) => sql`insert into vocabulary (word) select unnest(${of}::text[]) on conflict do nothing`,
    )
    const both = statement(
      { name: name(), row: { word: c.text }, tries: [{ one: 'a', other: 'b' }] },
      ({ one, other }: { one: string; other: string }) =>
        sql`with found as (${word.sql(one)}) select word from found where word <> ${other}`,
    )
    expect(await add.run(database.db, ['manicure', 'massage'])).toBe(2)
    expect(await inTransaction(database.prepared, (moment) => word.all(moment, 'massage'))).toEqual([{ word: 'massage' }])
    expect(await word.one(database.prepared, 'nails')).toBeNull()
    expect(await both.one(database.db, { one: 'massage', other: 'manicure' })).toEqual({ word: 'massage' })
    expect(await faultsOf([word, add, both])).toEqual([])
  })

  it('is held against its tries and its rows in tests: shapes, nulls of outer joins, kinds, lists and JSON', async () => {
    const absent = statement(
      { name: name(), row: { id: c.uuid } },
      () => sql`select i.id from (values (1)) one (n) left join institutes i on false`,
    )
    expect(await faultsOf([absent])).toEqual([])
    const sentAs = async (column: Parameters<typeof known>[0], value: string): Promise<unknown> =>
      statement({ name: 'planted.sent', row: { value: column } }, () => sql`select ${sql.raw(value)} as value`)
        .one(database.db)
        .finally(() => statements.delete('planted.sent'))
    checkWhatIsSent(true)
    await expect(absent.one(database.db)).rejects.toThrow(`${absent.name}: gave null in "id", which is declared filled`)
    await expect(sentAs(c.int, `'7'::text`)).rejects.toThrow('planted.sent: gave a string in "value", declared number')
    await expect(sentAs(c.oneOf(['a']), `'b'::text`)).rejects.toThrow('planted.sent: gave b in "value", which is not of its list')
    await expect(sentAs(c.json(z.object({ a: z.number() })), `'{"a":"1"}'::json`)).rejects.toThrow(
      'planted.sent: gave JSON in "value" that is not as declared',
    )
    expect(await sentAs(c.json(z.object({ a: z.number() })), `'{"a":1}'::json`)).toEqual({ value: { a: 1 } })
    const shaped = statement(
      { name: name(), row: { slug: c.text }, tries: [false] },
      (sorted: boolean) => sql`select slug from institutes ${sorted ? sql`order by slug` : sql``}`,
    )
    expect(await shaped.all(database.db, false)).toEqual([])
    expect(await shaped.all(database.prepared, false)).toEqual([])
    await expect(shaped.all(database.prepared, true)).rejects.toThrow(`${shaped.name}: sent in a shape that none of its tries has`)
    const open = statement({ name: name(), row: { slug: c.text }, tries: () => [false], open: true }, shaped.sql)
    expect(await open.all(database.db, true)).toEqual([])
    const whole = c.json(rowAsJson({ a: c.int, b: orNull(c.text) }))
    expect(await sentAs(whole, `'{"a":1,"b":null}'::json`)).toEqual({ value: { a: 1, b: null } })
    await expect(sentAs(whole, `'{"a":null,"b":null}'::json`)).rejects.toThrow('gave null in "a", which is declared filled')
    checkWhatIsSent(false)
    expect(await absent.one(database.db)).toEqual({ id: null })
    expect(await shaped.all(database.db, true)).toEqual([])
  })
})

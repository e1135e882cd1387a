/** The text of `platform/tables.ts`: what the builder knows of the migrated schema, in the types that our parsers give. */
import { resolve } from 'node:path'
import pg from 'pg'
import { readClosedLists } from './closed-lists.ts'
import { migrationDigest } from './migration-digest.ts'

interface ColumnRow {
  table: string
  column: string
  place: string
  type: string
  filled: boolean
  /** Stored by the database alone. */
  made: boolean
  hasDefault: boolean
}

const plain: Readonly<Record<string, string>> = {
  bool: 'boolean',
  int2: 'number',
  int4: 'number',
  int8: 'Whole',
  float4: 'number',
  float8: 'number',
  numeric: 'number',
  timestamptz: 'Instant',
  json: 'Json',
  jsonb: 'Json',
  bytea: 'Buffer',
  _text: 'string[]',
  _uuid: 'string[]',
  _int4: 'number[]',
}

function typeOf({ type, filled, made, hasDefault }: ColumnRow, list: readonly string[] | undefined): string {
  const some = list ? list.map((value) => `'${value.replaceAll("'", "\\'")}'`).join(' | ') : (plain[type] ?? 'string')
  if (made) return `GeneratedAlways<${filled ? some : `${some} | null`}>`
  if (filled) return hasDefault ? `Generated<${some}>` : some
  return `${some} | null`
}

const head = `// Made by \`npm run tables\` from the migrated schema; a test compares the two.
// Migrations ${migrationDigest(resolve(import.meta.dirname, '../../migrations'))}
import type { ColumnType, GeneratedAlways } from 'kysely'

/** Read as ISO text, written as a Date or text. */
type Instant = ColumnType<string, Date | string, Date | string>
/** Written as text, so that a list is not taken for an array. */
type Json = ColumnType<unknown, string, string>
/** Written as a bigint where it may exceed 2^53. */
type Whole = ColumnType<number, number | bigint, number | bigint>
/** May be left out when a row is inserted. */
type Generated<T> = [T] extends [ColumnType<infer Select, infer Insert, infer Update>]
  ? ColumnType<Select, Insert | undefined, Update>
  : ColumnType<T, T | undefined, T>
`

const named = (table: string): string => `${table.replace(/(?:^|_)(\w)/g, (_, letter: string) => letter.toUpperCase())}Table`

/** The whole file. */
export async function describeTables(url: string): Promise<string> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const lists = new Map((await readClosedLists(client)).map(({ place, values }) => [place, values]))
    const { rows } = await client.query<ColumnRow>(
      `select c.relname as "table", a.attname as "column", c.oid || '.' || a.attnum as place, t.typname as type, a.attnotnull as filled,
         a.attgenerated <> '' as made, a.atthasdef or a.attidentity <> '' as "hasDefault"
       from pg_class c join pg_attribute a on a.attrelid = c.oid join pg_type t on t.oid = a.atttypid
       where c.relnamespace = 'public'::regnamespace and c.relkind in ('r', 'p') and not c.relispartition and a.attnum > 0 and not a.attisdropped
       order by c.relname collate "C", a.attnum`,
    )
    const tables = Map.groupBy(rows, ({ table }) => table)
    const interfaces = [...tables].map(
      ([table, columns]) =>
        `\ninterface ${named(table)} {\n${columns.map((one) => `  ${one.column}: ${typeOf(one, lists.get(one.place))}\n`).join('')}}\n`,
    )
    const all = [...tables.keys()].map((table) => `  ${table}: ${named(table)}\n`).join('')
    return `${head}${interfaces.join('')}\nexport interface Tables {\n${all}}\n`
  } finally {
    await client.end()
  }
}

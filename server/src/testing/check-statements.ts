/** Compares what statements declare with what PostgreSQL says of their texts: Parse, Describe and Sync; nothing is run. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely'
import pg from 'pg'
import { type AnyStatement, type Column, statements } from '#/platform/statement.ts'
import { readClosedLists } from './closed-lists.ts'

const sources = join(import.meta.dirname, '..')

/** Loads every module of the server that declares statements; all that are declared then. */
async function loadStatements(): Promise<AnyStatement[]> {
  const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing'),
  )
  for (const file of files.sort()) {
    const path = join(sources, file)
    if (/from '(?:#\/platform|\.)\/statement\.ts'/.test(readFileSync(path, 'utf8'))) await import(pathToFileURL(path).href)
  }
  return [...statements.values()]
}

interface Field {
  name: string
  dataTypeID: number
  tableID: number
  columnID: number
}
interface Described {
  fields: Field[]
  parameters: number[]
}
type Take = (message: { dataTypeIDs: number[] }) => void
interface Wire {
  parse(query: object): void
  describe(message: object): void
  sync(): void
  once(event: string, take: Take): void
  removeListener(event: string, take: Take): void
}

/** pg runs anything with `submit`: its own cursors are made this way. */
function describeText(client: pg.Client, text: string): Promise<Described> {
  return new Promise((resolve, reject) => {
    const found: Described = { fields: [], parameters: [] }
    const take: Take = ({ dataTypeIDs }) => void (found.parameters = dataTypeIDs)
    let forget = () => {}
    client.query({
      submit(wire: Wire) {
        wire.once('parameterDescription', take)
        forget = () => wire.removeListener('parameterDescription', take)
        wire.parse({ name: '', text, types: [] })
        wire.describe({ type: 'S', name: '' })
        wire.sync()
      },
      handleRowDescription(message: { fields: Field[] }) {
        found.fields = message.fields
      },
      // pg forgets a query that failed: readiness is not told to it.
      handleError(error: Error) {
        forget()
        reject(error)
      },
      handleReadyForQuery: () => resolve(found),
    } as unknown as pg.Submittable)
  })
}

/** Which kinds of values each type of parameter is given; others come as text. */
const takes: Readonly<Record<string, readonly string[]>> = {
  bool: ['boolean'],
  int2: ['integer'],
  int4: ['integer'],
  int8: ['integer', 'bigint', 'string'],
  float4: ['integer', 'number'],
  float8: ['integer', 'number'],
  numeric: ['integer', 'number', 'string'],
  timestamptz: ['instant', 'string'],
  json: ['string', 'object'],
  jsonb: ['string', 'object'],
  bytea: ['bytes'],
}

function kindOf(value: unknown): string {
  if (value instanceof Date) return 'instant'
  if (Array.isArray(value)) return 'list'
  if (Buffer.isBuffer(value)) return 'bytes'
  return Number.isInteger(value) ? 'integer' : typeof value
}

/** What is wrong with a value as a parameter of a type; null when nothing is. */
function parameterFault(type: string, value: unknown): string | null {
  if (value === null) return null
  const kind = kindOf(value)
  if (type.startsWith('_')) {
    if (kind === 'string') return null
    if (!Array.isArray(value)) return `is ${type.slice(1)}[], given: ${kind}`
    return value.map((one) => parameterFault(type.slice(1), one)).find((fault) => fault !== null) ?? null
  }
  return (takes[type] ?? ['string']).includes(kind) ? null : `is ${type}, given: ${kind}`
}

interface Catalogue {
  types: Map<number, string>
  /** Columns that are never null, as `table.column` by number. */
  filled: Set<string>
  lists: Map<string, readonly string[]>
}

async function readCatalogue(client: pg.Client): Promise<Catalogue> {
  const types = await client.query<{ oid: number; typname: string }>('select oid::int, typname from pg_type')
  const filled = await client.query<{ place: string }>(
    `select attrelid || '.' || attnum as place from pg_attribute where attnotnull and attnum > 0`,
  )
  const lists = await readClosedLists(client)
  return {
    types: new Map(types.rows.map(({ oid, typname }) => [oid, typname])),
    filled: new Set(filled.rows.map(({ place }) => place)),
    lists: new Map(lists.map(({ place, values }) => [place, values])),
  }
}

function* columnFaults(key: string, declared: Column<unknown>, field: Field, { types, filled, lists }: Catalogue): Generator<string> {
  const type = types.get(field.dataTypeID) ?? '?'
  const place = `${field.tableID}.${field.columnID}`
  if (!declared.types.includes(type)) yield `"${key}" is ${type}, declared ${declared.types.join(' or ')}`
  if (declared.known) return
  if (!declared.nullable && !filled.has(place)) yield `"${key}" may be null: declare orNull(…), or known(…) where it never is`
  if (!declared.among) return
  const list = lists.get(place)
  if (!list) yield `"${key}" has no closed list in the database: declare c.text, or known(…) where it does`
  const beyond = list?.find((value) => !declared.among?.includes(value))
  if (beyond !== undefined) yield `"${key}" may be '${beyond}', which its declared list lacks`
}

function* fieldFaults(row: AnyStatement['row'], fields: readonly Field[], catalogue: Catalogue): Generator<string> {
  const byName = new Map(fields.map((field) => [field.name, field]))
  if (byName.size < fields.length) yield 'gives two columns of one name'
  for (const name of byName.keys()) if (!(name in row)) yield `gives "${name}", which is not declared`
  for (const [key, declared] of Object.entries(row)) {
    const field = byName.get(key)
    if (field) yield* columnFaults(key, declared, field, catalogue)
    else yield `declares "${key}", which it does not give`
  }
}

/** What is wrong with the statements; empty when nothing is. */
export async function checkStatements(client: pg.Client, checked: Iterable<AnyStatement>): Promise<string[]> {
  const faults = new Set<string>()
  const catalogue = await readCatalogue(client)
  const compiler = new Kysely<never>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (db) => new PostgresIntrospector(db),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
  })
  for (const { name, row, tries, sql } of checked) {
    // Other values in a text that was described are only held against its parameters.
    const described = new Map<string, Described | undefined>()
    for (const input of tries()) {
      const { sql: text, parameters } = sql(input as never).compile(compiler)
      if (!described.has(text)) {
        const found = await describeText(client, text).catch((error: Error) => void faults.add(`${name}: ${error.message}`))
        described.set(text, found || undefined)
        if (found) for (const fault of fieldFaults(row, found.fields, catalogue)) faults.add(`${name}: ${fault}`)
      }
      for (const [place, oid] of (described.get(text)?.parameters ?? []).entries()) {
        const fault = parameterFault(catalogue.types.get(oid) ?? '?', parameters[place])
        if (fault) faults.add(`${name}: $${place + 1} ${fault}`)
      }
    }
  }
  return [...faults]
}

/** Checks every statement of the server against a migrated database. */
export async function checkAll(url: string): Promise<{ statements: number; faults: string[] }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const all = await loadStatements()
    return { statements: all.length, faults: await checkStatements(client, all) }
  } finally {
    await client.end()
  }
}

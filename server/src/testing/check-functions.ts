/**
 * Checks the bodies of the database's functions against the migrated schema. PostgreSQL looks into a PL/pgSQL body only when
 * a line of it runs; into a SQL function it looks when that is made. So each query and expression of a body (taken apart by
 * PostgreSQL's own parser) is made a SQL function for a moment, whose arguments are the variables in sight.
 */
import { parsePlPgSQL } from 'libpg-query'
import pg from 'pg'

interface StoredFunction {
  name: string
  definition: string
  language: 'plpgsql' | 'sql'
  isTrigger: boolean
}
/** A table a trigger function serves, with the names of the rows it changed. */
interface Fired {
  table: string
  transitions: string[]
}
interface Variable {
  name: string
  type: string
  /** With fields, as a row has. */
  isRecord?: true
}
interface Query {
  line: number
  text: string
  mode: number
}
type Node = Record<string, unknown>

const ofFunctions = `select p.oid::regprocedure::text as name, pg_get_functiondef(p.oid) as definition, l.lanname as language, p.prorettype = 'trigger'::regtype as "isTrigger"
  from pg_proc p join pg_language l on l.oid = p.prolang
  where p.pronamespace = 'public'::regnamespace and p.prokind = 'f' and l.lanname in ('plpgsql', 'sql')
    and not exists (select from pg_depend d where d.objid = p.oid and d.deptype = 'e') order by 1`
const ofTriggers = `select distinct t.tgfoid::regprocedure::text as name, t.tgrelid::regclass::text as table,
    array_remove(array[t.tgnewtable::text, t.tgoldtable::text], null) as transitions from pg_trigger t where not t.tgisinternal order by 1, 2`

/** Every query and expression below a node of the parsed body, with the line of its statement. */
function* queriesOf(node: unknown, line = 0): Generator<Query> {
  if (Array.isArray(node)) for (const one of node) yield* queriesOf(one, line)
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return
  const at = typeof (node as Node)['lineno'] === 'number' ? ((node as Node)['lineno'] as number) : line
  const expression = (node as Node)['PLpgSQL_expr'] as { query: string; parseMode: number } | undefined
  if (expression) yield { line: at, text: expression.query, mode: expression.parseMode }
  else for (const one of Object.values(node)) yield* queriesOf(one, at)
}

/** The queries that fill each record, by its name. */
function* fillingsOf(node: unknown): Generator<{ record: string; query: string }> {
  if (Array.isArray(node)) for (const one of node) yield* fillingsOf(one)
  if (typeof node !== 'object' || node === null || Array.isArray(node)) return
  const { target, var: looped, sqlstmt, query } = node as Record<string, Node | undefined>
  const record = ((target ?? looped)?.['PLpgSQL_rec'] as { refname?: string } | undefined)?.refname
  const filling = ((sqlstmt ?? query)?.['PLpgSQL_expr'] as { query?: string } | undefined)?.query
  if (record !== undefined && filling !== undefined) yield { record, query: filling }
  for (const one of Object.values(node)) yield* fillingsOf(one)
}

/** As a statement: an expression is selected, of an assignment both sides. */
function asStatement({ text, mode }: Query): string {
  if (mode === 0) return text
  const assigned = /^\s*([\w."]+(?:\[[^\]]*\])*)\s*:?=(?!=)\s*([\s\S]*)$/.exec(text)
  return mode === 2 || !assigned ? `select (${text})` : `select (${assigned[2]}), (${assigned[1]})`
}

async function tryOut(client: pg.Client, work: () => Promise<unknown>): Promise<string | null> {
  await client.query('savepoint tried')
  try {
    await work()
    return null
  } catch (error) {
    return (error as Error).message
  } finally {
    await client.query('rollback to savepoint tried')
  }
}

const quoted = (name: string): string => `"${name.replaceAll('"', '""')}"`
const argumentsOf = (variables: readonly Variable[]): string => variables.map(({ name, type }) => `${quoted(name)} ${type}`).join(', ')

/** A view with the columns of what fills a record; the record is of its type. @throws what PostgreSQL says of the query */
async function recordType(client: pg.Client, name: string, query: string, variables: readonly Variable[]): Promise<Variable> {
  const plain = variables.filter(({ isRecord }) => !isRecord).map((variable) => `null::${variable.type} as ${quoted(variable.name)}`)
  // Fields of one are named as columns of a table are.
  const records = variables
    .filter(({ isRecord }) => isRecord)
    .map((variable) => `(select (null::${variable.type}).*) as ${quoted(variable.name)}`)
  const view = `record_${name}`
  await client.query(
    `create temp view ${view} as select filled.* from ${[`(select ${plain.join(', ')}) as known`, ...records].join(', ')}, lateral (${query.replace(/\bfor (?:update|share)\b.*$/is, '')}) as filled`,
  )
  return { name, type: `pg_temp.${view}`, isRecord: true }
}

/** Variables of a table's type. The parser knows no tables, so it is told that they are records. */
function rowsOf(definition: string, tables: ReadonlySet<string>): { text: string; rows: Variable[] } {
  const rows: Variable[] = []
  const text = definition.replaceAll(/\b(\w+)\s+(\w+)(?:%rowtype)?\s*;/gi, (declared, name: string, type: string) => {
    if (!tables.has(type)) return declared
    rows.push({ name, type, isRecord: true })
    return `${name} record;`
  })
  return { text, rows }
}

async function variablesOf(client: pg.Client, parsed: Node, rows: readonly Variable[], fired: Fired | undefined): Promise<Variable[]> {
  const datums = parsed['datums'] as Record<string, Node>[]
  const byName = new Map(rows.map((row) => [row.name, row]))
  for (const datum of datums) {
    const variable = datum['PLpgSQL_var'] as { refname: string; datatype: { PLpgSQL_type: { typname: string } } } | undefined
    if (variable) byName.set(variable.refname, { name: variable.refname, type: variable.datatype.PLpgSQL_type.typname })
    const record = datum['PLpgSQL_rec'] as { refname: string } | undefined
    if (record && fired && ['new', 'old'].includes(record.refname))
      byName.set(record.refname, { name: record.refname, type: fired.table, isRecord: true })
  }
  for (const { record, query } of fillingsOf(parsed['action']))
    if (!byName.has(record)) byName.set(record, await recordType(client, record, query, [...byName.values()]))
  return [...byName.values()]
}

async function checkBody(
  client: pg.Client,
  tables: ReadonlySet<string>,
  { name, definition }: StoredFunction,
  fired: Fired | undefined,
): Promise<string[]> {
  const faults: string[] = []
  const where = fired ? `${name} on ${fired.table}` : name
  const { text, rows } = rowsOf(definition, tables)
  const { plpgsql_funcs: [found] = [] } = (await parsePlPgSQL(text)) as unknown as { plpgsql_funcs?: Record<string, Node>[] }
  const parsed = found?.['PLpgSQL_function']
  if (!parsed) return [`${where}: could not be taken apart`]
  await client.query('savepoint body')
  try {
    for (const transition of fired?.transitions ?? []) await client.query(`create temp table ${quoted(transition)} (like ${fired?.table})`)
    const variables = await variablesOf(client, parsed, rows, fired)
    for (const query of queriesOf(parsed)) {
      const tried = `create function pg_temp.tried(${argumentsOf(variables)}) returns void language sql as $tried$ ${asStatement(query)} $tried$`
      const fault = await tryOut(client, () => client.query(tried))
      if (fault !== null) faults.push(`${where}, line ${query.line}: ${fault}, in: ${query.text.replaceAll(/\s+/g, ' ').slice(0, 100)}`)
    }
  } catch (error) {
    faults.push(`${where}: ${(error as Error).message}`)
  } finally {
    await client.query('rollback to savepoint body')
  }
  return faults
}

/** What is wrong in the bodies of all functions of a migrated database; nothing in it is changed. */
export async function checkFunctions(client: pg.Client): Promise<{ functions: number; faults: string[] }> {
  await client.query('begin')
  try {
    const { rows: functions } = await client.query<StoredFunction>(ofFunctions)
    const { rows: triggers } = await client.query<Fired & { name: string }>(ofTriggers)
    const named = await client.query<{ name: string }>(
      "select relname as name from pg_class where relkind in ('r', 'p', 'v') and relnamespace = 'public'::regnamespace",
    )
    const tables = new Set(named.rows.map(({ name }) => name))
    const faults: string[] = []
    for (const one of functions) {
      if (one.language === 'sql') {
        const fault = await tryOut(client, () => client.query(one.definition))
        if (fault !== null) faults.push(`${one.name}: ${fault}`)
      } else if (one.isTrigger) {
        for (const fired of triggers.filter(({ name }) => name === one.name)) faults.push(...(await checkBody(client, tables, one, fired)))
      } else faults.push(...(await checkBody(client, tables, one, undefined)))
    }
    return { functions: functions.length, faults: [...new Set(faults)] }
  } finally {
    await client.query('rollback')
  }
}

/** Checks all functions of a migrated database. */
export async function checkAllFunctions(url: string): Promise<{ functions: number; faults: string[] }> {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return await checkFunctions(client)
  } finally {
    await client.end()
  }
}

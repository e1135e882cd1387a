/**
 * SQL that is checked. A statement declares its columns as values: the row type derives from them, and a test compares them with what
 * PostgreSQL says of the text, without running it (`testing/check-statements.ts`). What PostgreSQL cannot say is looked at in tests when
 * rows come back.
 */
import type { QueryResult, RawBuilder } from 'kysely'
import type { Db } from './database.ts'
import { markPrepared, unmarked } from './prepared.ts'

/** Says whether a value fits; a schema of zod is one. */
export interface JsonSchema<T> {
  safeParse(value: unknown): { success: true; data: T } | { success: false; error: unknown }
}

/** A column of a result: the types it may have in the database, and the type `T` our parsers make of it. */
export interface Column<T> {
  readonly types: readonly string[]
  /** What JavaScript has in its place; `json` may be anything. */
  readonly kind: 'string' | 'number' | 'boolean' | 'bytes' | 'list' | 'json'
  readonly nullable: boolean
  /** The author answers for it that this is never null (and of the closed list), where the database cannot tell. */
  readonly known: boolean
  readonly among?: readonly string[]
  readonly schema?: JsonSchema<unknown>
  /** Never there; holds the type. */
  readonly value?: T
}

const column = <T>(kind: Column<T>['kind'], ...types: string[]): Column<T> => ({ types, kind, nullable: false, known: false })

export const orNull = <T>(of: Column<T>): Column<T | null> => ({ ...of, nullable: true }) as Column<T | null>
/** An expression, or a column behind an outer join, of which the author knows that it is never null. Tests look at the rows. */
export const known = <T>(of: Column<T>): Column<T> => ({ ...of, known: true })

/** Types whose arrays come as arrays of what `Column` promises; pg makes Dates and texts of others. */
const listable = new Set(['uuid', 'text', 'varchar', 'bool', 'int2', 'int4', 'float4', 'float8'])

export const c = {
  uuid: column<string>('string', 'uuid'),
  text: column<string>('string', 'text', 'varchar', 'bpchar', 'citext'),
  bool: column<boolean>('boolean', 'bool'),
  int: column<number>('number', 'int2', 'int4'),
  /** Numbers of rows, bytes or milliseconds: whole, and below 2^53. */
  count: column<number>('number', 'int2', 'int4', 'int8'),
  float: column<number>('number', 'float4', 'float8', 'numeric'),
  /** ISO text with milliseconds, UTC. */
  instant: column<string>('string', 'timestamptz'),
  /** `YYYY-MM-DD` */
  day: column<string>('string', 'date'),
  bytes: column<Buffer>('bytes', 'bytea'),
  /** What a function gives that gives nothing, such as one that locks. */
  void: column<''>('string', 'void'),
  /** The schema is held against values in tests only. */
  json: <T>(schema?: JsonSchema<T>): Column<T> => ({ ...column<T>('json', 'json', 'jsonb'), ...(schema && { schema }) }),
  list: <T>(of: Column<T>): Column<T[]> => column<T[]>('list', ...of.types.filter((type) => listable.has(type)).map((type) => `_${type}`)),
  /** A closed list: that of a check constraint, or one the author knows. */
  oneOf: <const T extends string>(among: readonly T[]): Column<T> => ({ ...column<T>('string', 'text', 'varchar'), among }),
}

export type Shape = Readonly<Record<string, Column<unknown>>>
type ValueOf<C> = C extends Column<infer T> ? T : never
/** The type of the rows a shape describes. */
export type RowOf<S extends Shape> = { -readonly [Key in keyof S]: ValueOf<S[Key]> }

/** Any statement, for who only describes it. */
export interface AnyStatement {
  readonly name: string
  readonly row: Shape
  tries(): readonly unknown[]
  sql(input: never): RawBuilder<unknown>
}
export interface Statement<Input, S extends Shape> extends AnyStatement {
  readonly row: S
  tries(): readonly Input[]
  /** The text with its values, as part of other statements too. */
  sql(input: Input): RawBuilder<RowOf<S>>
  all(db: Db, input: Input): Promise<RowOf<S>[]>
  /** The first row; null when there is none. */
  one(db: Db, input: Input): Promise<RowOf<S> | null>
  /** How many rows were written. */
  run(db: Db, input: Input): Promise<number>
}

interface Declared<S extends Shape> {
  name: string
  /** A column value for each column it gives, `{}` for none. */
  row: S
  /** The text has more shapes than can be tried, such as one for each number of words; tests do not ask for the one they send. */
  open?: boolean
  /** Found by ids, so that one plan is right for all values: a connection plans it once, through whichever handle it is sent. */
  byId?: boolean
}
/** An input for every shape that the text can take, or a function that makes them; they are compiled and described, never run. */
type Tries<Input> = readonly [Input, ...Input[]] | (() => readonly Input[])

/** An id for `tries`. */
export const someId = '00000000-0000-7000-8000-000000000000'

/** Every statement of the modules that are loaded, by name. */
export const statements = new Map<string, AnyStatement>()

/** Declares a statement. One without input needs no tries. */
export function statement<S extends Shape, Input = void>(
  declared: Declared<S> & ([Input] extends [void] ? { tries?: never } : { tries: Tries<NoInfer<Input>> }),
  build: (input: Input) => RawBuilder<unknown>,
): Statement<Input, S> {
  const { name, row, open = false, byId = false } = declared
  if (statements.has(name)) throw new Error(`two statements are named ${name}`)
  const compose = build as (input: Input) => RawBuilder<RowOf<S>>
  const execute = (db: Db, input: Input): Promise<QueryResult<RowOf<S>>> =>
    (byId ? compose(input).withPlugin(markPrepared) : compose(input)).execute(db)
  const given: Tries<Input> = declared.tries ?? [undefined as Input]
  const tries = (): readonly Input[] => (typeof given === 'function' ? given() : given)
  let shapes: Set<string> | null = null
  const send = async (db: Db, input: Input): Promise<QueryResult<RowOf<S>>> => {
    if (!checks) return execute(db, input)
    const textOf = (one: Input): string => unmarked(compose(one).compile(db).sql)
    shapes ??= new Set(tries().map(textOf))
    if (!open && !shapes.has(textOf(input))) throw new Error(`${name}: sent in a shape that none of its tries has`)
    const result = await execute(db, input)
    for (const one of result.rows) checkRow(name, row, one)
    return result
  }
  const all = async (db: Db, input: Input): Promise<RowOf<S>[]> => (await send(db, input)).rows
  const made: Statement<Input, S> = {
    name,
    row,
    tries,
    sql: compose,
    all,
    one: async (db, input) => (await all(db, input))[0] ?? null,
    run: async (db, input) => Number((await send(db, input)).numAffectedRows ?? 0n),
  }
  statements.set(name, made)
  return made
}

let checks = false
/** In tests: a statement sent in a shape that was never tried, and a row that is not what its statement declares, are errors. */
export function checkWhatIsSent(on: boolean): void {
  checks = on
}

const kindOf = (value: unknown): string => (Array.isArray(value) ? 'list' : Buffer.isBuffer(value) ? 'bytes' : typeof value)

function checkRow(name: string, shape: Shape, row: Record<string, unknown>): void {
  const fail = (what: string): never => {
    throw new Error(`${name}: ${what}`)
  }
  for (const key of Object.keys(row)) if (!(key in shape)) fail(`gave "${key}", which is not declared`)
  for (const [key, { kind, nullable, among, schema }] of Object.entries(shape)) {
    const value = row[key]
    if (value === undefined) fail(`declares "${key}", which it did not give`)
    if (value === null) {
      if (!nullable) fail(`gave null in "${key}", which is declared filled`)
      continue
    }
    if (kind !== 'json' && kindOf(value) !== kind) fail(`gave a ${kindOf(value)} in "${key}", declared ${kind}`)
    if (among && !among.includes(value as string)) fail(`gave ${String(value)} in "${key}", which is not of its list`)
    const verdict = schema?.safeParse(value)
    if (verdict && !verdict.success) fail(`gave JSON in "${key}" that is not as declared: ${String(verdict.error)}`)
  }
}

/** A schema for a whole row that comes as JSON, as `to_json` makes it. */
export const rowAsJson = <S extends Shape>(shape: S): JsonSchema<RowOf<S>> => ({
  safeParse(value) {
    try {
      checkRow('a row as JSON', shape, value as Record<string, unknown>)
      return { success: true, data: value as RowOf<S> }
    } catch (error) {
      return { success: false, error }
    }
  },
})

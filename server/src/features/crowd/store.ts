// Bulk loading: rows as text through COPY, in one transaction that takes the walls down and builds them up again.
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { ChunkTable } from './chunk.ts'
import type { Town } from './towns.ts'

/** Whoever makes or takes away a crowd waits for its turn under this number. */
const turn = 727_007

/** Tables of the crowd; what points at another comes after it. */
export const crowdTables = [
  'institutes',
  'institute_pictures',
  'opening_hours',
  'closures',
  'services',
  'service_prerequisites',
  'team_members',
  'member_services',
  'rotas',
  'rota_shifts',
  'shift_overrides',
  'absences',
  'resources',
  'resource_closures',
  'customers',
  'appointments',
  'segments',
  'occupations',
  'bookable_services',
  'free_time',
] as const

const quoted = (name: string): string => `"${name}"`

/** One transaction in which nothing times out, and whose writes promise to bring their own summaries. */
export async function inBulk<T>(pool: pg.Pool, work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect()
  try {
    await client.query(`begin; set local statement_timeout = 0; set local idle_in_transaction_session_timeout = 0;
      set local maintenance_work_mem = '512MB'; set local work_mem = '128MB'; set local synchronous_commit = 'on';
      set local soigne.bulk = 'on'; select pg_advisory_xact_lock(${turn})`)
    const result = await work(client)
    await client.query('commit')
    return result
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

/** Every town that has people, in an order that stays; nobody lives in a part of a town twice. */
export async function readTowns(client: pg.ClientBase): Promise<Town[]> {
  const { rows } = await client.query<Town>(
    `select geoname_id as "geonameId", name, name_ar as "nameAr", country_code as "countryCode", lat, lon, population, time_zone as "timeZone"
     from places where population > 0 and name not like '%(%' order by country_code, geoname_id`,
  )
  return rows
}

/** References of visits that are not the crowd's and begin with its letter. */
export async function readReferences(client: pg.ClientBase, letter: string, crowd: IdRange): Promise<string[]> {
  const { rows } = await client.query<{ reference: string }>(
    `select reference from appointments where reference like $1 and not (institute_id between $2 and $3)`,
    [`${letter}%`, crowd.first, crowd.last],
  )
  return rows.map(({ reference }) => reference)
}

/** Ids of institutes, both ends included. */
export interface IdRange {
  first: string
  last: string
}

export async function countCrowd(client: pg.ClientBase, { first, last }: IdRange): Promise<number> {
  const { rows } = await client.query<{ count: number }>('select count(*) from institutes where id between $1 and $2', [first, last])
  return rows[0]?.count ?? 0
}

/** Takes institutes away with everything that hangs on them; what is theirs goes before them, so that nothing cascades row by row. */
export async function removeInstitutes(client: pg.ClientBase, { first, last }: IdRange): Promise<void> {
  for (const table of crowdTables.toReversed())
    await client.query(`delete from ${quoted(table)} where ${table === 'institutes' ? 'id' : 'institute_id'} between $1 and $2`, [
      first,
      last,
    ])
  await client.query('delete from free_time_marks where institute_id between $1 and $2', [first, last])
}

export async function copyRows(client: pg.ClientBase, { table, columns, text }: ChunkTable): Promise<void> {
  const stream = client.query(copyFrom(`copy ${quoted(table)} (${columns.map(quoted).join()}) from stdin`))
  stream.end(Buffer.from(text.buffer, text.byteOffset, text.byteLength))
  await finished(stream)
}

export async function addVocabulary(client: pg.ClientBase, words: readonly string[]): Promise<void> {
  await client.query('insert into vocabulary (word) select word from unnest($1::text[]) as word on conflict do nothing', [words])
}

/** What keeps single writes right and searches fast, and makes loading slow: foreign keys, exclusion constraints, indexes. */
export interface DroppedConstraints {
  constraints: { table: string; name: string; definition: string }[]
  indexes: string[]
}

/**
 * Takes the walls of the crowd's tables down, for this transaction only: nobody else sees the tables until it ends, and if it does not
 * end well the walls were never away. Unique keys stay.
 */
export async function dropConstraints(client: pg.ClientBase): Promise<DroppedConstraints> {
  await client.query(`lock table ${crowdTables.map(quoted).join()} in access exclusive mode`)
  const found = await client.query<DroppedConstraints['constraints'][number]>(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = any($1::text[]::regclass[]) and contype in ('f', 'x') order by contype desc, conrelid, conname`,
    [crowdTables],
  )
  for (const { table, name } of found.rows) await client.query(`alter table ${table} drop constraint ${quoted(name)}`)
  const indexes = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = any($1::text[]::regclass[]) and not i.indisunique and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [crowdTables],
  )
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`)
  return { constraints: found.rows, indexes: indexes.rows.map(({ definition }) => definition) }
}

/** Builds the walls up again; each looks at every row, and one that does not fit ends the transaction. */
export async function buildConstraints(
  client: pg.ClientBase,
  { constraints, indexes }: DroppedConstraints,
  onBuilt: (what: string, seconds: number) => void,
): Promise<void> {
  const timed = async (what: string, text: string): Promise<void> => {
    const began = performance.now()
    await client.query(text)
    onBuilt(what, (performance.now() - began) / 1000)
  }
  for (const definition of indexes) await timed(definition.slice(0, 60), definition)
  for (const { table, name, definition } of constraints)
    await timed(name, `alter table ${table} add constraint ${quoted(name)} ${definition}`)
}

/** A first look at the tables, from which foreign keys are checked; `tidyUp` takes a better one. */
export async function analyzeTables(client: pg.ClientBase): Promise<void> {
  await client.query(`set local default_statistics_target = 10; analyze ${crowdTables.map(quoted).join()}`)
}

/** Room for what was taken away, and a map of what everybody can see; two tables at a time. */
export async function tidyUp(pool: pg.Pool): Promise<void> {
  const left = [...crowdTables, 'vocabulary'].values()
  await Promise.all([tidyTables(pool, left), tidyTables(pool, left)])
}

async function tidyTables(pool: pg.Pool, tables: Iterable<string>): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('set statement_timeout = 0')
    for (const table of tables) await client.query(`vacuum (analyze) ${quoted(table)}`)
  } finally {
    await client.query('reset statement_timeout').catch(() => {})
    client.release()
  }
}

export async function databaseBytes(pool: pg.Pool): Promise<number> {
  const { rows } = await pool.query<{ bytes: number }>('select pg_database_size(current_database()) as bytes')
  return rows[0]?.bytes ?? 0
}

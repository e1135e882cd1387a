// Bulk loading: rows as text through COPY, in one transaction that can drop constraints and build them again.
import { finished } from 'node:stream/promises'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'
import type { TableRows } from '#/rows/tables.ts'
import { copyTextOf, type TableText } from './rows-by-table.ts'

/** Whoever makes or takes away a demo or a crowd waits for its turn under this number. */
const turn = 727_007

/** Tables of institutes; what points at another comes after it. */
export const instituteTables = [
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
  'leave_times',
  'resources',
  'resource_closures',
  'blocked_times',
  'group_sessions',
  'customers',
  'appointments',
  'segments',
  'session_seats',
  'soft_occupations',
  'occupations',
  'reviews',
  'review_pictures',
  'review_reports',
  'bookable_services',
  'free_time',
  'products',
  'sales',
  'document_series',
  'document_chains',
  'documents',
  'document_lines',
  'payments',
  'tips',
  'ledger_lines',
  'gift_cards',
  'gift_card_moves',
  'packages',
  'client_packages',
  'client_package_moves',
  'till_closings',
] as const

/** What is written of money that was paid online; nobody loads so much of it that indexes would be in the way. */
const onlineTables = [
  'checkouts',
  'refunds',
  'kept_deposits',
  'payouts',
  'payout_moves',
  'payout_reads',
  'sandbox_pages',
  'sandbox_refunds',
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

interface Reference {
  child: string
  parent: string
  /** The parent cannot go before it. */
  holds: boolean
}
/** Who points at whom, where the one that points says of which institute it is. */
const referencesOf = async (client: pg.ClientBase): Promise<Reference[]> =>
  (
    await client.query<Reference>(`select c.conrelid::regclass::text as child, c.confrelid::regclass::text as parent, bool_or(c.confdeltype in ('a', 'r')) as holds
      from pg_constraint c join pg_class t on t.oid = c.conrelid
      where c.contype = 'f' and c.conrelid <> c.confrelid and t.relkind = 'r' and c.connamespace = 'public'::regnamespace
        and exists (select from pg_attribute a where a.attrelid = c.conrelid and a.attname = 'institute_id' and not a.attisdropped)
      group by 1, 2 order by 1, 2`)
  ).rows

/** Tables of institutes and all that would hold them back, such as money that was paid in a trial: each before what it points at. */
function inOrderOfRemoval(references: readonly Reference[]): string[] {
  const left = new Set<string>([...instituteTables, 'free_time_marks', 'leave_marks'])
  for (let before = -1; before !== left.size;) {
    before = left.size
    for (const { child, parent, holds } of references) if (holds && left.has(parent)) left.add(child)
  }
  const order: string[] = []
  while (left.size > 0) {
    const rest = [...left].toReversed()
    const isFree = (table: string): boolean => !references.some(({ child, parent }) => parent === table && left.has(child))
    // Of those that point at each other the last goes first, as it was written last.
    const next = rest.find(isFree) ?? rest[0] ?? ''
    left.delete(next)
    order.push(next)
  }
  return order
}

/**
 * Takes institutes away with everything that hangs on them; what is theirs goes before them, so that nothing cascades row by row.
 * `which` is a condition on the column of their ids, with one or two values.
 */
export async function removeInstitutes(
  client: pg.ClientBase,
  which: (column: string) => string,
  values: readonly unknown[],
): Promise<void> {
  for (const table of inOrderOfRemoval(await referencesOf(client)))
    await client.query(`delete from ${quoted(table)} where ${which(table === 'institutes' ? 'id' : 'institute_id')}`, [...values])
}

/** What the sandbox took for institutes that are taken away: it knows them by name alone. */
export async function removePages(client: pg.ClientBase, institutes: readonly string[]): Promise<void> {
  await client.query('delete from sandbox_refunds where page_id in (select id from sandbox_pages where institute = any($1))', [institutes])
  await client.query('delete from sandbox_pages where institute = any($1)', [institutes])
}

export async function copyRows(client: pg.ClientBase, { table, columns, text }: TableText): Promise<void> {
  const stream = client.query(copyFrom(`copy ${quoted(table)} (${columns.map(quoted).join()}) from stdin`))
  stream.end(Buffer.from(text.buffer, text.byteOffset, text.byteLength))
  await finished(stream)
}

/** Writes some rows, all of them or none. */
export async function writeRows(pool: pg.Pool, tables: readonly TableRows[]): Promise<void> {
  const client = await pool.connect()
  try {
    await client.query('begin')
    for (const table of copyTextOf([], tables).tables) await copyRows(client, table)
    await client.query('commit')
  } catch (error) {
    await client.query('rollback').catch(() => {})
    throw error
  } finally {
    client.release()
  }
}

/** Words that searches may be spelled like, in one order whoever writes them: two transactions that add the same would wait for each other. */
export async function addVocabulary(client: pg.ClientBase, words: Iterable<string>): Promise<void> {
  const sorted = [...new Set(words)].sort()
  await client.query('insert into vocabulary (word) select word from unnest($1::text[]) as word on conflict do nothing', [sorted])
}

/** What keeps single writes right and searches fast, and makes loading slow: foreign keys, exclusion constraints, indexes. */
export interface DroppedConstraints {
  constraints: { table: string; name: string; definition: string }[]
  indexes: string[]
}

/**
 * Drops the constraints of the tables of institutes, for this transaction only: nobody else sees the tables until it ends, and if it does
 * not end well they were never away. Unique keys stay.
 */
export async function dropConstraints(client: pg.ClientBase): Promise<DroppedConstraints> {
  await client.query(`lock table ${instituteTables.map(quoted).join()} in access exclusive mode`)
  const found = await client.query<DroppedConstraints['constraints'][number]>(
    `select conrelid::regclass::text as "table", conname as name, pg_get_constraintdef(oid) as definition from pg_constraint
     where conrelid = any($1::text[]::regclass[]) and contype in ('f', 'x') order by contype desc, conrelid, conname`,
    [instituteTables],
  )
  for (const { table, name } of found.rows) await client.query(`alter table ${table} drop constraint ${quoted(name)}`)
  const indexes = await client.query<{ name: string; definition: string }>(
    `select i.indexrelid::regclass::text as name, pg_get_indexdef(i.indexrelid) as definition from pg_index i
     where i.indrelid = any($1::text[]::regclass[]) and not i.indisunique and not exists (select from pg_constraint c where c.conindid = i.indexrelid)`,
    [instituteTables],
  )
  for (const { name } of indexes.rows) await client.query(`drop index ${name}`)
  return { constraints: found.rows, indexes: indexes.rows.map(({ definition }) => definition) }
}

/** Adds them again; each looks at every row, and one that does not fit ends the transaction. */
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
  await client.query(`set local default_statistics_target = 10; analyze ${instituteTables.map(quoted).join()}`)
}

/** Room for what was taken away, and a map of what everybody can see; two tables at a time. */
export async function tidyUp(pool: pg.Pool): Promise<void> {
  const left = [...instituteTables, ...onlineTables, 'vocabulary'].values()
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

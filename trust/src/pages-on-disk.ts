/** Whether tables and indexes are sound after crashes: amcheck for what it knows, and a comparison with the plain table for the index that keeps times apart. */
import type pg from 'pg'

export async function checkPages(db: pg.Pool): Promise<{ violations: string[]; indexes: number; tables: number }> {
  const client = await db.connect()
  const violations: string[] = []
  try {
    await client.query('create extension if not exists amcheck')
    const indexes = await client.query<{ name: string; method: string }>(
      `select c.oid::regclass::text as name, m.amname as method from pg_class c join pg_am m on m.oid = c.relam join pg_namespace n on n.oid = c.relnamespace
       where c.relkind = 'i' and n.nspname not in ('pg_toast', 'information_schema') and m.amname in ('btree', 'gin')`,
    )
    for (const { name, method } of indexes.rows)
      await client
        .query(method === 'btree' ? 'select bt_index_check($1::regclass, true)' : 'select gin_index_check($1::regclass)', [name])
        .catch((error: Error) => violations.push(`index ${name}: ${error.message}`))
    const tables = await client.query<{ name: string }>(
      `select c.oid::regclass::text as name from pg_class c join pg_namespace n on n.oid = c.relnamespace where c.relkind = 'r' and n.nspname not in ('pg_catalog', 'pg_toast', 'information_schema')`,
    )
    for (const { name } of tables.rows) {
      const { rows } = await client.query<{ msg: string }>('select msg from verify_heapam($1::regclass)', [name])
      if (rows.length > 0) violations.push(`table ${name}: ${rows[0]?.msg}`)
    }
    violations.push(...(await compareGist(client)))
    return { violations, indexes: indexes.rows.length, tables: tables.rows.length }
  } finally {
    client.release()
  }
}

/** Every stored time must be found through the index as it is found by reading the table from end to end. */
async function compareGist(client: pg.PoolClient): Promise<string[]> {
  await client.query('set enable_seqscan = off; set enable_hashjoin = off; set enable_mergejoin = off')
  const byIndex = await client.query<{ n: number }>(
    'select count(*)::int as n from (select subject_id, during, id from occupations offset 0) o where exists (select 1 from occupations p where p.subject_id = o.subject_id and p.during && o.during and p.id = o.id)',
  )
  await client.query(
    'reset enable_seqscan; reset enable_hashjoin; reset enable_mergejoin; set enable_indexscan = off; set enable_bitmapscan = off; set enable_indexonlyscan = off',
  )
  const byTable = await client.query<{ n: number }>('select count(*)::int as n from occupations')
  await client.query('reset enable_indexscan; reset enable_bitmapscan; reset enable_indexonlyscan')
  const [found, stored] = [byIndex.rows[0]?.n, byTable.rows[0]?.n]
  return found === stored ? [] : [`the index of times finds ${found} of ${stored}`]
}

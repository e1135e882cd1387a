/** A fresh database for each test, cloned from a migrated template in a real Postgres. */
import { createHash, randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import pg from 'pg'
import { openEmbeddedPostgres } from '#/platform/embedded-postgres.ts'
import { migrateJobs } from '#/platform/jobs.ts'
import { openLog } from '#/platform/log.ts'
import { migrate } from '#/platform/migrations.ts'
import { grantRights, makeRoles } from '#/platform/roles.ts'
import { tableRights } from '#/table-rights.ts'
import { migrationDigest } from './migration-digest.ts'

const root = resolve(import.meta.dirname, '../../..')
const migrations = join(root, 'server/migrations')

const withDatabase = (url: string, name: string): string => {
  const [base = '', query] = url.split('?')
  return `${base.replace(/\/[^/]*$/, `/${name}`)}${query ? `?${query}` : ''}`
}

/** Rights are part of it. */
const rights = createHash('sha256')
  .update(readFileSync(join(root, 'server/src/platform/roles.ts')))
  .update(readFileSync(join(root, 'server/src/table-rights.ts')))
  .digest('hex')
const templateName = (): string => `template_${migrationDigest(migrations)}_${rights.slice(0, 6)}`

async function administer<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client({ connectionString: withDatabase(url, 'postgres') })
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

/** Postgres waits five seconds for those who still leave a database; where machine or disk stand still it is asked again. */
async function onceLeft(work: () => Promise<unknown>): Promise<void> {
  for (let turn = 0; ; turn++)
    try {
      return void (await work())
    } catch (error) {
      if (turn === 20 || (error as { code?: string }).code !== '55006') throw error
    }
}

/** Tests kill processes and never the machine: waiting for the disk at every commit, clone and drop tells nothing. */
async function forgetOnPowerLoss(client: pg.Client): Promise<void> {
  for (const setting of ['fsync', 'full_page_writes']) await client.query(`alter system set ${setting} = off`)
  await client.query('select pg_reload_conf()')
}

/** Kept for the next run, unless it is told where to be. */
const dataDir = process.env['TEST_DATA_DIR'] ?? join(root, '.data/test')

/** Makes sure the template is there; the address of the server. */
export async function prepareTemplate(): Promise<{ url: string; leave(): Promise<void> }> {
  const given = process.env['TEST_DATABASE_URL']
  const embedded = given ? null : await openEmbeddedPostgres(dataDir)
  const url = given ?? embedded?.url ?? ''
  const name = templateName()
  if (embedded) await administer(url, forgetOnPowerLoss)
  await administer(url, async (client) => {
    await client.query('select pg_advisory_lock(727002)')
    const found = await client.query('select 1 from pg_database where datname = $1', [name])
    if (found.rowCount) return
    await client.query(`create database building_${name}`).catch(async () => {
      await client.query(`drop database building_${name} with (force)`)
      await client.query(`create database building_${name}`)
    })
    const pool = new pg.Pool({ connectionString: withDatabase(url, `building_${name}`), max: 2 })
    pool.on('error', () => {})
    pool.on('connect', (client) => client.on('error', () => {}))
    await migrate(pool, migrations)
    await migrateJobs(pool, openLog('error'))
    await makeRoles(pool)
    await grantRights(pool, tableRights)
    await pool.end()
    await onceLeft(() => client.query(`alter database building_${name} rename to ${name}`))
  })
  return { url, leave: async () => embedded?.leave() }
}

/** What databases of one run that were filled once begin with. */
const filledName = (run: string): string => `filled_${run}_`

/** The name of a template that is filled by whoever needs it first, for as long as this run lasts; `from` another one or the empty one. */
export async function filledTemplate(
  url: string,
  { run, what, from = templateName() }: { run: string; what: string; from?: string },
  fill: (url: string) => Promise<void>,
): Promise<string> {
  const name = `${filledName(run)}${what}`
  await administer(url, async (client) => {
    await client.query('select pg_advisory_lock(727003)')
    const found = await client.query('select 1 from pg_database where datname = $1', [name])
    if (found.rowCount) return
    await client.query(`drop database if exists building_${name} with (force)`)
    await onceLeft(() => client.query(`create database building_${name} template ${from}`))
    await fill(withDatabase(url, `building_${name}`))
    await onceLeft(() => client.query(`alter database building_${name} rename to ${name}`))
  })
  return name
}

export const dropFilled = (url: string, run: string): Promise<void> =>
  administer(url, async (client) => {
    const { rows } = await client.query<{ datname: string }>('select datname from pg_database where starts_with(datname, $1)', [
      filledName(run),
    ])
    for (const { datname } of rows) await client.query(`drop database if exists ${datname} with (force)`)
  })

/** Copying files is the quickest way where nobody waits for the disk, and the slowest where somebody does. */
async function strategyOf(client: pg.Client): Promise<'file_copy' | 'wal_log'> {
  const { rows } = await client.query<{ fsync: string }>('show fsync')
  return rows[0]?.fsync === 'off' ? 'file_copy' : 'wal_log'
}

/** A database of its own for one test app. */
export async function cloneTemplate(url: string, template = templateName()): Promise<{ url: string; drop(): Promise<void> }> {
  const name = `t_${process.pid}_${randomBytes(4).toString('hex')}`
  await administer(url, async (client) => {
    const strategy = await strategyOf(client)
    await onceLeft(() => client.query(`create database ${name} template ${template} strategy ${strategy}`))
  })
  return {
    url: withDatabase(url, name),
    drop: () => administer(url, (client) => onceLeft(() => client.query(`drop database if exists ${name} with (force)`))),
  }
}

/** Where a database listens: an address, or a socket in a folder, as that of the product itself. */
export function placeOf({ hostname, port }: URL): { host: string; port: number } | { path: string } {
  const host = decodeURIComponent(hostname)
  return host.startsWith('/') ? { path: `${host}/.s.PGSQL.${port || 5432}` } : { host, port: Number(port) }
}

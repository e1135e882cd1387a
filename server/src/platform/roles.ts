/**
 * Who the product is to PostgreSQL. The migrator owns the schema. The app serves requests: it reads and writes rows, and what is only ever added to it can
 * neither change nor take away. The worker does jobs: it also forgets what is too old. Somebody of an institute is a role of its own, whom the database shows
 * the rows of that institute alone (`institute-wall.ts`).
 */
import { randomInt } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type pg from 'pg'

export const appRole = 'soigne_app'
export const workerRole = 'soigne_worker'
export const instituteRole = 'soigne_institute'

/** What a product says of its tables, by their names. */
export interface TableRights {
  /** What is added and never changed; only who does jobs may forget what is too old. */
  appendOnly: readonly string[]
  /** Added, and never changed nor forgotten by anybody the product is. */
  immutable: readonly string[]
  /** Tables with rows of institutes that do not name theirs: the condition on a row, in SQL. */
  ofRow: Readonly<Record<string, string>>
}
/** The platform's own. */
const ownAppendOnly = ['events']
/** What the schema says of itself: only read. */
const ofMigrator = ['migrations', 'migration_steps'] as const

const quoted = (names: readonly string[]): string => names.map((name) => `'${name}'`).join(', ')

/** The user a database is reached as; null where the address names none. */
export const userOf = (url: string): string | null => {
  const user = /^postgres(?:ql)?:\/\/([^:@/]*)(?::[^@/]*)?@/.exec(url)?.[1]
  return user ? decodeURIComponent(user) : null
}

/** The same database, reached as somebody else who needs no password there. */
export const asUser = (url: string, user: string): string => url.replace(/^(postgres(?:ql)?:\/\/)(?:[^@/]*@)?/, `$1${user}@`)

const makeText = `do $$
declare one text;
begin
  -- Two processes that start together.
  perform pg_advisory_xact_lock(727006);
  foreach one in array array[${quoted([appRole, workerRole])}] loop
    if not exists (select from pg_roles where rolname = one) then execute format('create role %I login', one); end if;
  end loop;
  if not exists (select from pg_roles where rolname = '${instituteRole}') then create role ${instituteRole} nologin; end if;
  if not pg_has_role('${appRole}', '${instituteRole}', 'member') then grant ${instituteRole} to ${appRole}; end if;
end $$`

/** Makes the roles where they are missing; they are the cluster's, not a database's. @throws when whoever is connected may not */
export const makeRoles = async (owner: pg.Pool | pg.ClientBase): Promise<void> => void (await owner.query(makeText))

/** Whoever else the product connects as acts as these. */
export async function joinRole(owner: pg.Pool, user: string, roles: readonly string[]): Promise<void> {
  for (const role of roles)
    if (user !== role)
      await owner.query(`do $$ begin
        if not pg_has_role('${user.replaceAll("'", "''")}', '${role}', 'member') then
          execute format('grant %I to %I', '${role}', '${user.replaceAll("'", "''")}');
        end if;
      end $$`)
}

const everybody = `${appRole}, ${workerRole}, ${instituteRole}`

/** Rights on everything there is; no table is waited for. Again and again with the same outcome. */
const grantText = ({ appendOnly, immutable }: TableRights): string => `do $$
declare one text;
begin
  grant usage on schema public, graphile_worker to ${everybody};
  grant select, insert, update, delete on all tables in schema public, graphile_worker to ${everybody};
  grant usage, select, update on all sequences in schema public, graphile_worker to ${everybody};
  grant execute on all functions in schema public, graphile_worker to ${everybody};
  foreach one in array array[${quoted([...ownAppendOnly, ...appendOnly])}] loop
    execute format('revoke update, delete, truncate on %I from ${appRole}, ${instituteRole}', one);
  end loop;
  foreach one in array array[${quoted(immutable)}]::text[] loop
    execute format('revoke update, delete, truncate on %I from ${everybody}', one);
  end loop;
  foreach one in array array[${quoted(ofMigrator)}] loop
    execute format('revoke insert, update, delete on %I from ${everybody}', one);
  end loop;
end $$`

/** Tables that have no wall yet: those that name an institute, some that do not, and those of the job library, which walls them off from everybody but their owner. */
const openText = `select n.nspname as schema, c.relname as name
  from pg_class c join pg_namespace n on n.oid = c.relnamespace
  where c.relkind = 'r' and not exists (select from pg_policy p where p.polrelid = c.oid and p.polname = 'product')
    and (n.nspname = 'graphile_worker' or n.nspname = 'public' and (c.relname = any($1)
      or exists (select from pg_attribute a where a.attrelid = c.oid and a.attname = 'institute_id' and not a.attisdropped)))
  order by 1, 2`

interface Table {
  schema: string
  name: string
}

function wallText({ schema, name }: Table, { ofRow }: TableRights): string {
  const table = `${schema}."${name}"`
  const product = `create policy product on ${table} to`
  if (schema !== 'public') return `${product} ${everybody} using (true) with check (true)`
  const using = ofRow[name] ?? 'institute_id = institute_of_wall()'
  // What is nobody's may be written, such as the event that somebody's bell rings.
  const check = ofRow[name] ?? 'institute_id is null or institute_id = institute_of_wall()'
  return `${product} ${appRole}, ${workerRole} using (true) with check (true);
    create policy institute on ${table} to ${instituteRole} using (${using}) with check (${check});
    alter table ${table} enable row level security`
}

const lockTimeoutMs = 200
const mostTries = 300

/** A table at a time, and with a short wait for its lock: the site serves meanwhile, and whoever waits for a table holds up everybody behind. */
async function wallOff(client: pg.PoolClient, table: Table, rights: TableRights): Promise<void> {
  for (let tried = 1; ; tried++)
    try {
      await client.query(`begin; set local lock_timeout = ${lockTimeoutMs}; ${wallText(table, rights)}; commit`)
      return
    } catch (error) {
      await client.query('rollback')
      if (tried === mostTries || !['55P03', '40P01'].includes((error as { code?: string }).code ?? '')) throw error
      await sleep(randomInt(20, 150))
    }
}

/** Rights of everybody, and the wall of every table that has none yet. @throws when whoever is connected does not own the schema */
export async function grantRights(owner: pg.Pool, rights: TableRights): Promise<void> {
  const client = await owner.connect()
  try {
    // Two processes that start together.
    await client.query('select pg_advisory_lock(727006)')
    await client.query(grantText(rights))
    const { rows } = await client.query<Table>(openText, [Object.keys(rights.ofRow)])
    for (const table of rows) await wallOff(client, table, rights)
  } finally {
    await client.query('select pg_advisory_unlock(727006)').catch(() => {})
    client.release()
  }
}

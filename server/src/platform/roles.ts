/**
 * Who the product is to PostgreSQL. The migrator owns the schema. The app serves requests: it reads and writes rows, and what is only ever added to it can
 * neither change nor take away. The worker does jobs: it also forgets what is too old. Somebody of an institute is a role of its own, whom the database shows
 * the rows of that institute alone (`institute-wall.ts`).
 */
import type pg from 'pg'

export const appRole = 'soigne_app'
export const workerRole = 'soigne_worker'
export const instituteRole = 'soigne_institute'

/** What is added and never changed; only who does jobs may forget what is too old. */
export const appendOnly = ['events', 'security_events'] as const
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
  perform pg_advisory_xact_lock(727004);
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

/** Rights on everything there is, and the wall of institutes on every table that names one. Again and again with the same outcome. */
const grantText = `do $$
declare one record;
begin
  perform pg_advisory_xact_lock(727004);
  grant usage on schema public, graphile_worker to ${everybody};
  grant select, insert, update, delete on all tables in schema public, graphile_worker to ${everybody};
  grant usage, select, update on all sequences in schema public, graphile_worker to ${everybody};
  grant execute on all functions in schema public, graphile_worker to ${everybody};
  for one in select unnest(array[${quoted(appendOnly)}]) as name loop
    execute format('revoke update, delete, truncate on %I from ${appRole}, ${instituteRole}', one.name);
  end loop;
  for one in select unnest(array[${quoted(ofMigrator)}]) as name loop
    execute format('revoke insert, update, delete on %I from ${everybody}', one.name);
  end loop;
  for one in
    select c.oid, c.relname, n.nspname, exists (
        select from pg_attribute a where a.attrelid = c.oid and a.attname = 'institute_id' and not a.attisdropped) as of_institute
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where c.relkind = 'r' and (n.nspname = 'graphile_worker' or n.nspname = 'public')
  loop
    if one.nspname = 'graphile_worker' then
      -- The library walls its tables off from everybody but their owner.
      if not exists (select from pg_policy where polrelid = one.oid and polname = 'product') then
        execute format('create policy product on graphile_worker.%I to ${everybody} using (true) with check (true)', one.relname);
      end if;
    elsif (one.of_institute or one.relname in ('institutes', 'messages')) and not exists (select from pg_policy where polrelid = one.oid and polname = 'institute') then
      execute format('create policy product on %I to ${appRole}, ${workerRole} using (true) with check (true)', one.relname);
      execute format('create policy institute on %I to ${instituteRole} using (%s) with check (%s)', one.relname,
        case one.relname when 'institutes' then 'id = institute_of_wall()'
          when 'messages' then 'exists (select from chats c where c.id = chat_id)' else 'institute_id = institute_of_wall()' end,
        case one.relname when 'institutes' then 'id = institute_of_wall()'
          when 'messages' then 'exists (select from chats c where c.id = chat_id)'
          -- What is nobody's may be written, such as the event that somebody's bell rings.
          else 'institute_id is null or institute_id = institute_of_wall()' end);
      execute format('alter table %I enable row level security', one.relname);
    end if;
  end loop;
end $$`

/** @throws when whoever is connected does not own the schema */
export const grantRights = async (owner: pg.Pool): Promise<void> => void (await owner.query(grantText))

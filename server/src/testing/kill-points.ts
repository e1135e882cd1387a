/** Places inside the database where a process that comes by waits until somebody has killed it, and a reaction without the guard that the others have. */
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import type { AppContext } from '#/platform/app-context.ts'
import type { AfterCommit } from '#/platform/reactions.ts'
import { lettersOf } from './effects-judge.ts'

/** Where a process may be killed. `take`: a reaction begins; `commit`: its effect is made, but not committed; `complete`: committed, but its job is not done; `dispatch`: jobs are added, but the cursor was not moved. */
export const killPoints = ['take visit letters', 'commit visit letters', 'complete react_together', 'dispatch'] as const
export const unguardedPoint = 'commit unguarded letters'
export type KillPoint = (typeof killPoints)[number] | typeof unguardedPoint

const gate = 727_999

const schema = `
create table kill_points (point text primary key);
create table letter_tries (n bigint generated always as identity, key text not null);
create function wait_to_be_killed() returns trigger language plpgsql as $$
declare
  v_point text := tg_argv[0];
begin
  if tg_table_name = 'reactions_done' then v_point := v_point || ' ' || new.reaction; end if;
  if tg_table_name = '_private_jobs' then v_point := v_point || ' ' || (select identifier from graphile_worker._private_tasks where id = old.task_id); end if;
  if exists (select from kill_points where point = v_point) then perform pg_advisory_xact_lock(${gate}); end if;
  return coalesce(new, old);
end $$;
create trigger kill_point before insert on reactions_done for each row execute function wait_to_be_killed('take');
create constraint trigger kill_point_at_commit after insert on reactions_done deferrable initially deferred for each row execute function wait_to_be_killed('commit');
create trigger kill_point before update on event_cursors for each row execute function wait_to_be_killed('dispatch');
create trigger kill_point before delete on graphile_worker._private_jobs for each row execute function wait_to_be_killed('complete');
-- A letter that is written twice is refused by its key; here it is seen.
create function note_letter_try() returns trigger language plpgsql as $$
begin
  insert into letter_tries (key) values (new.dedupe_key);
  return new;
end $$;
create trigger note_letter_try before insert on mails for each row execute function note_letter_try();`

/** What a reaction must not be: its effect is not in the transaction that notes it. */
export const unguarded: AfterCommit<AppContext> = {
  name: 'unguarded letters',
  kinds: lettersOf.kinds,
  async react({ database }, _transaction, event) {
    await sql`insert into letter_tries (key) values (${`event:${event.id}:unguarded`})`.execute(database.db)
  },
}

export interface Killer {
  /** Waits until a process is at a point, and says which; it stays there until `open`. */
  meet(point: KillPoint, among: () => readonly number[], signal: AbortSignal): Promise<number>
  /** Ends what a dead process left in the database, as the end of its connections does, and lets everybody else go on. */
  open(dead: number): Promise<void>
  close(): Promise<void>
}

/** Prepares a migrated database. */
export async function openKiller(url: string): Promise<Killer> {
  const client = new pg.Client({ connectionString: url, application_name: 'killer' })
  await client.connect()
  await client.query(schema)
  const waiting = async (): Promise<number[]> =>
    (
      await client.query<{ name: string }>(
        `select a.application_name as name from pg_locks l join pg_stat_activity a using (pid) where l.locktype = 'advisory' and l.objid = $1 and not l.granted`,
        [gate],
      )
    ).rows.map(({ name }) => Number(name.replace('soigne-', '')))
  return {
    async meet(point, among, signal) {
      await client.query('select pg_advisory_lock($1)', [gate])
      await client.query('insert into kill_points values ($1)', [point])
      for (;;) {
        const met = (await waiting()).find((pid) => among().includes(pid))
        if (met !== undefined) return met
        await sleep(10, undefined, { signal })
      }
    },
    async open(dead) {
      await client.query('delete from kill_points')
      await client.query('select pg_terminate_backend(pid) from pg_stat_activity where application_name = $1', [`soigne-${dead}`])
      await client.query('select pg_advisory_unlock($1)', [gate])
    },
    close: () => client.end(),
  }
}

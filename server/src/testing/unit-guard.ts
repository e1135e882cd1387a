/**
 * A judge of whoever writes what an institute's time is taken by, inside the database, so that it sees any code and plain SQL too. At the commit it demands
 * an event, a raised version of the diary, and an index of free time that is not left behind. In tests only: a booking should not pay for it.
 */
import type pg from 'pg'

/** Tables whose rows take time, with the columns that decide about it where not all do. */
const takesTime: Readonly<Record<string, string>> = {
  // Both words for what became of a visit: a trigger on one of them does not hear of the other.
  appointments: 'insert or delete or update of starts_at, ends_at, status, life',
  segments: 'insert or update',
  occupations: 'insert or delete or update',
  soft_occupations: 'insert or delete or update',
  group_sessions: 'insert or delete or update',
  session_seats: 'insert or delete or update',
  blocked_times: 'insert or delete or update',
  absences: 'insert or delete or update',
  leave_times: 'insert or delete or update',
}
/** Those whose change makes a diary in memory untrue. Confirming and extending a hold do not. */
const raisesVersion = ['occupations', 'soft_occupations']

const functions = `
create function guard_event() returns trigger language plpgsql as $$
declare
  v_institute uuid := coalesce(new.institute_id, old.institute_id);
begin
  if not exists (select from events where xid = pg_current_xact_id() and institute_id = v_institute) then
    raise exception 'guard: % of % without an event', tg_op, tg_table_name;
  end if;
  return null;
end $$;
create function guard_version() returns trigger language plpgsql as $$
declare
  v_institute uuid := coalesce(new.institute_id, old.institute_id);
begin
  if not exists (select from diary_versions where institute_id = v_institute and xmin = pg_current_xact_id()::xid) then
    raise exception 'guard: % of % without a raised version', tg_op, tg_table_name;
  end if;
  return null;
end $$;
create function guard_index() returns trigger language plpgsql as $$
begin
  if exists (select from free_time_marks where institute_id = new.institute_id) then
    raise exception 'guard: the index of free time was left behind';
  end if;
  return null;
end $$;
create constraint trigger guard_index after insert on free_time_marks deferrable initially deferred for each row execute function guard_index();`

const triggers = [
  ...Object.entries(takesTime).map(
    ([table, when]) =>
      `create constraint trigger guard_event after ${when} on ${table} deferrable initially deferred for each row execute function guard_event()`,
  ),
  ...raisesVersion.map(
    (table) =>
      `create constraint trigger guard_version after insert or delete or update of during on ${table} deferrable initially deferred for each row execute function guard_version()`,
  ),
]

/** Watches a database from now on. */
export async function guardUnits(pool: pg.Pool): Promise<void> {
  await pool.query(functions)
  for (const trigger of triggers) await pool.query(trigger)
}

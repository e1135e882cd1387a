/** A failed job is tried again after some seconds, which a slow machine reaches in the middle of a test: here it is when the test says so. */
import type pg from 'pg'

const hold = `
create function wait_for_the_test() returns trigger language plpgsql as $$
begin
  new.run_at := new.run_at + interval '1 day';
  return new;
end $$;
create trigger wait_for_the_test before update on graphile_worker._private_jobs for each row
  when (old.locked_at is not null and new.locked_at is null and new.last_error is not null and new.run_at > old.run_at) execute function wait_for_the_test()`

export const holdRetries = (pool: pg.Pool): Promise<unknown> => pool.query(hold)

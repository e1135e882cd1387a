-- expand
-- What a site needs that changes while it serves: cursors of fills, leases of workers, claims of keys, and the clock of a trial.

-- How far a fill has come that gives new columns their values in the background.
create table migration_fills (
  -- begins with the number of the migration whose columns it fills
  name text primary key check (name ~ '^\d{4}_'),
  -- the last key that is done, in the order of the fill; null at the beginning
  cursor text,
  rows_done bigint not null default 0,
  started_at timestamptz not null default clock_timestamp(),
  done_at timestamptz
);

-- A worker that does not renew its lease is dead, and its jobs are done by others.
create table worker_leases (
  worker_id text primary key,
  -- machine and process, for people
  process text not null,
  -- the newest migration that its code knows
  knows text not null,
  leased_until timestamptz not null
);

-- Work beyond the database (a payment) claims its key in a commit of its own and finishes it with its effect.
alter table idempotency_keys
  -- who does the work; null where key and effect share one transaction
  add column claimed_by uuid,
  -- the database's clock; after it another may claim
  add column claimed_until timestamptz,
  -- what is to be done, and what was asked, for whoever has to finish it
  add column kind text,
  add column request jsonb;
comment on column idempotency_keys.status is 'null while the first request runs, or until its work is finished by a job';

-- The clock of a trial runs ahead of the machine's by so much, in every process.
create table trial_clock (
  one boolean primary key default true check (one),
  ahead_ms bigint not null check (ahead_ms >= 0)
);

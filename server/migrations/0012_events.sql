-- expand
-- What happened, written in the transaction that made it happen and never changed. Followers read what became visible between two snapshots:
-- ids are not the order of commits, so "id greater than the last" would miss some.
create table events (
  id bigint generated always as identity primary key,
  xid xid8 not null default pg_current_xact_id(),
  kind text not null check (length(kind) between 1 and 60),
  institute_id uuid,
  -- what it happened to, such as a visit
  subject_id uuid,
  -- who made it happen: { kind: 'client' | 'institute' | 'system' | …, userId? }
  actor jsonb not null,
  payload jsonb not null default '{}',
  at timestamptz not null
);
create index events_by_transaction on events (xid, id);
create index events_by_subject on events (subject_id, id);

create function events_stay() returns trigger language plpgsql as $$
begin
  raise exception 'events are never changed';
end $$;
create trigger events_stay before update on events for each row execute function events_stay();

-- Where a follower stands. After a restored dump the snapshots belong to another cluster: `update event_cursors set position = pg_current_snapshot()`.
create table event_cursors (
  name text primary key,
  position pg_snapshot not null
);
insert into event_cursors (name, position) values ('reactions', pg_current_snapshot());

-- Which reaction has answered which event: written in the transaction of the effect, so that each happens once.
create table reactions_done (
  event_id bigint not null,
  reaction text not null,
  done_at timestamptz not null default now(),
  primary key (event_id, reaction)
);

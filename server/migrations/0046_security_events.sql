-- expand
-- What matters to the safety of accounts. Rows are added and never changed, and taken away only when they are old.
create table security_events (
  id bigint generated always as identity primary key,
  at timestamptz not null,
  kind text not null check (length(kind) between 1 and 60),
  -- no reference: what happened to an account outlives it
  user_id uuid,
  -- a digest of the email that was named, so that tries at one address can be counted without keeping it
  named text,
  address text not null,
  user_agent text,
  details jsonb not null default '{}',
  -- so often within a minute
  count integer not null default 1
);
create index security_events_at on security_events (at);

create function security_events_stay() returns trigger language plpgsql as $$
begin
  if tg_op = 'DELETE' and old.at < now() - interval '180 days' then
    return old;
  end if;
  raise exception 'the log of security is never changed';
end $$;
create trigger security_events_stay before update or delete on security_events for each row execute function security_events_stay();
create trigger security_events_whole before truncate on security_events for each statement execute function security_events_stay();

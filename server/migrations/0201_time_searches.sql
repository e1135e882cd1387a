-- expand
-- What somebody asked for who looked for free times of an institute, and how many were found. Of the person there is nothing: no account, no
-- address, no session. The moment is that of the asking.
create table time_searches (
  id bigint primary key generated always as identity,
  institute_id uuid not null references institutes on delete cascade,
  asked_at timestamptz not null,
  -- [{ serviceId, staffId?, atHome? }]
  cart jsonb not null,
  from_day date not null,
  days smallint not null check (days between 1 and 62),
  found integer not null check (found >= 0)
);
create index time_searches_of_institute on time_searches (institute_id, asked_at);
create index time_searches_old on time_searches (asked_at);

-- expand
-- A calendar of somebody elsewhere, which visits are written into. What opens it is stored sealed, with the name of its key.
create table calendar_connections (
  user_id uuid primary key references users on delete cascade,
  account text check (length(account) <= 254),
  refresh_token text not null,
  -- null until the first visit is written
  calendar_id text,
  -- broken: the provider takes our word no more
  state text not null check (state in ('connected', 'broken')),
  connected_at timestamptz not null,
  synced_at timestamptz
);
-- The secret address under which somebody's visits can be subscribed to; only its hash is kept.
create table calendar_feeds (
  user_id uuid primary key references users on delete cascade,
  token_hash bytea not null unique check (length(token_hash) = 32),
  created_at timestamptz not null
);

-- expand
-- What people do not want to be told, and where. Who has chosen nothing is told everything.
create table notification_choices (
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('reminders', 'reviews', 'messages', 'offers')),
  channel text not null check (channel in ('mail', 'bell')),
  silenced_at timestamptz not null,
  primary key (user_id, kind, channel)
);

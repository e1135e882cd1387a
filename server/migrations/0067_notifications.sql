-- expand
-- What a person is told in the bell. Its words are made when it is read, in the language of whoever reads, from the facts as they were.
create table notifications (
  id uuid primary key default uuidv7(),
  user_id uuid not null references users on delete cascade,
  kind text not null check (kind in ('booked', 'moved', 'cancelled', 'came', 'went', 'changed', 'reminder')),
  -- No reference: a visit is forgotten with its person, and whoever changes one should not look here.
  appointment_id uuid,
  facts jsonb not null,
  dedupe_key text not null,
  created_at timestamptz not null,
  read_at timestamptz,
  constraint notifications_once unique (user_id, dedupe_key)
);
create index notifications_of_user on notifications (user_id, id desc);
create index notifications_by_age on notifications (created_at);
-- When somebody has to be reminded of a visit, and when they were.
create table reminders (
  appointment_id uuid not null references appointments on delete cascade,
  kind text not null check (kind in ('week', 'day')),
  user_id uuid not null references users on delete cascade,
  starts_at timestamptz not null,
  due_at timestamptz not null,
  sent_at timestamptz,
  primary key (appointment_id, kind)
);
create index reminders_due on reminders (due_at) where sent_at is null;
create index reminders_of_user on reminders (user_id);

-- expand
-- Visits that need a new time: what was proposed to whom and what became of it; and who runs late today.

create table rearrangements (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  appointment_id uuid not null references appointments on delete cascade,
  -- What is kept for the client; forgotten a day after it has run out.
  hold_id uuid references appointments on delete set null,
  -- A proposal that ran out stays sent: `until` says so.
  state text not null check (state in ('sent', 'accepted', 'other_time', 'declined', 'by_phone', 'settled')),
  before_starts_at timestamptz not null,
  before_ends_at timestamptz not null,
  -- What was proposed last, and by whom, for each service in its place.
  starts_at timestamptz,
  ends_at timestamptz,
  staff jsonb,
  until timestamptz,
  -- For the team alone.
  note text,
  created_at timestamptz not null,
  answered_at timestamptz,
  check ((starts_at is null) = (ends_at is null) and (starts_at is null) = (until is null))
);
create unique index rearrangements_open on rearrangements (appointment_id) where state in ('sent', 'by_phone');
create index rearrangements_of_institute on rearrangements (institute_id, created_at desc);
create index rearrangements_of_visit on rearrangements (appointment_id, created_at desc);
create index rearrangements_of_hold on rearrangements (hold_id) where hold_id is not null;

create table late_notices (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  member_id uuid not null references team_members on delete cascade,
  minutes smallint not null check (minutes > 0),
  said_at timestamptz not null,
  -- The end of the day, on the clock of the institute.
  ends_at timestamptz not null,
  -- Taken back, or said anew.
  ended_at timestamptz
);
create unique index late_notices_one on late_notices (member_id) where ended_at is null;
create index late_notices_of_institute on late_notices (institute_id, ends_at) where ended_at is null;

-- Whom a notice makes wait, and when they can expect to begin.
create table late_visits (
  notice_id uuid not null references late_notices on delete cascade,
  appointment_id uuid not null references appointments on delete cascade,
  position smallint not null,
  starts_at timestamptz not null,
  expected_at timestamptz not null,
  primary key (notice_id, appointment_id)
);
create index late_visits_of_visit on late_visits (appointment_id);

-- Clients are told of both in the bell.
alter table notifications drop constraint notifications_kinds;
alter table notifications add constraint notifications_kinds check (kind in ('booked', 'moved', 'cancelled', 'came', 'went', 'changed', 'reminder', 'reviewed', 'replied', 'offered', 'proposed', 'late', 'on_time')) not valid;

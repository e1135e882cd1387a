-- expand
-- A calendar elsewhere that says when a member is busy: one for each member. Its address lets everybody read it, so it is sealed.
create table busy_calendars (
  id uuid primary key default uuidv7(),
  institute_id uuid not null,
  member_id uuid not null unique,
  address_sealed text not null,
  host text not null check (length(host) between 1 and 255),
  -- What its server said of what was read last.
  etag text,
  last_modified text,
  -- When it was last asked, when it last answered, and when all of it was last read.
  asked_at timestamptz,
  answered_at timestamptz,
  read_at timestamptz,
  due_at timestamptz not null,
  problem text check (problem in ('unreachable', 'refused', 'private', 'too_large', 'no_calendar', 'too_much')),
  created_at timestamptz not null,
  foreign key (member_id, institute_id) references team_members (id, institute_id) on delete cascade
);
create index busy_calendars_due on busy_calendars (due_at);
create index busy_calendars_of_institute on busy_calendars (institute_id);

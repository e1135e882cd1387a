-- expand
-- The last day somebody works here, until which they stay in the team; and what people call a room beside its name.
alter table team_members add column last_day date;
alter table resources add column note text check (length(note) between 1 and 80);

-- Time off that a member asks for; when it is agreed it becomes an absence and the wish is gone.
create table leave_requests (
  id uuid primary key default uuidv7(),
  institute_id uuid not null,
  member_id uuid not null,
  kind text not null check (kind in ('on_holiday', 'sick_leave', 'other')),
  from_day date not null,
  to_day date not null check (to_day >= from_day),
  note text check (length(note) between 1 and 200),
  asked_at timestamptz not null,
  foreign key (member_id, institute_id) references team_members (id, institute_id) on delete cascade
);
create index leave_requests_of_institute on leave_requests (institute_id, from_day);
create index leave_requests_of_member on leave_requests (member_id);

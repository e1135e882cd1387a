-- expand
-- What the people of an institute do in its calendar: who came and when it was noted, notes of their own, kinds of blocked time, walk-ins without a name,
-- and changes that can still be taken back because nobody was told of them.
alter table appointments
  add column own_note text,
  -- by name of the step: when it was noted
  add column attended_at jsonb,
  -- what somebody who did not come gave back: rows of occupations
  add column freed_time jsonb,
  -- null in rows of before: a client where there is one
  add column made_by text,
  -- raised by each change that somebody may have missed
  add column revision integer not null default 0;
alter table appointments
  add constraint appointments_own_note check (length(own_note) between 1 and 1000) not valid,
  add constraint appointments_made_by check (made_by in ('client', 'institute', 'system')) not valid,
  -- whoever walks in need not say who they are
  add constraint appointments_of_somebody check (status = 'held' or customer_id is not null or made_by = 'institute') not valid;
alter table appointments drop constraint appointments_check3;

alter table blocked_times add column kind text not null default 'other';
alter table blocked_times add constraint blocked_times_kind check (kind in ('break', 'meeting', 'training', 'errand', 'other')) not valid;

create table untold_changes (
  id uuid primary key default uuidv7(),
  institute_id uuid not null,
  appointment_id uuid not null,
  kind text not null check (kind in ('booked', 'moved', 'cancelled')),
  -- { startsAt, endsAt } after the change
  after jsonb not null,
  -- the visit before it: what taking it back restores
  before jsonb,
  -- the revision it made
  revision integer not null,
  actor jsonb not null,
  -- told from then on, by the clock of the product
  due_at timestamptz not null,
  created_at timestamptz not null,
  foreign key (appointment_id, institute_id) references appointments (id, institute_id) on delete cascade
);
create index untold_changes_of_visit on untold_changes (appointment_id, id);
create index untold_changes_due on untold_changes (due_at);

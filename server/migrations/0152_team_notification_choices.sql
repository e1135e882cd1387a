-- expand
-- Who of an institute is told of what, where that is not the usual: all of it in the bell, and of letters those about messages alone.
create table team_notification_choices (
  institute_id uuid not null,
  user_id uuid not null,
  kind text not null check (kind in ('booked', 'moved', 'cancelled', 'messages', 'reviews', 'leave')),
  channel text not null check (channel in ('mail', 'bell')),
  is_on boolean not null,
  primary key (institute_id, user_id, kind, channel),
  foreign key (institute_id, user_id) references institute_people (institute_id, user_id) on delete cascade
);

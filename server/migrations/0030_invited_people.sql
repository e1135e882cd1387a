-- expand
-- Who was asked to work at an institute and has no confirmed account with this address yet.

create table institute_invitations (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  email citext not null check (length(email) between 3 and 254),
  level text not null check (level in ('manager', 'reception', 'staff')),
  -- the team member this person is, when they perform services
  member_id uuid,
  -- language of the letter: nothing is known of who reads it
  locale text not null check (locale in ('en', 'fr', 'ar')),
  invited_by uuid references users on delete set null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  unique (institute_id, email),
  foreign key (member_id, institute_id) references team_members (id, institute_id) on delete set null (member_id)
);
create index institute_invitations_of_email on institute_invitations (email);
create index institute_invitations_invited_by on institute_invitations (invited_by) where invited_by is not null;
create unique index institute_invitations_one_login on institute_invitations (member_id, institute_id) where member_id is not null;

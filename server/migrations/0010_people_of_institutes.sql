-- expand
-- Who works at an institute with a login, and at which level; who runs the site; and a place for keys of programs.

create table institute_people (
  institute_id uuid not null references institutes on delete cascade,
  user_id uuid not null references users on delete cascade,
  level text not null check (level in ('owner', 'manager', 'reception', 'staff')),
  -- the team member this person is, when they perform services
  member_id uuid,
  invited_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  primary key (institute_id, user_id),
  foreign key (member_id, institute_id) references team_members (id, institute_id) on delete set null (member_id)
);
create index institute_people_of_user on institute_people (user_id);
create index institute_people_invited_by on institute_people (invited_by) where invited_by is not null;
create unique index institute_people_one_owner on institute_people (institute_id) where level = 'owner';
create unique index institute_people_one_login on institute_people (member_id, institute_id) where member_id is not null;

create table operators (
  user_id uuid primary key references users on delete cascade,
  created_at timestamptz not null default now()
);

create table program_keys (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  name text not null check (length(name) between 1 and 80),
  key_hash bytea not null unique check (length(key_hash) = 32),
  permissions text[] not null check (cardinality(permissions) > 0
    and permissions <@ array['diary.read','diary.change','customers.read','customers.change','sales.read','services.change','team.change','institute.change','people.change']),
  created_by uuid references users on delete set null,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null,
  revoked_at timestamptz
);
create index program_keys_of_institute on program_keys (institute_id);
create index program_keys_created_by on program_keys (created_by) where created_by is not null;

-- institutes.owner_id stays what is written until nothing reads it any more; the owner's row here follows it.
create function owner_is_a_person() returns trigger language plpgsql as $$
begin
  delete from institute_people where institute_id = new.id and level = 'owner' and user_id is distinct from new.owner_id;
  if new.owner_id is not null then
    insert into institute_people (institute_id, user_id, level) values (new.id, new.owner_id, 'owner')
      on conflict (institute_id, user_id) do update set level = 'owner';
  end if;
  return null;
end $$;
create trigger owner_inserted after insert on institutes for each row when (new.owner_id is not null) execute function owner_is_a_person();
create trigger owner_changed after update of owner_id on institutes for each row when (old.owner_id is distinct from new.owner_id) execute function owner_is_a_person();

-- After the triggers, which keep writers waiting until the commit: nobody is forgotten between the two.
insert into institute_people (institute_id, user_id, level) select id, owner_id, 'owner' from institutes where owner_id is not null;

-- Whoever writes an owner's row by itself is refused at the commit.
create function owner_agrees() returns trigger language plpgsql as $$
declare
  institute uuid := coalesce(new.institute_id, old.institute_id);
begin
  if (select owner_id from institutes where id = institute) is distinct from (select user_id from institute_people where institute_id = institute and level = 'owner') then
    raise exception 'the owner of institute % is written to institutes.owner_id', institute using errcode = 'check_violation', constraint = 'institute_people_owner_agrees';
  end if;
  return null;
end $$;
create constraint trigger owner_agrees after insert or delete or update of institute_id, user_id, level on institute_people deferrable initially deferred for each row execute function owner_agrees();

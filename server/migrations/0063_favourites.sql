-- expand
-- Institutes that a person marked.
create table favourites (
  user_id uuid not null references users on delete cascade,
  institute_id uuid not null references institutes on delete cascade,
  created_at timestamptz not null,
  primary key (user_id, institute_id)
);
create index favourites_newest on favourites (user_id, created_at desc, institute_id);
create index favourites_of_institute on favourites (institute_id);

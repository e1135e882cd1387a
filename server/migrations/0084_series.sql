-- expand
-- A visit that comes again. Its visits are visits like others; these rows only say which were made together.
create table visit_series (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  every_weeks smallint not null check (every_weeks between 1 and 8),
  created_at timestamptz not null
);
create index visit_series_of_institute on visit_series (institute_id);
create table series_visits (
  appointment_id uuid primary key references appointments on delete cascade,
  series_id uuid not null references visit_series on delete cascade
);
create index series_visits_of_series on series_visits (series_id);

-- What a search must know without reading diaries: the words of every institute, the services that can be booked online,
-- and a summary of the free time of each. Marks say where the summary is behind; they are written by the statement that changed the truth.
-- A transaction that sets soigne.bulk to 'on' promises to write the summary itself.

drop index institutes_words;
alter table institutes drop column search_text;
alter table institutes set (toast_tuple_target = 8160);
alter table institutes
  -- lexemes by weight: A its name, B its services, C sections of the menu, D where it is; '#hair' for a category
  add column words tsvector not null default '',
  -- what the order "recommended" gives it wherever it is asked from: rating and being bookable (see ranking.ts)
  add column standing float8 not null generated always as (
    2 * least(greatest((((coalesce(average_welcoming + average_hygiene + average_atmosphere + average_service_quality, 0)::float8 / 4) * rating_count + 40)
      / (rating_count + 10) - 3) / 2, 0), 1)
    + case when claimed then 7 else 0 end) stored;
create index institutes_words on institutes using gin (words) where state = 'published';
alter table institutes alter column words set storage main;
create index institutes_standing on institutes (standing desc, id) where state = 'published';

-- Where most of them are.
create index institutes_cities on institutes (country_code, city) include (rating_count) where state = 'published' and claimed;

-- Zones somebody has ever been in.
create table zones_in_use (time_zone text primary key);
insert into zones_in_use select distinct time_zone from institutes;

-- Words that have been in a menu or a name, for finding what a mistyped one meant.
create table vocabulary (word text primary key);
create index vocabulary_like on vocabulary using gin (word gin_trgm_ops);
create index vocabulary_short on vocabulary (left(word, 1), length(word)) where length(word) <= 6;

create table bookable_services (
  service_id uuid primary key references services on delete cascade,
  institute_id uuid not null references institutes on delete cascade,
  position smallint not null,
  category text not null,
  audience text not null,
  -- of its quickest performer, from start to end
  duration_minutes smallint not null,
  -- lowest among its performers, in minor units; null on request
  price_amount integer,
  minor_units integer not null,
  notice_minutes integer not null,
  -- services that always have the same free starts share a class
  time_class smallint not null,
  words tsvector not null
);
create index bookable_services_of_institute on bookable_services (institute_id, duration_minutes, position);

-- Free starts of each class, whatever notice and horizon say: near, one bit for five minutes from an instant on;
-- far, one bit for each morning, afternoon and evening (until 12:00, until 17:00 and after, by the wall clock) of each day on the calendar of the institute.
create table free_time (
  institute_id uuid primary key references institutes on delete cascade,
  -- which services make which classes; another text means another numbering
  classes text not null,
  -- whole five minutes since the epoch, and how many are known
  near_from integer not null,
  near_count integer not null,
  first_day date not null,
  day_count integer not null,
  -- bit: class * near_count + five minutes
  near varbit not null,
  -- bit: (class * 3 + part) * day_count + day
  far varbit not null,
  -- the near bits do not tell everything: starts off the five minutes, or a horizon within their reach
  coarse boolean not null
) with (fillfactor = 80, toast_tuple_target = 8160);
alter table free_time alter column near set storage main, alter column far set storage main;
create index free_time_until on free_time (near_from);

create table free_time_marks (
  institute_id uuid not null,
  -- null: everything, the menu and the words too
  from_at timestamptz,
  to_at timestamptz
);
create index on free_time_marks (institute_id);

create function mark_free_time_of_rows() returns trigger language plpgsql as $$
begin
  if current_setting('soigne.bulk', true) = 'on' then return null; end if;
  insert into free_time_marks (institute_id) select distinct institute_id from changed;
  return null;
end $$;

create function mark_free_time_of_occupations() returns trigger language plpgsql as $$
begin
  if current_setting('soigne.bulk', true) = 'on' then return null; end if;
  insert into free_time_marks (institute_id, from_at, to_at) select institute_id, min(lower(during)), max(upper(during)) from changed group by institute_id;
  return null;
end $$;

create function mark_free_time_of_moved_occupation() returns trigger language plpgsql as $$
begin
  insert into free_time_marks values
    (old.institute_id, lower(old.during), upper(old.during)), (new.institute_id, lower(new.during), upper(new.during));
  return null;
end $$;

create function mark_free_time_of_institute() returns trigger language plpgsql as $$
begin
  insert into zones_in_use values (new.time_zone) on conflict do nothing;
  if current_setting('soigne.bulk', true) = 'on' then return null; end if;
  insert into free_time_marks (institute_id) values (new.id);
  return null;
end $$;

do $$
declare
  name text;
begin
  foreach name in array array['opening_hours', 'closures', 'services', 'team_members', 'member_services', 'rotas', 'rota_shifts', 'shift_overrides', 'absences', 'resources', 'resource_closures'] loop
    execute format('create trigger free_time_insert after insert on %I referencing new table as changed for each statement execute function mark_free_time_of_rows()', name);
    execute format('create trigger free_time_delete after delete on %I referencing old table as changed for each statement execute function mark_free_time_of_rows()', name);
    execute format('create trigger free_time_update after update on %I referencing new table as changed for each statement execute function mark_free_time_of_rows()', name);
  end loop;
end $$;
create trigger free_time_insert after insert on occupations referencing new table as changed for each statement execute function mark_free_time_of_occupations();
create trigger free_time_delete after delete on occupations referencing old table as changed for each statement execute function mark_free_time_of_occupations();
create trigger free_time_update after update of during, subject_id, institute_id on occupations for each row execute function mark_free_time_of_moved_occupation();
create trigger free_time_insert after insert on institutes for each row execute function mark_free_time_of_institute();
create trigger free_time_update after update of state, claimed, name, categories, quarter, city, currency, time_zone, grid_minutes, notice_minutes, horizon_days, max_wait_minutes, gap_policy
  on institutes for each row execute function mark_free_time_of_institute();

-- Everything there is has to be summarised once.
insert into free_time_marks (institute_id) select id from institutes;

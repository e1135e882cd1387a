-- expand
-- A version for each institute's diary, raised in the transaction of every change, so that a diary kept in memory can be compared before it is believed.
-- Its row is also the lock of the diary: whoever changes what an institute's time is taken by holds it until the commit.
create table diary_versions (
  institute_id uuid primary key references institutes on delete cascade,
  -- everything that decides about free times
  version bigint not null default 1,
  -- hours, team, services, rules: everything but what is taken
  settings bigint not null default 1
) with (fillfactor = 50);
insert into diary_versions (institute_id) select id from institutes;

-- A statement that raises the version, patches the index of free time and records the event itself says so in soigne.unit.
-- soigne.bulk promises only to write the index itself.
create or replace function mark_free_time_of_rows() returns trigger language plpgsql as $$
begin
  if current_setting('soigne.unit', true) = 'on' then return null; end if;
  update diary_versions set version = version + 1, settings = settings + 1 where institute_id in (select institute_id from changed);
  if current_setting('soigne.bulk', true) = 'on' then return null; end if;
  insert into free_time_marks (institute_id) select distinct institute_id from changed;
  return null;
end $$;

create or replace function mark_free_time_of_occupations() returns trigger language plpgsql as $$
begin
  if current_setting('soigne.unit', true) = 'on' then return null; end if;
  update diary_versions set version = version + 1 where institute_id in (select institute_id from changed);
  if current_setting('soigne.bulk', true) = 'on' then return null; end if;
  insert into free_time_marks (institute_id, from_at, to_at) select institute_id, min(lower(during)), max(upper(during)) from changed group by institute_id;
  return null;
end $$;

create or replace function mark_free_time_of_moved_occupation() returns trigger language plpgsql as $$
begin
  update diary_versions set version = version + 1 where institute_id in (old.institute_id, new.institute_id);
  insert into free_time_marks values
    (old.institute_id, lower(old.during), upper(old.during)), (new.institute_id, lower(new.during), upper(new.during));
  return null;
end $$;

create or replace function mark_free_time_of_institute() returns trigger language plpgsql as $$
begin
  insert into zones_in_use values (new.time_zone) on conflict do nothing;
  insert into diary_versions (institute_id) values (new.id)
    on conflict (institute_id) do update set version = diary_versions.version + 1, settings = diary_versions.settings + 1;
  if current_setting('soigne.bulk', true) = 'on' then return null; end if;
  insert into free_time_marks (institute_id) values (new.id);
  return null;
end $$;

-- What is shown with a diary though it decides nothing about free times.
create function raise_settings_of_institute() returns trigger language plpgsql as $$
begin
  update diary_versions set version = version + 1, settings = settings + 1 where institute_id = new.id;
  return null;
end $$;
create trigger diary_settings_update after update of slug, owner_id, categories, payment_methods, pay_at_salon, service_order, cancel_window_minutes, reschedule_window_minutes,
    address_line, postal_code, phone, lat, lon
  on institutes for each row execute function raise_settings_of_institute();

create trigger free_time_insert after insert on service_prerequisites referencing new table as changed for each statement execute function mark_free_time_of_rows();
create trigger free_time_delete after delete on service_prerequisites referencing old table as changed for each statement execute function mark_free_time_of_rows();
create trigger free_time_update after update on service_prerequisites referencing new table as changed for each statement execute function mark_free_time_of_rows();

create function raise_settings_of_rows() returns trigger language plpgsql as $$
begin
  update diary_versions set version = version + 1, settings = settings + 1 where institute_id in (select institute_id from changed);
  return null;
end $$;
create trigger diary_settings_insert after insert on institute_pictures referencing new table as changed for each statement execute function raise_settings_of_rows();
create trigger diary_settings_delete after delete on institute_pictures referencing old table as changed for each statement execute function raise_settings_of_rows();
create trigger diary_settings_update after update on institute_pictures referencing new table as changed for each statement execute function raise_settings_of_rows();

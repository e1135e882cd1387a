-- expand
-- What the index of free time covers is remembered with a diary, and a change of a diary is written into the days it covers. So whoever
-- remembers an institute without an index, or with one that began on another day, has to read it again: its version is raised.
create function raise_versions_of_new_covers() returns trigger language plpgsql as $$
begin
  update diary_versions set version = version + 1 where institute_id in (select institute_id from changed);
  return null;
end $$;
create trigger new_cover_raises_version after insert on free_time
  referencing new table as changed for each statement execute function raise_versions_of_new_covers();

create function raise_version_of_moved_cover() returns trigger language plpgsql as $$
begin
  update diary_versions set version = version + 1 where institute_id = new.institute_id;
  return null;
end $$;
create trigger moved_cover_raises_version after update of near_from, near_count, first_day, day_count on free_time
  for each row when ((old.near_from, old.near_count, old.first_day, old.day_count) is distinct from (new.near_from, new.near_count, new.first_day, new.day_count))
  execute function raise_version_of_moved_cover();

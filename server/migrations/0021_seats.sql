-- expand
-- Seats of group sessions are taken and given back. Only the last seat changes what is free: an institute's index of free time is marked when a session
-- becomes full or stops being full, its diary's version is raised every time.
create or replace function mark_free_time_of_seats() returns trigger language plpgsql as $$
begin
  update diary_versions set version = version + 1 where institute_id in (select institute_id from changed);
  if current_setting('soigne.bulk', true) = 'on' then return null; end if;
  insert into free_time_marks (institute_id, from_at, to_at)
    select s.institute_id, min(lower(s.during)), max(upper(s.during))
    from (select session_id, count(*) as seats from changed group by session_id) c join group_sessions s on s.id = c.session_id
    where (select count(*) from session_seats t where t.session_id = s.id) + case when tg_op = 'DELETE' then c.seats else 0 end >= s.capacity
    group by s.institute_id;
  return null;
end $$;

-- A seat whose hold ends earlier is free earlier than a diary in memory knows.
create trigger diary_earlier_end after update of expires_at on session_seats for each row when (new.expires_at < old.expires_at)
  execute function raise_diary_of_earlier_end();

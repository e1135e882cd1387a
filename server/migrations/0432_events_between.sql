-- expand
-- What follows events asks for the newest ones many times a second, for as long as its connection lives. A plan made while the table was small, or for any
-- snapshot, read the whole of it each time. By transaction they are found at once, whatever the planner knows of the table.
-- The first so many, by id, that are in one snapshot and not yet in another: those that had not begun at the older one, and those that were under way.
-- Nothing is added to ids so that the index of ids is no way: it would be read from its beginning.
create function events_between(p_position pg_snapshot, p_until pg_snapshot, p_after bigint, p_limit integer) returns setof events
  language plpgsql stable set enable_seqscan = off set plan_cache_mode = force_generic_plan as $$
begin
  return query select e.* from (
    select b.* from events b where b.xid >= pg_snapshot_xmax(p_position) and b.xid < pg_snapshot_xmax(p_until)
      and pg_visible_in_snapshot(b.xid, p_until) and b.id + 0 > p_after
    union all
    select u.* from events u where u.xid = any(array(select pg_snapshot_xip(p_position)))
      and pg_visible_in_snapshot(u.xid, p_until) and u.id + 0 > p_after) e
  order by e.id + 0 limit p_limit;
end $$;

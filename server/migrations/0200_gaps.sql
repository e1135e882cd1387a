-- expand
-- What somebody who waits does from a moment on, at any institute, and what they were offered at this one: offers keep apart from it. An institute
-- sees its own rows alone; these stretches, and nothing else of them, it is told of whoever waits for it.
create function busy_of_waiting(p_entry_id uuid, p_now timestamptz) returns table (starts_at timestamptz, ends_at timestamptz)
language sql stable security definer set search_path = public as $$
  with entry as (select e.user_id, e.institute_id, e.visit_id from waiting_entries e
    where e.id = p_entry_id and (institute_of_wall() is null or e.institute_id = institute_of_wall()))
  select a.starts_at, a.ends_at from entry e join appointments a on a.user_id = e.user_id
    where a.starts_at > p_now - interval '2 days' and a.ends_at > p_now and a.id is distinct from e.visit_id
      and coalesce(a.life, a.status) <> 'cancelled' and (a.expires_at is null or a.expires_at > p_now)
  union all
  select o.starts_at, o.ends_at from entry e join waiting_offers o on o.user_id = e.user_id and o.institute_id = e.institute_id where o.ends_at > p_now
$$;

-- What a day had when a client chose a start of it and the gap rule hid others: how many starts, and the minutes too short to sell that these
-- would have left, added up. Of the person there is nothing.
create table hidden_starts (
  appointment_id uuid primary key references appointments on delete cascade,
  institute_id uuid not null,
  booked_at timestamptz not null,
  starts integer not null check (starts > 0),
  stranded_minutes integer not null check (stranded_minutes > 0)
);
create index hidden_starts_of_institute on hidden_starts (institute_id, booked_at);

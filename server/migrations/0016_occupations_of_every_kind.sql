-- expand
-- Everything that takes time of a member or a resource: visits, blocked time, leave and group sessions inside the wall; overbooked visits and the busy
-- time of other calendars beside it. The wall itself (occupations_apart) stays as it is: an exclusion constraint can only be made with writes stopped.
-- The release before meets the wall of the new kinds, but does not see the soft rows.

alter table occupations
  add column kind text not null default 'visit',
  -- the blocked time, the absence or the group session that takes it
  add column source_id uuid;
-- squawk-ignore ban-drop-not-null
alter table occupations alter column appointment_id drop not null;
alter table occupations
  add constraint occupations_kind check (kind in ('visit', 'blocked', 'leave', 'session')) not valid,
  add constraint occupations_source check ((kind = 'visit') = (appointment_id is not null) and (kind = 'visit') = (source_id is null)) not valid,
  add constraint occupations_leave check (kind <> 'leave' or subject_kind = 'member') not valid,
  add constraint occupations_expiring check (kind = 'visit' or expires_at is null) not valid;

-- Time that is taken without keeping others away by itself: what was overbooked on purpose, and what other calendars say, which overlaps and comes late.
create table soft_occupations (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  kind text not null check (kind in ('overbooked', 'external')),
  appointment_id uuid,
  -- the calendar it comes from
  source_id uuid,
  subject_kind text not null check (subject_kind in ('member', 'resource')),
  subject_id uuid not null,
  during tstzrange not null check (not isempty(during) and lower_inc(during) and not upper_inc(during)),
  reason text check (length(reason) between 1 and 500),
  -- { kind, userId? }
  actor jsonb not null,
  created_at timestamptz not null default now(),
  foreign key (appointment_id, institute_id) references appointments (id, institute_id) on delete cascade,
  check ((kind = 'overbooked') = (appointment_id is not null) and (kind = 'overbooked') = (source_id is null)),
  check (kind <> 'overbooked' or reason is not null)
);
create index soft_occupations_of_appointment on soft_occupations (appointment_id) where appointment_id is not null;
create index soft_occupations_of_source on soft_occupations (source_id) where source_id is not null;
create index soft_occupations_of_institute on soft_occupations using gist (institute_id, during);

create table blocked_times (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  subject_kind text not null check (subject_kind in ('member', 'resource')),
  subject_id uuid not null,
  during tstzrange not null check (not isempty(during) and lower_inc(during) and not upper_inc(during)),
  note text check (length(note) between 1 and 500),
  actor jsonb not null,
  created_at timestamptz not null default now()
);
create index blocked_times_of_institute on blocked_times using gist (institute_id, during);

-- Group sessions: one time, one member, many seats.
alter table services add column capacity smallint;
alter table services add constraint services_capacity check (capacity between 1 and 500) not valid;
comment on column services.capacity is 'seats of a group session of this service unless the session says otherwise; null: a visit is one client alone';

create table group_sessions (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  service_id uuid not null,
  member_id uuid not null,
  resource_id uuid,
  -- as clients see it, without buffers
  during tstzrange not null check (not isempty(during) and lower_inc(during) and not upper_inc(during)),
  capacity smallint not null check (capacity between 1 and 500),
  created_at timestamptz not null default now(),
  unique (id, institute_id, capacity),
  foreign key (service_id, institute_id) references services (id, institute_id),
  foreign key (member_id, institute_id) references team_members (id, institute_id),
  foreign key (resource_id, institute_id) references resources (id, institute_id)
);
create index group_sessions_of_institute on group_sessions using gist (institute_id, during);
create index group_sessions_of_service on group_sessions (service_id);

-- Seats have numbers, and no number is above the capacity: what is full cannot be booked, and what is booked cannot be made smaller.
create table session_seats (
  session_id uuid not null,
  seat smallint not null,
  institute_id uuid not null,
  capacity smallint not null,
  appointment_id uuid not null unique,
  -- a hold's end; after it the seat counts as free
  expires_at timestamptz,
  primary key (session_id, seat),
  constraint session_seats_within check (seat between 1 and capacity),
  foreign key (session_id, institute_id, capacity) references group_sessions (id, institute_id, capacity) on update cascade,
  foreign key (appointment_id, institute_id) references appointments (id, institute_id) on delete cascade
);
create index session_seats_of_institute on session_seats (institute_id);
create index session_seats_expiring on session_seats (expires_at) where expires_at is not null;

-- What absences mean in instants, reckoned by the server from days, zone and shifts. Without a row an absence has no wall yet; it is never offered all the same.
create table leave_times (
  absence_id uuid primary key references absences on delete cascade,
  institute_id uuid not null,
  member_id uuid not null,
  during tstzmultirange not null
);
create index leave_times_of_member on leave_times (member_id);
create index leave_times_of_institute on leave_times (institute_id);
-- Members whose leave has to be reckoned, written by the statement that made it untrue.
create table leave_marks (
  member_id uuid not null,
  institute_id uuid not null
);
create index leave_marks_of_institute on leave_marks (institute_id);

-- Marks and versions ---------------------------------------------------------

-- Leave is read as absences, so its rows change nothing that is offered.
create or replace function mark_free_time_of_occupations() returns trigger language plpgsql as $$
begin
  if current_setting('soigne.unit', true) = 'on' then return null; end if;
  update diary_versions set version = version + 1 where institute_id in (select institute_id from changed where kind <> 'leave');
  if current_setting('soigne.bulk', true) = 'on' then return null; end if;
  insert into free_time_marks (institute_id, from_at, to_at)
    select institute_id, min(lower(during)), max(upper(during)) from changed where kind <> 'leave' group by institute_id;
  return null;
end $$;

create trigger free_time_insert after insert on soft_occupations referencing new table as changed for each statement execute function mark_free_time_of_occupations();
create trigger free_time_delete after delete on soft_occupations referencing old table as changed for each statement execute function mark_free_time_of_occupations();
create trigger free_time_update after update of during, subject_id, institute_id on soft_occupations for each row execute function mark_free_time_of_moved_occupation();

create function mark_free_time_of_sessions() returns trigger language plpgsql as $$
begin
  update diary_versions set version = version + 1 where institute_id in (select institute_id from changed);
  if current_setting('soigne.bulk', true) = 'on' then return null; end if;
  insert into free_time_marks (institute_id, from_at, to_at) select institute_id, min(lower(during)), max(upper(during)) from changed group by institute_id;
  return null;
end $$;
create trigger free_time_insert after insert on group_sessions referencing new table as changed for each statement execute function mark_free_time_of_sessions();
create trigger free_time_delete after delete on group_sessions referencing old table as changed for each statement execute function mark_free_time_of_sessions();
create trigger free_time_update after update on group_sessions for each row execute function mark_free_time_of_moved_occupation();

create function mark_free_time_of_seats() returns trigger language plpgsql as $$
begin
  update diary_versions set version = version + 1 where institute_id in (select institute_id from changed);
  if current_setting('soigne.bulk', true) = 'on' then return null; end if;
  insert into free_time_marks (institute_id, from_at, to_at)
    select s.institute_id, min(lower(s.during)), max(upper(s.during)) from group_sessions s where s.id in (select session_id from changed) group by s.institute_id;
  return null;
end $$;
create trigger free_time_insert after insert on session_seats referencing new table as changed for each statement execute function mark_free_time_of_seats();
create trigger free_time_delete after delete on session_seats referencing old table as changed for each statement execute function mark_free_time_of_seats();

-- What takes the time goes, and its time with it ------------------------------

create function free_time_of_source() returns trigger language plpgsql as $$
begin
  delete from occupations where source_id in (select id from changed);
  return null;
end $$;
create trigger time_goes_too after delete on blocked_times referencing old table as changed for each statement execute function free_time_of_source();
create trigger time_goes_too after delete on group_sessions referencing old table as changed for each statement execute function free_time_of_source();

-- Leave ----------------------------------------------------------------------

-- Makes the time that members' leave takes what it can take: all of their leave but what visits, sessions and blocked time have.
-- Where leaves of one member overlap, the older one has the time. Never fails for what others have.
create function take_leave(p_members uuid[]) returns void language plpgsql as $$
declare
  v_wanted jsonb;
begin
  select coalesce(jsonb_agg(jsonb_build_object('absence', l.absence_id, 'institute', l.institute_id, 'member', l.member_id, 'during', piece)), '[]') into v_wanted
  from leave_times l, unnest(l.during
    - coalesce((select range_agg(e.span) from (select unnest(o.during) as span from leave_times o where o.member_id = l.member_id and o.absence_id < l.absence_id) e), '{}')
    - coalesce((select range_agg(o.during) from occupations o where o.subject_id = l.member_id and o.kind <> 'leave' and o.during && range_merge(l.during)), '{}')) as piece
  where l.member_id = any(p_members);
  delete from occupations o where o.subject_id = any(p_members) and o.kind = 'leave'
    and not exists (select from jsonb_to_recordset(v_wanted) as w(absence uuid, during tstzrange) where w.absence = o.source_id and w.during = o.during);
  insert into occupations (institute_id, kind, source_id, subject_kind, subject_id, during)
    select w.institute, 'leave', w.absence, 'member', w.member, w.during
    from jsonb_to_recordset(v_wanted) as w(absence uuid, institute uuid, member uuid, during tstzrange)
    where not exists (select from occupations o where o.source_id = w.absence and o.during = w.during)
    on conflict do nothing;
end $$;

create function leave_of_changed_times() returns trigger language plpgsql as $$
begin
  perform take_leave(array(select distinct member_id from changed));
  return null;
end $$;
create trigger leave_takes after insert on leave_times referencing new table as changed for each statement execute function leave_of_changed_times();
create trigger leave_takes_again after update on leave_times referencing new table as changed for each statement execute function leave_of_changed_times();

create function leave_of_gone_times() returns trigger language plpgsql as $$
begin
  delete from occupations where source_id in (select absence_id from changed);
  perform take_leave(array(select distinct member_id from changed));
  return null;
end $$;
create trigger leave_gives_back after delete on leave_times referencing old table as changed for each statement execute function leave_of_gone_times();

-- Sick leave over a visit takes the visit's time when the visit leaves.
create function leave_of_freed_time() returns trigger language plpgsql as $$
declare
  v_members uuid[];
begin
  if current_setting('soigne.bulk', true) = 'on' then return null; end if;
  select array_agg(distinct l.member_id) into v_members from changed c join leave_times l on l.member_id = c.subject_id and l.during && c.during where c.kind <> 'leave';
  if v_members is not null then perform take_leave(v_members); end if;
  return null;
end $$;
create trigger leave_takes_what_is_left after delete on occupations referencing old table as changed for each statement execute function leave_of_freed_time();

-- The leave of these members has to be reckoned anew: days, shifts or the zone have changed. Until then it has no wall.
create function forget_leave(p_members uuid[]) returns void language plpgsql as $$
begin
  delete from leave_times where member_id = any(p_members);
  insert into leave_marks (member_id, institute_id) select distinct a.member_id, a.institute_id from absences a where a.member_id = any(p_members);
end $$;

create function forget_leave_of_rows() returns trigger language plpgsql as $$
begin
  -- Who loads in bulk loads absences with the shifts.
  if tg_table_name <> 'absences' and current_setting('soigne.bulk', true) = 'on' then return null; end if;
  perform forget_leave(array(select distinct member_id from changed));
  return null;
end $$;
create function forget_leave_of_shifts() returns trigger language plpgsql as $$
begin
  if current_setting('soigne.bulk', true) = 'on' then return null; end if;
  perform forget_leave(array(select distinct r.member_id from rotas r join absences a on a.member_id = r.member_id where r.id in (select rota_id from changed)));
  return null;
end $$;
create function forget_leave_of_institute() returns trigger language plpgsql as $$
begin
  perform forget_leave(array(select distinct member_id from absences where institute_id = new.id));
  return null;
end $$;
do $$
declare
  name text;
begin
  foreach name in array array['absences', 'rotas', 'shift_overrides'] loop
    execute format('create trigger leave_insert after insert on %I referencing new table as changed for each statement execute function forget_leave_of_rows()', name);
    execute format('create trigger leave_delete after delete on %I referencing old table as changed for each statement execute function forget_leave_of_rows()', name);
    execute format('create trigger leave_update after update on %I referencing new table as changed for each statement execute function forget_leave_of_rows()', name);
  end loop;
end $$;
create trigger leave_insert after insert on rota_shifts referencing new table as changed for each statement execute function forget_leave_of_shifts();
create trigger leave_delete after delete on rota_shifts referencing old table as changed for each statement execute function forget_leave_of_shifts();
create trigger leave_update after update on rota_shifts referencing new table as changed for each statement execute function forget_leave_of_shifts();
create trigger leave_zone after update of time_zone on institutes for each row when (old.time_zone <> new.time_zone) execute function forget_leave_of_institute();

-- Confirming a hold of a seat -------------------------------------------------

-- As before; a hold that takes no time of its own has a seat.
create or replace function confirm_hold(p_id uuid, p_user uuid, p_status text, p_payment_method text, p_note text, p_key text, p_fingerprint bytea, p_body jsonb, p_now timestamptz)
  returns table (outcome text, body jsonb) language plpgsql as $$
#variable_conflict use_column
declare
  v_visit record;
  v_now timestamptz;
  v_customer uuid;
  v_overlap jsonb;
  v_fingerprint bytea;
  v_body jsonb := p_body;
  v_session uuid;
  v_seat smallint;
begin
  select a.institute_id, a.status, a.starts_at, a.ends_at, a.expires_at into v_visit from appointments a where a.id = p_id and a.user_id = p_user for update;
  v_now := p_now + (clock_timestamp() - statement_timestamp());
  if p_key is not null then
    select k.fingerprint, k.body into v_fingerprint, v_body from idempotency_keys k where k.user_id = p_user and k.key = p_key;
    if found then
      return query select case when v_body is not null and v_fingerprint = p_fingerprint then 'answered' else 'other_request' end, v_body;
      return;
    end if;
    v_body := p_body;
  end if;
  if v_visit.status is null then return query select 'not_found'::text, null::jsonb; return; end if;
  if v_visit.status <> 'held' then return query select 'wrong_state'::text, null::jsonb; return; end if;
  if v_visit.expires_at <= v_now then return query select 'hold_expired'::text, null::jsonb; return; end if;
  update occupations o set expires_at = null where o.appointment_id = p_id;
  if not found then
    update session_seats s set expires_at = null where s.appointment_id = p_id returning s.session_id, s.seat into v_session, v_seat;
    if not found then return query select 'hold_expired'::text, null::jsonb; return; end if;
  end if;

  v_overlap := overlapping_visit(p_user, p_id, v_visit.starts_at, v_visit.ends_at);
  if v_overlap is not null then v_body := v_body || jsonb_build_object('overlapsWith', v_overlap); end if;
  if p_key is not null then
    insert into idempotency_keys (user_id, key, fingerprint, status, body) values (p_user, p_key, p_fingerprint, 201, v_body) on conflict do nothing;
    if not found then raise exception 'a key was taken by another request at the same moment' using errcode = '40001'; end if;
  end if;
  select c.id into v_customer from customers c where c.institute_id = v_visit.institute_id and c.user_id = p_user;
  if v_customer is null then
    insert into customers (institute_id, user_id, first_name, last_name, email, phone, birthday)
      select v_visit.institute_id, u.id, u.first_name, u.last_name, u.email, u.phone, u.birthday from users u where u.id = p_user
      on conflict (institute_id, user_id) do nothing returning id into v_customer;
    if v_customer is null then
      select c.id into strict v_customer from customers c where c.institute_id = v_visit.institute_id and c.user_id = p_user;
    end if;
  end if;
  update appointments a set status = p_status, expires_at = null, confirmed_at = v_now, customer_id = v_customer, payment_method = p_payment_method, note = p_note where a.id = p_id;
  insert into events (kind, institute_id, subject_id, actor, payload, at) values ('visit.booked', v_visit.institute_id, p_id,
    jsonb_build_object('kind', 'client', 'userId', p_user), jsonb_build_object('userId', p_user, 'startsAt', v_visit.starts_at, 'endsAt', v_visit.ends_at), v_now);
  if v_session is not null then
    insert into events (kind, institute_id, subject_id, actor, payload, at) values ('seat.booked', v_visit.institute_id, v_session,
      jsonb_build_object('kind', 'client', 'userId', p_user), jsonb_build_object('visitId', p_id, 'seat', v_seat), v_now);
  end if;
  return query select 'confirmed'::text, v_body;
end $$;

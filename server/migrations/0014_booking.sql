-- expand
-- Holding and confirming, each one statement: locks, limits, key, rows, index of free time, version and event.

-- The number under which a person is locked, as the server makes it.
create function person_lock(id uuid) returns bigint language sql immutable parallel safe as $$
  select ('x' || substr(replace(id::text, '-', ''), 1, 16))::bit(64)::bigint # ('x' || substr(replace(id::text, '-', ''), 17, 16))::bit(64)::bigint
$$;

-- Another visit of a person at the same time: told, never refused.
create function overlapping_visit(p_user uuid, p_except uuid, p_from timestamptz, p_to timestamptz) returns jsonb language sql stable as $$
  select jsonb_build_object('_id', o.id, 'instituteName', i.name, 'startsAt', to_char(o.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from appointments o join institutes i on i.id = o.institute_id
  where o.user_id = p_user and o.id <> p_except and o.status not in ('held', 'cancelled') and o.starts_at < p_to and o.ends_at > p_from
  order by o.starts_at limit 1
$$;

-- Puts rows of bits into the index of free time. False when the row is not the one the bits were made for.
-- p_patch: { nearFrom, firstDay, classes, coarse, near: [[place, bits]…], nearAll: […], far: […] }
create function patch_free_time(p_institute uuid, p_patch jsonb) returns boolean language plpgsql as $$
declare
  v_row free_time%rowtype;
  v_piece jsonb;
begin
  select * into v_row from free_time where institute_id = p_institute for update;
  if not found or v_row.near_from <> (p_patch ->> 'nearFrom')::integer or v_row.first_day <> (p_patch ->> 'firstDay')::date or v_row.classes <> p_patch ->> 'classes' then
    return false;
  end if;
  for v_piece in select value from jsonb_array_elements(p_patch -> 'near') loop
    v_row.near := overlay(v_row.near placing (v_piece ->> 1)::varbit from (v_piece ->> 0)::integer);
  end loop;
  for v_piece in select value from jsonb_array_elements(p_patch -> 'nearAll') loop
    v_row.near_all := overlay(v_row.near_all placing (v_piece ->> 1)::varbit from (v_piece ->> 0)::integer);
  end loop;
  for v_piece in select value from jsonb_array_elements(p_patch -> 'far') loop
    v_row.far := overlay(v_row.far placing (v_piece ->> 1)::varbit from (v_piece ->> 0)::integer);
  end loop;
  update free_time set near = v_row.near, near_all = v_row.near_all, far = v_row.far, coarse = v_row.coarse or (p_patch ->> 'coarse')::boolean
    where institute_id = p_institute;
  return true;
end $$;

-- Holds visits of one institute, all of them or none. They were planned on the diary of p_version; on another nothing is done.
-- Each of p_holds: { id, userId, reference, startsAt, endsAt, timeZone, cart, totalAmount, currency, terms, expiresAt, segments, occupations, most, key, fingerprint, body }.
-- p_patch is what they change in the index of free time, or null. Answers one row for each, in order:
-- 'held', with a body where it differs from the one given; 'stale': plan again; 'answered': the same request was answered before, with this body; 'other_request': its key belongs to another request;
-- 'too_many': of this person's holds, until one of them ends; 'again': another one failed, so this one was left.
create function hold_visits(p_institute uuid, p_version bigint, p_holds jsonb, p_patch jsonb, p_now timestamptz)
  returns table (outcome text, body jsonb, until timestamptz) language plpgsql as $$
#variable_conflict use_column
declare
  v_hold jsonb;
  v_user uuid;
  v_version bigint;
  v_now timestamptz;
  v_fingerprint bytea;
  v_body jsonb;
  v_overlap jsonb;
  v_count integer;
  v_first timestamptz;
  v_outcomes text[] := '{}';
  v_bodies jsonb[] := '{}';
  v_untils timestamptz[] := '{}';
  v_holds jsonb := '[]';
  v_seen uuid[] := '{}';
  v_keys integer := 0;
  v_kept integer;
begin
  perform pg_advisory_xact_lock(persons.k) from (select distinct person_lock((h ->> 'userId')::uuid) as k from jsonb_array_elements(p_holds) h order by 1) persons;
  select v.version into v_version from diary_versions v where v.institute_id = p_institute for update;
  -- The release before keeps the index of free time alone by this lock.
  perform pg_advisory_xact_lock(hashtextextended(p_institute::text, 727));
  -- Waiting may have taken long: what has run out meanwhile has run out.
  v_now := p_now + (clock_timestamp() - statement_timestamp());

  for v_hold in select value from jsonb_array_elements(p_holds) loop
    v_user := (v_hold ->> 'userId')::uuid;
    v_body := v_hold -> 'body';
    v_first := null;
    if v_hold ->> 'key' is not null then
      select k.fingerprint, k.body into v_fingerprint, v_body from idempotency_keys k where k.user_id = v_user and k.key = v_hold ->> 'key';
      if found then
        v_outcomes := v_outcomes || case when v_body is not null and v_fingerprint = decode(v_hold ->> 'fingerprint', 'hex') then 'answered' else 'other_request' end;
        v_bodies := v_bodies || v_body;
        v_untils := v_untils || null::timestamptz;
        continue;
      end if;
      v_body := v_hold -> 'body';
      v_keys := v_keys + 1;
    end if;
    select count(*), min(a.expires_at) into v_count, v_first from appointments a where a.user_id = v_user and a.status = 'held' and a.expires_at > v_now;
    v_count := v_count + cardinality(array_positions(v_seen, v_user));
    if v_count >= (v_hold ->> 'most')::integer then
      v_outcomes := v_outcomes || 'too_many'::text;
      v_untils := v_untils || coalesce(v_first, (v_hold ->> 'expiresAt')::timestamptz);
      v_bodies := v_bodies || null::jsonb;
      continue;
    end if;
    v_bodies := v_bodies || null::jsonb;
    v_overlap := overlapping_visit(v_user, (v_hold ->> 'id')::uuid, (v_hold ->> 'startsAt')::timestamptz, (v_hold ->> 'endsAt')::timestamptz);
    if v_overlap is not null then
      v_body := v_body || jsonb_build_object('overlapsWith', v_overlap);
      v_bodies[cardinality(v_bodies)] := v_body;
    end if;
    v_seen := v_seen || v_user;
    v_holds := v_holds || jsonb_build_array(jsonb_set(v_hold, '{body}', v_body));
    v_outcomes := v_outcomes || 'held'::text;
    v_untils := v_untils || null::timestamptz;
  end loop;

  if v_version is distinct from p_version then
    return query select case when o = 'held' then 'stale' else o end, b, u from unnest(v_outcomes, v_bodies, v_untils) with ordinality x(o, b, u, n) order by n;
    return;
  end if;
  if jsonb_array_length(v_holds) < jsonb_array_length(p_holds) then
    return query select case when o = 'held' then 'again' else o end, b, u from unnest(v_outcomes, v_bodies, v_untils) with ordinality x(o, b, u, n) order by n;
    return;
  end if;
  if p_patch is not null and not patch_free_time(p_institute, p_patch) then
    return query select 'stale'::text, null::jsonb, null::timestamptz from unnest(v_outcomes);
    return;
  end if;

  perform set_config('soigne.unit', 'on', true);
  insert into idempotency_keys (user_id, key, fingerprint, status, body)
    select "userId", key, decode(fingerprint, 'hex'), 201, h.body from jsonb_to_recordset(v_holds) as h("userId" uuid, key text, fingerprint text, body jsonb)
    where key is not null on conflict do nothing;
  get diagnostics v_kept = row_count;
  if v_kept < v_keys then raise exception 'a key was taken by another request at the same moment' using errcode = '40001'; end if;
  insert into appointments (id, institute_id, user_id, reference, status, starts_at, ends_at, time_zone, cart, total_amount, currency, terms, expires_at, first_starts_at, created_at)
    select id, p_institute, "userId", reference, 'held', "startsAt", "endsAt", "timeZone", cart, "totalAmount", currency, terms, "expiresAt", "startsAt", p_now
    from jsonb_to_recordset(v_holds) as h(id uuid, "userId" uuid, reference text, "startsAt" timestamptz, "endsAt" timestamptz, "timeZone" text, cart jsonb, "totalAmount" integer, currency text, terms jsonb, "expiresAt" timestamptz);
  insert into segments (appointment_id, institute_id, position, service_id, member_id, resource_id, starts_at, ends_at, snapshot, price_amount)
    select h.id, p_institute, s.position, s."serviceId", s."memberId", s."resourceId", s."startsAt", s."endsAt", s.snapshot, s."priceAmount"
    from jsonb_to_recordset(v_holds) as h(id uuid, segments jsonb),
      jsonb_to_recordset(h.segments) as s(position smallint, "serviceId" uuid, "memberId" uuid, "resourceId" uuid, "startsAt" timestamptz, "endsAt" timestamptz, snapshot jsonb, "priceAmount" integer);
  insert into occupations (institute_id, appointment_id, subject_kind, subject_id, during, expires_at)
    select p_institute, h.id, o.kind, o."subjectId", tstzrange(o."from", o."to"), h."expiresAt"
    from jsonb_to_recordset(v_holds) as h(id uuid, occupations jsonb, "expiresAt" timestamptz),
      jsonb_to_recordset(h.occupations) as o(kind text, "subjectId" uuid, "from" timestamptz, "to" timestamptz);
  update diary_versions v set version = v.version + 1 where v.institute_id = p_institute;
  insert into events (kind, institute_id, subject_id, actor, payload, at)
    select 'visit.held', p_institute, id, jsonb_build_object('kind', 'client', 'userId', "userId"),
      jsonb_build_object('userId', "userId", 'startsAt', "startsAt", 'endsAt', "endsAt", 'expiresAt', "expiresAt"), p_now
    from jsonb_to_recordset(v_holds) as h(id uuid, "userId" uuid, "startsAt" text, "endsAt" text, "expiresAt" text);
  return query select o, b, u from unnest(v_outcomes, v_bodies, v_untils) with ordinality x(o, b, u, n) order by n;
end $$;

-- Turns a hold into an appointment. Nothing that is free or taken changes by it. Answers 'confirmed' with the body, or why not:
-- 'answered' and 'other_request' as above, 'not_found', 'wrong_state', 'hold_expired'.
create function confirm_hold(p_id uuid, p_user uuid, p_status text, p_payment_method text, p_note text, p_key text, p_fingerprint bytea, p_body jsonb, p_now timestamptz)
  returns table (outcome text, body jsonb) language plpgsql as $$
#variable_conflict use_column
declare
  v_visit record;
  v_now timestamptz;
  v_customer uuid;
  v_overlap jsonb;
  v_fingerprint bytea;
  v_body jsonb := p_body;
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
  if not found then return query select 'hold_expired'::text, null::jsonb; return; end if;

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
  return query select 'confirmed'::text, v_body;
end $$;

-- The end of a hold that is brought forward frees its time earlier than a diary in memory knows. Extending and confirming do not.
create function raise_diary_of_earlier_end() returns trigger language plpgsql as $$
begin
  update diary_versions set version = version + 1 where institute_id = new.institute_id;
  return null;
end $$;
create trigger diary_earlier_end after update of expires_at on occupations for each row when (new.expires_at < old.expires_at) execute function raise_diary_of_earlier_end();

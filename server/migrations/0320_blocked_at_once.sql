-- expand
-- Whether an institute has blocked its client is looked up where it is booked, under the same lock, and not by a statement before it.
-- Letters have room for the moment they were sent at.
alter table mails set (fillfactor = 50);

-- As in 0078, with clients who are blocked.
create or replace function hold_visits(p_institute uuid, p_version bigint, p_holds jsonb, p_patch jsonb, p_now timestamptz)
  returns table (outcome text, body jsonb, until timestamptz) language plpgsql as $$
#variable_conflict use_column
declare
  v_asked record;
  v_hold record;
  v_version bigint;
  v_now timestamptz;
  v_fingerprint bytea;
  v_body jsonb;
  v_count integer;
  v_first timestamptz;
  v_overlaps boolean;
  v_outcomes text[] := '{}';
  v_bodies jsonb[] := '{}';
  v_untils timestamptz[] := '{}';
  v_seen uuid[] := '{}';
  v_held integer := 0;
begin
  perform pg_advisory_xact_lock(persons.k)
    from (select distinct person_lock(h."userId") as k from jsonb_to_recordset(p_holds) as h("userId" uuid) order by 1) persons;
  select v.version into v_version from diary_versions v where v.institute_id = p_institute for update;
  -- The release before keeps the index of free time alone by this lock.
  perform pg_advisory_xact_lock(hashtextextended(p_institute::text, 727));
  -- Waiting may have taken long: what has run out meanwhile has run out.
  v_now := p_now + (clock_timestamp() - statement_timestamp());

  for v_asked in select h.* from jsonb_to_recordset(p_holds)
      as h(id uuid, "userId" uuid, "startsAt" timestamptz, "endsAt" timestamptz, "expiresAt" timestamptz, most integer, key text, fingerprint text) loop
    if v_asked.key is not null then
      select k.fingerprint, k.body into v_fingerprint, v_body from idempotency_keys k where k.user_id = v_asked."userId" and k.key = v_asked.key;
      if found then
        v_outcomes := v_outcomes || case when v_body is not null and v_fingerprint = decode(v_asked.fingerprint, 'hex') then 'answered' else 'other_request' end;
        v_bodies := v_bodies || v_body;
        v_untils := v_untils || null::timestamptz;
        continue;
      end if;
    end if;
    if is_blocked_at(p_institute, v_asked."userId") then
      v_outcomes := v_outcomes || 'blocked'::text;
      v_bodies := v_bodies || null::jsonb;
      v_untils := v_untils || null::timestamptz;
      continue;
    end if;
    -- No visit lasts for two days.
    select count(*) filter (where a.status = 'held' and not a.is_offer and a.expires_at > v_now), min(a.expires_at) filter (where a.status = 'held' and not a.is_offer and a.expires_at > v_now),
        coalesce(bool_or(a.status not in ('held', 'cancelled') and a.starts_at < v_asked."endsAt" and a.ends_at > v_asked."startsAt"), false)
      into v_count, v_first, v_overlaps from appointments a where a.user_id = v_asked."userId" and a.starts_at > v_now - interval '2 days';
    v_count := v_count + cardinality(array_positions(v_seen, v_asked."userId"));
    if v_count >= v_asked.most then
      v_outcomes := v_outcomes || 'too_many'::text;
      v_untils := v_untils || coalesce(v_first, v_asked."expiresAt");
      v_bodies := v_bodies || null::jsonb;
      continue;
    end if;
    v_outcomes := v_outcomes || 'held'::text;
    v_untils := v_untils || null::timestamptz;
    v_bodies := v_bodies || case when v_overlaps then
      jsonb_build_object('overlapsWith', overlapping_visit(v_asked."userId", v_asked.id, v_asked."startsAt", v_asked."endsAt")) end;
    v_seen := v_seen || v_asked."userId";
    v_held := v_held + 1;
  end loop;

  if v_version is distinct from p_version then
    return query select case when o = 'held' then 'stale' else o end, b, u from unnest(v_outcomes, v_bodies, v_untils) with ordinality x(o, b, u, n) order by n;
    return;
  end if;
  if v_held < cardinality(v_outcomes) then
    return query select case when o = 'held' then 'again' else o end, b, u from unnest(v_outcomes, v_bodies, v_untils) with ordinality x(o, b, u, n) order by n;
    return;
  end if;
  if p_patch is not null and not patch_free_time(p_institute, p_patch) then
    return query select 'stale'::text, null::jsonb, null::timestamptz from unnest(v_outcomes);
    return;
  end if;

  perform set_config('soigne.unit', 'on', true);
  v_held := 0;
  for v_hold in select h.* from jsonb_to_recordset(p_holds)
      as h(id uuid, "userId" uuid, reference text, "startsAt" timestamptz, "endsAt" timestamptz, "timeZone" text, cart jsonb, "totalAmount" integer, currency text, terms jsonb,
        "expiresAt" timestamptz, segments jsonb, occupations jsonb, key text, fingerprint text, body jsonb) loop
    v_held := v_held + 1;
    if v_bodies[v_held] is not null then
      v_bodies[v_held] := v_hold.body || v_bodies[v_held];
    end if;
    if v_hold.key is not null then
      insert into idempotency_keys (user_id, key, fingerprint, status, body)
        values (v_hold."userId", v_hold.key, decode(v_hold.fingerprint, 'hex'), 201, coalesce(v_bodies[v_held], v_hold.body)) on conflict do nothing;
      if not found then raise exception 'a key was taken by another request at the same moment' using errcode = '40001'; end if;
    end if;
    insert into appointments (id, institute_id, user_id, reference, status, life, payment, starts_at, ends_at, time_zone, cart, total_amount, currency, terms, expires_at, first_starts_at, created_at)
      values (v_hold.id, p_institute, v_hold."userId", v_hold.reference, 'held', 'held', 'none', v_hold."startsAt", v_hold."endsAt", v_hold."timeZone", v_hold.cart, v_hold."totalAmount",
        v_hold.currency, v_hold.terms, v_hold."expiresAt", v_hold."startsAt", p_now);
    insert into segments (appointment_id, institute_id, position, service_id, member_id, resource_id, starts_at, ends_at, snapshot, price_amount)
      select v_hold.id, p_institute, s.position, s."serviceId", s."memberId", s."resourceId", s."startsAt", s."endsAt", s.snapshot, s."priceAmount"
      from jsonb_to_recordset(v_hold.segments) as s(position smallint, "serviceId" uuid, "memberId" uuid, "resourceId" uuid, "startsAt" timestamptz, "endsAt" timestamptz, snapshot jsonb, "priceAmount" integer);
    insert into occupations (institute_id, appointment_id, subject_kind, subject_id, during, expires_at)
      select p_institute, v_hold.id, o.kind, o."subjectId", tstzrange(o."from", o."to"), v_hold."expiresAt"
      from jsonb_to_recordset(v_hold.occupations) as o(kind text, "subjectId" uuid, "from" timestamptz, "to" timestamptz);
    insert into events (kind, institute_id, subject_id, actor, payload, at)
      values ('visit.held', p_institute, v_hold.id, jsonb_build_object('kind', 'client', 'userId', v_hold."userId"),
        jsonb_build_object('userId', v_hold."userId", 'startsAt', v_hold.body -> 'startsAt', 'endsAt', v_hold.body -> 'endsAt', 'expiresAt', v_hold.body -> 'expiresAt'), p_now);
  end loop;
  update diary_versions v set version = v.version + 1 where v.institute_id = p_institute;
  return query select o, b, u from unnest(v_outcomes, v_bodies, v_untils) with ordinality x(o, b, u, n) order by n;
end $$;

-- As in 0270, with clients who are blocked. Where nothing can be paid online nothing is asked for first.
create or replace function confirm_unpaid_hold(p_id uuid, p_user uuid, p_status text, p_payment_method text, p_note text, p_key text, p_fingerprint bytea, p_body jsonb, p_now timestamptz, p_needs_account boolean)
  returns table (outcome text, body jsonb) language plpgsql as $$
#variable_conflict use_column
declare
  v_visit record;
  v_now timestamptz;
  v_customer uuid;
  v_fingerprint bytea;
  v_body jsonb := p_body;
  v_session uuid;
  v_seat smallint;
begin
  -- Its lock first: a checkout that is being opened has it, and is seen only after it.
  select a.institute_id, a.status, a.payment, a.starts_at, a.ends_at, a.expires_at, a.total_amount, cardinality(i.payment_methods) > 0 as asks into v_visit
    from appointments a join institutes i on i.id = a.institute_id where a.id = p_id and a.user_id = p_user for update of a;
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
  if v_visit.status <> 'held' or v_visit.payment = 'awaiting' then return query select 'wrong_state'::text, null::jsonb; return; end if;
  if v_visit.expires_at <= v_now then return query select 'hold_expired'::text, null::jsonb; return; end if;
  -- Time held before the institute blocked its client is theirs no more.
  if is_blocked_at(v_visit.institute_id, p_user) then
    return query select 'hold_expired'::text, null::jsonb;
    return;
  end if;
  if v_visit.asks and takes_online(v_visit.institute_id, p_needs_account) and (paid_first_of_visit(p_id) > 0 or fee_first(v_visit.institute_id, v_visit.total_amount) > 0) then
    return query select 'payment_needed'::text, null::jsonb;
    return;
  end if;
  update occupations o set expires_at = null where o.appointment_id = p_id;
  if not found then
    update session_seats s set expires_at = null where s.appointment_id = p_id returning s.session_id, s.seat into v_session, v_seat;
    if not found then return query select 'hold_expired'::text, null::jsonb; return; end if;
  end if;

  if exists (select from appointments o where o.user_id = p_user and o.id <> p_id and o.status not in ('held', 'cancelled')
      and o.starts_at > v_now - interval '2 days' and o.starts_at < v_visit.ends_at and o.ends_at > v_visit.starts_at) then
    v_body := v_body || jsonb_build_object('overlapsWith', overlapping_visit(p_user, p_id, v_visit.starts_at, v_visit.ends_at));
  end if;
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
  update appointments a set status = p_status, life = life_of_status(p_status), payment = payment_of_status(p_status, a.payment), expires_at = null, confirmed_at = v_now, customer_id = v_customer,
    payment_method = p_payment_method, note = p_note where a.id = p_id;
  insert into events (kind, institute_id, subject_id, actor, payload, at) values ('visit.booked', v_visit.institute_id, p_id,
    jsonb_build_object('kind', 'client', 'userId', p_user), jsonb_build_object('userId', p_user, 'startsAt', v_visit.starts_at, 'endsAt', v_visit.ends_at), v_now);
  if v_session is not null then
    insert into events (kind, institute_id, subject_id, actor, payload, at) values ('seat.booked', v_visit.institute_id, v_session,
      jsonb_build_object('kind', 'client', 'userId', p_user), jsonb_build_object('visitId', p_id, 'seat', v_seat), v_now);
  end if;
  return query select 'confirmed'::text, v_body;
end $$;

-- expand
-- Holding and confirming for many in one transaction, which cost less together: what is written is one statement for all of them.
-- Tables that are young or have just grown are looked up by their keys as well, whatever is known of their size.

-- Holds of several institutes, each with the version of the diary that they were planned on. One outcome for each hold; `n` and `at` say whose.
-- Where somebody may wait for an institute or a client that another transaction has, they would keep the others' locked: without `p_waits` they are told 'busy'.
-- Outcomes are as those of hold_visits, which the release before calls.
create function hold_planned_visits(p_asked jsonb, p_waits boolean)
  returns table (n integer, at integer, outcome text, body jsonb, until timestamptz)
  language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  v_group record;
  v_asked record;
  v_is_ours boolean;
  v_version bigint;
  v_now timestamptz;
  v_fingerprint bytea;
  v_body jsonb;
  v_count integer;
  v_first timestamptz;
  v_overlaps boolean;
  v_outcomes text[];
  v_bodies jsonb[];
  v_untils timestamptz[];
  v_seen uuid[];
  v_is_held boolean;
  v_is_stale boolean;
  v_institutes uuid[] := '{}';
  v_holding uuid[] := '{}';
  v_more jsonb := '{}';
begin
  for v_group in select g.* from jsonb_to_recordset(p_asked)
      as g(n integer, institute uuid, version bigint, holds jsonb, patch jsonb, now timestamptz) order by g.institute loop
    if p_waits then
      perform pg_advisory_xact_lock(persons.k)
        from (select distinct person_lock(h."userId") as k from jsonb_to_recordset(v_group.holds) as h("userId" uuid) order by 1) persons;
      select v.version into v_version from diary_versions v where v.institute_id = v_group.institute for update;
      -- The release before keeps the index of free time alone by this lock.
      perform pg_advisory_xact_lock(hashtextextended(v_group.institute::text, 727));
    else
      v_is_ours := (select bool_and(pg_try_advisory_xact_lock(person_lock(h."userId"))) from jsonb_to_recordset(v_group.holds) as h("userId" uuid));
      if v_is_ours then
        select v.version into v_version from diary_versions v where v.institute_id = v_group.institute for update skip locked;
        v_is_ours := found and pg_try_advisory_xact_lock(hashtextextended(v_group.institute::text, 727));
      end if;
      if not v_is_ours then
        return query select v_group.n, 0, 'busy', null::jsonb, null::timestamptz;
        continue;
      end if;
    end if;
    -- Waiting may have taken long: what has run out meanwhile has run out.
    v_now := v_group.now + (clock_timestamp() - statement_timestamp());
    v_outcomes := '{}';
    v_bodies := '{}';
    v_untils := '{}';
    v_seen := '{}';
    v_is_held := true;

    for v_asked in select h.* from jsonb_to_recordset(v_group.holds)
        as h(id uuid, "userId" uuid, "startsAt" timestamptz, "endsAt" timestamptz, "expiresAt" timestamptz, most integer, key text, fingerprint text) loop
      v_bodies := v_bodies || null::jsonb;
      v_untils := v_untils || null::timestamptz;
      if v_asked.key is not null then
        select k.fingerprint, k.body into v_fingerprint, v_body from idempotency_keys k where k.user_id = v_asked."userId" and k.key = v_asked.key;
        if found then
          v_outcomes := v_outcomes || case when v_body is not null and v_fingerprint = decode(v_asked.fingerprint, 'hex') then 'answered' else 'other_request' end;
          v_bodies[cardinality(v_outcomes)] := v_body;
          v_is_held := false;
          continue;
        end if;
      end if;
      if is_blocked_at(v_group.institute, v_asked."userId") then
        v_outcomes := v_outcomes || 'blocked'::text;
        v_is_held := false;
        continue;
      end if;
      -- No visit lasts for two days.
      select count(*) filter (where a.status = 'held' and not a.is_offer and a.expires_at > v_now), min(a.expires_at) filter (where a.status = 'held' and not a.is_offer and a.expires_at > v_now),
          coalesce(bool_or(a.status not in ('held', 'cancelled') and a.starts_at < v_asked."endsAt" and a.ends_at > v_asked."startsAt"), false)
        into v_count, v_first, v_overlaps from appointments a where a.user_id = v_asked."userId" and a.starts_at > v_now - interval '2 days';
      -- Those of this batch, and of batches before it that will be written with it.
      if v_count + cardinality(array_positions(v_holding || v_seen, v_asked."userId")) >= v_asked.most then
        v_outcomes := v_outcomes || 'too_many'::text;
        v_untils[cardinality(v_outcomes)] := coalesce(v_first, v_asked."expiresAt");
        v_is_held := false;
        continue;
      end if;
      v_outcomes := v_outcomes || 'held'::text;
      v_seen := v_seen || v_asked."userId";
      if v_overlaps then
        v_more := v_more || jsonb_build_object(v_asked.id, jsonb_build_object('overlapsWith', overlapping_visit(v_asked."userId", v_asked.id, v_asked."startsAt", v_asked."endsAt")));
      end if;
    end loop;

    v_is_stale := v_version is distinct from v_group.version;
    if v_is_held and not v_is_stale then
      if v_group.patch is null or patch_free_time(v_group.institute, v_group.patch) then
        v_institutes := v_institutes || v_group.institute;
        v_holding := v_holding || v_seen;
        continue;
      end if;
      v_is_stale := true;
    end if;
    return query select v_group.n, x.at::integer, case when x.o <> 'held' then x.o when v_is_stale then 'stale' else 'again' end, x.b, x.u
      from unnest(v_outcomes, v_bodies, v_untils) with ordinality x(o, b, u, at);
  end loop;
  if v_institutes = '{}' then return; end if;

  perform set_config('soigne.unit', 'on', true);
  return query with
    holds as materialized (
      select g.n, g.institute, g.now, h.at, h.id, h."userId", h.reference, h."startsAt", h."endsAt", h."timeZone", h.cart, h."totalAmount", h.currency, h.terms, h."expiresAt",
          h.segments, h.occupations, h.key, h.fingerprint, h.body, v_more -> h.id::text as more
        from jsonb_to_recordset(p_asked) as g(n integer, institute uuid, holds jsonb, now timestamptz),
          rows from (jsonb_to_recordset(g.holds) as (id uuid, "userId" uuid, reference text, "startsAt" timestamptz, "endsAt" timestamptz, "timeZone" text, cart jsonb, "totalAmount" integer,
            currency text, terms jsonb, "expiresAt" timestamptz, segments jsonb, occupations jsonb, key text, fingerprint text, body jsonb)) with ordinality
            as h(id, "userId", reference, "startsAt", "endsAt", "timeZone", cart, "totalAmount", currency, terms, "expiresAt", segments, occupations, key, fingerprint, body, at)
        where g.institute = any(v_institutes)),
    visits as (
      insert into appointments (id, institute_id, user_id, reference, status, life, payment, starts_at, ends_at, time_zone, cart, total_amount, currency, terms, expires_at, first_starts_at, created_at)
        select h.id, h.institute, h."userId", h.reference, 'held', 'held', 'none', h."startsAt", h."endsAt", h."timeZone", h.cart, h."totalAmount", h.currency, h.terms, h."expiresAt", h."startsAt", h.now
        from holds h),
    parts as (
      insert into segments (appointment_id, institute_id, position, service_id, member_id, resource_id, starts_at, ends_at, snapshot, price_amount)
        select h.id, h.institute, s.position, s."serviceId", s."memberId", s."resourceId", s."startsAt", s."endsAt", s.snapshot, s."priceAmount" from holds h,
          jsonb_to_recordset(h.segments) as s(position smallint, "serviceId" uuid, "memberId" uuid, "resourceId" uuid, "startsAt" timestamptz, "endsAt" timestamptz, snapshot jsonb, "priceAmount" integer)),
    times as (
      insert into occupations (institute_id, appointment_id, subject_kind, subject_id, during, expires_at)
        select h.institute, h.id, o.kind, o."subjectId", tstzrange(o."from", o."to"), h."expiresAt" from holds h,
          jsonb_to_recordset(h.occupations) as o(kind text, "subjectId" uuid, "from" timestamptz, "to" timestamptz)),
    keys as (
      insert into idempotency_keys (user_id, key, fingerprint, status, body)
        select h."userId", h.key, decode(h.fingerprint, 'hex'), 201, h.body || coalesce(h.more, '{}') from holds h where h.key is not null),
    told as (
      insert into events (kind, institute_id, subject_id, actor, payload, at)
        select 'visit.held', h.institute, h.id, jsonb_build_object('kind', 'client', 'userId', h."userId"),
          jsonb_build_object('userId', h."userId", 'startsAt', h.body -> 'startsAt', 'endsAt', h.body -> 'endsAt', 'expiresAt', h.body -> 'expiresAt'), h.now
        from holds h),
    versions as (update diary_versions v set version = v.version + 1 where v.institute_id = any(v_institutes))
    select h.n, h.at::integer, 'held', h.body || h.more, null::timestamptz from holds h;
end $$;

-- Whether a hold may become an appointment: its facts, or in `refused` why not, with the answer that was given before under the same key.
-- It is locked first: a checkout that is being opened has the lock, and is seen only after it. Without `p_waits` it is told 'alone' where it would have to wait.
create function hold_to_confirm(p_id uuid, p_user uuid, p_key text, p_fingerprint bytea, p_now timestamptz, p_needs_account boolean, p_waits boolean,
    out refused text, out answer jsonb, out institute uuid, out starts timestamptz, out ends timestamptz, out at timestamptz, out more jsonb)
  language plpgsql as $$
#variable_conflict use_column
declare
  v_visit record;
  v_fingerprint bytea;
begin
  if not p_waits then
    perform from appointments a where a.id = p_id and a.user_id = p_user for update skip locked;
    if not found and exists (select from appointments a where a.id = p_id and a.user_id = p_user) then refused := 'alone'; return; end if;
  end if;
  select a.institute_id, a.status, a.payment, a.starts_at, a.ends_at, a.expires_at, a.total_amount, cardinality(i.payment_methods) > 0 as asks into v_visit
    from appointments a join institutes i on i.id = a.institute_id where a.id = p_id and a.user_id = p_user for update of a;
  at := p_now + (clock_timestamp() - statement_timestamp());
  if p_key is not null then
    select k.fingerprint, k.body into v_fingerprint, answer from idempotency_keys k where k.user_id = p_user and k.key = p_key;
    if found then
      refused := case when answer is not null and v_fingerprint = p_fingerprint then 'answered' else 'other_request' end;
      return;
    end if;
  end if;
  if v_visit.status is null then refused := 'not_found'; return; end if;
  if v_visit.status <> 'held' or v_visit.payment = 'awaiting' then refused := 'wrong_state'; return; end if;
  -- Time held before the institute blocked its client is theirs no more.
  if v_visit.expires_at <= at or is_blocked_at(v_visit.institute_id, p_user) then refused := 'hold_expired'; return; end if;
  if v_visit.asks and takes_online(v_visit.institute_id, p_needs_account) and (paid_first_of_visit(p_id) > 0 or fee_first(v_visit.institute_id, v_visit.total_amount) > 0) then
    refused := 'payment_needed';
    return;
  end if;
  institute := v_visit.institute_id;
  starts := v_visit.starts_at;
  ends := v_visit.ends_at;
  if exists (select from appointments o where o.user_id = p_user and o.id <> p_id and o.status not in ('held', 'cancelled')
      and o.starts_at > at - interval '2 days' and o.starts_at < v_visit.ends_at and o.ends_at > v_visit.starts_at) then
    more := jsonb_build_object('overlapsWith', overlapping_visit(p_user, p_id, v_visit.starts_at, v_visit.ends_at));
  end if;
end $$;

-- The record an institute keeps of somebody, made with what they have told of themselves where there is none.
create function customer_at(p_institute uuid, p_user uuid) returns uuid language plpgsql as $$
declare
  v_customer uuid;
begin
  select c.id into v_customer from customers c where c.institute_id = p_institute and c.user_id = p_user;
  if v_customer is null then
    insert into customers (institute_id, user_id, first_name, last_name, email, phone, birthday)
      select p_institute, u.id, u.first_name, u.last_name, u.email, u.phone, u.birthday from users u where u.id = p_user
      on conflict (institute_id, user_id) do nothing returning id into v_customer;
    if v_customer is null then
      select c.id into strict v_customer from customers c where c.institute_id = p_institute and c.user_id = p_user;
    end if;
  end if;
  return v_customer;
end $$;

-- As in 0320, of which the parts above are what it has in common with the next.
create or replace function confirm_unpaid_hold(p_id uuid, p_user uuid, p_status text, p_payment_method text, p_note text, p_key text, p_fingerprint bytea, p_body jsonb, p_now timestamptz, p_needs_account boolean)
  returns table (outcome text, body jsonb) language plpgsql as $$
#variable_conflict use_column
declare
  v_hold record;
  v_body jsonb;
  v_session uuid;
  v_seat smallint;
begin
  select h.* into v_hold from hold_to_confirm(p_id, p_user, p_key, p_fingerprint, p_now, p_needs_account, true) h;
  if v_hold.refused is not null then return query select v_hold.refused, v_hold.answer; return; end if;
  update occupations o set expires_at = null where o.appointment_id = p_id;
  if not found then
    update session_seats s set expires_at = null where s.appointment_id = p_id returning s.session_id, s.seat into v_session, v_seat;
    if not found then return query select 'hold_expired'::text, null::jsonb; return; end if;
  end if;
  v_body := p_body || coalesce(v_hold.more, '{}');
  if p_key is not null then
    insert into idempotency_keys (user_id, key, fingerprint, status, body) values (p_user, p_key, p_fingerprint, 201, v_body) on conflict do nothing;
    if not found then raise exception 'a key was taken by another request at the same moment' using errcode = '40001'; end if;
  end if;
  update appointments a set status = p_status, life = life_of_status(p_status), payment = payment_of_status(p_status, a.payment), expires_at = null, confirmed_at = v_hold.at,
    customer_id = customer_at(v_hold.institute, p_user), payment_method = p_payment_method, note = p_note where a.id = p_id;
  insert into events (kind, institute_id, subject_id, actor, payload, at) values ('visit.booked', v_hold.institute, p_id,
    jsonb_build_object('kind', 'client', 'userId', p_user), jsonb_build_object('userId', p_user, 'startsAt', v_hold.starts, 'endsAt', v_hold.ends), v_hold.at);
  if v_session is not null then
    insert into events (kind, institute_id, subject_id, actor, payload, at) values ('seat.booked', v_hold.institute, v_session,
      jsonb_build_object('kind', 'client', 'userId', p_user), jsonb_build_object('visitId', p_id, 'seat', v_seat), v_hold.at);
  end if;
  return query select 'confirmed'::text, v_body;
end $$;

-- Many of them. Seats of groups, who is there more than once and whoever would have to wait are told 'alone' and asked for one by one.
create function confirm_unpaid_holds(p_asked jsonb)
  returns table (n integer, outcome text, body jsonb)
  language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
#variable_conflict use_column
declare
  v_asked record;
  v_hold record;
  v_users uuid[] := '{}';
  v_numbers integer[] := '{}';
  v_ids uuid[] := '{}';
  v_institutes uuid[] := '{}';
  v_customers uuid[] := '{}';
  v_starts timestamptz[] := '{}';
  v_ends timestamptz[] := '{}';
  v_times timestamptz[] := '{}';
  v_more jsonb[] := '{}';
begin
  for v_asked in select a.* from jsonb_to_recordset(p_asked)
      as a(n integer, id uuid, "userId" uuid, key text, fingerprint text, now timestamptz, "needsAccount" boolean) order by a.id loop
    if v_asked."userId" = any(v_users) then
      return query select v_asked.n, 'alone', null::jsonb;
      continue;
    end if;
    v_users := v_users || v_asked."userId";
    select h.* into v_hold from hold_to_confirm(v_asked.id, v_asked."userId", v_asked.key, decode(v_asked.fingerprint, 'hex'), v_asked.now, v_asked."needsAccount", false) h;
    if v_hold.refused is not null then
      return query select v_asked.n, v_hold.refused, v_hold.answer;
      continue;
    end if;
    perform from occupations o where o.appointment_id = v_asked.id for update;
    if not found then
      return query select v_asked.n, 'alone', null::jsonb;
      continue;
    end if;
    v_numbers := v_numbers || v_asked.n;
    v_ids := v_ids || v_asked.id;
    v_institutes := v_institutes || v_hold.institute;
    v_customers := v_customers || customer_at(v_hold.institute, v_asked."userId");
    v_starts := v_starts || v_hold.starts;
    v_ends := v_ends || v_hold.ends;
    v_times := v_times || v_hold.at;
    v_more := v_more || coalesce(v_hold.more, '{}');
  end loop;
  if v_ids = '{}' then return; end if;

  return query with
    holds as materialized (
      select a.n, a.id, a."userId", a.status, a."paymentMethod", a.note, a.key, a.fingerprint, a.body || h.more as body, h.institute, h.customer, h.starts, h.ends, h.at
        from unnest(v_numbers, v_institutes, v_customers, v_starts, v_ends, v_times, v_more) as h(n, institute, customer, starts, ends, at, more)
          join jsonb_to_recordset(p_asked) as a(n integer, id uuid, "userId" uuid, status text, "paymentMethod" text, note text, key text, fingerprint text, body jsonb) on a.n = h.n),
    times as (update occupations o set expires_at = null where o.appointment_id = any(v_ids)),
    keys as (
      insert into idempotency_keys (user_id, key, fingerprint, status, body)
        select h."userId", h.key, decode(h.fingerprint, 'hex'), 201, h.body from holds h where h.key is not null),
    visits as (
      update appointments a set status = h.status, life = life_of_status(h.status), payment = payment_of_status(h.status, a.payment), expires_at = null, confirmed_at = h.at,
        customer_id = h.customer, payment_method = h."paymentMethod", note = h.note from holds h where a.id = h.id),
    told as (
      insert into events (kind, institute_id, subject_id, actor, payload, at)
        select 'visit.booked', h.institute, h.id, jsonb_build_object('kind', 'client', 'userId', h."userId"),
          jsonb_build_object('userId', h."userId", 'startsAt', h.starts, 'endsAt', h.ends), h.at from holds h)
    select h.n, 'confirmed', h.body from holds h;
end $$;

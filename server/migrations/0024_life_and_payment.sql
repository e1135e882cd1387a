-- expand
-- The life of a visit and its payment are two things. `status`, which mixes both, stays for the release before until a contract takes it away:
-- a trigger keeps the two sides the same, whoever of them is written.

alter table appointments
  add column life text,
  add column payment text;
alter table appointments
  add constraint appointments_life check (life in ('held', 'booked', 'cancelled')) not valid,
  -- awaiting: its checkout is open; failed: the last one came to nothing
  add constraint appointments_payment check (payment in ('none', 'awaiting', 'failed', 'deposit_paid', 'paid', 'refunded')) not valid,
  add constraint appointments_life_and_payment check ((life is null) = (payment is null)
    and (life <> 'held' or payment in ('none', 'awaiting', 'failed')) and (payment <> 'refunded' or life = 'cancelled')) not valid;

-- The one word for both.
create function status_of_visit(p_life text, p_payment text) returns text language sql immutable parallel safe as $$
  select case when p_life <> 'booked' then p_life when p_payment = 'deposit_paid' then 'deposit_paid' when p_payment = 'paid' then 'completed' else 'pending' end
$$;

create function life_of_status(p_status text) returns text language sql immutable parallel safe as $$
  select case when p_status in ('held', 'cancelled') then p_status else 'booked' end
$$;

-- `p_before` is what was known of the payment; the word alone does not say what had been paid of a cancelled visit.
create function payment_of_status(p_status text, p_before text) returns text language sql immutable parallel safe as $$
  select case p_status when 'deposit_paid' then 'deposit_paid' when 'completed' then 'paid' when 'cancelled' then coalesce(p_before, 'none')
    else case when p_before in ('awaiting', 'failed') then p_before else 'none' end end
$$;

-- Rows of before get their two words with the first change of either side, or from the fill.
create function keep_status_of_visit() returns trigger language plpgsql as $$
declare
  v_by_status boolean;
  v_before text;
begin
  if tg_op = 'INSERT' then
    v_by_status := new.life is null;
  else
    v_before := coalesce(old.payment, payment_of_status(old.status, null));
    v_by_status := new.life is not distinct from old.life and new.payment is not distinct from old.payment;
  end if;
  if v_by_status then
    if tg_op = 'INSERT' or new.life is null or new.status is distinct from old.status then
      new.life := life_of_status(new.status);
      new.payment := payment_of_status(new.status, v_before);
    end if;
  else
    new.payment := coalesce(new.payment, v_before, 'none');
    new.life := coalesce(new.life, life_of_status(old.status));
    new.status := status_of_visit(new.life, new.payment);
  end if;
  return new;
end $$;
create trigger appointments_status before insert or update of status, life, payment on appointments for each row execute function keep_status_of_visit();

create or replace function overlapping_visit(p_user uuid, p_except uuid, p_from timestamptz, p_to timestamptz) returns jsonb language sql stable as $$
  select jsonb_build_object('_id', o.id, 'instituteName', i.name, 'startsAt', to_char(o.starts_at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'))
  from appointments o join institutes i on i.id = o.institute_id
  where o.user_id = p_user and o.id <> p_except and coalesce(o.life, o.status) not in ('held', 'cancelled') and o.starts_at < p_to and o.ends_at > p_from
  order by o.starts_at limit 1
$$;

-- As in 0014, but a hold has a life and a payment of its own.
create or replace function hold_visits(p_institute uuid, p_version bigint, p_holds jsonb, p_patch jsonb, p_now timestamptz)
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
    select count(*), min(a.expires_at) into v_count, v_first from appointments a where a.user_id = v_user and a.expires_at > v_now;
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
  insert into appointments (id, institute_id, user_id, reference, life, payment, starts_at, ends_at, time_zone, cart, total_amount, currency, terms, expires_at, first_starts_at, created_at)
    select id, p_institute, "userId", reference, 'held', 'none', "startsAt", "endsAt", "timeZone", cart, "totalAmount", currency, terms, "expiresAt", "startsAt", p_now
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

-- As in 0014, and seats count as time. p_status is the word of before: 'pending', 'deposit_paid' or 'completed' says what was paid.
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
  v_payment text := payment_of_status(p_status, null);
  v_taken integer;
begin
  select a.institute_id, coalesce(a.life, a.status) as life, coalesce(a.payment, 'none') as payment, a.starts_at, a.ends_at, a.expires_at into v_visit from appointments a where a.id = p_id and a.user_id = p_user for update;
  v_now := p_now + (clock_timestamp() - statement_timestamp());
  if p_key is not null then
    select k.fingerprint, k.body into v_fingerprint, v_body from idempotency_keys k where k.user_id = p_user and k.key = p_key;
    if found then
      return query select case when v_body is not null and v_fingerprint = p_fingerprint then 'answered' else 'other_request' end, v_body;
      return;
    end if;
    v_body := p_body;
  end if;
  if v_visit.life is null then return query select 'not_found'::text, null::jsonb; return; end if;
  if v_visit.life <> 'held' then return query select 'wrong_state'::text, null::jsonb; return; end if;
  -- What is paid online has waited for its checkout, and what has waited is not booked without its payment.
  if (v_visit.payment = 'awaiting') <> (v_payment in ('deposit_paid', 'paid')) then return query select 'wrong_state'::text, null::jsonb; return; end if;
  if v_visit.expires_at <= v_now then return query select 'hold_expired'::text, null::jsonb; return; end if;
  with times as (update occupations o set expires_at = null where o.appointment_id = p_id returning 1),
    seats as (update session_seats s set expires_at = null where s.appointment_id = p_id returning 1)
    select count(*) into v_taken from (select from times union all select from seats) taken;
  if v_taken = 0 then return query select 'hold_expired'::text, null::jsonb; return; end if;

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
  update appointments a set life = 'booked', payment = v_payment, expires_at = null, confirmed_at = v_now, customer_id = v_customer, payment_method = p_payment_method, note = p_note where a.id = p_id;
  insert into events (kind, institute_id, subject_id, actor, payload, at) values ('visit.booked', v_visit.institute_id, p_id,
    jsonb_build_object('kind', 'client', 'userId', p_user), jsonb_build_object('userId', p_user, 'startsAt', v_visit.starts_at, 'endsAt', v_visit.ends_at), v_now);
  return query select 'confirmed'::text, v_body;
end $$;

-- expand
-- What is written for many at once was planned anew each time: a plan for these very values looked cheaper than one for any, and making it costs more than it saves.
-- All of it is looked up by keys, so that one plan is as good as the other.
alter function hold_planned_visits(jsonb, boolean) set plan_cache_mode = force_generic_plan;

-- What is asked of holds before they are confirmed is asked of all of a batch at once; hold_to_confirm of 0429 is left to a contract.
-- Of each hold that is to become an appointment its facts, or in `refused` why not, with the answer that was given before under the same key.
-- The holds are locked first, in the order of their ids: a checkout that is being opened has the lock, and is seen only after it.
-- Without `p_waits` it is 'alone' where one would have to wait. Each hold is named once.
create function holds_to_confirm(p_asked jsonb, p_waits boolean)
  returns table (n integer, id uuid, user_id uuid, refused text, answer jsonb, institute uuid, starts timestamptz, ends timestamptz, at timestamptz, more jsonb)
  language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_locked uuid[];
begin
  if p_waits then
    v_locked := array(select a.id from jsonb_to_recordset(p_asked) as q(id uuid, "userId" uuid) join appointments a on a.id = q.id and a.user_id = q."userId"
      order by a.id for update of a);
  else
    v_locked := array(select a.id from jsonb_to_recordset(p_asked) as q(id uuid, "userId" uuid) join appointments a on a.id = q.id and a.user_id = q."userId"
      order by a.id for update of a skip locked);
  end if;
  return query select q.n, q.id, q."userId",
      case when a.id is not null and not a.id = any(v_locked) then 'alone'
        when k.key is not null then case when k.body is not null and k.fingerprint = decode(q.fingerprint, 'hex') then 'answered' else 'other_request' end
        when a.id is null then 'not_found'
        when a.status <> 'held' or a.payment = 'awaiting' then 'wrong_state'
        -- Time held before the institute blocked its client is theirs no more.
        when a.expires_at <= t.at or is_blocked_at(a.institute_id, q."userId") then 'hold_expired'
        -- Whether anything is paid first is worked out only where a rule could ask for it: of the institute, of a service of the visit or of its client.
        when cardinality(i.payment_methods) > 0 and (not i.pay_at_salon or i.deposit_kind <> 'none' or i.prepay_no_shows is not null or i.late_fee_kind <> 'none' or i.no_show_fee_kind <> 'none'
            or c.pays_first is not null or (select count(*) from segments g join services s on s.id = g.service_id where g.appointment_id = a.id and s.deposit_kind is not null) > 0)
          and takes_online(a.institute_id, q."needsAccount") and (paid_first_of_visit(a.id) > 0 or fee_first(a.institute_id, a.total_amount) > 0) then 'payment_needed'
      end,
      k.body, a.institute_id, a.starts_at, a.ends_at, t.at,
      case when (select count(*) from appointments o where o.user_id = q."userId" and o.id <> a.id and o.status not in ('held', 'cancelled')
          and o.starts_at > t.at - interval '2 days' and o.starts_at < a.ends_at and o.ends_at > a.starts_at) > 0
        then jsonb_build_object('overlapsWith', overlapping_visit(q."userId", a.id, a.starts_at, a.ends_at)) else '{}' end
    from jsonb_to_recordset(p_asked) as q(n integer, id uuid, "userId" uuid, key text, fingerprint text, now timestamptz, "needsAccount" boolean)
      cross join lateral (select q.now + (clock_timestamp() - statement_timestamp()) as at) t
      left join appointments a on a.id = q.id and a.user_id = q."userId"
      left join institutes i on i.id = a.institute_id
      left join customers c on c.institute_id = a.institute_id and c.user_id = q."userId"
      left join idempotency_keys k on k.user_id = q."userId" and k.key = q.key
    order by q.id;
end $$;

-- As in 0429, with the facts as above.
create or replace function confirm_unpaid_hold(p_id uuid, p_user uuid, p_status text, p_payment_method text, p_note text, p_key text, p_fingerprint bytea, p_body jsonb, p_now timestamptz, p_needs_account boolean)
  returns table (outcome text, body jsonb) language plpgsql as $$
#variable_conflict use_column
declare
  v_hold record;
  v_body jsonb;
  v_session uuid;
  v_seat smallint;
begin
  select h.* into v_hold from holds_to_confirm(jsonb_build_array(jsonb_build_object('n', 0, 'id', p_id, 'userId', p_user, 'key', p_key, 'fingerprint', encode(p_fingerprint, 'hex'),
    'now', p_now, 'needsAccount', p_needs_account)), true) h;
  if v_hold.refused is not null then return query select v_hold.refused, v_hold.answer; return; end if;
  update occupations o set expires_at = null where o.appointment_id = p_id;
  if not found then
    update session_seats s set expires_at = null where s.appointment_id = p_id returning s.session_id, s.seat into v_session, v_seat;
    if not found then return query select 'hold_expired'::text, null::jsonb; return; end if;
  end if;
  v_body := p_body || v_hold.more;
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

create or replace function confirm_unpaid_holds(p_asked jsonb)
  returns table (n integer, outcome text, body jsonb)
  language plpgsql set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off set plan_cache_mode = force_generic_plan as $$
#variable_conflict use_column
declare
  v_hold record;
  v_users uuid[] := '{}';
  v_numbers integer[] := '{}';
  v_ids uuid[] := '{}';
  v_institutes uuid[] := '{}';
  v_starts timestamptz[] := '{}';
  v_ends timestamptz[] := '{}';
  v_times timestamptz[] := '{}';
  v_more jsonb[] := '{}';
  v_kept uuid[];
begin
  for v_hold in select h.* from holds_to_confirm(p_asked, false) h loop
    if v_hold.refused is null and not v_hold.user_id = any(v_users) then
      v_users := v_users || v_hold.user_id;
      v_numbers := v_numbers || v_hold.n;
      v_ids := v_ids || v_hold.id;
      v_institutes := v_institutes || v_hold.institute;
      v_starts := v_starts || v_hold.starts;
      v_ends := v_ends || v_hold.ends;
      v_times := v_times || v_hold.at;
      v_more := v_more || v_hold.more;
    else
      return query select v_hold.n, coalesce(v_hold.refused, 'alone'), v_hold.answer;
    end if;
  end loop;
  if v_ids = '{}' then return; end if;

  -- Seats of groups have no time of their own.
  with times as (update occupations o set expires_at = null where o.appointment_id = any(v_ids) returning o.appointment_id)
    select coalesce(array_agg(distinct t.appointment_id), '{}') into v_kept from times t;
  if cardinality(v_kept) < cardinality(v_ids) then
    return query select h.n, 'alone', null::jsonb from unnest(v_numbers, v_ids) as h(n, id) where not h.id = any(v_kept);
  end if;
  -- The record an institute keeps of somebody, made with what they have told of themselves where there is none.
  insert into customers (institute_id, user_id, first_name, last_name, email, phone, birthday)
    select h.institute, u.id, u.first_name, u.last_name, u.email, u.phone, u.birthday from unnest(v_ids, v_institutes, v_users) as h(id, institute, user_id) join users u on u.id = h.user_id
      where h.id = any(v_kept) and not exists (select from customers c where c.institute_id = h.institute and c.user_id = h.user_id)
    on conflict (institute_id, user_id) do nothing;

  return query with
    holds as materialized (
      select a.n, a.id, a."userId", a.status, a."paymentMethod", a.note, a.key, a.fingerprint, a.body || h.more as body, h.institute, c.id as customer, h.starts, h.ends, h.at
        from unnest(v_numbers, v_institutes, v_starts, v_ends, v_times, v_more) as h(n, institute, starts, ends, at, more)
          join jsonb_to_recordset(p_asked) as a(n integer, id uuid, "userId" uuid, status text, "paymentMethod" text, note text, key text, fingerprint text, body jsonb) on a.n = h.n
          join customers c on c.institute_id = h.institute and c.user_id = a."userId"
        where a.id = any(v_kept)),
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

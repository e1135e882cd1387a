-- expand
-- What a service asks for before a visit in place of the institute's rule; null: that rule.
alter table services
  add column deposit_kind text,
  add column deposit_amount integer,
  add column deposit_percent integer,
  add constraint services_deposit_kind_check check (deposit_kind in ('none', 'fixed', 'percent')) not valid,
  add constraint services_deposit_check check (case coalesce(deposit_kind, 'none')
    when 'fixed' then deposit_amount is not null and deposit_amount > 0 and deposit_percent is null
    when 'percent' then deposit_percent is not null and deposit_percent between 1 and 100 and deposit_amount is null
    when 'none' then deposit_amount is null and deposit_percent is null else false end) not valid;
-- What a client pays before every visit in place of any rule: nothing, or all of it.
alter table customers
  add column pays_first text,
  add constraint customers_pays_first_check check (pays_first in ('nothing', 'all')) not valid;
-- Whoever missed so many visits within a year pays all of the next before it; null: nobody.
alter table institutes
  add column prepay_no_shows smallint,
  add constraint institutes_prepay_no_shows_check check (prepay_no_shows between 1 and 10) not valid;

-- The deposit of a visit: each service with a rule of its own by that, all else together by the institute's. Never more than the price.
create function deposit_of_visit(p_visit uuid) returns integer stable language sql as $$
  select case when a.total_amount <= 0 or cardinality(i.payment_methods) = 0 or c.pays_first = 'nothing' then 0
      else least(a.total_amount / s.step * s.step, p.own + part_of(i.deposit_kind, i.deposit_amount, i.deposit_percent, greatest(a.total_amount - p.priced, 0), i.currency)) end
    from appointments a join institutes i on i.id = a.institute_id
      left join customers c on c.institute_id = a.institute_id and c.user_id = a.user_id
      cross join lateral money_step(i.currency) s(step)
      cross join lateral (select coalesce(sum(part_of(v.deposit_kind, v.deposit_amount, v.deposit_percent, g.price_amount, i.currency)), 0)::integer as own,
          coalesce(sum(g.price_amount), 0)::integer as priced
        from segments g join services v on v.id = g.service_id and v.deposit_kind is not null where g.appointment_id = a.id and g.price_amount is not null) p
    where a.id = p_visit
$$;
-- What has to be paid online before it: its deposit; all of it where nobody pays at the salon, of a client who always does, and of one who missed too many visits in the year before it.
create function paid_first_of_visit(p_visit uuid) returns integer stable language sql as $$
  select case when a.total_amount <= 0 or cardinality(i.payment_methods) = 0 then 0
      when not i.pay_at_salon or c.pays_first = 'all'
        or (c.pays_first is null and i.prepay_no_shows is not null and i.prepay_no_shows <= (select count(*) from appointments m
          where m.institute_id = a.institute_id and (m.user_id = a.user_id or m.customer_id = c.id) and m.attendance = 'no_show'
            and m.starts_at > a.starts_at - interval '1 year' and m.starts_at < a.starts_at))
        then a.total_amount / money_step(i.currency) * money_step(i.currency)
      -- As most visits are: nothing is asked for by any rule.
      when i.deposit_kind = 'none' and not exists (select from segments g join services v on v.id = g.service_id where g.appointment_id = a.id and v.deposit_kind is not null) then 0
      else deposit_of_visit(a.id) end
    from appointments a join institutes i on i.id = a.institute_id left join customers c on c.institute_id = a.institute_id and c.user_id = a.user_id
    where a.id = p_visit
$$;

-- As in 0221, with what the visit asks for and not its institute alone.
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
  select a.institute_id, a.status, a.payment, a.starts_at, a.ends_at, a.expires_at, a.total_amount into v_visit from appointments a where a.id = p_id and a.user_id = p_user for update;
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
  if takes_online(v_visit.institute_id, p_needs_account) and (paid_first_of_visit(p_id) > 0 or fee_first(v_visit.institute_id, v_visit.total_amount) > 0) then
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

-- expand
-- Accounts of institutes at the provider of payments: their money goes there, and without one that takes it nothing is asked for online.

create table payment_accounts (
  id uuid primary key default uuidv7(),
  institute_id uuid not null unique references institutes on delete cascade,
  -- How the provider calls it; null until it has answered.
  account_id text unique check (length(account_id) between 1 and 255),
  takes_payments boolean not null default false,
  pays_out boolean not null default false,
  made_at timestamptz not null,
  -- When its provider was asked for what is known of it.
  read_at timestamptz
);

-- On which account of the provider something is: as it was when it was made. Null: on that of the site.
alter table checkouts add column account_id text;
alter table saved_cards add column account_id text;

-- Whether clients can be asked to pay an institute online. p_needs_account: its provider takes money on accounts of institutes alone.
create function takes_online(p_institute uuid, p_needs_account boolean) returns boolean stable language sql as $$
  select not p_needs_account or exists (select from payment_accounts a where a.institute_id = p_institute and a.takes_payments)
$$;

-- Confirming without a payment; a hold whose checkout is open waits for it, and where something has to be paid first, or a card kept, it answers 'payment_needed'. Answers 'confirmed' with the body, or why not, as confirm_hold does, which checkouts use.
create function confirm_unpaid_hold(p_id uuid, p_user uuid, p_status text, p_payment_method text, p_note text, p_key text, p_fingerprint bytea, p_body jsonb, p_now timestamptz, p_needs_account boolean)
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
  if takes_online(v_visit.institute_id, p_needs_account) and (paid_first(v_visit.institute_id, v_visit.total_amount) > 0 or fee_first(v_visit.institute_id, v_visit.total_amount) > 0) then
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

-- As the release before confirms: it knows of no accounts.
create or replace function confirm_unpaid_hold(p_id uuid, p_user uuid, p_status text, p_payment_method text, p_note text, p_key text, p_fingerprint bytea, p_body jsonb, p_now timestamptz)
  returns table (outcome text, body jsonb) language sql as $$
  select h.outcome, h.body from confirm_unpaid_hold(p_id, p_user, p_status, p_payment_method, p_note, p_key, p_fingerprint, p_body, p_now, false) h
$$;

-- expand
-- Paying online: a hold may have several checkouts, one after the other; what providers say is kept; money goes back.

alter table checkouts drop constraint checkouts_appointment_id_key;
alter table checkouts
  -- Of a hold that becomes a visit, or of what is left to pay of a visit.
  add column kind text not null default 'hold' check (kind in ('hold', 'rest')),
  -- Under which key its client asked for it, in which language, and where the page leads back to.
  add column key text,
  add column locale text,
  add column return_to text,
  -- What of the visit is a deposit by the rule of then: kept when its client cancels late.
  add column deposit_amount integer not null default 0 check (deposit_amount >= 0),
  -- The end its hold had before.
  add column held_until timestamptz,
  -- Where it is paid: whose page, how that one calls it, and its address.
  add column provider text,
  add column page_id text,
  add column url text,
  -- When its provider was last asked what became of it.
  add column asked_at timestamptz;

alter table appointments
  -- What of it is kept when its client cancels late; null where nothing was asked.
  add column deposit_amount integer,
  add constraint appointments_deposit check (deposit_amount >= 0) not valid;

-- What providers said: each word is heard once.
create table payment_words (
  provider text not null check (provider in ('sandbox', 'stripe')),
  id text not null check (length(id) between 1 and 255),
  -- The checkout or refund it is about; null where it is about neither.
  subject_id uuid,
  word jsonb not null,
  heard_at timestamptz not null,
  primary key (provider, id)
);

-- Money that goes back to whoever paid online.
create table refunds (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  checkout_id uuid not null references checkouts,
  -- The visit it was paid for, or was to be.
  appointment_id uuid not null,
  amount integer not null check (amount > 0),
  currency text not null check (length(currency) = 3),
  reason text not null check (reason in ('late_payment', 'cancelled_by_client', 'cancelled_by_institute', 'credit_note')),
  state text not null default 'waiting' check (state in ('waiting', 'done', 'failed')),
  -- How the provider calls it, once it was asked.
  reference text,
  -- Whoever sends it has it for themselves until then.
  claimed_until timestamptz,
  made_at timestamptz not null,
  ended_at timestamptz,
  check ((state = 'waiting') = (ended_at is null))
);
create index refunds_of_checkout on refunds (checkout_id);
create index refunds_of_visit on refunds (appointment_id);
create index refunds_of_institute on refunds (institute_id, made_at);
create index refunds_to_send on refunds (made_at) where state = 'waiting';

-- Deposits of visits that were cancelled late.
create table kept_deposits (
  id uuid primary key default uuidv7(),
  institute_id uuid not null references institutes on delete cascade,
  sale_id uuid not null unique,
  amount integer not null check (amount > 0),
  currency text not null check (length(currency) = 3),
  at timestamptz not null,
  day date not null,
  foreign key (sale_id, institute_id) references sales (id, institute_id)
);
create index kept_deposits_of_institute on kept_deposits (institute_id, at);

alter table ledger_lines drop constraint ledger_lines_account_check;
alter table ledger_lines add constraint ledger_lines_account_check
  check (account in ('cash', 'terminal', 'online', 'prepayments', 'revenue', 'vat', 'tips', 'kept')) not valid;

-- What the institute asks for before a visit of that price, by its rule: a part of it is rounded once, and it is never more than the price.
create function deposit_of(p_institute uuid, p_total integer) returns integer stable language sql as $$
  select case when p_total <= 0 or cardinality(i.payment_methods) = 0 then 0
      when i.deposit_kind = 'fixed' then least(i.deposit_amount, p_total)
      when i.deposit_kind = 'percent' then least((2 * p_total::bigint * i.deposit_percent + 100) / 200, p_total)::integer
      else 0 end
    from institutes i where i.id = p_institute
$$;
-- What has to be paid online before a hold becomes a visit: the deposit, or all of it where nobody pays at the salon.
create function paid_first(p_institute uuid, p_total integer) returns integer stable language sql as $$
  select case when i.pay_at_salon or p_total <= 0 or cardinality(i.payment_methods) = 0 then deposit_of(p_institute, p_total) else p_total end
    from institutes i where i.id = p_institute
$$;

-- Confirming without a payment; a hold whose checkout is open waits for it, and where something has to be paid first it answers 'payment_needed'. Answers 'confirmed' with the body, or why not, as confirm_hold does, which checkouts and the release before use.
create or replace function confirm_unpaid_hold(p_id uuid, p_user uuid, p_status text, p_payment_method text, p_note text, p_key text, p_fingerprint bytea, p_body jsonb, p_now timestamptz)
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
  if paid_first(v_visit.institute_id, v_visit.total_amount) > 0 then return query select 'payment_needed'::text, null::jsonb; return; end if;
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
